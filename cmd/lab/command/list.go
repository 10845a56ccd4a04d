package command

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"filterlab/filters/catalog"
	"filterlab/filters/spec"
	"filterlab/reports"
	"filterlab/workloads"
)

// listCmd lists what the lab knows by name.
type listCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// A listing is everything that can be named on the command line.
type listing struct {
	Variants  []listed `json:"variants"`
	Workloads []listed `json:"workloads"`
	Formats   []listed `json:"formats"`
	Figures   []listed `json:"figures"`
}

type listed struct {
	Name    string       `json:"name"`
	Doc     string       `json:"doc"`
	Knobs   []listedKnob `json:"knobs,omitempty"`
	Formula string       `json:"formula,omitempty"`
	Source  string       `json:"source,omitempty"`
	Example string       `json:"example,omitempty"`
}

type listedKnob struct {
	Name    string `json:"name"`
	Doc     string `json:"doc"`
	Default string `json:"default"`
	Allowed string `json:"allowed"`
}

// Run is the subcommand.
func (c *listCmd) Run(e *Env) error {
	l, err := newListing(e.Variants)
	if err != nil {
		return err
	}
	if c.JSON {
		enc := json.NewEncoder(e.Out)
		enc.SetIndent("", "  ")
		return enc.Encode(l)
	}
	w := tabwriter.NewWriter(e.Out, 0, 4, 2, ' ', 0)
	for _, group := range []struct {
		title string
		rows  []listed
	}{{"Variants", l.Variants}, {"Workloads", l.Workloads}, {"Log formats", l.Formats}, {"Figures", l.Figures}} {
		fmt.Fprintf(w, "%s\n", group.title)
		for _, r := range group.rows {
			r.print(w)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

func (r listed) print(w *tabwriter.Writer) {
	fmt.Fprintf(w, "  %s\t%s\n", r.Name, r.Doc)
	if r.Formula != "" {
		fmt.Fprintf(w, "  \tFPR = %s\n", r.Formula)
	}
	if r.Example != "" {
		fmt.Fprintf(w, "  \t%s\n", r.Example)
	}
	for _, k := range r.Knobs {
		fmt.Fprintf(w, "  \t%s=%s (default %s): %s\n", k.Name, k.Allowed, k.Default, k.Doc)
	}
}

func newListing(variants catalog.List) (listing, error) {
	var l listing
	for _, v := range variants {
		bound, err := v.Bind(nil)
		if err != nil {
			return l, err
		}
		model, err := v.Model(bound.Params(1_000_000, 0.01, 0))
		if err != nil {
			return l, err
		}
		l.Variants = append(l.Variants, listed{Name: v.Name, Doc: v.Doc, Knobs: listKnobs(v.Knobs), Formula: model.Formula, Source: model.Source})
	}
	for _, w := range workloads.All() {
		l.Workloads = append(l.Workloads, listed{Name: w.Name, Doc: w.Doc, Knobs: listKnobs(w.Knobs)})
	}
	l.Workloads = append(l.Workloads, listed{Name: "replay:FILE", Doc: "the requests of a log, in one of the formats below; plain or gzip"})
	for _, f := range workloads.Formats() {
		l.Formats = append(l.Formats, listed{Name: f.Name, Doc: f.Doc, Example: f.Example})
	}
	for _, f := range reports.Figures() {
		l.Figures = append(l.Figures, listed{Name: f.Name, Doc: f.Shows})
	}
	return l, nil
}

func listKnobs(knobs []spec.Knob) []listedKnob {
	var out []listedKnob
	for _, k := range knobs {
		out = append(out, listedKnob{k.Name, k.Doc, k.Default, k.Allowed})
	}
	return out
}
