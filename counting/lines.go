package counting

import (
	"fmt"
	"math"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// A lined is the three numbers that the formulas of the blocked layout need: lines of b counters each,
// and k probes, with replacement.
type lined struct{ b, lines, k float64 }

// fpr returns the FPR with n keys held, including keys whose whole 64-bit hashes meet.
func (l lined) fpr(n float64) float64 {
	return theory.WithHashFloor(theory.BlockedFiniteFPR(theory.BlockExact, l.b, l.k, l.lines, n), theory.HashWidthFloor(64, n))
}

// occupancy returns the expected share of counters that are not 0 with n keys held: a key misses one
// unless it has its line and one of k probes finds it.
//
//	1 - (1 - (1-(1-1/b)^k)/lines)^n
func (l lined) occupancy(n float64) float64 {
	reach := theory.PartitionedFPR(l.b, 1, l.k)
	return theory.PartitionedFPR(l.lines/reach, 1, n)
}

// shapeLines takes the number of probes that needs least in a large filter, and then the smallest
// number of lines that meets p at n keys by the model. Where the hash alone causes more than half of p
// it sizes for the other half.
func shapeLines(p filters.Params, bits uint64) (layout, error) {
	n, b := float64(p.N), lineBits/float64(bits)
	least := -n * math.Log2(p.P) * float64(bits) // bits of any filter of as many counters
	if _, err := filters.TableWords(least); err != nil {
		return layout{}, err
	}
	target := max(p.P-theory.HashWidthFloor(64, n), p.P/2)
	k, t := bestProbes(b, target)
	low, high := 0.0, math.Ceil(least/lineBits) // high will meet the target or be too large, low does not
	for high*lineBits <= filters.MaxTableBits && t.mean(n, high) > target {
		low, high = high, 2*high
	}
	for high-low > 1 {
		if mid := math.Floor((low + high) / 2); t.mean(n, mid) <= target {
			high = mid
		} else {
			low = mid
		}
	}
	words, err := filters.TableWords(high * lineBits)
	return layout{words, words / lineWords, int(k), bits}, err
}

// modelLines predicts a filter of the blocked layout while its counters stay below their ceiling.
func modelLines(l layout) filters.Model {
	at := lined{lineBits / float64(l.bits), float64(l.lines), float64(l.k)}
	return filters.Model{
		Formula: fmt.Sprintf("mean of E[(X/%g)^k] over binomial line loads i, X counters reached by ki throws into %g", at.b, at.b),
		Source:  "Putze, Sanders & Singler 2007; Fan et al. 2000; Bose et al. 2008",
		Bits:    64 * l.words,
		K:       l.k,
		FPR:     func(n uint64) float64 { return at.fpr(float64(n)) },
		SD: func(n uint64) float64 {
			return theory.BlockedInstanceSD(theory.BlockExact, at.b, at.k, at.lines, float64(n))
		},
		Occupancy: func(n uint64) float64 { return at.occupancy(float64(n)) },
		Lost: func(c filters.Churn) float64 {
			if c.Wrong == 0 {
				return 0
			}
			return at.wrong(float64(c.Held()), float64(c.Wrong)).lost
		},
		FPRAfter: func(c filters.Churn) float64 {
			held := float64(c.Held())
			if c.Wrong == 0 {
				return at.fpr(held)
			}
			return theory.WithHashFloor(at.wrong(held, float64(c.Wrong)).fpr, theory.HashWidthFloor(64, held))
		},
	}
}
