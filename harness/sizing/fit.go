package sizing

import (
	"fmt"
	"math"

	"filterlab/filters"
	"filterlab/filters/theory"
	"filterlab/harness/units"
)

// worstP is the highest target FPR a search asks a variant for.
const worstP = 0.99

// fitP returns the least target FPR, to one in a million, with which the variant for n keys fits m
// bits. A variant whose size does not depend on p is asked for the p of the formula.
func fitP(b filters.Bound, s Solution) (float64, error) {
	size := func(p float64) float64 { return sizeOf(b, s.N, p) }
	lo := max(theory.HashWidthFloor(hashBits, float64(s.N)), math.SmallestNonzeroFloat64)
	if size(worstP) > float64(s.M) {
		return 0, doesNotFit(b, s, s.N, worstP)
	}
	if size(lo) == size(worstP) {
		return min(s.P, worstP), nil
	}
	good, bad := math.Log(worstP), math.Log(lo)
	if size(lo) <= float64(s.M) {
		return lo, nil
	}
	for good-bad > 1e-6 {
		mid := (good + bad) / 2
		if size(math.Exp(mid)) <= float64(s.M) {
			good = mid
		} else {
			bad = mid
		}
	}
	return math.Exp(good), nil
}

// fitFPR returns the target to ask of a variant whose hash functions are given, so that its FPR at n
// keys meets p: the variant sizes its table for the best number of them.
func fitFPR(b filters.Bound, s Solution) (float64, error) {
	meets := func(target float64) bool {
		model, err := b.Model(b.Params(s.N, target, 0))
		return err == nil && model.FPR(s.N) <= s.P*(1+slack)
	}
	if meets(s.P) {
		return s.P, nil
	}
	bad, good := math.Log(s.P), math.Log(theory.HashWidthFloor(hashBits, float64(s.N)))
	if !meets(math.Exp(good)) {
		return 0, fmt.Errorf("%s does not reach p = %s at any size", b, units.Rate(s.P))
	}
	for bad-good > 1e-6 {
		if mid := (good + bad) / 2; meets(math.Exp(mid)) {
			good = mid
		} else {
			bad = mid
		}
	}
	return math.Exp(good), nil
}

// fitN returns the most keys for which the variant at target FPR p fits m bits.
func fitN(b filters.Bound, s Solution) (uint64, error) {
	fits := func(n uint64) bool { return sizeOf(b, n, s.P) <= float64(s.M) }
	if !fits(1) {
		return 0, doesNotFit(b, s, 1, s.P)
	}
	good, bad := uint64(1), uint64(2)
	for ; bad < maxBits && fits(bad); bad *= 2 {
		good = bad
	}
	for bad-good > 1 {
		if mid := good + (bad-good)/2; fits(mid) {
			good = mid
		} else {
			bad = mid
		}
	}
	return good, nil
}

// sizeOf returns the bits of the variant for n keys at p, +Inf where it refuses them.
func sizeOf(b filters.Bound, n uint64, p float64) float64 {
	model, err := b.Model(b.Params(n, p, 0))
	if err != nil {
		return math.Inf(1)
	}
	return bitsOf(model)
}

// doesNotFit says what the variant needs at the least, or why it refuses.
func doesNotFit(b filters.Bound, s Solution, n uint64, p float64) error {
	model, err := b.Model(b.Params(n, p, 0))
	if err != nil {
		return err
	}
	return fmt.Errorf("does not fit %s: %s keys take %s at the least", units.Bytes(s.Bytes()), units.Grouped(n),
		units.Bytes(uint64(math.Ceil(bitsOf(model)/8))))
}
