package peers

import (
	"fmt"
	"math"
	"math/bits"

	boom "github.com/tylertreat/BoomFilters"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// A boomCuckoo is the cuckoo filter of BoomFilters. A fingerprint is a byte slice of its own, and
// there are 8 to 16 buckets a key, so a key takes a kilobyte and more. Removal is left out.
type boomCuckoo struct{ table *boom.CuckooFilter }

var (
	_ filters.Filter   = boomCuckoo{}
	_ filters.Occupier = boomCuckoo{}
)

// Add stores the fingerprint of key and reports whether it found a place.
func (f boomCuckoo) Add(key []byte) bool { return f.table.Add(key) == nil }

func (f boomCuckoo) Contains(key []byte) bool { return f.table.Test(key) }

// boomSlots is the number of slots of a bucket.
const boomSlots = 4

// SizeBits returns the bits of the buckets: a slice header each, and one for each of its slots.
func (f boomCuckoo) SizeBits() uint64 { return boomCuckooBits(uint64(f.table.Buckets())) }

func boomCuckooBits(buckets uint64) uint64 { return buckets * (1 + boomSlots) * 24 * 8 }

// Occupancy returns the load factor, slots used / slots.
func (f boomCuckoo) Occupancy() float64 {
	return float64(f.table.Count()) / float64(boomSlots*f.table.Buckets())
}

// maxBoomCuckoo is the most keys: they take 4 GB of buckets.
const maxBoomCuckoo = 1 << 22

// BoomCuckoo describes the filter: boom-cuckoo, without knobs.
func BoomCuckoo() filters.Variant {
	return filters.Variant{
		Name: "boom-cuckoo",
		Doc: "cuckoo filter of tylertreat/BoomFilters: 8 to 16 buckets a key and a slice for every slot, 7,700 to 15,400 bits a key; " +
			"fingerprints of a byte down to p = 2.5e-6; lookups allocate; one goroutine at a time even for lookups",
		New: func(p filters.Params) (filters.Filter, error) {
			if _, _, err := boomBuckets(p); err != nil {
				return nil, err
			}
			return boomCuckoo{boom.NewCuckooFilter(uint(p.N), p.P)}, nil
		},
		Model: func(p filters.Params) (filters.Model, error) {
			bytes, buckets, err := boomBuckets(p)
			if err != nil {
				return filters.Model{}, err
			}
			m := float64(buckets)
			fingerprints := min(math.Exp2(8*float64(bytes)), math.Exp2(32)/m)
			return filters.Model{
				Formula: "1-(1-2/(F M))^n, M buckets: the power of two from 8 n/f on; F = 256^f fingerprints of f bytes, 2^32/M at most",
				Source: "Fan, Andersen, Kaminsky & Mitzenmacher 2014; sizes as in tylertreat/BoomFilters, which takes bucket and " +
					"fingerprint from one hash of 32 bits",
				Bits:      boomCuckooBits(buckets),
				FPR:       func(n uint64) float64 { return theory.CuckooFPR(fingerprints, m, float64(n)) },
				SD:        func(n uint64) float64 { return theory.CuckooInstanceSD(fingerprints, m, float64(n)) },
				Occupancy: func(n uint64) float64 { return float64(n) / (boomSlots * m) },
			}, nil
		},
	}
}

// boomBuckets returns the bytes of a fingerprint and the buckets that the package chooses: one byte
// down to p = 2.5e-6.
func boomBuckets(p filters.Params) (bytes, buckets uint64, err error) {
	if err := checkSize(p); err != nil {
		return 0, 0, err
	}
	if p.N > maxBoomCuckoo {
		return 0, 0, tooMany("boom-cuckoo", p.N, maxBoomCuckoo)
	}
	bytes = max(1, uint64(math.Ceil(math.Log(2*boomSlots/p.P)))/8)
	if p.N < bytes {
		return 0, 0, fmt.Errorf("boom-cuckoo: n = %d at p = %g makes the package build no bucket at all: raise n", p.N, p.P)
	}
	return bytes, 1 << bits.Len64(8*(p.N/bytes)-1), nil
}
