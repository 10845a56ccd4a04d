package counting

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"filterlab/filters"
	"filterlab/filters/filtertest"
	"filterlab/filters/spec"
	"filterlab/filters/theory"
)

// settings are the knobs of all layouts.
var settings = []string{"", "bits=8", "layout=blocked", "bits=8,layout=blocked"}

func TestConformance(t *testing.T) {
	filtertest.RunAll(t, Variant(), "", "layout=blocked", "bits=8,layout=blocked,sync=atomic")
	if !testing.Short() {
		filtertest.RunAll(t, Variant(), "bits=8", "sync=atomic", "bits=8,sync=atomic", "bits=8,layout=blocked", "layout=blocked,sync=atomic")
	}
}

func bind(t rapid.TB, setting string) filters.Bound {
	t.Helper()
	b, err := parse("counting:" + setting)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func parse(text string) (filters.Bound, error) {
	_, given, err := spec.Parse(strings.TrimSuffix(text, ":"))
	if err != nil {
		return filters.Bound{}, err
	}
	return Variant().Bind(given)
}

func build(t rapid.TB, setting string, n uint64, p float64, seed uint64) *Filter {
	t.Helper()
	b := bind(t, setting)
	f, err := b.New(b.Params(n, p, seed))
	if err != nil {
		t.Fatalf("%s: %v", setting, err)
	}
	return f.(*Filter)
}

func newFilter(t testing.TB, m uint64, k int, seed uint64) *Filter {
	t.Helper()
	f, err := New(m, k, seed)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestSmallAndRare measures where shortcuts in the hashing show. The sizes of the suite begin at 50.
func TestSmallAndRare(t *testing.T) {
	if testing.Short() {
		for _, setting := range []string{"", "layout=blocked"} {
			filtertest.FPR(t, bind(t, setting), 7, 0.01, 200, 1e5)
		}
		return
	}
	for _, setting := range settings {
		b := bind(t, setting)
		filtertest.FPR(t, b, 7, 0.01, 800, 1e6)
		filtertest.FPR(t, b, 50, 0.01, 400, 1e6)
		filtertest.FPR(t, b, 50, 0.001, 400, 1e6)
		filtertest.FPR(t, b, 1000, 1e-6, 40, 6e7)
	}
}

// TestEmptyAgain: keys that meet a counter twice leave nothing behind.
func TestEmptyAgain(t *testing.T) {
	for _, setting := range settings {
		f := build(t, setting, 6, 0.01, 1)
		for round := range 50 {
			var keys [][]byte
			for i := range 4 {
				keys = append(keys, fmt.Appendf(nil, "%d-%d", round, i))
			}
			for _, key := range keys {
				f.Add(key)
			}
			if f.Saturated() > 0 {
				t.Fatal("a test of unsaturated counters, and some saturate")
			}
			for _, key := range keys {
				if !f.Remove(key) {
					t.Fatalf("%s: %s was added, and Remove says no", setting, key)
				}
			}
			if f.Occupancy() != 0 {
				t.Fatalf("%s: round %d leaves an occupancy of %g", setting, round, f.Occupancy())
			}
		}
	}
}

// TestSticky: a counter that reached its ceiling stays, is counted and noted, and members survive.
func TestSticky(t *testing.T) {
	key := []byte("a")
	for _, shared := range []bool{false, true} {
		for _, l := range []layout{{2, 0, 1, 4}, {4, 0, 1, 8}, {8, 1, 1, 4}, {8, 1, 1, 8}} {
			f := l.build(1, shared)
			ceiling := 1<<l.bits - 1
			for range ceiling - 1 {
				f.Add(key)
			}
			if f.Saturated() != 0 || f.Notes() != nil {
				t.Fatalf("%+v, below the ceiling: %d saturated, notes %q", l, f.Saturated(), f.Notes())
			}
			f.Add(key)
			f.Add(key)
			want := fmt.Sprintf("1 of %d counters are stuck at %d", 64*l.words/l.bits, ceiling)
			if f.Saturated() != 1 || len(f.Notes()) != 1 || !strings.Contains(f.Notes()[0], want) {
				t.Fatalf("%+v, at the ceiling: %d saturated, notes %q", l, f.Saturated(), f.Notes())
			}
			for range ceiling + 5 {
				f.Remove(key)
			}
			if !f.Contains(key) || f.Saturated() != 1 {
				t.Errorf("%+v: a saturated counter was decremented", l)
			}
		}
	}
}

// TestLimits computes what model.go says of saturation.
func TestLimits(t *testing.T) {
	params := bind(t, "").Params(10000, 0.01, 1)
	l, err := shape(params)
	if err != nil {
		t.Fatal(err)
	}
	for load, want := range map[uint64]float64{1: 3e14, 4: 2e6, 10: 120} {
		if one := 1 / theory.CountingOverflow(float64(16*l.words), float64(l.k), 10000*float64(load), 15); math.Abs(one/want-1) > 0.1 {
			t.Errorf("%d times the keys: one counter in %.3g reaches 15, want %.3g", load, one, want)
		}
	}
	if p := theory.CountingOverflow(float64(16*l.words), float64(l.k), 2e6, 255); p > 1e-9 {
		t.Errorf("two hundred times the keys: one counter in %.3g reaches 255", 1/p)
	}
	model, err := bind(t, "").Model(params)
	if err != nil {
		t.Fatal(err)
	}
	const instances = 6
	above := 0.0
	for seed := range uint64(instances) {
		_, fpr := wrongDeletes(t, "", filters.Churn{Loaded: 100000, Deleted: 90000}, seed)
		above += (fpr/model.FPR(10000) - 1) / instances
	}
	if above < 0.02 || above > 0.03 {
		t.Errorf("after ten times the keys and back, the FPR is %.1f %% above the model, want 2 to 3 %%", 100*above)
	}
}

func TestNew(t *testing.T) {
	for _, bad := range []struct {
		m uint64
		k int
	}{{0, 1}, {10, 0}, {10, -1}, {10, 65}, {math.MaxUint64, 3}} {
		if _, err := New(bad.m, bad.k, 1); err == nil {
			t.Errorf("New(%d, %d) is no error", bad.m, bad.k)
		}
	}
	if f := newFilter(t, 17, 3, 1); f.SizeBits() != 128 {
		t.Errorf("17 counters take %d bits, want 128", f.SizeBits())
	}
}

func TestTooLarge(t *testing.T) {
	for _, setting := range settings {
		for n, p := range map[uint64]float64{1e10: 1e-300, 1e12: 0.01, math.MaxUint64: 1e-6} {
			b := bind(t, setting)
			_, err := b.New(b.Params(n, p, 1))
			_, modelErr := b.Model(b.Params(n, p, 1))
			if err == nil || modelErr == nil || !strings.Contains(err.Error(), "GB") {
				t.Errorf("%s, n=%d, p=%g: New says %v, Model %v", setting, n, p, err, modelErr)
			}
		}
	}
}

func TestAllocs(t *testing.T) {
	keys := make([][]byte, 100)
	for i := range keys {
		keys[i] = fmt.Append(nil, i)
	}
	held := make([]bool, 100)
	for _, setting := range append(settings, "sync=atomic") {
		f := build(t, setting, 1000, 0.01, 1)
		if n := testing.AllocsPerRun(100, func() {
			f.Add(keys[0])
			f.Contains(keys[0])
			f.ContainsBatch(keys, held)
			f.Remove(keys[0])
		}); n != 0 {
			t.Errorf("%s: Add, Contains, ContainsBatch and Remove allocate %g times", setting, n)
		}
	}
}
