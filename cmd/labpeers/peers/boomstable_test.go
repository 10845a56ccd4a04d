package peers

import (
	"math"
	"testing"

	boom "github.com/tylertreat/BoomFilters"

	"filterlab/filters"
	"filterlab/filters/filtertest"
)

func TestBoomStableForgetsAsPredicted(t *testing.T) {
	const n = 20_000
	f := loaded(t, BoomStable(), nil, filters.Params{N: n, P: 0.01, Seed: 1}, randomKey).(*boomStable)
	denied := n * (1 - rate(f, 1, 0, n, randomKey))
	predicted, _ := f.Lost()
	t.Logf("%.1f %% of %d keys are denied, predicted %.1f %%", 100*denied/n, n, 100*predicted/n)
	if math.Abs(denied-predicted) > 5*math.Sqrt(n)/2 {
		t.Errorf("%.0f keys denied, predicted %.0f", denied, predicted)
	}
}

// TestBoomStableSettlesAboveItsTarget adds five times the keys, when the FPR no longer changes.
func TestBoomStableSettlesAboveItsTarget(t *testing.T) {
	const n, times, asked = 10_000, 5, 400_000
	f := loaded(t, BoomStable(), nil, filters.Params{N: n, P: 0.01, Seed: 1}, randomKey)
	var buf [8]byte
	for i := range uint64((times - 1) * n) {
		f.Add(randomKey(1<<50+i, &buf))
	}
	b := bind(t, BoomStable(), nil)
	m, err := b.Model(b.Params(n, 0.01, 0))
	if err != nil {
		t.Fatal(err)
	}
	want := m.FPR(times * n)
	fpr := rate(f, 2, n, asked, randomKey)
	t.Logf("FPR %.3g, model %.3g", fpr, want)
	if limit := 4 * math.Hypot(math.Sqrt(want/asked), m.SD(times*n)); math.Abs(fpr-want) > limit || fpr < 0.011 {
		t.Errorf("FPR %.4g, the model says %.4g within %.2g", fpr, want, limit)
	}
}

// TestBoomStableState holds k and P against the package's own, and the FPR against the model.
func TestBoomStableState(t *testing.T) {
	for _, p := range []float64{0.1, 0.01, 1e-4} {
		f := boom.NewDefaultStableBloomFilter(50_000, p)
		s := stableStateOf(50_000, p)
		if set := 1 - f.StablePoint(); s.k != float64(f.K()) || math.Abs(s.settled/set-1) > 1e-3 {
			t.Errorf("p = %g: k = %g and %.4f of the cells set, the package has %d and %.4f", p, s.k, s.settled, f.K(), set)
		}
	}
	filtertest.FPR(t, bind(t, BoomStable(), nil), 100_000, 0.001, 1, 400_000)
}
