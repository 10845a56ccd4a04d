package reports

import (
	"fmt"
	"slices"

	"filterlab/filters/spec"
	"filterlab/harness"
	"filterlab/harness/evenness"
	"filterlab/harness/stats"
)

// A HashStudy is what hashes showed on key shapes: the results of every combination, at one or more
// n and p, and how evenly the bits of their tables lie.
type HashStudy struct {
	Hashes  []Described // by the value of the variant's knob hash; the first is the good one
	Shapes  []Described // by workload, each with an example of a key; the last is random
	Results []harness.Result
	Tables  []evenness.Row
}

// A Described is a name with what it stands for.
type Described struct{ Name, Doc string }

// A hashGrid is the combinations at one n and p.
type hashGrid struct {
	N     uint64
	P     float64
	Cells [][]hashCell // by hash, then shape
}

// A hashCell is one combination; it is not Known where nothing was measured.
type hashCell struct {
	Case
	Known bool
	Over  float64 // observed / formula
}

// flagged reports whether the FPR contradicts the formula.
func (c hashCell) flagged() bool {
	verdict, _ := c.Verdict()
	return c.Known && (verdict == "above" || verdict == "below")
}

// grids sorts the results into one grid for each n and p, in the order in which they first come.
func (s HashStudy) grids() []hashGrid {
	var out []hashGrid
	for _, c := range Cases(s.Results) {
		h, shape := s.indexHash(c.Variant), s.indexShape(c.Workload)
		ratio, _, _, ok := c.Ratio()
		if h < 0 || shape < 0 || !ok {
			continue
		}
		at := slices.IndexFunc(out, func(g hashGrid) bool { return g.N == c.N && g.P == c.P })
		if at < 0 {
			at = len(out)
			cells := make([][]hashCell, len(s.Hashes))
			for i := range cells {
				cells[i] = make([]hashCell, len(s.Shapes))
			}
			out = append(out, hashGrid{c.N, c.P, cells})
		}
		out[at].Cells[h][shape] = hashCell{c, true, ratio}
	}
	return out
}

// title names the n and p of a grid.
func (g hashGrid) title() string { return "n = " + count(g.N) + ", p = " + percent(g.P) }

// table returns the test of one combination.
func (s HashStudy) table(hash, shape int) (evenness.Row, bool) {
	for _, r := range s.Tables {
		if s.indexHash(r.Variant) == hash && s.indexShape(r.Workload) == shape {
			return r, true
		}
	}
	return evenness.Row{}, false
}

func (s HashStudy) indexHash(variant string) int {
	name := s.Hashes[0].Name
	if _, given, err := spec.Parse(variant); err == nil && given["hash"] != "" {
		name = given["hash"]
	}
	return slices.IndexFunc(s.Hashes, func(d Described) bool { return d.Name == name })
}

func (s HashStudy) indexShape(workload string) int {
	return slices.IndexFunc(s.Shapes, func(d Described) bool { return d.Name == workload })
}

// shapeLabel names a shape in a few letters: decimal, dec x1024, le x4096, uuid4.
func shapeLabel(workload string) string {
	name, given, err := spec.Parse(workload)
	switch {
	case err != nil:
		return workload
	case name == "random-ids" && given["shape"] == "uuid":
		return "uuid4"
	case name == "random-ids":
		return "random"
	}
	label := given["shape"]
	if label == "" {
		label = "decimal"
	}
	if label == "decimal" && given["stride"] != "" {
		label = "dec"
	}
	if given["stride"] != "" {
		label += " x" + given["stride"]
	}
	return label
}

// shapeWords names a shape in a sentence.
func shapeWords(workload string) string {
	words := map[string]string{
		"decimal": "decimal ids", "user": "keys like user123", "zeros": "zero-padded ids", "spaces": "space-padded ids",
		"be": "big-endian counters", "le": "little-endian counters", "uuid1": "version 1 UUIDs", "uuid7": "version 7 UUIDs",
		"ipv4": "IPv4 addresses", "uuid4": "random UUIDs", "random": "random keys",
	}
	label := shapeLabel(workload)
	if w, ok := words[label]; ok {
		return w
	}
	return label + " keys"
}

func (s HashStudy) labels() []string {
	var out []string
	for _, d := range s.Shapes {
		out = append(out, shapeLabel(d.Name))
	}
	return out
}

// shortRatio writes a ratio in at most four characters: 1.00, 11.7, 594, 260k, 0.04, 0.
func shortRatio(x float64) string {
	switch {
	case x >= 999_500:
		return digits(x/1e6, 2) + "M"
	case x >= 999.5:
		return digits(x/1e3, 2) + "k"
	case x >= 9.995:
		return digits(x, 3)
	case x >= 0.0995:
		return fmt.Sprintf("%.2f", x)
	case x > 0:
		return digits(x, 1)
	}
	return "0"
}

// differs reports whether the same hash at the same n and p shows another FPR on these keys than on
// those.
func differs(a, b hashCell) bool {
	const limit = 4 // standard errors
	x, y := a.FPR(), b.FPR()
	z, _ := stats.TwoProportions(y.Hits, y.Of, x.Hits, x.Of)
	return a.Known && b.Known && (z > limit || z < -limit)
}
