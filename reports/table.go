package reports

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"filterlab/harness"
)

// A field is one column of the table of cases.
type field struct {
	head string
	left bool // aligned left, as words are
	cell func(Case) string
}

// fields are the columns in order; one that is empty in every row is left out.
var fields = []field{
	{"variant", true, func(c Case) string { return c.Variant }},
	{"at", false, Case.xText},
	{"n", false, func(c Case) string { return size(c.N) }},
	{"p", false, func(c Case) string { return percent(c.P) }},
	{"held", false, func(c Case) string { return count(c.Held()) }},
	{"refused", false, refusedText},
	{"FPR", false, func(c Case) string { return observed(c.FPR()) }},
	{"95 % interval", false, intervalText},
	{"formula", false, func(c Case) string { return shareOr(c.ModelFPR()) }},
	{"ratio", false, ratioText},
	{"verdict", true, verdictText},
	{"false neg.", true, negativesText},
	{"predicted", false, func(c Case) string {
		lost, ok := c.LostPredicted()
		if !ok {
			return ""
		}
		return fewer(lost)
	}},
	{"bits/key", false, func(c Case) string { return fixedOr(c.BitsPerKey()) }},
	{"heap", false, func(c Case) string { return fixedOr(c.HeapPerKey()) }},
	{"overhead", false, overheadText},
	{"add ns", false, timeText("add")},
	{"member", false, timeText("member")},
	{"stranger", false, timeText("stranger")},
	{"deleted", false, func(c Case) string { return percent3(c.Deleted()) }},
	{"saves", false, savedText},
}

// Table returns the cases as aligned text for a terminal, a table for each workload with what a
// reader must know below it.
func Table(results []harness.Result) string {
	if len(results) == 0 {
		return "no results\n"
	}
	var tables []string
	for _, group := range byWorkload(results) {
		tables = append(tables, tableOf(group))
	}
	return strings.Join(tables, "\n")
}

// tableOf is the table of one workload.
func tableOf(results []harness.Result) string {
	cases := Cases(results)
	cols := shown(cases)
	var b strings.Builder
	b.WriteString(heading(results) + "\n\n")
	widths := make([]int, len(cols))
	for i, f := range cols {
		widths[i] = utf8.RuneCountInString(f.head)
		for _, c := range cases {
			if c.Skipped == "" {
				widths[i] = max(widths[i], utf8.RuneCountInString(f.cell(c)))
			}
		}
	}
	line := make([]string, len(cols))
	for i, f := range cols {
		line[i] = f.head
	}
	b.WriteString(aligned(cols, widths, line))
	for _, c := range cases {
		if c.Skipped != "" {
			fmt.Fprintf(&b, "%s: skipped: %s\n", nameAmong(c, cols), c.Skipped)
			continue
		}
		for i, f := range cols {
			line[i] = f.cell(c)
		}
		b.WriteString(aligned(cols, widths, line))
	}
	for i, note := range Notes(results) {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString(note + "\n")
	}
	return b.String()
}

// shown picks the columns with something in them; n and p stand in the heading when all rows share
// them.
func shown(cases []Case) []field {
	var out []field
	for _, f := range fields {
		seen := map[string]bool{}
		for _, c := range cases {
			if f.head == "n" || f.head == "p" || c.Skipped == "" {
				seen[f.cell(c)] = true
			}
		}
		shared := len(seen) == 1 && (f.head == "n" || f.head == "p")
		if f.head == "held" && !anyCase(cases, func(c Case) bool { return c.Skipped == "" && c.Held() != c.N }) {
			continue // all n of them, as the heading says
		}
		if shared || len(seen) == 0 || len(seen) == 1 && seen[""] {
			if f.head != "variant" {
				continue
			}
		}
		out = append(out, f)
	}
	return out
}

// heading says what all rows of one workload share.
func heading(results []harness.Result) string {
	cases := Cases(results)
	parts := []string{groupTitle(results[0])}
	ns, ps := map[uint64]bool{}, map[float64]bool{}
	for _, c := range cases {
		ns[c.N], ps[c.P] = true, true
	}
	if len(ns) == 1 {
		parts = append(parts, "n = "+count(cases[0].N))
	}
	if len(ps) == 1 {
		parts = append(parts, "p = "+percent(cases[0].P))
	}
	most := 0
	for _, c := range cases {
		most = max(most, len(c.Trials))
	}
	trials := plural(most, "trial")
	if anyCase(cases, func(c Case) bool { return c.Skipped == "" && len(c.Trials) != most }) {
		trials = "up to " + trials
	}
	parts = append(parts, trials, fmt.Sprintf("seed %d", results[0].Seed))
	if results[0].Partial {
		parts = append(parts, "run cut short")
	}
	return strings.Join(parts, ", ")
}

// nameAmong names a skipped case by the columns that tell rows apart.
func nameAmong(c Case, cols []field) string {
	var parts []string
	for _, f := range cols {
		switch f.head {
		case "variant":
			parts = append(parts, f.cell(c))
		case "n", "p":
			parts = append(parts, f.head+" = "+f.cell(c))
		}
	}
	return strings.Join(parts, ", ")
}

// aligned lays one line out in columns.
func aligned(cols []field, widths []int, cells []string) string {
	var b strings.Builder
	for i, cell := range cells {
		if i > 0 {
			b.WriteString("  ")
		}
		pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if cols[i].left {
			b.WriteString(cell + pad)
		} else {
			b.WriteString(pad + cell)
		}
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}

func refusedText(c Case) string {
	refused := c.sum(func(r harness.Result) uint64 { return r.Rejected })
	if refused == 0 {
		return ""
	}
	return fewer(float64(refused) / float64(len(c.Trials)))
}

func intervalText(c Case) string {
	if fpr := c.FPR(); fpr.Hits > 0 && fpr.Share < 1 {
		return percents(fpr.Lo, fpr.Hi)
	}
	return ""
}

func ratioText(c Case) string {
	ratio, _, hi, ok := c.Ratio()
	if !ok {
		return ""
	}
	if ratio == 0 {
		return "< " + digits(hi, 3)
	}
	return fmt.Sprintf("%.3f", ratio)
}

// negativesText makes false negatives that nothing provoked impossible to overlook.
func negativesText(c Case) string {
	switch lost := c.FalseNegatives(); {
	case lost.Of == 0:
		return ""
	case c.Provoked():
		return count(lost.Hits) + " provoked"
	case lost.Hits == 1:
		return "1 FALSE NEGATIVE"
	case lost.Hits > 0:
		return count(lost.Hits) + " FALSE NEGATIVES"
	}
	return "0"
}

func overheadText(c Case) string {
	over, ok := overhead(c)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%+.0f %%", 100*over)
}

func timeText(op string) func(Case) string {
	return func(c Case) string {
		t, ok := c.Time(op)
		if !ok {
			return ""
		}
		return fmt.Sprintf("%.1f", t.NS)
	}
}

func savedText(c Case) string {
	if c.log() == nil {
		return ""
	}
	return shareText(c.log().Saved)
}
