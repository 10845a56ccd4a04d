package evenness

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// throw makes a table of m bits in equal ranges by balls thrown at random.
func throw(rng *rand.Rand, m, ranges, k int, keys uint64) Table {
	set := make([]bool, m)
	for range uint64(k) * keys {
		set[rng.IntN(m)] = true
	}
	t := Table{Bits: make([]uint64, ranges), Ones: make([]uint64, ranges), K: k, Keys: keys}
	for i, one := range set {
		j := i * ranges / m
		t.Bits[j]++
		if one {
			t.Ones[j]++
		}
	}
	return t
}

// TestIdealHash holds both parts of the statistic against their distribution on both sides, over
// many tables thrown at random: the mean and the variance of each, and how the p-values lie.
func TestIdealHash(t *testing.T) {
	const runs, m, ranges, k, keys = 400, 16384, 32, 7, 1709
	rng := rand.New(rand.NewPCG(1, 5))
	var chi2, square, fillZ, fillZ2, low, high float64
	for range runs {
		got := throw(rng, m, ranges, k, keys).Test()
		chi2 += got.Chi2
		square += (got.Chi2 - ranges) * (got.Chi2 - ranges)
		fillZ += got.FillZ
		fillZ2 += got.FillZ * got.FillZ
		switch law := (distuv.ChiSquared{K: ranges}).CDF(got.Chi2); {
		case law < 0.1:
			low++
		case law > 0.9:
			high++
		}
	}
	for what, x := range map[string]struct{ got, want, sd float64 }{
		"mean chi2":                  {chi2 / runs, ranges, math.Sqrt(2.0 * ranges / runs)},
		"variance of chi2":           {square / runs, 2 * ranges, 2 * ranges * math.Sqrt((2+12.0/ranges)/runs)},
		"mean z of the fill":         {fillZ / runs, 0, math.Sqrt(1.0 / runs)},
		"variance of z":              {fillZ2 / runs, 1, math.Sqrt(2.0 / runs)},
		"chi2 below its 10 % point":  {low, runs / 10, math.Sqrt(runs * 0.09)},
		"chi2 beyond its 90 % point": {high, runs / 10, math.Sqrt(runs * 0.09)},
	} {
		if z := (x.got - x.want) / x.sd; math.Abs(z) > 4 {
			t.Errorf("%s is %.4g, want %.4g (z = %.1f)", what, x.got, x.want, z)
		}
	}
}

// TestBinomialWouldNotDo: with the binomial variance for the fill of the table its z would have a
// variance of 0.31, too even for an ideal hash.
func TestBinomialWouldNotDo(t *testing.T) {
	const runs, m, k, keys = 400, 4096, 7, 406 // half full
	rng := rand.New(rand.NewPCG(1, 6))
	var variance float64
	for range runs {
		got := throw(rng, m, 1, k, keys).Test()
		naive := (got.Fill - got.Expected) / math.Sqrt(got.Expected*(1-got.Expected)/m)
		variance += naive * naive / runs
	}
	if sd := 0.31 * math.Sqrt(2.0/runs); math.Abs(variance-0.31) > 4*sd {
		t.Errorf("variance %.3f of the naive z, want 0.31", variance)
	}
}

// TestUneven: tables of the kinds that weak hashes make get a p-value near 0, each for its reason.
func TestUneven(t *testing.T) {
	flat := func(ones ...uint64) Table {
		out := Table{Ones: ones, K: 7, Keys: 390} // of 4096 bits, 48.7 % set
		for range ones {
			out.Bits = append(out.Bits, 4096/uint64(len(ones)))
		}
		return out
	}
	for name, c := range map[string]struct {
		table       Table
		spread, off bool
	}{
		"as expected, give or take":  {flat(500, 491, 510, 480), false, false},
		"half of the table":          {flat(990, 1000, 3, 0), true, false},
		"too even":                   {flat(249, 249, 250, 249, 248, 249, 249, 249), false, false},
		"too few bits":               {flat(100, 97, 102, 105), false, true},
		"too many bits":              {flat(700, 705, 690, 701), false, true},
		"nothing at all":             {flat(0, 0, 0, 0), false, true},
		"everything":                 {flat(1024, 1024, 1024, 1024), false, true},
		"solid blocks, gaps between": {flat(1024, 0, 1024, 0), true, false},
	} {
		got := c.table.Test()
		law := distuv.ChiSquared{K: float64(got.DF - 1)}
		if spread := law.Survival(got.Spread) < 1e-6; spread != c.spread {
			t.Errorf("%s: spread %.4g on %d", name, got.Spread, got.DF-1)
		}
		if off := math.Abs(got.FillZ) > 5; off != c.off {
			t.Errorf("%s: fill %.4f, expected %.4f, z = %.3g", name, got.Fill, got.Expected, got.FillZ)
		}
		wantP := c.spread || c.off || name == "too even"
		if small := got.P < 0.01; small != wantP || math.IsNaN(got.P) {
			t.Errorf("%s: p = %.3g", name, got.P)
		}
	}
}
