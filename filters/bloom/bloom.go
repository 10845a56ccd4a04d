// Package bloom puts the standard Bloom filter of github.com/bits-and-blooms/bloom/v3 behind the
// filter interface.
package bloom

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	bab "github.com/bits-and-blooms/bloom/v3"

	"filterlab/filters"
)

// A Filter is a standard Bloom filter of the package. It cannot remove keys.
type Filter struct {
	table  *bab.BloomFilter
	hashes hashing
}

var (
	_ filters.Filter    = (*Filter)(nil)
	_ filters.Occupier  = (*Filter)(nil)
	_ filters.Predictor = (*Filter)(nil)
	_ io.WriterTo       = (*Filter)(nil)
	_ io.ReaderFrom     = (*Filter)(nil)
)

// Add sets the k bits of key and returns true.
func (f *Filter) Add(key []byte) bool {
	f.table.Add(key)
	return true
}

// Contains reports whether all k bits of key are set.
func (f *Filter) Contains(key []byte) bool { return f.table.Test(key) }

// SizeBits returns the bits of the whole 64-bit words that hold the m bits.
func (f *Filter) SizeBits() uint64 { return 64 * uint64(len(f.table.BitSet().Words())) }

// Occupancy returns the fill ratio, bits set / m, 0..1. It counts the bits: O(m).
func (f *Filter) Occupancy() float64 {
	return float64(f.table.BitSet().Count()) / float64(f.table.Cap())
}

// InstanceFPR returns (fill ratio)^k, raised by what the package's hashing adds. It counts the
// bits: O(m).
func (f *Filter) InstanceFPR() float64 { return f.hashes.instanceFPR(f.Occupancy()) }

// WriteTo writes m, k and the bits in the package's own format.
func (f *Filter) WriteTo(w io.Writer) (int64, error) { return f.table.WriteTo(w) }

// headerBytes is the length of what precedes the bits in the package's format: m, k and the length
// of the bitset, 8 bytes each in big-endian order.
const headerBytes = 24

// ReadFrom takes over the bits of a filter built with the same n and p; another m or k is an
// error, found before anything is allocated. On error the filter is left as it was.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) {
	var header [headerBytes]byte
	if n, err := io.ReadFull(r, header[:]); err != nil {
		return int64(n), fmt.Errorf("bloom: the header of %d bytes ends after %d: %w", headerBytes, n, err)
	}
	m, k := binary.BigEndian.Uint64(header[:]), binary.BigEndian.Uint64(header[8:])
	length := binary.BigEndian.Uint64(header[16:])
	if m != uint64(f.table.Cap()) || k != uint64(f.table.K()) || length != m {
		return headerBytes, fmt.Errorf("bloom: holds m = %d, k = %d and %d bits, but n and p ask for m = %d, k = %d",
			m, k, length, f.table.Cap(), f.table.K())
	}
	table := new(bab.BloomFilter)
	n, err := table.ReadFrom(io.MultiReader(bytes.NewReader(header[:]), r))
	if err != nil {
		return max(n, headerBytes), fmt.Errorf("bloom: the table of %d bits ends early: %w", m, err)
	}
	f.table = table
	return n, nil
}
