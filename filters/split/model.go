package split

import (
	"filterlab/filters"
	"filterlab/filters/theory"
)

// model predicts the filter as if it were not cut, since it sets the same bits.
func model(p filters.Params) (filters.Model, error) {
	words, probes, err := shape(p)
	if err != nil {
		return filters.Model{}, err
	}
	m, k := 64*float64(words), float64(probes)
	return filters.Model{
		Formula: "E[(X/m)^k], X bits set by kn throws into m",
		Source:  "Bose et al. 2008; to second order in Var X where m > 131072",
		Bits:    64 * words,
		K:       probes,
		FPR: func(n uint64) float64 {
			fpr := theory.BloomFPR(m, k, float64(n))
			return theory.WithHashFloor(fpr, theory.HashWidthFloor(64, float64(n)))
		},
		SD: func(n uint64) float64 { return theory.BloomInstanceSD(m, k, float64(n)) },
		Occupancy: func(n uint64) float64 {
			mean, _ := theory.BloomFill(m, k, float64(n))
			return mean
		},
	}, nil
}
