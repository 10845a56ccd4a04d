package reports

import (
	"slices"
	"strconv"
)

// eachCase draws one measured point a case in its row.
func eachCase(cases []Case, point func(Case) (Point, bool)) []Series {
	return eachAs(cases, Dot, point)
}

func eachAs(cases []Case, mark Mark, point func(Case) (Point, bool)) []Series {
	var out []Series
	for i, c := range cases {
		if pt, ok := point(c); ok {
			pt.Y = float64(i)
			out = append(out, Series{Variant: c.Variant, Mark: mark, Points: []Point{pt}})
		}
	}
	return out
}

// anyCase reports whether some case is such.
func anyCase(cases []Case, is func(Case) bool) bool { return slices.ContainsFunc(cases, is) }

// caseCells starts a line of CSV: variant, workload, n, p.
func caseCells(c Case) []string {
	return []string{c.Variant, c.Workload, strconv.FormatUint(c.N, 10), plain(c.P)}
}

// observed writes a rate; where nothing was seen, the bound below which it lies.
func observed(r Rate) string {
	switch {
	case r.Of == 0:
		return ""
	case r.Hits == 0:
		return "< " + digits(100*r.Hi, 3) + " %"
	}
	return precise(r.Share)
}

// shareOr writes a share that may be missing.
func shareOr(share float64, ok bool) string {
	if !ok {
		return ""
	}
	return precise(share)
}

// fixedOr writes a number that may be missing.
func fixedOr(x float64, ok bool) string {
	if !ok {
		return ""
	}
	return fixed(x)
}
