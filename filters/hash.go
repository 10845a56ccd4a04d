package filters

import (
	"math/bits"

	"github.com/zeebo/xxh3"
)

// Hash returns the 64-bit hash of key that our own filters use.
func Hash(key []byte, seed uint64) uint64 { return xxh3.HashSeed(key, seed) }

// probeStep is a multiplier for a multiplicative congruential generator modulo 2^64 that does
// well in the spectral test (Steele & Vigna 2022, "Computationally easy, spectrally good
// multipliers").
const probeStep = 0xd1342543de82ef95

// NextProbe returns the hash of the probe after h. The probes of a key are the successive states
// of a generator started at the key's hash, and each is reduced to a position by Reduce. Unlike
// double hashing, h1 + i*h2, the sequence has no period that a small table could reveal, so the
// FPR has no floor near 1/m.
func NextProbe(h uint64) uint64 { return h * probeStep }

// Reduce maps a 64-bit hash to 0..m-1 by the high half of the product: no division, any m.
func Reduce(h, m uint64) uint64 {
	hi, _ := bits.Mul64(h, m)
	return hi
}

// Mix is a bijection of 64 bits that spreads every input bit over all output bits (the finaliser
// of SplitMix64, Steele, Lea & Flood 2014). It derives seeds that do not resemble each other.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
