package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

type interval func(x, n uint64, conf float64) (lo, hi float64)

func TestNoHits(t *testing.T) {
	for _, n := range []uint64{1000, 1_000_000, 1_000_000_000} {
		lo, hi := ClopperPearson(0, n, 0.95)
		if want := 3.69 / float64(n); lo != 0 || math.Abs(hi/want-1) > 0.0025 {
			t.Errorf("0 of %d: %g to %g, want 0 to %g", n, lo, hi, want)
		}
	}
}

func TestIntervalEdges(t *testing.T) {
	for name, f := range map[string]interval{"Clopper-Pearson": ClopperPearson, "Wilson": Wilson} {
		if lo, hi := f(0, 0, 0.95); lo != 0 || hi != 1 {
			t.Errorf("%s of nothing: %g to %g", name, lo, hi)
		}
		if lo, hi := f(3, 10, 1); lo != 0 || hi != 1 {
			t.Errorf("%s at certainty: %g to %g", name, lo, hi)
		}
		if lo, hi := f(7, 7, 0.95); hi != 1 || !(lo > 0.5 && lo < 0.7) {
			t.Errorf("%s of 7 of 7: %g to %g", name, lo, hi)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s took 8 hits of 7", name)
				}
			}()
			f(8, 7, 0.95)
		}()
	}
}

// Each bound must put exactly half of 1-conf beyond the count.
func TestClopperPearsonSolvesItsEquations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Range(1, 1_000_000_000).Draw(t, "n")
		x := rapid.Uint64Range(0, min(n, rapid.SampledFrom([]uint64{3, 100, 100_000, n}).Draw(t, "most"))).Draw(t, "x")
		conf := rapid.Float64Range(0.5, 0.9999).Draw(t, "conf")
		lo, hi := ClopperPearson(x, n, conf)
		half := (1 - conf) / 2
		if p := atLeast(x, n, lo); x > 0 && relative(p, half) > 1e-9*max(1, 1e-7/(1-lo)) {
			t.Fatalf("%d of %d at %g: above lo = %.17g lies %g, want %g", x, n, conf, lo, p, half)
		}
		if p := atMost(x, n, hi); x < n && relative(p, half) > 1e-9*max(1, 1e-7/(1-hi)) {
			t.Fatalf("%d of %d at %g: below hi = %.17g lies %g, want %g", x, n, conf, hi, p, half)
		}
	})
}

func TestIntervalsEncloseAndAreMonotone(t *testing.T) {
	for name, f := range map[string]interval{"Clopper-Pearson": ClopperPearson, "Wilson": Wilson} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			n := rapid.Uint64Range(1, 1_000_000_000).Draw(t, "n")
			x := rapid.Uint64Range(0, n-1).Draw(t, "x")
			conf := rapid.Float64Range(0.5, 0.999).Draw(t, "conf")
			lo, hi := f(x, n, conf)
			if rate := float64(x) / float64(n); !(0 <= lo && lo <= rate && rate <= hi && hi <= 1) || lo == hi {
				t.Fatalf("%d of %d at %g: %.17g to %.17g, rate %.17g", x, n, conf, lo, hi, rate)
			}
			if lo1, hi1 := f(x+1, n, conf); lo1 < lo || hi1 < hi {
				t.Fatalf("%d of %d: %g to %g, one more hit: %g to %g", x, n, lo, hi, lo1, hi1)
			}
			if lo1, hi1 := f(x, n, conf+(1-conf)/2); lo1 > lo || hi1 < hi {
				t.Fatalf("%d of %d: %g to %g at %g, narrower at higher confidence: %g to %g", x, n, lo, hi, conf, lo1, hi1)
			}
			if lo1, hi1 := f(n-x, n, conf); math.Abs(1-hi1-lo) > 1e-12 || math.Abs(1-lo1-hi) > 1e-12 {
				t.Fatalf("%d of %d: %g to %g, mirrored %g to %g", x, n, lo, hi, 1-hi1, 1-lo1)
			}
		}))
	}
}

// coverage returns the exact probability that an interval at 95 % covers the rate p.
func coverage(f interval, n uint64, p float64) float64 {
	sum := 0.0
	for x := range n + 1 {
		if lo, hi := f(x, n, 0.95); lo <= p && p <= hi {
			sum += math.Exp(logPMF(x, n, p))
		}
	}
	return sum
}

func TestCoverage(t *testing.T) {
	for _, n := range []uint64{10, 60, 250} {
		var exact, score, rates float64
		for p := 0.004; p < 1; p += 0.0247 {
			c := coverage(ClopperPearson, n, p)
			if c < 0.95 {
				t.Errorf("Clopper-Pearson covers the rate %g of %d tries in %.4f of the cases", p, n, c)
			}
			exact += c
			score += coverage(Wilson, n, p)
			rates++
		}
		if mean := score / rates; mean < 0.935 || mean > 0.97 {
			t.Errorf("Wilson covers %.4f on average at %d tries, want about 0.95", mean, n)
		}
		if exact/rates > 0.995 {
			t.Errorf("Clopper-Pearson covers %.4f on average at %d tries: it is too wide", exact/rates, n)
		}
	}
}
