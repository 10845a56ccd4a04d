package workloads

import "math/bits"

// An rng is a SplitMix64 generator (Steele, Lea & Flood 2014): 64 random bits a call, of period
// 2^64, fixed by its seed for all Go versions.
type rng struct{ state uint64 }

func (r *rng) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	x := r.state
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below returns a number from 0 to n-1; n is at least 1. The bias is at most n/2^64.
func (r *rng) below(n uint64) uint64 {
	hi, _ := bits.Mul64(r.next(), n)
	return hi
}

// unit returns a number from 0 inclusive to 1 exclusive, a multiple of 2^-53.
func (r *rng) unit() float64 { return float64(r.next()>>11) / (1 << 53) }

// The purposes a seed is used for; what is drawn for one says nothing about another.
const (
	forKeys uint64 = iota
	forOrder
	forMembers
	forPopularity
	forDeleted
	forChurn
	forRepeats
)

// derive makes a seed for one purpose out of the seed of a stream.
func derive(seed, purpose uint64) uint64 {
	first := rng{seed}
	second := rng{first.next() + purpose}
	return second.next()
}

// A permutation is a random order of the integers 0 to n-1 that needs no memory: it permutes the
// next power of two and walks on while the result is not below n (cycle walking, Black & Rogaway
// 2002), at most two steps on average.
type permutation struct {
	n, mask uint64
	shift   uint
	rounds  [6]round
}

// A round permutes 0..mask: adding, multiplying by an odd number and xoring with a right shift are
// each one to one modulo a power of two.
type round struct{ addend, odd uint64 }

// newPermutation returns the permutation of 0..n-1 that belongs to the seed; n is at most 2^63.
func newPermutation(seed, n uint64) permutation {
	p := permutation{n: n}
	if n > 1 {
		width := uint(bits.Len64(n - 1))
		p.mask, p.shift = 1<<width-1, (width+1)/2
	}
	r := rng{seed}
	for i := range p.rounds {
		p.rounds[i] = round{r.next(), r.next() | 1}
	}
	return p
}

// at returns the place of i, which must be below n. Three rounds are enough where there are more
// than twelve bits; fewer mix well in six.
func (p *permutation) at(i uint64) uint64 {
	const few = 1<<12 - 1
	for {
		i = p.round(0, p.round(1, p.round(2, i)))
		if p.mask <= few {
			i = p.round(3, p.round(4, p.round(5, i)))
		}
		if i < p.n {
			return i
		}
	}
}

func (p *permutation) round(k int, i uint64) uint64 {
	i = (i + p.rounds[k].addend) * p.rounds[k].odd & p.mask
	return i ^ i>>p.shift
}
