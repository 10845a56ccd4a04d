package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"filterlab/filters/theory"
)

var mixFigure = Figure{
	Name:  "latency-mix",
	Shows: "What a lookup costs as the share of members grows, and the mix of the two ends, (1-a) t_absent + a t_present, which leaves out what guessing wrong costs the processor.",
	Keep:  func(c Case) bool { return len(mixTimes(c)) >= 2 && !c.Yardstick() },
	Title: mixTitle,
	Panels: []Panel{{
		X:       Axis{Label: "members among the lookups", Fixed: true, Include: []float64{0, 1}, Format: percent},
		Y:       Axis{Label: "ns per lookup", Log: true, Beyond: 12},
		Upright: true,
		Theory:  mixTheory,
		Series: func(cases []Case) []Series {
			var out []Series
			for _, c := range cases {
				s := Series{Variant: c.Variant, Mark: Dot}
				for _, t := range mixTimes(c) {
					s.Points = append(s.Points, Point{X: t.Share, Y: t.NS, Lo: t.Lo, Hi: t.Hi, Bar: t.Bar})
				}
				out = append(out, s)
			}
			return out
		},
	}},
	Key: func(cases []Case) []KeyItem {
		key := []KeyItem{{Mark: Dot, Text: "median with 95 % interval"}, {Mark: Curve, Text: "mix of the two ends, (1-a) t(absent) + a t(present)"}}
		for _, c := range cases {
			if bits := probesText(c); bits != "" {
				return append(key, KeyItem{Text: bits + ": read by formula for an absent and for a present key"})
			}
		}
		return key
	},
	CSV: func(cases []Case) [][]string {
		out := [][]string{{"variant", "workload", "n", "p", "share", "median_ns", "lo_ns", "hi_ns", "floor_ns", "mix_ns",
			"probes_absent", "probes_present", "probes_mix"}}
		for _, c := range cases {
			absent, present, ok := c.ExpectedProbes()
			for _, t := range mixTimes(c) {
				mix, has := mixOf(c, t.Share)
				out = append(out, append(caseCells(c), plain(t.Share), plain(t.NS), optional(t.Lo, t.Bar), optional(t.Hi, t.Bar),
					plain(t.Floor), optional(mix, has), optional(absent, ok), optional(present, ok),
					optional(theory.MixedLatency(t.Share, absent, present), ok)))
			}
		}
		return out
	},
}

// mixTimes returns the times of lookups at known shares of members, the smallest share first.
func mixTimes(c Case) []Time {
	var out []Time
	for _, op := range c.Ops() {
		if t, ok := c.Time(op); ok && t.HasShare && strings.HasPrefix(op, "lookup") {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b Time) int {
		if a.Share < b.Share {
			return -1
		}
		return 1
	})
	return out
}

// mixOf returns the mix of the measured ends at a share of members; ok is false without both ends.
func mixOf(c Case, share float64) (ns float64, ok bool) {
	times := mixTimes(c)
	if len(times) < 2 || times[0].Share != 0 || times[len(times)-1].Share != 1 {
		return 0, false
	}
	return theory.MixedLatency(share, times[0].NS, times[len(times)-1].NS), true
}

func mixTheory(cases []Case) []Series {
	var out []Series
	for _, c := range cases {
		s := Series{Variant: c.Variant, Mark: Curve, Label: mixLabel(c)}
		const steps = 20
		for i := range steps + 1 {
			share := float64(i) / steps
			if ns, ok := mixOf(c, share); ok {
				s.Points = append(s.Points, Point{X: share, Y: ns})
			}
		}
		if len(s.Points) > 0 {
			out = append(out, s)
		}
	}
	return out
}

func mixLabel(c Case) string {
	if bits := probesText(c); bits != "" {
		return c.Variant + ", " + bits
	}
	return c.Variant
}

// probesText tells the bits read by formula; empty where a filter does not probe bit by bit.
func probesText(c Case) string {
	absent, present, ok := c.ExpectedProbes()
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s to %s bits", digits(absent, 2), digits(present, 2))
}

// mixTitle names the point farthest from the mix, of those whose interval leaves the mix out.
func mixTitle(cases []Case) string {
	worst, at, share := 0.0, Case{}, 0.0
	for _, c := range cases {
		for _, t := range mixTimes(c) {
			mix, ok := mixOf(c, t.Share)
			if within := t.Bar && t.Lo <= mix && mix <= t.Hi; !ok || mix <= 0 || within {
				continue
			}
			if math.Abs(t.NS/mix-1) > math.Abs(worst) {
				worst, at, share = t.NS/mix-1, c, t.Share
			}
		}
	}
	switch {
	case at.Variant == "":
		return "Mixed lookups cost what the mix of their parts predicts"
	case math.Abs(worst) < 0.1:
		return fmt.Sprintf("Mixed lookups cost what the mix of their parts predicts, within %.0f %%", math.Ceil(100*math.Abs(worst)))
	case worst > 0:
		return fmt.Sprintf("Mixed lookups cost up to %.0f %% more than the mix of their parts: %s at %s members", 100*worst, at.Variant, percent(share))
	}
	return fmt.Sprintf("Mixed lookups cost up to %.0f %% less than the mix of their parts: %s at %s members", -100*worst, at.Variant, percent(share))
}
