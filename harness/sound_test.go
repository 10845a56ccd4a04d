package harness_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"filterlab/filters"
	"filterlab/filters/catalog"
	"filterlab/harness"
)

// A setting is one size, rate and seed at which every variant runs on every workload.
type setting struct {
	n    uint64
	p    float64
	seed uint64
}

// settings are a small and a large size and three rates, over as many seeds as make 500 cases of so many variants on three
// workloads, and once a rare rate; under -short one.
func settings(variants int) []setting {
	if testing.Short() {
		return []setting{{enough, 0.1, 1}}
	}
	out := []setting{{10_000, 0.001, 1}}
	for seed := uint64(1); ; seed++ {
		for _, n := range []uint64{1_000, enough} {
			for _, p := range []float64{0.1, 0.03, 0.01} {
				if 3*variants*len(out) >= 500 {
					return out
				}
				out = append(out, setting{n, p, seed})
			}
		}
	}
}

// forExact reports whether the exact variants run: to them one rate and seed is as another, and the
// lab measures the heap of a small set by many, of 200,000 keys each if it packs them so well.
func (s setting) forExact() bool { return s.p == 0.01 && s.seed == 1 && s.n < enough }

// TestSoundVariantsAreSeldomFlagged runs every variant of the catalogue on the workloads that harm none.
//
// Counted are cases, to which verdicts and flags belong (a case has at least ten rows of results, all
// with its flags); exact variants count, and the yardstick that is not judged is left out. At most one
// case in 500 may be flagged, for whatever: verdict, false negatives, size or occupancy.
func TestSoundVariantsAreSeldomFlagged(t *testing.T) {
	variants, err := catalog.ParseList("all")
	if err != nil {
		t.Fatal(err)
	}
	judged := slices.DeleteFunc(slices.Clone(variants), func(v filters.Bound) bool { return v.Unjudged || v.Exact })
	names := []string{"deletes", "skewed-keys", "random-ids"}
	if testing.Short() {
		names = names[:2]
	}
	var count tallied
	t.Run("matrix", func(t *testing.T) {
		for _, s := range settings(len(judged)) {
			for _, name := range names {
				t.Run(fmt.Sprintf("%s,n=%d,p=%g,seed=%d", name, s.n, s.p, s.seed), func(t *testing.T) {
					t.Parallel()
					w := workload(t, name, s.n)
					var cases []harness.Case
					for _, v := range variants {
						if v.Unjudged || v.Exact && !s.forExact() {
							continue
						}
						cases = append(cases, harness.Case{Variant: v, Workload: w, P: s.p})
					}
					d := harness.Design{Seed: s.seed}
					if testing.Short() {
						d.Trials = 1
					}
					count.add(measure(t, d, cases...))
				})
			}
		}
	})
	t.Logf("%d cases, verdicts %v, flagged: %q", count.judged, count.verdicts, count.flagged)
	if most := max(1, count.judged/500); !testing.Short() && count.judged < 500 || len(count.flagged) > most {
		t.Errorf("%d of %d cases are flagged, want at most 1 in 500 of 500 or more: %q", len(count.flagged), count.judged, count.flagged)
	}
}

// tallied counts the verdicts of cases that run at once.
type tallied struct {
	sync.Mutex
	judged   int
	verdicts map[string]int
	flagged  []string
}

func (c *tallied) add(cases [][]harness.Result) {
	c.Lock()
	defer c.Unlock()
	if c.verdicts == nil {
		c.verdicts = map[string]int{}
	}
	for _, rows := range cases {
		r := rows[0]
		if r.Verdict == "" {
			continue
		}
		c.judged++
		c.verdicts[r.Verdict]++
		if len(r.Flags) > 0 {
			c.flagged = append(c.flagged, fmt.Sprintf("%s on %s, n = %d, p = %g, seed %d: %q, %s", r.Variant, r.Workload, r.N, r.P, r.Seed, r.Flags, r.VerdictWhy))
		}
	}
}
