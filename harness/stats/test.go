package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// BinomialP returns the exact two-sided p-value of x hits in n tries at rate p: twice the smaller
// tail, at most 1. It needs x <= n.
func BinomialP(x, n uint64, p float64) float64 {
	checkCount(x, n)
	return min(1, 2*min(atMost(x, n, p), atLeast(x, n, p)))
}

// A Count is the hits of one instance against its own predicted rate.
type Count struct {
	Hits, Tries uint64
	Rate        float64 // predicted, 0..1
}

// A Pooled is the evidence of several instances against their own predicted rates: Z for bias and
// Chi2 for scatter, on as many degrees of freedom as instances, with their p-values.
type Pooled struct{ Z, ZP, Chi2, Chi2P float64 }

// leastVariance stands in for the variance where a rate of 0 or 1 leaves none, so that a count which
// refutes the rate outright gives a huge z and not an infinite one.
const leastVariance = 1e-12

// Pool holds instances against their own rates f, given which their hits are binomial:
// Z = sum(x-Qf)/sqrt(sum Qf(1-f)), two-sided, and Chi2 = sum (x-Qf)^2/(Qf(1-f)), upper tail.
//
// The p-value of Chi2 is near the truth from about 10 expected hits an instance. No count gives
// p-values of 1.
func Pool(counts []Count) Pooled {
	var difference, variance, chi2 float64
	for _, c := range counts {
		q := float64(c.Tries)
		d := float64(c.Hits) - q*c.Rate
		v := max(leastVariance, q*c.Rate*(1-c.Rate))
		difference += d
		variance += v
		chi2 += d * d / v
	}
	if len(counts) == 0 {
		return Pooled{ZP: 1, Chi2P: 1}
	}
	z := difference / math.Sqrt(variance)
	scatter := distuv.ChiSquared{K: float64(len(counts))}
	return Pooled{Z: z, ZP: twoSided(z), Chi2: chi2, Chi2P: scatter.Survival(chi2)}
}

// TwoProportions compares the rates of two samples: z is positive when the second is higher, p is
// two-sided. It needs x <= n in both; samples without a difference to see give 0 and 1.
//
// z = (r2-r1)/sqrt(r(1-r)(1/n1+1/n2)) with r the pooled rate. Pearson 1900; an approximation that wants
// about ten hits in each sample.
func TwoProportions(x1, n1, x2, n2 uint64) (z, p float64) {
	checkCount(x1, n1)
	checkCount(x2, n2)
	a, b := float64(n1), float64(n2)
	rate := (float64(x1) + float64(x2)) / (a + b)
	if n1 == 0 || n2 == 0 || rate == 0 || rate == 1 {
		return 0, 1
	}
	z = (float64(x2)/b - float64(x1)/a) / (tryDeviation(rate) * math.Sqrt(1/a+1/b))
	return z, twoSided(z)
}

// Holm returns the p-values adjusted for their number, in the order given: compared with a level,
// they keep the chance of any false alarm below it whatever the dependence. Holm 1979.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	adjusted := make([]float64, len(p))
	highest := 0.0
	for rank, i := range order {
		highest = max(highest, min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = highest
	}
	return adjusted
}

// Bonferroni returns the p-values times their number, at most 1: as Holm, with less power.
func Bonferroni(p []float64) []float64 {
	adjusted := make([]float64, len(p))
	for i, x := range p {
		adjusted[i] = min(1, float64(len(p))*x)
	}
	return adjusted
}
