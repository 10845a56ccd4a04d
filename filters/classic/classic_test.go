package classic

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"filterlab/filters"
	"filterlab/filters/filtertest"
)

func TestConformance(t *testing.T) {
	filtertest.RunAll(t, Variant(), "", "k=1", "delete=clear", "k=3,delete=clear")
}

// TestSmallAndRare measures where shortcuts in the hashing show: double hashing is off by 286 % at
// m = 64 and by a factor of 54 at p = 1e-6.
func TestSmallAndRare(t *testing.T) {
	b := bind(t)
	filtertest.FPR(t, b, 7, 0.01, 800, 1e6)
	filtertest.FPR(t, b, 50, 0.01, 400, 1e6)
	filtertest.FPR(t, b, 50, 0.001, 400, 3e5)
	if !testing.Short() {
		filtertest.FPR(t, b, 1000, 1e-6, 40, 6e7)
	}
}

func bind(t testing.TB, knobs ...string) filters.Bound {
	t.Helper()
	given := map[string]string{}
	for i := 0; i < len(knobs); i += 2 {
		given[knobs[i]] = knobs[i+1]
	}
	b, err := Variant().Bind(given)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestShape(t *testing.T) {
	tests := []struct {
		n     uint64
		p     float64
		words uint64
		k     int
	}{
		{1000, 0.01, 150, 7}, // 9585.06 bits
		{1e8, 0.01, 14976654, 7},
		{1e7, 0.001, 2246499, 10},
		{1, 0.9, 1, 1},
		{1, 1e-300, 23, 64},
	}
	for _, tt := range tests {
		words, k, err := shape(bind(t).Params(tt.n, tt.p, 1))
		if err != nil || words != tt.words || k != tt.k {
			t.Errorf("n=%d, p=%g: %d words, k=%d, %v; want %d, %d", tt.n, tt.p, words, k, err, tt.words, tt.k)
		}
	}
}

func TestTooLarge(t *testing.T) {
	for _, n := range []uint64{1e10, math.MaxUint64} {
		params := bind(t).Params(n, 1e-300, 1)
		_, err := bind(t).New(params)
		_, modelErr := bind(t).Model(params)
		if err == nil || modelErr == nil || !strings.Contains(err.Error(), "GB") {
			t.Errorf("n=%d: New says %v, Model %v", n, err, modelErr)
		}
	}
}

func TestOnlyClearingRemoves(t *testing.T) {
	for knob, want := range map[string]bool{"none": false, "clear": true} {
		b := bind(t, "delete", knob)
		f, err := b.New(b.Params(10, 0.01, 1))
		if err != nil {
			t.Fatal(err)
		}
		if _, got := f.(filters.Remover); got != want {
			t.Errorf("delete=%s: a Remover: %v", knob, got)
		}
	}
}

func TestAllocs(t *testing.T) {
	b := bind(t, "delete", "clear")
	f, err := b.New(b.Params(1000, 0.01, 1))
	if err != nil {
		t.Fatal(err)
	}
	key := []byte("user123")
	if n := testing.AllocsPerRun(100, func() { f.Add(key); f.Contains(key); f.(filters.Remover).Remove(key) }); n != 0 {
		t.Errorf("Add, Contains and Remove allocate %g times", n)
	}
}

// TestChurn holds the derivation in model.go against the filter on both sides: members lost, kept
// and added apart, and the fill ratio before and after the wrong deletes.
func TestChurn(t *testing.T) {
	tests := []struct {
		k string
		c filters.Churn
	}{
		{"0", filters.Churn{Loaded: 10000, Deleted: 100}},
		{"0", filters.Churn{Loaded: 10000, Deleted: 2000}},
		{"0", filters.Churn{Loaded: 10000, Deleted: 9000, Added: 1000}},
		{"0", filters.Churn{Loaded: 10000, Deleted: 2000, Added: 2000, Wrong: 20000}},
		{"0", filters.Churn{Loaded: 15000, Added: 5000, Wrong: 100000}},
		{"1", filters.Churn{Loaded: 10000, Deleted: 3000, Added: 500, Wrong: 5000}},
		{"3", filters.Churn{Loaded: 10000, Deleted: 3000, Added: 1000, Wrong: 10000}},
	}
	instances := uint64(12)
	if testing.Short() {
		instances = 5
	}
	for _, tt := range tests {
		b := bind(t, "k", tt.k, "delete", "clear")
		words, k, err := shape(b.Params(10000, 0.01, 0))
		if err != nil {
			t.Fatal(err)
		}
		model := table{64 * float64(words), float64(k)}
		before, after := model.fill(tt.c)
		var s sums
		for seed := range instances {
			f, err := b.New(b.Params(10000, 0.01, seed))
			if err != nil {
				t.Fatal(err)
			}
			s.add(simulate(f.(*Clearing), tt.c, seed))
		}
		s.judge(t, tt.k, tt.c, [3]float64{before, after, model.lost(tt.c)})
	}
}

// simulate runs the churn and returns the fill ratio before and after the wrong deletes, and the
// members lost.
func simulate(f *Clearing, c filters.Churn, seed uint64) (out [3]float64) {
	key := func(i uint64) []byte { return binary.LittleEndian.AppendUint64(nil, filters.Mix(seed<<32+i)) }
	for i := range c.Loaded {
		f.Add(key(i))
	}
	for i := range c.Deleted {
		f.Remove(key(i))
	}
	for i := range c.Added {
		f.Add(key(c.Loaded + i))
	}
	out[0] = f.Occupancy()
	for i := range c.Wrong {
		f.Remove(key(1<<30 + i))
	}
	out[1] = f.Occupancy()
	for i := c.Deleted; i < c.Loaded+c.Added; i++ {
		if !f.Contains(key(i)) {
			out[2]++
		}
	}
	return out
}

// sums collects three figures over instances.
type sums struct{ n, x, xx [3]float64 }

func (s *sums) add(v [3]float64) {
	for i, x := range v {
		s.n[i]++
		s.x[i] += x
		s.xx[i] += x * x
	}
}

func (s *sums) judge(t *testing.T, k string, c filters.Churn, want [3]float64) {
	t.Helper()
	for i, what := range []string{"fill before wrong deletes", "fill after", "members lost"} {
		n := s.n[i]
		mean := s.x[i] / n
		se := math.Sqrt(max(0, s.xx[i]/n-mean*mean) / (n - 1))
		t.Logf("k=%s %+v: %s %.5g, by the model %.5g (%+.2f %%, se %.2f %%)", k, c, what, mean, want[i],
			100*(mean/want[i]-1), 100*se/want[i])
		if math.Abs(mean-want[i]) > 5*se+0.001*want[i] {
			t.Errorf("k=%s %+v: %s %.5g, by the model %.5g, se %.2g", k, c, what, mean, want[i], se)
		}
	}
}
