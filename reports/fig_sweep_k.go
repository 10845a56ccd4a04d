package reports

import (
	"fmt"
	"math"
)

var probesFigure = Figure{
	Name:  "fpr-over-k",
	Shows: "The FPR over the number of hash functions at the same bits per key, and what a lookup costs with them.",
	Reads: "bars: 95 % intervals",
	Axes:  []string{"k"},
	Keep:  func(c Case) bool { return c.Strangers() > 0 },
	Title: probesTitle,
	Panels: []Panel{
		{
			X: Axis{Label: "k, hash functions"}, Y: Axis{Label: "FPR, log scale", Log: true, Format: percent}, Upright: true,
			Theory: func(cases []Case) []Series {
				out := alongX(cases, Curve, modelAtX)
				if best, _, ok := optimum(courses(cases)[0]); ok {
					post := Series{Mark: Post, Label: "optimum, k = " + digits(best.X(), 3), Points: []Point{{X: best.X(), Y: best.FPR().Share}}}
					out = append([]Series{post}, out...)
				}
				for i := range out {
					if len(courses(cases)) == 1 && out[i].Mark == Curve {
						out[i].Label = ""
					}
				}
				return out
			},
			Series: func(cases []Case) []Series { return alongX(cases, Dot, fprAtX) },
		},
		{
			X: Axis{Label: "k, hash functions"}, Y: Axis{Label: "ns per operation, the loop included", Include: []float64{0}}, Upright: true,
			Theory: func(cases []Case) []Series {
				return append(labelled("member", timeCurve(cases, "member")), labelled("stranger", timeCurve(cases, "stranger"))...)
			},
			Series: func(cases []Case) []Series {
				return append(alongX(cases, Dot, timeAtX("member")), alongX(cases, Hollow, timeAtX("stranger"))...)
			},
		},
	},
	Key: func(cases []Case) []KeyItem {
		return append(fprKey(cases), KeyItem{Mark: Hollow, Text: "time of a stranger, which stops at the first empty bit"})
	},
	CSV: sweepCSV([]string{"bits_per_key", "member_ns", "stranger_ns", "add_ns"}, func(c Case) []string {
		bits, has := c.BitsPerKey()
		out := []string{optional(bits, has)}
		for _, op := range []string{"member", "stranger", "add"} {
			t, ok := c.Time(op)
			out = append(out, optional(t.NS, ok))
		}
		return out
	}),
}

// timeAtX is the time of an operation, upright over X.
func timeAtX(op string) func(Case) (Point, bool) {
	return func(c Case) (Point, bool) {
		t, ok := c.Time(op)
		return Point{X: c.X(), Y: t.NS, Lo: t.Lo, Hi: t.Hi, Bar: t.Bar}, ok
	}
}

// timeCurve joins the times of an operation by a line.
func timeCurve(cases []Case, op string) []Series {
	return alongX(cases, Curve, func(c Case) (Point, bool) {
		pt, ok := timeAtX(op)(c)
		return Point{X: pt.X, Y: pt.Y}, ok
	})
}

// labelled names lines by what they show, after their variant where there are several.
func labelled(what string, all []Series) []Series {
	for i := range all {
		all[i].Label = what
		if len(all) > 1 {
			all[i].Label = all[i].Variant + ", " + what
		}
	}
	return all
}

// optimum returns the cases of a course with the least FPR by formula and as observed; ok is false
// where the least is at an end, so that it may lie beyond.
func optimum(co course) (formula, observed Case, ok bool) {
	least, seen := math.Inf(1), math.Inf(1)
	for _, c := range co.cases {
		if model, has := c.ModelFPR(); has && model < least {
			least, formula = model, c
		}
		if fpr := c.FPR(); fpr.Of > 0 && fpr.Share < seen {
			seen, observed = fpr.Share, c
		}
	}
	inside := formula.X() > co.cases[0].X() && formula.X() < co.last().X()
	return formula, observed, inside
}

// probesTitle names the optimum and what two thirds of its hash functions cost.
func probesTitle(cases []Case) string {
	co := courses(cases)[0]
	best, seen, ok := optimum(co)
	if !ok {
		return fmt.Sprintf("%s has its least FPR at the end of the range, %s at k = %s", co.variant, precise(best.FPR().Share), digits(best.X(), 3))
	}
	bits, _ := best.BitsPerKey()
	title := fmt.Sprintf("%s hash functions are the optimum at %s bits per key, FPR %s", digits(best.X(), 3), fixed(bits), zeros(best.FPR().Share, 3))
	if seen.X() != best.X() {
		title += fmt.Sprintf(" (least seen: %s at k = %s)", zeros(seen.FPR().Share, 3), digits(seen.X(), 3))
	}
	fewer := co.at(math.Round(best.X() * 2 / 3))
	if fewer.X() < best.X() {
		title += fmt.Sprintf("; with %s it is %.0f %% higher", digits(fewer.X(), 3), 100*(fewer.FPR().Share/best.FPR().Share-1))
		a, okA := fewer.Time("member")
		b, okB := best.Time("member")
		if okA && okB && a.NS < b.NS {
			title += fmt.Sprintf(" and a member's lookup takes %.0f %% less time", 100*(1-a.NS/b.NS))
		}
	}
	return title
}
