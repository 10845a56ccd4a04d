package stats

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestBatchSizeKeepsTheClockSmall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clock := rapid.Float64Range(1, 200).Draw(t, "clock ns")
		op := rapid.Float64Range(1, 1000).Draw(t, "op ns")
		rel := rapid.Float64Range(0.001, 0.2).Draw(t, "rel")
		batch := float64(BatchSize(clock, op, rel))
		if share := clock / (batch * op); share > rel*(1+1e-9) {
			t.Fatalf("a batch of %g leaves the clock %g, want at most %g", batch, share, rel)
		}
		if share := clock / ((batch - 1) * op); batch > 1 && share < rel*(1-1e-9) {
			t.Fatalf("a batch of %g would do for %g", batch-1, rel)
		}
	})
}

func TestCorrectOmission(t *testing.T) {
	ms := time.Millisecond
	got := CorrectOmission([]time.Duration{ms, 35 * ms, 20 * ms}, 10*ms)
	want := []time.Duration{ms, 35 * ms, 25 * ms, 15 * ms, 20 * ms, 10 * ms}
	if !slices.Equal(got, want) {
		t.Errorf("corrected to %v, want %v", got, want)
	}
	if got := CorrectOmission([]time.Duration{time.Hour}, 0); !slices.Equal(got, []time.Duration{time.Hour}) {
		t.Errorf("without an interval: %v", got)
	}
}
