package counting

import (
	"math"
	"testing"

	"filterlab/filters/theory"
)

// TestShapeLines: the lines meet p, and one less would not.
func TestShapeLines(t *testing.T) {
	for _, setting := range settings[2:] {
		for _, n := range []uint64{1, 7, 50, 12345, 1e6, 1e8} {
			for _, p := range []float64{0.99, 0.9, 0.3, 0.01, 1e-3, 1e-6} {
				l, err := shape(bind(t, setting).Params(n, p, 1))
				if err != nil {
					t.Fatal(err)
				}
				at := lined{lineBits / float64(l.bits), float64(l.lines), float64(l.k)}
				less := lined{at.b, at.lines - 1, at.k}
				if at.fpr(float64(n)) > p || l.lines > 1 && less.fpr(float64(n)) <= p {
					t.Errorf("%s, n=%d, p=%g: %d lines give %g, one less %g", setting, n, p, l.lines, at.fpr(float64(n)), less.fpr(float64(n)))
				}
			}
		}
	}
}

// TestBitsPerKey holds the sizes against those that theory asks of a large filter.
func TestBitsPerKey(t *testing.T) {
	for _, tt := range []struct {
		setting string
		p, want float64
		k       int
	}{
		{"", 0.01, 38.34, 7}, {"bits=8", 0.01, 76.68, 7}, {"layout=blocked", 0.01, 43.39, 6},
		{"layout=blocked", 0.001, 76.05, 8}, {"bits=8,layout=blocked", 0.01, 97.11, 5},
	} {
		b := bind(t, tt.setting)
		m, err := b.Model(b.Params(1e7, tt.p, 1))
		if got := float64(m.Bits) / 1e7; err != nil || math.Abs(got-tt.want) > 0.01 || m.K != tt.k {
			t.Errorf("%s, p=%g: %.3f bits per key, k = %d, want %.2f, %d; %v", tt.setting, tt.p, got, m.K, tt.want, tt.k, err)
		}
	}
}

// TestBestProbes: the number of probes is that of the exact model, or costs hardly more.
func TestBestProbes(t *testing.T) {
	for _, b := range []float64{64, 128} {
		for _, p := range []float64{0.9, 0.3, 0.1, 0.01, 0.001, 1e-4, 1e-6, 1e-9} {
			perCounter, k := theory.BlockedBits(b, p)
			got, _ := bestProbes(b, p)
			if fpr := theory.BlockedFPR(theory.BlockExact, b, got, 1.005*perCounter); fpr > p {
				t.Errorf("lines of %g, p=%g: %g probes and 0.5 %% more counters give %g, the best is %d", b, p, got, fpr, k)
			}
		}
	}
}

// TestLinesOccupancy: with one line the share of counters that are not 0 is that of one small table.
func TestLinesOccupancy(t *testing.T) {
	for _, n := range []float64{1, 5, 40} {
		want, _ := theory.BloomFill(128, 6, n)
		if got := (lined{128, 1, 6}).occupancy(n); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%g keys: occupancy %g, want %g", n, got, want)
		}
	}
}
