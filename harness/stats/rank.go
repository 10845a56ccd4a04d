package stats

import (
	"math"
	"slices"
)

// mostExact is the number of values up to which the distribution of ranks is counted out: the
// counts then fit a float64 exactly.
const mostExact = 50

// MannWhitney compares two samples by ranks: u is the number of pairs with x above y, ties counting
// one half, and p the two-sided p-value, twice the smaller tail. An empty sample gives p = 1.
//
// Exact, ties included, up to 50 values together; then normal with corrections for ties and
// continuity (Mann & Whitney 1947). No p is below 2/C(n1+n2,n1): 0.0286 at 4 and 4, 0.0079 at 5 and 5.
func MannWhitney(x, y []float64) (u, p float64) {
	ranks := doubledRanks(x, y)
	sum := 0
	for _, r := range ranks[:len(x)] {
		sum += r
	}
	u = float64(sum-len(x)*(len(x)+1)) / 2
	switch {
	case len(x) == 0 || len(y) == 0:
		return u, 1
	case len(ranks) <= mostExact:
		return u, exactRankP(ranks, len(x), sum)
	}
	return u, normalRankP(ranks, len(x), sum)
}

// doubledRanks returns twice the rank of each value of x, then of y: ties share the mean of their
// ranks, which doubled is whole.
func doubledRanks(x, y []float64) []int {
	all := slices.Concat(x, y)
	sorted := slices.Sorted(slices.Values(all))
	ranks := make([]int, len(all))
	for i, v := range all {
		below, _ := slices.BinarySearch(sorted, v)
		upTo := below
		for upTo < len(sorted) && sorted[upTo] == v {
			upTo++
		}
		ranks[i] = below + 1 + upTo
	}
	return ranks
}

// exactRankP returns the two-sided p-value of the sum of the doubled ranks of the first n1 values,
// over all choices of n1 of them.
func exactRankP(ranks []int, n1, sum int) float64 {
	total := 0
	for _, r := range ranks {
		total += r
	}
	ways := make([][]float64, n1+1) // ways[k][s]: choices of k values whose doubled ranks sum to s
	for k := range ways {
		ways[k] = make([]float64, total+1)
	}
	ways[0][0] = 1
	for _, r := range ranks {
		for k := n1; k > 0; k-- {
			for s := total; s >= r; s-- {
				ways[k][s] += ways[k-1][s-r]
			}
		}
	}
	var below, above, all float64
	for s, w := range ways[n1] {
		all += w
		if s <= sum {
			below += w
		}
		if s >= sum {
			above += w
		}
	}
	return min(1, 2*min(below, above)/all)
}

// normalRankP is exactRankP by the normal approximation.
func normalRankP(ranks []int, n1, sum int) float64 {
	n := float64(len(ranks))
	share := float64(n1) / n
	spread := 0.0 // of the doubled ranks about their mean n+1
	for _, r := range ranks {
		spread += square(float64(r) - (n + 1))
	}
	variance := float64(n1) * (1 - share) * spread / (n - 1)
	if variance == 0 {
		return 1
	}
	distance := math.Abs(float64(sum) - float64(n1)*(n+1))
	return twoSided(max(0, distance-1) / math.Sqrt(variance))
}
