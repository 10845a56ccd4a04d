package theory

import (
	"math"
	"math/big"
)

// BloomFill returns the expected fill ratio of a Bloom filter and its standard deviation between
// instances.
//
// m bits, k hash functions, n keys held. Mean 1-(1-1/m)^(kn), variance of classic occupancy
// (Johnson & Kotz 1977).
func BloomFill(m, k, n float64) (mean, sd float64) {
	if m <= 0 {
		return 1, 0
	}
	return hit(m, k*n), math.Sqrt(occupancyVar(m, k*n)) / m
}

// BloomInstanceSD returns the standard deviation of the FPR between instances of a Bloom filter.
//
// m bits, k hash functions, n keys held. Var f = E[(X/m)^2k] - E[(X/m)^k]^2, exact where m and n are
// whole and k <= 64, otherwise BloomInstanceSDDelta. Relative to the FPR about 3.8/sqrt(m) at k = 7.
func BloomInstanceSD(m, k, n float64) float64 {
	if n <= 0 || m <= 1 {
		return 0
	}
	first, second := occupancyMoment(m, k*n, k), occupancyMoment(m, k*n, 2*k)
	if first == nil || second == nil {
		return BloomInstanceSDDelta(m, k, n)
	}
	square := new(big.Float).SetPrec(second.Prec()).Mul(first, first)
	variance, _ := second.Sub(second, square).Float64()
	return math.Sqrt(max(0, variance))
}

// BloomInstanceSDDelta returns k fill^(k-1) sd(fill), the standard deviation of the FPR between
// instances by the delta method.
//
// Symbols as in BloomInstanceSD. Off by 2 % at m = 64, 7e-6 at m = 1e6.
func BloomInstanceSDDelta(m, k, n float64) float64 {
	mean, sd := BloomFill(m, k, n)
	return k * math.Pow(mean, k-1) * sd
}

// BloomEstimateN returns the number of keys held, estimated from ones bits set, and the standard
// deviation of that estimate: -(m/k) ln(1-ones/m) and sqrt(m(e^c-1-c))/k, c = kn/m.
//
// m bits, k hash functions. Swamidass & Baldi 2007; variance by the delta method. A filter with every
// bit set is saturated: both are +Inf.
func BloomEstimateN(m, k, ones float64) (n, sd float64) {
	if m <= 0 || ones >= m {
		return math.Inf(1), math.Inf(1)
	}
	c := -math.Log1p(-max(0, ones) / m)
	return m / k * c, math.Sqrt(m*expm1Linear(c)) / k
}

// BloomCapacity returns the number of keys at which the classic FPR reaches p, -(m/k) ln(1-p^(1/k)).
//
// m bits, k hash functions, 0 <= p < 1; +Inf at p >= 1. Inverse of BloomClassicFPR.
func BloomCapacity(m, k, p float64) float64 {
	if p >= 1 {
		return math.Inf(1)
	}
	return -m / k * math.Log1p(-math.Pow(max(0, p), 1/k))
}

// BloomOverfill returns the classic FPR and fill ratio of a filter of m bits and k hash functions
// that holds x times its n keys.
func BloomOverfill(m, k, n, x float64) (fpr, fill float64) {
	return BloomClassicFPR(m, k, x*n), classicFill(m, k, x*n)
}

// SetOperation is what to expect of the bit arrays of two Bloom filters A and B combined by OR or AND.
type SetOperation struct {
	FillOr, FillAnd, FillIntersection float64 // fill ratios; Intersection is a filter built of A and B's common keys
	FPROr, FPRAnd, FPRIntersection    float64 // FPR for a key in neither
}

// BloomSetOperation returns what to expect of two filters with a and b keys, shared of them common.
//
// m bits, k hash functions and the hashes equal in both. OR is the filter of the union exactly; AND
// is fuller than the filter of the intersection. Broder & Mitzenmacher 2004. FPRs are fill^k, short
// of a term O(1/m).
func BloomSetOperation(m, k, a, b, shared float64) SetOperation {
	union := a + b - shared
	fillA, fillB := hit(m, k*a), hit(m, k*b)
	// 1-q^a-q^b+q^union, written as a sum of positive terms
	and := fillA*fillB + math.Exp(logMiss(m, k*union))*hit(m, k*shared)
	s := SetOperation{FillOr: hit(m, k*union), FillAnd: and, FillIntersection: hit(m, k*shared)}
	s.FPROr, s.FPRAnd, s.FPRIntersection = math.Pow(s.FillOr, k), math.Pow(and, k), math.Pow(s.FillIntersection, k)
	return s
}

// DistinctDraws returns how many distinct keys to expect among draws from a universe of keys of that
// size, and the share of draws that repeat one: U(1-(1-1/U)^N).
//
// Classic occupancy. A filter sees only the distinct ones.
func DistinctDraws(universe, draws float64) (distinct, repeated float64) {
	if draws <= 0 {
		return 0, 0
	}
	again := repeats(universe, draws)
	return draws - again, again / draws
}

// sumDirectly is up to how many keys AlreadyPresent sums term by term.
const sumDirectly = 1 << 20

// AlreadyPresent returns how many of n distinct keys to expect to test positive just before they are
// added to a Bloom filter: the sum of the FPR at 0..n-1 keys held.
//
// m bits, k hash functions; fpr is BloomClassicFPR or BloomFPR. Such keys set no bit, so the process
// is the same with or without them. Beyond 1,048,576 keys the sum is taken as the integral over n,
// corrected at its ends (Euler-Maclaurin).
func AlreadyPresent(m, k, n float64, fpr func(m, k, n float64) float64) float64 {
	sum := 0.0
	if n <= sumDirectly {
		for i := 0.0; i < n; i++ {
			sum += fpr(m, k, i)
		}
		return sum
	}
	const steps = 4096 // Simpson's rule, over n/4096 keys a step
	h := n / steps
	for i := range steps + 1 {
		weight := 2.0
		switch {
		case i == 0 || i == steps:
			weight = 1
		case i%2 == 1:
			weight = 4
		}
		sum += weight * fpr(m, k, float64(i)*h)
	}
	return max(0, sum*h/3-fpr(m, k, n)/2)
}

// QueriesMatchingInstances returns how many queries of one instance have as much binomial variance as
// there is between instances, f(1-f)/sd^2: with more, other instances tell more than other queries.
//
// f the mean FPR, sd its standard deviation between instances; +Inf at sd = 0.
func QueriesMatchingInstances(f, sd float64) float64 {
	if sd <= 0 {
		return math.Inf(1)
	}
	return f * (1 - f) / (sd * sd)
}
