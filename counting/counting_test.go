package counting

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"filterlab/filters"
	"filterlab/filters/filtertest"
	"filterlab/filters/theory"
)

func TestConformance(t *testing.T) { filtertest.RunAll(t, Variant(), "") }

func bind(t testing.TB) filters.Bound {
	t.Helper()
	b, err := Variant().Bind(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func newFilter(t testing.TB, m uint64, k int, seed uint64) *Filter {
	t.Helper()
	f, err := New(m, k, seed)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestSmallAndRare measures where shortcuts in the hashing show.
func TestSmallAndRare(t *testing.T) {
	b := bind(t)
	filtertest.FPR(t, b, 7, 0.01, 800, 1e6)
	filtertest.FPR(t, b, 50, 0.01, 400, 1e6)
	if !testing.Short() {
		filtertest.FPR(t, b, 1000, 1e-6, 40, 6e7)
	}
}

// plain is the same filter with one int a counter.
type plain struct {
	*Filter
	counts []int
}

func (p plain) probes(key []byte, do func(c *int)) {
	h := filters.Hash(key, p.seed)
	for range p.k {
		do(&p.counts[filters.Reduce(h, p.m)])
		h = filters.NextProbe(h)
	}
}

func (p plain) contains(key []byte) bool {
	all := true
	p.probes(key, func(c *int) { all = all && *c > 0 })
	return all
}

func (p plain) remove(key []byte) bool {
	held := p.contains(key)
	if held {
		p.probes(key, func(c *int) {
			if *c > 0 && *c < 15 {
				*c--
			}
		})
	}
	return held
}

// TestPacked drives the packed counters and plain ones through the same steps, in tables so small
// that keys meet themselves, counters saturate and wrong deletes hit.
func TestPacked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.Uint64Range(1, 64).Draw(t, "m")
		f, err := New(m, rapid.IntRange(1, 8).Draw(t, "k"), rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		p := plain{f, make([]int, f.m)}
		steps := rapid.SliceOfN(rapid.IntRange(0, 59), 100, 300).Draw(t, "steps")
		for _, s := range steps {
			key := fmt.Appendf(nil, "%d", s%20)
			switch {
			case s < 30:
				f.Add(key)
				p.probes(key, func(c *int) { *c = min(15, *c+1) })
			case s < 40:
				if got, want := f.Remove(key), p.remove(key); got != want {
					t.Fatalf("Remove(%s) = %v, want %v", key, got, want)
				}
			default:
				if got, want := f.Contains(key), p.contains(key); got != want {
					t.Fatalf("Contains(%s) = %v, want %v", key, got, want)
				}
			}
		}
		p.compare(t)
	})
}

func (p plain) compare(t *rapid.T) {
	t.Helper()
	nonzero, stuck := 0, uint64(0)
	for i, want := range p.counts {
		if got := int(p.words[i/16] >> (i % 16 * 4) & 15); got != want {
			t.Fatalf("counter %d is %d, want %d", i, got, want)
		}
		if want > 0 {
			nonzero++
		}
		if want == 15 {
			stuck++
		}
	}
	if got := p.Saturated(); got != stuck {
		t.Fatalf("Saturated %d, want %d", got, stuck)
	}
	if got, want := p.Occupancy(), float64(nonzero)/float64(p.m); got != want {
		t.Fatalf("Occupancy %g, want %g", got, want)
	}
}

// TestEmptyAgain: keys that meet a counter twice leave nothing behind.
func TestEmptyAgain(t *testing.T) {
	f := newFilter(t, 64, 8, 1)
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
				t.Fatalf("%s was added, and Remove says no", key)
			}
		}
		if f.Occupancy() != 0 {
			t.Fatalf("round %d leaves an occupancy of %g", round, f.Occupancy())
		}
	}
}

// TestSticky: a counter that reached 15 stays, is counted and noted, and members survive.
func TestSticky(t *testing.T) {
	f := newFilter(t, 16, 1, 1)
	key := []byte("a")
	for range 14 {
		f.Add(key)
	}
	if f.Saturated() != 0 || f.Notes() != nil {
		t.Fatalf("at 14: %d saturated, notes %q", f.Saturated(), f.Notes())
	}
	f.Add(key)
	f.Add(key)
	if f.Saturated() != 1 || len(f.Notes()) != 1 || !strings.Contains(f.Notes()[0], "1 of 16") {
		t.Fatalf("at 15: %d saturated, notes %q", f.Saturated(), f.Notes())
	}
	for range 40 {
		f.Remove(key)
	}
	if !f.Contains(key) || f.Saturated() != 1 {
		t.Error("a saturated counter was decremented")
	}
}

// TestLimits computes what model.go says of saturation.
func TestLimits(t *testing.T) {
	params := bind(t).Params(10000, 0.01, 1)
	m, k, err := shape(params)
	if err != nil {
		t.Fatal(err)
	}
	for load, want := range map[uint64]float64{1: 3e14, 4: 2e6, 10: 120} {
		if one := 1 / theory.CountingOverflow(float64(m), float64(k), 10000*float64(load), 15); math.Abs(one/want-1) > 0.1 {
			t.Errorf("%d times the keys: one counter in %.3g reaches 15, want %.3g", load, one, want)
		}
	}
	model, err := bind(t).Model(params)
	if err != nil {
		t.Fatal(err)
	}
	const instances = 6
	above := 0.0
	for seed := range uint64(instances) {
		_, fpr := wrongDeletes(t, filters.Churn{Loaded: 100000, Deleted: 90000}, seed)
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
	params := bind(t).Params(1e10, 1e-300, 1)
	_, err := bind(t).New(params)
	_, modelErr := bind(t).Model(params)
	if err == nil || modelErr == nil || !strings.Contains(err.Error(), "GB") {
		t.Errorf("n=1e10, p=1e-300: New says %v, Model %v", err, modelErr)
	}
}

func TestAllocs(t *testing.T) {
	f := newFilter(t, 10000, 7, 1)
	key := []byte("user123")
	if n := testing.AllocsPerRun(100, func() { f.Add(key); f.Contains(key); f.Remove(key) }); n != 0 {
		t.Errorf("Add, Contains and Remove allocate %g times", n)
	}
}

// TestLostForFewWrongDeletes: the differential equation starts at FPR * loss per wrong delete.
func TestLostForFewWrongDeletes(t *testing.T) {
	params := bind(t).Params(100000, 0.01, 1)
	m, k, err := shape(params)
	if err != nil {
		t.Fatal(err)
	}
	model, err := bind(t).Model(params)
	if err != nil {
		t.Fatal(err)
	}
	const n = 100000
	fm, fk := float64(m), float64(k)
	want := 10 * theory.BloomFPR(fm, fk, n) * theory.CountingWrongDeleteLoss(fm, fk, n)
	if got := model.Lost(filters.Churn{Loaded: n, Wrong: 10}); math.Abs(got/want-1) > 1e-3 {
		t.Errorf("10 wrong deletes lose %g, want %g", got, want)
	}
	for _, c := range []filters.Churn{{}, {Wrong: 5}, {Loaded: n, Deleted: 500}, {Loaded: n, Deleted: n, Wrong: 9}} {
		if got := model.Lost(c); got != 0 {
			t.Errorf("%+v loses %g, want 0", c, got)
		}
	}
	if got := model.Lost(filters.Churn{Loaded: n, Wrong: 1 << 50}); got < 0.99*n || got > n {
		t.Errorf("2^50 wrong deletes lose %g of %d members", got, n)
	}
}

// TestWrongDeletes holds members lost and occupancy left against the model on both sides, from a
// few wrong deletes to so many that most members are gone.
func TestWrongDeletes(t *testing.T) {
	const n = 10000
	instances := 12.0
	if testing.Short() {
		instances = 5
	}
	for _, c := range []filters.Churn{
		{Loaded: n, Wrong: 1000},
		{Loaded: n, Deleted: 3000, Added: 1000, Wrong: 10000},
		{Loaded: n, Wrong: 100000},
		{Loaded: 2 * n, Wrong: 50000},
		{Loaded: n, Wrong: 300000},
	} {
		model, err := bind(t).Model(bind(t).Params(n, 0.01, 0))
		if err != nil {
			t.Fatal(err)
		}
		var x, xx, predicted float64
		for seed := range uint64(instances) {
			lost, instance := wrongDeletes(t, c, seed)
			x += lost / instances
			xx += lost * lost / instances
			predicted += instance / instances
		}
		se := math.Sqrt(max(0, xx-x*x) / (instances - 1))
		if want := model.Lost(c); math.Abs(x-want) > 5*se+0.003*want {
			t.Errorf("%+v: %.1f members lost, the model says %.1f, se %.2g", c, x, want, se)
		}
		if want := model.FPRAfter(c); math.Abs(predicted/want-1) > 0.03 {
			t.Errorf("%+v: the instances predict an FPR of %.5f, the model %.5f", c, predicted, want)
		}
	}
}

func wrongDeletes(t *testing.T, c filters.Churn, seed uint64) (lost, instanceFPR float64) {
	t.Helper()
	b := bind(t)
	made, err := b.New(b.Params(10000, 0.01, seed))
	if err != nil {
		t.Fatal(err)
	}
	f := made.(*Filter)
	buf := make([]byte, 0, 8)
	key := func(i uint64) []byte { return binary.LittleEndian.AppendUint64(buf, filters.Mix(seed<<32+i)) }
	for i := range c.Loaded {
		f.Add(key(i))
	}
	for i := range c.Deleted {
		f.Remove(key(i))
	}
	for i := range c.Added {
		f.Add(key(c.Loaded + i))
	}
	for i := range c.Wrong {
		f.Remove(key(1<<30 + i))
	}
	for i := c.Deleted; i < c.Loaded+c.Added; i++ {
		if !f.Contains(key(i)) {
			lost++
		}
	}
	return lost, f.InstanceFPR()
}
