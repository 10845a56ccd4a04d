package cuckoo

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"filterlab/filters"
	"filterlab/filters/filtertest"
)

func mustModel(t *testing.T, p filters.Params) filters.Model {
	t.Helper()
	m, err := ownModel(p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestOwnSize: the table takes at most 6 % more than f/0.95 bits per key from n = 1,000 up, and never
// less.
func TestOwnSize(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, width := range widthKnobs {
		worst, at := 0.0, uint64(0)
		for i := range 20_000 {
			n := uint64(1000 + i)
			if i >= 2000 {
				n = uint64(1000 * math.Pow(1e4, rng.Float64()))
			}
			m := mustModel(t, ownParams(t, width, n, 0.01))
			f := map[string]float64{"8": 8, "12": 12, "16": 16}[width]
			over := float64(m.Bits)/float64(n)/(f/ownLoad) - 1
			if over < -1e-9 || m.Occupancy(n) > ownLoad+1e-12 {
				t.Errorf("f=%s, n=%d: %+.2f %%, load %g", width, n, 100*over, m.Occupancy(n))
			}
			if over > worst {
				worst, at = over, n
			}
		}
		t.Logf("f=%s: at most %.2f %% above f/0.95, at n = %d", width, 100*worst, at)
		if worst > 0.06 {
			t.Errorf("f=%s, n=%d: %.2f %% above f/0.95 bits per key, want 6 %% at most", width, at, 100*worst)
		}
	}
}

// TestOwnHoldsN: a filter refuses none of the n keys it is sized for, but for a table in thousands.
func TestOwnHoldsN(t *testing.T) {
	tables, refused := 0, 0
	for _, n := range []uint64{1, 4, 5, 6, 8, 11, 17, 30, 64, 100, 250, 500, 1000, 1700, 4000} {
		for i := range 20 + 60_000/(n+20) {
			tables++
			if f := mustOwn(t, "8", n); uint64(len(offer(f, i, n))) < n {
				refused++
			}
		}
	}
	t.Logf("%d of %d tables refused a key", refused, tables)
	if refused > tables/1000 {
		t.Errorf("%d of %d tables refused a key, want one in a thousand at most", refused, tables)
	}
}

// TestOwnLoad: large tables refuse no key before they are fuller than n keys make them.
func TestOwnLoad(t *testing.T) {
	for _, n := range []uint64{1e5, 1e6, 1e7} {
		for _, width := range widthKnobs {
			if n > 1e5 && (testing.Short() || n > 1e6 && width != "8") {
				continue
			}
			f := mustOwn(t, width, n)
			var buf [8]byte
			i := uint64(0)
			for f.Add(testKey(1, 2*i, &buf)) {
				i++
			}
			t.Logf("f=%s, n=%d: load %.4f at the first refusal", width, n, f.Occupancy())
			if f.Occupancy() < 0.96 {
				t.Errorf("f=%s, n=%d: load %.4f at the first refusal, want 0.96", width, n, f.Occupancy())
			}
		}
	}
}

// TestFingerprintForP: the narrowest fingerprint that meets p, and a word where none does.
func TestFingerprintForP(t *testing.T) {
	for _, c := range []struct {
		p, f, fpr float64 // load 0.95
		miss      bool
	}{
		{0.03, 8, 0.02936, false}, {0.029, 12, 0.001854, false}, {0.01, 12, 0.001854, false}, {0.0018, 16, 0.0001160, false},
		{0.001, 16, 0.0001160, false}, {1e-6, 16, 0.0001160, true},
	} {
		p := ownParams(t, "auto", 1_000_000, c.p)
		s, err := ownShapeOf(p)
		m := mustModel(t, p)
		if err != nil || float64(s.f) != c.f || math.Abs(m.FPR(p.N)/c.fpr-1) > 1e-3 {
			t.Errorf("p=%g: f=%d, FPR %.6g, %v; want %g, %g", c.p, s.f, m.FPR(p.N), err, c.f, c.fpr)
		}
		if strings.Contains(m.Source, "miss p") != c.miss {
			t.Errorf("p=%g: source %q", c.p, m.Source)
		}
	}
}

// TestOwnSmallAndRare measures where the buckets that are their own others show, and the widest
// fingerprints.
func TestOwnSmallAndRare(t *testing.T) {
	bind := func(width string) filters.Bound {
		b, err := OwnVariant().Bind(map[string]string{"f": width})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, n := range []uint64{1, 4, 5, 12} {
		filtertest.FPR(t, bind("8"), n, 0.01, 1000, 5e5)
	}
	filtertest.FPR(t, bind("12"), 50, 0.01, 400, 5e5)
	if !testing.Short() {
		filtertest.FPR(t, bind("12"), 1e5, 0.01, 4, 1e6)
		filtertest.FPR(t, bind("16"), 1e5, 0.0001, 4, 5e6)
	}
}

// TestOwnInstanceFPR asks for every fingerprint in every bucket, with and without a victim.
func TestOwnInstanceFPR(t *testing.T) {
	victims := 0
	for n := range uint64(60) {
		f := mustOwn(t, "8", 1+n/2)
		offer(f, n, n)
		if f.victim.fingerprint != 0 {
			victims++
		}
		positive := 0
		for v := uint64(1); v <= f.lanes.mask; v++ {
			for i := range f.m {
				s := spot{v, i, f.other(v, i)}
				if f.copies(s) > 0 {
					positive++
				}
			}
		}
		want := float64(positive) / float64(f.lanes.mask*f.m)
		if got := f.InstanceFPR(); math.Abs(got-want) > 1e-12 {
			t.Errorf("n=%d: %g, want %g", n, got, want)
		}
	}
	if victims == 0 {
		t.Error("no table has a victim: the test is too tame")
	}
}

// TestWrongDeletesCost: a delete of an absent key costs a member FPR * 0.985 of the times at 8 bits.
func TestWrongDeletesCost(t *testing.T) {
	m := mustModel(t, ownParams(t, "8", 1_000_000, 0.03))
	c := filters.Churn{Loaded: 1_000_000, Wrong: 10_000}
	if got, want := m.Lost(c), 1e4*m.FPR(1_000_000)*0.985; math.Abs(got/want-1) > 0.002 {
		t.Errorf("%.1f members lost, want %.1f", got, want)
	}
	if got := m.Lost(filters.Churn{Loaded: 1000, Deleted: 400}); got != 0 {
		t.Errorf("%g members lost without a wrong delete", got)
	}
}

func TestOwnTooLarge(t *testing.T) {
	for _, n := range []uint64{1e12, math.MaxUint64} {
		p := ownParams(t, "8", n, 0.01)
		_, err := newOwn(p)
		_, modelErr := ownModel(p)
		if err == nil || modelErr == nil || !strings.Contains(err.Error(), "lower n") {
			t.Errorf("n=%d: New says %v, Model %v", n, err, modelErr)
		}
	}
}
