package reports

import (
	"fmt"
	"math"
	"slices"
)

var gridFigure = Figure{
	Name:     "fpr-grid",
	Shows:    "Observed FPR over the formula's for every n and p, so that a formula that only holds at one size shows.",
	Reads:    "bars: 95 % intervals",
	Keep:     func(c Case) bool { _, _, _, ok := c.Ratio(); return ok },
	AllSizes: true,
	Title:    gridTitle,
	Panels: []Panel{{
		X:       Axis{Names: gridNames, Label: "keys and target FPR"},
		Y:       Axis{Label: "FPR observed / formula, log scale", Around1: true},
		Upright: true,
		Theory:  func([]Case) []Series { return []Series{{Mark: Rule, Points: []Point{{Y: 1}}}} },
		Series:  gridSeries,
	}},
	Key: func(cases []Case) []KeyItem {
		var out []KeyItem
		for _, v := range variantsOf(cases) {
			out = append(out, KeyItem{Mark: Dot, Variant: v, Text: v})
		}
		return out
	},
	CSV: func(cases []Case) [][]string {
		out := [][]string{{"variant", "workload", "n", "p", "observed_over_model", "ratio_lo", "ratio_hi", "verdict"}}
		for _, c := range cases {
			ratio, lo, hi, _ := c.Ratio()
			verdict, _ := c.Verdict()
			out = append(out, append(caseCells(c), plain(ratio), plain(lo), plain(hi), verdict))
		}
		return out
	},
}

// gridSizes lists the pairs of n and p, by p from large to small and n from small to large.
func gridSizes(cases []Case) []Case {
	var out []Case
	for _, c := range cases {
		if !slices.ContainsFunc(out, func(o Case) bool { return o.N == c.N && o.P == c.P }) {
			out = append(out, Case{N: c.N, P: c.P})
		}
	}
	slices.SortStableFunc(out, func(a, b Case) int {
		switch {
		case a.P > b.P, a.P == b.P && a.N < b.N:
			return -1
		}
		return 1
	})
	return out
}

func gridNames(cases []Case) []string {
	var out []string
	for _, c := range gridSizes(cases) {
		out = append(out, size(c.N)+", "+percent(c.P))
	}
	return out
}

func variantsOf(cases []Case) []string {
	var out []string
	for _, c := range cases {
		if !slices.Contains(out, c.Variant) {
			out = append(out, c.Variant)
		}
	}
	return out
}

// gridSeries puts the variants of one n and p side by side. One size alone is the fpr figure's.
func gridSeries(cases []Case) []Series {
	sizes, variants := gridSizes(cases), variantsOf(cases)
	if len(sizes) < 2 {
		return nil
	}
	out := make([]Series, len(variants))
	for i, v := range variants {
		out[i] = Series{Variant: v, Mark: Dot}
	}
	for _, c := range cases {
		ratio, lo, hi, _ := c.Ratio()
		at := slices.IndexFunc(sizes, func(s Case) bool { return s.N == c.N && s.P == c.P })
		v := slices.Index(variants, c.Variant)
		x := float64(at)
		if len(variants) > 1 {
			x += 0.7 * (float64(v)/float64(len(variants)-1) - 0.5)
		}
		if ratio > 0 {
			out[v].Points = append(out[v].Points, Point{X: x, Y: ratio, Lo: lo, Hi: hi, Bar: true})
		}
	}
	return out
}

func gridTitle(cases []Case) string {
	off, open, worst := []string{}, 0, 0.001
	for _, c := range cases {
		ratio, _, _, _ := c.Ratio()
		switch verdict, _ := c.Verdict(); verdict {
		case "above", "below":
			off = append(off, fmt.Sprintf("%s at n = %s, p = %s", c.Variant, size(c.N), percent(c.P)))
		case "agrees":
			worst = math.Max(worst, math.Abs(ratio-1))
		default:
			open++
		}
	}
	if len(off) > 0 {
		return fmt.Sprintf("%d of %s miss their formula: %s", len(off), plural(len(cases), "case"), list(off, 3))
	}
	within := digits(math.Ceil(1000*worst)/10, 2)
	switch {
	case open == len(cases):
		return "Too few strangers to hold the FPR against the formula"
	case open > 0:
		return fmt.Sprintf("The formula holds in %d of %s, within %s %%; %d need more strangers", len(cases)-open, plural(len(cases), "case"), within, open)
	}
	return fmt.Sprintf("The formula holds in all %s, within %s %%", plural(len(cases), "case"), within)
}
