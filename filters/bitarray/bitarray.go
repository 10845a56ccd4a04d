// Package bitarray is the core that our standard Bloom filters share: m bits, of which a
// hashed key sets k.
package bitarray

import (
	"io"
	"math"
	"math/bits"

	"filterlab/filters"
)

// An Array is the bits of a standard Bloom filter, for keys that are hashed already. The probes
// of a hash are those of package filters: NextProbe and Reduce.
type Array struct {
	Words []uint64
	M     uint64 // bits, 64 a word
	K     int    // probes
}

var (
	_ io.WriterTo   = (*Array)(nil)
	_ io.ReaderFrom = (*Array)(nil)
)

// New returns an empty array of at least one word, with k probes.
func New(words uint64, k int) Array { return Array{make([]uint64, words), 64 * words, k} }

// Set sets the k bits of hash h and reports whether one of them was clear.
func (a *Array) Set(h uint64) (fresh bool) {
	words, m := a.Words, a.M
	var added uint64
	for range a.K {
		i := filters.Reduce(h, m)
		bit, w := uint64(1)<<(i%64), &words[i/64]
		added |= bit &^ *w // no branch: half the bits are set already
		*w |= bit
		h = filters.NextProbe(h)
	}
	return added != 0
}

// Has reports whether all k bits of hash h are set.
func (a *Array) Has(h uint64) bool {
	words, m := a.Words, a.M // in registers, whatever is stored meanwhile
	for range a.K {
		i := filters.Reduce(h, m)
		if words[i/64]&(1<<(i%64)) == 0 {
			return false
		}
		h = filters.NextProbe(h)
	}
	return true
}

// Ones returns how many bits are set. It counts them: O(m).
func (a *Array) Ones() (n uint64) {
	for _, w := range a.Words {
		n += uint64(bits.OnesCount64(w))
	}
	return n
}

// FPR returns (bits set / m)^k, which this array must show. It counts the bits: O(m).
func (a *Array) FPR() float64 { return math.Pow(float64(a.Ones())/float64(a.M), float64(a.K)) }

// Fill sets every bit, so that the array has all hashes.
func (a *Array) Fill() {
	for i := range a.Words {
		a.Words[i] = math.MaxUint64
	}
}

// WriteTo writes the bits alone.
func (a *Array) WriteTo(w io.Writer) (int64, error) { return filters.WriteWords(w, a.Words) }

// ReadFrom takes over the bits of an array of the same size.
func (a *Array) ReadFrom(r io.Reader) (int64, error) { return filters.ReadWords(r, a.Words) }
