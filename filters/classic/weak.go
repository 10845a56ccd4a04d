package classic

import (
	"io"

	"filterlab/filters"
)

// A Weak filter is a Filter with one of the hashes under test, and so no longer what its model
// says on every shape of keys.
type Weak struct {
	Filter
	scheme scheme
	start  uint64 // the seed as the scheme wants it
}

var (
	_ filters.Filter    = (*Weak)(nil)
	_ filters.Occupier  = (*Weak)(nil)
	_ filters.Predictor = (*Weak)(nil)
	_ io.WriterTo       = (*Weak)(nil)
	_ io.ReaderFrom     = (*Weak)(nil)
)

// Add sets the k bits of key and returns true.
func (f *Weak) Add(key []byte) bool {
	a, b := f.scheme.hash(key, f.start)
	for i := range uint64(f.bits.K) {
		x := f.scheme.place(key, a, b, i, f.bits.M)
		f.bits.Words[x/64] |= 1 << (x % 64)
	}
	return true
}

// Contains reports whether all k bits of key are set.
func (f *Weak) Contains(key []byte) bool {
	a, b := f.scheme.hash(key, f.start)
	for i := range uint64(f.bits.K) {
		x := f.scheme.place(key, a, b, i, f.bits.M)
		if f.bits.Words[x/64]&(1<<(x%64)) == 0 {
			return false
		}
	}
	return true
}

// A ClearingWeak filter is a Weak filter that removes a key as a Clearing filter does.
type ClearingWeak struct{ Weak }

var _ filters.Remover = (*ClearingWeak)(nil)

// Remove clears the k bits of key if all of them are set, and reports whether they were. Members
// that share one of the bits are lost.
func (f *ClearingWeak) Remove(key []byte) bool {
	if !f.Contains(key) {
		return false
	}
	a, b := f.scheme.hash(key, f.start)
	for i := range uint64(f.bits.K) {
		x := f.scheme.place(key, a, b, i, f.bits.M)
		f.bits.Words[x/64] &^= 1 << (x % 64)
	}
	return true
}
