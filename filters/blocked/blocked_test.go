package blocked

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"filterlab/filters"
	"filterlab/filters/filtertest"
	"filterlab/filters/theory"
)

func TestConformance(t *testing.T) {
	filtertest.RunAll(t, Variant(), "", "layout=line", "sync=atomic")
}

// layouts are the knobs of the two layouts.
var layouts = []string{"split", "line"}

func bind(t rapid.TB, layout, sync string) filters.Bound {
	t.Helper()
	b, err := Variant().Bind(map[string]string{"layout": layout, "sync": sync})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func build(t rapid.TB, b filters.Bound, n uint64, p float64, seed uint64) *Filter {
	t.Helper()
	f, err := b.New(b.Params(n, p, seed))
	if err != nil {
		t.Fatal(err)
	}
	return f.(*Filter)
}

// onBothPaths runs test twice, on Go code alone and on assembly where there is some.
func onBothPaths(t *testing.T, test func(t *testing.T)) {
	t.Run("go", func(t *testing.T) {
		defer func(was bool) { useAVX2 = was }(useAVX2)
		useAVX2 = false
		test(t)
	})
	t.Run("avx2", func(t *testing.T) {
		if !useAVX2 {
			t.Skip("no AVX2 here")
		}
		test(t)
	})
}

// TestSmallAndRare measures where shortcuts in the hashing show.
func TestSmallAndRare(t *testing.T) {
	for _, layout := range layouts {
		b := bind(t, layout, "none")
		filtertest.FPR(t, b, 7, 0.01, 800, 1e6)
		filtertest.FPR(t, b, 50, 0.01, 400, 1e6)
		filtertest.FPR(t, b, 50, 0.001, 400, 3e5)
		if !testing.Short() {
			filtertest.FPR(t, b, 50, 1e-6, 100, 1e8)
			filtertest.FPR(t, b, 1000, 1e-6, 40, 1e8)
		}
	}
}

// TestShape: the blocks meet p, and one less would not.
func TestShape(t *testing.T) {
	for _, layout := range layouts {
		for _, n := range []uint64{1, 50, 12345, 1e6, 1e9} {
			for _, p := range []float64{0.9, 0.3, 0.01, 1e-3, 1e-6, 1e-9} {
				blocks, size, err := shape(bind(t, layout, "none").Params(n, p, 1))
				if err != nil {
					t.Fatal(err)
				}
				fpr := func(blocks uint64) float64 { return fpr(8*float64(size), float64(blocks), float64(n)) }
				if fpr(blocks) > p || blocks > 1 && fpr(blocks-1) <= p {
					t.Errorf("%s, n=%d, p=%g: %d blocks give %g, one less %g", layout, n, p, blocks, fpr(blocks), fpr(blocks-1))
				}
			}
		}
	}
}

// TestBitsPerKey holds the sizes against what the literature asks for.
func TestBitsPerKey(t *testing.T) {
	for _, tt := range []struct {
		layout  string
		p, want float64
	}{{"split", 0.1, 5.99}, {"split", 0.01, 10.53}, {"split", 1e-3, 16.89}, {"split", 1e-4, 26.34}, {"line", 0.01, 10.10}} {
		f, err := bind(t, tt.layout, "none").Model(bind(t, tt.layout, "none").Params(1e7, tt.p, 1))
		if got := float64(f.Bits) / 1e7; err != nil || math.Abs(got-tt.want) > 0.01 {
			t.Errorf("%s, p=%g: %.3f bits per key, want %.2f; %v", tt.layout, tt.p, got, tt.want, err)
		}
	}
}

// TestLaneFormula holds the sum of positive terms against the closed form
//
//	sum_j (-1)^j C(8,j) (1-(1-(1-1/w)^j)/b)^n   for lanes of w bits, b blocks, n keys.
func TestLaneFormula(t *testing.T) {
	for _, w := range []float64{32, 64} {
		for _, at := range [][2]float64{{1, 24}, {10, 500}, {5000, 250000}, {1e6, 1e7}} {
			want, choose := 0.0, 1.0
			for j := 0.0; j <= 8; j++ {
				want += choose * math.Exp(at[1]*math.Log1p(-(1-math.Pow(1-1/w, j))/at[0]))
				choose *= -(8 - j) / (j + 1)
			}
			if got := theory.LanesFiniteFPR(w, at[0], at[1]); math.Abs(got/want-1) > 1e-7 {
				t.Errorf("lanes of %g bits, %g blocks, %g keys: %.10g, want %.10g", w, at[0], at[1], got, want)
			}
		}
	}
}

// TestRareTwins computes what InstanceFPR says it leaves out.
func TestRareTwins(t *testing.T) {
	for _, layout := range layouts {
		blocks, size, err := shape(bind(t, layout, "none").Params(1e6, 1e-6, 1))
		if err != nil {
			t.Fatal(err)
		}
		with := fpr(8*float64(size), float64(blocks), 1e6)
		without := theory.LanesFiniteFPR(8*float64(size), float64(blocks), 1e6)
		if share := 1 - without/with; share < 0.0005 || share > 0.003 {
			t.Errorf("%s: keys that agree in 32 bits are %.3f %% of the FPR", layout, 100*share)
		}
	}
}

func TestTooLarge(t *testing.T) {
	for _, layout := range layouts {
		for n, p := range map[uint64]float64{1e10: 1e-300, 1e12: 0.01, 1e11: 1e-3, math.MaxUint64: 1e-6, 1e17: 0.99999} {
			b := bind(t, layout, "none")
			_, err := b.New(b.Params(n, p, 1))
			_, modelErr := b.Model(b.Params(n, p, 1))
			if err == nil || modelErr == nil || !strings.Contains(err.Error(), "GB") {
				t.Errorf("n=%d, p=%g: New says %v, Model %v", n, p, err, modelErr)
			}
		}
	}
}

// TestInstanceFPR: the prediction of an instance is the mean of the products, block by block.
func TestInstanceFPR(t *testing.T) {
	split := &Filter{words: []uint64{0x3_0000_0001, 0x1_0000_0001, 0x1_0000_0001, 0x1_0000_000F, 0, 0, 0, 0}, blocks: 2, size: splitWords}
	line := &Filter{words: []uint64{1, 1, 1, 1, 3, 1, 1, 0xF, 0, 0, 0, 0, 0, 0, 0, 0}, blocks: 2, size: lineWords}
	for f, lane := range map[*Filter]float64{split: 32, line: 64} {
		if got, want := f.InstanceFPR(), 4*2/math.Pow(lane, 8)/2; got != want {
			t.Errorf("lanes of %g bits: InstanceFPR %g, want %g", lane, got, want)
		}
		if got, want := f.Occupancy(), 12/(16*lane); got != want {
			t.Errorf("lanes of %g bits: Occupancy %g, want %g", lane, got, want)
		}
	}
}

func TestAllocs(t *testing.T) {
	keys := make([][]byte, 100)
	for i := range keys {
		keys[i] = fmt.Append(nil, i)
	}
	held := make([]bool, 100)
	onBothPaths(t, func(t *testing.T) {
		for _, layout := range layouts {
			for _, sync := range []string{"none", "atomic"} {
				f := build(t, bind(t, layout, sync), 1000, 0.01, 1)
				if n := testing.AllocsPerRun(100, func() { f.Add(keys[0]); f.Contains(keys[1]); f.ContainsBatch(keys, held) }); n != 0 {
					t.Errorf("%s, %s: Add, Contains and ContainsBatch allocate %g times", layout, sync, n)
				}
			}
		}
	})
}

// TestLines: a large table starts on a cache line, so that no block lies on two.
func TestLines(t *testing.T) {
	for _, layout := range layouts {
		f := build(t, bind(t, layout, "none"), 100000, 0.01, 1)
		if at := uintptr(unsafe.Pointer(&f.words[0])); at%64 != 0 {
			t.Errorf("%s: the table starts %d bytes behind a cache line", layout, at%64)
		}
	}
}
