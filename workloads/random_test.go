package workloads

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// checkChiSquare fails when a chi-square statistic is too large or too small to be chance: each
// side at a probability of 1e-5.
func checkChiSquare(t *testing.T, what string, chi2 float64, freedom int) {
	t.Helper()
	p := distuv.ChiSquared{K: float64(freedom)}.CDF(chi2)
	if p < 1e-5 || p > 1-1e-5 {
		t.Errorf("%s: chi-square %.1f on %d degrees of freedom (lower tail %.2g)", what, chi2, freedom, p)
	}
}

// TestGenerator holds the generator against published outputs of SplitMix64 for seed 1234567.
func TestGenerator(t *testing.T) {
	r := rng{1234567}
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423} {
		if got := r.next(); got != want {
			t.Errorf("output %d is %d, want %d", i, got, want)
		}
	}
}

func TestBelowAndUnit(t *testing.T) {
	r := rng{1}
	const cells, draws = 10, 100_000
	var whole, real [cells]int
	for range draws {
		whole[r.below(cells)]++
		real[int(r.unit()*cells)]++
	}
	for name, counts := range map[string][cells]int{"below": whole, "unit": real} {
		chi2 := 0.0
		for _, c := range counts {
			chi2 += math.Pow(float64(c)-draws/cells, 2) / (draws / cells)
		}
		checkChiSquare(t, name, chi2, cells-1)
	}
}

func TestPermutationIsOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Range(1, 3000).Draw(t, "n")
		p := newPermutation(rapid.Uint64().Draw(t, "seed"), n)
		seen := make([]bool, n)
		for i := range n {
			at := p.at(i)
			if at >= n || seen[at] {
				t.Fatalf("place %d of %d is %d, out of range or taken", i, n, at)
			}
			seen[at] = true
		}
	})
}

// TestPermutationIsRandom counts, over many seeds, where the first element of ten goes, and how
// often neighbours of a large permutation are in ascending order.
func TestPermutationIsRandom(t *testing.T) {
	const seeds = 20_000
	for _, n := range []uint64{3, 5, 10, 40} {
		first, last := make([]float64, n), make([]float64, n)
		for seed := range uint64(seeds) {
			p := newPermutation(seed, n)
			first[p.at(0)]++
			last[p.at(n-1)]++
		}
		want := seeds / float64(n)
		for _, counts := range [][]float64{first, last} {
			chi2 := 0.0
			for _, c := range counts {
				chi2 += (c - want) * (c - want) / want
			}
			checkChiSquare(t, fmt.Sprintf("place of an element of %d", n), chi2, int(n-1))
		}
	}
	const size = 100_003
	p, ascents := newPermutation(7, size), 0
	for i := range uint64(size - 1) {
		if p.at(i) < p.at(i+1) {
			ascents++
		}
	}
	if z := (float64(ascents) - size/2) / math.Sqrt(size/12); math.Abs(z) > 5 {
		t.Errorf("%d of %d neighbours ascend (z = %.1f)", ascents, size-1, z)
	}
}

// TestSeedsAreApart makes seeds for all purposes out of the first seeds; no two are alike.
func TestSeedsAreApart(t *testing.T) {
	var all []uint64
	for seed := range uint64(1000) {
		for purpose := forKeys; purpose <= forRepeats; purpose++ {
			all = append(all, derive(seed, purpose))
		}
	}
	slices.Sort(all)
	if distinct := len(slices.Compact(slices.Clone(all))); distinct != len(all) {
		t.Errorf("%d of %d derived seeds are distinct", distinct, len(all))
	}
}
