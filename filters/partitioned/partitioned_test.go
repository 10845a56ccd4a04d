package partitioned

import (
	"math"
	"strings"
	"testing"

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

// TestSmallAndRare measures where shortcuts in the hashing show.
func TestSmallAndRare(t *testing.T) {
	b := bind(t)
	filtertest.FPR(t, b, 7, 0.01, 800, 1e6)
	filtertest.FPR(t, b, 50, 0.01, 400, 1e6)
	filtertest.FPR(t, b, 50, 0.001, 400, 3e5)
	if !testing.Short() {
		filtertest.FPR(t, b, 1000, 1e-6, 40, 6e7)
	}
}

// TestSliceSize: the slices meet p, and one word less would not.
func TestSliceSize(t *testing.T) {
	for _, n := range []uint64{1, 100, 12345, 1e6, 1e9} {
		for _, p := range []float64{0.9, 0.3, 0.01, 1e-3, 1e-6, 1e-12} {
			words, k, err := shape(bind(t).Params(n, p, 1))
			if err != nil {
				t.Fatal(err)
			}
			fpr := func(words uint64) float64 { return theory.PartitionedFPR(64*float64(words), float64(k), float64(n)) }
			if fpr(words) > p*(1+1e-9) || words > 1 && fpr(words-1) <= p {
				t.Errorf("n=%d, p=%g: %d words a slice give %g, one less %g", n, p, words, fpr(words), fpr(words-1))
			}
		}
	}
}

func TestTooLarge(t *testing.T) {
	for _, n := range []uint64{1e11, math.MaxUint64} {
		params := bind(t).Params(n, 1e-300, 1)
		_, err := bind(t).New(params)
		_, modelErr := bind(t).Model(params)
		if err == nil || modelErr == nil || !strings.Contains(err.Error(), "GB") {
			t.Errorf("n=%d: New says %v, Model %v", n, err, modelErr)
		}
	}
}

// TestInstanceFPR: the prediction of an instance is the product of the fills, slice by slice.
func TestInstanceFPR(t *testing.T) {
	f := &Filter{words: []uint64{0xFF, 0, 0xF, 0xF0}, slice: 2, s: 128}
	if got, want := f.InstanceFPR(), 8./128*8/128; got != want {
		t.Errorf("InstanceFPR %g, want %g", got, want)
	}
	if got, want := f.Occupancy(), 16./256; got != want {
		t.Errorf("Occupancy %g, want %g", got, want)
	}
}

func TestAllocs(t *testing.T) {
	f, err := bind(t).New(bind(t).Params(1000, 0.01, 1))
	if err != nil {
		t.Fatal(err)
	}
	key := []byte("user123")
	if n := testing.AllocsPerRun(100, func() { f.Add(key); f.Contains(key) }); n != 0 {
		t.Errorf("Add and Contains allocate %g times", n)
	}
}
