// Package blocked is our own blocked Bloom filter (Putze, Sanders & Singler 2007): every key has one
// block, so that a lookup waits for memory once. A block has 8 lanes, of 32 or 64 bits, and a key one
// bit in each.
//
// A hash of 64 bits is used in halves that share nothing: the upper one picks the block, the lower one
// the bits. Where the processor has AVX2 assembly finds and sets them, elsewhere Go code the same ones.
package blocked

import (
	"io"
	"math/bits"
	"sync/atomic"

	"filterlab/filters"
	"filterlab/filters/spec"
)

// A Filter is a blocked Bloom filter. It cannot remove keys. Lookups may run at once while nothing is
// added; where it was built to be shared, also while keys are added, by several goroutines.
type Filter struct {
	words  []uint64 // block after block
	blocks uint64   // at most maxBlocks
	size   uint64   // words of a block: splitWords or lineWords
	seed   uint64
	shared bool // Add is atomic
}

var (
	_ filters.Filter    = (*Filter)(nil)
	_ filters.Batcher   = (*Filter)(nil)
	_ filters.Occupier  = (*Filter)(nil)
	_ filters.Predictor = (*Filter)(nil)
	_ io.WriterTo       = (*Filter)(nil)
	_ io.ReaderFrom     = (*Filter)(nil)
)

// maxBlocks keeps the product in place below 2^64. The smallest block has 256 bits, so no table has
// more: the constant below it would be negative and not compile.
const (
	maxBlocks      = 1 << 32
	_         uint = maxBlocks - filters.MaxTableBits/(64*splitWords)
)

// place returns the first word of the block of hash h, which is block (upper half of h * blocks) / 2^32
// for any number of blocks, as in Parquet.
func (f *Filter) place(h uint64) uint64 { return (h >> 32) * f.blocks >> 32 * f.size }

// Add sets the 8 bits of key and returns true.
func (f *Filter) Add(key []byte) bool {
	h := filters.Hash(key, f.seed)
	switch {
	case f.shared:
		f.setAtomic(h)
	case useAVX2:
		setAVX2(f, h)
	default:
		f.set(h)
	}
	return true
}

// Contains reports whether all 8 bits of key are set.
func (f *Filter) Contains(key []byte) bool {
	h := filters.Hash(key, f.seed)
	if useAVX2 {
		return hasAVX2(f, h)
	}
	return f.has(h)
}

// SizeBits returns the bits of all blocks.
func (f *Filter) SizeBits() uint64 { return 64 * uint64(len(f.words)) }

// Occupancy returns the fill ratio, 0..1. It counts the bits: O(m).
func (f *Filter) Occupancy() float64 {
	ones := 0
	for i := range f.words {
		ones += bits.OnesCount64(atomic.LoadUint64(&f.words[i]))
	}
	return float64(ones) / float64(f.SizeBits())
}

// InstanceFPR returns the mean over the blocks of the product of the fill ratios of a block's lanes. It
// leaves out the absent keys that agree with a member in all 32 bits that choose theirs, which are
// 0.1 % of the false positives at p = 1e-6. It counts the bits: O(m).
func (f *Filter) InstanceFPR() float64 {
	sum, fpr := 0.0, 1.0
	for i := range f.words {
		w := atomic.LoadUint64(&f.words[i])
		if f.size == splitWords {
			fpr *= float64(bits.OnesCount32(uint32(w))) / 32 * float64(bits.OnesCount32(uint32(w>>32))) / 32
		} else {
			fpr *= float64(bits.OnesCount64(w)) / 64
		}
		if uint64(i)%f.size == f.size-1 {
			sum, fpr = sum+fpr, 1
		}
	}
	return sum / float64(f.blocks)
}

// WriteTo writes the bits; what New needs to build the filter again is the caller's to keep. Nothing
// may be added meanwhile.
func (f *Filter) WriteTo(w io.Writer) (int64, error) { return filters.WriteWords(w, f.words) }

// ReadFrom takes over the bits of a filter built with the same parameters.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) { return filters.ReadWords(r, f.words) }

// Variant describes the filter: blocked, with knobs layout and sync.
func Variant() filters.Variant {
	return filters.Variant{
		Name: "blocked",
		Doc:  "blocked Bloom filter of our own, one cache line a key",
		Knobs: []spec.Knob{
			spec.Choice("layout", "block of a key; split: 8 lanes of 32 bits as in Parquet files, line: 8 of 64 bits", "split", "line"),
			spec.Choice("sync", "atomic: keys may be added by several goroutines while others look up", "none", "atomic"),
		},
		Seeded: true, Concurrent: true,
		New: func(p filters.Params) (filters.Filter, error) {
			blocks, size, err := shape(p)
			if err != nil {
				return nil, err
			}
			return &Filter{make([]uint64, blocks*size), blocks, size, p.Seed, p.Knobs["sync"] == "atomic"}, nil
		},
		Model: model,
	}
}
