package filters_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"filterlab/filters"
)

func TestTableWords(t *testing.T) {
	for bits, want := range map[float64]uint64{0: 1, 1: 1, 64: 1, 65: 2, 9585.06: 150, 1 << 40: 1 << 34} {
		if got, err := filters.TableWords(bits); err != nil || got != want {
			t.Errorf("%g bits: %d words, %v; want %d", bits, got, err, want)
		}
	}
	for bits, want := range map[float64]string{1<<40 + 1: "137.4 GB", 1.44e13: "1800 GB", math.Inf(1): "+Inf GB", math.NaN(): "NaN"} {
		if _, err := filters.TableWords(bits); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%g bits: %v; want an error that says %q", bits, err, want)
		}
	}
}

func TestProbes(t *testing.T) {
	for p, want := range map[float64]int{0.9: 1, 0.5: 1, 0.01: 7, 0.03: 5, 1e-4: 13, 1e-6: 20, 1e-300: 64} {
		if got := filters.Probes(p); got != want {
			t.Errorf("p = %g: %d probes, want %d", p, got, want)
		}
	}
}

func TestWordsRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 4095, 4096, 4097, 10000} {
		words := make([]uint64, n)
		for i := range words {
			words[i] = filters.Mix(uint64(i))
		}
		var file bytes.Buffer
		if written, err := filters.WriteWords(&file, words); err != nil || written != int64(8*n) {
			t.Fatalf("%d words: %d bytes written, %v", n, written, err)
		}
		file.WriteString("rest")
		again := make([]uint64, n)
		if read, err := filters.ReadWords(&file, again); err != nil || read != int64(8*n) || file.String() != "rest" {
			t.Fatalf("%d words: %d bytes read, %q left, %v", n, read, file.String(), err)
		}
		if !slices.Equal(words, again) {
			t.Errorf("%d words do not come back", n)
		}
	}
}

func TestReadWordsShort(t *testing.T) {
	for _, n := range []int{0, 3, 8, 20} {
		_, err := filters.ReadWords(bytes.NewReader(make([]byte, n)), make([]uint64, 3))
		if err == nil || !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d of 24 bytes: %v", n, err)
		}
	}
}
