package reports

import (
	"math"
	"slices"
	"testing"

	"filterlab/harness"
)

// twoTrials are two trials of a case with numbers that can be checked by hand.
func twoTrials() []harness.Result {
	trial := func(number int, strangers, hits uint64, model, bits, absent float64) harness.Result {
		return harness.Result{Variant: "bloom", Workload: "random-ids", N: 1000, P: 0.01, Trial: number, Held: 1000,
			Members: 1000, Strangers: strangers, FalsePositives: hits, ModelFPR: &model, ModelSD: pointer(0.001),
			BitsPerKey: &bits, ModelBits: 9600, K: 3, ModelOccupancy: pointer(0.5), Verdict: "agrees", Host: harness.Host{Cores: 1},
			Timings: []harness.Timing{
				{Op: "lookup0", Ops: 10, MedianNS: absent, FloorNS: 2, Share: pointer(0)},
				{Op: "lookup50", Ops: 10, MedianNS: 40, FloorNS: 2, Share: pointer(0.5)},
				{Op: "lookup100", Ops: 10, MedianNS: 50, FloorNS: 2, Share: pointer(1), LoNS: pointer(49), HiNS: pointer(52)},
			}}
	}
	return []harness.Result{trial(0, 10_000, 90, 0.01, 9, 10), trial(1, 30_000, 310, 0.012, 10, 14)}
}

func TestCase(t *testing.T) {
	cases := Cases(twoTrials())
	if len(cases) != 1 || len(cases[0].Trials) != 2 {
		t.Fatalf("two trials of a case became %d cases", len(cases))
	}
	c := cases[0]
	fpr := c.FPR()
	check(t, "FPR", fpr.Share, 400.0/40_000)
	if fpr.Lo >= 0.01 || fpr.Hi <= 0.01 || fpr.Lo < 0.008 || fpr.Hi > 0.012 {
		t.Errorf("interval %v..%v of 1 %%", fpr.Lo, fpr.Hi)
	}
	model, _ := c.ModelFPR()
	check(t, "model", model, (0.01*10_000+0.012*30_000)/40_000)
	ratio, _, _, _ := c.Ratio()
	check(t, "ratio", ratio, 0.01/0.0115)
	check(t, "instance spread", c.InstanceSpread(), 1.96*0.001/math.Sqrt2/0.0115)
	bits, _ := c.BitsPerKey()
	check(t, "bits", bits, 9.5)
	planned, _ := c.ModelPerKey()
	check(t, "planned bits", planned, 9.6)
	absent, present, ok := c.ExpectedProbes()
	if !ok || present != 3 {
		t.Errorf("%v probes of a present key, want 3", present)
	}
	check(t, "probes of an absent key", absent, (1-0.125)/0.5)
	low, _ := c.Time("lookup0")
	check(t, "median of 10 and 14", low.NS, 12)
	if low.Bar {
		t.Error("a bar from two trials without intervals")
	}
	high, _ := c.Time("lookup100")
	if !high.Bar || high.Lo != 49 || high.Hi != 52 {
		t.Errorf("interval %v..%v, want that of the trials, 49..52", high.Lo, high.Hi)
	}
	if _, ok := c.Time("remove"); ok {
		t.Error("a time for an operation that never ran")
	}
}

// TestMedianOverTrials takes the interval from the trials where there are enough of them.
func TestMedianOverTrials(t *testing.T) {
	var results []harness.Result
	for i := range 10 {
		results = append(results, harness.Result{Variant: "bloom", Workload: "w", N: 1, P: 0.1, Trial: i,
			Timings: []harness.Timing{{Op: "add", Ops: 1, MedianNS: float64(10 - i)}}})
	}
	got, ok := Cases(results)[0].Time("add")
	if want := (Time{NS: 5.5, Lo: 2, Hi: 9, Bar: true}); !ok || got != want {
		t.Errorf("time %+v, want %+v: the 2nd to the 9th of ten", got, want)
	}
}

func TestSkippedCase(t *testing.T) {
	results := []harness.Result{{Variant: "map", Workload: "w", N: 1, P: 0.1, Skipped: "too large"}}
	if c := Cases(results)[0]; c.Skipped != "too large" || len(c.Trials) != 0 {
		t.Errorf("a skipped case became %+v", c)
	}
	if got := Pictures(results); len(got) != 0 {
		t.Errorf("%d pictures of nothing", len(got))
	}
	results = append(results, harness.Result{Variant: "map", Workload: "w", N: 1, P: 0.1})
	if c := Cases(results)[0]; c.Skipped != "" {
		t.Errorf("a case with a trial is skipped: %s", c.Skipped)
	}
}

// TestNotes tells each warning once, with its trials counted where only numbers differ.
func TestNotes(t *testing.T) {
	results := twoTrials()
	results[0].Warnings = []string{"bloom: 12 keys were refused", "slow machine"}
	results[1].Warnings = []string{"bloom: 13 keys were refused", "slow machine"}
	got := Notes(results)
	want := []string{"bloom: 12 keys were refused (alike in 1 more trial, with other numbers)", "bloom: slow machine"}
	if !slices.Equal(got, want) {
		t.Errorf("notes %q, want %q", got, want)
	}
}

func TestZeroHits(t *testing.T) {
	c := Cases([]harness.Result{{Variant: "map", Workload: "w", N: 1, P: 0.1, Strangers: 1_000_000, ModelFPR: pointer(0)}})[0]
	if !c.Exact() {
		t.Error("a model of 0 is not exact")
	}
	if got, want := observed(c.FPR()), "< 0.000369 %"; got != want {
		t.Errorf("no hits in a million print as %q, want %q", got, want)
	}
}

func check(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12*math.Max(1, math.Abs(want)) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}
