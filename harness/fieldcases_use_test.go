package harness_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"filterlab/filters"
	"filterlab/filters/theory"
	"filterlab/harness"
)

// residue: a garbage collector that keeps what a filter says maybe to leaves a share p behind at a
// pass; filters with new seeds leave p^j after j passes, filters with one seed p for ever. Scaled down
// from 25 million keys in megabytes to 25,000 in kilobytes, at the same load.
func residue(t *testing.T) {
	const n, k = 25_000, 4
	for cap, want := range map[float64]float64{8: 0.360, 5: 0.679, 4: 0.812} {
		about(t, fmt.Sprintf("residue at %g MiB", cap), theory.BloomFPR(cap*8*(1<<20), k, 25e6), want, 0.002)
		const garbage = 40_000
		b, p := parse(t, "classic:k=4"), asBits(cap*8*(1<<20)/25e6)
		fpr := theory.BloomFPR(cap*8*(1<<20), k, 25e6)
		left := make([]uint64, garbage)
		for i := range left {
			left[i] = strangers + uint64(i)
		}
		pass := func(seed uint64) {
			f := stored(t, b, n, p, seed, 1)
			left = slices.DeleteFunc(left, func(i uint64) bool { return !f.Contains(appendKey(nil, 1, i)) })
		}
		for j := range uint64(3) {
			pass(j + 1)
			after, got := math.Pow(fpr, float64(j+1)), float64(len(left))
			// 1 % of the FPR: instances differ and m is rounded up to words.
			within(t, fmt.Sprintf("%g MiB, residue after pass %d", cap, j+1), got, garbage*after,
				math.Sqrt(garbage*after*(1-after))+0.01*garbage*after)
			if pass(j + 1); float64(len(left)) != got {
				t.Errorf("%g MiB: a second pass with the same seed leaves %d of %.0f", cap, len(left), got)
			}
		}
	}
}

// noAbsentLookups: where every key asked for is stored, a filter saves nothing and costs its lookup.
func noAbsentLookups(t *testing.T) {
	const tFilter, tStore = 50, 100_000
	if saved := theory.GuardSaved(0, 0.01); saved != 0 {
		t.Errorf("saves %g of the lookups", saved)
	}
	about(t, "cost with a filter", theory.GuardCost(0, 0.01, tFilter, tStore), tFilter+tStore, 1e-12)
	about(t, "share of absent keys that pays", theory.GuardBreakEven(0.01, tFilter, tStore), 0.000505, 0.001)
}

// savedByShare: a filter saves the absent share of the lookups but its FPR.
func savedByShare(t *testing.T) {
	about(t, "saved at 1 % absent", theory.GuardSaved(0.01, 0.01), 0.0099, 1e-9)
	about(t, "saved at 90 % absent", theory.GuardSaved(0.9, 0.01), 0.891, 1e-9)
}

// twoRates: FP/(FP+TN) is a property of the filter, FP/(FP+TP) of the traffic; a result names both.
func twoRates(t *testing.T) {
	about(t, "wrong among maybe", theory.WrongAmongMaybe(0.999, 0.001), 0.5, 0.001)
	d := harness.Design{Seed: 1, Trials: 2, MaxStrangers: reduced(20_000_000)}
	w := workload(t, "random-ids:present=0.001", 100_000)
	for _, r := range measure(t, d, harness.Case{Variant: parse(t, "classic"), Workload: w, P: 0.001})[0] {
		rate(t, "false positives", float64(r.FalsePositives), float64(r.Strangers), *r.ModelFPR)
		about(t, "FPR", *r.FPR, 0.001, 0.12)
		about(t, "wrong among maybe", *r.WrongAmong, 0.5, 0.06)
	}
}

// bothEnds: a filter makes absent lookups cheap and present ones dearer; what counts is the mix.
// 4.99 us without a filter; with one 0.53 us absent and 11 % more present.
func bothEnds(t *testing.T) {
	const tStore, tFilter, p = 4.99, 0.48, 0.01
	present := 1.11 * tStore
	mean := func(absent float64) float64 {
		return theory.MixedLatency(1-absent, theory.NegativeCost(tFilter, p, tStore), present)
	}
	about(t, "all absent", mean(1), 0.53, 0.01)
	about(t, "all present", mean(0), present, 1e-12)
	even := (present - tStore) / (mean(0) - mean(1))
	about(t, "share of absent keys that pays", even, 0.110, 0.02)
	about(t, "cost there", mean(even), tStore, 1e-9)
	d := harness.Design{Seed: 1, Trials: 1, MaxStrangers: 10_000}
	r := measure(t, d, harness.Case{Variant: parse(t, "classic"), Workload: workload(t, "random-ids", 10_000), P: 0.01})[0][0]
	shares := map[float64]bool{}
	for _, timing := range r.Timings {
		if timing.Share != nil && timing.MedianNS > 0 {
			shares[*timing.Share] = true
		}
	}
	if !shares[0] || !shares[1] || len(shares) < 5 {
		t.Errorf("lookups are timed at the shares of members %v, want 0 to 1", shares)
	}
}

// replayed: keys once found to pass always pass a filter with the same seed, or one that takes none; a
// new seed ends it.
func replayed(t *testing.T) {
	const n, p, seed = 20_000, 0.01, 4
	for _, name := range []string{"classic", "partitioned", "counting", "bloom", "cuckoo"} {
		b := parse(t, name)
		f := stored(t, b, n, p, seed, 1)
		var found []uint64
		for i := uint64(strangers); len(found) < 5_000; i++ {
			if f.Contains(appendKey(nil, 1, i)) {
				found = append(found, i)
			}
		}
		again := func(seed uint64) (hits float64) {
			next := stored(t, b, n, p, seed, 1)
			for _, i := range found {
				if next.Contains(appendKey(nil, 1, i)) {
					hits++
				}
			}
			return hits
		}
		if hits := again(seed); hits != 5_000 {
			t.Errorf("%s: %.0f of 5,000 pass again with the same seed", name, hits)
		}
		fresh := again(seed + 1)
		if !b.Seeded {
			if fresh != 5_000 {
				t.Errorf("%s takes no seed, but %.0f of 5,000 pass the next generation", name, fresh)
			}
			continue
		}
		rate(t, name+": pass with a new seed", fresh, 5_000, f.(filters.Predictor).InstanceFPR())
	}
}
