package theory_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"filterlab/filters/theory"
)

// within reports whether got is within a fraction rel of want.
func within(got, want, rel float64) bool { return math.Abs(got-want) <= rel*math.Abs(want) }

func expect(t *testing.T, what string, got, want, rel float64) {
	t.Helper()
	if !within(got, want, rel) {
		t.Errorf("%s = %.10g, want %.10g within %.2g", what, got, want, rel)
	}
}

// enumerate calls visit with the number of occupied cells of each of the m^balls ways to throw.
func enumerate(m, balls int, visit func(occupied int)) {
	ways := 1
	for range balls {
		ways *= m
	}
	for way := range ways {
		var set uint
		for range balls {
			set |= 1 << (way % m)
			way /= m
		}
		occupied := 0
		for ; set > 0; set &= set - 1 {
			occupied++
		}
		visit(occupied)
	}
}

func TestBloomExactAgainstEnumeration(t *testing.T) {
	for _, c := range []struct{ m, k, n int }{{2, 2, 1}, {3, 2, 2}, {4, 3, 2}, {5, 2, 3}, {7, 1, 4}, {2, 5, 2}, {6, 4, 1}} {
		m, k, n := float64(c.m), float64(c.k), float64(c.n)
		var ways, fill, fill2, fpr, fpr2 float64
		enumerate(c.m, c.k*c.n, func(occupied int) {
			x := float64(occupied) / m
			ways++
			fill += x
			fill2 += x * x
			fpr += math.Pow(x, k)
			fpr2 += math.Pow(x, 2*k)
		})
		fill, fill2, fpr, fpr2 = fill/ways, fill2/ways, fpr/ways, fpr2/ways
		mean, sd := theory.BloomFill(m, k, n)
		expect(t, "BloomExactFPR", theory.BloomExactFPR(m, k, n), fpr, 1e-12)
		expect(t, "BloomFill mean", mean, fill, 1e-12)
		expect(t, "BloomFill sd", sd, math.Sqrt(fill2-fill*fill), 1e-9)
		expect(t, "BloomInstanceSD", theory.BloomInstanceSD(m, k, n), math.Sqrt(fpr2-fpr*fpr), 1e-9)
		if !within(theory.BloomExcess(m, k, n), fpr/theory.BloomClassicFPR(m, k, n)-1, 1e-9) {
			t.Errorf("BloomExcess(%v) = %v", c, theory.BloomExcess(m, k, n))
		}
	}
}

func TestBloomSizeExamples(t *testing.T) {
	for _, c := range []struct{ n, p, bits, k float64 }{
		{1000, 0.01, 9586, 7}, {1e7, 0.001, 143775876, 10}, {1e8, 0.01, 958505838, 7},
	} {
		s := theory.SizeBloom(c.n, c.p)
		if s.BitsCeil != c.bits || s.HashesRound != c.k {
			t.Errorf("n=%v p=%v: %v bits, k %v, want %v, %v", c.n, c.p, s.BitsCeil, s.HashesRound, c.bits, c.k)
		}
	}
	if bytes, _ := theory.SizeBloom(1e7, 0.001).Bytes(); bytes != 17971985 {
		t.Errorf("bytes = %v, want 17,971,985", bytes)
	}
	if s := theory.SizeBloom(1e6, 1e-4); s.HashesRound != 13 || s.HashesBitsUp != 14 {
		t.Errorf("k at p=1e-4 is %v by rounding and %v by rounding up, want 13 and 14", s.HashesRound, s.HashesBitsUp)
	}
}

// The sizes named in the doc comments.
func TestBloomClaims(t *testing.T) {
	expect(t, "excess over classic, m=256", theory.BloomExcess(256, 7, 26), 0.035, 0.02)
	expect(t, "excess over classic is 9/m, m=9586", theory.BloomExcess(9586, 7, 1000), 9.0/9586, 0.05)
	expect(t, "excess over classic is 9/m, m=958506", theory.BloomExcess(958506, 7, 1e5), 9.0/958506, 0.05)
	for _, c := range []struct{ m, k, n, rel float64 }{{256, 7, 26, 1.3e-4}, {1024, 7, 107, 7.5e-6}, {1 << 17, 20, 4558, 1e-7}, {95851, 7, 1e4, 1e-9}} {
		exact := theory.BloomExactFPR(c.m, c.k, c.n)
		if second := theory.BloomSecondOrderFPR(c.m, c.k, c.n); !within(second, exact, c.rel) || second == exact {
			t.Errorf("m=%v: second order %v, exact %v, want within %v", c.m, second, exact, c.rel)
		}
	}
	expect(t, "relative instance sd, k=7", theory.BloomInstanceSD(9586, 7, 1000)/theory.BloomFPR(9586, 7, 1000), 3.8/math.Sqrt(9586), 0.02)
	expect(t, "delta method, m=64", theory.BloomInstanceSDDelta(64, 4, 10), theory.BloomInstanceSD(64, 4, 10), 0.02)
	expect(t, "delta method, m=1e6", theory.BloomInstanceSDDelta(958506, 7, 1e5), theory.BloomInstanceSD(958506, 7, 1e5), 8e-6)
	expect(t, "32-bit hashes at 1e7 keys", theory.HashWidthFloor(32, 1e7), 0.0023, 0.02)
	extra, _ := theory.DoubleHashExtra(theory.DoubleHash, 28755, 20, 1000)
	expect(t, "double hashing at p=1e-6", extra/theory.BloomFPR(28755, 20, 1000), 38, 0.01)
	expect(t, "keys found present while building, per 1000", theory.AlreadyPresent(9586, 7, 1000, theory.BloomClassicFPR), 1.66, 0.01)
}

func TestBloomProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := float64(rapid.Int64Range(1, 1<<20).Draw(t, "m"))
		k := float64(rapid.IntRange(1, 30).Draw(t, "k"))
		n := float64(rapid.Int64Range(0, 1<<20).Draw(t, "n"))
		classic, mean, exact := theory.BloomClassicFPR(m, k, n), theory.BloomMeanFillFPR(m, k, n), theory.BloomFPR(m, k, n)
		if classic > mean*(1+1e-12) || mean > exact*(1+1e-12) || exact > 1 {
			t.Fatalf("classic %v, mean fill %v, exact %v: want them in that order and at most 1", classic, mean, exact)
		}
		more := theory.BloomFPR(m, k, n+1)
		if more < exact*(1-1e-12) {
			t.Fatalf("FPR falls from %v to %v with one more key", exact, more)
		}
		if excess := theory.BloomExcess(m, k, n); excess < 0 {
			t.Fatalf("excess over classic %v", excess)
		}
		if sd := theory.BloomInstanceSD(m, k, n); sd*sd > exact*(1-exact)+1e-12 {
			t.Fatalf("instance sd %v is beyond what a value in 0..1 of mean %v can have", sd, exact)
		}
	})
}

func TestBloomInverses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.Float64Range(100, 1e9).Draw(t, "m")
		k := float64(rapid.IntRange(1, 20).Draw(t, "k"))
		p := rapid.Float64Range(1e-6, 0.9).Draw(t, "p")
		n := theory.BloomCapacity(m, k, p)
		if back := theory.BloomClassicFPR(m, k, n); !within(back, p, 1e-9) {
			t.Fatalf("capacity %v for %v has an FPR of %v", n, p, back)
		}
		_, fill := theory.BloomOverfill(m, k, n, 1)
		if guess, _ := theory.BloomEstimateN(m, k, fill*m); !within(guess, n, 1e-9) {
			t.Fatalf("%v keys estimated as %v", n, guess)
		}
	})
	if n, sd := theory.BloomEstimateN(100, 3, 100); !math.IsInf(n, 1) || !math.IsInf(sd, 1) {
		t.Errorf("a saturated filter holds an estimated %v±%v keys, want infinity", n, sd)
	}
}

// Euler-Maclaurin against the sum it replaces: ten times the keys in ten times the bits.
func TestAlreadyPresentManyKeys(t *testing.T) {
	summed := theory.AlreadyPresent(9585059, 7, 1e6, theory.BloomClassicFPR)
	integrated := theory.AlreadyPresent(95850590, 7, 1e7, theory.BloomClassicFPR)
	expect(t, "per key", integrated/1e7, summed/1e6, 1e-5)
}

func TestUnionOfDisjointAndEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.Float64Range(1000, 1e7).Draw(t, "m")
		a := rapid.Float64Range(1, 1e5).Draw(t, "a")
		b := rapid.Float64Range(1, 1e5).Draw(t, "b")
		shared := min(a, b) * rapid.Float64Range(0, 1).Draw(t, "shared")
		s := theory.BloomSetOperation(m, 5, a, b, shared)
		union, _ := theory.BloomFill(m, 5, a+b-shared)
		if !within(s.FillOr, union, 1e-12) {
			t.Fatalf("fill of OR %v, of a filter of the union %v", s.FillOr, union)
		}
		if s.FillAnd < s.FillIntersection-1e-12 || s.FillAnd > s.FillOr+1e-12 {
			t.Fatalf("fill of AND %v is not between %v and %v", s.FillAnd, s.FillIntersection, s.FillOr)
		}
	})
}

func TestSimulateBloom(t *testing.T) {
	const m, k, n = 512, 5, 70
	run := func(scheme theory.IndexScheme, seed uint64) (fpr float64) {
		for _, r := range theory.SimulateBloom(scheme, m, k, n, 400, 400, seed) {
			fpr += r.FPR / 400
		}
		return fpr
	}
	if a, b := run(theory.DoubleHash, 3), run(theory.DoubleHash, 3); a != b {
		t.Errorf("one seed gives %v and %v", a, b)
	}
	if a, b := run(theory.DoubleHash, 3), run(theory.DoubleHash, 4); a == b {
		t.Errorf("two seeds give %v", a)
	}
	want := theory.BloomExactFPR(m, k, n)
	se := theory.BloomInstanceSD(m, k, n) / 20
	if got := run(theory.Independent, 1); math.Abs(got-want) > 4*se {
		t.Errorf("independent probes: FPR %v, want %v±%v", got, want, se)
	}
	if got := run(theory.DoubleHash, 1); got < want+4*se {
		t.Errorf("double hashing: FPR %v, want clearly above %v", got, want)
	}
}
