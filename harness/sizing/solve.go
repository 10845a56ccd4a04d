package sizing

import (
	"fmt"
	"math"

	"filterlab/filters"
	"filterlab/filters/theory"
	"filterlab/harness/units"
)

// Formula is how the standard Bloom filter is sized.
const Formula = "m = n ln(1/p) / ln(2)^2, k = (m/n) ln(2), FPR = (1-e^(-kn/m))^k (Bloom 1970; Broder & Mitzenmacher 2004)"

// slack is the share by which an FPR may exceed p and still meet it: a whole k costs 0.4 % at p = 1 %.
const slack = 0.01

// maxBits is the largest table an answer may have, far beyond any machine.
const maxBits = 1 << 62

// A Solution is a standard Bloom filter: all of n, p, m and k.
type Solution struct {
	N   uint64  `json:"n"`    // keys
	P   float64 `json:"p"`    // target FPR; what the filter gives where none was said
	M   uint64  `json:"bits"` // m
	K   int     `json:"k"`    // hash functions
	FPR float64 `json:"fpr"`  // expected at n keys, after rounding m and k, with the floor of the hash
}

// Solve answers any of n, p, m and k from the others. Two of n, p and m will do, or k and one of n and
// m, which then fill the table by half; what is said of all four must not contradict itself.
func (a Ask) Solve() (Solution, error) {
	s := Solution{N: a.N, P: a.P, M: a.M, K: a.K}
	var err error
	switch {
	case a.N > 0 && a.P > 0 && a.M > 0:
		err = s.fit()
	case a.N > 0 && a.P > 0:
		err = s.size()
	case a.N > 0 && a.M > 0:
		if s.K == 0 {
			s.K = optimalK(s.M, s.N)
		}
	case a.M > 0 && a.P > 0:
		err = s.capacity()
	case a.K > 0 && a.N > 0:
		s.P = math.Exp2(-float64(a.K))
		err = s.size()
	case a.K > 0 && a.M > 0:
		s.N = max(1, uint64(float64(a.M)*math.Ln2/float64(a.K)))
	default:
		err = fmt.Errorf("say two of n, p and m, such as --n 10M --p 0.1%% or --n 10M --m 64MiB; k with n or with m will do too")
	}
	if err != nil {
		return Solution{}, err
	}
	s.FPR = s.fprAt(s.N)
	if s.P == 0 {
		s.P = s.FPR
	}
	return s, nil
}

// size sets m and k for n keys at p.
func (s *Solution) size() error {
	if err := checkFloor(s.N, s.P); err != nil {
		return err
	}
	bits := math.Ceil(theory.SizeBloom(float64(s.N), s.P).Bits)
	if s.K > 0 {
		bits = math.Ceil(bitsFor(s.N, s.P, s.K))
	}
	if !(bits <= maxBits) {
		return fmt.Errorf("n = %s at p = %s takes %.3g bits, more than any machine has: lower n or raise p",
			units.Grouped(s.N), units.Rate(s.P), bits)
	}
	s.M = max(1, uint64(bits))
	if s.K == 0 {
		s.K = optimalK(s.M, s.N)
	}
	return nil
}

// bitsFor returns the bits at which k hash functions and n keys give p, -kn/ln(1-p^(1/k)).
func bitsFor(n uint64, p float64, k int) float64 {
	return -float64(k) * float64(n) / math.Log1p(-math.Pow(p, 1/float64(k)))
}

// optimalK returns the number of hash functions that gives the least FPR: (m/n) ln 2 rounded to
// whichever side is better, 1..filters.MaxProbes.
func optimalK(m, n uint64) int {
	return betterSide(float64(m)/float64(n)*math.Ln2, func(k float64) float64 {
		return theory.BloomClassicFPR(float64(m), k, float64(n))
	})
}

// betterSide returns the whole number next to k, 1..filters.MaxProbes, at which cost is less.
func betterSide(k float64, cost func(k float64) float64) int {
	low := min(max(1, math.Floor(k)), filters.MaxProbes)
	if high := min(low+1, filters.MaxProbes); cost(high) < cost(low) {
		return int(high)
	}
	return int(low)
}

// capacity sets n, and k where it is open, for m bits at p.
func (s *Solution) capacity() error {
	if s.K == 0 {
		s.K = betterSide(-math.Log2(s.P), func(k float64) float64 { return -theory.BloomCapacity(float64(s.M), k, s.P) })
	}
	n := math.Floor(theory.BloomCapacity(float64(s.M), float64(s.K), s.P))
	if !(n >= 1) {
		return fmt.Errorf("m = %s bits hold no key at p = %s: raise m or p", units.Grouped(s.M), units.Rate(s.P))
	}
	s.N = uint64(min(n, maxBits))
	return checkFloor(s.N, s.P)
}

// fit sets k, where it is open, to the fewest hash functions with which m bits meet p, and is an error
// where n, p, m and k contradict one another. What the formula answers for n and p is never one, though
// a whole k may miss p by more than the slack.
func (s *Solution) fit() error {
	best := optimalK(s.M, s.N)
	need := Solution{N: s.N, P: s.P}
	if s.K != best {
		need.K = s.K
	}
	if err := need.size(); err != nil {
		return err
	}
	if s.K > 0 {
		if s.meets(s.K) || s.M >= need.M {
			return nil
		}
		return fmt.Errorf("n = %s, p = %s, m = %s bits and k = %d contradict one another: that filter gives %s; p takes %s bits at this k",
			units.Grouped(s.N), units.Rate(s.P), units.Grouped(s.M), s.K, units.Rate(s.fprWith(s.K)), units.Grouped(need.M))
	}
	for k := 1; k <= best; k++ {
		if s.meets(k) {
			s.K = k
			return nil
		}
	}
	if s.M >= need.M {
		s.K = best
		return nil
	}
	return fmt.Errorf("n = %s, p = %s and m = %s bits contradict one another: that table gives %s at best; p takes %s bits, %s",
		units.Grouped(s.N), units.Rate(s.P), units.Grouped(s.M), units.Rate(s.fprWith(best)), units.Grouped(need.M),
		units.Decimal(need.Bytes()))
}

// meets reports whether k hash functions meet p, up to the slack of a whole k.
func (s *Solution) meets(k int) bool { return s.fprWith(k) <= s.P*(1+slack) }

func (s *Solution) fprWith(k int) float64 {
	t := *s
	t.K = k
	return t.fprAt(t.N)
}

// fprAt returns the expected FPR with n keys held.
func (s Solution) fprAt(n uint64) float64 {
	return theory.WithHashFloor(theory.BloomFPR(float64(s.M), float64(s.K), float64(n)), theory.HashWidthFloor(hashBits, float64(n)))
}

// Overfull returns the FPR of the filter with x times n keys in it.
func (s Solution) Overfull(x float64) float64 { return s.fprAt(times(s.N, x)) }

// Bytes returns the size of the table in bytes, rounded up.
func (s Solution) Bytes() uint64 { return (s.M + 7) / 8 }

// BitsPerKey returns m/n.
func (s Solution) BitsPerKey() float64 { return float64(s.M) / float64(s.N) }

// Fill returns the expected fill ratio at n keys.
func (s Solution) Fill() float64 {
	fill, _ := theory.BloomFill(float64(s.M), float64(s.K), float64(s.N))
	return fill
}

// LeastBits returns the fewest bits with which any filter gives p, n log2(1/p).
func (s Solution) LeastBits() float64 { return float64(s.N) * theory.LowerBound(s.P) }

// times returns x times n to the nearest whole number, at least 1.
func times(n uint64, x float64) uint64 {
	return uint64(min(max(1, math.Round(float64(n)*x)), maxBits))
}

// Within refuses a filter of more than maxBytes; 0 allows any.
func (s Solution) Within(maxBytes uint64) error {
	if maxBytes == 0 || s.Bytes() <= maxBytes {
		return nil
	}
	small := Solution{N: s.N, M: 8 * min(maxBytes, maxBits/8)}
	k := optimalK(small.M, small.N)
	shards := (s.Bytes()-1)/maxBytes + 1
	return fmt.Errorf("n = %s at p = %s needs %s bits, %s, more than the %s allowed: shard it over %s filters, or take the %s that fit, or raise --max-mem",
		units.Grouped(s.N), units.Rate(s.P), units.Grouped(s.M), units.Decimal(s.Bytes()), units.Decimal(maxBytes),
		units.Grouped(shards), units.Rate(small.fprWith(k)))
}
