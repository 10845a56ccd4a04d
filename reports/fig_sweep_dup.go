package reports

import (
	"fmt"
	"strings"
)

var dupAxis = Axis{Label: "share of the adds that repeat a key added before", Format: percent}

var duplicatesFigure = Figure{
	Name:    "duplicates",
	Shows:   "A filter sized for the number of adds, of which a share repeats a key: it has the FPR of the distinct keys alone.",
	Reads:   "bars: 95 % intervals; ratios where 100 false positives were seen",
	Axes:    []string{"dup"},
	Stacked: true,
	Keep:    func(c Case) bool { return c.Strangers() > 0 && !c.Exact() && !c.Yardstick() },
	Title:   duplicatesTitle,
	Panels: []Panel{
		{
			X: dupAxis, Y: Axis{Label: "FPR, log scale", Log: true, Format: percent}, Upright: true,
			Theory: func(cases []Case) []Series { return alongX(cases, Curve, visibleModel(cases)) },
			Series: func(cases []Case) []Series { return alongX(cases, Dot, fprAtX) },
		},
		ratioPanel(dupAxis),
	},
	Key: func(cases []Case) []KeyItem {
		key := fprKey(cases)
		key[1].Text = "formula at the distinct keys"
		return key
	},
	CSV: sweepCSV(nil, nothingMore),
}

// duplicatesTitle tells what repeats make of the FPR where about half of the adds repeat a key, who does
// not have the FPR of its distinct keys, and who refuses keys because it stores every copy.
func duplicatesTitle(cases []Case) string {
	var parts, off []string
	for _, co := range courses(cases) {
		from, at := firstRefused(co)
		none, half := co.cases[0], co.at(0.5)
		switch {
		case from:
			off = append(off, fmt.Sprintf("%s stores every copy and refuses keys from %s repeats on", co.variant, percent(at.X())))
		case anyCase(co.cases, missesFormula):
			off = append(off, co.variant+" does not have the FPR of its distinct keys")
		case len(parts) == 0 && half.X() > none.X():
			parts = append(parts, fmt.Sprintf("Repeats add nothing to %s: with %s of the adds repeated its FPR is %s instead of %s", co.variant,
				percent(half.X()), zeros(half.FPR().Share, 3), zeros(none.FPR().Share, 3)))
		}
	}
	return strings.Join(append(parts, off...), "; ")
}

// firstRefused returns the first case of a course with keys refused.
func firstRefused(co course) (any bool, at Case) {
	for _, c := range co.cases {
		if refused(c) > 0 {
			return true, c
		}
	}
	return false, Case{}
}

func missesFormula(c Case) bool {
	verdict, _ := c.Verdict()
	return verdict == "above" || verdict == "below"
}
