package workloads

import "hash/maphash"

// A keySet is an exact set of byte strings, numbered in the order in which they came. The keys lie
// in one arena: a key costs its own bytes, 8 for its end, and 8 to 16 for its slots.
type keySet struct {
	arena []byte
	ends  []int
	slots []uint32 // number + 1 of the key, 0 where free; open addressing, at most half full
	seed  maphash.Seed
}

func newKeySet() *keySet {
	return &keySet{slots: make([]uint32, 1024), seed: maphash.MakeSeed()}
}

func (s *keySet) len() uint32 { return uint32(len(s.ends)) }

// key returns the key of a number below len.
func (s *keySet) key(number uint32) []byte {
	start := 0
	if number > 0 {
		start = s.ends[number-1]
	}
	end := s.ends[number]
	return s.arena[start:end:end]
}

// number returns the number of a key, which is added when it is new.
func (s *keySet) number(key []byte) uint32 {
	slot := s.find(key)
	if *slot != 0 {
		return *slot - 1
	}
	s.arena = append(s.arena, key...)
	s.ends = append(s.ends, len(s.arena))
	*slot = s.len()
	if len(s.ends)*2 > len(s.slots) {
		s.grow()
	}
	return s.len() - 1
}

// find returns the slot that holds the key, or the free one where it would go.
func (s *keySet) find(key []byte) *uint32 {
	mask := uint64(len(s.slots) - 1)
	for i := maphash.Bytes(s.seed, key) & mask; ; i = (i + 1) & mask {
		slot := &s.slots[i]
		if *slot == 0 || string(s.key(*slot-1)) == string(key) {
			return slot
		}
	}
}

func (s *keySet) grow() {
	s.slots = make([]uint32, 2*len(s.slots))
	for i := range s.len() {
		*s.find(s.key(i)) = i + 1
	}
}
