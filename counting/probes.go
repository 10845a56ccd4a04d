package counting

import (
	"math/bits"
	"sync/atomic"

	"filterlab/filters"
)

// add increments the counters of the key that starts there.
func add[W width](f *Filter, base, h uint64) {
	words, span := f.words, f.span // in registers, whatever is stored meanwhile
	if f.shared {
		for range f.k {
			i := base + filters.Reduce(h, span)
			upAtomic[W](&words[wordOf[W](i)], i)
			h = filters.NextProbe(h)
		}
		return
	}
	for range f.k {
		i := base + filters.Reduce(h, span)
		if w := &words[wordOf[W](i)]; get[W](*w, i) != ceilingOf[W]() {
			*w += 1 << shiftOf[W](i)
		}
		h = filters.NextProbe(h)
	}
}

// has reports whether none of the counters of the key that starts there is 0. It looks at two before
// it decides: for an absent key the waits for both overlap, and fewer branches are mispredicted.
//
// The loads are atomic for the sake of shared filters.
func has[W width](f *Filter, base, h uint64) bool {
	words, span, k := f.words, f.span, f.k
	for ; k > 1; k -= 2 {
		h2 := filters.NextProbe(h)
		i, i2 := base+filters.Reduce(h, span), base+filters.Reduce(h2, span)
		c := get[W](atomic.LoadUint64(&words[wordOf[W](i)]), i)
		c2 := get[W](atomic.LoadUint64(&words[wordOf[W](i2)]), i2)
		if c*c2 == 0 {
			return false
		}
		h = filters.NextProbe(h2)
	}
	i := base + filters.Reduce(h, span)
	return k == 0 || get[W](atomic.LoadUint64(&words[wordOf[W](i)]), i) != 0
}

// remove decrements the counters of the key that starts there if none of them is 0.
func remove[W width](f *Filter, base, h uint64) bool {
	if !has[W](f, base, h) {
		return false
	}
	for range f.k {
		i := base + filters.Reduce(h, f.span)
		w := &f.words[wordOf[W](i)]
		if f.shared {
			downAtomic[W](w, i)
		} else if c := get[W](*w, i); c != 0 && c != ceilingOf[W]() {
			*w -= 1 << shiftOf[W](i)
		}
		h = filters.NextProbe(h)
	}
	return true
}

// lowest returns the word with the lowest bit of each counter set.
func (f *Filter) lowest() uint64 {
	if f.bits == 4 {
		return 0x1111111111111111
	}
	return 0x0101010101010101
}

// nonzero returns how many counters of word are not 0.
func (f *Filter) nonzero(word uint64) int {
	for s := f.bits / 2; s > 0; s /= 2 {
		word |= word >> s
	}
	return bits.OnesCount64(word & f.lowest())
}

// stuck returns how many counters of word are at their ceiling.
func (f *Filter) stuck(word uint64) int {
	for s := f.bits / 2; s > 0; s /= 2 {
		word &= word >> s
	}
	return bits.OnesCount64(word & f.lowest())
}
