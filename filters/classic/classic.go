// Package classic is our own standard Bloom filter (Bloom 1970): m bits, of which every key sets k.
package classic

import (
	"io"
	"math/bits"

	"filterlab/filters"
	"filterlab/filters/bitarray"
	"filterlab/filters/spec"
	"filterlab/filters/theory"
)

// A Filter is a standard Bloom filter. It cannot remove keys.
type Filter struct {
	bits bitarray.Array
	seed uint64
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
	f.bits.Set(filters.Hash(key, f.seed))
	return true
}

// Contains reports whether all k bits of key are set.
func (f *Filter) Contains(key []byte) bool { return f.bits.Has(filters.Hash(key, f.seed)) }

// SizeBits returns m.
func (f *Filter) SizeBits() uint64 { return f.bits.M }

// Occupancy returns the fill ratio, 0..1. It counts the bits: O(m).
func (f *Filter) Occupancy() float64 { return float64(f.bits.Ones()) / float64(f.bits.M) }

// InstanceFPR returns (fill ratio)^k. It counts the bits: O(m).
func (f *Filter) InstanceFPR() float64 { return f.bits.FPR() }

// WriteTo writes the bits; what New needs to build the filter again is the caller's to keep.
func (f *Filter) WriteTo(w io.Writer) (int64, error) { return f.bits.WriteTo(w) }

// ReadFrom takes over the bits of a filter built with the same parameters.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) { return f.bits.ReadFrom(r) }

// A Clearing filter is a Filter that removes a key by clearing its bits, which other keys share:
// it is there to show the harm, not to be used.
type Clearing struct{ Filter }

var _ filters.Remover = (*Clearing)(nil)

// Remove clears the k bits of key if all of them are set, and reports whether they were. Members
// that share one of the bits are lost.
func (f *Clearing) Remove(key []byte) bool {
	if !f.Contains(key) {
		return false
	}
	h := filters.Hash(key, f.seed)
	for range f.bits.K {
		i := filters.Reduce(h, f.bits.M)
		f.bits.Words[i/64] &^= 1 << (i % 64)
		h = filters.NextProbe(h)
	}
	return true
}

// Ranges counts the bits set in so many ranges of the table, in order and of equal size but for one
// word: bits in each, and ones among them; fewer ranges where the table has fewer words. O(m).
func (f *Filter) Ranges(count int) (bits, ones []uint64) {
	n := min(count, len(f.bits.Words))
	bits, ones = make([]uint64, n), make([]uint64, n)
	for i := range n {
		part := f.bits.Words[i*len(f.bits.Words)/n : (i+1)*len(f.bits.Words)/n]
		bits[i], ones[i] = 64*uint64(len(part)), countOnes(part)
	}
	return bits, ones
}

func countOnes(words []uint64) (ones uint64) {
	for _, w := range words {
		ones += uint64(bits.OnesCount64(w))
	}
	return ones
}

// Variant describes the filter: classic, with knobs k, delete and hash.
func Variant() filters.Variant {
	return filters.Variant{
		Name: "classic",
		Doc:  "standard Bloom filter of our own, the workbench for experiments",
		Knobs: []spec.Knob{
			spec.Whole("k", "hash functions; 0: the whole number nearest to log2(1/p)", "0", 0, filters.MaxProbes),
			spec.Choice("delete", "what Remove does; clear: clear the bits that other keys share, to show the harm", "none", "clear"),
			hashKnob(),
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
	f := Filter{bitarray.New(words, k), p.Seed}
	clears := p.Knobs["delete"] == "clear"
	if s, weak := schemeOf(p.Knobs["hash"]); weak {
		w := Weak{f, s, s.start(p.Seed)}
		if clears {
			return &ClearingWeak{w}, nil
		}
		return &w, nil
	}
	if clears {
		return &Clearing{f}, nil
	}
	return &f, nil
}

// shape returns the words and probes that p asks for: m = n ln(1/p) / ln(2)^2 bits, rounded up to
// whole words, whatever k is; k = log2(1/p) to the nearest whole number, 1..64.
func shape(p filters.Params) (words uint64, k int, err error) {
	if err := p.Check(); err != nil {
		return 0, 0, err
	}
	if words, err = filters.TableWords(theory.SizeBloom(float64(p.N), p.P).Bits); err != nil {
		return 0, 0, err
	}
	k = int(p.Knobs.Uint("k"))
	if k == 0 {
		k = filters.Probes(p.P)
	}
	return words, k, nil
}
