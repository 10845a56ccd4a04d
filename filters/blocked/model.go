package blocked

import (
	"fmt"
	"math"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// model predicts the filter. Blocks are taken as equally likely, which 32 bits of hash make them to
// 0.1 % of the FPR up to 2^28 blocks (8 GB split, 17 GB line).
func model(p filters.Params) (filters.Model, error) {
	blocks, size, err := shape(p)
	if err != nil {
		return filters.Model{}, err
	}
	lane, count := 8*float64(size), float64(blocks)
	return filters.Model{
		Formula: fmt.Sprintf("mean of (1-(%g/%g)^i)^8 over binomial block loads i", lane-1, lane),
		Source:  "Putze, Sanders & Singler 2007; Apache Parquet, BloomFilter.md; and keys that agree in 32 bits",
		Bits:    64 * size * blocks,
		K:       8,
		FPR:     func(n uint64) float64 { return fpr(lane, count, float64(n)) },
		SD:      func(n uint64) float64 { return theory.LanesInstanceSD(lane, count, float64(n)) },
		Occupancy: func(n uint64) float64 {
			return theory.PartitionedFPR(lane*count, 1, float64(n)) // the fill ratio of all first lanes
		},
	}, nil
}

// fpr returns the FPR of a number of blocks of 8 lanes of so many bits that hold n keys, including keys
// that have a member's block and its 32 bits which choose the rest.
func fpr(lane, blocks, n float64) float64 {
	return theory.WithHashFloor(theory.LanesFiniteFPR(lane, blocks, n), theory.HashWidthFloor(32+math.Log2(blocks), n))
}

// shape returns the smallest number of blocks that meets p at n keys by the model, and the words of a
// block.
func shape(p filters.Params) (blocks, size uint64, err error) {
	if err := p.Check(); err != nil {
		return 0, 0, err
	}
	least := -float64(p.N) * math.Log2(p.P) // bits of any filter
	if _, err := filters.TableWords(least); err != nil {
		return 0, 0, err
	}
	size = splitWords
	if p.Knobs["layout"] == "line" {
		size = lineWords
	}
	meets := func(blocks float64) bool { return fpr(8*float64(size), blocks, float64(p.N)) <= p.P }
	low, high := 0.0, math.Ceil(least/(64*float64(size))) // high will meet p or be too large, low does not
	for high <= maxBlocks && !meets(high) {
		low, high = high, 2*high
	}
	for high-low > 1 {
		if mid := math.Floor((low + high) / 2); meets(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	words, err := filters.TableWords(64 * float64(size) * high)
	return words / size, size, err
}
