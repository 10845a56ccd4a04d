package reports

import (
	"fmt"
	"math"
	"slices"
)

var tornadoFigure = Figure{
	Name:     "estimate-of-n",
	Shows:    "What a wrong estimate of n does to the FPR: the factor by which it differs from that at the keys planned for.",
	Reads:    "bars: 95 % intervals",
	Axes:     []string{"estimate"},
	Keep:     func(c Case) bool { return c.Strangers() > 0 && !c.Exact() && !c.Yardstick() },
	Title:    tornadoTitle,
	Rows:     true,
	RowNames: tornadoNames,
	Panels: []Panel{{
		Width: 1,
		X:     Axis{Label: "FPR / FPR at the keys planned for, log scale", Log: true, Format: times, Include: []float64{0.1, 10}},
		Theory: func(cases []Case) []Series {
			return append(tornadoBars(cases), Series{Mark: Rule, Points: []Point{{X: 1}}})
		},
		Series:     tornadoDots,
		RowColumns: tornadoColumns,
	}},
	Key: func([]Case) []KeyItem {
		return []KeyItem{{Mark: Dot, Text: "observed, with so many keys fewer and more than planned"}, {Mark: Rest, Text: "formula at the keys held"}}
	},
	CSV: func(cases []Case) [][]string {
		head := []string{"factor", "factor_lo", "factor_hi", "model_factor"}
		out := [][]string{append(slices.Clone(sweepHead), head...)}
		for _, co := range courses(cases) {
			plan := co.at(0)
			for _, c := range co.cases {
				pt, ok := factorOf(c, plan)
				model, has := modelFactor(c, plan)
				out = append(out, append(sweepCells(c), optional(pt.X, ok), optional(pt.Lo, ok && pt.Bar), optional(pt.Hi, ok), optional(model, has)))
			}
		}
		return out
	},
}

// A swing is a row: the cases with so many keys fewer and more than planned.
type swing struct {
	variant           string
	error             float64 // of the estimate, above 0
	fewer, plan, more Case
}

// swings pairs the cases, the largest errors first, variants one after the other.
func swings(cases []Case) []swing {
	var out []swing
	for _, co := range courses(cases) {
		plan := co.at(0)
		if plan.X() != 0 {
			continue
		}
		for _, c := range slices.Backward(co.cases) {
			if other := co.at(-c.X()); c.X() > 0 && other.X() == -c.X() {
				out = append(out, swing{co.variant, c.X(), other, plan, c})
			}
		}
	}
	return out
}

func tornadoNames(cases []Case) []string {
	var out []string
	for _, s := range swings(cases) {
		out = append(out, fmt.Sprintf("%s ±%s", s.variant, percent(s.error)))
	}
	return out
}

// tornadoColumns writes the factors, and the keys refused where some were.
func tornadoColumns(cases []Case) []TextColumn {
	fewer, more, failed := TextColumn{Head: "fewer keys"}, TextColumn{Head: "more keys"}, TextColumn{Head: "refused"}
	any := false
	for _, s := range swings(cases) {
		fewer.Cells = append(fewer.Cells, s.factorText(s.fewer))
		more.Cells = append(more.Cells, s.factorText(s.more))
		share := ""
		if r := refusedShare(s.more); r.Hits > 0 {
			share, any = percentShort(r.Share), true
		}
		failed.Cells = append(failed.Cells, share)
	}
	if !any {
		return []TextColumn{fewer, more}
	}
	return []TextColumn{fewer, more, failed}
}

// factorOf returns the FPR of a case over that at the plan, with the interval of both counts.
func factorOf(c, plan Case) (Point, bool) {
	fpr, at := c.FPR(), plan.FPR()
	switch {
	case at.Hits == 0 || fpr.Of == 0:
		return Point{}, false
	case fpr.Hits == 0:
		return Point{X: fpr.Hi / at.Share, Bound: true, Hi: fpr.Hi / at.Share}, true
	}
	factor := fpr.Share / at.Share
	// The variances of two counts add up on a log scale.
	up := math.Hypot(math.Log(fpr.Hi/fpr.Share), math.Log(at.Hi/at.Share))
	down := math.Hypot(math.Log(fpr.Share/fpr.Lo), math.Log(at.Share/at.Lo))
	return Point{X: factor, Lo: factor * math.Exp(-down), Hi: factor * math.Exp(up), Bar: true}, true
}

func modelFactor(c, plan Case) (float64, bool) {
	model, ok := c.ModelFPR()
	at, has := plan.ModelFPR()
	return model / at, ok && has && at > 0
}

// factorText writes a factor, with as many digits as it takes to tell it from 1.
func (s swing) factorText(c Case) string {
	pt, ok := factorOf(c, s.plan)
	switch {
	case !ok:
		return ""
	case pt.Bound:
		return "< " + times(pt.X)
	case pt.X > 0.5 && pt.X < 2:
		return fmt.Sprintf("%.3fx", pt.X)
	}
	return times(pt.X)
}

// tornadoBars reach from the formula's factor with fewer keys to that with more.
func tornadoBars(cases []Case) []Series {
	s := Series{Mark: Rest}
	for i, row := range swings(cases) {
		lo, okLo := modelFactor(row.fewer, row.plan)
		hi, okHi := modelFactor(row.more, row.plan)
		if okLo && okHi && lo > 0 {
			s.Points = append(s.Points, Point{X: 1, Y: float64(i), Lo: lo, Hi: hi, Bar: true})
		}
	}
	return []Series{s}
}

func tornadoDots(cases []Case) []Series {
	var out []Series
	for i, row := range swings(cases) {
		s := Series{Variant: row.variant, Mark: Dot}
		for _, c := range []Case{row.fewer, row.more} {
			if pt, ok := factorOf(c, row.plan); ok {
				pt.Y = float64(i)
				s.Points = append(s.Points, pt)
			}
		}
		out = append(out, s)
	}
	return out
}

// tornadoTitle tells what the error of 20 %, or the one nearest to it, does to each variant.
func tornadoTitle(cases []Case) string {
	title := ""
	for _, co := range courses(cases) {
		var best swing
		for _, s := range swings(co.cases) {
			if best.variant == "" || math.Abs(s.error-0.2) < math.Abs(best.error-0.2) {
				best = s
			}
		}
		if best.variant == "" {
			continue
		}
		if title == "" {
			title = fmt.Sprintf("%s more keys than planned multiply the FPR of %s by %s", percent(best.error), best.variant, best.shortFactor())
		} else {
			title += fmt.Sprintf(", of %s by %s", best.variant, best.shortFactor())
		}
		if any, at := firstRefused(co); any {
			title += fmt.Sprintf(" (at %s it refuses keys)", signed(at.X()))
		}
	}
	if title == "" {
		return "There are no two errors of the estimate to compare"
	}
	return title
}

func (s swing) shortFactor() string {
	pt, _ := factorOf(s.more, s.plan)
	return digits(pt.X, 3)
}
