package filtertest

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"

	"filterlab/filters"
)

func TestMain(m *testing.M) {
	flag.Parse()
	for name, value := range map[string]string{"rapid.nofailfile": "true", "rapid.shrinktime": "100ms"} {
		if err := flag.Set(name, value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	os.Exit(m.Run())
}

// A recorder stands in for *testing.T and keeps what it is told.
type recorder struct {
	failed bool
	log    []string
}

func (r *recorder) say(s string)              { r.log = append(r.log, s) }
func (r *recorder) Helper()                   {}
func (r *recorder) Name() string              { return "recorder" }
func (r *recorder) Logf(f string, a ...any)   { r.say(fmt.Sprintf(f, a...)) }
func (r *recorder) Log(a ...any)              { r.say(fmt.Sprint(a...)) }
func (r *recorder) Skipf(f string, a ...any)  { r.Skip(fmt.Sprintf(f, a...)) }
func (r *recorder) Skip(a ...any)             { r.Log(a...); r.SkipNow() }
func (r *recorder) SkipNow()                  { runtime.Goexit() }
func (r *recorder) Errorf(f string, a ...any) { r.Logf(f, a...); r.Fail() }
func (r *recorder) Error(a ...any)            { r.Log(a...); r.Fail() }
func (r *recorder) Fatalf(f string, a ...any) { r.Logf(f, a...); r.FailNow() }
func (r *recorder) Fatal(a ...any)            { r.Log(a...); r.FailNow() }
func (r *recorder) FailNow()                  { r.Fail(); runtime.Goexit() }
func (r *recorder) Fail()                     { r.failed = true }
func (r *recorder) Failed() bool              { return r.failed }

// verdicts runs the check named, or all for "", and returns the names of those that failed, and
// what they said.
func verdicts(b filters.Bound, only string) (failed, log []string) {
	for _, c := range checks {
		if only != "" && c.name != only {
			continue
		}
		r := &recorder{}
		done := make(chan struct{})
		go func() {
			defer close(done)
			c.run(r, b)
		}()
		<-done
		if r.failed {
			failed = append(failed, c.name)
			log = append(log, r.log...)
		}
	}
	return failed, log
}

func bind(t *testing.T, v filters.Variant, knobs map[string]string) filters.Bound {
	t.Helper()
	b, err := v.Bind(knobs)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// withFilter plants a faulty filter in the sound bitmap variant.
func withFilter(wrap func(*bitmap, filters.Params) filters.Filter) filters.Variant {
	v := soundBitmap()
	v.New = func(p filters.Params) (filters.Filter, error) {
		f, err := newBitmap(p)
		if err != nil {
			return nil, err
		}
		return wrap(f, p), nil
	}
	return v
}

// withModel plants a faulty model in the sound bitmap variant.
func withModel(change func(*filters.Model)) filters.Variant {
	v := soundBitmap()
	v.Model = func(p filters.Params) (filters.Model, error) {
		m, err := bitmapModel(p)
		change(&m)
		return m, err
	}
	return v
}

// withSet plants a faulty filter in the sound set variant.
func withSet(wrap func(set) filters.Filter) filters.Variant {
	v := soundSet()
	v.New = func(p filters.Params) (filters.Filter, error) { return wrap(set{}), p.Check() }
	return v
}

func scaled(by float64) func(*filters.Model) {
	return func(m *filters.Model) {
		fpr := m.FPR
		m.FPR = func(n uint64) float64 { return by * fpr(n) }
	}
}

func forgetful() filters.Variant {
	count := uint64(0)
	return withFilter(func(f *bitmap, _ filters.Params) filters.Filter { count++; f.seed = count; return f })
}

func careless() filters.Variant {
	v := soundBitmap()
	v.New = func(p filters.Params) (filters.Filter, error) { return &bitmap{make([]uint64, 1), 64, p.Seed}, nil }
	return v
}

// TestFaultsAreCaught plants one fault at a time; the check named must fail. The sound variants
// must pass all.
func TestFaultsAreCaught(t *testing.T) {
	type B = bitmap
	type P = filters.Params
	type F = filters.Filter
	tests := []struct {
		fault, check string
		v            filters.Variant
	}{
		{"none", "", soundBitmap()},
		{"none, exact", "", soundSet()},
		{"loses one key in a thousand", "keys", withFilter(func(f *B, _ P) F { return losesKeys{f} })},
		{"loses the empty key", "keys", withFilter(func(f *B, _ P) F { return losesEmptyKey{f} })},
		{"keeps the caller's key", "keys", withFilter(func(f *B, _ P) F { return &keepsKey{bitmap: f} })},
		{"drops keys once full", "refusals", withFilter(func(f *B, p P) F { return &drops{f, int(p.N + p.N/2)} })},
		{"larger than the model", "bits", withFilter(func(f *B, _ P) F { return wrongSize{f} })},
		{"takes any parameters", "params", careless()},
		{"FPR 30 % above the model", "fpr", withFilter(func(f *B, _ P) F { return saysMoreOften{f} })},
		{"FPR 30 % below the model", "fpr", withModel(scaled(1 / 0.7))},
		{"FPR 30 % above, by the model", "fpr", withModel(scaled(1 / 1.3))},
		{"instance predictor 30 % too high", "fpr", withFilter(func(f *B, _ P) F { return wrongInstance{f} })},
		{"occupancy 1 % too high", "fpr", withFilter(func(f *B, _ P) F { return wrongOccupancy{f} })},
		{"another seed at every New", "seed", forgetful()},
		{"one seed for all", "seed", withFilter(func(f *B, _ P) F { f.seed = 1; return f })},
		{"allocates in Contains", "allocs", withFilter(func(f *B, _ P) F { return allocates{f} })},
		{"saves half", "save", withFilter(func(f *B, _ P) F { return savesHalf{f} })},
		{"Remove takes a neighbour", "remove", withSet(func(s set) F { return takesNeighbour{s} })},
		{"Remove does nothing", "remove", withSet(func(s set) F { return ignoresRemove{s} })},
		{"a wrong delete takes a member", "churn", withSet(func(s set) F { return losesOnWrong{s} })},
		{"exact but for one in 20,000", "exact", withSet(func(s set) F { return sometimesWrong{s} })},
	}
	for _, tt := range tests {
		t.Run(tt.fault, func(t *testing.T) {
			failed, log := verdicts(bind(t, tt.v, nil), tt.check)
			if tt.check == "" && len(failed) > 0 {
				t.Errorf("a sound variant fails %q: %q", failed, log)
			}
			if tt.check != "" && len(failed) == 0 {
				t.Errorf("check %q does not see it", tt.check)
			}
		})
	}
}

// TestSpecFault: knob values that the spec does not carry are found.
func TestSpecFault(t *testing.T) {
	b := bind(t, soundBitmap(), map[string]string{"k": "3"})
	if failed, log := verdicts(b, ""); len(failed) > 0 {
		t.Errorf("a sound variant fails %q: %q", failed, log)
	}
	b.Values["hidden"] = "7"
	if failed, _ := verdicts(b, "spec"); len(failed) == 0 {
		t.Error("a value that the spec does not carry is not found")
	}
}

func TestRun(t *testing.T) { RunAll(t, soundBitmap(), "", "k=3") }
