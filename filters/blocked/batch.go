package blocked

import "filterlab/filters"

// group is how many keys of a batch are hashed before their blocks are asked for. Two groups are under
// way at a time, about as many blocks as a core can wait for; more were slower out of cache.
const group = 16

// ContainsBatch is Contains for many keys. While the blocks of one group of keys are tested, those of
// the next are on their way from memory.
func (f *Filter) ContainsBatch(keys [][]byte, held []bool) {
	held = held[:len(keys)]
	var hashes [2][group]uint64
	now := f.fetch(&hashes[0], keys)
	for turn := 1; len(now) > 0; turn = 1 - turn {
		keys = keys[len(now):]
		next := f.fetch(&hashes[turn], keys)
		f.test(now, held)
		held, now = held[len(now):], next
	}
}

// fetch hashes as many of the keys as there is room for and starts to fetch their blocks.
func (f *Filter) fetch(room *[group]uint64, keys [][]byte) []uint64 {
	hashes := room[:min(group, len(keys))]
	for i := range hashes {
		hashes[i] = filters.Hash(keys[i], f.seed)
	}
	if useAVX2 {
		prefetch(f, hashes)
	}
	return hashes
}

// test sets held[i] to whether all bits of hashes[i] are set.
func (f *Filter) test(hashes []uint64, held []bool) {
	if useAVX2 {
		testAVX2(f, hashes, held)
		return
	}
	for i, h := range hashes {
		held[i] = f.has(h)
	}
}
