package reports

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"filterlab/harness"
)

// Notes returns what a reader of the table must know, each once and on one line: what a log lets
// filters save, why a verdict is not "agrees", the warnings of the filters, and the harm seen.
func Notes(results []harness.Result) []string {
	var out notes
	for _, c := range Cases(results) {
		if l := c.log(); l != nil && l.Requests > 0 {
			out.add("", fmt.Sprintf("%s: %s (%s of %s)", shortWorkload(c.Workload), savable(l), count(l.Absent), count(l.Requests)))
		}
	}
	for _, r := range results {
		if r.Log != nil {
			out.add("", "negatives: "+r.NegativesRule)
		}
		if r.Log != nil && r.Log.Malformed > 0 {
			out.add("", fmt.Sprintf("%s: %s left out", shortWorkload(r.Workload), plural(int(r.Log.Malformed), "malformed line")))
		}
	}
	for _, c := range Cases(results) {
		verdict, why := c.Verdict()
		if fn := c.FalseNegatives(); fn.Hits > 0 && !c.Provoked() {
			out.add(c.Variant, fmt.Sprintf("%s of %s members answered no: a filter must never do that", count(fn.Hits), count(fn.Of)))
		}
		if why != "" && verdict != "agrees" && verdict != "exact" {
			out.add(c.Variant, verdict+": "+why)
		}
		for _, w := range warnings(c) {
			out.add(c.Variant, w)
		}
		if anyTrial(c, func(r harness.Result) bool { return r.Simulated }) {
			out.add(c.Variant, "simulated, not measured")
		}
	}
	return out.lines()
}

// warnings returns the warnings of a case's trials. Of those that differ in their numbers alone it
// returns the first, with how many there are.
func warnings(c Case) []string {
	var out []string
	at, alike := map[string]int{}, map[string]map[string]bool{}
	for _, r := range c.Trials {
		for _, w := range r.Warnings {
			form := number.ReplaceAllString(w, "#")
			if alike[form] == nil {
				at[form], alike[form] = len(out), map[string]bool{}
				out = append(out, w)
			}
			alike[form][w] = true
		}
	}
	for form, texts := range alike {
		if len(texts) > 1 {
			out[at[form]] += fmt.Sprintf(" (alike in %s, with other numbers)", plural(len(texts)-1, "more trial"))
		}
	}
	return out
}

var number = regexp.MustCompile(`[0-9]+`)

// notes collects sentences and who they are about.
type notes struct {
	texts []string
	about map[string][]string
}

func (n *notes) add(variant, text string) {
	if n.about == nil {
		n.about = map[string][]string{}
	}
	text = strings.TrimPrefix(oneLine(text), variant+": ")
	if _, known := n.about[text]; !known {
		n.texts = append(n.texts, text)
		n.about[text] = nil
	}
	if variant != "" && !slices.Contains(n.about[text], variant) {
		n.about[text] = append(n.about[text], variant)
	}
}

func (n *notes) lines() []string {
	var out []string
	for _, text := range n.texts {
		if who := n.about[text]; len(who) > 0 {
			text = strings.Join(who, ", ") + ": " + text
		}
		out = append(out, text)
	}
	return out
}

func anyTrial(c Case, is func(harness.Result) bool) bool { return slices.ContainsFunc(c.Trials, is) }
