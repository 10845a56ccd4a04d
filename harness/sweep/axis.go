// Package sweep makes the cases of a sweep: one quantity is varied over a range, and all else stays.
package sweep

import (
	"fmt"
	"strconv"
	"strings"

	"filterlab/filters"
	"filterlab/filters/spec"
	"filterlab/harness/units"
)

// An Axis is a quantity that can be swept, with what a sweep over it is when nothing else is said.
type Axis struct {
	Name, Doc string
	Variants  string    // default list of specs; empty: every variant whose FPR is a claim
	N         uint64    // default n
	P         float64   // default p
	At        []float64 // default points
	Trials    int       // least of each case, where the verdict does not need more

	least, most float64 // both allowed
	whole       bool    // points are whole numbers
	log         bool    // points are spaced by ratio; otherwise by difference
	read        func(text string) (float64, error)
	cases       func(b base, v filters.Bound, x float64) ([]Point, error)
}

// Counts may do with few instances where these hardly differ; the median of times needs more.
const (
	forCounts = 3
	forTimes  = 10
)

// Axes returns the axes that can be swept.
func Axes() []Axis {
	const n, p = 100_000, 0.01
	bloomLike := "bloom,counting,partitioned,classic"
	frontier := bloomLike + ",cuckoo,blocked,cuckoo-own,fuse" // one of each kind: more would hide each other
	return []Axis{
		{Name: "n", Doc: "keys that the filter is sized for and holds", Variants: bloomLike, P: p, Trials: forCounts,
			At:    []float64{1e4, 2.154e4, 4.642e4, 1e5, 2.154e5, 4.642e5, 1e6, 2.154e6, 4.642e6, 1e7},
			least: 1, most: 1e12, whole: true, log: true, read: readCount, cases: atN},
		{Name: "p", Doc: "target FPR", Variants: frontier, N: n, Trials: forCounts,
			At:    []float64{0.001, 0.001778, 0.003162, 0.005623, 0.01, 0.01778, 0.03162, 0.05623, 0.1},
			least: 1e-9, most: 0.99, log: true, read: units.ParseRate, cases: atP},
		{Name: "k", Doc: "hash functions, at the same bits per key", Variants: "classic", N: n, P: p, Trials: forTimes,
			At:    []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20},
			least: 1, most: filters.MaxProbes, whole: true, read: readCount, cases: atK},
		{Name: "bits", Doc: "bits per key; p follows from them", Variants: frontier, N: n, P: p, Trials: forCounts,
			At:    []float64{4, 6, 8, 10, 12, 14, 16, 18, 20},
			least: 0.1, most: 1000, read: readNumber, cases: atBits},
		{Name: "load", Doc: "load factor of a table of slots", Variants: "cuckoo:load=1", N: 1 << 18, P: p, Trials: forTimes,
			At:    []float64{0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.99, 1},
			least: 0.01, most: 1, read: units.ParseRate, cases: atLoad},
		{Name: "fill", Doc: "keys held per key sized for", Variants: bloomLike + ",cuckoo", N: n, P: p, Trials: forCounts,
			At:    []float64{0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 1, 1.2, 1.5, 2, 3, 4, 5},
			least: 0.01, most: 20, read: units.ParseRate, cases: atFill},
		{Name: "dup", Doc: "share of n adds that repeat a key added before", Variants: bloomLike + ",cuckoo", N: n, P: p, Trials: forCounts,
			At:    []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8},
			least: 0, most: 0.95, read: units.ParseRate, cases: atDup},
		{Name: "estimate", Doc: "error of the estimate of n, to either side", Variants: "bloom,cuckoo", N: n, P: 0.001, Trials: forCounts,
			At:    []float64{0.01, 0.05, 0.2, 0.5},
			least: 0.001, most: 0.99, log: true, read: units.ParseRate, cases: atEstimate},
	}
}

// Names returns the names of the axes.
func Names() []string {
	var names []string
	for _, a := range Axes() {
		names = append(names, a.Name)
	}
	return names
}

func readCount(text string) (float64, error) {
	n, err := spec.Count(text)
	return float64(n), err
}

func readNumber(text string) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number such as 8 or 9.6", text)
	}
	return x, nil
}

// write returns x as it is written in a range and read back.
func write(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
