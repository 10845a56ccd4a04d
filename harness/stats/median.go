package stats

import (
	"math"
	"slices"
	"sort"
)

// Median returns the middle value, the mean of the two middle ones of an even number; NaN of none.
func Median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(x))
	upper := sorted[len(x)/2]
	return sorted[(len(x)-1)/2]/2 + upper/2
}

// MedianCI returns the interval between two of the values that covers the median at confidence
// conf or more; ok is false when there are too few values (fewer than 6 at 95 %).
func MedianCI(x []float64, conf float64) (lo, hi float64, ok bool) {
	l, u, _, ok := MedianRanks(len(x), conf)
	if !ok {
		return math.NaN(), math.NaN(), false
	}
	sorted := slices.Sorted(slices.Values(x))
	return sorted[l-1], sorted[u-1], true
}

// MedianRanks returns the ranks 1..n of the order statistics that enclose the median at confidence
// conf, and the confidence they have; ok is false when n is too small.
//
// Coverage sum over i = l..u-1 of C(n,i)/2^n with u = n+1-l and the largest l that reaches conf
// (Thompson 1936). It holds for any continuous distribution.
func MedianRanks(n int, conf float64) (l, u int, coverage float64, ok bool) {
	outside := func(l int) float64 { return 2 * atMost(uint64(l-1), uint64(n), 0.5) }
	l = sort.Search(n/2, func(i int) bool { return 1-outside(i+1) < conf })
	if l == 0 {
		return 0, 0, 0, false
	}
	return l, n + 1 - l, 1 - outside(l), true
}

// BootstrapMedian returns the exact percentile bootstrap of the median of n distinct values, the
// limit of ever more resamples: cdf[i-1] is the probability that a resample's median is at most the
// i-th smallest value, and the interval at confidence conf goes from rank lo to rank hi.
//
// P(Bin(n,i/n) >= (n+1)/2) (Efron 1979; Maritz & Jarrett 1978). For even n the cdf is that of the
// lower of the two middle values.
func BootstrapMedian(n int, conf float64) (cdf []float64, lo, hi int) {
	cdf = make([]float64, n)
	for i := range cdf {
		cdf[i] = atLeast(uint64(n+1)/2, uint64(n), float64(i+1)/float64(n))
	}
	lo = 1 + sort.SearchFloat64s(cdf, (1-conf)/2)
	return cdf, lo, n + 1 - lo
}
