package harness_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"filterlab/filters"
	"filterlab/filters/catalog"
	"filterlab/harness"
	"filterlab/workloads"
)

// A plant is a variant with one fault, what the lab must flag it for, and the workload that shows it.
type plant struct {
	name     string
	variant  filters.Variant
	workload string // "": random-ids
	want     string // a flag; "": none, a sound twin
}

func plants() []plant {
	return []plant{
		{"sound bits", bitsWith(func(*bitFilter) {}), "", ""},
		{"one probe more", bitsWith(func(f *bitFilter) { f.k, f.claimed = f.k+1, f.k+1 }), "", harness.FlagOccupancy},
		{"one probe less", bitsWith(func(f *bitFilter) { f.k, f.claimed = f.k-1, f.k-1 }), "", harness.FlagOccupancy},
		{"one probe less than it says", bitsWith(func(f *bitFilter) { f.k-- }), "", "above"},
		{"sound blocks", blocksVariant(false), "", ""},
		{"block and bit from the same hash bits", blocksVariant(true), "", "above"},
		{"an index of 16 bits", bitsWith(shortIndex(16)), "", "above"},
		{"an index of 19 bits", bitsWith(shortIndex(19)), "", "above"},
		{"a hash of 16 bits", bitsWith(shortHash(16)), "", "above"},
		{"a hash of 24 bits", bitsWith(shortHash(24)), "", "above"},
		{"probes side by side", bitsWith(adjacent), "", "above"},
		{"sound counters", countersVariant(false, false), "hot-keys", ""},
		{"counters that wrap", countersVariant(true, true), "hot-keys", harness.FlagFalseNegatives},
		{"counters decremented at the ceiling", countersVariant(false, true), "hot-keys", harness.FlagFalseNegatives},
		{"an insert that loses a key", losesKey(), "", harness.FlagFalseNegatives},
		{"a delete that clears shared bits", clears(), "deletes", harness.FlagFalseNegatives},
		{"a model 5 % too low", misjudged(1 / 1.05), "", "above"},
		{"a model 5 % too high", misjudged(1 / 0.95), "", "below"},
		{"better than its model", bitsWith(func(f *bitFilter) { f.grow(1.02) }), "", "below"},
		{"a size twice the model's", bitsWith(func(f *bitFilter) { f.size *= 2 }), "", harness.FlagSize},
		{"a table twice the model's", bitsWith(func(f *bitFilter) { f.grow(2); f.size *= 2 }), "", harness.FlagSize},
		{"seeds that break the hash", lottery(), "", "above or below"},
	}
}

// losesKey accepts the first of every 100,000 keys without storing it.
func losesKey() filters.Variant {
	v := bitsWith(func(*bitFilter) {})
	sound := v.New
	v.New = func(p filters.Params) (filters.Filter, error) {
		f, err := sound(p)
		return &forgetful{Filter: f}, err
	}
	return v
}

type forgetful struct {
	filters.Filter
	added int
}

func (f *forgetful) Add(key []byte) bool {
	f.added++
	return f.added%100_000 == 1 || f.Filter.Add(key)
}

// clears is classic:delete=clear with a model that knows of no losses.
func clears() filters.Variant {
	bound, err := catalog.Parse("classic:delete=clear")
	if err != nil {
		panic(err)
	}
	v := bound.Variant
	clearing := func(p filters.Params) filters.Params { p.Knobs = bound.Values; return p }
	v.New = func(p filters.Params) (filters.Filter, error) { return bound.New(clearing(p)) }
	v.Model = func(p filters.Params) (filters.Model, error) {
		m, err := bound.Model(clearing(p))
		m.Lost, m.FPRAfter = nil, nil
		return m, err
	}
	return v
}

// misjudged is a sound filter whose model is wrong by a factor.
func misjudged(factor float64) filters.Variant {
	v := bitsWith(func(*bitFilter) {})
	sound := v.Model
	v.Model = func(p filters.Params) (filters.Model, error) {
		m, err := sound(p)
		fpr := m.FPR
		m.FPR = func(n uint64) float64 { return factor * fpr(n) }
		return m, err
	}
	return v
}

// lottery is sound on average over seeds: half of them say maybe to a tenth more of strangers than
// the model, the other half to a tenth less. Each predicts what the model says.
func lottery() filters.Variant {
	v := bitsWith(func(*bitFilter) {})
	v.New = func(p filters.Params) (filters.Filter, error) {
		m, err := v.Model(p)
		if err != nil {
			return nil, err
		}
		f, err := newBits(p)
		l := &lottered{bitFilter: f, own: m.FPR(p.N)}
		if p.Seed%2 == 0 {
			l.spurious = uint64(0.1 * l.own * (1 << 63) * 2)
		} else {
			f.grow(1 + math.Log(0.9)/math.Log(l.own)) // ln FPR is proportional to m
		}
		return l, err
	}
	return v
}

type lottered struct {
	*bitFilter
	own      float64
	spurious uint64 // hashes below it answer maybe
}

func (f *lottered) InstanceFPR() float64 { return f.own }

func (f *lottered) Contains(key []byte) bool {
	return f.bitFilter.Contains(key) || filters.Hash(key, 77) < f.spurious
}

// bind returns the variant with its knobs at their defaults.
func bind(t *testing.T, v filters.Variant) filters.Bound {
	t.Helper()
	b, err := v.Bind(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func workload(t *testing.T, name string, n uint64) workloads.Workload {
	t.Helper()
	if name == "hot-keys" {
		return hotKeys(n)
	}
	w, err := workloads.Parse(t.Context(), name, n, workloads.ReplayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// measure runs the cases with the lab's own design and returns the trials of each.
func measure(t *testing.T, d harness.Design, cases ...harness.Case) [][]harness.Result {
	t.Helper()
	e, err := harness.Prepare(cases, d)
	if err != nil {
		t.Fatal(err)
	}
	results, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var out [][]harness.Result
	for _, r := range results {
		if r.Trial == 0 {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], r)
	}
	return out
}

// enough keys, at p = 10 %, make a filter whose heap is measured as it stands; of smaller ones the lab
// builds many for that.
const enough = 200_000

// TestPlantedFaultsAreFlagged is the proof that a verdict means something: every fault is flagged, with
// every seed, and its sound twin is not.
//
// Without -short that is the lab's default design at n = 10^5 and p = 1 % over 20 seeds; with it one seed
// and trial at p = 10 %, where as many false positives take a tenth of the strangers.
func TestPlantedFaultsAreFlagged(t *testing.T) {
	n, p, seeds, design := uint64(100_000), 0.01, uint64(20), harness.Design{}
	if testing.Short() {
		n, p, seeds, design.Trials = enough, 0.1, 1, 1
	}
	for _, plant := range plants() {
		t.Run(plant.name, func(t *testing.T) {
			t.Parallel()
			name := plant.workload
			if name == "" {
				name = "random-ids"
			}
			c := harness.Case{Variant: bind(t, plant.variant), Workload: workload(t, name, n), P: p}
			least, most := math.Inf(1), 0.0
			for seed := range seeds {
				d := design
				d.Seed = seed + 1
				trial := measure(t, d, c)[0][0]
				if !plant.flagged(trial.Flags) {
					t.Errorf("seed %d: flagged %q, want %q: %s (z = %.3g)", d.Seed, trial.Flags, plant.want, trial.VerdictWhy, *trial.Z)
				}
				if seed == 0 {
					t.Logf("%q: %s", trial.Flags, trial.VerdictWhy)
				}
				least, most = min(least, math.Abs(*trial.Z)), max(most, math.Abs(*trial.Z))
			}
			t.Logf("|z| is %.3g to %.3g over %d seeds", least, most, seeds)
		})
	}
}

// flagged reports whether the flags are what the plant asks for.
func (p plant) flagged(flags []string) bool {
	if p.want == "" {
		return len(flags) == 0
	}
	for _, want := range strings.Split(p.want, " or ") {
		if slices.Contains(flags, want) {
			return true
		}
	}
	return false
}
