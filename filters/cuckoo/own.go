package cuckoo

import (
	"encoding/binary"
	"io"
	"math/bits"

	"filterlab/filters"
)

// An Own filter is our own cuckoo filter: buckets of 4 slots, fingerprints of 8, 12 or 16 bits, any
// odd number of buckets.
//
// A key's two buckets add up to a hash of its fingerprint modulo their number, so that each follows
// from the other. Where both are full, Add searches breadth-first for the shortest chain of moves
// that frees a slot and only then moves anything; the one key for which there is none waits in the
// victim slot. So a refused key changes nothing; and as nothing is random, the same keys in the same
// order are accepted again. A key fits 8 times, 4 where its two buckets are one.
//
// Several goroutines may look up at once while nothing is added or removed.
type Own struct {
	table  []byte // bucket after bucket, and what is read beyond the last
	m      uint64 // buckets, odd
	seed   uint64
	lanes  lanes
	held   uint64 // keys, in the table and the victim slot
	victim spot   // fingerprint 0: none
	search search
}

var (
	_ filters.Filter    = (*Own)(nil)
	_ filters.Remover   = (*Own)(nil)
	_ filters.Occupier  = (*Own)(nil)
	_ filters.Predictor = (*Own)(nil)
	_ io.WriterTo       = (*Own)(nil)
	_ io.ReaderFrom     = (*Own)(nil)
)

// A spot is where a key may be stored: its fingerprint, 1..2^f-1, and its two buckets.
type spot struct{ fingerprint, first, second uint64 }

// capacity returns how many equal fingerprints find a slot there.
func (s spot) capacity() int {
	if s.first == s.second {
		return bucketSlots
	}
	return 2 * bucketSlots
}

// same reports whether two spots share fingerprint and buckets.
func (s spot) same(o spot) bool {
	return s.fingerprint == o.fingerprint && (s.first == o.first || s.first == o.second)
}

// locate returns the spot of a key by its hash. First bucket and fingerprint are the digits of the
// hash, taken as a fraction, in the mixed base m, 2^f-1: both uniform to one part in 2^64/(m 2^f), and
// independent.
func (f *Own) locate(hash uint64) spot {
	i, rest := bits.Mul64(hash, f.m)
	v, _ := bits.Mul64(rest, f.lanes.mask)
	v++
	return spot{v, i, f.other(v, i)}
}

// other returns the second bucket of fingerprint v, one of whose buckets is i. As m is odd, each
// fingerprint has exactly one bucket that is its own other.
func (f *Own) other(v, i uint64) uint64 {
	v *= 0x9e3779b97f4a7c15
	sum, _ := bits.Mul64((v^v>>32)*0xbf58476d1ce4e5b9, f.m)
	d, borrow := bits.Sub64(sum, i, 0) // a branch would be guessed wrong half the time
	return d + f.m&-borrow
}

// bucket returns the slots of bucket i in the low 4f bits; what is above belongs to others.
func (f *Own) bucket(i uint64) uint64 {
	at := i * f.lanes.bytes
	return binary.LittleEndian.Uint64(f.table[at : at+8])
}

func (f *Own) setBucket(i, word uint64) {
	at := i * f.lanes.bytes
	binary.LittleEndian.PutUint64(f.table[at:at+8], word)
}

// Contains reports whether one of key's two buckets, or the victim slot, holds its fingerprint.
func (f *Own) Contains(key []byte) bool {
	s := f.locate(filters.Hash(key, f.seed))
	pattern := s.fingerprint * f.lanes.ones
	x, y := f.bucket(s.first)^pattern, f.bucket(s.second)^pattern
	return f.lanes.eitherZero(x, y) || s.same(f.victim)
}

// Add stores the fingerprint of key and reports whether it found a place. A refused key leaves the
// filter as it was.
func (f *Own) Add(key []byte) bool {
	s := f.locate(filters.Hash(key, f.seed))
	// With a copy in the victim slot a free slot does not mean that there is room for another.
	if s.fingerprint == f.victim.fingerprint || !f.put(s) {
		if f.copies(s) >= s.capacity() {
			return false
		}
		if !f.place(s) {
			if f.victim.fingerprint != 0 {
				return false
			}
			f.victim = s
		}
	}
	f.held++
	return true
}

// Remove takes one copy of key's fingerprint out and reports whether there was one. Removing a key
// that was never added may take that of a member.
func (f *Own) Remove(key []byte) bool {
	s := f.locate(filters.Hash(key, f.seed))
	switch {
	case f.take(s.first, s.fingerprint) || f.take(s.second, s.fingerprint):
		if f.victim.fingerprint != 0 && f.place(f.victim) {
			f.victim = spot{}
		}
	case s.same(f.victim):
		f.victim = spot{}
	default:
		return false
	}
	f.held--
	return true
}

// take empties a slot of bucket i that holds fingerprint v, if there is one.
func (f *Own) take(i, v uint64) bool {
	word := f.bucket(i)
	at, ok := f.lanes.find(word, v)
	if ok {
		f.setBucket(i, word&^(f.lanes.mask<<at))
	}
	return ok
}

// put stores the fingerprint in a free slot of its two buckets, if there is one.
func (f *Own) put(s spot) bool {
	return f.putIn(s.first, s.fingerprint) || f.putIn(s.second, s.fingerprint)
}

func (f *Own) putIn(i, v uint64) bool {
	word := f.bucket(i)
	at, ok := f.lanes.find(word, 0)
	if ok {
		f.setBucket(i, word|v<<at)
	}
	return ok
}

// copies returns how many of the fingerprint the spot's buckets and the victim slot hold.
func (f *Own) copies(s spot) int {
	n := f.lanes.count(f.bucket(s.first), s.fingerprint)
	if s.first != s.second {
		n += f.lanes.count(f.bucket(s.second), s.fingerprint)
	}
	if s.same(f.victim) {
		n++
	}
	return n
}

// SizeBits returns 4f bits a bucket, and up to 32 bits that are read beyond the last. The working memory
// of Add is not part of it: 16 bytes a bucket, 17 KB at most.
func (f *Own) SizeBits() uint64 { return 8 * uint64(len(f.table)) }

// Occupancy returns the load factor, keys held / slots, 0..1. O(1).
func (f *Own) Occupancy() float64 {
	return min(1, float64(f.held)/float64(bucketSlots*f.m))
}

// InstanceFPR returns the share of pairs of fingerprint and bucket that answer maybe, 0..1. It looks
// at every slot.
func (f *Own) InstanceFPR() float64 {
	positive := 0
	for i := range f.m {
		word := f.bucket(i)
		for slot := range bucketSlots {
			v := f.lanes.at(word, slot)
			if v == 0 || f.lanes.foundBefore(word, slot, v) {
				continue
			}
			positive++ // (v, i) itself
			if _, both := f.lanes.find(f.bucket(f.other(v, i)), v); !both {
				positive++ // (v, other), whose second bucket is i
			}
		}
	}
	if s := f.victim; s.fingerprint != 0 && f.copies(s) == 1 {
		positive += s.capacity() / bucketSlots
	}
	return float64(positive) / (float64(f.lanes.mask) * float64(f.m))
}
