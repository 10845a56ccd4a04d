package cuckoo

import "filterlab/filters"

var _ filters.Batcher = (*Own)(nil)

// batch is how many keys are looked up together.
const batch = 32

// ContainsBatch is Contains for many keys. All buckets of a group of keys are read before any is
// compared, so that the waits for memory overlap.
func (f *Own) ContainsBatch(keys [][]byte, held []bool) {
	var spots [batch]spot
	var x, y [batch]uint64
	for len(keys) > 0 {
		n := min(batch, len(keys))
		for i, key := range keys[:n] {
			spots[i] = f.locate(filters.Hash(key, f.seed))
		}
		for i, s := range spots[:n] {
			x[i], y[i] = f.bucket(s.first), f.bucket(s.second)
		}
		for i, s := range spots[:n] {
			pattern := s.fingerprint * f.lanes.ones
			held[i] = f.lanes.eitherZero(x[i]^pattern, y[i]^pattern) || s.same(f.victim)
		}
		keys, held = keys[n:], held[n:]
	}
}
