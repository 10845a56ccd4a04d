package reports

import (
	"fmt"
	"math"
)

var fprFigure = Figure{
	Name:  "fpr",
	Shows: "The FPR each filter showed, as points with 95 % intervals, against what its formula predicts.",
	Reads: "bars: 95 % intervals",
	Keep:  func(c Case) bool { return c.Strangers() > 0 },
	Title: fprTitle,
	Rows:  true,
	Panels: []Panel{
		{
			Title: "FPR", Width: 1.1,
			X:      Axis{Label: "FPR, log scale", Log: true, Format: percent},
			Theory: func(cases []Case) []Series { return []Series{{Mark: Tick, Points: modelFPRs(cases)}} },
			Series: func(cases []Case) []Series { return eachCase(cases, fprPoint) },
			Columns: []Column{
				{"observed", func(c Case) string { return observed(c.FPR()) }},
				{"formula", func(c Case) string { return shareOr(c.ModelFPR()) }},
			},
		},
		{
			Title: "observed / formula", Width: 1,
			X:       Axis{Label: "ratio, log scale", Around1: true},
			Theory:  ratioTheory,
			Series:  func(cases []Case) []Series { return eachCase(cases, ratioPoint) },
			Columns: []Column{{"verdict", verdictText}},
		},
	},
	Key: func(cases []Case) []KeyItem {
		key := []KeyItem{{Mark: Dot, Text: "observed"}, {Mark: Tick, Text: "formula at the keys held"}}
		if anyCase(cases, func(c Case) bool { return c.FPR().Hits == 0 }) {
			key = append(key, KeyItem{Bound: true, Text: "none seen: below 3.69 / strangers"})
		}
		if anyCase(cases, func(c Case) bool { return c.InstanceSpread() > 0 }) {
			key = append(key, KeyItem{Mark: Band, Text: "95 % of what differs between instances"})
		}
		return key
	},
	CSV: func(cases []Case) [][]string {
		out := [][]string{{"variant", "workload", "n", "p", "trials", "strangers", "false_positives", "fpr", "fpr_lo",
			"fpr_hi", "model_fpr", "observed_over_model", "ratio_lo", "ratio_hi", "verdict"}}
		for _, c := range cases {
			fpr := c.FPR()
			model, has := c.ModelFPR()
			ratio, lo, hi, ok := c.Ratio()
			verdict, _ := c.Verdict()
			out = append(out, append(caseCells(c), fmt.Sprint(len(c.Trials)), fmt.Sprint(fpr.Of), fmt.Sprint(fpr.Hits),
				plain(fpr.Share), plain(fpr.Lo), plain(fpr.Hi), optional(model, has), optional(ratio, ok),
				optional(lo, ok), optional(hi, ok), verdict))
		}
		return out
	},
}

// fprTitle states how far observation and formula are apart.
func fprTitle(cases []Case) string {
	var agree, off, open []string
	worst, first := 0.001, 0.0 // 0.1 % is the least that is worth a digit
	for _, c := range cases {
		ratio, _, _, ok := c.Ratio()
		if !ok {
			continue
		}
		switch verdict, _ := c.Verdict(); verdict {
		case "agrees":
			agree = append(agree, c.Variant)
			worst = math.Max(worst, math.Abs(ratio-1))
		case "above", "below":
			off = append(off, c.Variant)
			if len(off) == 1 {
				first = ratio
			}
		default:
			open = append(open, c.Variant)
		}
	}
	title := ""
	switch {
	case len(off) > 0:
		title = fmt.Sprintf("%s shows %s times the FPR its formula predicts", off[0], digits(first, 3))
		if len(off) > 1 {
			return fmt.Sprintf("%s, and %s its own too", title, does(off[1:], "misses", "miss"))
		}
		if len(agree) > 0 {
			title += "; " + does(agree, "agrees with its own", "agree with theirs")
		}
	case len(agree) > 0:
		title = fmt.Sprintf("%s formula predicts, within %s %%", does(agree, "shows the FPR its", "show the FPR their"), digits(math.Ceil(1000*worst-1e-9)/10, 2))
	case len(open) > 0:
		return "Too few strangers to hold the FPR of " + list(open, 3) + " against the formula"
	default:
		return exactTitle(cases)
	}
	if len(open) > 0 {
		title += "; " + does(open, "needs", "need") + " more strangers"
	}
	return title
}

// does joins who and what they do: a verb for one and another for several.
func does(who []string, one, several string) string {
	if len(who) == 1 {
		return who[0] + " " + one
	}
	return list(who, 5) + " " + several
}

func exactTitle(cases []Case) string {
	var exact []string
	for _, c := range cases {
		if fpr := c.FPR(); fpr.Hits == 0 {
			exact = append(exact, c.Variant)
		}
	}
	if len(exact) == 0 {
		return "Yardsticks only: no FPR here is a claim"
	}
	return "No false positive seen from " + list(exact, 4)
}

func fprPoint(c Case) (Point, bool) {
	fpr := c.FPR()
	if fpr.Hits == 0 {
		return Point{X: fpr.Hi, Bound: true}, true
	}
	return Point{X: fpr.Share, Lo: fpr.Lo, Hi: fpr.Hi, Bar: true}, true
}

func ratioPoint(c Case) (Point, bool) {
	ratio, lo, hi, ok := c.Ratio()
	if !ok {
		return Point{}, false
	}
	if ratio == 0 {
		return Point{X: hi, Bound: true}, true
	}
	return Point{X: ratio, Lo: lo, Hi: hi, Bar: true}, true
}

func modelFPRs(cases []Case) []Point {
	var out []Point
	for i, c := range cases {
		if model, ok := c.ModelFPR(); ok && model > 0 {
			out = append(out, Point{X: model, Y: float64(i)})
		}
	}
	return out
}

// ratioTheory draws the line at 1 and, behind it, how far instances differ by chance.
func ratioTheory(cases []Case) []Series {
	band := Series{Mark: Band}
	for i, c := range cases {
		if spread := c.InstanceSpread(); spread > 0 && spread < 0.9 {
			band.Points = append(band.Points, Point{X: 1, Y: float64(i), Lo: 1 - spread, Hi: 1 + spread, Bar: true})
		}
	}
	out := []Series{{Mark: Rule, Points: []Point{{X: 1}}}}
	if len(band.Points) > 0 {
		out = append([]Series{band}, out...)
	}
	return out
}

func verdictText(c Case) string {
	switch verdict, _ := c.Verdict(); {
	case verdict != "":
		return verdict
	case c.Yardstick():
		return "yardstick"
	}
	return "not judged"
}
