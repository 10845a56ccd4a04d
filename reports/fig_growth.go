package reports

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"filterlab/filters/spec"
	"filterlab/filters/theory"
)

var growthFigure = Figure{
	Name:    "growth",
	Shows:   "What a filter that grows by stages pays for not knowing the number of keys, in bits per key and in bits read a lookup, and whether its FPR keeps the bound.",
	Reads:   "bars: 95 % intervals",
	Axes:    []string{"fill"},
	Stacked: true,
	Keep: func(c Case) bool {
		_, ok := growthOf(c)
		return ok && c.Strangers() > 0 && c.Held() > 0
	},
	Title: growthTitle,
	Panels: []Panel{
		{
			X: fillAxis, Y: Axis{Label: "bits per key", Include: []float64{0}}, Upright: true,
			Theory: func(cases []Case) []Series {
				known := func(g growth) float64 { return theory.SizeBloom(1, g.bound).Bits }
				return append(flatLine(cases, known, "one filter for the keys held"),
					alongGrowth(cases, Curve, func(z theory.ScalableState) float64 { return z.BitsPerKey })...)
			},
			Series: func(cases []Case) []Series {
				return alongX(cases, Dot, func(c Case) (Point, bool) {
					bits, ok := c.BitsPerKey()
					return Point{X: c.X(), Y: bits}, ok
				})
			},
		},
		{
			X: fillAxis, Y: Axis{Label: "bits read for a stranger, log scale", Log: true}, Upright: true,
			Theory: func(cases []Case) []Series {
				known := func(g growth) float64 { return theory.ExpectedProbes(0.5, int(math.Round(-math.Log2(g.bound)))) }
				return flatLine(cases, known, "one filter for the keys held")
			},
			Series: func(cases []Case) []Series {
				return append(labelled("expected", alongGrowth(cases, Curve, func(z theory.ScalableState) float64 { return z.AbsentProbes })),
					labelled("at worst", alongGrowth(cases, Dashed, func(z theory.ScalableState) float64 { return z.MostProbes }))...)
			},
		},
		{
			X: fillAxis, Y: Axis{Label: "FPR", Format: percent, Include: []float64{0}}, Upright: true,
			Theory: func(cases []Case) []Series {
				bound := func(g growth) float64 { return g.bound }
				return append(flatLine(cases, bound, "bound"), alongX(cases, Curve, modelAtX)...)
			},
			Series: func(cases []Case) []Series { return alongX(cases, Dot, fprAtX) },
		},
	},
	Key: func(cases []Case) []KeyItem {
		return []KeyItem{{Mark: Dot, Text: "measured"}, {Mark: Curve, Text: "formula of Almeida et al. 2007; of the FPR, the variant's own"}}
	},
	CSV: sweepCSV([]string{"bound", "stages", "bits_per_key", "formula_bits_per_key", "known_n_bits_per_key", "formula_absent_probes", "formula_most_probes", "stranger_ns"},
		func(c Case) []string {
			g, _ := growthOf(c)
			z := g.at(float64(c.Held()))
			bits, has := c.BitsPerKey()
			t, ok := c.Time("stranger")
			return []string{plain(g.bound), strconv.Itoa(z.Stages), optional(bits, has), plain(z.BitsPerKey),
				plain(theory.SizeBloom(1, g.bound).Bits), plain(z.AbsentProbes), plain(z.MostProbes), optional(t.NS, ok)}
		}),
}

// A growth is the parameters of a filter that grows: the first stage's keys and FPR, the factors from
// stage to stage, and the bound on the FPR of all stages.
type growth struct{ n0, s, r, p0, bound float64 }

// growthOf reads the growth off the spec of a scalable filter, whose defaults are a tenth of n, 2 and
// 1/2; ok is false for other variants.
func growthOf(c Case) (g growth, ok bool) {
	name, given, err := spec.Parse(c.Variant)
	if err != nil || name != "scalable" {
		return growth{}, false
	}
	knob := func(name string, def float64) float64 {
		if x, err := strconv.ParseFloat(given[name], 64); err == nil {
			return x
		}
		return def
	}
	g = growth{s: knob("growth", 2), r: knob("tightening", 0.5), p0: c.P, bound: c.P}
	if n0, err := spec.Count(given["start"]); err == nil && n0 > 0 {
		g.n0 = float64(n0)
	} else {
		g.n0 = math.Ceil(float64(c.N) / 10)
	}
	if given["first"] == "p" {
		g.bound /= 1 - g.r
	} else {
		g.p0 *= 1 - g.r
	}
	return g, true
}

func (g growth) at(n float64) theory.ScalableState {
	return theory.GrowScalable(g.n0, g.s, g.r, g.p0, n)
}

// alongGrowth draws a formula over the whole range of X, a line a variant.
func alongGrowth(cases []Case, mark Mark, value func(theory.ScalableState) float64) []Series {
	const steps = 400
	var out []Series
	for _, co := range courses(cases) {
		g, _ := growthOf(co.cases[0])
		s := Series{Variant: co.variant, Mark: mark, Label: co.variant}
		from, to := co.cases[0].X(), co.last().X()
		for i := range steps + 1 {
			x := from * math.Pow(to/from, float64(i)/steps)
			s.Points = append(s.Points, Point{X: x, Y: value(g.at(x * float64(co.cases[0].N)))})
		}
		out = append(out, s)
	}
	return out
}

// flatLine draws what holds at every number of keys, by the bound of the first variant.
func flatLine(cases []Case, value func(growth) float64, label string) []Series {
	g, _ := growthOf(cases[0])
	co := courses(cases)[0]
	return []Series{{Mark: Dashed, Label: label, Points: []Point{{X: co.cases[0].X(), Y: value(g)}, {X: co.last().X(), Y: value(g)}}}}
}

// growthTitle tells the price in bits at most, and whether the bound is kept at every point.
func growthTitle(cases []Case) string {
	co := courses(cases)[0]
	g, _ := growthOf(co.cases[0])
	var over []string
	least, most := math.Inf(1), 0.0
	for _, c := range co.cases {
		if bits, ok := c.BitsPerKey(); ok && float64(c.Held()) > g.n0 { // it has grown
			ratio := bits / theory.SizeBloom(1, g.bound).Bits
			least, most = min(least, ratio), max(most, ratio)
		}
		if c.FPR().Lo > g.bound {
			over = append(over, times(c.X()))
		}
	}
	title := fmt.Sprintf("%s keeps its FPR under %s", co.variant, percent(g.bound))
	if len(over) > 0 {
		title = fmt.Sprintf("%s exceeds its bound of %s at %s its keys", co.variant, percent(g.bound), list(over, 3))
	}
	if most == 0 {
		return title
	}
	verb := " and takes "
	if len(over) > 0 {
		verb = ", and takes "
	}
	return title + verb + strings.TrimSuffix(times(least), "x") + " to " + times(most) + " the bits of one filter for the keys held"
}
