package theory

import (
	"math"
	"math/big"
)

// BloomClassicFPR returns the textbook FPR of a Bloom filter, (1-e^(-kn/m))^k.
//
// m bits, k >= 1 hash functions, n keys held. Bloom 1970; Broder & Mitzenmacher 2004. Below the true
// expectation, by about 9/m at p = 1 %: 3.5 % at m = 256, nothing to see from m = 1e5 on.
func BloomClassicFPR(m, k, n float64) float64 {
	return math.Pow(classicFill(m, k, n), k)
}

func classicFill(m, k, n float64) float64 {
	switch {
	case n <= 0:
		return 0
	case m <= 0:
		return 1
	}
	return -math.Expm1(-k * n / m)
}

// BloomMeanFillFPR returns the FPR at the expected fill ratio, (1-(1-1/m)^(kn))^k.
//
// Symbols as in BloomClassicFPR. Mullin 1983. Between the textbook and the exact value.
func BloomMeanFillFPR(m, k, n float64) float64 { return math.Pow(hit(m, k*n), k) }

// BloomFillFPR returns the FPR of one given instance, (ones/m)^k, of which ones bits are set.
//
// Exact for independent probes: false positives among Q random absent keys are binomial with it.
func BloomFillFPR(m, k, ones float64) float64 {
	if m <= 0 {
		return 1
	}
	return math.Pow(clamp(ones/m), k)
}

// BloomExactFPR returns the expected FPR of a Bloom filter, E[(X/m)^k] with X bits set.
//
// m bits, k hash functions drawn with replacement, n keys; all whole. Bose et al. 2008; Christensen,
// Roginsky & Jimeno 2010. Summed at high precision, since the alternating sum loses 2k bits. For
// k > 128 or values that are not whole it is BloomSecondOrderFPR.
func BloomExactFPR(m, k, n float64) float64 {
	if n <= 0 || m <= 0 {
		return BloomClassicFPR(m, k, n)
	}
	moment := occupancyMoment(m, k*n, k)
	if moment == nil {
		return BloomSecondOrderFPR(m, k, n)
	}
	x, _ := moment.Float64()
	return min(1, x)
}

// BloomExactDistinctFPR returns the expected FPR when the k bits of a key are distinct,
// sum over j of (-1)^j C(k,j) [C(m-j,k)/C(m,k)]^n.
//
// m >= k bits, k <= 128, n keys; all whole (n is rounded). The committee problem of Burns 2019.
func BloomExactDistinctFPR(m, k, n float64) float64 {
	if n <= 0 || m <= k {
		return BloomClassicFPR(m-k, k, n)
	}
	n = math.Round(n)
	prec := exactPrecision(k, -math.Expm1(n*math.Log1p(-k/m)), m, n)
	if prec == 0 {
		return math.Pow(-math.Expm1(n*math.Log1p(-k/m)), k)
	}
	free := make([]*big.Float, int(k)+1)
	for j := range free {
		ratio := bigOf(prec, 1)
		for i := range int(k) {
			ratio.Mul(ratio, bigOf(prec, max(0, m-float64(i+j))))
			ratio.Quo(ratio, bigOf(prec, m-float64(i)))
		}
		free[j] = bigPow(ratio, n)
	}
	alternate(free)
	x, _ := free[int(k)].Float64()
	return clamp(x)
}

// BloomSecondOrderFPR returns the expected FPR to second order in the spread of the fill ratio,
// fill^k [1 + k(k-1)/2 * Var(X)/(m fill)^2].
//
// Symbols as in BloomClassicFPR. Expansion of E[(X/m)^k]; off by 1.3e-4 at m = 256, 7e-6 at 1024.
func BloomSecondOrderFPR(m, k, n float64) float64 {
	fill := hit(m, k*n)
	if n <= 0 || m <= 0 || fill <= 0 {
		return BloomClassicFPR(m, k, n)
	}
	rel := math.Sqrt(occupancyVar(m, k*n)) / (m * fill)
	return clamp(math.Pow(fill, k) * (1 + k*(k-1)/2*rel*rel))
}

// BloomFPR returns the best expectation available for the FPR of a Bloom filter: exact up to
// 131,072 bits, where that matters, and to second order beyond.
//
// Symbols as in BloomClassicFPR.
func BloomFPR(m, k, n float64) float64 {
	if m <= exactCells {
		return BloomExactFPR(m, k, n)
	}
	return BloomSecondOrderFPR(m, k, n)
}

// BloomExcess returns by what fraction BloomExactFPR exceeds BloomClassicFPR, precise also where
// the two agree to all digits of a float64.
//
// Symbols as in BloomExactFPR. The classic fill ratio and the mean one differ by
// e^(-c) expm1(kn (ln(1-1/m) + 1/m)).
func BloomExcess(m, k, n float64) float64 {
	fill := classicFill(m, k, n)
	if fill <= 0 || m <= 1 {
		return 0
	}
	shift := -math.Exp(-k*n/m) * math.Expm1(k*n*log1pLinear(-1/m)) / fill
	mean := math.Expm1(k * math.Log1p(shift))
	moment := occupancyMoment(m, k*n, k)
	if moment == nil {
		return BloomSecondOrderFPR(m, k, n)/BloomClassicFPR(m, k, n) - 1
	}
	spread := excess(moment, bigMeanFill(moment.Prec(), m, k*n, k))
	return max(0, mean+spread+mean*spread)
}

// occupancyVar returns the variance of the number of cells occupied after balls throws into m cells.
//
// m q (1 - q r) + (m q)^2 (r-1), q = (1-1/m)^balls, r = (1-1/(m-1)^2)^balls: the textbook
// m q1 + m(m-1) q2 - (m q1)^2 with its cancellation taken out.
func occupancyVar(m, balls float64) float64 {
	if balls <= 1 || m <= 1 {
		return 0
	}
	c := balls / m
	if c < 1e-3 {
		return OccupancyVarAsymptotic(m, balls) * (balls - 1) / balls
	}
	q := math.Exp(logMiss(m, balls))
	logR := balls * math.Log1p(-1/((m-1)*(m-1)))
	return max(0, m*q*(1-q*math.Exp(logR))+m*q*m*q*math.Expm1(logR))
}

// OccupancyVarAsymptotic returns m e^(-c) (1-(1+c)e^(-c)), c = balls/m: the variance of the number of
// cells occupied after balls throws into m cells, to leading order in m.
//
// Classic occupancy, Johnson & Kotz 1977; relative error O(1/m).
func OccupancyVarAsymptotic(m, balls float64) float64 {
	if m <= 0 || balls <= 0 {
		return 0
	}
	c := balls / m
	if c > 300 {
		return m * math.Exp(-c)
	}
	return m * math.Exp(-2*c) * expm1Linear(c)
}
