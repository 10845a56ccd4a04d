package scalable

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"testing"

	"filterlab/filters"
	"filterlab/filters/filtertest"
	"filterlab/filters/spec"
	"filterlab/filters/theory"
)

func TestConformance(t *testing.T) {
	filtertest.RunAll(t, Variant(), "", "growth=1,tightening=0.8,start=100", "growth=4,first=p",
		"max-stages=4", "max-stages=4,at-max=degrade")
}

// bind returns the variant with the knobs of a spec such as "start=100,growth=4".
func bind(t testing.TB, knobs string) filters.Bound {
	t.Helper()
	given := map[string]string{}
	if knobs != "" {
		var err error
		if _, given, err = spec.Parse("scalable:" + knobs); err != nil {
			t.Fatal(err)
		}
	}
	b, err := Variant().Bind(given)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func build(t testing.TB, knobs string, n uint64, p float64, seed uint64) *Filter {
	t.Helper()
	b := bind(t, knobs)
	f, err := b.New(b.Params(n, p, seed))
	if err != nil {
		t.Fatal(err)
	}
	return f.(*Filter)
}

func growthOf(t testing.TB, knobs string, n uint64, p float64) growth {
	t.Helper()
	b := bind(t, knobs)
	params := b.Params(n, p, 0)
	plan, err := planOf(params)
	if err != nil {
		t.Fatal(err)
	}
	return growth{plan, params.Knobs["at-max"] == "degrade"}
}

// key returns key i of a set.
func key(set, i uint64) []byte { return binary.LittleEndian.AppendUint64(nil, filters.Mix(set<<40+i)) }

// TestBound: the model keeps its bound at every number of keys, comes near it, and only rises, but
// for the change to second order.
func TestBound(t *testing.T) {
	for _, knobs := range []string{"start=100", "start=3", "start=1000,growth=1.5,tightening=0.8", "start=100,growth=4", "start=50,first=p", "start=64,growth=1"} {
		for _, p := range []float64{0.3, 0.01, 1e-6} {
			g := growthOf(t, knobs, 1000, p)
			r := bind(t, knobs).Values.Float("tightening")
			bound, p0 := p, p*(1-r)
			if strings.Contains(knobs, "first=p") {
				bound, p0 = p/(1-r), p
			}
			before, stages := 0.0, 0
			for n := 1.0; n < 3e5; n = math.Ceil(1.05 * n) {
				fpr := g.fpr(n)
				if fpr > bound || fpr < 0.998*before {
					t.Errorf("%s, p=%g: FPR %g at %g keys, the bound is %g, and it was %g", knobs, p, fpr, n, bound, before)
				}
				before, stages = fpr, len(g.loads(n))
			}
			want, _, _ := theory.ScalableFPR(p0, r, stages-1)
			if before < 0.7*want && g.plan[0].words > 2 { // smaller ones are mostly rounding
				t.Errorf("%s, p=%g: FPR %g after %d stages, full ones have %g", knobs, p, before, stages, want)
			}
		}
	}
}

// TestStages measures the compound FPR, on both sides, within a stage and where each is full.
func TestStages(t *testing.T) {
	sizes := []uint64{30, 60, 100, 180, 250, 420, 800, 900, 1860, 3780}
	if testing.Short() {
		sizes = []uint64{60, 180, 420, 900}
	}
	for _, n := range sizes {
		filtertest.FPR(t, bind(t, "start=60"), n, 0.02, 200, 3e6)
	}
	filtertest.FPR(t, bind(t, "start=500"), 3000, 1e-4, 40, 2e6)
}

// TestObserved: at each number of keys the filters show less than p, and what their bits predict;
// their size, fill ratio and probes are those of the formulas.
func TestObserved(t *testing.T) {
	const p, instances, asked, last = 0.02, 8, 30000, 12000
	g := growthOf(t, "start=800", last, p)
	fs := make([]*Filter, instances)
	for i := range fs {
		fs[i] = build(t, "start=800", last, p, uint64(i))
	}
	n := uint64(0)
	for _, next := range []uint64{400, 800, 2300, 5600, last} {
		var maybes, predicted, fill float64
		for i, f := range fs {
			for j := n; j < next; j++ {
				f.Add(key(uint64(i), j))
			}
			for j := range uint64(asked) {
				if f.Contains(key(uint64(i), 1<<30+j)) {
					maybes++
				}
			}
			predicted += asked * f.InstanceFPR()
			fill += f.Occupancy() / instances
			if f.SizeBits() != g.bits(float64(next)) {
				t.Errorf("%d keys: %d bits in %d stages, by the model %d", next, f.SizeBits(), f.Stages(), g.bits(float64(next)))
			}
		}
		n = next
		if maybes > p*asked*instances+4*math.Sqrt(p*asked*instances) || math.Abs(maybes-predicted) > 4*math.Sqrt(predicted) {
			t.Errorf("%d keys: %.0f maybes, the bits predict %.1f, p allows %.1f", n, maybes, predicted, p*asked*instances)
		}
		if want := g.fill(float64(n)); math.Abs(fill/want-1) > 0.01 {
			t.Errorf("%d keys: fill ratio %g, by the model %g", n, fill, want)
		}
		compareWithPaper(t, fs[0], n, 800, p)
	}
}

// compareWithPaper holds a filter against the continuous formulas, which know no rounding.
func compareWithPaper(t *testing.T, f *Filter, n uint64, start, p float64) {
	t.Helper()
	z := theory.GrowScalable(start, 2, 0.5, p/2, float64(n))
	probes := 0.0
	for i := range f.stages {
		fill := float64(f.stages[i].Ones()) / float64(f.stages[i].M)
		probes += theory.ExpectedProbes(fill, f.plan[i].k)
	}
	if f.Stages() != z.Stages || math.Abs(float64(f.SizeBits())/z.Bits-1) > 0.02 || math.Abs(probes/z.AbsentProbes-1) > 0.04 || math.Abs(f.InstanceFPR()/z.FPR-1) > 0.2 {
		t.Errorf("%d keys: %d stages, %d bits, %.3g probes, FPR %.4g; by the paper %+v", n, f.Stages(), f.SizeBits(), probes, f.InstanceFPR(), z)
	}
}

// TestRedis: with its rule the stages are those of RedisBloom, but for its way of rounding.
func TestRedis(t *testing.T) {
	g := growthOf(t, "start=1000", 1e6, 0.01)
	chain := theory.GrowRedisChain(1000, 0.01, 2, 1e6)
	if got := g.bits(1e6); len(g.loads(1e6)) != chain.Filters || math.Abs(float64(got)/8/float64(chain.DataBytes)-1) > 0.01 {
		t.Errorf("%d stages of %d bytes, RedisBloom has %d of %d", len(g.loads(1e6)), got/8, chain.Filters, chain.DataBytes)
	}
}

// TestRepeats: keys that come again grow nothing, and the keys that count are those that were new.
func TestRepeats(t *testing.T) {
	f := build(t, "start=200", 1000, 0.01, 3)
	for range 20 {
		for i := range uint64(199) {
			f.Add(key(1, i))
		}
	}
	if f.Stages() != 1 || f.taken > 199 || f.taken < 195 {
		t.Errorf("199 keys, 20 times each: %d stages, %d counted", f.Stages(), f.taken)
	}
	for i := range uint64(20) {
		f.Add(key(2, i))
	}
	if f.Stages() != 2 {
		t.Errorf("219 keys in %d stages, the first takes 200", f.Stages())
	}
	bits := f.InstanceFPR()
	for i := range uint64(199) {
		f.Add(key(1, i))
	}
	if f.Stages() != 2 || f.InstanceFPR() != bits {
		t.Errorf("keys of an old stage set bits in the new one")
	}
}

// TestAtMax: a filter that may not grow refuses new keys, and says so, or takes them at the cost of
// its bound, and says so; keys it holds are accepted either way.
func TestAtMax(t *testing.T) {
	for word, want := range map[string]string{"refuse": "refused", "degrade": "no longer bounded"} {
		f := build(t, "start=100,max-stages=2,at-max="+word, 1000, 0.01, 1)
		accepted := 0
		for i := range uint64(1000) {
			if f.Add(key(1, i)) {
				accepted++
			}
		}
		fpr, notes := f.InstanceFPR(), f.Notes()
		if full := accepted < 320; full != (word == "refuse") || full != (fpr < 0.01) || f.Stages() != 2 || !f.Add(key(1, 0)) {
			t.Errorf("%s: %d of 1000 keys accepted, %d stages, FPR %g", word, accepted, f.Stages(), fpr)
		}
		if len(notes) != 1 || !strings.Contains(notes[0], want) {
			t.Errorf("%s: notes %q", word, notes)
		}
	}
	if notes := build(t, "", 1000, 0.01, 1).Notes(); len(notes) > 0 {
		t.Errorf("a new filter: %q", notes)
	}
}

// TestAlready: the closed form of the keys that answer maybe when they come is the sum, term by term.
func TestAlready(t *testing.T) {
	for _, s := range []stage{{words: 150, k: 7}, {words: 15000, k: 10}, {words: 100, k: 1}, {words: 40, k: 3}} {
		for _, n := range []float64{100, 1000, 5000} {
			got := s.already(n)
			want := theory.AlreadyPresent(s.bits(), s.probes(), n, theory.BloomClassicFPR)
			if math.Abs(got-want) > 1e-3*want+1e-6 {
				t.Errorf("%d words, k=%d, %g keys: %g, by the sum %g", s.words, s.k, n, got, want)
			}
		}
	}
	for _, k := range []float64{1, 7, 64} {
		below, above := tail(k, 0.9), tail(k, 0.9000000001)
		if math.Abs(below/above-1) > 1e-6 {
			t.Errorf("tail(%g): %g and %g on both sides of where its form changes", k, below, above)
		}
	}
}

func TestTooLarge(t *testing.T) {
	params := bind(t, "start=1e12").Params(1000, 0.01, 1)
	_, err := bind(t, "").New(params)
	_, modelErr := bind(t, "").Model(params)
	if err == nil || modelErr == nil || !strings.Contains(err.Error(), "GB") {
		t.Errorf("New says %v, Model %v", err, modelErr)
	}
	if plan := growthOf(t, "start=1e9", 1000, 0.01).plan; len(plan) < 5 || len(plan) > 10 {
		t.Errorf("%d stages from 1e9 keys on; the next takes more than 2^40 bits", len(plan))
	}
	for _, p := range []float64{1e-300, 1e-12, 0.9, 0.999999999} {
		for _, s := range growthOf(t, "tightening=0.95,first=p,growth=1", 1000, p).plan {
			if s.full < float64(s.capacity) || s.fpr(s.full) > 1 {
				t.Fatalf("p=%g: stage %+v", p, s)
			}
		}
	}
}

// TestAllocs: only a new stage allocates.
func TestAllocs(t *testing.T) {
	f := build(t, "start=1000", 1000, 0.01, 1)
	for i := range uint64(2000) {
		f.Add(key(1, i))
	}
	i, buf := uint64(0), make([]byte, 8)
	if n := testing.AllocsPerRun(100, func() {
		i++
		binary.LittleEndian.PutUint64(buf, i)
		f.Add(buf)
		f.Contains(buf)
	}); n != 0 || f.Stages() != 2 {
		t.Errorf("Add and Contains allocate %g times in %d stages", n, f.Stages())
	}
}

// TestFormat: the payload of version 1 of the file format does not move.
func TestFormat(t *testing.T) {
	f := build(t, "start=4", 10, 0.2, 42)
	for i := range 7 {
		f.Add(fmt.Appendf(nil, "user%d", i))
	}
	var file bytes.Buffer
	if _, err := f.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	const want = "0200000000000000030000000000000040140000454848020218050120000292"
	if got := hex.EncodeToString(file.Bytes()); got != want {
		t.Errorf("payload %s, want %s", got, want)
	}
}

// TestReadErrors: a payload that no filter writes is an error that names what is wrong.
func TestReadErrors(t *testing.T) {
	payload := func(stages, taken uint64, words int) []byte {
		head := binary.LittleEndian.AppendUint64(nil, stages)
		return append(binary.LittleEndian.AppendUint64(head, taken), make([]byte, 8*words)...)
	}
	for _, c := range []struct {
		knobs, want string
		file        []byte
	}{
		{"start=100", "number of stages is cut off", payload(1, 1, 0)[:9]},
		{"start=100", "0 stages", payload(0, 1, 100)},
		{"start=100", "18446744073709551615 stages", payload(math.MaxUint64, 1, 100)},
		{"start=100", "101 keys in a last stage that takes 100", payload(1, 101, 100)},
		{"start=100,max-stages=2,at-max=degrade", "101 keys in a last stage", payload(1, 101, 100)},
		{"start=100", "stage 1", payload(2, 1, 20)},
	} {
		f := build(t, c.knobs, 1000, 0.01, 1)
		if _, err := f.ReadFrom(bytes.NewReader(c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want an error that says %q", c.knobs, err, c.want)
		}
		if f.Stages() != 1 {
			t.Errorf("%s: %d stages after a failed read", c.knobs, f.Stages())
		}
	}
}
