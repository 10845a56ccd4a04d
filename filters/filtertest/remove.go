package filtertest

import (
	"fmt"
	"math"

	"pgregory.net/rapid"

	"filterlab/filters"
)

// harmful reports whether removing members takes others with it, by the variant's own model.
func harmful(m filters.Model) bool {
	return m.Lost != nil && m.Lost(filters.Churn{Loaded: 100, Deleted: 50}) > 0
}

// A step of the property test: an operation on one of a few keys.
type step struct {
	op  int // 0, 1: add; 2: remove; 3: look up
	key uint64
}

// checkRemove: whatever is added and removed, in any order, a key held answers maybe. Exact
// variants are sets; of the others each key may be held three times.
func checkRemove(t rapid.TB, b filters.Bound) {
	t.Helper()
	const n = 64
	params := b.Params(n, 0.01, 1)
	f, err := b.New(params)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	if _, ok := f.(filters.Remover); !ok || harmful(modelOf(t, b, params)) {
		return
	}
	copies := 3
	if b.Exact {
		copies = 1
	}
	steps := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
		return step{rapid.IntRange(0, 3).Draw(t, "op"), rapid.Uint64Range(0, 40).Draw(t, "key")}
	}), 100, 200)
	rapid.Check(t, func(rt *rapid.T) {
		params.Seed = rapid.Uint64().Draw(rt, "seed")
		f, err := b.New(params)
		if err != nil {
			rt.Fatalf("New: %v", err)
		}
		s := &script{Filter: f, live: map[uint64]int{}, size: n, copies: copies, exact: b.Exact}
		for i, st := range steps.Draw(rt, "steps") {
			s.do(rt, i, st)
		}
		s.lookAll(rt)
	})
}

// A script is a filter beside the multiset of keys it must hold.
type script struct {
	filters.Filter
	live   map[uint64]int
	total  int
	size   int
	copies int
	exact  bool
	dirty  bool // unsealed
	buf    []byte
	gaveUp bool // the filter dropped a key, and said so
}

func (s *script) key(i uint64) []byte {
	s.buf = fmt.Appendf(s.buf[:0], "user%d", i)
	return s.buf
}

func (s *script) do(t *rapid.T, i int, st step) {
	switch {
	case st.op < 2 && s.live[st.key] < s.copies && s.total < s.size:
		s.dirty = true
		if s.Add(s.key(st.key)) {
			s.live[st.key]++
			s.total++
		} else if l, ok := s.Filter.(filters.Loser); ok {
			lost, _ := l.Lost()
			s.gaveUp = s.gaveUp || lost > 0
		}
	case st.op == 2 && s.live[st.key] > 0:
		s.dirty = true
		removed := s.Filter.(filters.Remover).Remove(s.key(st.key))
		if _, seals := s.Filter.(filters.Sealer); !removed && !seals && !s.gaveUp {
			t.Fatalf("step %d: Remove of key %d, which is held, reports false", i, st.key)
		}
		s.live[st.key]--
		s.total--
	case st.op == 3:
		s.look(t, st.key)
	}
}

func (s *script) look(t *rapid.T, key uint64) {
	if s.dirty {
		seal(t, s.Filter)
		s.dirty = false
	}
	maybe := s.Contains(s.key(key))
	if s.live[key] > 0 && !maybe && !s.gaveUp {
		t.Fatalf("key %d is held %d times and answers no", key, s.live[key])
	}
	if s.live[key] == 0 && maybe && s.exact {
		t.Fatalf("key %d is not held and answers maybe in an exact variant", key)
	}
}

func (s *script) lookAll(t *rapid.T) {
	for key := range uint64(41) {
		s.look(t, key)
	}
}

// churns are the histories whose losses and FPR are held against the model.
var churns = []filters.Churn{
	{Loaded: 2000, Deleted: 600, Added: 300},
	{Loaded: 2000, Deleted: 1500, Added: 1500},
	{Loaded: 2000, Wrong: 3000},
	{Loaded: 2000, Deleted: 400, Added: 200, Wrong: 2000},
	{Loaded: 2000, Deleted: 200, Wrong: 60000},
}

const churnInstances = 8

// checkChurn: after loading, deleting, adding and wrong deletes, in this order, as many members
// are lost as the model says, none where it names no losses, and the FPR is as it says.
func checkChurn(t rapid.TB, b filters.Bound) {
	t.Helper()
	for _, c := range churns {
		params := b.Params(c.Loaded, fprTarget, 0)
		model := modelOf(t, b, params)
		var missing []float64
		m := &measurement{}
		for i := range uint64(churnInstances) {
			keys := random(c.Wrong<<8 + c.Deleted<<4 + i)
			params.Seed = filters.Mix(i)
			f := load(t, b, params, keys, c.Loaded)
			remover, ok := f.Filter.(filters.Remover)
			if !ok {
				return
			}
			if f.refused > 0 {
				t.Fatalf("%d of %d keys refused by a filter sized for them", f.refused, c.Loaded)
			}
			f.churn(t, remover, keys, c)
			missing = append(missing, float64(f.missing(keys)))
			m.asked += 4000
			m.positives += float64(maybes(f, keys, c.Wrong, 4000))
		}
		judgeLosses(t, model, c, missing)
		if !b.Unjudged && !b.Exact {
			judgeChurnFPR(t, model, c, m)
		}
	}
}

// churn deletes the first keys held, adds new ones and deletes strangers.
func (b *built) churn(t rapid.TB, remover filters.Remover, keys keySet, c filters.Churn) {
	t.Helper()
	var buf []byte
	for _, i := range b.held[:c.Deleted] {
		buf = keys(i, buf)
		remover.Remove(buf)
	}
	b.held = b.held[c.Deleted:]
	seal(t, b.Filter)
	for i := range c.Added {
		buf = keys(member(c.Loaded+i), buf)
		if b.Add(buf) {
			b.held = append(b.held, member(c.Loaded+i))
		}
	}
	seal(t, b.Filter)
	for i := range c.Wrong {
		buf = keys(stranger(i), buf)
		remover.Remove(buf)
	}
	seal(t, b.Filter)
}

func judgeLosses(t rapid.TB, model filters.Model, c filters.Churn, missing []float64) {
	t.Helper()
	want := 0.0
	if model.Lost != nil {
		want = model.Lost(c)
	}
	mean, se := meanSE(missing)
	if slack := 5*se + 0.02*want; math.Abs(mean-want) > slack+1e-9 && (want == 0 || math.Abs(mean-want) > 1) {
		t.Errorf("%+v: %.1f members lost on average, the model says %.1f (slack %.2g)", c, mean, want, slack)
	}
}

func judgeChurnFPR(t rapid.TB, model filters.Model, c filters.Churn, m *measurement) {
	t.Helper()
	fpr := model.FPR(c.Held())
	if model.FPRAfter != nil {
		fpr = model.FPRAfter(c)
	}
	m.expected = m.asked * fpr
	m.variance = m.expected
	if model.SD != nil {
		perFilter := m.asked / churnInstances * model.SD(c.Held())
		m.variance += churnInstances * perFilter * perFilter
	}
	if z := score(m.positives, m.expected, m.variance); math.Abs(z) > fprLimit {
		t.Errorf("%+v: %.0f false positives among %.0f strangers, the model says %.1f (z = %+.1f)",
			c, m.positives, m.asked, m.expected, z)
	}
}
