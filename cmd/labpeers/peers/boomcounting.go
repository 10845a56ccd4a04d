package peers

import (
	"math"

	boom "github.com/tylertreat/BoomFilters"

	"filterlab/counting"
	"filterlab/filters"
)

// A boomCounting is the counting Bloom filter of BoomFilters, with 4 bits a counter.
//
// A counter stops at 15 and is decremented from there as from any other value, so a key added more
// than 15 times and removed 15 times is denied though it is still held.
type boomCounting struct{ table *boom.CountingBloomFilter }

var (
	_ filters.Filter  = boomCounting{}
	_ filters.Remover = boomCounting{}
)

func (f boomCounting) Add(key []byte) bool {
	f.table.Add(key)
	return true
}

func (f boomCounting) Contains(key []byte) bool { return f.table.Test(key) }

// Remove takes key out if all its counters are above 0 and reports whether they were.
func (f boomCounting) Remove(key []byte) bool { return f.table.TestAndRemove(key) }

// SizeBits returns the bits of the whole bytes that hold the counters.
func (f boomCounting) SizeBits() uint64 { return wholeBytes(4 * uint64(f.table.Capacity())) }

// maxBoomCounters is the most counters that work: the package writes at positions of 32 bits and
// reads at positions of 64, so beyond 2^32 bits members are denied.
const maxBoomCounters = 1 << 30

// BoomCounting describes the filter: boom-counting, without knobs.
func BoomCounting() filters.Variant {
	return filters.Variant{
		Name: "boom-counting",
		Doc: "counting Bloom filter of tylertreat/BoomFilters, 4 bits: counters are decremented after saturation, so a key added 20 times " +
			"and removed 15 times is denied; no more than 2^30 counters; " + boomHash,
		New: func(p filters.Params) (filters.Filter, error) {
			if _, err := boomCounters(p); err != nil {
				return nil, err
			}
			return boomCounting{boom.NewDefaultCountingBloomFilter(uint(p.N), p.P)}, nil
		},
		Model: boomCountingModel,
	}
}

func boomCounters(p filters.Params) (table, error) {
	t, err := boomTable(p)
	if err == nil && t.m > maxBoomCounters {
		err = tooMany("boom-counting", p.N, uint64(maxBoomCounters/t.m*float64(p.N)))
	}
	return t, err
}

// boomCountingModel takes the losses by wrong deletes from our own counting filter, asked for the
// same probes and, to 16, the same counters.
func boomCountingModel(p filters.Params) (filters.Model, error) {
	t, err := boomCounters(p)
	if err != nil {
		return filters.Model{}, err
	}
	m := t.doubleHashed(wholeBytes(4*uint64(t.m)), boomSource)
	m.Occupancy = nil
	bound, err := counting.Variant().Bind(nil)
	if err != nil {
		return m, err
	}
	own, err := bound.Model(bound.Params(max(1, uint64(t.m*math.Ln2/t.k)), math.Exp2(-t.k), 0))
	m.Lost, m.FPRAfter = own.Lost, own.FPRAfter
	return m, err
}
