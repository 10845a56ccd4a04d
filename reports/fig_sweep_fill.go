package reports

import (
	"fmt"
	"strings"
)

var fillAxis = Axis{Label: "keys added / keys sized for, log scale", Log: true, Format: times}

var overfillFigure = Figure{
	Name:    "overfill",
	Shows:   "What becomes of the FPR when a filter gets fewer or more keys than it was sized for. A table of slots refuses keys instead.",
	Reads:   "bars: 95 % intervals; ratios where 100 false positives were seen",
	Axes:    []string{"fill"},
	Stacked: true,
	Keep:    func(c Case) bool { return c.Strangers() > 0 },
	Title:   overfillTitle,
	Panels: []Panel{
		{
			X: fillAxis, Y: Axis{Label: "FPR, log scale", Log: true, Format: percent}, Upright: true,
			Theory: func(cases []Case) []Series {
				post := Series{Mark: Post, Label: "sized for", Points: []Point{{X: 1, Y: cases[0].P}}}
				return append([]Series{post}, alongX(cases, Curve, visibleModel(cases))...)
			},
			Series: func(cases []Case) []Series { return alongX(cases, Dot, fprAtX) },
		},
		ratioPanel(fillAxis),
	},
	Key: fprKey,
	CSV: sweepCSV(nil, nothingMore),
}

// overfillTitle tells the FPR at twice the keys and at the most, of a filter that refuses none, and
// where others begin to refuse.
func overfillTitle(cases []Case) string {
	var parts []string
	for _, co := range courses(cases) {
		if refused(co.last()) > 0 || co.cases[0].Exact() || co.cases[0].Yardstick() {
			continue
		}
		sized, most := co.at(1), co.last()
		part := fmt.Sprintf("%s at %s its keys says maybe to %s of strangers", co.variant, times(most.X()), zeros(most.FPR().Share, 3))
		if mid := co.at(2); mid.X() > 1 && mid.X() < most.X() {
			part = fmt.Sprintf("%s at %s its keys says maybe to %s of strangers, at %s to %s", co.variant, times(mid.X()),
				zeros(mid.FPR().Share, 3), times(most.X()), zeros(most.FPR().Share, 3))
		}
		if sized.X() != most.X() {
			part += fmt.Sprintf(", where %s was planned", percent(sized.P))
		}
		parts = append(parts, part)
		break
	}
	for _, co := range courses(cases) {
		if any, at := firstRefused(co); any {
			parts = append(parts, fmt.Sprintf("%s refuses keys from %s on", co.variant, times(at.X())))
		}
	}
	if len(parts) == 0 {
		return "The FPR stays what it is, however many keys are held"
	}
	return strings.Join(parts, "; ")
}
