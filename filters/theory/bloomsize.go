package theory

import "math"

// BloomSize is the size of a Bloom filter for n keys at a target FPR, under the roundings in use.
type BloomSize struct {
	Bits         float64 // unrounded m = n ln(1/p)/ln2^2
	BitsCeil     float64 // bits-and-blooms, BoomFilters
	BitsFloor    float64 // Guava
	BitsPerKey   float64
	Hashes       float64 // unrounded k = (m/n) ln 2 = log2(1/p)
	HashesRound  float64 // round((m/n) ln 2)
	HashesGuava  float64 // max(1, round(-ln p/ln 2))
	HashesBitsUp float64 // ceil(ln 2 * BitsCeil/n): bits-and-blooms
	HashesCeil   float64 // ceil(log2(1/p)): BoomFilters
}

// SizeBloom returns the size of a Bloom filter for n keys at target FPR p: m = n ln(1/p)/ln2^2,
// k = log2(1/p).
//
// n >= 1, 0 < p < 1. Bloom 1970; Broder & Mitzenmacher 2004. The library roundings were read in
// their sources.
func SizeBloom(n, p float64) BloomSize {
	perKey := -math.Log(p) / (math.Ln2 * math.Ln2)
	s := BloomSize{Bits: n * perKey, BitsPerKey: perKey, Hashes: -math.Log2(p)}
	s.BitsCeil, s.BitsFloor = math.Ceil(s.Bits), math.Floor(s.Bits)
	s.HashesRound = math.Round(perKey * math.Ln2)
	s.HashesGuava = max(1, math.Round(-math.Log(p)/math.Ln2))
	s.HashesBitsUp = math.Ceil(math.Ln2 * s.BitsCeil / n)
	s.HashesCeil = math.Ceil(s.Hashes)
	return s
}

// Bytes returns the bytes of BitsCeil bits, and the bytes once rounded up to words of 64 bits.
func (s BloomSize) Bytes() (bytes, words float64) {
	return math.Ceil(s.BitsCeil / 8), 8 * math.Ceil(s.BitsCeil/64)
}
