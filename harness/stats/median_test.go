package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
	}{{[]float64{3}, 3}, {[]float64{9, 1, 5}, 5}, {[]float64{4, 1, 3, 2}, 2.5}, {[]float64{1.7e308, 1.7e308}, 1.7e308}} {
		given := slices.Clone(c.x)
		if got := Median(c.x); got != c.want {
			t.Errorf("median of %v = %g, want %g", c.x, got, c.want)
		}
		if !slices.Equal(c.x, given) {
			t.Errorf("the values given were reordered to %v", c.x)
		}
	}
	if !math.IsNaN(Median(nil)) {
		t.Error("nothing has a median")
	}
}

func TestMedianCIEnclosesTheMedian(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(0, 1e9), 0, 300).Draw(t, "x")
		conf := rapid.Float64Range(0.5, 0.999).Draw(t, "conf")
		lo, hi, ok := MedianCI(x, conf)
		most := 1 - math.Exp2(1-float64(len(x))) // coverage from the smallest to the largest
		if ok != (len(x) > 1 && most >= conf) {
			t.Fatalf("%d values at %g: ok = %v, the whole range covers %g", len(x), conf, ok, most)
		}
		if m := Median(x); ok && !(lo <= m && m <= hi) {
			t.Fatalf("median %g outside %g to %g", m, lo, hi)
		}
	})
}

func TestMedianCINeedsSixAt95(t *testing.T) {
	for n := range 30 {
		_, _, coverage, ok := MedianRanks(n, 0.95)
		if ok != (n >= 6) || ok && coverage < 0.95 {
			t.Errorf("%d values: ok = %v with coverage %g", n, ok, coverage)
		}
	}
}

func TestMedianCICovers(t *testing.T) {
	const n, runs = 25, 20_000
	rng := rand.New(rand.NewPCG(1, 3))
	_, _, want, _ := MedianRanks(n, 0.95)
	covered := 0.0
	for range runs {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.ExpFloat64()
		}
		if lo, hi, _ := MedianCI(x, 0.95); lo <= math.Ln2 && math.Ln2 <= hi {
			covered++
		}
	}
	if got := covered / runs; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/runs) {
		t.Errorf("covers in %.4f of the cases, want %.4f", got, want)
	}
}

// Resampling for real must land on the exact distribution.
func TestBootstrapMedianAgainstResampling(t *testing.T) {
	const runs = 50_000
	rng := rand.New(rand.NewPCG(1, 4))
	for _, n := range []int{1, 5, 8, 21} {
		cdf, lo, hi := BootstrapMedian(n, 0.95)
		seen := make([]float64, n)
		sample := make([]int, n)
		for range runs {
			for i := range sample {
				sample[i] = rng.IntN(n)
			}
			slices.Sort(sample)
			for i := sample[(n-1)/2]; i < n; i++ {
				seen[i]++
			}
		}
		for i, p := range cdf {
			if got := seen[i] / runs; math.Abs(got-p) > 4*math.Sqrt(p*(1-p)/runs)+1e-4 {
				t.Errorf("n=%d: resampled medians are at most value %d in %.4f of the cases, want %.4f", n, i+1, got, p)
			}
		}
		if lo < 1 || lo > hi || cdf[lo-1] < 0.025 || lo > 1 && cdf[lo-2] >= 0.025 {
			t.Errorf("n=%d: interval from rank %d to %d of %v", n, lo, hi, cdf)
		}
	}
}
