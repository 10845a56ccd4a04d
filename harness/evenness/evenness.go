// Package evenness tests whether the bits of a Bloom filter lie evenly over its table.
package evenness

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"filterlab/filters/theory"
)

// A Table is how many bits are set in each range of a Bloom filter's table.
type Table struct {
	Bits []uint64 `json:"bits"` // of each range
	Ones []uint64 `json:"ones"` // of these, set
	K    int      `json:"k"`    // hash functions
	Keys uint64   `json:"keys"` // held
}

// A Test is what a table shows against an ideal hash.
type Test struct {
	Fill     float64 `json:"fill"` // fill ratio of the whole table
	Expected float64 `json:"expected_fill"`
	FillZ    float64 `json:"fill_z"` // difference of the two in standard deviations between instances
	Spread   float64 `json:"spread"` // chi2 of the ranges about the table's own fill, on DF-1
	Chi2     float64 `json:"chi2"`   // both together, on DF
	DF       int     `json:"df"`
	P        float64 `json:"p_value"` // of Chi2, two-sided: too even is as suspicious as too uneven
}

// Test returns the chi-square of the ranges' bits against kn throws into m cells.
//
// The number X of bits set in all has mean m(1-(1-1/m)^kn) and the variance of classic occupancy,
// for half-full tables 0.31 of the binomial one. Given X, every set of X cells is as likely as any
// other, so the X_j in ranges of L_j bits are multivariate hypergeometric:
//
//	Spread = sum (X_j - L_j X/m)^2 / (L_j f(1-f) m/(m-1)),  f = X/m      on ranges-1
//	Chi2   = Spread + ((X - E X)/sd X)^2                                on ranges
//
// Mean and sd from theory.BloomFill. Own derivation; good from some 20 set and 20 clear bits a range.
// The k positions of a key need only be independent in pairs.
func (t Table) Test() Test {
	var m, x float64
	for i := range t.Bits {
		m += float64(t.Bits[i])
		x += float64(t.Ones[i])
	}
	f := x / m
	mean, sd := theory.BloomFill(m, float64(t.K), float64(t.Keys))
	out := Test{Fill: f, Expected: mean, FillZ: (f - mean) / sd, DF: len(t.Bits)}
	if unit := f * (1 - f) * m / (m - 1); unit > 0 {
		for i, bits := range t.Bits {
			d := float64(t.Ones[i]) - float64(bits)*f
			out.Spread += d * d / (float64(bits) * unit)
		}
	}
	out.Chi2 = out.Spread + out.FillZ*out.FillZ
	out.P = twoSided(out.Chi2, out.DF)
	return out
}

// A Pooled adds up the tests of several tables.
type Pooled struct {
	Chi2 float64
	DF   int
}

// Add takes in one more test.
func (p *Pooled) Add(t Test) { p.Chi2, p.DF = p.Chi2+t.Chi2, p.DF+t.DF }

// P returns the two-sided p-value of all tests together.
func (p Pooled) P() float64 { return twoSided(p.Chi2, p.DF) }

// twoSided returns twice the smaller tail of a chi-square, at most 1.
func twoSided(chi2 float64, df int) float64 {
	law := distuv.ChiSquared{K: float64(df)}
	return math.Min(1, 2*math.Min(law.CDF(chi2), law.Survival(chi2)))
}
