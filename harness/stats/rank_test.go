package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// pairs returns U by its definition: the pairs with x above y, ties counting one half.
func pairs(x, y []float64) float64 {
	u := 0.0
	for _, a := range x {
		for _, b := range y {
			switch {
			case a > b:
				u++
			case a == b:
				u += 0.5
			}
		}
	}
	return u
}

// shuffled returns the two-sided p-value over every way to choose the first sample.
func shuffled(x, y []float64) float64 {
	all := append(append([]float64{}, x...), y...)
	observed := pairs(x, y)
	var below, above, ways float64
	for chosen := range 1 << len(all) {
		if bits.OnesCount(uint(chosen)) != len(x) {
			continue
		}
		var a, b []float64
		for i, v := range all {
			if chosen>>i&1 == 1 {
				a = append(a, v)
			} else {
				b = append(b, v)
			}
		}
		u := pairs(a, b)
		ways++
		if u <= observed {
			below++
		}
		if u >= observed {
			above++
		}
	}
	return min(1, 2*min(below, above)/ways)
}

func TestMannWhitneyAgainstEveryShuffle(t *testing.T) {
	values := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 12), func(i int) float64 { return float64(i) / 4 }), 1, 5)
	rapid.Check(t, func(t *rapid.T) {
		x, y := values.Draw(t, "x"), values.Draw(t, "y")
		u, p := MannWhitney(x, y)
		if want := pairs(x, y); u != want {
			t.Fatalf("U = %g, want %g", u, want)
		}
		if want := shuffled(x, y); math.Abs(p-want) > 1e-12 {
			t.Fatalf("p = %g, want %g", p, want)
		}
	})
}

func TestMannWhitneyApproximationMeetsTheExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for _, ties := range []float64{0, 8} {
		for range 50 {
			x, y := make([]float64, 22), make([]float64, 28)
			draw := func(shift float64) float64 {
				v := rng.NormFloat64() + shift
				if ties > 0 {
					v = math.Round(v*ties) / ties
				}
				return v
			}
			for i := range x {
				x[i] = draw(0.4)
			}
			for i := range y {
				y[i] = draw(0)
			}
			ranks := doubledRanks(x, y)
			sum := 0
			for _, r := range ranks[:len(x)] {
				sum += r
			}
			exact, normal := exactRankP(ranks, len(x), sum), normalRankP(ranks, len(x), sum)
			if math.Abs(exact-normal) > 0.01 {
				t.Errorf("ties %g: p = %g exactly and %g by the normal", ties, exact, normal)
			}
		}
	}
}

func TestMannWhitneyLargeAndDegenerate(t *testing.T) {
	same := make([]float64, 40)
	if _, p := MannWhitney(same, same); p != 1 {
		t.Errorf("80 equal values: p = %g, want 1", p)
	}
	if u, p := MannWhitney(nil, []float64{1, 2}); u != 0 || p != 1 {
		t.Errorf("an empty sample: U = %g, p = %g, want 0, 1", u, p)
	}
	x, y := make([]float64, 60), make([]float64, 60)
	for i := range x {
		x[i], y[i] = float64(i)+1000, float64(i)
	}
	if u, p := MannWhitney(x, y); u != 3600 || p > 1e-15 {
		t.Errorf("60 above 60: U = %g, p = %g", u, p)
	}
}
