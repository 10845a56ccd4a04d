// Package fuse puts the binary fuse filters (Graf & Lemire 2022) of github.com/FastFilter/xorfilter
// behind the filter interface: the smallest filters here, built once from all their keys.
package fuse

import (
	"fmt"
	"io"
	"math/bits"
	"slices"

	"github.com/FastFilter/xorfilter"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// fingerprint is what the package stores a key as.
type fingerprint interface{ uint8 | uint16 }

// A Filter8 is a binary fuse filter with fingerprints of 8 bits.
//
// Add only takes note of the key's 64-bit hash. Seal sorts the hashes, drops the copies among them, and
// builds the table, which does not depend on the order of the Adds. Until then Contains says maybe to
// everything; from then on Add refuses every key, and a further Seal does nothing.
//
// Several goroutines may look up at once once the filter is sealed.
type Filter8 struct{ builder[uint8] }

// A Filter16 is a binary fuse filter with fingerprints of 16 bits, otherwise as a Filter8.
type Filter16 struct{ builder[uint16] }

var (
	_ filters.Filter    = (*Filter8)(nil)
	_ filters.Sealer    = (*Filter8)(nil)
	_ filters.Predictor = (*Filter8)(nil)
	_ io.WriterTo       = (*Filter8)(nil)
	_ io.ReaderFrom     = (*Filter8)(nil)
	_ filters.Filter    = (*Filter16)(nil)
	_ filters.Sealer    = (*Filter16)(nil)
	_ filters.Predictor = (*Filter16)(nil)
	_ io.WriterTo       = (*Filter16)(nil)
	_ io.ReaderFrom     = (*Filter16)(nil)
)

// Contains reports whether the three slots of key combine to its fingerprint; true before Seal. It is
// no method of builder, where it would be called by way of type parameters, for a tenth more and up.
func (f *Filter8) Contains(key []byte) bool {
	return !f.sealed || f.table.Contains(filters.Hash(key, f.seed))
}

// Contains reports whether the three slots of key combine to its fingerprint; true before Seal.
func (f *Filter16) Contains(key []byte) bool {
	return !f.sealed || f.table.Contains(filters.Hash(key, f.seed))
}

// A builder is a filter but for the lookup.
type builder[T fingerprint] struct {
	table   xorfilter.BinaryFuse[T]
	sealed  bool
	seed    uint64
	planned uint64   // keys the filter was asked for
	keys    uint64   // different keys held, once sealed
	hashes  []uint64 // until sealed
}

// Add takes note of key for Seal and returns true, or false once the filter is sealed.
func (f *builder[T]) Add(key []byte) bool {
	if f.sealed {
		return false
	}
	f.hashes = append(f.hashes, filters.Hash(key, f.seed))
	return true
}

// Seal builds the filter from the keys added. More of them than a table can hold are an error.
func (f *builder[T]) Seal() error {
	if f.sealed {
		return nil
	}
	slices.Sort(f.hashes)
	f.hashes = slices.Compact(f.hashes)
	keys := uint64(len(f.hashes))
	if err := f.layout(keys).check(); err != nil {
		return err
	}
	table, err := xorfilter.NewBinaryFuse[T](f.hashes)
	if err != nil {
		return fmt.Errorf("fuse: building a table of %d keys: %w", keys, err)
	}
	f.table, f.keys, f.sealed, f.hashes = *table, keys, true, nil
	return nil
}

// SizeBits returns f bits a slot: of the table once sealed, before that of the one planned.
func (f *builder[T]) SizeBits() uint64 {
	if f.sealed {
		return f.layout(f.keys).bits()
	}
	return f.layout(f.planned).bits()
}

// InstanceFPR returns 2^-f, the same for every table, and 1 before Seal.
func (f *builder[T]) InstanceFPR() float64 {
	if !f.sealed {
		return 1
	}
	return theory.FingerprintFPR(float64(width[T]()))
}

// width returns the bits of a fingerprint.
func width[T fingerprint]() uint64 { return uint64(bits.Len64(uint64(^T(0)))) }

func (f *builder[T]) layout(keys uint64) layout { return layout{theory.SizeFuse(keys, 3), width[T]()} }
