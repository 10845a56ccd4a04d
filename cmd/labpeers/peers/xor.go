package peers

import (
	"fmt"
	"math"

	"github.com/FastFilter/xorfilter"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// hashes is what the static filters gather until they are built.
type hashes struct {
	list    []uint64
	seed    uint64
	planned uint64
	built   uint64 // fingerprints of a byte, once sealed
	sealed  bool
}

// Add takes note of key's 64-bit hash and returns true, or false once the filter is sealed.
func (h *hashes) Add(key []byte) bool {
	if h.sealed {
		return false
	}
	h.list = append(h.list, filters.Hash(key, h.seed))
	return true
}

// A xor8 is the xor filter of FastFilter/xorfilter as it comes, behind a hash.
type xor8 struct {
	hashes
	table xorfilter.Xor8
}

// A xorFuse8 is the binary fuse filter of FastFilter/xorfilter as it comes, behind a hash: what the
// variant fuse is made of.
type xorFuse8 struct {
	hashes
	table xorfilter.BinaryFuse[uint8]
}

var (
	_ filters.Filter = (*xor8)(nil)
	_ filters.Sealer = (*xor8)(nil)
	_ filters.Filter = (*xorFuse8)(nil)
	_ filters.Sealer = (*xorFuse8)(nil)
)

// Contains reports whether the three slots of key combine to its fingerprint. Not before Seal: then it panics.
func (f *xor8) Contains(key []byte) bool { return f.table.Contains(filters.Hash(key, f.seed)) }

// Contains reports whether the three slots of key combine to its fingerprint. Not before Seal: then it panics.
func (f *xorFuse8) Contains(key []byte) bool { return f.table.Contains(filters.Hash(key, f.seed)) }

// Seal builds the filter from the keys added; a further Seal does nothing. Without a key it is an
// error of the package.
func (f *xor8) Seal() error {
	if f.sealed {
		return nil
	}
	table, err := xorfilter.Populate(f.list)
	if err != nil {
		return fmt.Errorf("xor8: building a table of %d keys: %w", len(f.list), err)
	}
	f.table, f.built, f.sealed, f.list = *table, uint64(len(table.Fingerprints)), true, nil
	return nil
}

// Seal builds the filter from the keys added; a further Seal does nothing.
func (f *xorFuse8) Seal() error {
	if f.sealed {
		return nil
	}
	table, err := xorfilter.NewBinaryFuse[uint8](f.list)
	if err != nil {
		return fmt.Errorf("xor-fuse8: building a table of %d keys: %w", len(f.list), err)
	}
	f.table, f.built, f.sealed, f.list = *table, uint64(len(table.Fingerprints)), true, nil
	return nil
}

// SizeBits returns 8 bits a slot: of the table once sealed, before that of the one planned.
func (f *xor8) SizeBits() uint64 {
	if f.sealed {
		return 8 * f.built
	}
	return 8 * theory.XorSlots(f.planned)
}

// SizeBits returns 8 bits a slot: of the table once sealed, before that of the one planned.
func (f *xorFuse8) SizeBits() uint64 {
	if f.sealed {
		return 8 * f.built
	}
	return 8 * theory.SizeFuse(f.planned, 3).Slots
}

// maxXorKeys is the most keys: the package counts slots in 32 bits.
const maxXorKeys = math.MaxUint32 / 2

// Xor8 describes the filter: xor8, without knobs.
func Xor8() filters.Variant {
	return xorVariant("xor8",
		"xor filter of FastFilter/xorfilter, behind xxh3: 9.84 bits a key, FPR 1/256 whatever p; built once; reorders the hashes it is given",
		theory.XorSlots,
		func(h hashes) filters.Filter { return &xor8{hashes: h} })
}

// XorFuse8 describes the filter: xor-fuse8, without knobs.
func XorFuse8() filters.Variant {
	return xorVariant("xor-fuse8",
		"binary fuse filter of FastFilter/xorfilter as it comes, behind xxh3: FPR 1/256 whatever p; built once; reorders the hashes it is given",
		func(n uint64) uint64 { return theory.SizeFuse(n, 3).Slots },
		func(h hashes) filters.Filter { return &xorFuse8{hashes: h} })
}

func xorVariant(name, doc string, slots func(uint64) uint64, build func(hashes) filters.Filter) filters.Variant {
	check := func(p filters.Params) error {
		if err := p.Check(); err != nil {
			return err
		}
		if p.N > maxXorKeys {
			return tooMany(name, p.N, maxXorKeys)
		}
		return nil
	}
	return filters.Variant{
		Name: name, Doc: doc, Seeded: true, Concurrent: true,
		New: func(p filters.Params) (filters.Filter, error) {
			if err := check(p); err != nil {
				return nil, err
			}
			return build(hashes{seed: p.Seed, planned: p.N}), nil
		},
		Model: func(p filters.Params) (filters.Model, error) {
			if err := check(p); err != nil {
				return filters.Model{}, err
			}
			return filters.Model{
				Formula: "2^-8",
				Source:  "Graf & Lemire 2020 and 2022; layout as FastFilter/xorfilter makes it",
				Bits:    8 * slots(p.N),
				FPR:     func(uint64) float64 { return theory.FingerprintFPR(8) },
				SD:      func(uint64) float64 { return 0 },
			}, nil
		},
	}
}
