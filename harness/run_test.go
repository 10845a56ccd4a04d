package harness

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"filterlab/filters"
	"filterlab/workloads"
)

func measure(t *testing.T, d Design, cases ...Case) []Result {
	t.Helper()
	e, err := Prepare(cases, d)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestVerdictFollowsTheModel(t *testing.T) {
	w := fakeWorkload(500, 0, 0, 0)
	for _, c := range []struct {
		got, want float64
		verdict   string
	}{
		{0.1, 0.1, "agrees"},
		{0.105, 0.1, "above"},
		{0.095, 0.1, "below"},
		{0, 0, "exact"},
		{0.0001, 0, "above"},
	} {
		rows := measure(t, Design{Seed: 7}, Case{fakeVariant(c.got, c.want, nil), w, 0.01})
		if len(rows) != minTrials {
			t.Fatalf("%d rows, want a row a trial, %d", len(rows), minTrials)
		}
		for _, r := range rows {
			if r.Verdict != c.verdict {
				t.Errorf("observed %g, model %g: verdict %q (%s), want %q", c.got, c.want, r.Verdict, r.VerdictWhy, c.verdict)
			}
		}
	}
}

func TestTheDesignExpects25000FalsePositives(t *testing.T) {
	rows := measure(t, Design{Seed: 1}, Case{fakeVariant(0.01, 0.01, nil), fakeWorkload(100, 0, 0, 0), 0.01})
	var strangers uint64
	for _, r := range rows {
		strangers += r.Strangers
	}
	if strangers != 2_500_000 {
		t.Errorf("%d strangers in all, want 25,000 / 1 %% = 2,500,000", strangers)
	}
}

func TestCountingOnAllCoresChangesNothing(t *testing.T) {
	one, all := fakeVariant(0.02, 0.02, nil), fakeVariant(0.02, 0.02, nil)
	all.Concurrent = true
	w := fakeWorkload(100, 0, 0, 0)
	rows := measure(t, Design{Seed: 3, Trials: 1}, Case{one, w, 0.02}, Case{all, w, 0.02})
	a, b := rows[0], rows[1]
	if a.Strangers != 1_250_000 || a.FalsePositives == 0 || a.Strangers != b.Strangers || a.FalsePositives != b.FalsePositives {
		t.Errorf("%d of %d false positives on one core, %d of %d on all; want the same, of 1,250,000",
			a.FalsePositives, a.Strangers, b.FalsePositives, b.Strangers)
	}
}

func TestSameSeedSameCounts(t *testing.T) {
	cases := []Case{
		{fakeVariant(0.2, 0.2, nil), fakeWorkload(300, 0, 0, 0), 0.2},
		{fakeVariant(0.2, 0.2, func(f *fakeFilter) filters.Filter { return removable{f} }), fakeWorkload(300, 100, 50, 3), 0.2},
	}
	counts := func(seed uint64) []Result {
		rows := measure(t, Design{Seed: seed, Trials: 3}, cases...)
		for i := range rows {
			rows[i].Timings, rows[i].HeapBytes, rows[i].HeapBitsPerKey, rows[i].Date = nil, nil, nil, time.Time{}
		}
		return rows
	}
	a, b, c := counts(5), counts(5), counts(6)
	if !reflect.DeepEqual(a, b) {
		t.Errorf("two runs with seed 5 differ:\n%v\n%v", a, b)
	}
	if a[0].FalsePositives == c[0].FalsePositives && a[1].FalsePositives == c[1].FalsePositives && a[2].FalsePositives == c[2].FalsePositives {
		t.Errorf("seed 6 gives the false positives of seed 5 in each of three trials: %d", a[0].FalsePositives)
	}
}

func TestARemoverForgetsAndOthersKeep(t *testing.T) {
	w := fakeWorkload(1000, 400, 300, 0)
	keeps := measure(t, Design{Seed: 1, Trials: 1}, Case{fakeVariant(0, 0, nil), w, 0.01})[0]
	if keeps.Held != 1300 || keeps.DeletedProbes != 400 || keeps.DeletedMaybe != 400 {
		t.Errorf("a filter that cannot remove: held %d (want 1300), deleted still maybe %d of %d (want all 400)", keeps.Held, keeps.DeletedMaybe, keeps.DeletedProbes)
	}
	remove := func(f *fakeFilter) filters.Filter { return removable{f} }
	forgets := measure(t, Design{Seed: 1, Trials: 1}, Case{fakeVariant(0, 0, remove), w, 0.01})[0]
	if forgets.Held != 900 || forgets.Members != 900 || forgets.FalseNegatives != 0 || forgets.DeletedMaybe != 0 {
		t.Errorf("a filter that removes: held %d, members %d (want 900), false negatives %d, deleted still maybe %d (want 0)",
			forgets.Held, forgets.Members, forgets.FalseNegatives, forgets.DeletedMaybe)
	}
}

func TestRefusedKeysAreNeitherHeldNorProbed(t *testing.T) {
	refuse := func(f *fakeFilter) filters.Filter {
		f.refuse = func(key []byte) bool { return key[0] < 64 }
		return f
	}
	r := measure(t, Design{Seed: 1, Trials: 1}, Case{fakeVariant(0, 0, refuse), fakeWorkload(4000, 0, 0, 0), 0.01})[0]
	if r.Rejected < 850 || r.Rejected > 1150 || r.Held+r.Rejected != 4000 || r.Members != r.Held || r.FalseNegatives != 0 {
		t.Errorf("refused %d (about a quarter of 4000), held %d, members probed %d, false negatives %d (want 0)",
			r.Rejected, r.Held, r.Members, r.FalseNegatives)
	}
}

func TestFalseNegativesAreCounted(t *testing.T) {
	lose := func(f *fakeFilter) filters.Filter {
		f.lose = func(key []byte) bool { return key[7] == 0 }
		return f
	}
	r := measure(t, Design{Seed: 1, Trials: 1}, Case{fakeVariant(0, 0, lose), fakeWorkload(20_000, 0, 0, 0), 0.01})[0]
	if r.FalseNegatives < 45 || r.FalseNegatives > 115 || r.Provoked {
		t.Errorf("false negatives %d (want about 20000/256 = 78), provoked %v", r.FalseNegatives, r.Provoked)
	}
}

func TestInterruptedRunKeepsWholeTrials(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	d := Design{Seed: 1, Trials: 5, Progress: func(p Progress) {
		if 2*p.Done > p.Total {
			cancel()
		}
	}}
	e, err := Prepare([]Case{{fakeVariant(0.01, 0.01, nil), fakeWorkload(1000, 0, 0, 0), 0.01}}, d)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := e.Run(ctx)
	if !errors.Is(err, context.Canceled) || len(rows) != 3 {
		t.Fatalf("%d rows and error %v, want the 3 trials begun before the interruption", len(rows), err)
	}
	for _, r := range rows {
		if !r.Partial || r.Members != 1000 || r.Verdict == "" {
			t.Errorf("trial %d: partial %v, members %d, verdict %q", r.Trial, r.Partial, r.Members, r.Verdict)
		}
	}
}

func TestPrepareRefuses(t *testing.T) {
	v, w := fakeVariant(0, 0, nil), fakeWorkload(1000, 0, 0, 0)
	for _, c := range []struct {
		p    float64
		mem  uint64
		want string
	}{{5, 0, "for 5 % say 0.05"}, {0, 0, "above 0"}, {0.01, 1000, "--max-mem"}} {
		if _, err := Prepare([]Case{{v, w, c.p}}, Design{MaxMem: c.mem}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("p = %g, max mem %d: error %v, want one with %q", c.p, c.mem, err, c.want)
		}
	}
}

// TestResultFields holds the names that other people's scripts read.
func TestResultFields(t *testing.T) {
	const contract = `variant workload n p seed trial held rejected members false_negatives strangers
		false_positives fpr fpr_lo fpr_hi model_fpr model_formula instance_fpr wrong_among_maybe verdict provoked
		deleted_probes deleted_maybe wrong_deletes lost_predicted size_bits heap_bytes bits_per_key overhead occupancy
		timings negatives_rule input_sha256 skipped key_seed filter_seed simulated date warnings host command commit partial`
	row := measure(t, Design{Seed: 1, Trials: 1}, Case{fakeVariant(0.01, 0.01, nil), fakeWorkload(1000, 0, 0, 0), 0.01})[0]
	line, err := json.Marshal(row)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(line, &fields); err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(contract) {
		if _, ok := fields[name]; !ok {
			t.Errorf("a result has no field %q", name)
		}
	}
	timings, _ := fields["timings"].([]any)
	if len(timings) == 0 {
		t.Fatalf("timings: %v", fields["timings"])
	}
	first, _ := timings[0].(map[string]any)
	for _, name := range []string{"op", "ops", "median_ns", "lo_ns", "hi_ns", "floor_ns"} {
		if _, ok := first[name]; !ok {
			t.Errorf("a timing has no field %q", name)
		}
	}
}

func TestTrialsForSettleTheVerdict(t *testing.T) {
	for _, c := range []struct {
		fpr, relSD  float64
		least, most int
	}{
		{0.01, 0.0012, 10, 10},   // n = 1e6
		{0.001, 0.0146, 13, 20},  // n = 1e4 at p = 0.1 %
		{0.01, 0.039, 80, 120},   // n = 1e3
		{0.01, 0.17, 1500, 2000}, // n = 50
	} {
		if got := trialsFor(c.fpr, c.relSD*c.fpr, minTrials); got < c.least || got > c.most {
			t.Errorf("FPR %g, relative sd %g: %d trials, want %d to %d", c.fpr, c.relSD, got, c.least, c.most)
		}
	}
}

func TestChunksHoldOneKind(t *testing.T) {
	c := newChunk()
	var sizes []int
	var kinds []workloads.Kind
	w := fakeWorkload(5000, 100, 50, 0)
	err := c.each(context.Background(), w.Load(1), func(workloads.Op) bool { return true }, func() {
		sizes, kinds = append(sizes, len(c.keys)), append(kinds, c.kind)
	})
	wantSizes := []int{4096, 904, 100, 50}
	wantKinds := []workloads.Kind{workloads.Add, workloads.Add, workloads.Remove, workloads.Add}
	if err != nil || !reflect.DeepEqual(sizes, wantSizes) || !reflect.DeepEqual(kinds, wantKinds) {
		t.Errorf("chunks %v of kinds %v, want %v of %v (%v)", sizes, kinds, wantSizes, wantKinds, err)
	}
}

func TestFixedKeysWithoutASeedAreOneInstance(t *testing.T) {
	v, w := fakeVariant(0.01, 0.01, nil), fakeWorkload(1000, 0, 0, 0)
	v.Seeded, w.Fixed, w.Strangers, w.Log = false, true, 300, &workloads.Log{}
	rows := measure(t, Design{Seed: 1}, Case{v, w, 0.01})
	if len(rows) != 1 || rows[0].Strangers != 300 || rows[0].Verdict != "underpowered" || !strings.Contains(rows[0].VerdictWhy, "one instance") {
		t.Errorf("%d rows, %d strangers, %s: %s; want 1, 300, underpowered and that there is one instance",
			len(rows), rows[0].Strangers, rows[0].Verdict, rows[0].VerdictWhy)
	}
}
