package blocked

import "sync/atomic"

// Words of a block. One of splitWords has two lanes of 32 bits a word, the first in the lower half: in
// little-endian order these are the blocks of a Parquet file. One of lineWords has a lane a word.
const (
	splitWords = 4
	lineWords  = 8
)

// The salts of Parquet turn the lower half x of a hash into the bits of a key: bit x*salt>>27 of a lane
// of 32, or >>26 of one of 64. No two x have the same 8 bits, so that two keys of one block share all
// bits with probability 2^-32.
const (
	salt0 = 0x47b6137b
	salt1 = 0x44974d91
	salt2 = 0x8824ad5b
	salt3 = 0xa2b7289d
	salt4 = 0x705495c7
	salt5 = 0x2df1424b
	salt6 = 0x9efc4947
	salt7 = 0x5c6bfb31
)

// splitMask returns the bits of hash h in the words of its block.
func splitMask(h uint64) [splitWords]uint64 {
	x := uint32(h)
	return [splitWords]uint64{
		1<<(x*salt0>>27) | 1<<(32+x*salt1>>27), 1<<(x*salt2>>27) | 1<<(32+x*salt3>>27),
		1<<(x*salt4>>27) | 1<<(32+x*salt5>>27), 1<<(x*salt6>>27) | 1<<(32+x*salt7>>27),
	}
}

// lineMask returns the bits of hash h in the words of its block.
func lineMask(h uint64) [lineWords]uint64 {
	x := uint32(h)
	return [lineWords]uint64{
		1 << (x * salt0 >> 26), 1 << (x * salt1 >> 26), 1 << (x * salt2 >> 26), 1 << (x * salt3 >> 26),
		1 << (x * salt4 >> 26), 1 << (x * salt5 >> 26), 1 << (x * salt6 >> 26), 1 << (x * salt7 >> 26),
	}
}

// set sets the bits of hash h.
func (f *Filter) set(h uint64) {
	block := f.words[f.place(h):]
	if f.size == splitWords {
		for i, m := range splitMask(h) {
			block[i] |= m
		}
		return
	}
	for i, m := range lineMask(h) {
		block[i] |= m
	}
}

// setAtomic sets the bits of hash h that are not set yet.
func (f *Filter) setAtomic(h uint64) {
	block := f.words[f.place(h):]
	if f.size == splitWords {
		for i, m := range splitMask(h) {
			orAtomic(&block[i], m)
		}
		return
	}
	for i, m := range lineMask(h) {
		orAtomic(&block[i], m)
	}
}

func orAtomic(word *uint64, mask uint64) {
	if atomic.LoadUint64(word)&mask != mask {
		atomic.OrUint64(word, mask)
	}
}

// has reports whether all bits of hash h are set. It looks at all before it decides: to stop at the
// first one missing would cost a mispredicted branch for most absent keys.
//
// The loads are atomic for the sake of shared filters. The assembly may do without: bits are only ever
// set, so whatever it reads of a block holds every key whose Add has returned.
func (f *Filter) has(h uint64) bool {
	missing := uint64(0)
	if f.size == splitWords {
		block := (*[splitWords]uint64)(f.words[f.place(h):])
		for i, m := range splitMask(h) {
			missing |= m &^ atomic.LoadUint64(&block[i])
		}
		return missing == 0
	}
	block := (*[lineWords]uint64)(f.words[f.place(h):])
	for i, m := range lineMask(h) {
		missing |= m &^ atomic.LoadUint64(&block[i])
	}
	return missing == 0
}
