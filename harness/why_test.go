package harness

import (
	"math"
	"slices"
	"strings"
	"testing"

	"filterlab/filters"
	"filterlab/harness/stats"
)

// A story is a case of ten trials with 250,000 strangers each, in numbers.
type story struct {
	model, observed float64
	instance        []float64 // of the trials in turn; none: the filter predicts nothing
	full, wantFull  float64   // 0: the filter does not tell
	size            uint64    // 0: the model's
	k               int
}

const storyBits = 958_528

// rows makes the results of the story; hits follow observed, or the instances where it is 0.
func (s story) rows() []Result {
	rows := make([]Result, 10)
	for i := range rows {
		r := Result{Trial: i, Held: 100_000, Strangers: 250_000, ModelFPR: ptr(s.model), ModelSD: ptr(0.004 * s.model),
			ModelBits: storyBits, SizeBits: storyBits, newBits: storyBits}
		rate := s.observed
		if len(s.instance) > 0 {
			r.InstanceFPR = ptr(s.instance[i%len(s.instance)])
		}
		if s.size > 0 {
			r.SizeBits, r.newBits = s.size, s.size
		}
		if s.full > 0 {
			r.Occupancy, r.ModelOccupancy = ptr(s.full), ptr(s.wantFull)
		}
		if rate == 0 {
			rate = s.model * (0.9 + 0.2*float64(i%2))
		}
		r.FalsePositives = uint64(math.Round(rate * float64(r.Strangers)))
		rows[i] = r
	}
	return rows
}

func (s story) plan() plan {
	return plan{model: filters.Model{Formula: "E[(X/m)^k], X bits set", K: s.k, Bits: storyBits}}
}

func TestVerdictsSayWhy(t *testing.T) {
	const p = 0.01
	for name, c := range map[string]struct {
		story
		verdict string
		flags   []string
		want    []string
	}{
		"sound": {story{p, p, []float64{p}, 0.518, 0.518, 0, 7}, "agrees", nil,
			[]string{"0 % above the model E[(X/m)^k] (z = 0)", "at most 1.1 % away with 95 % confidence"}},
		"more keys than planned": {story{p, 0.0115, []float64{0.0115}, 0.5285, 0.518, 0, 7}, "above", []string{"above", "occupancy"},
			[]string{"15 % above the model E[(X/m)^k] (z = 23", "fill ratio 0.5285 where 0.518 was expected: more keys than planned (1.03 times)",
				"7.21 probes a key and not 7", "0.971 times the table", "the FPR is what the bits give"}},
		"a little more, which is enough": {story{p, 0.0104, []float64{0.0104}, 0.5205, 0.518, 0, 7}, "above", []string{"above"},
			[]string{"fill ratio 0.5205 where 0.518 was expected: more keys"}},
		"correlated probes": {story{p, 0.016, []float64{p}, 0.518, 0.518, 0, 7}, "above", []string{"above"},
			[]string{"60 % above", "fill ratio as expected but the FPR is not fill^k", "correlated (weak or short hash; one of 24.0 bits would do it)"}},
		"keys that meet": {story{p, 0.03, []float64{0.001}, 0.4, 0.518, 0, 7}, "above", []string{"above", "occupancy"},
			[]string{"3 times the model", "keys meet on the same places"}},
		"a load factor": {story{p, 0.012, []float64{0.012}, 0.60, 0.50, 0, 0}, "above", []string{"above", "occupancy"},
			[]string{"load factor 0.6 where 0.5 was expected: more keys than planned (1.2 times)"}},
		"a wrong formula": {story{p, 0.0095, []float64{0.0095}, 0.518, 0.518, 0, 7}, "below", []string{"below"},
			[]string{"5 % below", "fill ratio as expected and the FPR is what the bits give: the formula is off, not the filter"}},
		"better than its bits": {story{p, 0.009, []float64{p}, 0.518, 0.518, 0, 7}, "below", []string{"below"},
			[]string{"fill ratio as expected but the FPR is not fill^k", "lookups ask more"}},
		"a silent filter": {story{p, 0.011, nil, 0, 0, 0, 7}, "above", []string{"above"},
			[]string{"tells neither how full it is nor what its bits predict"}},
		"no prediction of its own": {story{p, 0.011, nil, 0.518, 0.518, 0, 7}, "above", []string{"above"},
			[]string{"fill ratio as expected but not the FPR: probes are correlated"}},
		"scatter": {story{p, 0, []float64{p}, 0.518, 0.518, 0, 7}, "above", []string{"above"},
			[]string{"the trials scatter", "chi2, p = ", "some seeds break"}},
		"a larger table": {story{p, 0.002, []float64{0.002}, 0.41, 0.518, 2 * storyBits, 7}, "below", []string{"below", "size", "occupancy"},
			[]string{"the table has 2 times the bits of the model", "fewer keys than planned"}},
	} {
		rows := c.rows()
		judge([]plan{c.plan()}, [][]Result{rows})
		r := rows[9]
		if r.Verdict != c.verdict || !slices.Equal(r.Flags, c.flags) {
			t.Errorf("%s: %q with flags %q, want %q and %q (%s)", name, r.Verdict, r.Flags, c.verdict, c.flags, r.VerdictWhy)
		}
		for _, want := range c.want {
			if !strings.Contains(r.VerdictWhy, want) {
				t.Errorf("%s: %q lacks %q", name, r.VerdictWhy, want)
			}
		}
	}
}

func TestHolmOverTheCellsOfARun(t *testing.T) {
	w := fakeWorkload(100, 0, 0, 0)
	sound, off := fakeVariant(0.01, 0.01, nil), fakeVariant(0.0106, 0.01, nil)
	alone := measure(t, Design{Seed: 2}, Case{off, w, 0.01})[0]
	rows := measure(t, Design{Seed: 2}, Case{sound, w, 0.01}, Case{off, w, 0.01}, Case{fakeVariant(0, 0, nil), w, 0.01}, Case{sound, w, 0.02})
	r := rows[minTrials]
	if alone.PHolm == nil || *alone.PHolm != twoSided(*alone.Z) || strings.Contains(alone.VerdictWhy, "Holm") {
		t.Fatalf("alone: p = %v, z = %g: %s", alone.PHolm, *alone.Z, alone.VerdictWhy)
	}
	if want := 3 * *alone.PHolm; math.Abs(*r.PHolm/want-1) > 1e-9 || !strings.Contains(r.VerdictWhy, "after Holm over 3 cells p = ") {
		t.Errorf("among 3 cells: p = %g, want %g: %s", *r.PHolm, want, r.VerdictWhy)
	}
	if exact := rows[2*minTrials]; exact.PHolm != nil || exact.Verdict != "exact" {
		t.Errorf("a case without false positives by its model: p = %v, verdict %s", exact.PHolm, exact.Verdict)
	}
	if *rows[0].PHolm < 0.001 {
		t.Errorf("a sound case has p = %g: %s", *rows[0].PHolm, rows[0].VerdictWhy)
	}
}

// TestChanceStandsByTheVerdict: one hit where a hundredth was expected is ten standard errors off and
// one chance in a hundred; no p-value may say more.
func TestChanceStandsByTheVerdict(t *testing.T) {
	rows := story{model: 1e-6, observed: 0}.rows()[:1]
	for hits, most := range map[uint64]float64{1: 1, 2: 1, 4: 1e-3, 12: 1e-6} {
		rows[0].Strangers, rows[0].FalsePositives, rows[0].ModelSD = 10_000, hits, nil
		c := newCell(story{}.plan(), rows)
		if p := c.chance(); p > most || p < 1e-35 || !c.off() && p < twoSided(stats.FlagZ) {
			t.Errorf("%d hits of 0.01 expected: p = %g, verdict %s", hits, p, c.Verdict)
		}
	}
}

// sized is a filter whose size is one thing when new and another when loaded.
type sized struct {
	*fakeFilter
	new, loaded uint64
}

func (f sized) SizeBits() uint64 {
	if len(f.keys) == 0 {
		return f.new
	}
	return f.loaded
}

func TestAnotherSizeThanTheModelsIsFlagged(t *testing.T) {
	for _, c := range []struct {
		new, loaded, model uint64
		flagged            bool
	}{
		{1024, 1024, 1024, false},
		{1024, 4096, 1024, false}, // it grows
		{0, 1024, 1024, false},    // it is built when sealed
		{1024, 4096, 0, false},    // it depends on the keys
		{2048, 2048, 1024, true},
		{512, 512, 1024, true},
	} {
		v := fakeVariant(0.01, 0.01, func(f *fakeFilter) filters.Filter { return sized{f, c.new, c.loaded} })
		inner := v.Model
		v.Variant.Model = func(p filters.Params) (filters.Model, error) {
			m, err := inner(p)
			m.Bits = c.model
			return m, err
		}
		r := measure(t, Design{Seed: 1, Trials: 2}, Case{v, fakeWorkload(100, 0, 0, 0), 0.01})[1]
		warned := slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "where the model says 1024") })
		if slices.Contains(r.Flags, FlagSize) != c.flagged || warned != c.flagged {
			t.Errorf("%+v: flags %q, warnings %q", c, r.Flags, r.Warnings)
		}
	}
}

// TestProvokedLossesExcuseTheOccupancy: wrong deletes empty a filter below the model of the keys held.
func TestProvokedLossesExcuseTheOccupancy(t *testing.T) {
	rows := story{model: 0.01, observed: 0.01, full: 0.4, wantFull: 0.5}.rows()
	if f := fullnessOf(rows); !f.off {
		t.Error("a fill ratio of 0.4 where 0.5 was expected is not off")
	}
	rows[3].WrongDeletes = 10
	if f := fullnessOf(rows); f.known {
		t.Errorf("a trial with wrong deletes is compared: %+v", f)
	}
}
