package sizing_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"filterlab/filters"
	"filterlab/filters/catalog"
	"filterlab/filters/spec"
	"filterlab/filters/theory"
	"filterlab/harness/sizing"
)

// bloomLike is a variant for tests: a standard Bloom filter of the bits that round returns.
func bloomLike(name string, round func(bits float64) uint64, floorBits float64) filters.Variant {
	return filters.Variant{Name: name, Model: func(p filters.Params) (filters.Model, error) {
		if err := p.Check(); err != nil {
			return filters.Model{}, err
		}
		m := round(theory.SizeBloom(float64(p.N), p.P).Bits)
		k := filters.Probes(p.P)
		return filters.Model{Bits: m, K: k, FPR: func(n uint64) float64 {
			return theory.WithHashFloor(theory.BloomFPR(float64(m), float64(k), float64(n)), theory.HashWidthFloor(floorBits, float64(n)))
		}}, nil
	}}
}

var (
	powerOfTwo = bloomLike("power-of-two", func(x float64) uint64 { return 1 << bits.Len64(uint64(math.Ceil(x))-1) }, 64)
	shortHash  = bloomLike("short-hash", func(x float64) uint64 { return uint64(math.Ceil(x)) }, 32)
	static     = filters.Variant{Name: "static", Model: func(p filters.Params) (filters.Model, error) {
		return filters.Model{Bits: 9 * p.N, FPR: func(uint64) float64 { return 1.0 / 256 }}, p.Check()
	}}
)

func bind(t testing.TB, variants ...filters.Variant) []filters.Bound {
	t.Helper()
	var out []filters.Bound
	for _, v := range variants {
		b, err := v.Bind(nil)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}

func report(t testing.TB, w sizing.Words, variants ...filters.Variant) sizing.Report {
	t.Helper()
	a, err := w.Ask()
	if err != nil {
		t.Fatal(err)
	}
	r, err := sizing.New(a, bind(t, variants...), sizing.Options{KeyBytes: 16})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// words draws n, p and what follows from them.
func words(t *rapid.T) sizing.Ask {
	return sizing.Ask{
		N: uint64(math.Exp(rapid.Float64Range(0, math.Log(1e9)).Draw(t, "ln n"))),
		P: math.Exp(rapid.Float64Range(math.Log(1e-9), math.Log(0.5)).Draw(t, "ln p")),
	}
}

func TestSolveInverts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		asked := words(t)
		s, err := asked.Solve()
		if err != nil {
			t.Fatal(err)
		}
		exact := sizing.Ask{N: s.N, P: theory.BloomClassicFPR(float64(s.M), float64(s.K), float64(s.N)), K: s.K}
		back, err := exact.Solve()
		if err != nil || math.Abs(float64(back.M)-float64(s.M)) > 1+1e-9*float64(s.M) {
			t.Fatalf("%+v to m and back: %+v, %v", s, back, err)
		}
		keys, err := sizing.Ask{M: s.M, P: exact.P * (1 + 1e-9), K: s.K}.Solve()
		if err != nil || math.Abs(float64(keys.N)-float64(s.N)) > 1+1e-7*float64(s.N) {
			t.Fatalf("%+v to n and back: %+v, %v", s, keys, err)
		}
		all := sizing.Ask{N: s.N, P: asked.P, M: s.M, K: s.K}
		if got, err := all.Solve(); err != nil || got != s {
			t.Fatalf("all four of %+v: %+v, %v", s, got, err)
		}
	})
}

func TestKIsBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := words(t).Solve()
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []int{s.K - 1, s.K + 1} {
			other := theory.BloomClassicFPR(float64(s.M), float64(k), float64(s.N))
			if k > 0 && other < theory.BloomClassicFPR(float64(s.M), float64(s.K), float64(s.N)) {
				t.Fatalf("%+v: k = %d gives %g", s, k, other)
			}
		}
	})
}

// TestRowsAreTheModels holds every row against the model of its variant, for each kind of question.
func TestRowsAreTheModels(t *testing.T) {
	bounds := bind(t, catalog.All()...)
	rapid.Check(t, func(t *rapid.T) {
		asked := words(t)
		s, err := asked.Solve()
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range []sizing.Ask{asked, {N: s.N, M: s.M}, {M: s.M, P: s.P}} {
			r, err := sizing.New(a, bounds, sizing.Options{KeyBytes: 16})
			if err != nil && a.N == 0 && s.N == 1 {
				continue // a whole k leaves no room for the one key
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range r.Variants {
				checkRow(t, a, row)
			}
			if _, err := json.Marshal(r); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func checkRow(t *rapid.T, a sizing.Ask, row sizing.Row) {
	if row.Refused != "" {
		return
	}
	b, err := catalog.Parse(row.Variant)
	if err != nil {
		t.Fatal(err)
	}
	size := func(n uint64, p float64) float64 {
		model, err := b.Model(b.Params(n, p, 0))
		if err != nil {
			return math.Inf(1)
		}
		if n == row.N && p == row.P && (model.Bits != row.Bits || model.FPR(n) != row.FPR || model.K != row.K) {
			t.Fatalf("%s: row %+v, model %+v", row.Variant, row, model)
		}
		return max(float64(model.Bits), 8*float64(model.HeapBytes))
	}
	own := size(row.N, row.P)
	if a.M == 0 {
		return
	}
	m := float64(a.M)
	if own > m {
		t.Fatalf("%s takes %g bits of m = %g", row.Variant, own, m)
	}
	if a.N == 0 && size(row.N+1, row.P) <= m {
		t.Fatalf("%s fits one more key than %d in %g", row.Variant, row.N, m)
	}
	if a.P == 0 && row.P > 1e-15 {
		if less := size(row.N, row.P*(1-1e-5)); less <= m && size(row.N, 1e-15) != own {
			t.Fatalf("%s fits a lower p than %g: %g of %g", row.Variant, row.P, less, m)
		}
	}
}

func TestVariantRows(t *testing.T) {
	r := report(t, sizing.Words{N: "10M", P: "0.1%"}, shortHash, static)
	short, fixed := r.Variants[0], r.Variants[1]
	if len(short.Notes) != 1 || !strings.Contains(short.Notes[0], "misses p: 3.3") {
		t.Errorf("a hash of 32 bits at p = 0.1 %%: notes %q, want 3.3 times p", short.Notes)
	}
	if p := fixed.Overfull[5]; !p.Rebuild || p.Refuses {
		t.Errorf("a static filter at 5 n: %+v, want that it is rebuilt", p)
	}
	r = report(t, sizing.Words{N: "10M", P: "1e-6"}, shortHash)
	if notes := r.Variants[0].Notes; len(notes) != 1 || !strings.Contains(notes[0], "stays near 0.2327 %") {
		t.Errorf("a hash of 32 bits at p = 1e-6: notes %q, want its floor n/2^32", notes)
	}
	r = report(t, sizing.Words{N: "1000", P: "1%", M: "10000"}, static, powerOfTwo)
	if r.Variants[0].Notes != nil || len(r.Variants[1].Notes) != 1 || !strings.Contains(r.Variants[1].Notes[0], "does not fit m") {
		t.Errorf("fitting m: %+v", r.Variants)
	}
	r = report(t, sizing.Words{N: "1000", M: "8000"}, static)
	if !strings.Contains(r.Variants[0].Refused, "does not fit 1000 B: 1,000 keys take 1.1 KiB") {
		t.Errorf("too small an m: %+v", r.Variants[0])
	}
}

func TestKnobK(t *testing.T) {
	v := powerOfTwo
	v.Knobs = []spec.Knob{spec.Whole("k", "hash functions", "0", 0, 64)}
	given, err := v.Bind(map[string]string{"k": "3"})
	if err != nil {
		t.Fatal(err)
	}
	a := sizing.Ask{N: 1000, K: 5}
	r, err := sizing.New(a, append(bind(t, v), given), sizing.Options{KeyBytes: 16, MaxBytes: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(r.Variants[0].Variant, " ", r.Variants[1].Variant); got != "power-of-two:k=5 power-of-two:k=3" {
		t.Errorf("k = 5 asked for: %s, want it where the knob is open", got)
	}
	if !strings.Contains(r.Variants[0].Refused, "needs 1 KiB, more than the 1000 B allowed") {
		t.Errorf("over the memory allowed: %q", r.Variants[0].Refused)
	}
}

func TestCrossover(t *testing.T) {
	for _, w := range []sizing.Words{{N: "1000", P: "1%"}, {N: "1e6", P: "1e-6"}, {N: "10", P: "50%"}} {
		e := report(t, w).Exact
		for name, c := range map[string]struct{ at, margin uint64 }{"smaller": {e.SmallerTo, 0}, "page": {e.PageTo, 4096}} {
			saved := func(n uint64) float64 {
				s := solve(t, w)
				return 8*float64(n) + 24 - 8*math.Ceil(s.BitsPerKey()*float64(n)/64) - 128
			}
			if m := float64(c.margin); saved(c.at) > m || saved(c.at+1) <= m {
				t.Errorf("%+v, %s: %g bytes saved at n = %d, %g at the next", w, name, saved(c.at), c.at, saved(c.at+1))
			}
		}
	}
	small, large := report(t, sizing.Words{N: "500", P: "1%"}).Exact, report(t, sizing.Words{N: "1e6", P: "1%"}).Exact
	if !small.Better || !strings.Contains(small.Advice[0], "plain map or a sorted slice") || large.Better || large.HashesBytes != 8_000_024 {
		t.Errorf("at 500 keys %+v, at a million %+v", small, large)
	}
	if e := report(t, sizing.Words{N: "10", M: "1MB"}).Exact; !e.Better || !strings.Contains(e.Advice[0], "no n makes the filter smaller") {
		t.Errorf("800,000 bits a key: %+v", e)
	}
}

func TestText(t *testing.T) {
	text := report(t, sizing.Words{N: "10M", P: "0.1%"}, static, powerOfTwo).String()
	for _, want := range []string{"143,775,876 bits", "17.1 MiB", "\n  k               10 ", "crossover: up to n = ", "power-of-two", "rebuild", "5 n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.HasSuffix(text, "\n") {
		t.Error("the text ends with a line end")
	}
}
