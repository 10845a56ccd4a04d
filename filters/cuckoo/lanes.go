package cuckoo

import "math/bits"

// Lanes are the four slots of a bucket as parts of one word, f bits each, slot 0 lowest. All four are
// compared at once (Lamport 1975, "Multiple byte processing with full-word instructions").
type lanes struct {
	bits  uint64 // f
	bytes uint64 // of a bucket, f/2
	mask  uint64 // of slot 0, 2^f-1
	ones  uint64 // lowest bit of each slot
	highs uint64 // highest bit of each slot
}

func newLanes(f uint64) lanes {
	ones := uint64(1) | 1<<f | 1<<(2*f) | 1<<(3*f)
	return lanes{f, f / 2, 1<<f - 1, ones, ones << (f - 1)}
}

// zeros returns the highest bit of each slot of word that is 0. Slots above such a one may be marked
// too when they are 1, since the subtraction borrows: whether there is any, and the lowest, are exact.
func (l *lanes) zeros(word uint64) uint64 { return (word - l.ones) &^ word & l.highs }

// eitherZero reports whether a slot of x or of y is 0.
func (l *lanes) eitherZero(x, y uint64) bool {
	return ((x-l.ones)&^x|(y-l.ones)&^y)&l.highs != 0
}

// find returns the position, in bits, of the lowest slot of word that holds v.
func (l *lanes) find(word, v uint64) (at int, ok bool) {
	z := l.zeros(word ^ v*l.ones)
	return bits.TrailingZeros64(z) - int(l.bits-1), z != 0
}

// at returns what a slot of word holds.
func (l *lanes) at(word uint64, slot int) uint64 { return word >> (uint64(slot) * l.bits) & l.mask }

// count returns how many slots of word hold v.
func (l *lanes) count(word, v uint64) (n int) {
	for slot := range bucketSlots {
		if l.at(word, slot) == v {
			n++
		}
	}
	return n
}

// foundBefore reports whether a slot of word below the one given holds v.
func (l *lanes) foundBefore(word uint64, slot int, v uint64) bool {
	at, _ := l.find(word, v)
	return at < slot*int(l.bits)
}
