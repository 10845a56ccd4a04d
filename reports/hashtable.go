package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"filterlab/filters/theory"
	"filterlab/harness"
)

// HashTable returns the study as text for a terminal: a table of ratios for each n and p, the
// p-values of the bits' evenness, and what follows for keys like user123.
func HashTable(s HashStudy) string {
	return s.tablesText() + "\n" + strings.Join(s.findings(), "\n") + "\n"
}

func (s HashStudy) tablesText() string {
	var b strings.Builder
	for _, g := range s.grids() {
		fmt.Fprintf(&b, "%s: observed FPR / formula (+ above, - below, ? nothing against it, but too few to say more)\n\n", g.title())
		b.WriteString(s.lines(func(hash, shape int) string { return g.Cells[hash][shape].text() }) + "\n")
	}
	if len(s.Tables) > 0 {
		fmt.Fprintf(&b, "%s ranges of the table, chi-square of their bits: p-values, two-sided, Holm over all (* below 1 %%)\n\n", count(uint64(s.Tables[0].DF)))
		b.WriteString(s.lines(s.evennessText))
	}
	return b.String()
}

// lines lays out one cell a combination, hashes down and shapes across.
func (s HashStudy) lines(cell func(hash, shape int) string) string {
	labels := s.labels()
	first := len("hash")
	for _, h := range s.Hashes {
		first = max(first, len(h.Name))
	}
	widths := make([]int, len(labels))
	for shape, label := range labels {
		widths[shape] = len(label)
		for hash := range s.Hashes {
			widths[shape] = max(widths[shape], len(cell(hash, shape)))
		}
	}
	var b strings.Builder
	line := func(head string, text func(shape int) string) {
		row := fmt.Sprintf("%-*s", first, head)
		for shape, w := range widths {
			row += fmt.Sprintf("  %-*s", w, text(shape))
		}
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	line("hash", func(shape int) string { return labels[shape] })
	for hash, h := range s.Hashes {
		line(h.Name, func(shape int) string { return cell(hash, shape) })
	}
	return b.String()
}

// text writes the ratio and a mark for its verdict.
func (c hashCell) text() string {
	if !c.Known {
		return ""
	}
	verdict, _ := c.Verdict()
	mark := map[string]string{"above": " +", "below": " -", "underpowered": " ?"}[verdict]
	return shortRatio(c.Over) + mark
}

func (s HashStudy) evennessText(hash, shape int) string {
	row, ok := s.table(hash, shape)
	switch p := row.Adjusted; {
	case !ok:
		return ""
	case p < 1e-99:
		return "<1e-99 *"
	case p < evenLevel:
		return fmt.Sprintf("%.0e *", p)
	default:
		return digits(p, 2)
	}
}

// evenLevel is the p-value below which bits do not lie evenly.
const evenLevel = 0.01

// findings are the sentences that the study was run for.
func (s HashStudy) findings() []string {
	grids := s.grids()
	if len(grids) == 0 || len(s.Hashes) < 2 {
		return nil
	}
	out := []string{s.goodHash(grids)}
	if answer := s.dangerous(grids); answer != "" {
		out = append(out, answer)
	}
	for hash := 1; hash < len(s.Hashes); hash++ {
		out = append(out, s.caught(grids, hash))
	}
	return append(out, floors(grids))
}

// goodHash tells whether the first hash keeps its formula everywhere, over all shapes together too:
// where a target is strict, one shape alone expects few false positives.
func (s HashStudy) goodHash(grids []hashGrid) string {
	name := s.Hashes[0].Name
	if off := s.offAt(grids, 0); len(off) > 0 {
		return fmt.Sprintf("%s contradicts its formula: %s.", name, list(off, 4))
	}
	var sums []string
	for _, g := range grids {
		hits, expected := uint64(0), 0.0
		for _, c := range g.Cells[0] {
			if model, ok := c.ModelFPR(); ok {
				hits += c.FPR().Hits
				expected += model * float64(c.FPR().Of)
			}
		}
		sums = append(sums, fmt.Sprintf("%s false positives at %s where %s are expected", count(hits), g.title(), count(uint64(math.Round(expected)))))
	}
	text := fmt.Sprintf("%s keeps its formula on all %s, and its bits lie evenly", name, plural(len(s.Shapes), "shape"))
	if s.partial() {
		text = name + " shows nothing against its formula as far as the run got"
	}
	return text + ": " + strings.Join(sums, ", ") + "."
}

// partial reports whether the run was cut short.
func (s HashStudy) partial() bool {
	return slices.ContainsFunc(s.Results, func(r harness.Result) bool { return r.Partial })
}

// offAt lists where a hash is caught, by FPR and by evenness.
func (s HashStudy) offAt(grids []hashGrid, hash int) []string {
	var out []string
	for _, g := range grids {
		for shape, label := range s.labels() {
			if c := g.Cells[hash][shape]; c.flagged() {
				out = append(out, fmt.Sprintf("%s times on %s at %s", shortRatio(c.Over), label, g.title()))
			}
		}
	}
	for shape, label := range s.labels() {
		if row, ok := s.table(hash, shape); ok && row.Adjusted < evenLevel {
			out = append(out, "bits uneven on "+label)
		}
	}
	return out
}

// dangerous answers whether keys like user123 are: where a hash shows another FPR on them than on
// random keys, it is the keys; where not, it is the hash alone.
func (s HashStudy) dangerous(grids []hashGrid) string {
	shape, control := s.indexShape("shaped-keys:shape=user"), len(s.Shapes)-1
	if shape < 0 {
		return ""
	}
	good := grids[0].Cells[0][shape]
	verdict, _ := good.Verdict()
	answer := "Not to a hash that mixes"
	if good.flagged() {
		answer = "They are"
	}
	text := fmt.Sprintf("Are keys like user123 dangerous? %s: %s shows %.3f times the formula on them at %s (%s), and %.3f on random keys.",
		answer, s.Hashes[0].Name, good.Over, grids[0].title(), verdict, grids[0].Cells[0][control].Over)
	var moved, spared, uneven []string
	for hash := 1; hash < len(s.Hashes); hash++ {
		name := s.Hashes[hash].Name
		if where := movedBy(grids, hash, shape, control); len(where) > 0 {
			moved = append(moved, name+" ("+strings.Join(where, "; ")+")")
		} else {
			spared = append(spared, name)
		}
		if row, ok := s.table(hash, shape); ok && row.Adjusted < evenLevel {
			uneven = append(uneven, name)
		}
	}
	for _, part := range []struct {
		names []string
		text  string
	}{
		{moved, " They change the FPR of %s."}, {uneven, " They leave uneven bits with %s."},
		{spared, " To %s they are like random keys, whatever the FPR is."},
	} {
		if len(part.names) > 0 {
			text += fmt.Sprintf(part.text, list(part.names, 9))
		}
	}
	return text
}

// movedBy lists where a hash shows another FPR on one shape than on the control.
func movedBy(grids []hashGrid, hash, shape, control int) []string {
	var out []string
	for _, g := range grids {
		if c, r := g.Cells[hash][shape], g.Cells[hash][control]; differs(c, r) {
			out = append(out, fmt.Sprintf("%s times the formula at %s, %s on random keys", shortRatio(c.Over), g.title(), shortRatio(r.Over)))
		}
	}
	return out
}

// flagged returns the combinations of a hash that contradict the formula, by shape and then by n
// and p.
func (s HashStudy) flagged(grids []hashGrid, hash int) []hashCell {
	var out []hashCell
	for shape := range s.Shapes {
		for _, g := range grids {
			if c := g.Cells[hash][shape]; c.flagged() {
				out = append(out, c)
			}
		}
	}
	return out
}

// caught tells on how many shapes a weak hash was caught, and where worst.
func (s HashStudy) caught(grids []hashGrid, hash int) string {
	uneven, text := 0, s.Hashes[hash].Name+": not caught"
	for shape := range s.Shapes {
		if row, ok := s.table(hash, shape); ok && row.Adjusted < evenLevel {
			uneven++
		}
	}
	if off := s.flagged(grids, hash); len(off) > 0 {
		shapes, worst := map[string]bool{}, off[0]
		far := func(c hashCell) float64 { return math.Abs(math.Log(math.Max(c.Over, 1e-3))) }
		for _, c := range off {
			shapes[c.Workload] = true
			if far(c) > far(worst) {
				worst = c
			}
		}
		text = fmt.Sprintf("%s: caught by its FPR on %d of %s, worst %s times the formula on %s at n = %s, p = %s", s.Hashes[hash].Name,
			len(shapes), plural(len(s.Shapes), "shape"), shortRatio(worst.Over), shapeWords(worst.Workload), count(worst.N), percent(worst.P))
	}
	if uneven > 0 {
		text += fmt.Sprintf("; bits uneven on %d", uneven)
	}
	return text + "."
}

// floors tells what theory says of short hashes and of double hashing, whatever the keys.
func floors(grids []hashGrid) string {
	var short, double []string
	for _, g := range grids {
		for _, row := range g.Cells {
			c := row[0]
			if !c.Known || len(c.Trials) == 0 {
				continue
			}
			model, _ := c.ModelFPR()
			m, k, n := float64(c.Trials[0].SizeBits), float64(c.Trials[0].K), float64(g.N)
			short = append(short, shortRatio(theory.WithHashFloor(model, theory.HashWidthFloor(32, n))/model)+" ("+g.title()+")")
			double = append(double, shortRatio(theory.DoubleHashFPR(theory.DoubleHash, m, k, n)/model)+" ("+g.title()+")")
			break
		}
	}
	return "By theory, whatever the keys: with a hash of 32 bits the FPR is " + strings.Join(short, " and ") +
		" times the formula; with double hashing mod m and any second hash " + strings.Join(double, " and ") + " times."
}
