package sizing_test

import (
	"math"
	"strings"
	"testing"

	"filterlab/filters"
	"filterlab/filters/cuckoo"
	"filterlab/filters/theory"
	"filterlab/harness/sizing"
)

func solve(t *testing.T, w sizing.Words) sizing.Solution {
	t.Helper()
	a, err := w.Ask()
	if err != nil {
		t.Fatal(err)
	}
	s, err := a.Solve()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// near reports whether got is want to within a share tol.
func near(got, want, tol float64) bool { return math.Abs(got-want) <= tol*math.Abs(want) }

func TestSolve(t *testing.T) {
	for _, c := range []struct {
		name string
		w    sizing.Words
		want sizing.Solution // a zero is not checked; P and FPR to 1 %
	}{
		{"n and p: 10 million at 0.1 %", sizing.Words{N: "10M", P: "0.1%"}, sizing.Solution{N: 1e7, M: 143_775_876, K: 10, FPR: 0.001}},
		{"n and p: 1,000 at 1 %", sizing.Words{N: "1000", P: "0.01"}, sizing.Solution{M: 9586, K: 7, FPR: 0.01004}},
		{"n and p: 100 million at 1 %", sizing.Words{N: "1e8", P: "1%"}, sizing.Solution{M: 958_505_838, K: 7}},
		{"n and p: 1-in-1000", sizing.Words{N: "10M", P: "1-in-1000"}, sizing.Solution{M: 143_775_876, K: 10}},
		{"n and m", sizing.Words{N: "1e6", M: "1MB"}, sizing.Solution{N: 1e6, M: 8e6, K: 6, P: 0.02158}},
		{"m and p", sizing.Words{M: "64MiB", P: "1%"}, sizing.Solution{N: 55_965_125, M: 1 << 29, K: 7}},
		{"n, m and k", sizing.Words{N: "1e6", M: "8e6", K: "5"}, sizing.Solution{K: 5, P: 0.02168}},
		{"m, k and p", sizing.Words{M: "9586", K: "7", P: "1%"}, sizing.Solution{N: 999}},
		{"n, p and k", sizing.Words{N: "1000", P: "1%", K: "3"}, sizing.Solution{M: 12_365, K: 3, FPR: 0.01}},
		{"n and k", sizing.Words{N: "1000", K: "7"}, sizing.Solution{M: 10_099, P: 0.0078125}},
		{"m and k", sizing.Words{M: "10099", K: "7"}, sizing.Solution{N: 1000, P: 0.0078125}},
		{"n, p and m", sizing.Words{N: "1000", P: "1%", M: "16000"}, sizing.Solution{K: 3, M: 16_000}},
		{"all four", sizing.Words{N: "1000", P: "1%", M: "9586", K: "7"}, sizing.Solution{N: 1000, P: 0.01, M: 9586, K: 7}},
		{"more bits than 64 hash functions can use", sizing.Words{N: "10", M: "1e9"}, sizing.Solution{K: filters.MaxProbes}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, want := solve(t, c.w), c.want
			if want.N > 0 && got.N != want.N || want.M > 0 && got.M != want.M || want.K > 0 && got.K != want.K ||
				want.P > 0 && !near(got.P, want.P, 0.01) || want.FPR > 0 && !near(got.FPR, want.FPR, 0.01) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
	if got := solve(t, sizing.Words{N: "10M", P: "0.1%"}).Bytes(); got != 17_971_985 {
		t.Errorf("10 million at 0.1 %% take %d bytes, want 17,971,985 = 17.1 MiB", got)
	}
	if got := solve(t, sizing.Words{N: "1e8", P: "1%"}).Bytes(); got != 119_813_230 {
		t.Errorf("100 million at 1 %% take %d bytes, want 119,813,230, about 120 MB", got)
	}
}

// TestFieldCases are questions that people had in public, each with the right answer.
func TestFieldCases(t *testing.T) {
	t.Run("case-19", func(t *testing.T) { // 10^9 keys in 512 MiB were said to give 85 %
		s := solve(t, sizing.Words{N: "1e9", M: "512MiB"})
		if s.M != 1<<32 || s.K != 3 || !near(s.FPR, 0.127, 0.005) {
			t.Errorf("got %+v, want m = 2^32, k = 3, 12.7 %%", s)
		}
	})
	t.Run("case-20", func(t *testing.T) { // n known only roughly
		s := solve(t, sizing.Words{N: "10M", P: "0.1%"})
		for x, want := range map[float64]float64{1.01: 1.071, 1.05: 1.397, 1.2: 3.4} {
			if got := s.Overfull(x) / s.FPR; !near(got, want, 0.02) {
				t.Errorf("%g n: %.4g times the FPR, want %g", x, got, want)
			}
		}
		const step = 1e-4
		slope := math.Log(s.Overfull(1+step)/s.FPR) / step
		if want := math.Log(1000); !near(slope, want, 0.01) {
			t.Errorf("d ln p / d ln n = %.3f, want ln(1/p) = %.3f", slope, want)
		}
	})
	t.Run("case-23", func(t *testing.T) { // the size must grow with the rows
		if s := solve(t, sizing.Words{N: "1e9", P: "10%"}); !near(float64(s.Bytes()), 599e6, 0.001) {
			t.Errorf("10^9 keys at 10 %% take %d bytes, want 599 MB", s.Bytes())
		}
	})
	t.Run("case-25", func(t *testing.T) { // half the error rate asked for takes 15 % more
		plain, half := solve(t, sizing.Words{N: "1e6", P: "1%"}), solve(t, sizing.Words{N: "1e6", P: "0.5%"})
		if !near(plain.BitsPerKey(), 9.585, 1e-4) || !near(half.BitsPerKey(), 11.03, 1e-3) {
			t.Errorf("%.4f and %.4f bits per key, want 9.585 and 11.03", plain.BitsPerKey(), half.BitsPerKey())
		}
	})
	t.Run("case-28", func(t *testing.T) { // 14 rows and a filter of a megabyte
		r := report(t, sizing.Words{N: "14", P: "1%"})
		if m := *r.Answer.Unrounded; math.Floor(m) != 134 || r.Answer.M != 135 || !r.Exact.Better {
			t.Errorf("m = %g, rounded up to %d, exact set better: %t; want 134.2, 135, true", m, r.Answer.M, r.Exact.Better)
		}
	})
}

func TestFieldCasesOfVariants(t *testing.T) {
	t.Run("case-29", func(t *testing.T) { // 117 KiB asked for, the next power of two got
		for n, times := range map[string]float64{"100000": 1.094, "110000": 1.989} {
			row := report(t, sizing.Words{N: n, P: "1%"}, powerOfTwo).Variants[0]
			if got := row.BitsPerKey / 9.585; !near(got, times, 0.001) || row.FPR >= 0.01 || row.Bits&(row.Bits-1) != 0 {
				t.Errorf("n = %s: %d bits, %.4f times those asked for, FPR %g; want %g times", n, row.Bits, got, row.FPR, times)
			}
		}
	})
	t.Run("case-31", func(t *testing.T) { // out of heap; nothing is allocated here
		w := sizing.Words{N: "1e10", P: "1e-4"}
		if s := solve(t, w); !near(float64(s.Bytes()), 23.96e9, 1e-3) {
			t.Errorf("%d bytes, want 23.96 GB", s.Bytes())
		}
		a, _ := w.Ask()
		_, err := sizing.New(a, nil, sizing.Options{KeyBytes: 16, MaxBytes: 8e9})
		if err == nil || !strings.Contains(err.Error(), "23.96 GB") || !strings.Contains(err.Error(), "shard it over 3 filters") {
			t.Errorf("over the memory allowed: %v", err)
		}
		r, err := sizing.New(a, nil, sizing.Options{KeyBytes: 16, Roomy: 8e9})
		if err != nil || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "shard it over 3") {
			t.Errorf("over half of the machine: %v, %v", r.Notes, err)
		}
	})
	t.Run("case-33", func(t *testing.T) { // a cuckoo filter is sized by its fingerprint
		row := report(t, sizing.Words{N: "551.5M", P: "0.1%"}, cuckoo.Variant()).Variants[0]
		if row.Bits != 8<<30 || !near(*row.Occupancy, 0.5136, 0.001) || !near(row.FPR, 0.016, 0.01) {
			t.Errorf("%d bits, load %.4f, FPR %.4f; want 2^33, 0.51, 1.6 %%", row.Bits, *row.Occupancy, row.FPR)
		}
		if len(row.Notes) != 1 || !strings.Contains(row.Notes[0], "cannot reach p") {
			t.Errorf("notes %q, want that p is out of reach", row.Notes)
		}
		if last := row.Overfull[len(row.Overfull)-1]; !last.Refuses || !near(last.FPR, 0.031, 0.01) {
			t.Errorf("5 n: %+v, want that it refuses keys, 3.1 %% when full", last)
		}
		if fpr := theory.CuckooLoadFPR(theory.TagUniformNonzero, 8, 4, 0.95); !near(fpr, 0.0294, 0.01) {
			t.Errorf("FPR %g at load 0.95, want 2.9 %%", fpr)
		}
	})
}

// TestFieldClaims are claims made in public, and questions that deserve no answer but a hint.
func TestFieldClaims(t *testing.T) {
	t.Run("case-35", func(t *testing.T) {
		for _, claim := range []string{"n=1e9 p=1% in 200MB", "1e9 names in 200 MB at 1 %"} {
			v, err := sizing.Check(claim)
			if err != nil || v.True || !strings.Contains(v.Why, "1.198 GB") || !strings.Contains(v.Why, "46.47 %") {
				t.Errorf("%s: %v, %v; want false, 1.198 GB, 46 %%", claim, v, err)
			}
		}
	})
	t.Run("case-36", func(t *testing.T) {
		v, err := sizing.Check("5 times overfill of a 1 % filter gives 20 to 40 %")
		if err != nil || v.True || !strings.Contains(v.Why, "83.19 %") {
			t.Errorf("%v, %v; want false, 83 %%", v, err)
		}
	})
	t.Run("case-86", testRefusals)
}

func testRefusals(t *testing.T) {
	for _, c := range []struct {
		w    sizing.Words
		hint string
	}{
		{sizing.Words{N: "1000", P: "0"}, "above 0 and below 1"},
		{sizing.Words{N: "1000", P: "-0.1"}, "above 0 and below 1"},
		{sizing.Words{N: "1000", P: "1"}, "above 0 and below 1"},
		{sizing.Words{N: "1000", P: "2"}, "for 2 % say 0.02"},
		{sizing.Words{N: "1000", P: "5"}, "for 5 % say 0.05"},
		{sizing.Words{N: "1000", P: "500%"}, "for 5 % say 0.05"},
		{sizing.Words{N: "0.01", P: "1000000"}, "swapped"},
		{sizing.Words{N: "100", P: "1000000"}, "swapped"},
		{sizing.Words{N: "0", P: "1%"}, "at least one key"},
		{sizing.Words{N: "-1", P: "1%"}, "whole number"},
		{sizing.Words{N: "1e19", P: "1%"}, "whole number"},
		{sizing.Words{N: "2e18", P: "1%"}, "2^60"},
		{sizing.Words{N: "1e18", P: "1e-9"}, "hash floor"},
		{sizing.Words{N: "1e9", P: "1e-11"}, "n/2^64 = 5.42e-11"},
		{sizing.Words{M: "1e18", P: "1e-11"}, "hash floor"},
		{sizing.Words{N: "1e18", P: "10%"}, "more than any machine has"},
		{sizing.Words{M: "0", P: "1%"}, "at least one bit"},
		{sizing.Words{M: "10M", P: "1%"}, "bits or bytes"},
		{sizing.Words{M: "1", P: "1e-9"}, "hold no key"},
		{sizing.Words{N: "1000", K: "0"}, "at least one hash function"},
		{sizing.Words{M: "7", K: "9586", P: "1%"}, "m and k swapped"},
		{sizing.Words{N: "1000"}, "say two of n, p and m"},
		{sizing.Words{P: "1%", K: "7"}, "say two of n, p and m"},
		{sizing.Words{}, "say two of n, p and m"},
		{sizing.Words{N: "1000", P: "1%", M: "5000", K: "7"}, "p takes 9,593 bits"},
		{sizing.Words{N: "1e9", P: "1%", M: "200MB"}, "46.47 % at best"},
	} {
		a, err := c.w.Ask()
		if err == nil {
			_, err = a.Solve()
		}
		if err == nil || !strings.Contains(err.Error(), c.hint) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v, want one line with %q", c.w, err, c.hint)
		}
	}
}
