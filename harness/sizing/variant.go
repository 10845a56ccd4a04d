package sizing

import (
	"fmt"
	"maps"
	"math"
	"strconv"

	"filterlab/filters"
	"filterlab/filters/theory"
	"filterlab/harness/units"
)

// Overfill is the multiples of n at which a report shows the FPR of the same filter.
var Overfill = []float64{1.01, 1.05, 1.25, 1.5, 2, 5}

// fullLoad is the load factor up to which a table of slots is said to take keys: what Fan et al. 2014
// reach with 4 slots a bucket. Fuller tables refuse keys.
const fullLoad = 0.95

// A Row is what one variant is at the size asked for, by its model.
type Row struct {
	Variant    string   `json:"variant"` // a spec
	N          uint64   `json:"n"`
	P          float64  `json:"p"`          // target FPR that the variant was asked for
	Bits       uint64   `json:"size_bits"`  // allocated, after all rounding; 0 where it depends on the keys
	Bytes      uint64   `json:"size_bytes"` // rounded up; an estimate where Bits is 0
	K          int      `json:"k,omitempty"`
	Slots      bool     `json:"slots"`               // Occupancy is a load factor, else a fill ratio
	Occupancy  *float64 `json:"occupancy,omitempty"` // expected at n keys
	FPR        float64  `json:"fpr"`                 // what the size really buys
	BitsPerKey float64  `json:"bits_per_key"`
	LeastBits  *float64 `json:"least_bits,omitempty"` // n log2(1/FPR), the least of any filter
	Overhead   *float64 `json:"overhead,omitempty"`   // Bits over LeastBits, minus 1
	Overfull   []Point  `json:"overfull,omitempty"`
	Notes      []string `json:"notes,omitempty"`
	Refused    string   `json:"refused,omitempty"` // why there is no such filter
}

// A Point is a filter with more keys in it than it was sized for.
type Point struct {
	Times   float64 `json:"times"` // n
	N       uint64  `json:"n"`
	FPR     float64 `json:"fpr"`     // with the keys it takes
	Refuses bool    `json:"refuses"` // it takes no more keys
	Rebuild bool    `json:"rebuild"` // it takes no key after it was built: FPR is that of a new one
}

// Size returns what the variant is for the question and its answer by the formula. Where a size m is
// asked for, the variant gets the least p, or the most keys, with which its model still fits m.
func Size(b filters.Bound, a Ask, s Solution, maxBytes uint64) Row {
	b, probes := withProbes(b, a.K)
	r := Row{Variant: b.String(), N: s.N, P: s.P}
	asked := r.P
	var err error
	switch {
	case probes && a.P > 0:
		asked, err = fitFPR(b, s)
	case a.M > 0 && a.P == 0:
		r.P, err = fitP(b, s)
	case a.M > 0 && a.N == 0:
		r.N, err = fitN(b, s)
	}
	if err != nil {
		r.Refused = err.Error()
		return r
	}
	if !probes || a.P == 0 {
		asked = r.P
	}
	model, err := b.Model(b.Params(r.N, asked, 0))
	if err != nil {
		r.Refused = err.Error()
		return r
	}
	r.fill(b, model)
	if a.P > 0 && !b.Exact && r.FPR > r.P*(1+5*slack) {
		r.note("%s", missed(b, r))
	}
	switch {
	case maxBytes > 0 && r.Bytes > maxBytes:
		r.Refused = fmt.Sprintf("needs %s, more than the %s allowed: shard it or raise --max-mem", units.Bytes(r.Bytes), units.Bytes(maxBytes))
	case a.M > 0 && bitsOf(model) > float64(a.M):
		r.note("does not fit m: %s", units.Bytes(r.Bytes))
	}
	return r
}

// withProbes sets the knob k to the hash functions asked for, and reports whether the variant has one
// that is open.
func withProbes(b filters.Bound, k int) (bound filters.Bound, set bool) {
	for _, knob := range b.Knobs {
		value := strconv.Itoa(k)
		if k == 0 || knob.Name != "k" || b.Values["k"] != knob.Default || knob.Check(value) != nil {
			continue
		}
		b.Values = maps.Clone(b.Values)
		b.Values["k"], set = value, true
	}
	return b, set
}

// fill sets what the model says of the row's n and p.
func (r *Row) fill(b filters.Bound, model filters.Model) {
	bits := bitsOf(model)
	r.Bits, r.Bytes, r.K = model.Bits, uint64(math.Ceil(bits/8)), model.K
	r.BitsPerKey = bits / float64(r.N)
	r.FPR = model.FPR(r.N)
	if model.Occupancy != nil {
		r.Occupancy = finite(model.Occupancy(r.N))
	}
	r.Slots = model.K == 0 && r.Occupancy != nil && !b.Exact
	if r.Slots && *r.Occupancy > fullLoad {
		r.note("load %.3f: a table so full refuses keys", *r.Occupancy)
	}
	if model.Bits == 0 {
		r.note("size depends on the keys: a rough need of heap, for keys of 16 bytes")
	}
	if b.Exact {
		return
	}
	r.LeastBits = finite(float64(r.N) * theory.LowerBound(r.FPR))
	r.Overhead = finite(theory.Overhead(r.BitsPerKey, r.FPR))
	r.overfull(model)
}

// missed says by how much the variant misses p, and whether asking for less would help.
func missed(b filters.Bound, r Row) string {
	const farther = 100
	model, err := b.Model(b.Params(r.N, r.P/farther, 0))
	if err == nil && model.FPR(r.N) > 0.9*r.FPR {
		return fmt.Sprintf("cannot reach p = %s: it is sized by n, and the FPR stays near %s", units.Rate(r.P), units.Rate(r.FPR))
	}
	return fmt.Sprintf("misses p: %.3g times %s", r.FPR/r.P, units.Rate(r.P))
}

// overfull adds the points beyond n.
func (r *Row) overfull(model filters.Model) {
	last := times(r.N, Overfill[len(Overfill)-1])
	rebuild := model.Occupancy == nil && model.FPR(last) == r.FPR
	for _, x := range Overfill {
		n := times(r.N, x)
		p := Point{Times: x, N: n, FPR: model.FPR(n), Rebuild: rebuild}
		if r.Slots {
			p.Refuses = *r.Occupancy*x > fullLoad
		}
		r.Overfull = append(r.Overfull, p)
	}
}

func (r *Row) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// bitsOf returns the size of the model in bits, or its estimate.
func bitsOf(m filters.Model) float64 {
	if m.Bits > 0 {
		return float64(m.Bits)
	}
	return 8 * float64(m.HeapBytes)
}

// finite returns a pointer to x, or nil where JSON has no word for it.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
