package workloads

import (
	"fmt"
	"math"
	"testing"
)

// TestZipfLaw holds draws against the exact law r^-s / sum, both sides, for exponents on both sides
// of 1 and at it. Ranks that expect fewer than 20 draws are counted together.
func TestZipfLaw(t *testing.T) {
	const draws = 100_000
	for _, n := range []uint64{1, 2, 50, 5000} {
		for _, s := range []float64{0, 0.5, 0.99, 1, 1 + 1e-9, 1.2, 4} {
			z, r := newZipf(n, s), rng{n}
			counts := make([]float64, n+1)
			for range draws {
				counts[z.rank(&r)]++
			}
			sum := 0.0
			for k := range n {
				sum += math.Pow(float64(k+1), -s)
			}
			chi2, cells, wantRest, gotRest := 0.0, 0, 0.0, 0.0
			for k := uint64(1); k <= n; k++ {
				wantRest += draws * math.Pow(float64(k), -s) / sum
				gotRest += counts[k]
				if wantRest >= 20 {
					chi2 += (gotRest - wantRest) * (gotRest - wantRest) / wantRest
					cells, wantRest, gotRest = cells+1, 0, 0
				}
			}
			if counts[0] > 0 {
				t.Errorf("n=%d, s=%g: rank 0 was drawn", n, s)
			}
			if wantRest > 1 {
				chi2 += (gotRest - wantRest) * (gotRest - wantRest) / wantRest
				cells++
			}
			if cells > 1 {
				checkChiSquare(t, fmt.Sprintf("n=%d, s=%g", n, s), chi2, cells-1)
			}
		}
	}
}

// TestZipfOverMany checks the share of the first 1000 of 10^9 ranks, whose law is summed to 10^5
// and integrated beyond (Euler-Maclaurin: the error is below the last term, 10^-5 of the sum).
func TestZipfOverMany(t *testing.T) {
	const n, first, draws = 1e9, 1000, 200_000
	for _, s := range []float64{0.5, 0.99, 1, 1.2} {
		z, r, hits := newZipf(n, s), rng{3}, 0.0
		for range draws {
			if z.rank(&r) <= first {
				hits++
			}
		}
		head, sum := 0.0, 0.0
		for k := 1.0; k <= 1e5; k++ {
			sum += math.Pow(k, -s)
			if k == first {
				head = sum
			}
		}
		p := head / (sum + z.integral(n+0.5) - z.integral(1e5+0.5))
		if dev := (hits - draws*p) / math.Sqrt(draws*p*(1-p)); math.Abs(dev) > 4.5 {
			t.Errorf("s=%g: %g of %d draws are among the first %d ranks, want a share of %.4f (z = %.1f)", s, hits, draws, first, p, dev)
		}
	}
}
