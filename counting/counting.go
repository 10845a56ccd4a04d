// Package counting is a counting Bloom filter with 4-bit counters (Fan, Cao, Almeida & Broder
// 2000): a Bloom filter that can remove keys, at four times the size.
package counting

import (
	"fmt"
	"io"
	"math"
	"math/bits"

	"filterlab/filters"
)

const (
	perWord = 16 // counters a word
	most    = 15 // a counter that gets here stays: nobody knows any more how many keys it counts
	lowBits = 0x1111111111111111
)

// A Filter is a counting Bloom filter. The same key added twice must be removed twice.
type Filter struct {
	words []uint64
	m     uint64 // counters, a multiple of 16
	k     int    // probes
	seed  uint64
}

var (
	_ filters.Filter    = (*Filter)(nil)
	_ filters.Remover   = (*Filter)(nil)
	_ filters.Occupier  = (*Filter)(nil)
	_ filters.Predictor = (*Filter)(nil)
	_ filters.Noter     = (*Filter)(nil)
	_ io.WriterTo       = (*Filter)(nil)
	_ io.ReaderFrom     = (*Filter)(nil)
)

// New returns an empty filter of at least m counters, rounded up to a multiple of 16, and k hash
// functions, 1..64.
func New(m uint64, k int, seed uint64) (*Filter, error) {
	if m == 0 || k < 1 || k > filters.MaxProbes {
		return nil, fmt.Errorf("m = %d counters and k = %d hash functions: m must be at least 1 and k 1..%d", m, k, filters.MaxProbes)
	}
	words, err := filters.TableWords(4 * float64(m))
	if err != nil {
		return nil, err
	}
	return &Filter{make([]uint64, words), perWord * words, k, seed}, nil
}

// Add increments the k counters of key, those below 15, and returns true.
func (f *Filter) Add(key []byte) bool {
	h := filters.Hash(key, f.seed)
	for range f.k {
		i := filters.Reduce(h, f.m)
		w, shift := &f.words[i/perWord], i%perWord*4
		if *w>>shift&most != most {
			*w += 1 << shift
		}
		h = filters.NextProbe(h)
	}
	return true
}

// Contains reports whether none of the k counters of key is 0.
func (f *Filter) Contains(key []byte) bool {
	h := filters.Hash(key, f.seed)
	for range f.k {
		i := filters.Reduce(h, f.m)
		if f.words[i/perWord]>>(i%perWord*4)&most == 0 {
			return false
		}
		h = filters.NextProbe(h)
	}
	return true
}

// Remove decrements the k counters of key if none of them is 0, and reports whether it did. A
// counter that a key meets twice is counted down twice, as it was counted up, and one at 15
// stays. Removing a key that was never added may take members with it.
func (f *Filter) Remove(key []byte) bool {
	if !f.Contains(key) {
		return false
	}
	h := filters.Hash(key, f.seed)
	for range f.k {
		i := filters.Reduce(h, f.m)
		w, shift := &f.words[i/perWord], i%perWord*4
		if c := *w >> shift & most; c != 0 && c != most {
			*w -= 1 << shift
		}
		h = filters.NextProbe(h)
	}
	return true
}

// SizeBits returns 4m.
func (f *Filter) SizeBits() uint64 { return 4 * f.m }

// Occupancy returns the share of counters that are not 0, 0..1. It counts them: O(m).
func (f *Filter) Occupancy() float64 {
	n := 0
	for _, w := range f.words {
		w |= w >> 2
		n += bits.OnesCount64((w | w>>1) & lowBits)
	}
	return float64(n) / float64(f.m)
}

// InstanceFPR returns Occupancy^k. It counts the counters: O(m).
func (f *Filter) InstanceFPR() float64 { return math.Pow(f.Occupancy(), float64(f.k)) }

// Saturated returns the number of counters at 15, which are never decremented again.
func (f *Filter) Saturated() (n uint64) {
	for _, w := range f.words {
		w &= w >> 2
		n += uint64(bits.OnesCount64(w & (w >> 1) & lowBits))
	}
	return n
}

// Notes tells of saturated counters.
func (f *Filter) Notes() []string {
	n := f.Saturated()
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d counters are stuck at %d: removed keys leave them behind, so the FPR does not fall all the way back", n, f.m, most)}
}

// WriteTo writes the counters; what New needs to build the filter again is the caller's to keep.
func (f *Filter) WriteTo(w io.Writer) (int64, error) { return filters.WriteWords(w, f.words) }

// ReadFrom takes over the counters of a filter built with the same m, k and seed.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) { return filters.ReadWords(r, f.words) }

// Variant describes the filter: counting, without knobs.
func Variant() filters.Variant {
	return filters.Variant{
		Name:       "counting",
		Doc:        "counting Bloom filter of our own: 4-bit counters, sticky at 15",
		Seeded:     true,
		Concurrent: true,
		New: func(p filters.Params) (filters.Filter, error) {
			m, k, err := shape(p)
			if err != nil {
				return nil, err
			}
			return New(m, k, p.Seed)
		},
		Model: model,
	}
}
