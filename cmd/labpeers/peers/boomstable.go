package peers

import (
	"fmt"
	"math"

	boom "github.com/tylertreat/BoomFilters"

	"filterlab/filters"
)

// A boomStable is the stable Bloom filter of BoomFilters, with 1 bit a cell and as many cells as a
// Bloom filter has bits: every Add clears cells elsewhere, so that it forgets old keys on purpose.
type boomStable struct {
	table *boom.StableBloomFilter
	state stableState
	adds  uint64
}

var (
	_ filters.Filter = (*boomStable)(nil)
	_ filters.Loser  = (*boomStable)(nil)
	_ filters.Noter  = (*boomStable)(nil)
)

func (f *boomStable) Add(key []byte) bool {
	f.table.Add(key)
	f.adds++
	return true
}

func (f *boomStable) Contains(key []byte) bool { return f.table.Test(key) }

// SizeBits returns the bits of the whole bytes that hold the cells.
func (f *boomStable) SizeBits() uint64 { return wholeBytes(uint64(f.table.Cells())) }

// Lost returns the expected number of added keys that answer no, for distinct keys.
func (f *boomStable) Lost() (keys float64, why string) {
	if f.adds < 2 {
		return 0, ""
	}
	return f.state.lost(float64(f.adds)), "a stable filter clears cells at every Add and forgets old keys"
}

// Notes says that the filter does not reproduce.
func (f *boomStable) Notes() []string {
	return []string{"boom-stable: the package clears cells by the global random source: these counts do not reproduce"}
}

// BoomStable describes the filter: boom-stable, without knobs.
func BoomStable() filters.Variant {
	return filters.Variant{
		Name: "boom-stable",
		Doc: "stable Bloom filter of tylertreat/BoomFilters: forgets old keys on purpose, 67 % of n keys at the size of a Bloom filter for n; " +
			"its FPR settles at 1.23 % for p = 1 %; " + boomHash,
		New: func(p filters.Params) (filters.Filter, error) {
			t, err := boomTable(p)
			if err != nil {
				return nil, err
			}
			f := boom.NewDefaultStableBloomFilter(uint(t.m), p.P)
			return &boomStable{table: f, state: stableStateOf(t.m, p.P)}, nil
		},
		Model: func(p filters.Params) (filters.Model, error) {
			t, err := boomTable(p)
			if err != nil {
				return filters.Model{}, err
			}
			s := stableStateOf(t.m, p.P)
			return filters.Model{
				Formula: fmt.Sprintf("x^k, x = x1 (1-r^n) the share of cells set, x1 = %.3g", s.settled),
				Source:  "Deng & Rafiei 2006, with the whole numbers of tylertreat/BoomFilters",
				Bits:    wholeBytes(uint64(t.m)),
				FPR:     func(n uint64) float64 { return math.Pow(s.set(0, float64(n)), s.k) },
				SD:      func(n uint64) float64 { return s.sd(float64(n)) },
			}, nil
		},
	}
}

// A stableState is how a cell moves: each Add clears it with probability P/m and then sets it with
// probability s = 1-(1-1/m)^k, so the chance x that it is set follows x' = r x + s with
// r = (1-P/m)(1-s), and settles at s/(1-r).
type stableState struct{ m, k, r, settled float64 }

// stableStateOf returns the state for m cells and target FPR p, with the k and P that the package
// chooses: both whole, rounded down.
func stableStateOf(m, p float64) stableState {
	k := min(m, max(1, float64(boom.OptimalK(p)/2)))
	gone := 1/(1-math.Pow(p, 1/k)) - 1
	cleared := max(1, math.Floor(1/(gone*(1/k-1/m))))
	set := -math.Expm1(k * math.Log1p(-1/m))
	r := max(0, 1-cleared/m) * (1 - set)
	return stableState{m, k, r, set / (1 - r)}
}

// set returns the chance that a cell is set some Adds after it was set with chance x.
func (s stableState) set(x, adds float64) float64 {
	return s.settled + (x-s.settled)*math.Pow(s.r, adds)
}

// sd returns the standard deviation of the FPR between instances, for cells that are set or not
// independently of each other.
func (s stableState) sd(adds float64) float64 {
	x := s.set(0, adds)
	return s.k * math.Pow(x, s.k-1) * math.Sqrt(x*(1-x)/s.m)
}

// lost returns the sum over ages a = 0..n-1 of 1-x(a)^k, x(0) = 1, expanded in powers of r^a.
func (s stableState) lost(n float64) float64 {
	kept, choose := 0.0, 1.0
	for j := 0.0; j <= s.k; j++ {
		ages := n
		if j > 0 {
			ages = (1 - math.Pow(s.r, j*n)) / (1 - math.Pow(s.r, j))
		}
		kept += choose * math.Pow(s.settled, s.k-j) * math.Pow(1-s.settled, j) * ages
		choose *= (s.k - j) / (j + 1)
	}
	return n - kept
}
