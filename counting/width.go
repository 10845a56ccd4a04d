package counting

import (
	"sync/atomic"
)

// A width is the size of a counter: its length is the bits. So the loops over the probes of a key are
// compiled once for each, with constants for it. Counters lie in words of 64 bits, the first in the
// lowest bits.
type width interface{ nibble | octet }

type (
	nibble [4]struct{}
	octet  [8]struct{}
)

// ceilingOf returns the largest count, 15 or 255. A counter that gets there stays: nobody knows any
// more how many keys it counts.
func ceilingOf[W width]() uint64 {
	var w W
	return 1<<len(w) - 1
}

// wordOf returns the word of counter i.
func wordOf[W width](i uint64) uint64 {
	var w W
	return i / (64 / uint64(len(w)))
}

// shiftOf returns the lowest bit of counter i in its word.
func shiftOf[W width](i uint64) uint64 {
	var w W
	return i * uint64(len(w)) % 64
}

// get returns counter i from the word it is in.
func get[W width](word, i uint64) uint64 { return word >> shiftOf[W](i) & ceilingOf[W]() }

// upAtomic increments counter i, in that word, if it is below its ceiling, while others write to it.
func upAtomic[W width](word *uint64, i uint64) {
	for {
		old := atomic.LoadUint64(word)
		if get[W](old, i) == ceilingOf[W]() || atomic.CompareAndSwapUint64(word, old, old+1<<shiftOf[W](i)) {
			return
		}
	}
}

// downAtomic decrements counter i, in that word, if it is neither 0 nor at its ceiling, while others
// write to it.
func downAtomic[W width](word *uint64, i uint64) {
	for {
		old := atomic.LoadUint64(word)
		c := get[W](old, i)
		if c == 0 || c == ceilingOf[W]() || atomic.CompareAndSwapUint64(word, old, old-1<<shiftOf[W](i)) {
			return
		}
	}
}
