package theory

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// expm1Linear returns e^x - 1 - x, without the cancellation near 0.
func expm1Linear(x float64) float64 {
	if math.Abs(x) > 0.5 {
		return math.Expm1(x) - x
	}
	term := x * x / 2
	sum := term
	for i := 3.0; i < 40; i++ {
		term *= x / i
		sum += term
	}
	return sum
}

// log1pLinear returns ln(1+x) - x for x > -1, without the cancellation near 0.
func log1pLinear(x float64) float64 {
	if math.Abs(x) > 0.05 {
		return math.Log1p(x) - x
	}
	power, sum := -x*x, 0.0
	for i := 2.0; i < 16; i++ {
		sum += power / i
		power *= -x
	}
	return sum
}

// logMiss returns ln (1-1/m)^balls, the log chance that a given one of m cells is hit by none of the
// balls thrown; -Inf where it must be hit.
func logMiss(m, balls float64) float64 {
	switch {
	case balls <= 0:
		return 0
	case m <= 1:
		return math.Inf(-1)
	}
	return balls * math.Log1p(-1/m)
}

// hit returns 1-(1-1/m)^balls, the expected share of m cells that balls uniform throws occupy.
func hit(m, balls float64) float64 { return -math.Expm1(logMiss(m, balls)) }

// repeats returns balls - m*hit(m, balls), the expected number of throws that land in a cell already
// occupied, without the cancellation where there are few.
func repeats(m, balls float64) float64 {
	if balls <= 0 || m <= 1 {
		return max(0, balls-1)
	}
	x := -logMiss(m, balls)
	return max(0, m*expm1Linear(-x)+balls*m*log1pLinear(-1/m))
}

// clamp returns x limited to 0..1.
func clamp(x float64) float64 { return min(1, max(0, x)) }

// root returns where the increasing function f crosses target between lo and hi, by bisection.
func root(lo, hi, target float64, f func(float64) float64) float64 {
	for range 200 {
		mid := lo + (hi-lo)/2
		if mid == lo || mid == hi {
			break
		}
		if f(mid) < target {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo + (hi-lo)/2
}

// weights is a distribution over the integers lo, lo+1, ...
type weights struct {
	lo int
	w  []float64
}

// mean returns the expectation of f.
func (d weights) mean(f func(i int) float64) float64 {
	sum := 0.0
	for j, w := range d.w {
		sum += w * f(d.lo+j)
	}
	return sum
}

// tailWeight is where a distribution is cut off, relative to its largest weight.
const tailWeight = 1e-40

// spread builds a distribution from its mode outwards: up(i) is w(i+1)/w(i). Going by ratios and
// normalising at the end avoids lgamma, whose noise at 1e7 is 3e-7.
func spread(mode, highest int, up func(i int) float64) weights {
	var above, below []float64
	for i, w := mode, 1.0; i < highest; i++ {
		if w *= up(i); !(w > tailWeight) {
			break
		}
		above = append(above, w)
	}
	for i, w := mode, 1.0; i > 0; i-- {
		if w /= up(i - 1); !(w > tailWeight) {
			break
		}
		below = append(below, w)
	}
	d := weights{lo: mode - len(below)}
	for i := len(below) - 1; i >= 0; i-- {
		d.w = append(d.w, below[i])
	}
	d.w = append(append(d.w, 1), above...)
	total := 0.0
	for _, w := range d.w {
		total += w
	}
	for i := range d.w {
		d.w[i] /= total
	}
	return d
}

// poisson returns the Poisson distribution of mean lam.
func poisson(lam float64) weights {
	if lam <= 0 {
		return weights{w: []float64{1}}
	}
	return spread(int(lam), math.MaxInt, func(i int) float64 { return lam / float64(i+1) })
}

// binomial returns the binomial distribution of n trials with chance p.
func binomial(n, p float64) weights {
	switch {
	case n <= 0 || p <= 0:
		return weights{w: []float64{1}}
	case p >= 1:
		return weights{lo: int(n), w: []float64{1}}
	}
	odds := p / (1 - p)
	mode := min(int((n+1)*p), int(n))
	return spread(mode, int(n), func(i int) float64 { return (n - float64(i)) / float64(i+1) * odds })
}

// longestProduct is up to how many factors the first term of a tail is multiplied out; the incomplete
// gamma and beta functions take less time beyond but carry the noise of lgamma.
const longestProduct = 1e5

// poissonTail returns P(C >= j) for a Poisson count C of mean lam.
func poissonTail(lam, j float64) float64 {
	switch {
	case j <= 0:
		return 1
	case lam <= 0:
		return 0
	case math.IsInf(lam, 1):
		return 1
	case j <= lam || j > longestProduct:
		return mathext.GammaIncReg(j, lam)
	}
	logFirst := -lam
	for i := 1.0; i <= j; i++ {
		logFirst += math.Log(lam / i)
	}
	return upperTail(math.Exp(logFirst), j, func(i float64) float64 { return lam / (i + 1) })
}

// binomialTail returns P(C >= j) for a binomial count C of n trials with chance 1/m.
func binomialTail(n, m, j float64) float64 {
	switch {
	case j <= 0:
		return 1
	case n < j || m <= 0:
		return 0
	case m <= 1:
		return 1
	case j <= n/m || j > longestProduct:
		return mathext.RegIncBeta(j, n-j+1, 1/m)
	}
	logFirst := (n - j) * math.Log1p(-1/m)
	for i := 1.0; i <= j; i++ {
		logFirst += math.Log((n - i + 1) / (i * m))
	}
	return upperTail(math.Exp(logFirst), j, func(i float64) float64 { return (n - i) / (i + 1) / (m - 1) })
}

// upperTail sums first and the terms after it, each up(i) times the one before. It goes on only while a
// term counts: the loop would never end if it stopped once one is smaller and both had underflowed to 0.
func upperTail(first, j float64, up func(i float64) float64) float64 {
	sum := 0.0
	for term, i := first, j; ; i++ {
		sum += term
		if term *= up(i); !(term > 1e-18*sum) {
			return min(1, sum)
		}
	}
}

// stirlingRest returns ln x! minus Stirling's x ln x - x + ln(2 pi x)/2, for x >= 0.
func stirlingRest(x float64) float64 {
	if x < 16 {
		if x <= 0 {
			return 0
		}
		l, _ := math.Lgamma(x + 1)
		return l - (x*math.Log(x) - x + math.Log(2*math.Pi*x)/2)
	}
	x2 := x * x
	return (1.0/12 - (1.0/360-(1.0/1260-1.0/(1680*x2))/x2)/x2) / x
}

// log2Choose returns log2 of the binomial coefficient C(total, n), 0 <= n <= total, both real. It
// avoids differences of log factorials, which lose everything at totals of 2^32.
func log2Choose(total, n float64) float64 {
	rest := total - n
	if n <= 0 || rest <= 0 {
		return 0
	}
	ln := n*math.Log(total/n) - rest*math.Log1p(-n/total) + math.Log(total/n/rest/(2*math.Pi))/2
	return (ln + stirlingRest(total) - stirlingRest(n) - stirlingRest(rest)) / math.Ln2
}
