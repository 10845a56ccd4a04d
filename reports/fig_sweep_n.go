package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

var nAxis = Axis{Label: "n, keys sized for and held, log scale", Log: true, Format: func(x float64) string { return short(uint64(x + 0.5)) }}

var flatFigure = Figure{
	Name:    "flat-over-n",
	Shows:   "The FPR over n at fixed bits per key: it must be flat, and a filter whose bits are badly chosen shows here. The test is a weighted line of ln FPR over ln n.",
	Reads:   "variants of one n lie side by side; bars: 95 % intervals",
	Axes:    []string{"n"},
	Stacked: true,
	Keep:    func(c Case) bool { return c.Strangers() > 0 && !c.Exact() && !c.Yardstick() },
	Title:   flatTitle,
	Panels: []Panel{
		{
			X: nAxis, Y: Axis{Label: "FPR", Include: []float64{0}, Format: percent}, Upright: true,
			Theory: func(cases []Case) []Series { return alongX(cases, Curve, modelAtX) },
			Series: func(cases []Case) []Series { return besides(alongX(cases, Dot, fprAtX), true) },
		},
		{
			X: nAxis, Y: Axis{Label: "FPR at equal bits per key / its mean over all n", Around1: true}, Upright: true,
			Theory: ruleAtOne,
			Series: func(cases []Case) []Series { return besides(ownMeans(cases), true) },
		},
	},
	Key: func(cases []Case) []KeyItem {
		key := fprKey(cases)
		key[1].Text = "formula"
		return key
	},
	CSV: func(cases []Case) [][]string {
		head := []string{"bits_per_key", "mean_fpr_over_n", "change_over_n", "change_lo", "change_hi", "slope_z", "flatness"}
		out := [][]string{append(slices.Clone(sweepHead), head...)}
		for _, co := range courses(cases) {
			f := flatness(co)
			for _, c := range co.cases {
				bits, ok := c.BitsPerKey()
				out = append(out, append(sweepCells(c), optional(bits, ok), plain(f.Mean), plain(f.Change), plain(f.ChangeLo),
					plain(f.Hi), plain(f.Z), f.Verdict))
			}
		}
		return out
	},
}

// ownMeans is each FPR, brought to equal bits per key, over the mean of its variant.
func ownMeans(cases []Case) []Series {
	var out []Series
	for _, co := range courses(cases) {
		mean := flatness(co).Mean
		if mean == 0 {
			continue
		}
		s := Series{Variant: co.variant, Mark: Dot}
		for _, c := range co.cases {
			if pt, ok := fprAtX(c); ok && pt.Bar && c.FPR().Hits >= enoughHits {
				scale := co.evenly(c) / pt.Y / mean
				pt.Y, pt.Lo, pt.Hi = pt.Y*scale, pt.Lo*scale, pt.Hi*scale
				s.Points = append(s.Points, pt)
			}
		}
		out = append(out, s)
	}
	return out
}

// flatTitle tells which variants are flat and how far that was shown, and first which are not.
func flatTitle(cases []Case) string {
	var level, rest []string
	worst, least, most := 0.0, math.Inf(1), 0.0
	for _, co := range courses(cases) {
		f := flatness(co)
		if f.Verdict != flat {
			rest = append(rest, f.text())
			continue
		}
		level = append(level, co.variant)
		worst = max(worst, f.Hi, -f.ChangeLo)
		least, most = min(least, f.BitsPerKey), max(most, f.BitsPerKey)
	}
	if len(level) > 0 {
		bits := fixed(least)
		if fixed(most) != bits {
			bits += " to " + fixed(most)
		}
		rest = append(rest, fmt.Sprintf("%s flat from n = %s at %s bits per key: any trend over that range is below %s %%, at 95 %% confidence",
			does(level, "is", "are"), sizes(cases), bits, digits(math.Ceil(1000*worst)/10, 2)))
	}
	slices.SortStableFunc(rest, func(a, b string) int { // what is wrong first, what is open last
		return rank(a) - rank(b)
	})
	return strings.Join(rest, "; ")
}

func rank(text string) int {
	switch {
	case strings.Contains(text, "not flat"):
		return 0
	case strings.Contains(text, " flat from "):
		return 1
	}
	return 2
}

// short writes a number of keys with three digits: 46.4k, 1M.
func short(n uint64) string {
	switch {
	case n >= 1e9:
		return digits(float64(n)/1e9, 3) + "G"
	case n >= 1e6:
		return digits(float64(n)/1e6, 3) + "M"
	case n >= 1e3:
		return digits(float64(n)/1e3, 3) + "k"
	}
	return count(n)
}
