package stats

import (
	"fmt"
	"math"
)

// atMost returns P(X <= x) for X binomial(n, p), to a relative error of about 1e-11.
//
// The terms are summed away from x, all of one sign, so that tails far below the 1e-16 of a
// difference 1-cdf keep their digits. Work grows as sqrt(n p (1-p)).
func atMost(x, n uint64, p float64) float64 {
	switch {
	case x >= n || p <= 0:
		return 1
	case p >= 1:
		return 0
	case float64(x) > float64(n)*p:
		return 1 - atLeast(x+1, n, p)
	}
	return min(1, math.Exp(logPMF(x, n, p))*tailDown(x, n, p))
}

// atLeast returns P(X >= x) for X binomial(n, p), as atMost.
func atLeast(x, n uint64, p float64) float64 {
	switch {
	case x == 0 || p >= 1:
		return 1
	case x > n || p <= 0:
		return 0
	case float64(x) < float64(n)*p:
		return 1 - atMost(x-1, n, p)
	}
	return min(1, math.Exp(logPMF(x, n, p))*tailUp(x, n, p))
}

// tailDown returns P(X <= x)/P(X = x), for x up to about the mean.
func tailDown(x, n uint64, p float64) float64 {
	odds, k, rest := (1-p)/p, float64(x), float64(n-x)
	sum, term := 1.0, 1.0
	for k > 0 && term > 1e-17*sum {
		term *= k * odds / (rest + 1)
		sum += term
		k, rest = k-1, rest+1
	}
	return sum
}

// tailUp returns P(X >= x)/P(X = x), for x down to about the mean.
func tailUp(x, n uint64, p float64) float64 {
	odds, k, rest := p/(1-p), float64(x), float64(n-x)
	sum, term := 1.0, 1.0
	for rest > 0 && term > 1e-17*sum {
		term *= rest * odds / (k + 1)
		sum += term
		k, rest = k+1, rest-1
	}
	return sum
}

// logPMF returns ln P(X = x) for X binomial(n, p), 0 < p < 1, by the saddle point (Loader 2000):
// lgamma at n = 1e7 would leave only 7 digits of the probability.
func logPMF(x, n uint64, p float64) float64 {
	k, m, rest := float64(x), float64(n), float64(n-x)
	switch x {
	case 0:
		return m * math.Log1p(-p)
	case n:
		return m * math.Log(p)
	}
	fit := deviance(k, m*p) + deviance(rest, m*(1-p))
	return stirlingError(m) - stirlingError(k) - stirlingError(rest) - fit -
		0.5*(math.Log(2*math.Pi)+math.Log(k)+math.Log1p(-k/m))
}

// deviance returns x ln(x/mean) + mean - x without cancellation near x = mean (Loader's bd0).
func deviance(x, mean float64) float64 {
	if math.Abs(x-mean) >= 0.1*(x+mean) {
		return x*math.Log(x/mean) + mean - x
	}
	v := (x - mean) / (x + mean)
	sum, term := (x-mean)*v, 2*x*v
	for j := 3.0; ; j += 2 {
		term *= v * v
		next := sum + term/j
		if next == sum {
			return sum
		}
		sum = next
	}
}

// stirlingError returns ln n! less Stirling's formula, for whole n >= 1.
func stirlingError(n float64) float64 {
	if n < 16 {
		lg, _ := math.Lgamma(n + 1)
		return lg - (n+0.5)*math.Log(n) + n - 0.5*math.Log(2*math.Pi)
	}
	s := 1 / (n * n)
	return (1./12 - (1./360-(1./1260-(1./1680-s/1188)*s)*s)*s) / n
}

// checkCount panics on more hits than tries: a count gone wrong has no interval and no p-value.
func checkCount(x, n uint64) {
	if x > n {
		panic(fmt.Sprintf("stats: %d hits among %d tries", x, n))
	}
}
