package reports

import (
	"math"
	"strconv"

	"filterlab/filters/theory"
)

var frontierFigure = Figure{
	Name:  "frontier",
	Shows: "The FPR that each filter shows for its bits per key, beside the least any filter needs, log2(1/FPR).",
	Reads: "bars: 95 % intervals",
	Axes:  []string{"p", "bits"},
	Keep: func(c Case) bool {
		bits, ok := c.BitsPerKey()
		return ok && bits > 0 && c.Strangers() > 0 && !c.Exact() && !c.Yardstick()
	},
	Title: bitsTitle,
	Panels: []Panel{{
		X:       Axis{Label: "bits per key of the filter's own table"},
		Y:       Axis{Label: "FPR, log scale", Log: true, Format: percent},
		Upright: true,
		Theory: func(cases []Case) []Series {
			return append([]Series{leastBits(cases)}, alongX(cases, Curve, modelAtBits)...)
		},
		Series: func(cases []Case) []Series { return alongX(cases, Dot, fprAtBits) },
	}},
	Key: func(cases []Case) []KeyItem {
		return append(fprKey(cases), KeyItem{Mark: Dashed, Text: "least possible: log2(1/FPR) bits"})
	},
	CSV: sweepCSV([]string{"bits_per_key", "model_bits_per_key", "lower_bound_bits", "overhead"}, func(c Case) []string {
		bits, has := c.BitsPerKey()
		over, ok := overhead(c)
		bound := ""
		if fpr := c.FPR(); fpr.Hits > 0 {
			bound = strconv.FormatFloat(theory.LowerBound(fpr.Share), 'g', -1, 64)
		}
		return []string{optional(bits, has), optional(c.ModelPerKey()), bound, optional(over, ok)}
	}),
}

func fprAtBits(c Case) (Point, bool) {
	pt, ok := fprAtX(c)
	pt.X, _ = c.BitsPerKey()
	return pt, ok
}

func modelAtBits(c Case) (Point, bool) {
	pt, ok := modelAtX(c)
	bits, sized := c.ModelPerKey()
	pt.X = bits
	return pt, ok && sized
}

// leastBits is the bound, over the bits and not far below the FPRs seen.
func leastBits(cases []Case) Series {
	const reach = 7 // bits, about two powers of ten
	most := 1.0
	for _, c := range cases {
		bits, _ := c.BitsPerKey()
		lowest := theory.LowerBound(c.FPR().Hi) // bits at which the bound is there
		most = max(most, min(bits, lowest+reach))
	}
	s := Series{Mark: Dashed, Label: "least possible"}
	const steps = 40
	for i := range steps + 1 {
		bits := 1 + (most-1)*float64(i)/steps
		s.Points = append(s.Points, Point{X: bits, Y: math.Exp2(-bits)})
	}
	return s
}
