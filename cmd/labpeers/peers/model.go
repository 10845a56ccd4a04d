package peers

import (
	"fmt"
	"math"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// A table is the two numbers that the formulas of a Bloom filter need: m bits and k probes.
type table struct{ m, k float64 }

// checkSize refuses parameters out of range, and n and p that ask for more than our own filters
// build: most packages would ask for the memory regardless.
func checkSize(p filters.Params) error {
	if err := p.Check(); err != nil {
		return err
	}
	_, err := filters.TableWords(theory.SizeBloom(float64(p.N), p.P).Bits)
	return err
}

// doubleHashed returns the model of a Bloom filter whose probes are h1 + i h2 modulo m, of a table
// that takes so many bits.
func (t table) doubleHashed(bits uint64, source string) filters.Model {
	fpr := func(n uint64) float64 { return theory.DoubleHashFPR(theory.DoubleHash, t.m, t.k, float64(n)) }
	return filters.Model{
		Formula: "E[(X/m)^k] + C/m, X bits set; C: equal steps of double hashing",
		Source:  "Bose et al. 2008; Dillinger & Manolios 2004; " + source,
		Bits:    bits,
		K:       int(t.k),
		FPR:     fpr,
		SD: func(n uint64) float64 {
			return theory.BloomInstanceSD(t.m, t.k, float64(n)) + t.stepSD(float64(n), fpr(n))
		},
		Occupancy: t.fill,
	}
}

// stepSD returns what equal steps add to the standard deviation between instances, at most: as if
// the extra FPR came in whole keys, each with the same chance.
func (t table) stepSD(n, fpr float64) float64 {
	extra := fpr - theory.BloomFPR(t.m, t.k, n)
	return max(0, extra) / math.Sqrt(max(1, n))
}

func (t table) fill(n uint64) float64 {
	mean, _ := theory.BloomFill(t.m, t.k, float64(n))
	return mean
}

// independent returns the model of a Bloom filter with probes as good as independent.
func (t table) independent(bits uint64, source string) filters.Model {
	return filters.Model{
		Formula: "E[(X/m)^k], X bits set",
		Source:  "Bose et al. 2008; " + source,
		Bits:    bits,
		K:       int(t.k),
		FPR: func(n uint64) float64 {
			return theory.WithHashFloor(theory.BloomFPR(t.m, t.k, float64(n)), theory.HashWidthFloor(64, float64(n)))
		},
		SD:        func(n uint64) float64 { return theory.BloomInstanceSD(t.m, t.k, float64(n)) },
		Occupancy: t.fill,
	}
}

// tooMany is the error of more keys than a package can count.
func tooMany(name string, n, most uint64) error {
	return fmt.Errorf("%s: n = %d, and the package takes %d keys at most: lower n", name, n, most)
}
