package reports

import (
	"fmt"
	"math"
	"slices"
)

// latencyOps are the operations shown, in the order of their panels.
var latencyOps = []struct{ op, title string }{
	{"add", "add"}, {"member", "member lookup"}, {"stranger", "stranger lookup"},
	{"remove", "remove"}, {"deleted", "deleted key lookup"},
}

var latencyFigure = Figure{
	Name:   "latency-ops",
	Shows:  "What one operation costs, as the median over the trials with its interval; the line is the floor, the same loop over a filter that does nothing.",
	Reads:  "throughput of independent operations, ns each",
	Keep:   func(c Case) bool { return slices.ContainsFunc(c.Ops(), isLatencyOp) },
	Title:  latencyTitle,
	Rows:   true,
	Panels: latencyPanels(),
	Key: func([]Case) []KeyItem {
		return []KeyItem{{Mark: Dot, Text: "median with 95 % interval"}, {Mark: Rule, Text: "floor: the loop around a filter that does nothing"}}
	},
	CSV: func(cases []Case) [][]string {
		out := [][]string{{"variant", "workload", "n", "p", "op", "median_ns", "lo_ns", "hi_ns", "floor_ns"}}
		for _, c := range cases {
			for _, op := range c.Ops() {
				if t, ok := c.Time(op); ok && (isLatencyOp(op) || op == "seal") {
					out = append(out, append(caseCells(c), op, plain(t.NS), optional(t.Lo, t.Bar), optional(t.Hi, t.Bar), plain(t.Floor)))
				}
			}
		}
		return out
	},
}

func isLatencyOp(op string) bool {
	return slices.ContainsFunc(latencyOps, func(o struct{ op, title string }) bool { return o.op == op })
}

func latencyPanels() []Panel {
	var out []Panel
	for _, o := range latencyOps {
		out = append(out, Panel{
			Title: o.title, Width: 1,
			X: Axis{Label: "ns", Log: true, Beyond: 15},
			Theory: func(cases []Case) []Series {
				if floor, ok := floorOf(cases, o.op); ok {
					return []Series{{Mark: Rule, Points: []Point{{X: floor}}}}
				}
				return nil
			},
			Series: func(cases []Case) []Series {
				return eachCase(cases, func(c Case) (Point, bool) {
					t, ok := c.Time(o.op)
					return Point{X: t.NS, Lo: t.Lo, Hi: t.Hi, Bar: t.Bar}, ok
				})
			},
			Columns: []Column{{"ns", func(c Case) string {
				t, ok := c.Time(o.op)
				return fixedOr(t.NS, ok)
			}}},
		})
	}
	return out
}

// floorOf returns the floor of an operation, averaged over the cases.
func floorOf(cases []Case, op string) (floor float64, ok bool) {
	n := 0.0
	for _, c := range cases {
		if t, has := c.Time(op); has && t.Floor > 0 {
			floor += t.Floor
			n++
		}
	}
	if n == 0 {
		return 0, false
	}
	return floor / n, true
}

func latencyTitle(cases []Case) string {
	for _, o := range []struct{ op, what string }{
		{"stranger", "An absent key"}, {"member", "A stored key"}, {"add", "Adding a key"},
		{"remove", "Removing a key"}, {"deleted", "A deleted key"},
	} {
		fast, slow, n := Case{}, Case{}, 0
		least, most := math.Inf(1), math.Inf(-1)
		for _, c := range cases {
			t, ok := c.Time(o.op)
			if !ok || c.Yardstick() {
				continue
			}
			n++
			if t.NS < least {
				fast, least = c, t.NS
			}
			if t.NS > most {
				slow, most = c, t.NS
			}
		}
		if n == 0 {
			continue
		}
		floor, _ := floorOf(cases, o.op)
		if n == 1 {
			return fmt.Sprintf("%s takes %s ns in %s; the floor is %s ns", o.what, fixed(least), fast.Variant, fixed(floor))
		}
		return fmt.Sprintf("%s takes %s ns (%s) to %s ns (%s); the floor is %s ns",
			o.what, fixed(least), fast.Variant, fixed(most), slow.Variant, fixed(floor))
	}
	return "Nothing but a yardstick was timed"
}
