package sizing

import (
	"fmt"
	"math"

	"filterlab/filters/theory"
	"filterlab/harness/units"
)

// A Verdict says whether a claim is true, and what is.
type Verdict struct {
	Claim string `json:"claim"`
	True  bool   `json:"true"`
	Why   string `json:"why"` // the right value, in words

	Solution Solution `json:"filter"` // the filter the claim is about, as it would have to be
}

// String returns the verdict on one line.
func (v Verdict) String() string { return fmt.Sprintf("%t: %s", v.True, v.Why) }

// Check holds a claim about a standard Bloom filter against the formula. A claim that cannot be read,
// or says too little to be judged, is an error.
func Check(text string) (Verdict, error) {
	c, err := readClaim(text)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Claim: text}
	n, p, m, k := c.N > 0, c.P > 0, c.M > 0, c.K > 0
	switch {
	case c.overfill > 0 && p && c.fpr != nil && c.in == 0 && !m:
		err = v.overfill(c)
	case c.overfill > 0:
		err = unknownForm(text)
	case n && m && !p && c.fpr != nil && c.in == 0:
		err = v.rate(c)
	case n && p && c.fpr == nil && c.in > 0 && !m:
		err = v.size(c, c.in, true)
	case n && p && c.fpr == nil && c.in == 0 && m && k:
		c.fpr, c.P = &span{0, c.P * (1 + slack)}, 0
		err = v.rate(c)
	case n && p && c.fpr == nil && c.in == 0 && m:
		err = v.size(c, c.M, c.mMost)
	case n && p && c.fpr == nil && c.in == 0 && k:
		err = v.hashes(c)
	default:
		err = unknownForm(text)
	}
	return v, err
}

// size judges that a filter for n and p takes m bits: at most, or, where m is the size itself, to 1 %.
func (v *Verdict) size(c claim, m uint64, most bool) error {
	s, err := Ask{N: c.N, P: c.P, K: c.K}.Solve()
	if err != nil {
		return err
	}
	bought, err := Ask{N: c.N, M: m, K: c.K}.Solve()
	if err != nil {
		return err
	}
	v.Solution = s
	enough := s.M <= m || bought.FPR <= c.P*(1+slack) // sizes are said to a few digits
	v.True = enough && (most || float64(m) <= float64(s.M)*(1+slack))
	v.Why = fmt.Sprintf("n = %s at p = %s needs %s bits, %s (%s), k = %d; %s give %s with k = %d",
		units.Grouped(s.N), units.Rate(s.P), units.Grouped(s.M), units.Decimal(s.Bytes()), units.Bytes(s.Bytes()), s.K,
		units.Decimal(bought.Bytes()), units.Rate(bought.FPR), bought.K)
	if least := s.LeastBits(); least > float64(m) {
		v.Why += fmt.Sprintf("; no filter of any kind gets below n log2(1/p), %s", units.Decimal(bytesOf(math.Ceil(least/8))))
	}
	return nil
}

// hashes judges that k hash functions are the best for p: log2(1/p) rounded down or up, which is what
// packages do.
func (v *Verdict) hashes(c claim) error {
	s, err := Ask{N: c.N, P: c.P}.Solve()
	if err != nil {
		return err
	}
	exact := theory.SizeBloom(float64(c.N), c.P).Hashes
	v.Solution = s
	v.True = math.Abs(float64(c.K)-exact) < 1 || c.K == s.K
	v.Why = fmt.Sprintf("k = log2(1/p) = %.3f, so %d, with %s bits, %s", exact, s.K, units.Grouped(s.M), units.Decimal(s.Bytes()))
	if c.K == s.K {
		return nil
	}
	own, err := Ask{N: c.N, M: s.M, K: c.K}.Solve()
	if err != nil {
		return err
	}
	v.Why += fmt.Sprintf("; k = %d gives %s in as many", c.K, units.Rate(own.FPR))
	return nil
}

// rate judges the FPR of n keys in m bits.
func (v *Verdict) rate(c claim) error {
	s, err := Ask{N: c.N, M: c.M, K: c.K}.Solve()
	if err != nil {
		return err
	}
	v.Solution, v.True = s, c.fpr.holds(s.FPR)
	v.Why = fmt.Sprintf("%s keys in %s, %s bits, give %s with k = %d", units.Grouped(s.N), units.Decimal(s.Bytes()),
		units.Grouped(s.M), units.Rate(s.FPR), s.K)
	return nil
}

// manyKeys is the n of a claim that names none: large enough for the FPR not to depend on it.
const manyKeys = 1_000_000

// overfill judges the FPR of a filter for n keys at p with more in it.
func (v *Verdict) overfill(c claim) error {
	n := c.N
	if n == 0 {
		n = manyKeys
	}
	s, err := Ask{N: n, P: c.P, K: c.K}.Solve()
	if err != nil {
		return err
	}
	fpr := s.Overfull(c.overfill)
	v.Solution, v.True = s, c.fpr.holds(fpr)
	v.Why = fmt.Sprintf("%g times the keys in a filter for p = %s give %s (k = %d), not within %s", c.overfill, units.Rate(c.P),
		units.Rate(fpr), s.K, c.fpr)
	if v.True {
		v.Why = fmt.Sprintf("%g times the keys in a filter for p = %s give %s (k = %d)", c.overfill, units.Rate(c.P), units.Rate(fpr), s.K)
	}
	return nil
}
