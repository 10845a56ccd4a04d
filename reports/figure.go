package reports

import (
	"fmt"
	"slices"
	"strings"

	"filterlab/harness"
)

// A Figure describes one picture: which cases it keeps, what its panels show and what it finds.
type Figure struct {
	Name  string
	Shows string // one sentence for the page that shows the picture
	Reads string // what marks and bars mean, for the subtitle
	Keep  func(Case) bool
	// Axes are those of the sweeps that the figure shows, every point of them; without any it shows
	// runs that are no sweep.
	Axes []string
	// AllSizes keeps every n and p; otherwise the picture is of the n and p that most variants ran
	// at, and of those of the largest n.
	AllSizes bool
	Title    func([]Case) string   // states the finding
	Rows     bool                  // one row a case; otherwise both axes are numbers
	RowNames func([]Case) []string // of rows that are not cases; nil: a row is a case
	Stacked  bool                  // panels of numbers lie above each other; otherwise side by side
	Panels   []Panel
	Key      func([]Case) []KeyItem // explains the marks above the panels
	CSV      func([]Case) [][]string
}

// A Panel is one pair of axes with what is measured and what the formula says.
type Panel struct {
	Title   string
	Width   float64 // relative to the other panels
	X, Y    Axis    // Y is unused in a figure of rows
	Upright bool    // bars stand upright, their ends in Y; otherwise they lie along X
	Theory  func([]Case) []Series
	Series  func([]Case) []Series
	Columns []Column // text beside the rows
	// RowColumns is that text where a row is not a case.
	RowColumns func([]Case) []TextColumn
}

// A Column is text beside the rows of a panel.
type Column struct {
	Head string
	Cell func(Case) string
}

// Figures lists the built-in figures in the order in which pages show them.
func Figures() []Figure {
	return []Figure{fprFigure, bitsFigure, memoryFigure, latencyFigure, mixFigure, deletesFigure, savingsFigure, gridFigure,
		overfillFigure, frontierFigure, flatFigure, probesFigure, loadFigure, duplicatesFigure, tornadoFigure, growthFigure}
}

// Data works out what the figure shows of the results: of their first workload that has something
// for it. ok is false when none has.
func (f Figure) Data(results []harness.Result) (d Data, ok bool) {
	for _, group := range byWorkload(results) {
		if d, ok := f.of(group, looksOf(results)); ok {
			return d, true
		}
	}
	return Data{}, false
}

// Pictures works out every figure for every workload in the results. With several workloads the
// names end in the workload's.
func Pictures(results []harness.Result) []Data {
	groups, looks := byWorkload(results), looksOf(results)
	var out []Data
	used := map[string]bool{}
	for _, group := range groups {
		suffix := ""
		if len(groups) > 1 {
			suffix = "-" + slug(groupOf(group[0]))
		}
		for i := 2; used[suffix]; i++ {
			suffix = fmt.Sprintf("-%s-%d", slug(groupOf(group[0])), i)
		}
		used[suffix] = true
		for _, f := range Figures() {
			if d, ok := f.of(group, looks); ok {
				d.Name += suffix
				out = append(out, d)
			}
		}
	}
	return out
}

// of works out the figure for results of one workload.
func (f Figure) of(results []harness.Result, looks map[string]Look) (Data, bool) {
	var cases []Case
	for _, c := range Cases(results) {
		if c.Skipped == "" && len(c.Trials) > 0 && f.shows(c.Axis()) && f.Keep(c) {
			cases = append(cases, c)
		}
	}
	if !f.AllSizes && len(f.Axes) == 0 {
		cases = headline(cases)
	}
	if len(cases) == 0 {
		return Data{}, false
	}
	d := Data{
		Name: f.Name, Figure: f.Name, Workload: groupOf(results[0]), Shows: f.Shows, Title: f.Title(cases),
		Subtitle: subtitle(cases, f.Reads), Footer: footer(results), Looks: looks, CSV: f.CSV(cases), Stacked: f.Stacked,
	}
	if f.Key != nil {
		d.Key = f.Key(cases)
	}
	if f.Rows {
		d.Rows = f.rowNames(cases)
	}
	for _, p := range f.Panels {
		if plot, ok := p.plot(cases, f.Rows); ok {
			d.Plots = append(d.Plots, plot)
		}
	}
	d.shareX()
	return d, len(d.Plots) > 0
}

// headline keeps the cases of the n and p that most variants ran at; of several, those of the largest
// n and, there, of the first p.
func headline(cases []Case) []Case {
	type pair struct {
		n uint64
		p float64
	}
	ran := map[pair]int{}
	for _, c := range cases {
		ran[pair{c.N, c.P}]++
	}
	var best Case
	for _, c := range cases {
		now, most := ran[pair{c.N, c.P}], ran[pair{best.N, best.P}]
		if now > most || now == most && c.N > best.N {
			best = c
		}
	}
	return slices.DeleteFunc(slices.Clone(cases), func(c Case) bool { return c.N != best.N || c.P != best.P })
}

// plot resolves a panel: its series and, from them, its ranges and ticks.
func (p Panel) plot(cases []Case, rows bool) (Plot, bool) {
	measured := p.Series(cases)
	if !slices.ContainsFunc(measured, func(s Series) bool { return len(s.Points) > 0 }) {
		return Plot{}, false
	}
	out := Plot{Title: p.Title, Width: p.Width, XLabel: p.X.Label, YLabel: p.Y.Label, Upright: p.Upright}
	if p.Theory != nil {
		out.Series = p.Theory(cases)
	}
	out.Series = append(out.Series, measured...)
	var xs, ys extent
	for _, s := range out.Series {
		for _, pt := range s.Points {
			xs.cover(pt, p.Upright, false)
			ys.cover(pt, !p.Upright, true)
		}
	}
	out.X = p.X.scale(xs, cases)
	if !rows {
		out.Y = p.Y.scale(ys, cases)
	}
	if p.RowColumns != nil {
		out.Columns = p.RowColumns(cases)
	}
	for _, col := range p.Columns {
		text := TextColumn{Head: col.Head}
		for _, c := range cases {
			text.Cells = append(text.Cells, col.Cell(c))
		}
		if slices.ContainsFunc(text.Cells, func(s string) bool { return s != "" }) {
			out.Columns = append(out.Columns, text)
		}
	}
	return out, true
}

// byWorkload groups results by workload, in the order in which the workloads first come; a sweep is
// one group, also where the workload is what it varies.
func byWorkload(results []harness.Result) [][]harness.Result {
	var out [][]harness.Result
	at := map[string]int{}
	for _, r := range results {
		i, ok := at[groupOf(r)]
		if !ok {
			i = len(out)
			at[groupOf(r)] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], r)
	}
	return out
}

func looksOf(results []harness.Result) map[string]Look {
	var names []string
	for _, r := range results {
		names = append(names, r.Variant, sweptVariant(r))
	}
	return looks(names)
}

// subtitle says what was run and how to read the marks.
func subtitle(cases []Case, reads string) string {
	parts := []string{shortWorkload(cases[0].under()), "n = " + sizes(cases), "p = " + targets(cases), trialsOf(cases)}
	text := strings.Join(parts, ", ")
	if cases[0].Trials[0].Partial {
		text += " (run cut short)"
	}
	if reads != "" {
		text += " · " + reads
	}
	return text
}

func sizes(cases []Case) string {
	var ns []uint64
	for _, c := range cases {
		ns = append(ns, c.N)
	}
	slices.Sort(ns)
	ns = slices.Compact(ns)
	if len(ns) == 1 {
		return count(ns[0])
	}
	return size(ns[0]) + " to " + size(ns[len(ns)-1])
}

func targets(cases []Case) string {
	var ps []float64
	for _, c := range cases {
		ps = append(ps, c.P)
	}
	slices.Sort(ps)
	ps = slices.Compact(ps)
	if len(ps) == 1 {
		return percent(ps[0])
	}
	return percent(ps[0]) + " to " + percent(ps[len(ps)-1])
}

// trialsOf tells the trials of a case and the strangers asked in all of them.
func trialsOf(cases []Case) string {
	lo, hi := len(cases[0].Trials), len(cases[0].Trials)
	asked, most := cases[0].Strangers(), cases[0].Strangers()
	for _, c := range cases {
		lo, hi = min(lo, len(c.Trials)), max(hi, len(c.Trials))
		asked, most = min(asked, c.Strangers()), max(most, c.Strangers())
	}
	text := plural(hi, "trial")
	if lo != hi {
		text = fmt.Sprintf("%d to %d trials", lo, hi)
	}
	switch {
	case most == 0:
		return text
	case asked == most:
		return text + " with " + count(most) + " strangers in all"
	}
	return fmt.Sprintf("%s with %s to %s strangers a filter", text, roughly(asked), roughly(most))
}

// roughly writes a count to three digits: 250k, 2.49M.
func roughly(n uint64) string {
	switch {
	case n >= 1e6:
		return digits(float64(n)/1e6, 3) + "M"
	case n >= 1e4:
		return digits(float64(n)/1e3, 3) + "k"
	}
	return count(n)
}

// footer tells where the results come from: the machine, the source, the seed, and the command.
func footer(results []harness.Result) []string {
	r := results[0]
	date := r.Date.UTC().Format("2006-01-02 15:04 UTC")
	return []string{
		fmt.Sprintf("%s, %s, %s, %s · commit %s · seed %d · %s", r.Host.CPU, plural(r.Host.Cores, "core"),
			r.Host.OS, r.Host.Go, r.Commit, r.Seed, date),
		r.Command,
	}
}
