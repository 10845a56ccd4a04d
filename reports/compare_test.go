package reports

import (
	"strings"
	"testing"

	"filterlab/harness"
	"filterlab/harness/stats"
)

// pair is one variant on random and on patterned keys with so many hits of 100,000.
func pair(variant string, random, skewed uint64) []harness.Result {
	of := func(workload string, hits uint64) harness.Result {
		return harness.Result{Variant: variant, Workload: workload, N: 1000, P: 0.01, Strangers: 100_000, FalsePositives: hits, ModelFPR: pointer(0.01)}
	}
	return []harness.Result{of("random-ids", random), of("skewed-keys:s=1.1", skewed)}
}

func TestDifferences(t *testing.T) {
	results := append(pair("same", 1000, 1010), pair("worse", 1000, 1300)...)
	got := Differences(results)
	if len(got) != 2 {
		t.Fatalf("%d comparisons, want 2", len(got))
	}
	z, p := stats.TwoProportions(1000, 100_000, 1300, 100_000)
	check(t, "z", got[1].Z, z)
	check(t, "p", got[1].P1, p)
	if got[0].PHolm < 0.5 || got[1].PHolm > 1e-6 {
		t.Errorf("adjusted p-values %v and %v: only the second pair differs", got[0].PHolm, got[1].PHolm)
	}
	if text := differenceText(got); !strings.HasPrefix(text, "The FPR on patterned keys differs from that on random ones for worse on skewed-keys:s=1.1.") {
		t.Errorf("the text is %q", text)
	}
	if !strings.Contains(Summary(results), "## Does the shape of the keys matter?") {
		t.Error("the summary does not compare the two workloads")
	}
}

// TestDifferencesOfInstances does not take what differs between instances for an effect of the keys.
func TestDifferencesOfInstances(t *testing.T) {
	results := pair("noisy", 1000, 1300)
	for i := range results {
		results[i].ModelSD = pointer(0.002)
	}
	if got := Differences(results)[0]; got.PHolm < 0.1 || got.Z < 0.5 {
		t.Errorf("z %v, p %v where instances differ by 20 %%", got.Z, got.PHolm)
	}
}

func TestNoDifferences(t *testing.T) {
	exact := pair("map", 0, 0)
	for i := range exact {
		exact[i].ModelFPR = pointer(0)
	}
	if got := Differences(append(exact, pair("bloom", 10, 10)[0])); len(got) != 0 {
		t.Errorf("compared %+v, where there is nothing to compare", got)
	}
}
