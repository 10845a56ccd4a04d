package theory

import "math"

// Overhead returns by what fraction bitsPerKey exceeds the information-theoretic log2(1/fpr).
//
// Measured bits per key and FPR. An ideal Bloom filter has 1/ln 2 - 1 = 44.3 %. +Inf where the FPR is
// 1 or more, and -1 at an FPR of 0, where no finite number of bits would do.
func Overhead(bitsPerKey, fpr float64) float64 {
	if fpr >= 1 {
		return math.Inf(1)
	}
	return bitsPerKey/-math.Log2(max(0, fpr)) - 1
}

// LowerBound returns the least bits per key of any filter with FPR p in an unbounded universe,
// log2(1/p). 0 < p <= 1. Carter, Floyd, Gill, Markowsky & Wegman 1978.
func LowerBound(p float64) float64 { return -math.Log2(p) }

// LowerBoundFinite returns the least bits per key of any filter of n keys with FPR p over a finite
// universe of U keys, log2[C(U,n)/C(n+p(U-n),n)]/n. 1 <= n <= U. Counting argument.
func LowerBoundFinite(universe, n, p float64) float64 {
	return (log2Choose(universe, n) - log2Choose(n+p*(universe-n), n)) / n
}

// LowerBoundExact returns the bits per key that an exact set of n out of U keys needs,
// log2 C(U,n)/n. 1 <= n <= U.
func LowerBoundExact(universe, n float64) float64 { return log2Choose(universe, n) / n }

// LowerBoundDynamic returns the least bits per key of a filter of n keys with FPR p that takes inserts
// and deletes, log2 C(n/p, n)/n.
//
// n >= 1, 0 < p < 1. Kuszmaul & Walzer 2024 for p -> 0; Lovett & Porat 2010 that a constant factor
// above the static bound is needed at any p.
func LowerBoundDynamic(n, p float64) float64 { return log2Choose(n/p, n) / n }

// LowerBoundDynamicLimit returns LowerBoundDynamic for many keys and small p, log2(1/p)+log2(e).
func LowerBoundDynamicLimit(p float64) float64 { return LowerBound(p) + math.Log2E }
