package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// ClopperPearson returns the exact interval of a rate after x hits in n tries at confidence conf.
//
// lo solves P(Bin(n,lo) >= x) = a/2 and hi P(Bin(n,hi) <= x) = a/2 with a = 1-conf (Clopper & Pearson
// 1934), so it covers at least conf whatever the rate. It needs x <= n. No hit at 95 % gives 0 to
// 3.69/n; no try gives 0 to 1. Relative error below 1e-9 up to n = 1e9.
func ClopperPearson(x, n uint64, conf float64) (lo, hi float64) {
	checkCount(x, n)
	half := (1 - conf) / 2
	switch {
	case n == 0 || half <= 0:
		return 0, 1
	case x == 0:
		return 0, -math.Expm1(math.Log(half) / float64(n))
	case x > n/2: // the roots near 1 are found near 0, where floats are dense
		lo, hi = ClopperPearson(n-x, n, conf)
		return 1 - hi, 1 - lo
	}
	rate := float64(x) / float64(n)
	lo = solveTail(half, 0, rate, func(p float64) (value, slope float64) {
		sum := tailUp(x, n, p)
		return logPMF(x, n, p) + math.Log(sum), float64(x) / sum
	})
	hi = solveTail(half, rate, 1, func(p float64) (value, slope float64) {
		sum := tailDown(x, n, p)
		return logPMF(x, n, p) + math.Log(sum), -float64(n-x) * p / ((1 - p) * sum)
	})
	return lo, hi
}

// solveTail returns the p between lo and hi at which a tail's probability is target, by Newton's
// method on logarithms, kept inside the bracket. tail returns the logarithm of the probability and
// its derivative by ln p.
func solveTail(target, lo, hi float64, tail func(p float64) (value, slope float64)) float64 {
	const steps, relative = 200, 1e-14
	goal := math.Log(target)
	p := lo + (hi-lo)/2
	for range steps {
		value, slope := tail(p)
		if (value < goal) == (slope > 0) {
			lo = p
		} else {
			hi = p
		}
		next := p * math.Exp((goal-value)/slope)
		if !(next > lo && next < hi) {
			next = lo + (hi-lo)/2
		}
		if math.Abs(next-p) <= relative*p {
			return next
		}
		p = next
	}
	return p
}

// Wilson returns the score interval of a rate after x hits in n tries at confidence conf.
//
// Centre (r+z^2/2n)/(1+z^2/n), half width z/(1+z^2/n) sqrt(r(1-r)/n + z^2/4n^2) with r = x/n (Wilson
// 1927). Its coverage is conf on average over rates, not for each. It needs x <= n; no try gives 0 to 1.
func Wilson(x, n uint64, conf float64) (lo, hi float64) {
	checkCount(x, n)
	if n == 0 || conf >= 1 {
		return 0, 1
	}
	z, m := quantile((1+conf)/2), float64(n)
	rate := float64(x) / m
	shrink := 1 + z*z/m
	centre := (rate + z*z/(2*m)) / shrink
	half := z / shrink * math.Sqrt(rate*(1-rate)/m+z*z/(4*m*m))
	lo, hi = max(0, centre-half), min(1, centre+half)
	if x == 0 {
		lo = 0
	}
	if x == n {
		hi = 1
	}
	return lo, hi
}

// quantile returns the standard normal quantile of q, 0 < q < 1.
func quantile(q float64) float64 { return distuv.UnitNormal.Quantile(q) }

// twoSided returns the two-sided p-value of a standard normal z.
func twoSided(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }
