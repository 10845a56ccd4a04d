package peers

import (
	holiman "github.com/holiman/bloomfilter/v2"

	"filterlab/filters"
)

// A holimanFilter is the Bloom filter of holiman/bloomfilter. It takes 64-bit hashes; here it is
// given the seeded hash of our own filters, and its random keys are drawn from the seed.
type holimanFilter struct {
	table *holiman.Filter
	seed  uint64
}

var (
	_ filters.Filter   = holimanFilter{}
	_ filters.Occupier = holimanFilter{}
)

func (f holimanFilter) Add(key []byte) bool {
	f.table.AddHash(filters.Hash(key, f.seed))
	return true
}

func (f holimanFilter) Contains(key []byte) bool {
	return f.table.ContainsHash(filters.Hash(key, f.seed))
}

// SizeBits returns the bits of the whole 64-bit words that hold the m bits.
func (f holimanFilter) SizeBits() uint64 { return (f.table.M() + 63) / 64 * 64 }

// Occupancy returns the fill ratio. It counts the bits: O(m).
func (f holimanFilter) Occupancy() float64 { return f.table.PreciseFilledRatio() }

// Holiman describes the filter: holiman, without knobs.
func Holiman() filters.Variant {
	return filters.Variant{
		Name: "holiman",
		Doc: "standard Bloom filter of holiman/bloomfilter/v2, behind xxh3: takes hashes, not keys; a lock around every operation; " +
			"New draws random keys, here from the seed",
		Seeded: true, Concurrent: true,
		New: func(p filters.Params) (filters.Filter, error) {
			t, err := holimanTable(p)
			if err != nil {
				return nil, err
			}
			keys := make([]uint64, int(t.k))
			for i := range keys {
				keys[i] = filters.Mix(p.Seed + uint64(i))
			}
			f, err := holiman.NewWithKeys(uint64(t.m), keys)
			return holimanFilter{f, p.Seed}, err
		},
		Model: func(p filters.Params) (filters.Model, error) {
			t, err := holimanTable(p)
			return t.independent((uint64(t.m)+63)/64*64, "sizes as in holiman/bloomfilter v2.0.3, which rounds k up"), err
		},
	}
}

func holimanTable(p filters.Params) (table, error) {
	if err := checkSize(p); err != nil {
		return table{}, err
	}
	m := max(holiman.MMin, holiman.OptimalM(p.N, p.P))
	return table{float64(m), float64(holiman.OptimalK(m, p.N))}, nil
}
