// Package partitioned is our own partitioned Bloom filter: k slices of s bits, in each of which a
// key sets one bit (Almeida et al. 2007). Its FPR has an exact closed form.
package partitioned

import (
	"io"
	"math"
	"math/bits"

	"filterlab/filters"
)

// A Filter is a partitioned Bloom filter. It cannot remove keys.
type Filter struct {
	words []uint64 // slice after slice
	slice uint64   // words of a slice
	s     uint64   // bits of a slice, 64 * slice
	seed  uint64
}

var (
	_ filters.Filter    = (*Filter)(nil)
	_ filters.Occupier  = (*Filter)(nil)
	_ filters.Predictor = (*Filter)(nil)
	_ io.WriterTo       = (*Filter)(nil)
	_ io.ReaderFrom     = (*Filter)(nil)
)

// Add sets the bit of key in every slice and returns true.
func (f *Filter) Add(key []byte) bool {
	h := filters.Hash(key, f.seed)
	for rest := f.words; len(rest) > 0; rest = rest[f.slice:] {
		i := filters.Reduce(h, f.s)
		rest[i/64] |= 1 << (i % 64)
		h = filters.NextProbe(h)
	}
	return true
}

// Contains reports whether the bit of key is set in every slice.
func (f *Filter) Contains(key []byte) bool {
	h := filters.Hash(key, f.seed)
	for rest := f.words; len(rest) > 0; rest = rest[f.slice:] {
		i := filters.Reduce(h, f.s)
		if rest[i/64]&(1<<(i%64)) == 0 {
			return false
		}
		h = filters.NextProbe(h)
	}
	return true
}

// SizeBits returns ks.
func (f *Filter) SizeBits() uint64 { return 64 * uint64(len(f.words)) }

// Occupancy returns the fill ratio over all slices, 0..1. It counts the bits: O(ks).
func (f *Filter) Occupancy() float64 {
	return float64(ones(f.words)) / float64(f.SizeBits())
}

// InstanceFPR returns the product of the fill ratios of the slices. It counts the bits: O(ks).
func (f *Filter) InstanceFPR() float64 {
	fpr := 1.0
	for rest := f.words; len(rest) > 0; rest = rest[f.slice:] {
		fpr *= float64(ones(rest[:f.slice])) / float64(f.s)
	}
	return fpr
}

func ones(words []uint64) (n int) {
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}

// WriteTo writes the bits; what New needs to build the filter again is the caller's to keep.
func (f *Filter) WriteTo(w io.Writer) (int64, error) { return filters.WriteWords(w, f.words) }

// ReadFrom takes over the bits of a filter built with the same parameters.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) { return filters.ReadWords(r, f.words) }

// Variant describes the filter: partitioned, without knobs.
func Variant() filters.Variant {
	return filters.Variant{
		Name:       "partitioned",
		Doc:        "Bloom filter of our own in k slices, one bit a key in each",
		Seeded:     true,
		Concurrent: true,
		New: func(p filters.Params) (filters.Filter, error) {
			slice, k, err := shape(p)
			if err != nil {
				return nil, err
			}
			return &Filter{make([]uint64, slice*uint64(k)), slice, 64 * slice, p.Seed}, nil
		},
		Model: model,
	}
}

// shape returns the words of a slice and the number of slices that p asks for: k = log2(1/p) to the
// nearest whole number, and s the smallest whole number of words that meets p at n keys,
//
//	(1-(1-1/s)^n)^k <= p   where   s >= 1 / (1-(1-p^(1/k))^(1/n))
func shape(p filters.Params) (slice uint64, k int, err error) {
	if err := p.Check(); err != nil {
		return 0, 0, err
	}
	k = filters.Probes(p.P)
	s := -1 / math.Expm1(math.Log1p(-math.Pow(p.P, 1/float64(k)))/float64(p.N))
	if _, err := filters.TableWords(s * float64(k)); err != nil {
		return 0, 0, err
	}
	slice, err = filters.TableWords(s)
	return slice, k, err
}
