package peers

import (
	"math"

	boom "github.com/tylertreat/BoomFilters"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// A boomPartitioned is the partitioned Bloom filter of BoomFilters.
type boomPartitioned struct {
	table *boom.PartitionedBloomFilter
	bits  uint64
}

var (
	_ filters.Filter   = boomPartitioned{}
	_ filters.Occupier = boomPartitioned{}
)

func (f boomPartitioned) Add(key []byte) bool {
	f.table.Add(key)
	return true
}

func (f boomPartitioned) Contains(key []byte) bool { return f.table.Test(key) }

// SizeBits returns the bits of the whole bytes of all slices.
func (f boomPartitioned) SizeBits() uint64 { return f.bits }

// Occupancy returns the mean fill ratio of the slices. It reads every bit: O(m).
func (f boomPartitioned) Occupancy() float64 { return f.table.FillRatio() }

// BoomPartitioned describes the filter: boom-partitioned, without knobs.
func BoomPartitioned() filters.Variant {
	return filters.Variant{
		Name: "boom-partitioned",
		Doc: "partitioned Bloom filter of tylertreat/BoomFilters; double hashing modulo one slice doubles the FPR at n = 50, p = 1 %; " +
			boomHash,
		New: func(p filters.Params) (filters.Filter, error) {
			s, err := boomSlicesOf(p)
			if err != nil {
				return nil, err
			}
			return boomPartitioned{boom.NewPartitionedBloomFilter(uint(p.N), p.P), s.bits()}, nil
		},
		Model: func(p filters.Params) (filters.Model, error) {
			s, err := boomSlicesOf(p)
			return s.model(), err
		},
	}
}

// boomSlices is k slices of s bits each.
type boomSlices struct{ s, k float64 }

func boomSlicesOf(p filters.Params) (boomSlices, error) {
	t, err := boomTable(p)
	return boomSlices{math.Ceil(t.m / t.k), t.k}, err
}

func (b boomSlices) bits() uint64 { return uint64(b.k) * wholeBytes(uint64(b.s)) }

func (b boomSlices) model() filters.Model {
	return filters.Model{
		Formula: "(1-(1-1/s)^n)^k + n/s^2 + ..., s bits a slice; n/s^2: keys with both steps equal",
		Source:  "Almeida et al. 2007; own derivation of what double hashing adds; " + boomSource,
		Bits:    b.bits(),
		K:       int(b.k),
		FPR:     func(n uint64) float64 { return b.fpr(float64(n)) },
		SD: func(n uint64) float64 {
			x := float64(n)
			return theory.PartitionedInstanceSD(b.s, b.k, x) + b.extra(x)/math.Sqrt(max(1, x))
		},
		Occupancy: func(n uint64) float64 { return theory.PartitionedFPR(b.s, 1, float64(n)) },
	}
}

func (b boomSlices) fpr(n float64) float64 {
	return min(1, theory.PartitionedFPR(b.s, b.k, n)+b.extra(n))
}

// extra returns what double hashing adds to the FPR of independent slices.
//
// A query differs from a held key by da and db modulo s, and meets it in the slices i with
// da + i db = 0: in all when both are 0, in those of one residue modulo d when db has order d, and
// otherwise in one at most. To first order in 1/s^2
//
//	n/s^2 sum over d|s, d < k of phi(d) sum over residues of [fill^(k-c) - fill^k - c (fill^(k-1)-fill^k)]
//	- n/s^2 (k (k-1) and more coincidences that independent slices would have)
//
// with c slices in the residue. The last term is that of c = 2 for every pair of slices.
func (b boomSlices) extra(n float64) float64 {
	if n <= 0 {
		return 0
	}
	fill := theory.PartitionedFPR(b.s, 1, n)
	full := math.Pow(fill, b.k)
	gain := func(c float64) float64 { // of meeting in c slices at once over meeting in c single ones
		return math.Pow(fill, b.k-c) - full - c*(math.Pow(fill, b.k-1)-full)
	}
	sum := 0.0
	for d := 1.0; d < b.k && d <= b.s; d++ {
		if math.Mod(b.s, d) != 0 {
			continue
		}
		for r := range int(d) {
			c := math.Ceil((b.k - float64(r)) / d)
			sum += float64(coprimes(int(d))) * gain(c)
		}
	}
	sum -= b.k * (b.k - 1) / 2 * gain(2)
	return max(0, min(1, n/(b.s*b.s)*sum))
}

// coprimes returns how many of 1..d share no factor with d.
func coprimes(d int) (count int) {
	for i := 1; i <= d; i++ {
		a, b := d, i
		for b > 0 {
			a, b = b, a%b
		}
		if a == 1 {
			count++
		}
	}
	return count
}
