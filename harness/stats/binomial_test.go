package stats

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// bigTail sums P(X <= x) term by term with 200 bits.
func bigTail(x, n uint64, p float64) float64 {
	const bits = 200
	one := big.NewFloat(1).SetPrec(bits)
	hit := big.NewFloat(p).SetPrec(bits)
	miss := new(big.Float).SetPrec(bits).Sub(one, hit)
	term := new(big.Float).SetPrec(bits).Set(one)
	for range n {
		term.Mul(term, miss)
	}
	sum := new(big.Float).SetPrec(bits).Set(term)
	odds := new(big.Float).SetPrec(bits).Quo(hit, miss)
	for k := uint64(1); k <= x; k++ {
		term.Mul(term, odds)
		term.Mul(term, new(big.Float).SetPrec(bits).SetUint64(n-k+1))
		term.Quo(term, new(big.Float).SetPrec(bits).SetUint64(k))
		sum.Add(sum, term)
	}
	f, _ := sum.Float64()
	return f
}

func relative(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got/want - 1)
}

func TestBinomialTails(t *testing.T) {
	for _, c := range []struct {
		x, n uint64
		p    float64
	}{
		{0, 1, 0.3}, {3, 10, 0.3}, {9, 10, 0.3}, {100, 10_000, 0.01}, {40, 10_000, 0.01}, {180, 10_000, 0.01},
		{5, 20_000, 1e-3}, {900, 2_000, 0.5}, {1_000, 2_000, 0.5}, {1_990, 2_000, 0.99}, {0, 5_000, 1e-6},
	} {
		want := bigTail(c.x, c.n, c.p)
		if got := atMost(c.x, c.n, c.p); relative(got, want) > 1e-11 {
			t.Errorf("P(Bin(%d,%g) <= %d) = %.17g, want %.17g", c.n, c.p, c.x, got, want)
		}
		// The same tail as misses.
		if got := atLeast(c.n-c.x, c.n, 1-c.p); relative(got, want) > 1e-10 {
			t.Errorf("P(Bin(%d,%g) >= %d) = %.17g, want %.17g", c.n, 1-c.p, c.n-c.x, got, want)
		}
	}
}

func TestBinomialTailsAtTheEnds(t *testing.T) {
	for _, c := range []struct{ got, want float64 }{
		{atMost(0, 0, 0.5), 1}, {atMost(5, 5, 0.5), 1}, {atMost(0, 5, 0), 1}, {atMost(4, 5, 1), 0},
		{atLeast(0, 5, 0.5), 1}, {atLeast(6, 5, 0.5), 0}, {atLeast(1, 5, 0), 0}, {atLeast(5, 5, 1), 1},
		{atLeast(5, 5, 0.5), 1. / 32}, {atMost(0, 5, 0.5), 1. / 32},
	} {
		if relative(c.got, c.want) > 1e-15 {
			t.Errorf("got %g, want %g", c.got, c.want)
		}
	}
}

func TestBinomialTailsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Range(1, 1_000_000_000).Draw(t, "n")
		p := math.Exp(-rapid.Float64Range(0.01, 18).Draw(t, "-ln p"))
		around := float64(n)*p + rapid.Float64Range(-6, 6).Draw(t, "z")*math.Sqrt(float64(n)*p*(1-p))
		x := uint64(min(float64(n-1), max(0, around)))
		if sum := atMost(x, n, p) + atLeast(x+1, n, p); math.Abs(sum-1) > 1e-10 {
			t.Fatalf("n=%d p=%g x=%d: the two tails add up to %.17g", n, p, x, sum)
		}
		overlap := atMost(x, n, p) + atLeast(x, n, p) - 1
		if pmf := math.Exp(logPMF(x, n, p)); math.Abs(overlap-pmf) > 1e-9 {
			t.Fatalf("n=%d p=%g x=%d: the tails share %g, P(X=x) is %g", n, p, x, overlap, pmf)
		}
	})
}
