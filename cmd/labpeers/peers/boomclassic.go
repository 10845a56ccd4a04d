package peers

import (
	boom "github.com/tylertreat/BoomFilters"

	"filterlab/filters"
)

// boomSource says where the sizes and hashes of BoomFilters come from.
const boomSource = "sizes and hashing as in tylertreat/BoomFilters, which rounds k up and cuts one FNV-1 hash into two of 32 bits"

// boomHash is the quirk that all filters of BoomFilters share.
const boomHash = "FNV-1 hash: on counters as 4 or 8 bytes the FPR is 0.2 to 3.7 times the formula's; one goroutine at a time even for lookups"

// A boomClassic is the standard Bloom filter of BoomFilters. Lookups share one hash state, so not
// even they may run at once.
type boomClassic struct{ table *boom.BloomFilter }

var (
	_ filters.Filter   = boomClassic{}
	_ filters.Occupier = boomClassic{}
)

func (f boomClassic) Add(key []byte) bool {
	f.table.Add(key)
	return true
}

func (f boomClassic) Contains(key []byte) bool { return f.table.Test(key) }

// SizeBits returns the bits of the whole bytes that hold the m bits.
func (f boomClassic) SizeBits() uint64 { return wholeBytes(uint64(f.table.Capacity())) }

// Occupancy returns the fill ratio. It reads every bit: O(m).
func (f boomClassic) Occupancy() float64 { return f.table.FillRatio() }

// wholeBytes rounds bits up to whole bytes.
func wholeBytes(bits uint64) uint64 { return (bits + 7) / 8 * 8 }

// BoomClassic describes the filter: boom-classic, without knobs.
func BoomClassic() filters.Variant {
	return filters.Variant{
		Name: "boom-classic",
		Doc:  "standard Bloom filter of tylertreat/BoomFilters; " + boomHash,
		New: func(p filters.Params) (filters.Filter, error) {
			if err := checkSize(p); err != nil {
				return nil, err
			}
			return boomClassic{boom.NewBloomFilter(uint(p.N), p.P)}, nil
		},
		Model: func(p filters.Params) (filters.Model, error) {
			t, err := boomTable(p)
			return t.doubleHashed(wholeBytes(uint64(t.m)), boomSource), err
		},
	}
}

// boomTable returns the bits and probes that BoomFilters chooses.
func boomTable(p filters.Params) (table, error) {
	if err := checkSize(p); err != nil {
		return table{}, err
	}
	return table{float64(boom.OptimalM(uint(p.N), p.P)), float64(boom.OptimalK(p.P))}, nil
}
