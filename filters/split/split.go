// Package split is a standard Bloom filter whose bit array is cut into chunks, each an allocation of
// its own: for stores that bound the size of a value, and for heaps without room in one piece.
package split

import (
	"fmt"
	"io"
	"math"
	"math/bits"

	"filterlab/filters"
	"filterlab/filters/spec"
	"filterlab/filters/theory"
)

// A Filter is a Bloom filter in chunks. It cannot remove keys. Lookups may run at once as long as
// nothing is added.
type Filter struct {
	chunks [][]uint64 // 2^c bits each, but for the last
	m      uint64     // bits of all chunks, a multiple of 64
	shift  uint64     // word i of the uncut array is word i & mask of chunk i >> shift
	mask   uint64
	k      int // probes
	seed   uint64
}

var (
	_ filters.Filter    = (*Filter)(nil)
	_ filters.Batcher   = (*Filter)(nil)
	_ filters.Occupier  = (*Filter)(nil)
	_ filters.Predictor = (*Filter)(nil)
	_ io.WriterTo       = (*Filter)(nil)
	_ io.ReaderFrom     = (*Filter)(nil)
)

// Add sets the k bits of key and returns true.
func (f *Filter) Add(key []byte) bool {
	h := filters.Hash(key, f.seed)
	chunks, m, shift, mask := f.chunks, f.m, f.shift%64, f.mask // in registers; %64 spares a branch
	for range f.k {
		i := filters.Reduce(h, m)
		w := i / 64
		chunks[w>>shift][w&mask] |= 1 << (i % 64)
		h = filters.NextProbe(h)
	}
	return true
}

// Contains reports whether all k bits of key are set.
func (f *Filter) Contains(key []byte) bool {
	h := filters.Hash(key, f.seed)
	chunks, m, shift, mask := f.chunks, f.m, f.shift%64, f.mask
	for range f.k {
		i := filters.Reduce(h, m)
		w := i / 64
		if chunks[w>>shift][w&mask]&(1<<(i%64)) == 0 {
			return false
		}
		h = filters.NextProbe(h)
	}
	return true
}

// SizeBits returns m.
func (f *Filter) SizeBits() uint64 { return f.m }

// Occupancy returns the fill ratio, 0..1. It counts the bits: O(m).
func (f *Filter) Occupancy() float64 {
	ones := 0
	for _, chunk := range f.chunks {
		for _, w := range chunk {
			ones += bits.OnesCount64(w)
		}
	}
	return float64(ones) / float64(f.m)
}

// InstanceFPR returns (fill ratio)^k. It counts the bits: O(m).
func (f *Filter) InstanceFPR() float64 { return math.Pow(f.Occupancy(), float64(f.k)) }

// WriteTo writes the bits, chunk after chunk, so what it writes does not depend on where the array is
// cut; what New needs to build the filter again is the caller's to keep.
func (f *Filter) WriteTo(w io.Writer) (written int64, err error) {
	for _, chunk := range f.chunks {
		n, err := filters.WriteWords(w, chunk)
		written += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// ReadFrom takes over the bits of a filter built with the same parameters.
func (f *Filter) ReadFrom(r io.Reader) (read int64, err error) {
	for i, chunk := range f.chunks {
		n, err := filters.ReadWords(r, chunk)
		read += n
		if err != nil {
			return read, fmt.Errorf("chunk %d: %w", i, err)
		}
	}
	return read, nil
}

// Bits of a chunk, as powers of two: a word at least, the largest table at most.
const (
	leastChunk = 6
	mostChunk  = 40
)

// Variant describes the filter: split, with the knob c.
func Variant() filters.Variant {
	return filters.Variant{
		Name: "split",
		Doc:  "Bloom filter of our own whose bit array is cut into chunks; it answers as classic does",
		Knobs: []spec.Knob{
			spec.Whole("c", "bits of a chunk, as a power of two; 20: 128 KiB", "20", leastChunk, mostChunk),
		},
		Seeded: true, Concurrent: true,
		New:   newFilter,
		Model: model,
	}
}

func newFilter(p filters.Params) (filters.Filter, error) {
	words, k, err := shape(p)
	if err != nil {
		return nil, err
	}
	whole := uint64(1) << (p.Knobs.Uint("c") - leastChunk) // words
	f := &Filter{m: 64 * words, shift: p.Knobs.Uint("c") - leastChunk, mask: whole - 1, k: k, seed: p.Seed}
	for left := words; left > 0; left -= min(left, whole) {
		f.chunks = append(f.chunks, make([]uint64, min(left, whole)))
	}
	return f, nil
}

// shape returns the words of all chunks and the probes that p asks for, those of the uncut filter: m
// = n ln(1/p) / ln(2)^2 bits, rounded up to whole words, and k = log2(1/p) to the nearest whole
// number, 1..64.
func shape(p filters.Params) (words uint64, k int, err error) {
	if err := p.Check(); err != nil {
		return 0, 0, err
	}
	words, err = filters.TableWords(theory.SizeBloom(float64(p.N), p.P).Bits)
	return words, filters.Probes(p.P), err
}
