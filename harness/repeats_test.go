package harness

import (
	"iter"
	"testing"

	"filterlab/filters"
	"filterlab/workloads"
)

// repeating adds each of n keys so many times in all, round after round.
func repeating(n uint64, times int) workloads.Workload {
	w := fakeWorkload(n, 0, 0, 0)
	w.Name = "fake:repeating"
	w.Load = func(seed uint64) iter.Seq2[workloads.Op, error] {
		return func(yield func(workloads.Op, error) bool) {
			for round := range times {
				truth := workloads.NeverSeen
				if round > 0 {
					truth = workloads.Member
				}
				if !run(yield, seed, 0, n, workloads.Add, truth) {
					return
				}
			}
		}
	}
	return w
}

func TestRepeatedKeysAreHeldOnce(t *testing.T) {
	for name, c := range map[string]struct {
		refuse         func(adds int) bool
		held, rejected uint64
	}{
		"all adds taken":                           {nil, 5000, 0},
		"the repeats refused: held nevertheless":   {func(adds int) bool { return adds > 5000 }, 5000, 0},
		"all refused":                              {func(int) bool { return true }, 0, 5000},
		"the first 1000 adds refused, then taken":  {func(adds int) bool { return adds <= 1000 }, 5000, 0},
		"the first 6000 refused":                   {func(adds int) bool { return adds <= 6000 }, 5000, 0},
		"only the second round's first 2000 taken": {func(adds int) bool { return adds <= 5000 || adds > 7000 }, 2000, 3000},
	} {
		mend := func(f *fakeFilter) filters.Filter {
			adds := 0
			f.refuse = func([]byte) bool { adds++; return c.refuse != nil && c.refuse(adds) }
			return f
		}
		rows := measure(t, Design{Seed: 2, Trials: 1}, Case{fakeVariant(0, 0, mend), repeating(5000, 3), 0.01})
		if r := rows[0]; r.Held != c.held || r.Rejected != c.rejected || r.Members != c.held || r.FalseNegatives != 0 {
			t.Errorf("%s: held %d, rejected %d, members %d, false negatives %d; want %d, %d, %d, 0",
				name, r.Held, r.Rejected, r.Members, r.FalseNegatives, c.held, c.rejected, c.held)
		}
	}
}

func TestDesignBoundsTrialsAndStrangers(t *testing.T) {
	c := Case{fakeVariant(0.001, 0.001, nil), fakeWorkload(300, 0, 0, 0), 0.001}
	for _, d := range []struct {
		design    Design
		trials    int
		strangers uint64
	}{
		{Design{}, 10, 25_000_000},
		{Design{LeastTrials: 3, MaxStrangers: 300_000}, 3, 300_000},
		{Design{Trials: 2, LeastTrials: 3, MaxStrangers: 300_001}, 2, 300_002},
	} {
		p, err := newPlan(c, d.design)
		if err != nil || p.trials != d.trials || p.strangers*uint64(p.trials) != d.strangers {
			t.Errorf("%+v: %d trials, %d strangers each, %v; want %d trials and %d strangers in all",
				d.design, p.trials, p.strangers, err, d.trials, d.strangers)
		}
	}
}

func TestOnlyAddsHaveALastChunk(t *testing.T) {
	rows := measure(t, Design{Seed: 1, Trials: 1}, Case{fakeVariant(0.01, 0.01, nil), fakeWorkload(9000, 0, 0, 0), 0.01})
	for _, timing := range rows[0].Timings {
		if has := timing.LastNS != nil; has != (timing.Op == "add") || has && *timing.LastNS <= 0 {
			t.Errorf("%s: last chunk %v", timing.Op, timing.LastNS)
		}
	}
}
