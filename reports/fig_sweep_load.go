package reports

import (
	"fmt"
	"math"
	"slices"

	"filterlab/harness"
	"filterlab/harness/stats"
)

var loadFigure = Figure{
	Name:  "load",
	Shows: "What happens as a table of slots is filled to the last one: inserts that fail, and what an insert costs, on average and at the end.",
	Reads: "bars: 95 % intervals",
	Axes:  []string{"load"},
	Keep:  func(c Case) bool { return c.Held() > 0 },
	Title: loadTitle,
	Panels: []Panel{
		{
			X: Axis{Label: "load factor asked for"}, Y: Axis{Label: "inserts that fail", Include: []float64{0}, Format: percent}, Upright: true,
			Theory: func(cases []Case) []Series { return unlabelled(alongX(cases, Curve, failLine)) },
			Series: func(cases []Case) []Series { return alongX(cases, Dot, failAtX) },
		},
		{
			X: Axis{Label: "load factor asked for"}, Y: Axis{Label: "ns per insert, log scale", Log: true}, Upright: true,
			Theory: func(cases []Case) []Series {
				last := alongX(cases, Curve, func(c Case) (Point, bool) { pt, ok := lastAtX(c); return Point{X: pt.X, Y: pt.Y}, ok })
				return append(labelled("median of all", timeCurve(cases, "add")), labelled("the last", last)...)
			},
			Series: func(cases []Case) []Series {
				return append(alongX(cases, Hollow, timeAtX("add")), alongX(cases, Dot, lastAtX)...)
			},
		},
	},
	Key: func([]Case) []KeyItem {
		return []KeyItem{{Mark: Dot, Text: "observed; right: the last inserts of a trial, up to 4,096"}, {Mark: Hollow, Text: "median of all inserts"}}
	},
	CSV: sweepCSV([]string{"refused_share", "refused_lo", "refused_hi", "occupancy", "add_ns", "last_adds_ns", "members", "false_negatives",
		"lost_predicted"}, func(c Case) []string {
		fail, fn := refusedShare(c), c.FalseNegatives()
		add, hasAdd := c.Time("add")
		last, _, _, hasLast := lastAdds(c)
		load, hasLoad := c.mean(func(r harness.Result) *float64 { return r.Occupancy })
		return []string{plain(fail.Share), plain(fail.Lo), plain(fail.Hi), optional(load, hasLoad), optional(add.NS, hasAdd),
			optional(last, hasLast), fmt.Sprint(fn.Of), fmt.Sprint(fn.Hits), optional(c.LostPredicted())}
	}),
}

func failAtX(c Case) (Point, bool) {
	r := refusedShare(c)
	return Point{X: c.X(), Y: r.Share, Lo: r.Lo, Hi: r.Hi, Bar: r.Hits > 0}, r.Of > 0
}

func failLine(c Case) (Point, bool) {
	pt, ok := failAtX(c)
	return Point{X: pt.X, Y: pt.Y}, ok
}

// unlabelled leaves names out where there is one line alone.
func unlabelled(all []Series) []Series {
	if len(all) == 1 {
		all[0].Label = ""
	}
	return all
}

// lastAdds returns the time of the last adds of a trial: the median over the trials with its interval,
// or their range where they are too few for one.
func lastAdds(c Case) (ns, lo, hi float64, ok bool) {
	var all []float64
	for _, r := range c.Trials {
		for _, t := range r.Timings {
			if t.Op == "add" && t.LastNS != nil && finite(*t.LastNS) {
				all = append(all, *t.LastNS)
			}
		}
	}
	if len(all) == 0 {
		return 0, 0, 0, false
	}
	slices.Sort(all)
	if lo, hi, enough := stats.MedianCI(all, level); enough {
		return stats.Median(all), lo, hi, true
	}
	return stats.Median(all), all[0], all[len(all)-1], true
}

func lastAtX(c Case) (Point, bool) {
	ns, lo, hi, ok := lastAdds(c)
	return Point{X: c.X(), Y: ns, Lo: lo, Hi: hi, Bar: lo < hi}, ok
}

// loadTitle tells up to where every insert succeeds, and what fails, costs and is lost at the end.
func loadTitle(cases []Case) string {
	co := courses(cases)[0]
	end, good := co.last(), math.NaN()
	for _, c := range co.cases {
		if refused(c) > 0 {
			break
		}
		good = c.X()
	}
	title := fmt.Sprintf("%s takes every key up to load %s", co.variant, digits(good, 3))
	if math.IsNaN(good) {
		title = fmt.Sprintf("%s refuses keys at every load from %s on", co.variant, digits(co.cases[0].X(), 3))
	}
	if fail := refusedShare(end); fail.Hits > 0 {
		title += fmt.Sprintf("; at %s it refuses %s of them", digits(end.X(), 3), percentShort(fail.Share))
		if lost := end.FalseNegatives(); lost.Hits > 0 {
			title += fmt.Sprintf(" and denies %s of those it took", percentShort(lost.Share))
		}
	}
	first, _, _, ok := lastAdds(co.cases[0])
	last, _, _, okLast := lastAdds(end)
	if ok && okLast && last > 1.2*first {
		title += fmt.Sprintf("; its last inserts cost %s those at load %s", times(last/first), digits(co.cases[0].X(), 3))
	}
	return title
}

func percentShort(share float64) string { return digits(100*share, 2) + " %" }
