package workloads

// A bijection maps the 64-bit integers one to one onto themselves, in an order that looks random
// and depends on the seed. The keys of a synthetic workload are images under it: member i is the
// image of 2i and stranger i the image of 2i+1 (i below 2^63), so that the two never meet, no two
// are alike, and no set has to be kept in memory.
type bijection [4]uint64

// newBijection returns the bijection of a seed.
func newBijection(seed uint64) (b bijection) {
	r := rng{seed}
	for i := range b {
		b[i] = r.next()
	}
	return b
}

// The odd multipliers and the shifts are those of moremur (P. Evensen 2019, "Stronger, better,
// morer, Moremur; a better Murmur3-type mixer") and, for the last round, of MurmurHash3.
const (
	multiplier1 = 0x3c79ac492ba7b653
	multiplier2 = 0x1c69b3f74ac4ae35
	multiplier3 = 0xff51afd7ed558ccd
)

// image maps x. Adding a key, xoring with a right shift and multiplying by an odd number are each
// one to one modulo 2^64, so the whole is.
func (b *bijection) image(x uint64) uint64 {
	x += b[0]
	x = (x ^ x>>32) * multiplier1
	x += b[1]
	x = (x ^ x>>27) * multiplier2
	x += b[2]
	x = (x ^ x>>33) * multiplier3
	x += b[3]
	return x ^ x>>32
}
