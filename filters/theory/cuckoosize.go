package theory

import (
	"math"
	"math/bits"
)

// CuckooBits is what a cuckoo filter costs at a target FPR and a load factor, in bits per key.
type CuckooBits struct {
	Paper        float64 // (log2(1/p)+log2(2b))/load, fractional fingerprints
	Fingerprint  float64 // whole bits of fingerprint by the paper's bound
	PerKey       float64 // Fingerprint/load
	SemiSorted   float64 // PerKey with one bit a slot saved by sorting a bucket; only b = 4
	Tight        float64 // least fingerprint bits whose CuckooLoadFPR is at most p
	TightPerKey  float64 // Tight/load
	CanSemiSort  bool
	TargetWithin bool // false: no fingerprint of up to 64 bits reaches p
}

// SizeCuckoo returns what a cuckoo filter of b slots a bucket costs at target FPR p and a load factor.
//
// 0 < p < 1, b >= 1, 0 < load <= 1. Fan et al. 2014 sec. 5.1-5.2; semi-sorting works since the
// C(19,4) = 3876 sorted tuples of four nibbles fit in 12 bits (Bonomi et al. 2006).
func SizeCuckoo(p, b, load float64) CuckooBits {
	exact := math.Log2(2*b) - math.Log2(p)
	c := CuckooBits{Paper: exact / load, Fingerprint: math.Ceil(exact), CanSemiSort: b == 4}
	c.PerKey = c.Fingerprint / load
	if c.CanSemiSort {
		c.SemiSorted = (c.Fingerprint - 1) / load
	}
	for c.Tight = 1; c.Tight <= 64; c.Tight++ {
		if CuckooLoadFPR(TagUniformNonzero, c.Tight, b, load) <= p {
			c.TargetWithin = true
			break
		}
	}
	c.TightPerKey = c.Tight / load
	return c
}

// nextPow2 returns the least power of two that is at least x, and 1 for 0.
func nextPow2(x uint64) uint64 {
	if x <= 1 {
		return 1
	}
	return 1 << bits.Len64(x-1)
}

// CuckooBucketsEfficient returns the buckets of 4 slots that efficient/cuckoofilter makes for n keys:
// the power of two at least n/4, doubled where the load would exceed 0.96.
//
// efficient/cuckoofilter src/cuckoofilter.h.
func CuckooBucketsEfficient(n uint64) uint64 {
	m := nextPow2(max(1, n/4))
	if float64(n)/float64(4*m) > 0.96 {
		m *= 2
	}
	return m
}

// CuckooBucketsRedis returns the buckets of b slots that RedisBloom makes for a capacity: the power of
// two at least capacity/b, rounded down first.
//
// RedisBloom src/cuckoo.c.
func CuckooBucketsRedis(capacity, b uint64) uint64 { return nextPow2(capacity / max(1, b)) }

// CuckooBucketsSeiflotfy returns the buckets of 4 slots that seiflotfy/cuckoofilter makes for a
// capacity: a quarter of the power of two at least the capacity, so that asked for a power of two it
// has no slot to spare.
func CuckooBucketsSeiflotfy(capacity uint64) uint64 { return max(1, nextPow2(capacity)/4) }

// RedisCuckoo is the size of a RedisBloom cuckoo filter.
type RedisCuckoo struct {
	Buckets uint64  // of the first sub-filter
	Slots   uint64  // of all sub-filters, one byte each
	Size    uint64  // bytes, as CF.INFO reports it
	FullFPR float64 // bound with every slot full, 1-(1-1/255)^(2b filters)
}

// SizeRedisCuckoo returns the size of a RedisBloom cuckoo filter with fingerprints of 8 bits.
//
// capacity keys, bucket size b, expansion (rounded up to a power of two) from one sub-filter to the
// next, and how many there are. RedisBloom src/cuckoo.c: 40 bytes, 16 more for each sub-filter, and
// the slots.
func SizeRedisCuckoo(capacity, b, expansion uint64, filters int) RedisCuckoo {
	r := RedisCuckoo{Buckets: CuckooBucketsRedis(capacity, b)}
	growth, buckets := nextPow2(expansion), r.Buckets
	for range filters {
		r.Slots += buckets * b
		buckets *= growth
	}
	r.Size = 40 + 16*uint64(filters) + r.Slots
	r.FullFPR = hit(255, float64(2*b)*float64(filters))
	return r
}

// RedisCuckooFPR returns the FPR of a chain of RedisBloom sub-filters that hold keys[i] keys in
// buckets[i] buckets: 1-exp(-sum 2 keys/(255 buckets)).
func RedisCuckooFPR(keys, buckets []float64) float64 {
	load := 0.0
	for i, n := range keys {
		load += 2 * n / (255 * buckets[i])
	}
	return -math.Expm1(-load)
}

// PowerOfTwoWaste is what rounding a table up to a power of two costs, over n spread across an octave.
type PowerOfTwoWaste struct {
	MeanLoad  float64 // mean of load factor
	MeanSize  float64 // mean of size/least size, least being one full at load 1
	WorstLoad float64
}

// CuckooPowerOfTwoWaste returns that cost for tables loaded at most to loadMax, with n uniform over
// the octave or, else, log-uniform.
//
// Own integrals: mean load 3/4 or 1/(2 ln 2) of loadMax, mean size 2 ln 2 or 1/ln 2 over loadMax.
func CuckooPowerOfTwoWaste(uniform bool, loadMax float64) PowerOfTwoWaste {
	w := PowerOfTwoWaste{loadMax / (2 * math.Ln2), 1 / (math.Ln2 * loadMax), loadMax / 2}
	if uniform {
		w.MeanLoad, w.MeanSize = 0.75*loadMax, 2*math.Ln2/loadMax
	}
	return w
}
