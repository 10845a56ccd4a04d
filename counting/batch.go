package counting

import (
	"sync/atomic"

	"filterlab/filters"
)

// group is how many keys of a batch are hashed before their counters are asked for; a power of two.
// Two groups are under way at a time.
const group = 16

// questions are the keys of a group that may still be held: which they are, and where their counters
// begin and their next probe is.
type questions struct {
	base, probe [group]uint64
	key         [group]uint8
	n           int
}

// ContainsBatch is Contains for many keys. While the keys of one group are looked up, the first
// counters of the next are on their way from memory.
func (f *Filter) ContainsBatch(keys [][]byte, held []bool) {
	held = held[:len(keys)]
	var rooms [2]questions
	now := f.fetch(&rooms[0], keys)
	for turn := 1; len(keys) > 0; turn = 1 - turn {
		answers := held[:now.n]
		keys, held = keys[now.n:], held[now.n:]
		next := f.fetch(&rooms[turn], keys)
		if f.bits == 4 {
			ask[nibble](f, now)
		} else {
			ask[octet](f, now)
		}
		clear(answers)
		for _, i := range now.key[:now.n] {
			answers[i] = true
		}
		now = next
	}
}

// fetch hashes as many of the keys as there is room for and starts to fetch the words of their first
// two counters, or their lines.
func (f *Filter) fetch(open *questions, keys [][]byte) *questions {
	var at [2 * group]uint64
	open.n = min(group, len(keys))
	perWord := 64 / f.bits
	n := 0
	for i, key := range keys[:open.n] {
		base, h := f.start(filters.Hash(key, f.seed))
		open.base[i%group], open.probe[i%group], open.key[i%group] = base, h, uint8(i)
		at[n%len(at)] = (base + filters.Reduce(h, f.span)) / perWord
		n++
		if f.lines == 0 {
			at[n%len(at)] = filters.Reduce(filters.NextProbe(h), f.span) / perWord
			n++
		}
	}
	prefetch(f.words, at[:n])
	return open
}

// ask drops the keys that have a counter at 0. It asks for two counters of every key before it asks
// for more of those still in question, so that the waits for memory overlap, and keeps these without a
// branch that nobody could predict.
func ask[W width](f *Filter, open *questions) {
	words, span := f.words, f.span
	most := ceilingOf[W]()
	for k := f.k; k > 0; k -= 2 {
		left := 0
		for j := range open.n {
			base, h, key := open.base[j%group], open.probe[j%group], open.key[j%group]
			i := base + filters.Reduce(h, span)
			c := get[W](atomic.LoadUint64(&words[wordOf[W](i)]), i)
			if k > 1 {
				h = filters.NextProbe(h)
				i = base + filters.Reduce(h, span)
				c *= get[W](atomic.LoadUint64(&words[wordOf[W](i)]), i)
			}
			open.base[left%group], open.probe[left%group], open.key[left%group] = base, filters.NextProbe(h), key
			left += int((c + most*(most+2)) / ((most + 1) * (most + 1))) // 1 if c > 0
		}
		open.n = left
	}
}
