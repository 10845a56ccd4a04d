package peers

import (
	"math"

	"github.com/AndreasBriese/bbloom"
	"github.com/dgraph-io/ristretto/v2/z"

	"filterlab/filters"
)

// A bbloomFilter is the Bloom filter of AndreasBriese/bbloom, which hashes keys by SipHash with a
// fixed key.
type bbloomFilter struct {
	table *bbloom.Bloom
	bits  uint64
}

var _ filters.Filter = bbloomFilter{}

func (f bbloomFilter) Add(key []byte) bool {
	f.table.Add(key)
	return true
}

func (f bbloomFilter) Contains(key []byte) bool { return f.table.Has(key) }

// SizeBits returns m, a power of two and 512 or more.
func (f bbloomFilter) SizeBits() uint64 { return f.bits }

// A ristrettoFilter is the copy of bbloom in dgraph-io/ristretto. It takes 64-bit hashes; here it is
// given the seeded hash of our own filters, since the package's own is seeded anew in every process.
type ristrettoFilter struct {
	table *z.Bloom
	bits  uint64
	seed  uint64
}

var _ filters.Filter = ristrettoFilter{}

func (f ristrettoFilter) Add(key []byte) bool {
	f.table.Add(filters.Hash(key, f.seed))
	return true
}

func (f ristrettoFilter) Contains(key []byte) bool { return f.table.Has(filters.Hash(key, f.seed)) }

// SizeBits returns m, a power of two and 512 or more.
func (f ristrettoFilter) SizeBits() uint64 { return f.bits }

// powerOfTwo is the quirk that both share.
const powerOfTwo = "m rounded up to a power of two, k for the unrounded one, both steps from the same 64-bit hash: " +
	"at n = 50, p = 1e-4 the FPR is 12.8 times the target"

const bbloomSource = "sizes and hashing as in AndreasBriese/bbloom: k as for the size before rounding"

// BBloom describes the filter: bbloom, without knobs.
func BBloom() filters.Variant {
	return filters.Variant{
		Name:       "bbloom",
		Doc:        "standard Bloom filter of AndreasBriese/bbloom, SipHash with a fixed key; " + powerOfTwo,
		Concurrent: true,
		New: func(p filters.Params) (filters.Filter, error) {
			t, err := bbloomTable(p)
			if err != nil {
				return nil, err
			}
			f := bbloom.New(float64(p.N), p.P)
			return bbloomFilter{&f, uint64(t.m)}, nil
		},
		Model: bbloomModel,
	}
}

// Ristretto describes the filter: ristretto, without knobs.
func Ristretto() filters.Variant {
	return filters.Variant{
		Name: "ristretto",
		Doc: "standard Bloom filter of dgraph-io/ristretto/v2/z, behind xxh3: takes hashes, not keys: raw numbers below 2n, " +
			"half of them held, show 11 % at p = 1 %; " + powerOfTwo,
		Seeded: true, Concurrent: true,
		New: func(p filters.Params) (filters.Filter, error) {
			t, err := bbloomTable(p)
			if err != nil {
				return nil, err
			}
			return ristrettoFilter{z.NewBloomFilter(float64(p.N), p.P), uint64(t.m), p.Seed}, nil
		},
		Model: bbloomModel,
	}
}

// bbloomTable returns the bits and probes that both packages choose.
func bbloomTable(p filters.Params) (table, error) {
	if err := checkSize(p); err != nil {
		return table{}, err
	}
	const ln2 = 0.69314718056 // as the packages round it
	size := -float64(p.N) * math.Log(p.P) / (ln2 * ln2)
	m := 512.0
	for m < math.Floor(size) {
		m *= 2
	}
	return table{m, math.Ceil(ln2 * size / float64(p.N))}, nil
}

func bbloomModel(p filters.Params) (filters.Model, error) {
	t, err := bbloomTable(p)
	m := t.doubleHashed(uint64(t.m), bbloomSource)
	m.Occupancy = nil
	return m, err
}
