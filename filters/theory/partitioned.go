package theory

import "math"

// PartitionedFPR returns the expected FPR of a partitioned Bloom filter, (1-(1-1/s)^n)^k.
//
// k slices of s bits (m = ks), one bit a key in each; n keys held. Exact: slices are independent.
// Broder & Mitzenmacher 2004 sec. 2.1; Almeida et al. 2007. Slightly above the standard filter.
func PartitionedFPR(s, k, n float64) float64 { return math.Pow(hit(s, n), k) }

// PartitionedClassicFPR returns the textbook form (1-e^(-n/s))^k. Symbols as in PartitionedFPR.
func PartitionedClassicFPR(s, k, n float64) float64 { return BloomClassicFPR(s*k, k, n) }

// PartitionedInstanceSD returns the standard deviation of the FPR between instances of a partitioned
// Bloom filter.
//
// Symbols as in PartitionedFPR. The FPR is a product of k independent slice fills of mean f and
// variance v: Var = f^2k [(1+v/f^2)^k - 1].
func PartitionedInstanceSD(s, k, n float64) float64 {
	fill := hit(s, n)
	if n <= 0 || s <= 1 || fill <= 0 {
		return 0
	}
	rel := math.Sqrt(occupancyVar(s, n)) / (s * fill)
	return math.Pow(fill, k) * math.Sqrt(math.Expm1(k*math.Log1p(rel*rel)))
}

// PartitionedExcess returns by what fraction the FPR of a partitioned filter exceeds that of a
// standard one with the same ks bits.
//
// Symbols as in PartitionedFPR, all whole and k <= 128; precise also where the two are nearly equal.
func PartitionedExcess(s, k, n float64) float64 {
	if n <= 0 || s <= 0 {
		return 0
	}
	standard := occupancyMoment(s*k, k*n, k)
	if standard == nil {
		return PartitionedFPR(s, k, n)/BloomSecondOrderFPR(s*k, k, n) - 1
	}
	return excess(bigMeanFill(standard.Prec(), s, n, k), standard)
}
