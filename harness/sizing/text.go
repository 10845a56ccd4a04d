package sizing

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"filterlab/harness/units"
)

// String returns the report as text for a terminal, without a line end.
func (r Report) String() string {
	var b strings.Builder
	b.WriteString(r.Answer.text())
	fmt.Fprintf(&b, "\n%s\n", r.Exact.text())
	if rows := r.variantRows(); len(rows) > 1 {
		b.WriteString("Variants, by their models\n")
		b.WriteString(align(rows))
		b.WriteByte('\n')
	}
	b.WriteString("FPR of the same filter with more keys\n")
	b.WriteString(align(r.overfullRows()))
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "\nnote: %s", n)
	}
	return strings.TrimRight(b.String(), "\n")
}

func (a Answer) text() string {
	m, k := "", ""
	if a.Unrounded != nil {
		m = fmt.Sprintf(" (%.2f before rounding)", *a.Unrounded)
		k = fmt.Sprintf(" (%.3f before rounding)", *a.UnroundedK)
	}
	larger, over := "", ""
	if a.Bytes >= 1024 {
		larger = fmt.Sprintf(" = %s = %s", units.Bytes(a.Bytes), units.Decimal(a.Bytes))
	}
	if a.Overhead != nil {
		over = fmt.Sprintf("; the filter is %.1f %% over the least for its FPR", 100**a.Overhead)
	}
	lines := [][2]string{
		{"n", units.Grouped(a.N) + " keys"},
		{"p", units.Rate(a.P)},
		{"m", fmt.Sprintf("%s bits%s", units.Grouped(a.M), m)},
		{"", fmt.Sprintf("%s bytes%s", units.Grouped(a.Bytes), larger)},
		{"k", fmt.Sprintf("%d%s", a.K, k)},
		{"bits per key", fmt.Sprintf("%.4g", a.BitsPerKey)},
		{"fill ratio", fmt.Sprintf("%.4f", a.Fill)},
		{"FPR", units.Rate(a.FPR)},
		{"least possible", fmt.Sprintf("%s bits = %s, n log2(1/p)%s", units.Grouped(bytesOf(math.Ceil(a.LeastBits))),
			units.Bytes(bytesOf(math.Ceil(a.LeastBits/8))), over)},
	}
	var b strings.Builder
	b.WriteString("Standard Bloom filter: " + Formula + "\n")
	for _, l := range lines {
		fmt.Fprintf(&b, "  %-14s  %s\n", l[0], l[1])
	}
	return b.String()
}

func (e Exact) text() string {
	return fmt.Sprintf("Exact set, sorted slice\n  64-bit hashes %s, keys of %d bytes %s, the filter %s\n  %s\n",
		units.Bytes(e.HashesBytes), e.KeyBytes, units.Bytes(e.KeysBytes), units.Bytes(e.FilterBytes), strings.Join(e.Advice, "\n  "))
}

// variantRows returns the table of the variants; n and p are columns where they differ from the answer's.
func (r Report) variantRows() [][]string {
	ownN, ownP := r.Ask.M > 0 && r.Ask.N == 0, r.Ask.M > 0 && r.Ask.P == 0
	row := func(name, n, p string, rest ...string) []string {
		out := []string{name}
		if ownN {
			out = append(out, n)
		}
		if ownP {
			out = append(out, p)
		}
		return append(out, rest...)
	}
	rows := [][]string{row("variant", "n", "p", "bits", "size", "bits/key", "k", "fill/load", "FPR", "least bits/key", "overhead", "")}
	for _, v := range r.Variants {
		if v.Refused != "" {
			rows = append(rows, row(v.Variant, "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", v.Refused))
			continue
		}
		bits, least := "-", (*float64)(nil)
		if v.Bits > 0 {
			bits = units.Grouped(v.Bits)
		}
		if v.LeastBits != nil {
			least = finite(*v.LeastBits / float64(v.N))
		}
		size := units.Bytes(v.Bytes)
		if v.Bits == 0 {
			size = "~" + size
		}
		rows = append(rows, row(v.Variant, units.Grouped(v.N), units.Rate(v.P), bits, size, fmt.Sprintf("%.4g", v.BitsPerKey),
			orDash(v.K > 0, "%d", v.K), cell(v.Occupancy, "%.3f", 1), units.Rate(v.FPR), cell(least, "%.3g", 1),
			cell(v.Overhead, "%.1f %%", 100), strings.Join(v.Notes, "; ")))
	}
	return rows
}

// overfullRows returns the table of the filters with more keys than they were sized for.
func (r Report) overfullRows() [][]string {
	head := []string{"variant", "n"}
	for _, x := range Overfill {
		head = append(head, fmt.Sprintf("%g n", x))
	}
	formula := []string{"formula", units.Rate(r.Answer.FPR)}
	for _, p := range r.Answer.Overfull {
		formula = append(formula, units.Rate(p.FPR))
	}
	rows := [][]string{append(head, ""), append(formula, "")}
	for _, v := range r.Variants {
		if len(v.Overfull) == 0 {
			continue
		}
		row, note := []string{v.Variant, units.Rate(v.FPR)}, ""
		for _, p := range v.Overfull {
			switch {
			case p.Refuses:
				row, note = append(row, "refuses"), fmt.Sprintf("takes no more keys from load %g on; %s when full", fullLoad, units.Rate(p.FPR))
			case p.Rebuild:
				row, note = append(row, "rebuild"), "takes no key after it was built; a new one has the same FPR"
			default:
				row = append(row, units.Rate(p.FPR))
			}
		}
		rows = append(rows, append(row, note))
	}
	return rows
}

func cell(x *float64, format string, scale float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf(format, scale**x)
}

func orDash(ok bool, format string, args ...any) string {
	if !ok {
		return "-"
	}
	return fmt.Sprintf(format, args...)
}

// align sets a table in columns: names and notes to the left, numbers between them to the right.
func align(rows [][]string) string {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, c := range row {
			switch i {
			case 0:
				fmt.Fprintf(&line, "  %-*s", width[i], c)
			case len(row) - 1:
				line.WriteString("  " + c)
			default:
				fmt.Fprintf(&line, "  %*s", width[i], c)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}
