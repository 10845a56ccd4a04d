package partitioned

import (
	"filterlab/filters"
	"filterlab/filters/theory"
)

// model predicts the filter: the FPR is exact for independent probes, since slices do not share
// keys' luck, plus the keys whose whole 64-bit hashes meet.
func model(p filters.Params) (filters.Model, error) {
	slice, slices, err := shape(p)
	if err != nil {
		return filters.Model{}, err
	}
	s, k := 64*float64(slice), float64(slices)
	return filters.Model{
		Formula: "(1-(1-1/s)^n)^k",
		Source:  "Broder & Mitzenmacher 2004, sec. 2.1; Almeida et al. 2007",
		Bits:    64 * slice * uint64(slices),
		K:       slices,
		FPR: func(n uint64) float64 {
			return theory.WithHashFloor(theory.PartitionedFPR(s, k, float64(n)), theory.HashWidthFloor(64, float64(n)))
		},
		SD: func(n uint64) float64 { return theory.PartitionedInstanceSD(s, k, float64(n)) },
		Occupancy: func(n uint64) float64 {
			return theory.PartitionedFPR(s, 1, float64(n)) // the fill ratio of one slice
		},
	}, nil
}
