package classic

import (
	"encoding/binary"
	"hash/crc32"
	"slices"

	"github.com/twmb/murmur3"

	"filterlab/filters"
	"filterlab/filters/spec"
)

// A scheme is a hash under test, with the derivation of k positions that people use with it.
type scheme struct {
	word, doc string
	// start turns the filter's seed into what hash wants; seed 0 is the hash as it is published.
	start func(seed uint64) uint64
	// hash returns what the positions of a key follow from.
	hash func(key []byte, start uint64) (a, b uint64)
	// place returns position i of 0..k-1 in a table of m bits.
	place  func(key []byte, a, b, i, m uint64) uint64
	seeded bool // it is used with a seed in practice
}

// goodHash is the value of the knob for the hash of our own filters, which is no scheme: Filter has
// it built in.
const goodHash = "xxh3"

// schemes lists the hashes under test.
func schemes() []scheme {
	return []scheme{
		{word: "xxh3-32", doc: "32 bits of xxh3; position i is a bijection of 64 bits of (hash, i), scaled to m",
			start: plainSeed, hash: xxh3Short, place: mixed, seeded: true},
		{word: "fnv", doc: "FNV-1a of 64 bits; low half + i * high half mod m, as willf/bloom had it",
			start: fnvStart, hash: fnvHalves, place: progression},
		{word: "crc", doc: "CRC-32 of the key and one byte i, mod m",
			start: crcStart, hash: crc, place: crcNumbered},
		{word: "identity", doc: "the key's last 8 bytes as a little-endian number; low half + i * high half mod m",
			start: plainSeed, hash: identity, place: progression},
		{word: "even", doc: "xxh3; low half + i * high half mod m, though the high half may be even, or share a factor with m",
			start: plainSeed, hash: xxh3Halves, place: progression, seeded: true},
		{word: "murmur-k", doc: "MurmurHash3 of 32 bits with seed i, mod m",
			start: plainSeed, hash: unhashed, place: murmurNumbered},
	}
}

// schemeOf returns the scheme that a value of the knob names; ok is false for the good hash.
func schemeOf(word string) (s scheme, ok bool) {
	all := schemes()
	if i := slices.IndexFunc(all, func(s scheme) bool { return s.word == word }); i >= 0 {
		return all[i], true
	}
	return scheme{}, false
}

func hashKnob() spec.Knob {
	words := []string{goodHash}
	for _, s := range schemes() {
		words = append(words, s.word)
	}
	return spec.Choice("hash", "hash of the keys; all but the first are weak, to show what that costs", words...)
}

// A Hash describes a value of the knob hash.
type Hash struct {
	Word, Doc string
	Weak      bool
	// Seeded is false where the hash is used without a seed in practice: with Params.Seed 0 it is
	// the hash as it is published.
	Seeded bool
}

// Hashes lists the values of the knob hash, the good one first.
func Hashes() []Hash {
	out := []Hash{{Word: goodHash, Doc: "xxh3 of 64 bits; the positions are states of a generator started there", Seeded: true}}
	for _, s := range schemes() {
		out = append(out, Hash{s.word, s.doc, true, s.seeded})
	}
	return out
}

func plainSeed(seed uint64) uint64 { return seed }

// progression is textbook double hashing: (a + i b) mod m, a and b below 2^32.
func progression(_ []byte, a, b, i, m uint64) uint64 { return (a + i*b) % m }

func halves(h uint64) (low, high uint64) { return h & 0xffffffff, h >> 32 }

func xxh3Halves(key []byte, seed uint64) (a, b uint64) { return halves(filters.Hash(key, seed)) }

func xxh3Short(key []byte, seed uint64) (a, b uint64) { return filters.Hash(key, seed) & 0xffffffff, 0 }

func mixed(_ []byte, a, _, i, m uint64) uint64 { return filters.Reduce(filters.Mix(i<<32|a), m) }

// FNV-1a of 64 bits (Fowler, Noll & Vo; RFC 9923).
const (
	fnvBasis = 0xcbf29ce484222325
	fnvPrime = 0x100000001b3
)

func fnvSum(key []byte, h uint64) uint64 {
	for _, c := range key {
		h = (h ^ uint64(c)) * fnvPrime
	}
	return h
}

// fnvStart and crcStart hash a seed other than 0 as 8 bytes before the key, which is how a hash
// without a seed is salted.
func fnvStart(seed uint64) uint64 {
	if seed == 0 {
		return fnvBasis
	}
	return fnvSum(binary.LittleEndian.AppendUint64(nil, seed), fnvBasis)
}

func fnvHalves(key []byte, start uint64) (a, b uint64) { return halves(fnvSum(key, start)) }

func crcStart(seed uint64) uint64 {
	if seed == 0 {
		return 0
	}
	return uint64(crc32.ChecksumIEEE(binary.LittleEndian.AppendUint64(nil, seed)))
}

func crc(key []byte, start uint64) (a, b uint64) {
	return uint64(crc32.Update(uint32(start), crc32.IEEETable, key)), 0
}

// crcNumbered takes one more byte, i, into the CRC.
func crcNumbered(_ []byte, a, _, i, m uint64) uint64 {
	state := ^uint32(a)
	return uint64(^(crc32.IEEETable[byte(state)^byte(i)] ^ state>>8)) % m
}

// identity takes the last 8 bytes as they lie in memory, a shorter key with zeros after it. A seed
// is xored.
func identity(key []byte, seed uint64) (a, b uint64) {
	var last [8]byte
	copy(last[:], key[max(0, len(key)-8):])
	return halves(binary.LittleEndian.Uint64(last[:]) ^ seed)
}

// unhashed passes the first seed on to murmurNumbered, which hashes the key anew for each position.
func unhashed(_ []byte, seed uint64) (a, b uint64) { return seed, 0 }

func murmurNumbered(key []byte, a, _, i, m uint64) uint64 {
	return uint64(murmur3.SeedSum32(uint32(a+i), key)) % m
}
