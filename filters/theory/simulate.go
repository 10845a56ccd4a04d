package theory

import (
	"math/bits"
	"math/rand/v2"
)

// BloomInstance is what a simulated Bloom filter showed.
type BloomInstance struct {
	Ones uint64  // bits set
	FPR  float64 // share of the queries answered yes
}

// SimulateBloom fills instances of a Bloom filter under an index scheme and asks each for so many
// absent keys, with ideal hashes drawn from the seed.
//
// m >= 2 bits, k hash functions, n keys. Independent probes need no queries: their FPR is
// (ones/m)^k given the instance.
func SimulateBloom(scheme IndexScheme, m, k, n uint64, instances, queries int, seed uint64) []BloomInstance {
	w := &walker{scheme: scheme, m: m, rng: rand.New(rand.NewPCG(seed, m))}
	table := make([]uint64, (m+63)/64)
	out := make([]BloomInstance, instances)
	for i := range out {
		clear(table)
		for range n {
			w.start()
			for range k {
				x := w.next()
				table[x>>6] |= 1 << (x & 63)
			}
		}
		for _, word := range table {
			out[i].Ones += uint64(bits.OnesCount64(word))
		}
		if scheme == Independent {
			out[i].FPR = BloomFillFPR(float64(m), float64(k), float64(out[i].Ones))
			continue
		}
		yes := 0
		for range queries {
			w.start()
			if w.all(table, k) {
				yes++
			}
		}
		out[i].FPR = float64(yes) / float64(queries)
	}
	return out
}

// walker draws the positions of one key after another.
type walker struct {
	scheme     IndexScheme
	rng        *rand.Rand
	m, x, y, z uint64
	i          uint64
}

func (w *walker) start() {
	w.i = 0
	switch w.scheme {
	case Double64:
		w.x, w.y = w.rng.Uint64(), w.rng.Uint64()
		return
	case DoubleNonzero:
		w.y = 1 + w.rng.Uint64N(w.m-1)
	case DoubleOdd:
		w.y = 2*w.rng.Uint64N(w.m/2) + 1
	case Triple:
		w.y, w.z = w.rng.Uint64N(w.m), w.rng.Uint64N(w.m)
	default:
		w.y = w.rng.Uint64N(w.m)
	}
	w.x = w.rng.Uint64N(w.m)
}

func (w *walker) next() uint64 {
	x := w.x
	switch w.scheme {
	case Double64:
		w.x += w.y
		return x % w.m
	case Independent:
		w.x = w.rng.Uint64N(w.m)
		return x
	}
	if w.x += w.y; w.x >= w.m {
		w.x -= w.m
	}
	switch w.scheme {
	case Enhanced:
		w.i++
		w.y = (w.y + w.i) % w.m
	case Triple:
		if w.y += w.z; w.y >= w.m {
			w.y -= w.m
		}
	}
	return x
}

func (w *walker) all(table []uint64, k uint64) bool {
	for range k {
		if x := w.next(); table[x>>6]>>(x&63)&1 == 0 {
			return false
		}
	}
	return true
}

// SimulateCuckooFirstFailure returns the load factor at which a cuckoo table refuses its first key,
// with random-walk eviction and partial-key hashing, from a seed.
//
// fingerprintBits f (1..32), bucketSize b >= 1 slots, buckets a power of two, kicks the evictions
// allowed. Fan, Andersen, Kaminsky & Mitzenmacher 2014 algorithm 1, with random victims.
func SimulateCuckooFirstFailure(fingerprintBits, bucketSize, buckets, kicks int, seed uint64) float64 {
	rng := rand.New(rand.NewPCG(seed, uint64(buckets)))
	slots := make([]uint32, bucketSize*buckets) // 0 is empty
	used := make([]uint8, buckets)
	mask := uint32(buckets - 1)
	put := func(bucket, tag uint32) bool {
		if int(used[bucket]) == bucketSize {
			return false
		}
		slots[int(bucket)*bucketSize+int(used[bucket])] = tag
		used[bucket]++
		return true
	}
	insert := func() bool {
		r := rng.Uint64()
		tag := uint32((r>>32)%(1<<fingerprintBits-1)) + 1
		bucket := uint32(r) & mask
		other := bucket ^ scramble(tag, seed)&mask
		if put(bucket, tag) || put(other, tag) {
			return true
		}
		if rng.Uint32()&1 == 1 {
			bucket = other
		}
		for range kicks {
			at := int(bucket)*bucketSize + rng.IntN(bucketSize)
			tag, slots[at] = slots[at], tag
			bucket ^= scramble(tag, seed) & mask
			if put(bucket, tag) {
				return true
			}
		}
		return false
	}
	stored := 0
	for stored < len(slots) && insert() {
		stored++
	}
	return float64(stored) / float64(len(slots))
}

// scramble hashes a fingerprint to the offset between its two buckets (the finaliser of splitmix64).
func scramble(tag uint32, seed uint64) uint32 {
	x := uint64(tag) + seed*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return uint32(x ^ x>>31)
}
