package workloads

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
)

// mustParse makes a workload with the usual options.
func mustParse(t testing.TB, text string, n uint64) Workload {
	t.Helper()
	return mustReplay(t, text, n, ReplayOptions{Warmup: DefaultWarmup, MaxBad: DefaultMaxBad})
}

func mustReplay(t testing.TB, text string, n uint64, opts ReplayOptions) Workload {
	t.Helper()
	w, err := Parse(context.Background(), text, n, opts)
	if err != nil {
		t.Fatalf("Parse(%q, %d): %v", text, n, err)
	}
	return w
}

// A copied is an op that outlives its stream.
type copied struct {
	key   string
	kind  Kind
	truth Truth
}

// failer is what testing.T and rapid.T have in common.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

func collect(t failer, ops iter.Seq2[Op, error]) (all []copied) {
	t.Helper()
	for op, err := range ops {
		if err != nil {
			t.Fatalf("op %d: %v", len(all), err)
		}
		all = append(all, copied{string(op.Key), op.Kind, op.Truth})
	}
	return all
}

// keysOf returns the keys of the lookups of one truth.
func keysOf(all []copied, truth Truth) (keys []string) {
	for _, op := range all {
		if op.truth == truth {
			keys = append(keys, op.key)
		}
	}
	return keys
}

// checkWorkload holds a workload against an exact set: every truth of Load and Lookup, the numbers
// it promises, the mixtures asked for, and that its streams can be had again.
func checkWorkload(t failer, w Workload, seed uint64, strangerTruth Truth) {
	t.Helper()
	live := checkLoad(t, w, seed) // true: stored, false: deleted
	checkEach(t, w, seed, live)
	checkStrangers(t, w, seed, live, strangerTruth)
	checkMixes(t, w, seed, live, strangerTruth)
}

func checkLoad(t failer, w Workload, seed uint64) map[string]bool {
	t.Helper()
	live, peak, now, removes, repeats := map[string]bool{}, uint64(0), uint64(0), 0, 0
	for i, op := range collect(t, w.Load(seed)) {
		stored, known := live[op.key]
		want := NeverSeen
		switch {
		case stored:
			want = Member
		case known:
			want = Deleted
		}
		if op.truth != want || op.kind == Lookup || (op.kind == Remove && known && !stored) {
			t.Fatalf("%s: load op %d, kind %d of %q, says %s; the set says %s", w.Name, i, op.kind, op.key, op.truth, want)
		}
		switch {
		case op.kind == Add && stored:
			repeats++
		case op.kind == Add:
			live[op.key], now = true, now+1
		case stored:
			live[op.key], now, removes = false, now-1, removes+1
		default:
			removes++ // wrong: the key stays never seen
		}
		peak = max(peak, now)
	}
	sized := peak == w.N || strings.Contains(w.Name, "fill=")
	if now != w.Members || uint64(len(live))-now != w.Deleted || !sized || (removes > 0 && !w.Churns) {
		t.Errorf("%s: load leaves %d stored, %d deleted, peak %d, %d removes; the workload says %d, %d, %d, churns %v",
			w.Name, now, uint64(len(live))-now, peak, removes, w.Members, w.Deleted, w.N, w.Churns)
	}
	if repeats > 0 && !strings.Contains(w.Name, "dup=") {
		t.Errorf("%s: %d adds of a key that is stored", w.Name, repeats)
	}
	return live
}

// checkEach asks for every member and every deleted key once, and for more than there are.
func checkEach(t failer, w Workload, seed uint64, live map[string]bool) {
	t.Helper()
	all := collect(t, w.Lookup(seed, Mix{Members: w.Members + 5, Deleted: w.Deleted + 5, Each: true}))
	left := map[string]bool{}
	for key, stored := range live {
		left[key] = stored
	}
	for i, op := range all {
		stored, waiting := left[op.key]
		if !waiting || op.kind != Lookup || (op.truth == Member) != stored || (op.truth == Deleted) == stored {
			t.Fatalf("%s: lookup %d of %q says %s; waiting %v, stored %v", w.Name, i, op.key, op.truth, waiting, stored)
		}
		delete(left, op.key)
	}
	if len(left) > 0 {
		t.Errorf("%s: %d keys were never asked for", w.Name, len(left))
	}
}

func checkStrangers(t failer, w Workload, seed uint64, live map[string]bool, truth Truth) {
	t.Helper()
	limit := uint64(300)
	if w.Log != nil || w.Strangers > 0 && w.Strangers < limit {
		limit = w.Strangers
	}
	wrong := map[string]bool{}
	for _, op := range collect(t, w.Load(seed)) {
		wrong[op.key] = true
	}
	all := keysOf(collect(t, w.Lookup(seed, Mix{Strangers: limit})), truth)
	seen := map[string]bool{}
	for _, key := range all {
		if _, stored := live[key]; stored || seen[key] || wrong[key] {
			t.Fatalf("%s: stranger %q is stored, deleted by mistake, or asked twice", w.Name, key)
		}
		seen[key] = true
	}
	half := limit / 2
	again := keysOf(collect(t, w.Lookup(seed, Mix{Strangers: half})), truth)
	again = append(again, keysOf(collect(t, w.Lookup(seed, Mix{Strangers: limit - half, SkipStrangers: half})), truth)...)
	if uint64(len(all)) != limit || !slices.Equal(all, again) {
		t.Errorf("%s: %d strangers in one go and in two differ, or are not %d", w.Name, len(all), limit)
	}
}

// checkMixes asks for mixtures and counts what comes; it stops one early and asks for it again.
func checkMixes(t failer, w Workload, seed uint64, live map[string]bool, truth Truth) {
	t.Helper()
	some := min(w.Strangers, 40)
	if w.Strangers == 0 && w.Log == nil {
		some = 40
	}
	for _, mix := range []Mix{
		{},
		{Members: 60},
		{Members: 60, Strangers: some, Deleted: min(w.Deleted, 20)},
		{Members: min(w.Members, 30), Strangers: some / 2, SkipStrangers: some / 2, Each: true},
	} {
		if w.Members == 0 {
			mix.Members = 0
		}
		all := collect(t, w.Lookup(seed, mix))
		got := Mix{uint64(len(keysOf(all, Member))), uint64(len(keysOf(all, truth))), uint64(len(keysOf(all, Deleted))), mix.SkipStrangers, mix.Each}
		if got != mix || mix.Total() != uint64(len(all)) {
			t.Fatalf("%s: asked for %+v, got %+v", w.Name, mix, got)
		}
		for _, key := range keysOf(all, Member) {
			if !live[key] {
				t.Fatalf("%s: %q is called a member and is not stored", w.Name, key)
			}
		}
		if !slices.Equal(all, collect(t, w.Lookup(seed, mix))) {
			t.Errorf("%s: the lookups of %+v differ the second time", w.Name, mix)
		}
		checkPrefix(t, w.Lookup(seed, mix), all)
	}
	checkPrefix(t, w.Load(seed), collect(t, w.Load(seed)))
}

// checkPrefix stops a stream early, at every length up to ten.
func checkPrefix(t failer, ops iter.Seq2[Op, error], all []copied) {
	t.Helper()
	for stop := 1; stop <= min(10, len(all)); stop++ {
		i := 0
		for op := range ops {
			if string(op.Key) != all[i].key || op.Truth != all[i].truth {
				t.Fatalf("op %d of a stream stopped after %d is %q, was %q", i, stop, op.Key, all[i].key)
			}
			if i++; i == stop {
				break
			}
		}
	}
}

func isInput(err error) bool { return errors.Is(err, ErrInput) }
