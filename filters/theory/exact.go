package theory

import (
	"math"
	"math/big"
)

// Limits of the exact sums: beyond them the second-order form is used, which by then is as good.
const (
	maxExactProbes = 128
	maxExactBits   = 1 << 14
	// exactCells is the size up to which BloomFPR takes the exact sum. From there on the
	// second-order form is within 1e-7 at k = 20 and 1e-9 at k = 7.
	exactCells = 1 << 17
)

// exactPrecision returns the bits of precision at which the alternating sums over r probes at a given
// fill leave over 100 good ones, or 0 if the sums are out of reach. The terms are up to 2^r and the
// result is at least fill^r.
func exactPrecision(r, fill float64, whole ...float64) uint {
	for _, x := range whole {
		if x != math.Trunc(x) || x < 0 || x > 1<<60 {
			return 0
		}
	}
	if r < 1 || r != math.Trunc(r) || r > maxExactProbes || fill <= 0 {
		return 0
	}
	bits := 192 + r*(1-math.Log2(fill))
	if bits > maxExactBits {
		return 0
	}
	return uint(bits)
}

func bigOf(prec uint, x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }

// bigPow returns x^n for whole n >= 0 by repeated squaring, and 0 where it is far below the precision
// kept: adding such a power to 1 would have big.Float line up all the bits between.
func bigPow(x *big.Float, n float64) *big.Float {
	prec := x.Prec()
	if base, _ := x.Float64(); n > 0 && n*math.Log2(base) < -4*float64(prec) {
		return bigOf(prec, 0)
	}
	result, square := bigOf(prec, 1), new(big.Float).Copy(x)
	for e := uint64(n); e > 0; e >>= 1 {
		if e&1 == 1 {
			result.Mul(result, square)
		}
		square.Mul(square, square)
	}
	return result
}

// alternate replaces terms[d] by the sum over j = 0..d of (-1)^j C(d,j) terms[j], its d-th difference.
func alternate(terms []*big.Float) {
	for d := 1; d < len(terms); d++ {
		for j := len(terms) - 1; j >= d; j-- {
			terms[j].Sub(terms[j-1], terms[j])
		}
	}
}

// distinctCells returns, for d = 0..r, the chance that r uniform throws into m cells hit d of them.
func distinctCells(prec uint, m float64, r int) []*big.Float {
	share := func(cells float64) *big.Float {
		x := bigOf(prec, max(0, cells))
		return x.Quo(x, bigOf(prec, m))
	}
	chance := []*big.Float{bigOf(prec, 1)}
	var again, fresh []*big.Float
	for d := range r + 1 {
		again, fresh = append(again, share(float64(d))), append(fresh, share(m-float64(d)+1))
	}
	moved := new(big.Float).SetPrec(prec)
	for range r {
		chance = append(chance, bigOf(prec, 0))
		for d := len(chance) - 1; d >= 1; d-- {
			moved.Mul(chance[d-1], fresh[d])
			chance[d].Mul(chance[d], again[d])
			chance[d].Add(chance[d], moved)
		}
		chance[0].SetInt64(0)
	}
	return chance
}

// occupancyMoment returns E[(X/m)^r], where X of m cells are occupied after balls uniform throws: the
// chance that r further throws all hit occupied cells. nil if out of reach of an exact sum.
//
//	sum over d of P(r throws hit d cells) * sum over j of (-1)^j C(d,j) (1-j/m)^balls
//
// Own derivation, equal to Bose et al. 2008.
func occupancyMoment(m, balls, r float64) *big.Float {
	prec := exactPrecision(r, hit(m, balls), m, balls)
	if prec == 0 {
		return nil
	}
	most := int(min(r, m))
	free := make([]*big.Float, most+1)
	for j := range free {
		x := bigOf(prec, m-float64(j))
		free[j] = bigPow(x.Quo(x, bigOf(prec, m)), balls)
	}
	alternate(free)
	sum := bigOf(prec, 0)
	for d, chance := range distinctCells(prec, m, int(r))[:most+1] {
		sum.Add(sum, chance.Mul(chance, free[d]))
	}
	return sum
}

// excess returns a/b - 1.
func excess(a, b *big.Float) float64 {
	diff := new(big.Float).Sub(a, b)
	x, _ := diff.Quo(diff, b).Float64()
	return x
}

// bigMeanFill returns (1-(1-1/m)^balls)^k.
func bigMeanFill(prec uint, m, balls, k float64) *big.Float {
	miss := bigOf(prec, m-1)
	miss = bigPow(miss.Quo(miss, bigOf(prec, m)), balls)
	return bigPow(miss.Sub(bigOf(prec, 1), miss), k)
}
