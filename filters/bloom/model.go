package bloom

import (
	bab "github.com/bits-and-blooms/bloom/v3"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// Variant describes the filter: bloom, without knobs.
func Variant() filters.Variant {
	return filters.Variant{
		Name:       "bloom",
		Doc:        "standard Bloom filter of bits-and-blooms/bloom/v3",
		Concurrent: true,
		New:        newFilter,
		Model:      model,
	}
}

func newFilter(p filters.Params) (filters.Filter, error) {
	m, k, err := shape(p)
	if err != nil {
		return nil, err
	}
	return &Filter{bab.New(m, k), newHashing(uint64(m), int(k))}, nil
}

// shape returns the bits and probes that the package chooses for p. The package itself hangs on
// n = 0 and asks for 2^63 bits at a p out of range, so neither gets there.
func shape(p filters.Params) (m, k uint, err error) {
	if err := p.Check(); err != nil {
		return 0, 0, err
	}
	if _, err := filters.TableWords(theory.SizeBloom(float64(p.N), p.P).Bits); err != nil {
		return 0, 0, err
	}
	m, k = bab.EstimateParameters(uint(p.N), p.P)
	return m, k, nil
}

func model(p filters.Params) (filters.Model, error) {
	m, k, err := shape(p)
	if err != nil {
		return filters.Model{}, err
	}
	mf, kf := float64(m), float64(k)
	hashes := newHashing(uint64(m), int(k))
	return filters.Model{
		Formula: "E[(X/m)^k] c, X bits set, m = ceil(n ln(1/p) / ln(2)^2), k = ceil((m/n) ln(2)); " +
			"c: what two steps shared by k probes add, 1 + O(1/m)",
		Source: "Bose et al. 2008; sizes and hashing as in bits-and-blooms/bloom v3.7.1, which rounds k up: " +
			"1.0039 % at p = 1 %. c is our own derivation: 1.5 at n = 50..200 and p = 1e-6, nothing to see at p >= 0.1 % from n = 1,000 on; " +
			"being first order it is up to 5 % too high at n = 50 and p = 1 %, more below",
		Bits: (uint64(m) + 63) / 64 * 64,
		K:    int(k),
		FPR: func(n uint64) float64 {
			fill, _ := theory.BloomFill(mf, kf, float64(n))
			return min(1, theory.BloomFPR(mf, kf, float64(n))*hashes.factor(fill))
		},
		SD: func(n uint64) float64 {
			fill, _ := theory.BloomFill(mf, kf, float64(n))
			return theory.BloomInstanceSD(mf, kf, float64(n)) * hashes.factor(fill)
		},
		Occupancy: func(n uint64) float64 {
			fill, _ := theory.BloomFill(mf, kf, float64(n))
			return fill
		},
	}, nil
}
