package theory

import "math"

// GuardSaved returns the share of all lookups that a filter in front of a store saves, q(1-f).
//
// q share of absent keys among lookups, f FPR.
func GuardSaved(q, f float64) float64 { return q * (1 - f) }

// GuardCost returns the mean cost of a lookup behind a filter, tFilter + (1-q+qf) tStore.
//
// q share of absent keys, f FPR; costs in one unit, tStore the same for present and absent keys.
func GuardCost(q, f, tFilter, tStore float64) float64 { return tFilter + MaybeRate(q, f)*tStore }

// GuardBreakEven returns the share of absent keys above which a filter pays,
// (tFilter/tStore)/(1-f); +Inf where it never does.
func GuardBreakEven(f, tFilter, tStore float64) float64 {
	if f >= 1 || tStore <= 0 {
		return math.Inf(1)
	}
	return tFilter / tStore / (1 - f)
}

// MaybeRate returns the share of lookups a filter lets through, 1-q+qf. Symbols as in GuardSaved.
func MaybeRate(q, f float64) float64 { return 1 - q + q*f }

// WrongAmongMaybe returns the share of absent keys among the lookups a filter lets through,
// qf/(qf+1-q): the false discovery rate.
//
// q share of absent keys, f FPR. It is a property of the workload, and 1 at q = 1 for any f > 0.
func WrongAmongMaybe(q, f float64) float64 {
	if q*f <= 0 {
		return 0
	}
	return q * f / MaybeRate(q, f)
}

// FPRFromWrongAmongMaybe returns the FPR behind a false discovery rate, fdr (1-q)/(q (1-fdr)).
//
// 0 < q < 1 and 0 <= fdr < 1, else +Inf: then the rate says nothing about the FPR.
func FPRFromWrongAmongMaybe(q, fdr float64) float64 {
	if q <= 0 || q >= 1 || fdr >= 1 {
		return math.Inf(1)
	}
	return fdr * (1 - q) / (q * (1 - fdr))
}

// NegativeCost returns the cost of one lookup of an absent key, tLookup + fpr tWork.
//
// tLookup cost of asking the filter, tWork of the work a false positive causes. The rho of Lang,
// Neumann, Kemper & Boncz 2019.
func NegativeCost(tLookup, fpr, tWork float64) float64 { return tLookup + fpr*tWork }

// CrossoverWork returns the cost of wasted work above which filter B, slower and more precise than A,
// is the better one: (tB-tA)/(fA-fB).
//
// Lookup costs tA, tB and FPRs fA > fB; +Inf where B is not more precise. Lang et al. 2019.
func CrossoverWork(tA, fA, tB, fB float64) float64 {
	if fA <= fB {
		return math.Inf(1)
	}
	return (tB - tA) / (fA - fB)
}

// OptimalHashes returns the number of hash functions that minimises k tProbe + 2^-k tWork, and that
// minimum: k = log2(ln 2 tWork/tProbe), not below 0.
//
// tProbe > 0 cost of a probe, all k of them made; tWork > 0 cost of a false positive; fill 1/2.
func OptimalHashes(tProbe, tWork float64) (k, cost float64) {
	k = max(0, math.Log2(math.Ln2*tWork/tProbe))
	return k, k*tProbe + math.Exp2(-k)*tWork
}

// ExpectedProbes returns the expected probes of an absent key in a Bloom filter that stops at the
// first clear bit, (1-fill^k)/(1-fill).
//
// fill ratio 0..1, k hash functions. A member takes k.
func ExpectedProbes(fill float64, k int) float64 {
	sum, power := 0.0, 1.0
	for range k {
		sum += power
		power *= fill
	}
	return sum
}

// MixedLatency returns the mean time of a lookup, (1-a) tAbsent + a tPresent.
//
// a: share of members among lookups; times in one unit.
func MixedLatency(a, tAbsent, tPresent float64) float64 { return (1-a)*tAbsent + a*tPresent }
