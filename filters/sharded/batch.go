package sharded

import "filterlab/filters"

// group is how many keys of a batch are under way at a time.
const group = 64

// together is how many probes of a group's keys are made at once: they settle three of four strangers.
const together = 2

// ContainsBatch is Contains for many keys. It reads the first bit of every key of a group before the
// second of any, so that they come from memory together, and drops the keys whose bit is clear.
func (f *Filter) ContainsBatch(keys [][]byte, held []bool) {
	held = held[:len(keys)]
	for len(keys) > 0 {
		n := min(group, len(keys))
		f.containsGroup(keys[:n], held[:n])
		keys, held = keys[n:], held[n:]
	}
}

func (f *Filter) containsGroup(keys [][]byte, held []bool) {
	var hashes [group]uint64
	var shards [group][]uint64
	var room [group]uint8
	left := room[:len(keys)] // the keys with no clear bit so far
	for i, key := range keys {
		h := filters.Hash(key, f.seed)
		s := f.ofHash(h)
		if f.byParts {
			s = f.ofPrefix(key, h)
		}
		hashes[i], shards[i], left[i], held[i] = h, f.shards[s].Words, uint8(i), false
	}
	m := f.shards[0].M
	first := min(together, f.shards[0].K)
	for range first {
		kept := 0
		for _, j := range left {
			h := &hashes[j%group]
			i := filters.Reduce(*h, m)
			*h = filters.NextProbe(*h)
			left[kept] = j // no branch: the bits of the keys after it are asked for at once
			kept += int(shards[j%group][i/64] >> (i % 64) & 1)
		}
		left = left[:kept]
	}
	for _, j := range left {
		held[j] = has(shards[j%group], m, hashes[j%group], f.shards[0].K-first)
	}
}

// has reports whether the next so many bits of hash h are set.
func has(words []uint64, m, h uint64, probes int) bool {
	for range probes {
		i := filters.Reduce(h, m)
		if words[i/64]&(1<<(i%64)) == 0 {
			return false
		}
		h = filters.NextProbe(h)
	}
	return true
}
