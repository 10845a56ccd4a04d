package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

func TestBinomialPIsTwiceTheSmallerTail(t *testing.T) {
	if p := BinomialP(1, 5, 0.5); relative(p, 12./32) > 1e-14 {
		t.Errorf("1 of 5 at 1/2: p = %g, want 12/32", p)
	}
	if p := BinomialP(5, 10, 0.5); p != 1 {
		t.Errorf("5 of 10 at 1/2: p = %g, want 1", p)
	}
}

// Of sound instances, each test must reject about the share that its level says.
func TestPoolHoldsItsLevel(t *testing.T) {
	const runs, level = 20_000, 0.01
	src := rand.NewPCG(1, 20)
	var biased, scattered int
	for range runs {
		counts := make([]Count, 5)
		for i, rate := range []float64{0.01, 0.011, 0.009, 0.02, 0.3} {
			counts[i] = Count{Hits: uint64(distuv.Binomial{N: 20_000, P: rate, Src: src}.Rand()), Tries: 20_000, Rate: rate}
		}
		p := Pool(counts)
		if p.ZP < level {
			biased++
		}
		if p.Chi2P < level {
			scattered++
		}
	}
	want, spread := runs*level, 4*math.Sqrt(runs*level)
	if math.Abs(float64(biased)-want) > spread || math.Abs(float64(scattered)-want) > spread {
		t.Errorf("of %d sound cases %d are called biased and %d scattered, want %g +- %g", runs, biased, scattered, want, spread)
	}
}

func TestPoolWithoutVariance(t *testing.T) {
	if p := Pool(nil); p.ZP != 1 || p.Chi2P != 1 {
		t.Errorf("nothing pools to %+v", p)
	}
	if p := Pool([]Count{{0, 100, 0}, {100, 100, 1}}); p.Z != 0 || p.Chi2P != 1 {
		t.Errorf("counts that a certain rate predicts pool to %+v", p)
	}
	if p := Pool([]Count{{1, 100, 0}}); p.Z < 1e3 || math.IsInf(p.Z, 0) || p.Chi2P > 1e-300 {
		t.Errorf("a hit at rate 0 pools to %+v", p)
	}
}

func TestTwoProportions(t *testing.T) {
	// 15 of 100 against 25 of 100: pooled 0.2, difference 0.1, standard error sqrt(0.16/50).
	z, p := TwoProportions(15, 100, 25, 100)
	if want := 0.1 / math.Sqrt(0.16/50); relative(z, want) > 1e-12 || math.Abs(p-0.0771) > 1e-4 {
		t.Errorf("z = %g, p = %g, want %g, 0.0771", z, p, want)
	}
	for _, c := range [][4]uint64{{0, 10, 0, 20}, {10, 10, 5, 5}, {0, 0, 3, 5}, {3, 5, 0, 0}} {
		if z, p := TwoProportions(c[0], c[1], c[2], c[3]); z != 0 || p != 1 {
			t.Errorf("%v: z = %g, p = %g, want 0, 1", c, z, p)
		}
	}
}

func TestTwoProportionsIsAntisymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n1, n2 := rapid.Uint64Range(1, 1e9).Draw(t, "n1"), rapid.Uint64Range(1, 1e9).Draw(t, "n2")
		x1, x2 := rapid.Uint64Range(0, n1).Draw(t, "x1"), rapid.Uint64Range(0, n2).Draw(t, "x2")
		z, p := TwoProportions(x1, n1, x2, n2)
		back, pBack := TwoProportions(x2, n2, x1, n1)
		if math.Abs(z+back) > 1e-9*math.Abs(z) || math.Abs(p-pBack) > 1e-9 || !(p >= 0 && p <= 1) {
			t.Fatalf("z = %g and %g, p = %g and %g", z, back, p, pBack)
		}
	})
}

func TestAdjustedPValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOf(rapid.Float64Range(0, 1)).Draw(t, "p")
		given := slices.Clone(p)
		holm, bonferroni := Holm(p), Bonferroni(p)
		if !slices.Equal(p, given) {
			t.Fatal("the p-values given were changed")
		}
		smallest := 1.0
		for i := range p {
			if holm[i] < p[i] || holm[i] > bonferroni[i] || bonferroni[i] > 1 {
				t.Fatalf("p %g, Holm %g, Bonferroni %g", p[i], holm[i], bonferroni[i])
			}
			for j := range p {
				if p[i] < p[j] && holm[i] > holm[j] {
					t.Fatalf("Holm turns %g < %g into %g > %g", p[i], p[j], holm[i], holm[j])
				}
			}
			smallest = min(smallest, holm[i])
		}
		if len(p) > 0 && smallest != min(1, float64(len(p))*slices.Min(p)) {
			t.Fatalf("the smallest of %v becomes %g", p, smallest)
		}
	})
}

func TestTostBinomVerdicts(t *testing.T) {
	for _, c := range []struct {
		x    uint64
		want string
	}{{100_000, Agree}, {107_000, Agree}, {93_000, Agree}, {110_000, Inconclusive}, {90_000, Inconclusive}, {112_000, Disagree}, {88_000, Disagree}} {
		if e := TostBinom(c.x, 10_000_000, 0.01, 0.1, 0.05); e.Verdict != c.want {
			t.Errorf("%d of 1e7 against 1 %% +- 10 %%: %+v, want %s", c.x, e, c.want)
		}
	}
	if e := TostBinom(107_000, 10_000_000, 0.01, 0.1, 0.05); e.P > 1e-10 {
		t.Errorf("7 %% off agrees within 10 %% and yet differs: p = %g", e.P)
	}
}
