package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// The sample size must deliver the power asked, by the exact test.
func TestOneSampleDeliversItsPower(t *testing.T) {
	for _, c := range []struct{ p0, ratio, power float64 }{
		{0.01, 1.1, 0.9}, {0.01, 0.9, 0.9}, {0.001, 1.2, 0.8}, {0.2, 1.1, 0.95}, {0.0001, 1.5, 0.9},
	} {
		n := uint64(math.Ceil(1.03 * OneSample(c.p0, c.ratio*c.p0, 0.05, c.power)))
		e := NewExactTest(n, c.p0, 0.05)
		if power := e.Power(c.ratio * c.p0); math.Abs(power-c.power) > 0.015 {
			t.Errorf("p0=%g ratio %g: power %.4f at n=%d, want about %g", c.p0, c.ratio, power, n, c.power)
		}
		if size := e.Power(c.p0); size > 0.05 || size < 0.042 {
			t.Errorf("p0=%g n=%d: size %.4f, want just under 0.05", c.p0, n, size)
		}
	}
}

func TestTwoSampleDeliversItsPower(t *testing.T) {
	const p0, p1, runs, power = 0.01, 0.012, 4_000, 0.9
	n := math.Ceil(TwoSample(p0, p1, 0.05, power))
	src := rand.NewPCG(1, 6)
	found := 0.0
	for range runs {
		x1, x2 := distuv.Binomial{N: n, P: p0, Src: src}.Rand(), distuv.Binomial{N: n, P: p1, Src: src}.Rand()
		if z, p := TwoProportions(uint64(x1), uint64(n), uint64(x2), uint64(n)); p < 0.05 && z > 0 {
			found++
		}
	}
	if got := found / runs; math.Abs(got-power) > 4*math.Sqrt(power*(1-power)/runs) {
		t.Errorf("%g tries each find the difference in %.4f of the cases, want %g", n, got, power)
	}
}

func TestExactTestWithoutRoom(t *testing.T) {
	e := NewExactTest(3, 0.5, 0.05) // P(0 of 3) = 1/8
	if e.Low != -1 || e.High != 4 || e.Power(0.9) != 0 {
		t.Errorf("3 tries at 0.5: %+v with power %g, want no rejection", e, e.Power(0.9))
	}
}

func TestExactTestIsTheWidest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Range(1, 100_000).Draw(t, "n")
		p := rapid.Float64Range(0.0001, 0.9999).Draw(t, "p")
		alpha := rapid.Float64Range(0.001, 0.2).Draw(t, "alpha")
		e := NewExactTest(n, p, alpha)
		for x := range []uint64{0, 1} {
			if low := uint64(e.Low + int64(x)); e.Low+int64(x) >= 0 && (atMost(low, n, p) <= alpha/2) != (x == 0) {
				t.Fatalf("n=%d p=%g alpha=%g: low %d is not the largest", n, p, alpha, e.Low)
			}
			if high := e.High - uint64(x); high <= n && (atLeast(high, n, p) <= alpha/2) != (x == 0) {
				t.Fatalf("n=%d p=%g alpha=%g: high %d is not the smallest", n, p, alpha, e.High)
			}
		}
	})
}

func TestEquivalenceSampleDeliversItsPower(t *testing.T) {
	const p, margin, alpha, power = 0.01, 0.1, 0.05, 0.9
	n := uint64(math.Ceil(EquivalenceSample(p, margin, alpha, power)))
	agreed := 0.0
	for x := uint64(float64(n) * p * 0.8); float64(x) < float64(n)*p*1.2; x++ {
		if TostBinom(x, n, p, margin, alpha).Verdict == Agree {
			agreed += math.Exp(logPMF(x, n, p))
		}
	}
	if math.Abs(agreed-power) > 0.02 {
		t.Errorf("n=%d agrees with %.4f, want about %g", n, agreed, power)
	}
}

func TestInstancesReachTheirTarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.Float64Range(1e-5, 0.5).Draw(t, "p")
		between := p * rapid.Float64Range(0, 0.3).Draw(t, "relative sd")
		queries := rapid.Float64Range(10, 1e8).Draw(t, "queries")
		target := rapid.Float64Range(0.001, 0.5).Draw(t, "target")
		// Given its rate f an instance's hits are binomial, and f(1-f) is p(1-p)-sd^2 on average.
		within := (p*(1-p) - between*between) / queries
		n := Instances(p, between, queries, target)
		if got := math.Sqrt((between*between+within)/n) / p; relative(got, target) > 1e-9 {
			t.Fatalf("%g instances reach %g, want %g", n, got, target)
		}
		whole := between*between + within
		if got := DesignEffect(p, between, queries) * p * (1 - p) / queries; relative(got, whole) > 1e-9 {
			t.Fatalf("design effect makes the variance %g, want %g", got, whole)
		}
		if got := InstanceShare(p, between, queries); relative(got, between*between/whole) > 1e-9 {
			t.Fatalf("share %g, want %g of %g", got, between*between, whole)
		}
	})
}

func TestQuantileSamples(t *testing.T) {
	n := math.Ceil(QuantileSamples(0.01, 0.95))
	if below := math.Pow(0.99, n); below > 0.05 || below/0.99 <= 0.05 {
		t.Errorf("%g samples miss the 0.99 quantile with probability %g, want just under 0.05", n, below)
	}
}

func TestEffectiveQueries(t *testing.T) {
	if n := EffectiveQueries([]float64{3, 3, 3, 3}); n != 4 {
		t.Errorf("equal weights are worth %g, want 4", n)
	}
	if n := EffectiveQueries([]float64{1e9, 1, 1}); math.Abs(n-1) > 1e-6 {
		t.Errorf("one key that gets it all is worth %g, want 1", n)
	}
}
