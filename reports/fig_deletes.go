package reports

import (
	"fmt"
	"math"

	"filterlab/harness"
)

var deletesFigure = Figure{
	Name:  "deletes",
	Shows: "After a churn: deleted keys still answered maybe, the FPR among keys never seen, and members lost, with the losses predicted beside the losses seen.",
	Reads: "bars: 95 % intervals",
	Keep:  func(c Case) bool { return c.Deleted().Of > 0 },
	Title: deletesTitle,
	Rows:  true,
	Panels: []Panel{
		{
			Title: "still maybe", Width: 1,
			X:       Axis{Label: "deleted keys", Fixed: true, Include: []float64{0, 1}, Format: percent},
			Series:  func(cases []Case) []Series { return eachCase(cases, barOf(Case.Deleted)) },
			Columns: []Column{{"", func(c Case) string { return percent3(c.Deleted()) }}},
		},
		{
			Title: "FPR", Width: 1,
			X:       Axis{Label: "keys never seen", Log: true, Format: percent},
			Theory:  func(cases []Case) []Series { return []Series{{Mark: Tick, Points: modelFPRs(cases)}} },
			Series:  func(cases []Case) []Series { return eachCase(cases, fprIfAsked) },
			Columns: []Column{{"", func(c Case) string { return percent3(c.FPR()) }}},
		},
		{
			Title: "false negatives", Width: 1,
			X:      Axis{Label: "members", Include: []float64{0}, Format: percent},
			Theory: func(cases []Case) []Series { return []Series{{Mark: Tick, Points: lostShares(cases)}} },
			Series: func(cases []Case) []Series { return eachCase(cases, barOf(Case.FalseNegatives)) },
			Columns: []Column{
				{"lost", func(c Case) string { return count(c.FalseNegatives().Hits) }},
				{"predicted", func(c Case) string {
					if lost, ok := c.LostPredicted(); ok {
						return fewer(lost)
					}
					return "0"
				}},
			},
		},
	},
	Key: func(cases []Case) []KeyItem {
		return []KeyItem{{Mark: Dot, Text: "observed"}, {Mark: Tick, Text: "formula at the keys held"}}
	},
	CSV: func(cases []Case) [][]string {
		out := [][]string{{"variant", "workload", "n", "p", "deleted_probes", "deleted_maybe", "still_maybe", "still_maybe_lo",
			"still_maybe_hi", "strangers", "false_positives", "fpr", "model_fpr", "members", "false_negatives", "wrong_deletes", "lost_predicted"}}
		for _, c := range cases {
			del, fpr, fn := c.Deleted(), c.FPR(), c.FalseNegatives()
			out = append(out, append(caseCells(c), fmt.Sprint(del.Of), fmt.Sprint(del.Hits), plain(del.Share), plain(del.Lo), plain(del.Hi),
				fmt.Sprint(fpr.Of), fmt.Sprint(fpr.Hits), plain(fpr.Share), optional(c.ModelFPR()),
				fmt.Sprint(fn.Of), fmt.Sprint(fn.Hits), fmt.Sprint(c.wrongDeletes()), optional(c.LostPredicted())))
		}
		return out
	},
}

func (c Case) wrongDeletes() uint64 {
	return c.sum(func(r harness.Result) uint64 { return r.WrongDeletes })
}

// barOf makes a point of a rate, without a bar where nothing was seen: the bound would hide the 0.
func barOf(of func(Case) Rate) func(Case) (Point, bool) {
	return func(c Case) (Point, bool) {
		r := of(c)
		return Point{X: r.Share, Lo: r.Lo, Hi: r.Hi, Bar: r.Hits > 0}, r.Of > 0
	}
}

func fprIfAsked(c Case) (Point, bool) {
	if c.Strangers() == 0 {
		return Point{}, false
	}
	return fprPoint(c)
}

// percent3 writes a rate with three digits: there are three columns of them side by side.
func percent3(r Rate) string {
	switch {
	case r.Of == 0:
		return ""
	case r.Hits == 0:
		return "< " + digits(100*r.Hi, 2) + " %"
	}
	return zeros(r.Share, 3)
}

func lostShares(cases []Case) []Point {
	var out []Point
	for i, c := range cases {
		lost, ok := c.LostPredicted()
		if members := c.FalseNegatives().Of; ok && members > 0 {
			out = append(out, Point{X: lost / float64(members), Y: float64(i)})
		}
	}
	return out
}

func deletesTitle(cases []Case) string {
	var keep, lose []string
	worst, wrong := 0.0, uint64(0)
	for _, c := range cases {
		wrong += c.wrongDeletes()
		if c.Deleted().Share > 0.5 && !c.Yardstick() {
			keep = append(keep, c.Variant)
		}
		if fn := c.FalseNegatives(); fn.Hits > 0 {
			lose = append(lose, c.Variant)
			worst = math.Max(worst, fn.Share)
		}
	}
	if wrong > 0 && len(lose) > 0 {
		return fmt.Sprintf("Deletes of keys that were never added cost %s up to %s %% of the members", list(lose, 4), digits(100*worst, 3))
	}
	title := "Every filter forgets what is deleted"
	if len(keep) > 0 {
		title = "Deleted keys still get a maybe from " + list(keep, 4)
	}
	switch {
	case len(lose) == 1:
		title += fmt.Sprintf("; %s loses %s %% of its members", lose[0], digits(100*worst, 3))
	case len(lose) > 1:
		title += fmt.Sprintf("; %s lose up to %s %% of their members", list(lose, 3), digits(100*worst, 3))
	default:
		title += "; no filter lost a member"
	}
	return title
}
