package reports

import (
	"fmt"
	"math"

	"filterlab/harness"
)

var savingsFigure = Figure{
	Name:  "savings",
	Shows: "Which share of the log's requests a filter keeps from the store, against the share that any filter could.",
	Keep:  func(c Case) bool { return c.log() != nil && c.log().Requests > 0 },
	Title: savingsTitle,
	Rows:  true,
	Panels: []Panel{
		{
			Title: "all requests", Width: 1,
			X:      Axis{Label: "share of requests", Fixed: true, Include: []float64{0, 1}, Format: percent},
			Theory: func(cases []Case) []Series { return []Series{{Mark: Rest, Points: remains(cases)}} },
			Series: func(cases []Case) []Series {
				return eachAs(cases, Block, func(c Case) (Point, bool) {
					return Point{X: c.log().Saved, Lo: 0, Hi: c.log().Saved, Bar: true}, true
				})
			},
			Columns: []Column{
				{"saved", func(c Case) string { return shareText(c.log().Saved) }},
				{"remain", func(c Case) string { return shareText(1 - c.log().Saved) }},
			},
		},
		{
			Title: "of what can be saved", Width: 1,
			X: Axis{Label: "share of requests", Include: []float64{0}, Format: percent},
			Theory: func(cases []Case) []Series {
				return []Series{{Mark: Rule, Points: []Point{{X: cases[0].log().Savable}}}}
			},
			Series: func(cases []Case) []Series {
				return eachCase(cases, func(c Case) (Point, bool) { return Point{X: c.log().Saved}, true })
			},
			Columns: []Column{{"part", func(c Case) string {
				if c.log().Savable == 0 {
					return ""
				}
				return shareText(c.log().Saved / c.log().Savable)
			}}},
		},
	},
	Key: func([]Case) []KeyItem {
		return []KeyItem{{Mark: Block, Variant: "bloom", Text: "saved"}, {Mark: Rest, Text: "still goes to the store"},
			{Mark: Rule, Text: "the most that can be saved"}}
	},
	CSV: func(cases []Case) [][]string {
		out := [][]string{{"variant", "workload", "n", "p", "events", "keys", "requests", "absent_requests", "unknown_requests", "savable", "saved", "remaining"}}
		for _, c := range cases {
			l := c.log()
			out = append(out, append(caseCells(c), fmt.Sprint(l.Events), fmt.Sprint(l.Keys), fmt.Sprint(l.Requests), fmt.Sprint(l.Absent),
				fmt.Sprint(l.Unknown), plain(l.Savable), plain(l.Saved), plain(1-l.Saved)))
		}
		return out
	},
}

// log returns the facts of the replayed log with the saving averaged over the trials; nil for
// synthetic workloads.
func (c Case) log() *harness.LogFacts {
	var out *harness.LogFacts
	saved, n := 0.0, 0.0
	for _, r := range c.Trials {
		if r.Log == nil {
			continue
		}
		if out == nil {
			facts := *r.Log
			out = &facts
		}
		saved += r.Log.Saved
		n++
	}
	if out != nil {
		out.Saved = saved / n
	}
	return out
}

func remains(cases []Case) []Point {
	var out []Point
	for i, c := range cases {
		saved := c.log().Saved
		out = append(out, Point{X: 1, Y: float64(i), Lo: saved, Hi: 1, Bar: true})
	}
	return out
}

// shareText writes a share of requests: 2.13 %, 100 %.
func shareText(share float64) string {
	if share == 0 || share == 1 {
		return percent(share)
	}
	return fixed(100*share) + " %"
}

// savable says in a sentence what a filter can save.
func savable(l *harness.LogFacts) string {
	if l.Savable < 0.1 {
		return fmt.Sprintf("only %s of requests can be saved", shareText(l.Savable))
	}
	return fmt.Sprintf("%s of requests can be saved", shareText(l.Savable))
}

func savingsTitle(cases []Case) string {
	sentence := savable(cases[0].log())
	if sentence[0] == 'o' {
		sentence = "O" + sentence[1:]
	}
	most, least := math.Inf(-1), math.Inf(1)
	for _, c := range cases {
		if !c.Yardstick() {
			most, least = math.Max(most, c.log().Saved), math.Min(least, c.log().Saved)
		}
	}
	switch {
	case math.IsInf(most, -1):
		return sentence
	case shareText(most) == shareText(least):
		return fmt.Sprintf("%s; the filters save %s", sentence, shareText(most))
	}
	return fmt.Sprintf("%s; the filters save %s to %s", sentence, shareText(least), shareText(most))
}
