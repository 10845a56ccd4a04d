package filtertest

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"filterlab/filters"
	"filterlab/filters/spec"
)

// checkBits: a new filter occupies what the model says, over 250 random parameters.
func checkBits(t rapid.TB, b filters.Bound) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	between := func(lo, hi float64) float64 { return lo * math.Pow(hi/lo, rng.Float64()) }
	for i := range 250 {
		n, p := uint64(between(1, 20001)), between(1e-6, 0.5)
		if i == 0 {
			n = 1
		}
		params := b.Params(n, p, rng.Uint64())
		f, err := b.New(params)
		if err != nil {
			t.Fatalf("New(n=%d, p=%g): %v", n, p, err)
		}
		m := modelOf(t, b, params)
		if m.Bits != 0 && m.Bits != f.SizeBits() {
			t.Fatalf("n=%d, p=%g: the model says %d bits, the filter occupies %d", n, p, m.Bits, f.SizeBits())
		}
		if !b.Unjudged && (m.FPR == nil || m.Formula == "" || m.Source == "") {
			t.Fatalf("the model lacks its FPR, formula or source: %+v", m)
		}
	}
}

// checkParams: what Params.Check refuses, New and Model refuse too.
func checkParams(t rapid.TB, b filters.Bound) {
	t.Helper()
	bad := []struct {
		n uint64
		p float64
	}{{0, 0.01}, {10, 0}, {10, -0.5}, {10, 1}, {10, 7}, {10, math.NaN()}, {10, math.Inf(1)}, {10, math.Inf(-1)}}
	for _, x := range bad {
		if _, err := b.New(b.Params(x.n, x.p, 1)); err == nil {
			t.Errorf("New(n=%d, p=%g) is no error", x.n, x.p)
		}
		if _, err := b.Model(b.Params(x.n, x.p, 1)); err == nil {
			t.Errorf("Model(n=%d, p=%g) is no error", x.n, x.p)
		}
	}
}

// checkAllocs: Contains allocates nothing, for members and for strangers.
func checkAllocs(t rapid.TB, b filters.Bound) {
	t.Helper()
	keys := random(5)
	f := load(t, b, b.Params(500, 0.01, 1), keys, 500)
	for _, i := range []uint64{member(3), stranger(3)} {
		key := keys(i, nil)
		if n := testing.AllocsPerRun(200, func() { f.Contains(key) }); n != 0 {
			t.Errorf("Contains allocates %g times a call", n)
		}
	}
}

// checkSeed: the same seed gives the same answers; another seed, where the variant takes one,
// gives other false positives.
func checkSeed(t rapid.TB, b filters.Bound) {
	t.Helper()
	const n, asked = 500, 20000
	keys := random(7)
	answers := func(seed uint64) (bits [asked]bool, positives int) {
		f := load(t, b, b.Params(n, 0.05, seed), keys, n)
		var buf []byte
		for i := range bits {
			buf = keys(stranger(uint64(i)), buf)
			if bits[i] = f.Contains(buf); bits[i] {
				positives++
			}
		}
		return bits, positives
	}
	first, positives := answers(1)
	again, _ := answers(1)
	if first != again {
		t.Errorf("two filters with one seed answer differently")
	}
	if other, _ := answers(2); b.Seeded && positives > 10 && first == other {
		t.Errorf("two seeds have the same %d false positives", positives)
	}
}

// checkSpec: the spec of the bound variant reads back to the same knobs.
func checkSpec(t rapid.TB, b filters.Bound) {
	t.Helper()
	name, given, err := spec.Parse(b.String())
	if err != nil {
		t.Fatalf("spec %q: %v", b, err)
	}
	again, err := b.Bind(given)
	if err != nil {
		t.Fatalf("spec %q: %v", b, err)
	}
	if name != b.Name || !maps.Equal(again.Values, b.Values) {
		t.Errorf("spec %q reads back as %s with %v instead of %v", b, name, again.Values, b.Values)
	}
}
