package fuse

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/FastFilter/xorfilter"

	"filterlab/filters"
	"filterlab/filters/filtertest"
	"filterlab/filters/theory"
)

func TestConformance(t *testing.T) { filtertest.RunAll(t, Variant(), "", "f=8", "f=16") }

func bind(t testing.TB, width string) filters.Bound {
	t.Helper()
	b, err := Variant().Bind(map[string]string{"f": width})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sealed is a filter of a variant with the interfaces that the tests need.
type sealed interface {
	filters.Filter
	filters.Sealer
	filters.Predictor
}

func mustNew(t testing.TB, width string, n uint64) sealed {
	t.Helper()
	b := bind(t, width)
	f, err := b.New(b.Params(n, 0.01, 1))
	if err != nil {
		t.Fatal(err)
	}
	return f.(sealed)
}

// fill adds count keys and seals the filter.
func fill(t testing.TB, f sealed, count uint64) {
	t.Helper()
	for i := range count {
		if !f.Add(fmt.Appendf(nil, "user%d", i)) {
			t.Fatalf("key %d refused before Seal", i)
		}
	}
	if err := f.Seal(); err != nil {
		t.Fatal(err)
	}
}

// TestFieldCase: case 51, a static build with duplicates in which then nothing was found.
func TestFieldCase(t *testing.T) {
	words := strings.Fields("apple pear plum apple cherry fig quince")
	for _, width := range []string{"8", "16"} {
		f := mustNew(t, width, 7)
		for _, w := range words {
			f.Add([]byte(w))
		}
		if err := f.Seal(); err != nil {
			t.Fatal(err)
		}
		for _, w := range words {
			if !f.Contains([]byte(w)) {
				t.Errorf("f=%s: %s was added and answers no", width, w)
			}
		}
	}
}

// TestManyCopies: however often keys are added, the table is that of the different ones, in any order.
func TestManyCopies(t *testing.T) {
	once, often := mustNew(t, "8", 1000), mustNew(t, "8", 1000)
	fill(t, once, 1000)
	for i := 999; i >= 0; i-- {
		for range 1 + i%7*50 {
			often.Add(fmt.Appendf(nil, "user%d", i))
		}
	}
	if err := often.Seal(); err != nil {
		t.Fatal(err)
	}
	if a, b := once.(*Filter8), often.(*Filter8); !slices.Equal(a.table.Fingerprints, b.table.Fingerprints) || b.keys != 1000 {
		t.Errorf("%d keys held, or another table; want that of 1000 keys", b.keys)
	}
}

func TestSeal(t *testing.T) {
	f := mustNew(t, "8", 100)
	if !f.Contains([]byte("anything")) || f.InstanceFPR() != 1 {
		t.Error("a filter that is not sealed must say maybe")
	}
	planned := f.SizeBits()
	fill(t, f, 50)
	if f.Add([]byte("late")) || f.InstanceFPR() != 1./256 || f.SizeBits() >= planned {
		t.Errorf("sealed: FPR %g, %d bits of %d planned", f.InstanceFPR(), f.SizeBits(), planned)
	}
	before := slices.Clone(f.(*Filter8).table.Fingerprints)
	if err := f.Seal(); err != nil || !slices.Equal(before, f.(*Filter8).table.Fingerprints) {
		t.Errorf("a second Seal changes the filter, or %v", err)
	}
	empty := mustNew(t, "16", 5)
	fill(t, empty, 0)
	if hits := maybes(empty, 200_000); hits > 20 {
		t.Errorf("an empty filter says maybe to %d of 200,000 keys, want about 3", hits)
	}
}

func maybes(f filters.Filter, count int) (hits int) {
	for i := range count {
		if f.Contains(fmt.Appendf(nil, "stranger%d", i)) {
			hits++
		}
	}
	return hits
}

// TestSize: the model and SizeBits say what the package allocates.
func TestSize(t *testing.T) {
	counts := []uint64{0, 1, 2, 3, 4, 5, 1000, 4096, 99_999, 200_000}
	for n := uint64(6); n < 300; n++ {
		counts = append(counts, n)
	}
	for n := uint64(400); n < 100_000; n += n / 3 {
		counts = append(counts, n)
	}
	if !testing.Short() {
		counts = append(counts, 1e6, 5e6)
	}
	for _, n := range counts {
		keys := make([]uint64, n)
		for i := range keys {
			keys[i] = filters.Mix(n<<32 + uint64(i))
		}
		table, err := xorfilter.NewBinaryFuse[uint16](keys)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := theory.SizeFuse(n, 3).Slots, uint64(len(table.Fingerprints)); got != want {
			t.Errorf("n=%d: %d slots by the formula, %d in the package", n, got, want)
		}
		f := &builder[uint16]{table: *table, keys: n, sealed: true}
		if got, want := f.SizeBits(), 16*uint64(len(table.Fingerprints)); got != want {
			t.Errorf("n=%d: SizeBits %d, %d in the package", n, got, want)
		}
	}
}

func TestBitsPerKey(t *testing.T) {
	b := bind(t, "8")
	for n, want := range map[uint64]float64{1e3: 11.3, 1e4: 10.24, 1e5: 9.50, 1e6: 9.04} {
		m, err := b.Model(b.Params(n, 0.01, 1))
		if got := float64(m.Bits) / float64(n); err != nil || math.Abs(got-want) > 0.05 {
			t.Errorf("n=%d: %.3f bits per key, %v; want %.2f", n, got, err, want)
		}
	}
}

// TestFingerprintForP: 8 bits where they meet p, and a word where not even 16 do.
func TestFingerprintForP(t *testing.T) {
	b := bind(t, "auto")
	for p, want := range map[float64]struct {
		fpr  float64
		miss bool
	}{
		0.01: {1. / 256, false}, 1. / 256: {1. / 256, false}, 0.0039: {1. / 65536, false}, 1e-4: {1. / 65536, false}, 1e-5: {1. / 65536, true},
	} {
		m, err := b.Model(b.Params(1000, p, 1))
		if err != nil || m.FPR(1000) != want.fpr || strings.Contains(m.Source, "miss p") != want.miss {
			t.Errorf("p=%g: FPR %g, source %q, %v; want %+v", p, m.FPR(1000), m.Source, err, want)
		}
	}
}

// TestRare measures the FPR of 16 bits, where the suite's lookups are too few.
func TestRare(t *testing.T) {
	filtertest.FPR(t, bind(t, "16"), 30, 0.01, 50, 5e5)
	if !testing.Short() {
		filtertest.FPR(t, bind(t, "16"), 100_000, 0.01, 4, 2e7)
		filtertest.FPR(t, bind(t, "8"), 1_000_000, 0.01, 2, 2e6)
	}
}

func TestTooLarge(t *testing.T) {
	for width, n := range map[string]uint64{"8": 4e9, "16": 2e9, "auto": math.MaxUint64} {
		b := bind(t, width)
		_, err := b.New(b.Params(n, 0.01, 1))
		_, modelErr := b.Model(b.Params(n, 0.01, 1))
		if err == nil || modelErr == nil || !strings.Contains(err.Error(), "GB") {
			t.Errorf("f=%s, n=%d: New says %v, Model %v", width, n, err, modelErr)
		}
	}
}
