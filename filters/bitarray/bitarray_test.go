package bitarray

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"filterlab/filters"
)

// TestArray: what is set is there, fresh only the first time, and the bits set are those of the probes.
func TestArray(t *testing.T) {
	a := New(3, 5)
	want := map[uint64]bool{}
	for i := range uint64(20) {
		h := filters.Mix(i)
		had := a.Has(h)
		if fresh := a.Set(h); fresh == had || !a.Has(h) || a.Set(h) {
			t.Fatalf("hash %d: there before %v, fresh %v, there after %v", i, had, fresh, a.Has(h))
		}
		for range 5 {
			want[filters.Reduce(h, 192)] = true
			h = filters.NextProbe(h)
		}
	}
	if got := a.Ones(); a.M != 192 || got != uint64(len(want)) {
		t.Errorf("%d of %d bits set, want %d of 192", got, a.M, len(want))
	}
	if got, want := a.FPR(), math.Pow(float64(len(want))/192, 5); got != want {
		t.Errorf("FPR %g, want %g", got, want)
	}
	b := New(3, 5)
	var file bytes.Buffer
	if _, err := a.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	if _, err := b.ReadFrom(&file); err != nil || !slices.Equal(a.Words, b.Words) {
		t.Errorf("bits do not come back: %v", err)
	}
	b.Fill()
	if b.Ones() != 192 || b.FPR() != 1 {
		t.Errorf("%d bits set by Fill, FPR %g", b.Ones(), b.FPR())
	}
}
