package reports

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"filterlab/filters/theory"
)

var bitsFigure = Figure{
	Name:     "bits-vs-fpr",
	Shows:    "What each filter pays in bits per key for its FPR, beside the least any filter can pay, log2(1/FPR), and what a Bloom filter pays. The bound is for keys without structure: dense numbers can be stored in less.",
	Reads:    "bits of the filter's own table",
	Keep:     func(c Case) bool { bits, ok := c.BitsPerKey(); return ok && bits > 0 && c.Strangers() > 0 },
	AllSizes: true,
	Title:    bitsTitle,
	Panels: []Panel{{
		X:      Axis{Label: "FPR observed, log scale", Log: true, Format: percent, Include: []float64{0.1}},
		Y:      Axis{Label: "bits per key, log scale", Log: true},
		Theory: bitsTheory,
		Series: bitsSeries,
	}},
	Key: func(cases []Case) []KeyItem {
		if !anyCase(cases, func(c Case) bool { return c.FPR().Hits == 0 }) {
			return nil
		}
		return []KeyItem{{Bound: true, Text: "no false positive seen: FPR below 3.69 / strangers"}}
	},
	CSV: func(cases []Case) [][]string {
		out := [][]string{{"variant", "workload", "n", "p", "fpr", "fpr_lo", "fpr_hi", "bits_per_key", "lower_bound_bits", "bloom_bits", "overhead"}}
		for _, c := range cases {
			fpr := c.FPR()
			bits, _ := c.BitsPerKey()
			over, ok := overhead(c)
			bound, bloom := "", ""
			if fpr.Hits > 0 {
				bound, bloom = plain(theory.LowerBound(fpr.Share)), plain(bloomBits(fpr.Share))
			}
			out = append(out, append(caseCells(c), plain(fpr.Share), plain(fpr.Lo), plain(fpr.Hi),
				strconv.FormatFloat(bits, 'g', -1, 64), bound, bloom, optional(over, ok)))
		}
		return out
	},
}

// bloomBits is what the best Bloom filter of any k pays: log2(1/FPR) / ln 2, that is 1.44 times the bound.
func bloomBits(fpr float64) float64 { return theory.LowerBound(fpr) / math.Ln2 }

// overhead returns bits per key over log2(1/FPR), less one; ok is false where the FPR has no such cost.
func overhead(c Case) (float64, bool) {
	bits, ok := c.BitsPerKey()
	fpr := c.FPR()
	if !ok || fpr.Hits == 0 || fpr.Share >= 1 || bits <= 0 || c.Yardstick() {
		return 0, false
	}
	return theory.Overhead(bits, fpr.Share), true
}

// settled reports whether so many false positives were seen that the FPR is known within about 12 %.
func settled(c Case) bool {
	fpr := c.FPR()
	return fpr.Hits > 0 && fpr.Hi < 1.25*fpr.Lo
}

// bitsTitle names those nearest to the bound, ties within 1 % together, and the farthest.
func bitsTitle(cases []Case) string {
	least, most, worst := math.Inf(1), math.Inf(-1), ""
	for _, c := range cases {
		if over, ok := overhead(c); ok && settled(c) {
			least = math.Min(least, over)
			if over > most {
				worst, most = c.Variant, over
			}
		}
	}
	var best []string
	for _, c := range cases {
		if over, ok := overhead(c); ok && settled(c) && (1+over)/(1+least) < 1.01 && !slices.Contains(best, c.Variant) {
			best = append(best, c.Variant)
		}
	}
	switch {
	case len(best) == 0 && anyCase(cases, func(c Case) bool { _, ok := overhead(c); return ok }):
		return "Too few strangers to say which filter is smallest for its FPR"
	case len(best) == 0:
		bits, _ := cases[0].BitsPerKey()
		return fmt.Sprintf("%s answers exactly, at %s bits a key", cases[0].Variant, fixed(bits))
	}
	title := fmt.Sprintf("%s closest to the least possible size, %.0f %% above it", does(best, "comes", "come"), 100*least)
	if most > 2*least {
		title += fmt.Sprintf("; %s takes %.1f times that size", worst, 1+most)
	}
	return title
}

func bitsSeries(cases []Case) []Series {
	var out []Series
	at := map[string]int{}
	for _, c := range cases {
		fpr := c.FPR()
		bits, _ := c.BitsPerKey()
		pt := Point{X: fpr.Share, Y: bits, Lo: fpr.Lo, Hi: fpr.Hi, Bar: true}
		if fpr.Hits == 0 {
			pt = Point{X: fpr.Hi, Y: bits, Bound: true}
		}
		i, ok := at[c.Variant]
		if !ok {
			i = len(out)
			at[c.Variant] = i
			out = append(out, Series{Variant: c.Variant, Mark: Dot, Label: c.Variant})
		}
		out[i].Points = append(out[i].Points, pt)
	}
	return out
}

// bitsTheory draws the bound and the Bloom line from well below the least FPR seen up to 60 %.
func bitsTheory(cases []Case) []Series {
	least := 0.01
	for _, c := range cases {
		if fpr := c.FPR(); fpr.Hits > 0 {
			least = math.Min(least, fpr.Share)
		} else {
			least = math.Min(least, fpr.Hi)
		}
	}
	bound := Series{Mark: Curve, Label: "least possible: log2(1/FPR)"}
	bloom := Series{Mark: Dashed, Label: "Bloom: 1.44 log2(1/FPR)"}
	const steps = 60
	from, to := math.Log(least/3), math.Log(0.3)
	for i := range steps + 1 {
		fpr := math.Exp(from + (to-from)*float64(i)/steps)
		bound.Points = append(bound.Points, Point{X: fpr, Y: theory.LowerBound(fpr)})
		bloom.Points = append(bloom.Points, Point{X: fpr, Y: bloomBits(fpr)})
	}
	return []Series{bound, bloom}
}
