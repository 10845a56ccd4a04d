package workloads

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSynthetic holds every synthetic workload, with knobs and sizes at random, against an exact set.
func TestSynthetic(t *testing.T) {
	share := rapid.SampledFrom([]string{"0", "0.1", "0.3333", "0.5", "0.9"})
	specs := map[string]func(*rapid.T) string{
		"random-ids": func(t *rapid.T) string {
			return fmt.Sprintf("random-ids:shape=%s,fill=%g,dup=%s", rapid.SampledFrom(shapeNames).Draw(t, "shape"),
				rapid.Float64Range(0.01, 3).Draw(t, "fill"), share.Draw(t, "dup"))
		},
		"skewed-keys": func(t *rapid.T) string {
			return fmt.Sprintf("skewed-keys:s=%g", rapid.Float64Range(0, 2).Draw(t, "s"))
		},
		"deletes": func(t *rapid.T) string {
			return fmt.Sprintf("deletes:share=%s,add=%s,wrong=%s,shape=%s", share.Draw(t, "share"),
				rapid.OneOf(share, rapid.Just("share")).Draw(t, "add"), share.Draw(t, "wrong"),
				rapid.SampledFrom(shapeNames).Draw(t, "shape"))
		},
	}
	for name, draw := range specs {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			n := rapid.Uint64Range(1, 400).Draw(t, "n")
			w, err := Parse(t.Context(), draw(t), n, ReplayOptions{})
			if err != nil {
				t.Skip(err)
			}
			checkWorkload(t, w, rapid.Uint64().Draw(t, "seed"), NeverSeen)
		}))
	}
}

func TestSeedsMakeOtherStreams(t *testing.T) {
	for _, name := range []string{"random-ids", "skewed-keys", "deletes"} {
		w := mustParse(t, name, 200)
		for _, mix := range []Mix{{Members: 100}, {Members: 200, Each: true}, {Members: 50, Strangers: 50}} {
			if slices.Equal(collect(t, w.Lookup(1, mix)), collect(t, w.Lookup(2, mix))) {
				t.Errorf("%s: seeds 1 and 2 make the same lookups of %+v", name, mix)
			}
		}
		if same := slices.Equal(collect(t, w.Load(1)), collect(t, w.Load(2))); same != w.Fixed {
			t.Errorf("%s: seeds 1 and 2 load the same keys: %v; the workload says %v", name, same, w.Fixed)
		}
	}
}

func TestKnobs(t *testing.T) {
	if w := mustParse(t, "random-ids:present=0.25", 100); w.Present != 0.25 || w.Name != "random-ids:present=0.25" {
		t.Errorf("present=0.25 gives %q with a share of %g", w.Name, w.Present)
	}
	if key := collect(t, mustParse(t, "skewed-keys", 3).Lookup(1, Mix{Strangers: 2})); key[0].key != "user3" || key[1].key != "user4" {
		t.Errorf("the strangers after user0..user2 are %v", key)
	}
	for text, want := range map[string][4]uint64{ // N, members, deleted, wrong removes
		"deletes":                           {1000, 1000, 500, 0},
		"deletes:share=0.2":                 {1000, 1000, 200, 0},
		"deletes:share=0.2,add=0":           {1000, 800, 200, 0},
		"deletes:share=0.2,add=0.5":         {1300, 1300, 200, 0},
		"deletes:share=1,add=0.1,wrong=0.3": {1000, 100, 1000, 300},
		"deletes:share=0,wrong=0.01":        {1000, 1000, 0, 10},
	} {
		w := mustParse(t, text, 1000)
		wrong := uint64(0)
		for _, op := range collect(t, w.Load(1)) {
			if op.kind == Remove && op.truth == NeverSeen {
				wrong++
			}
		}
		if got := [4]uint64{w.N, w.Members, w.Deleted, wrong}; got != want {
			t.Errorf("%s: N, members, deleted, wrong removes are %v, want %v", text, got, want)
		}
	}
}

// TestFillAndRepeats counts the adds of random-ids and where the repeats are: among all adds alike, and
// of all keys before them alike.
func TestFillAndRepeats(t *testing.T) {
	for text, want := range map[string][3]uint64{ // members, adds, adds of a member
		"random-ids":                    {20_000, 20_000, 0},
		"random-ids:fill=0.25":          {5_000, 5_000, 0},
		"random-ids:fill=1.5,dup=0.25":  {30_000, 40_000, 10_000},
		"random-ids:fill=0.05,dup=0.95": {1_000, 20_000, 19_000},
	} {
		w := mustParse(t, text, 20_000)
		all := collect(t, w.Load(5))
		again := uint64(len(keysOf(all, Member)))
		if got := [3]uint64{w.Members, uint64(len(all)), again}; got != want || w.N != 20_000 {
			t.Errorf("%s: members, adds, repeats are %v, want %v", text, got, want)
		}
		place, late, old := map[string]float64{}, 0.0, 0.0
		for i, op := range all {
			if op.truth == NeverSeen {
				place[op.key] = float64(len(place))
				continue
			}
			late += (float64(i) + 0.5) / float64(len(all))
			old += (place[op.key] + 0.5) / float64(len(place))
		}
		for what, sum := range map[string]float64{"repeats lie at": late, "keys repeated lie at": old} {
			if z := (sum - float64(again)/2) * math.Sqrt(12/max(1, float64(again))); math.Abs(z) > 5 {
				t.Errorf("%s: %s %.3f of what was before on average, want half (z = %.1f)", text, what, sum/float64(again), z)
			}
		}
	}
	if w := mustParse(t, "random-ids:fill=0.01", 3); w.Members != 1 {
		t.Errorf("a hundredth of 3 keys is %d keys, want at least 1", w.Members)
	}
}

// TestOrderOfEach shows that members asked for once each come in an order unlike the load's, and
// that members by popularity are not tied to it either.
func TestOrderOfEach(t *testing.T) {
	const n = 20_000
	for _, name := range []string{"random-ids", "skewed-keys", "deletes:share=0"} {
		w, place := mustParse(t, name, n), map[string]int{}
		for i, op := range collect(t, w.Load(1)) {
			place[op.key] = i
		}
		ascents, last := 0.0, 0
		for _, op := range collect(t, w.Lookup(1, Mix{Members: n, Each: true})) {
			if place[op.key] > last {
				ascents++
			}
			last = place[op.key]
		}
		if z := (ascents - n/2) / math.Sqrt(n/12.0); math.Abs(z) > 5 {
			t.Errorf("%s: %g of %d lookups are of a key loaded later (z = %.1f)", name, ascents, n, z)
		}
	}
	seeds, mean := 300, 0.0
	w := mustParse(t, "skewed-keys:s=2", n)
	for seed := range uint64(seeds) {
		var i float64
		for op := range w.Lookup(seed, Mix{Members: 1}) {
			fmt.Sscanf(string(op.Key), "user%g", &i)
		}
		mean += i / n / float64(seeds)
	}
	if z := (mean - 0.5) * math.Sqrt(12*float64(seeds)); math.Abs(z) > 5 {
		t.Errorf("the first user asked for lies at %.3f of the load on average (z = %.1f)", mean, z)
	}
}

// TestInterleaving counts how often a lookup is of another kind than the one before: as often as
// chance has it, no less and no more; and members drawn at random hit every part of the set alike.
func TestInterleaving(t *testing.T) {
	const a, b = 30_000, 10_000
	w := mustParse(t, "random-ids", 50)
	changes, last, count := 0.0, Truth(99), map[string]float64{}
	for op := range w.Lookup(3, Mix{Members: a, Strangers: b}) {
		if op.Truth != last {
			changes++
		}
		if last = op.Truth; last == Member {
			count[string(op.Key)]++
		}
	}
	// Runs of two kinds in random order (Wald & Wolfowitz 1940): mean 2ab/(a+b) + 1.
	mean := 2.0*a*b/(a+b) + 1
	sd := math.Sqrt((mean - 1) * (mean - 2) / (a + b - 1))
	if z := (changes - mean) / sd; math.Abs(z) > 5 {
		t.Errorf("%g runs among %d members and %d strangers, want %.0f (z = %.1f)", changes, a, b, mean, z)
	}
	chi2 := 0.0
	for _, c := range count {
		chi2 += (c - a/50) * (c - a/50) / (a / 50)
	}
	checkChiSquare(t, "members at random", chi2, 49)
}

// TestHugeNeedsNoMemory runs the start of streams over 10^9 keys and counts allocations.
func TestHugeNeedsNoMemory(t *testing.T) {
	for _, name := range []string{"random-ids", "random-ids:shape=uuid", "skewed-keys", "deletes:wrong=0.1"} {
		w := mustParse(t, name, 1e9)
		for _, mix := range []Mix{{Members: 1e9, Each: true}, {Members: 1e9, Strangers: 1e9}, {Strangers: 1e9}} {
			allocs := testing.AllocsPerRun(1, func() {
				left := 10_000
				for range w.Lookup(1, mix) {
					if left--; left == 0 {
						break
					}
				}
			})
			if allocs > 15 {
				t.Errorf("%s: 10,000 lookups of %+v make %g allocations", name, mix, allocs)
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		n    uint64
		want string
	}{
		{"random-id", 10, "known: random-ids, skewed-keys, shaped-keys, deletes, replay:FILE"},
		{"", 10, "starts with a name"},
		{"random-ids", 0, "n = 0; want 1 to 2^53 keys"},
		{"random-ids", 1 << 60, "want 1 to 2^53 keys"},
		{"random-ids:present=1.5", 10, "not a number from 0 to 1"},
		{"random-ids:shape=md5", 10, "known: hex, raw, uuid, url"},
		{"random-ids:wrong=1", 10, "known: present, shape, fill, dup"},
		{"random-ids:fill=0", 10, "not a number from 0.01 to 20"},
		{"random-ids:dup=1", 10, "not a number from 0 to 0.95"},
		{"skewed-keys:s=-1", 10, "not a number from 0 to 4"},
		{"skewed-keys:s=NaN", 10, "not a number from 0 to 4"},
		{"deletes:add=some", 10, `"some" is neither a number from 0 to 1 nor the word share`},
		{"deletes:share=1,add=0", 10, "leave no key"},
		{"replay:", 10, "no file is named"},
	} {
		_, err := Parse(t.Context(), c.text, c.n, ReplayOptions{Warmup: DefaultWarmup})
		checkInputError(t, c.text, err, c.want)
	}
}

func checkInputError(t *testing.T, what string, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || !isInput(err) {
		t.Errorf("%s: error %v; want one line of ErrInput with %q", what, err, want)
	}
}

func TestNamesParseBack(t *testing.T) {
	for _, d := range All() {
		w := mustParse(t, d.Name, 10)
		if w.Name != d.Name || d.Doc == "" {
			t.Errorf("%s is named %q, doc %q", d.Name, w.Name, d.Doc)
		}
		for _, k := range d.Knobs {
			if k.Doc == "" || k.Allowed == "" || k.Check(k.Default) != nil {
				t.Errorf("%s: knob %s has no doc, or refuses its own default %q", d.Name, k.Name, k.Default)
			}
		}
	}
	if got, want := strings.Join(Names(), " "), "random-ids skewed-keys shaped-keys deletes replay:FILE"; got != want {
		t.Errorf("names are %s, want %s", got, want)
	}
}
