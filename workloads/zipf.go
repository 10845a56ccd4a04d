package workloads

import "math"

// A zipf draws ranks 1..n in proportion to rank^-s, for any s >= 0, in constant time and memory, by
// rejection-inversion (Hörmann & Derflinger 1996, "Rejection-inversion to generate variates from
// monotone discrete distributions"): a uniform number is mapped through the inverse of
//
//	H(x) = integral of t^-s from 1 to x = (x^(1-s) - 1) / (1-s), or ln x at s = 1,
//
// rounded to a rank, and refused where the histogram lies below the curve.
type zipf struct {
	n         uint64
	s         float64
	low, high float64 // H at the two ends
	sure      float64 // a rank this close above x is accepted without a look
}

func newZipf(n uint64, s float64) zipf {
	z := zipf{n: n, s: s}
	z.low = z.integral(1.5) - 1
	z.high = z.integral(float64(n) + 0.5)
	z.sure = 2 - z.inverse(z.integral(2.5)-z.density(2))
	return z
}

// rank draws a rank.
func (z *zipf) rank(r *rng) uint64 {
	for {
		u := z.high + r.unit()*(z.low-z.high)
		x := z.inverse(u)
		k := math.Min(math.Max(math.Floor(x+0.5), 1), float64(z.n))
		if k-x <= z.sure || u >= z.integral(k+0.5)-z.density(k) {
			return uint64(k)
		}
	}
}

func (z *zipf) density(x float64) float64 { return math.Exp(-z.s * math.Log(x)) }

// integral is H: with l = ln x and t = (1-s) l it is l (e^t - 1)/t, which is exact near s = 1 too.
func (z *zipf) integral(x float64) float64 {
	l := math.Log(x)
	return l * ratio(math.Expm1, (1-z.s)*l, 1.0/2)
}

// inverse is the inverse of H: with t = (1-s) u it is exp(u ln(1+t)/t).
func (z *zipf) inverse(u float64) float64 {
	t := math.Max((1-z.s)*u, -1) // rounding may leave the domain
	return math.Exp(u * ratio(math.Log1p, t, -1.0/2))
}

// ratio returns f(t)/t for an f with f(t) = t + second t^2 + ..., and its limit near t = 0.
func ratio(f func(float64) float64, t, second float64) float64 {
	if math.Abs(t) > 1e-8 {
		return f(t) / t
	}
	return 1 + second*t
}
