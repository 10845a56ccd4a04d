package reports

import (
	"fmt"
	"strings"

	"filterlab/harness"
)

// verdictMeanings explains the words of the verdict column.
var verdictMeanings = []struct{ verdict, meaning string }{
	{"agrees", "within 4 standard errors of the formula, and precise enough to have caught a formula that is wrong by 5 % (10 % below p = 0.1 %)"},
	{"above", "more false positives than the formula can explain"},
	{"below", "fewer false positives than the formula can explain"},
	{"underpowered", "nothing contradicts the formula, but too few false positives were expected to say more"},
	{"exact", "no false positives by construction, and none seen"},
	{"yardstick", "says maybe to everything; shows the floor of time and memory and is not judged"},
	{"not judged", "there is no claim to hold the counts against"},
}

// Summary returns the page of an output folder in Markdown: what was run, the table, what the
// verdicts mean, and every picture.
func Summary(results []harness.Result) string { return summaryOf(results, Pictures(results)) }

func summaryOf(results []harness.Result, pictures []Data) string {
	var b strings.Builder
	if len(results) == 0 {
		return "# Filter lab\n\nNothing was run.\n"
	}
	groups := byWorkload(results)
	var names []string
	for _, g := range groups {
		names = append(names, groupTitle(g[0]))
	}
	fmt.Fprintf(&b, "# Filter lab: %s\n\n", escape(list(names, 5)))
	b.WriteString(ran(results))
	if len(groups) > 1 {
		b.WriteString(index(groups, pictures))
	}
	b.WriteString("## Results\n\n")
	for _, g := range groups {
		if len(groups) > 1 {
			fmt.Fprintf(&b, "### %s\n\n", escape(groupTitle(g[0])))
		}
		b.WriteString(escape(heading(g)) + "\n\n" + markdownTable(g) + "\n")
		for _, note := range Notes(g) {
			b.WriteString("- " + escape(note) + "\n")
		}
		if len(Notes(g)) > 0 {
			b.WriteString("\n")
		}
	}
	b.WriteString(reading(results))
	if all := Differences(results); len(all) > 0 {
		b.WriteString("## Does the shape of the keys matter?\n\n" + differenceText(all) + "\n")
	}
	b.WriteString(gallery(pictures, len(groups) > 1))
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// ran says what was run, where and when.
func ran(results []harness.Result) string {
	r := results[0]
	var b strings.Builder
	if r.Partial {
		b.WriteString("**The run was cut short: this is what was complete by then.**\n\n")
	}
	fmt.Fprintf(&b, "- command: `%s`\n- host: %s, %s, %s, %s\n- date: %s\n- commit: %s\n- seed: %d\n\n",
		oneLine(r.Command), escape(r.Host.CPU), plural(r.Host.Cores, "core"), r.Host.OS, r.Host.Go,
		r.Date.UTC().Format("2006-01-02 15:04 UTC"), r.Commit, r.Seed)
	return b.String()
}

// index links every picture by workload.
func index(groups [][]harness.Result, pictures []Data) string {
	var b strings.Builder
	b.WriteString("## Index\n\n| workload | pictures |\n|---|---|\n")
	for _, g := range groups {
		var links []string
		for _, d := range pictures {
			if d.Workload == groupOf(g[0]) {
				links = append(links, fmt.Sprintf("[%s](%s.png)", d.Figure, d.Name))
			}
		}
		fmt.Fprintf(&b, "| %s | %s |\n", escape(groupTitle(g[0])), strings.Join(links, ", "))
	}
	return b.String() + "\n"
}

// gallery shows the pictures, under the names of their workloads where there are several.
func gallery(pictures []Data, several bool) string {
	if len(pictures) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("## Pictures\n\n")
	workload := ""
	for _, d := range pictures {
		if several && d.Workload != workload {
			workload = d.Workload
			fmt.Fprintf(&b, "### %s\n\n", escape(shortWorkload(workload)))
		}
		fmt.Fprintf(&b, "**%s**\n\n![%s](%s.png)\n\n%s Numbers: [%s.csv](%s.csv)\n\n", escape(d.Title), escape(d.Title), d.Name, d.Shows, d.Name, d.Name)
	}
	return b.String()
}

func markdownTable(results []harness.Result) string {
	cases := Cases(results)
	cols := shown(cases)
	var head, rule []string
	for _, f := range cols {
		head = append(head, f.head)
		if f.left {
			rule = append(rule, "---")
		} else {
			rule = append(rule, "---:")
		}
	}
	var b strings.Builder
	b.WriteString("| " + strings.Join(head, " | ") + " |\n|" + strings.Join(rule, "|") + "|\n")
	for _, c := range cases {
		var cells []string
		for _, f := range cols {
			cells = append(cells, escape(f.cell(c)))
		}
		if c.Skipped != "" {
			cells = make([]string, len(cols))
			cells[0] = escape(nameAmong(c, cols) + ": skipped: " + c.Skipped)
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	return b.String()
}

// reading explains the columns, the verdicts seen, and the two rates that people confuse.
func reading(results []harness.Result) string {
	var b strings.Builder
	b.WriteString("## How to read this\n\n")
	b.WriteString("Two rates are called \"false positive rate\". **FPR** = FP/(FP+TN): of the keys that are not there, the share answered maybe. " +
		"It belongs to the filter, and it is what the table shows. **Wrong among maybe** = FP/(FP+TP): of the answers maybe, the share that is wrong. " +
		"It depends on the traffic as well" + wrongExample(results) + ".\n\n")
	b.WriteString("Where no false positive was seen, the table shows the bound below which the FPR lies with 95 % confidence, 3.69 / strangers. " +
		"Overhead is against log2(1/FPR) bits per key, the least any filter of that FPR needs. " +
		"bits/key is the filter's own table, heap what the heap grew by, in bits per key too. " +
		"Times are ns per operation, medians over the trials, the loop around them included: to add a key, to look up a member, a stranger. " +
		"deleted is the share of deleted keys still answered maybe. " +
		"held and refused are keys of one trial, on average; false negatives, and those predicted, are of all trials together.\n\n")
	seen := map[string]bool{}
	for _, c := range Cases(results) {
		if c.Skipped == "" {
			seen[verdictText(c)] = true
		}
	}
	for _, v := range verdictMeanings {
		if seen[v.verdict] {
			fmt.Fprintf(&b, "- %s: %s\n", v.verdict, v.meaning)
		}
	}
	return b.String() + "\n"
}

// wrongExample gives both rates of the first case that has them.
func wrongExample(results []harness.Result) string {
	for _, c := range Cases(results) {
		wrong, ok := c.mean(func(r harness.Result) *float64 { return r.WrongAmong })
		fpr := c.FPR()
		if ok && fpr.Hits > 0 && !c.Yardstick() {
			return fmt.Sprintf(": here %s has an FPR of %s, and %s of its maybes on %s are wrong",
				escape(c.Variant), precise(fpr.Share), precise(wrong), escape(shortWorkload(c.Workload)))
		}
	}
	return ""
}

// escape keeps text from being read as Markdown.
func escape(text string) string {
	return strings.NewReplacer("|", "\\|", "*", "\\*", "_", "\\_", "`", "\\`", "<", "&lt;", "[", "\\[", "]", "\\]", "\n", " ").Replace(text)
}
