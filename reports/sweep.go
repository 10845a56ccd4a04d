package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"filterlab/harness"
)

// Axis returns what the sweep varies that the case is a point of; empty: it is of no sweep.
func (c Case) Axis() string {
	if len(c.Trials) == 0 {
		return ""
	}
	return c.Trials[0].Axis
}

// X returns where on the axis of its sweep the case lies.
func (c Case) X() float64 {
	if len(c.Trials) == 0 || c.Trials[0].X == nil {
		return 0
	}
	return *c.Trials[0].X
}

// xText writes X for the table; empty where another column tells it.
func (c Case) xText() string {
	switch c.Axis() {
	case "bits":
		return digits(c.X(), 4) + " bits"
	case "load":
		return "load " + digits(c.X(), 4)
	case "fill":
		return times(c.X())
	case "dup":
		return percent(c.X()) + " repeats"
	case "estimate":
		return signed(c.X())
	}
	return ""
}

// under names the workload of the case, without the knobs that a sweep sets.
func (c Case) under() string {
	if c.Axis() == "" {
		return c.Workload
	}
	return family(c.Workload)
}

// groupOf names what a result is shown with: its sweep, or else its workload.
func groupOf(r harness.Result) string {
	if r.Axis == "" {
		return r.Workload
	}
	return "sweep-" + r.Axis
}

// groupTitle names the group of a result in headings.
func groupTitle(r harness.Result) string {
	if r.Axis == "" {
		return shortWorkload(r.Workload)
	}
	return fmt.Sprintf("sweep over %s, %s", r.Axis, family(r.Workload))
}

// shows reports whether the figure is for cases of the axis.
func (f Figure) shows(axis string) bool {
	return len(f.Axes) == 0 && axis == "" || slices.Contains(f.Axes, axis)
}

// rowNames names the rows of a figure of rows.
func (f Figure) rowNames(cases []Case) []string {
	if f.RowNames != nil {
		return f.RowNames(cases)
	}
	var out []string
	for _, c := range cases {
		out = append(out, c.Variant)
	}
	return out
}

// sweptVariant names the variant without the knob that a sweep sets, so that its points are one line.
func sweptVariant(r harness.Result) string {
	name, knobs, has := strings.Cut(r.Variant, ":")
	if r.Axis != "k" || !has {
		return r.Variant
	}
	left := slices.DeleteFunc(strings.Split(knobs, ","), func(knob string) bool { return strings.HasPrefix(knob, "k=") })
	if len(left) == 0 {
		return name
	}
	return name + ":" + strings.Join(left, ",")
}

// A course is the points of one variant in a sweep, by X.
type course struct {
	variant string
	cases   []Case
}

// courses sorts the cases of a sweep into variants, in the order in which they first come.
func courses(cases []Case) []course {
	var out []course
	at := map[string]int{}
	for _, c := range cases {
		variant := sweptVariant(c.Trials[0])
		i, ok := at[variant]
		if !ok {
			i = len(out)
			at[variant] = i
			out = append(out, course{variant: variant})
		}
		out[i].cases = append(out[i].cases, c)
	}
	for _, c := range out {
		slices.SortStableFunc(c.cases, func(a, b Case) int {
			switch {
			case a.X() < b.X():
				return -1
			case a.X() > b.X():
				return 1
			}
			return 0
		})
	}
	return out
}

// at returns the case nearest to x.
func (c course) at(x float64) Case {
	best := c.cases[0]
	for _, other := range c.cases {
		if abs(other.X()-x) < abs(best.X()-x) {
			best = other
		}
	}
	return best
}

func abs(x float64) float64 { return max(x, -x) }

// last returns the case with the largest x.
func (c course) last() Case { return c.cases[len(c.cases)-1] }

// alongX draws a series a variant, a point a case.
func alongX(cases []Case, mark Mark, point func(Case) (Point, bool)) []Series {
	var out []Series
	for _, co := range courses(cases) {
		s := Series{Variant: co.variant, Mark: mark}
		if mark == Curve {
			s.Label = co.variant
		}
		for _, c := range co.cases {
			if pt, ok := point(c); ok {
				s.Points = append(s.Points, pt)
			}
		}
		if len(s.Points) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// fprAtX is the FPR observed, upright over X.
func fprAtX(c Case) (Point, bool) {
	fpr := c.FPR()
	switch {
	case fpr.Of == 0:
		return Point{}, false
	case fpr.Hits == 0:
		return Point{X: c.X(), Y: fpr.Hi, Bound: true}, true
	}
	return Point{X: c.X(), Y: fpr.Share, Lo: fpr.Lo, Hi: fpr.Hi, Bar: true}, true
}

// modelAtX is the FPR by formula.
func modelAtX(c Case) (Point, bool) {
	model, ok := c.ModelFPR()
	return Point{X: c.X(), Y: model}, ok && model > 0
}

// enoughHits is how many false positives a ratio of observed over formula needs to be drawn.
const enoughHits = 100

// ratioAtX is observed over formula, upright over X.
func ratioAtX(c Case) (Point, bool) {
	ratio, lo, hi, ok := c.Ratio()
	return Point{X: c.X(), Y: ratio, Lo: lo, Hi: hi, Bar: true}, ok && c.FPR().Hits >= enoughHits
}

// visibleModel leaves out what a formula says far below anything that was seen or could be.
func visibleModel(cases []Case) func(Case) (Point, bool) {
	least := 1.0
	for _, c := range cases {
		if fpr := c.FPR(); fpr.Of > 0 {
			least = min(least, fpr.Hi)
		}
	}
	return func(c Case) (Point, bool) {
		pt, ok := modelAtX(c)
		return pt, ok && pt.Y > least/10
	}
}

// ratioPanel is observed over formula below a panel of FPRs.
func ratioPanel(x Axis) Panel {
	return Panel{
		X: x, Y: Axis{Label: "observed / formula", Around1: true}, Upright: true,
		Theory: ruleAtOne,
		Series: func(cases []Case) []Series { return besides(alongX(cases, Dot, ratioAtX), x.Log) },
	}
}

// ruleAtOne is the ratio 1, from the least x to the largest so that both panels reach as far.
func ruleAtOne(cases []Case) []Series {
	lo, hi := cases[0].X(), cases[0].X()
	for _, c := range cases {
		lo, hi = min(lo, c.X()), max(hi, c.X())
	}
	return []Series{{Mark: Rule, Points: []Point{{X: lo, Y: 1}, {X: hi, Y: 1}}}}
}

// besides moves the points of several variants at one x apart, as far as their glyphs are wide.
func besides(all []Series, log bool) []Series {
	const apart = 0.011 // of the axis
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range all {
		for _, pt := range s.Points {
			lo, hi = min(lo, pt.X), max(hi, pt.X)
		}
	}
	for i := range all {
		shift := apart * (float64(i) - float64(len(all)-1)/2)
		for j := range all[i].Points {
			pt := &all[i].Points[j]
			if log {
				pt.X *= math.Pow(hi/lo, shift)
			} else {
				pt.X += shift * (hi - lo)
			}
		}
	}
	return all
}

// fprKey explains a panel of FPRs over X.
func fprKey(cases []Case) []KeyItem {
	key := []KeyItem{{Mark: Dot, Text: "observed"}, {Mark: Curve, Text: "formula at the keys held"}}
	if anyCase(cases, func(c Case) bool { return c.FPR().Hits == 0 }) {
		key = append(key, KeyItem{Bound: true, Text: "none seen: below 3.69 / strangers"})
	}
	return key
}

// sweepHead and sweepCells are the columns of CSV that all sweeps share.
var sweepHead = []string{"variant", "workload", "n", "p", "x", "trials", "held", "refused", "strangers", "false_positives",
	"fpr", "fpr_lo", "fpr_hi", "model_fpr", "observed_over_model", "ratio_lo", "ratio_hi", "verdict"}

func sweepCells(c Case) []string {
	fpr := c.FPR()
	ratio, lo, hi, ok := c.Ratio()
	verdict, _ := c.Verdict()
	return append(caseCells(c), plain(c.X()), fmt.Sprint(len(c.Trials)), fmt.Sprint(c.Held()), fmt.Sprint(refused(c)),
		fmt.Sprint(fpr.Of), fmt.Sprint(fpr.Hits), plain(fpr.Share), plain(fpr.Lo), plain(fpr.Hi), optional(c.ModelFPR()),
		optional(ratio, ok), optional(lo, ok), optional(hi, ok), verdict)
}

// sweepCSV writes the shared columns and more of each case.
func sweepCSV(head []string, more func(Case) []string) func([]Case) [][]string {
	return func(cases []Case) [][]string {
		out := [][]string{append(slices.Clone(sweepHead), head...)}
		for _, co := range courses(cases) {
			for _, c := range co.cases {
				out = append(out, append(sweepCells(c), more(c)...))
			}
		}
		return out
	}
}

func nothingMore(Case) []string { return nil }

// refused returns the keys refused in all trials.
func refused(c Case) uint64 { return c.sum(func(r harness.Result) uint64 { return r.Rejected }) }

// refusedShare returns the keys refused among those offered, 0..1.
func refusedShare(c Case) Rate {
	held := c.sum(func(r harness.Result) uint64 { return r.Held })
	return rate(refused(c), held+refused(c))
}

// times writes a factor: 0.5x, 3.4x, 12x.
func times(x float64) string {
	if x >= 100 {
		return count(uint64(x+0.5)) + "x"
	}
	return digits(x, 2+boolInt(x >= 1 && x < 10)) + "x"
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// signed writes a share with its sign: +20 %, -5 %.
func signed(share float64) string {
	if share > 0 {
		return "+" + percent(share)
	}
	return percent(share)
}
