package stats

import (
	"math"
	"sort"
)

// OneSample returns the tries at which a two-sided test at level alpha tells a rate p1 from a known
// p0 with the given power; not rounded.
//
// [z(1-alpha/2) sqrt(p0 q0) + z(power) sqrt(p1 q1)]^2 / (p1-p0)^2 with q = 1-p (Fleiss, Levin & Paik
// 2003). Normal approximation: the exact test at that size falls short of the power by up to 0.01,
// which 3 % more tries make good.
func OneSample(p0, p1, alpha, power float64) float64 {
	root := quantile(1-alpha/2)*tryDeviation(p0) + quantile(power)*tryDeviation(p1)
	return square(root / (p1 - p0))
}

// TwoSample returns the tries of each of two samples at which a two-sided test at level alpha tells
// the rates p0 and p1 apart with the given power; not rounded.
//
// [z(1-alpha/2) sqrt(2 pm qm) + z(power) sqrt(p0 q0 + p1 q1)]^2 / (p1-p0)^2 with pm = (p0+p1)/2 and
// q = 1-p (Fleiss, Levin & Paik 2003).
func TwoSample(p0, p1, alpha, power float64) float64 {
	root := quantile(1-alpha/2)*math.Sqrt2*tryDeviation((p0+p1)/2) + quantile(power)*math.Hypot(tryDeviation(p0), tryDeviation(p1))
	return square(root / (p1 - p0))
}

// EquivalenceSample returns the tries at which a rate that is truly p is shown to lie within
// (1 +- margin)p, by two one-sided tests at level alpha, with the given power; not rounded.
//
// (z(1-alpha) + z(1-(1-power)/2))^2 (1-p)/(margin^2 p) (Schuirmann 1987; Chow, Shao & Wang).
func EquivalenceSample(p, margin, alpha, power float64) float64 {
	return square((quantile(1-alpha)+quantile(1-(1-power)/2))/(margin*p)) * p * (1 - p)
}

// An ExactTest rejects rate P0 after N tries when at most Low or at least High of them hit.
type ExactTest struct {
	N    uint64
	P0   float64
	Low  int64  // -1: no count is low enough
	High uint64 // N+1: no count is high enough
}

// NewExactTest returns the equal-tailed binomial test at level alpha: each tail holds at most alpha/2.
func NewExactTest(n uint64, p0, alpha float64) ExactTest {
	low := sort.Search(int(n), func(x int) bool { return atMost(uint64(x), n, p0) > alpha/2 })
	high := sort.Search(int(n)+1, func(x int) bool { return atLeast(uint64(x), n, p0) <= alpha/2 })
	return ExactTest{N: n, P0: p0, Low: int64(low) - 1, High: uint64(high)}
}

// Power returns the probability that the test rejects when the rate is p: at P0 its true size.
func (t ExactTest) Power(p float64) float64 {
	power := atLeast(t.High, t.N, p)
	if t.Low >= 0 {
		power += atMost(uint64(t.Low), t.N, p)
	}
	return power
}

// DesignEffect returns by how much the variance between instances inflates the variance of one
// instance's observed rate: 1 + (queries-1) sd^2/(p(1-p)).
//
// p is the mean rate, sd its standard deviation between instances, queries those asked of one
// instance. One-way random effects.
func DesignEffect(p, sd, queries float64) float64 { return 1 + (queries-1)*sd*sd/(p*(1-p)) }

// observedVariance returns the variance of one instance's observed rate. Symbols as in DesignEffect.
func observedVariance(p, sd, queries float64) float64 {
	return p * (1 - p) / queries * DesignEffect(p, sd, queries)
}

// Instances returns how many instances of queries each bring the relative standard error of the
// mean rate down to target; not rounded. Symbols as in DesignEffect.
func Instances(p, sd, queries, target float64) float64 {
	return observedVariance(p, sd, queries) / square(target*p)
}

// InstanceShare returns the share of the variance of an observed rate that lies between instances,
// and that more queries do not lower. Symbols as in DesignEffect.
func InstanceShare(p, sd, queries float64) float64 { return sd * sd / observedVariance(p, sd, queries) }

// QuantileSamples returns the samples of which the largest reaches the quantile that the share tail
// lies beyond, with probability conf; not rounded. For an interval of the quantile take ten times as many.
//
// ln(1-conf)/ln(1-tail). It takes the tail, 0.00001 for the quantile 0.99999, because 1-0.99999 has
// lost 5 of its digits.
func QuantileSamples(tail, conf float64) float64 { return math.Log1p(-conf) / math.Log1p(-tail) }

// EffectiveQueries returns how many distinct queries are worth as much as requests spread over
// distinct absent keys by weights: (sum w)^2 / sum w^2.
//
// A false positive sticks to its key, so asking a key again adds nothing. Kish 1965.
func EffectiveQueries(weights []float64) float64 {
	var sum, squares float64
	for _, w := range weights {
		sum += w
		squares += w * w
	}
	return sum * sum / squares
}

// tryDeviation returns the standard deviation of one try at rate p.
func tryDeviation(p float64) float64 { return math.Sqrt(p * (1 - p)) }

func square(x float64) float64 { return x * x }
