package sweep

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"filterlab/filters"
	"filterlab/harness"
	"filterlab/harness/sizing"
	"filterlab/workloads"
)

// MaxStrangers bounds the strangers of a point, since a filter that is far from full would ask for
// 10^12 of them. What is left open then shows in the point's interval and verdict.
const MaxStrangers = 50_000_000

// A Point is a case of a sweep and where on the axis it lies.
type Point struct {
	harness.Case
	X float64
}

// A base is what a sweep keeps.
type base struct {
	ctx context.Context
	n   uint64
	p   float64
}

// Points returns the cases of the sweep, by x and, at the same x, in the order of the variants. notes
// tell of variants that have no point; it is an error when none has. n = 0 and p = 0 stand for the
// axis' own.
func (o Over) Points(ctx context.Context, variants []filters.Bound, n uint64, p float64) (points []Point, notes []string, err error) {
	b := base{ctx, n, p}
	if n == 0 {
		b.n = o.N
	}
	if p == 0 {
		b.p = o.P
	}
	for _, v := range variants {
		of, err := o.pointsOf(b, v)
		if len(of) == 0 {
			notes = append(notes, fmt.Sprintf("%s: %v", v, err))
		}
		points = append(points, of...)
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if len(points) == 0 {
		return nil, nil, fmt.Errorf("no filter to sweep over %s: %s", o.Name, strings.Join(notes, "; "))
	}
	slices.SortStableFunc(points, func(a, b Point) int {
		switch {
		case a.X < b.X:
			return -1
		case a.X > b.X:
			return 1
		}
		return 0
	})
	return points, notes, nil
}

// pointsOf returns the points of one variant, each filter once; the error is of the last point that
// there is no filter for.
func (o Over) pointsOf(b base, v filters.Bound) (out []Point, err error) {
	for _, x := range o.At {
		points, failed := o.cases(b, v, x)
		if failed != nil {
			err = failed
			continue
		}
		for _, p := range points {
			if !slices.ContainsFunc(out, func(other Point) bool { return key(other.Case) == key(p.Case) }) {
				out = append(out, p)
			}
		}
	}
	return out, err
}

// A caseKey tells the cases of a run apart, as results do.
type caseKey struct {
	variant, workload string
	n                 uint64
	p                 float64
}

func key(c harness.Case) caseKey {
	return caseKey{c.Variant.String(), c.Workload.Name, c.Workload.N, c.P}
}

// Label writes into the results of the points what was swept and where each lies.
func (o Over) Label(points []Point, results []harness.Result) {
	at := map[caseKey]float64{}
	for _, p := range points {
		at[key(p.Case)] = p.X
	}
	for i := range results {
		r := &results[i]
		x := at[caseKey{r.Variant, r.Workload, r.N, r.P}]
		r.Axis, r.X = o.Name, &x
	}
}

// point returns one point on random-ids with the knobs given.
func (b base) point(v filters.Bound, x float64, n uint64, p float64, knobs string) ([]Point, error) {
	name := "random-ids"
	if knobs != "" {
		name += ":" + knobs
	}
	w, err := workloads.Parse(b.ctx, name, n, workloads.ReplayOptions{})
	if err != nil {
		return nil, err
	}
	if _, err := v.Model(v.Params(n, p, 0)); err != nil {
		return nil, err
	}
	return []Point{{harness.Case{Variant: v, Workload: w, P: p}, x}}, nil
}

func atN(b base, v filters.Bound, x float64) ([]Point, error) {
	return b.point(v, x, uint64(x), b.p, "")
}

func atP(b base, v filters.Bound, x float64) ([]Point, error) { return b.point(v, x, b.n, x, "") }

func atFill(b base, v filters.Bound, x float64) ([]Point, error) {
	return b.point(v, x, b.n, b.p, "fill="+write(x))
}

// atDup has as many adds as the filter is sized for, whatever share of them repeats a key.
func atDup(b base, v filters.Bound, x float64) ([]Point, error) {
	return b.point(v, x, b.n, b.p, fmt.Sprintf("fill=%s,dup=%s", write(round4(1-x)), write(x)))
}

// atEstimate has the keys that were planned for, and x more and x fewer of them.
func atEstimate(b base, v filters.Bound, x float64) ([]Point, error) {
	var out []Point
	for _, off := range []float64{0, -x, x} {
		points, err := b.point(v, off, b.n, b.p, "fill="+write(round4(1+off)))
		if err != nil {
			return nil, err
		}
		out = append(out, points...)
	}
	return out, nil
}

// atK sets the variant's knob k.
func atK(b base, v filters.Bound, x float64) ([]Point, error) {
	given := maps.Clone(map[string]string(v.Values))
	if given == nil {
		given = map[string]string{}
	}
	given["k"] = write(x)
	with, err := v.Bind(given)
	if err != nil {
		return nil, err
	}
	return b.point(with, x, b.n, b.p, "")
}

// atBits asks the variant for the least p whose table is no larger than x bits a key. Where the
// usual p gives that size too, as all do where p has no part in it, it is the usual p.
func atBits(b base, v filters.Bound, x float64) ([]Point, error) {
	ask := sizing.Ask{N: b.n, M: uint64(x * float64(b.n))}
	solved, err := ask.Solve()
	if err != nil {
		return nil, err
	}
	row := sizing.Size(v, ask, solved, 0)
	switch {
	case row.Refused != "":
		return nil, errors.New(row.Refused)
	case row.Bits == 0:
		return nil, errors.New("its size depends on the keys")
	}
	p := row.P
	if usual, err := v.Model(v.Params(b.n, b.p, 0)); err == nil && usual.Bits == row.Bits {
		p = b.p
	}
	return b.point(v, x, b.n, p, "")
}

// atLoad puts so many keys in the table of n slots that they take up the share x of them.
func atLoad(b base, v filters.Bound, x float64) ([]Point, error) {
	model, err := v.Model(v.Params(b.n, b.p, 0))
	if err != nil {
		return nil, err
	}
	if model.K > 0 || model.Occupancy == nil || v.Exact {
		return nil, fmt.Errorf("%s has no slots and so no load factor", v.Name)
	}
	slots := math.Round(float64(b.n) / model.Occupancy(b.n))
	return b.point(v, x, b.n, b.p, "fill="+write(round4(x*slots/float64(b.n))))
}
