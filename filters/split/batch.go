package split

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
	var room [group]uint8
	left := room[:len(keys)] // the keys with no clear bit so far
	for i, key := range keys {
		hashes[i], left[i], held[i] = filters.Hash(key, f.seed), uint8(i), false
	}
	chunks, m, shift, mask := f.chunks, f.m, f.shift%64, f.mask
	first := min(together, f.k)
	for range first {
		kept := 0
		for _, j := range left {
			h := &hashes[j%group]
			i := filters.Reduce(*h, m)
			*h = filters.NextProbe(*h)
			left[kept] = j // no branch: the bits of the keys after it are asked for at once
			kept += int(chunks[i/64>>shift][i/64&mask] >> (i % 64) & 1)
		}
		left = left[:kept]
	}
	for _, j := range left {
		held[j] = f.has(hashes[j%group], f.k-first)
	}
}

// has reports whether the next so many bits of hash h are set.
func (f *Filter) has(h uint64, probes int) bool {
	chunks, m, shift, mask := f.chunks, f.m, f.shift%64, f.mask
	for range probes {
		i := filters.Reduce(h, m)
		w := i / 64
		if chunks[w>>shift][w&mask]&(1<<(i%64)) == 0 {
			return false
		}
		h = filters.NextProbe(h)
	}
	return true
}
