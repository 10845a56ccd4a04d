package theory

import "math"

// TagMap names how a hash becomes a cuckoo fingerprint of f bits.
type TagMap string

const (
	TagUniformNonzero TagMap = "uniform_nonzero" // hash mod (2^f-1) + 1: RedisBloom, seiflotfy
	TagZeroToOne      TagMap = "zero_to_one"     // 0 becomes 1, so 1 is twice as likely: efficient, fastfilter
	TagFull           TagMap = "full"            // all 2^f values, occupancy kept elsewhere
)

// sum returns the sum of g(chance) over the fingerprints of f bits, each with its chance.
func (t TagMap) sum(f float64, g func(chance float64) float64) float64 {
	all := math.Exp2(f)
	switch t {
	case TagZeroToOne:
		return g(2/all) + (all-2)*g(1/all)
	case TagFull:
		return all * g(1/all)
	default:
		return (all - 1) * g(1/(all-1))
	}
}

// Collision returns the probability that two keys have the same fingerprint of f bits.
func (t TagMap) Collision(f float64) float64 {
	return t.sum(f, func(p float64) float64 { return p * p })
}

// CuckooLoadFPR returns the FPR of a large cuckoo filter, sum over fingerprints v of
// p_v (1-exp(-2 b load p_v)).
//
// Fingerprints of f bits under a tag map, buckets of b slots, load factor. Derived from: a query is
// positive iff a stored key has its fingerprint and its bucket pair. Linear in the load, so test at
// the actual load; no victim stash, the two buckets different.
func CuckooLoadFPR(tags TagMap, f, b, load float64) float64 {
	return tags.sum(f, func(p float64) float64 { return -p * math.Expm1(-2*b*max(0, load)*p) })
}

// CuckooFiniteFPR returns the FPR of a cuckoo filter of so many buckets that holds n keys, sum over
// fingerprints v of p_v [1-(1-2p_v/M)^n]. Otherwise as CuckooLoadFPR.
func CuckooFiniteFPR(tags TagMap, f, buckets, n float64) float64 {
	return clamp(tags.sum(f, func(p float64) float64 { return p * hit(buckets/(2*p), n) }))
}

// CuckooFPR returns the FPR of a cuckoo filter whose fingerprints are equally likely,
// 1-(1-2/(fingerprints*buckets))^n.
//
// fingerprints: how many there are, 255 for 8 bits where 0 marks an empty slot; n keys held.
func CuckooFPR(fingerprints, buckets, n float64) float64 { return hit(fingerprints*buckets/2, n) }

// CuckooInstanceSD returns the standard deviation of the FPR between instances of a cuckoo filter,
// sqrt(N e^-c (1-(1+c)e^-c))/N with N = fingerprints*buckets/2 classes and c = n/N.
//
// Symbols as in CuckooFPR. Classic occupancy to leading order; tiny, 0.2 % of the FPR at 1,024 buckets.
func CuckooInstanceSD(fingerprints, buckets, n float64) float64 {
	classes := fingerprints * buckets / 2
	if classes <= 0 {
		return 0
	}
	return math.Sqrt(OccupancyVarAsymptotic(classes, n)) / classes
}

// CuckooPaperFPR returns the FPR of the cuckoo filter paper, 1-(1-2^-f)^(2 b load).
//
// Fan, Andersen, Kaminsky & Mitzenmacher 2014 sec. 5.1; an upper bound at load 1.
func CuckooPaperFPR(f, b, load float64) float64 { return hit(math.Exp2(f), 2*b*load) }

// CuckooWrongDeleteLoss returns the expected number of members lost to false negatives by one delete
// of an absent key that tests positive, c/(e^c-1) with c = 2n/(fingerprints*buckets).
//
// Symbols as in CuckooFPR. A member is lost iff it is alone in its class of fingerprint and bucket
// pair. Own derivation; about 1, against k ln 2 of a counting Bloom filter.
func CuckooWrongDeleteLoss(fingerprints, buckets, n float64) float64 {
	if n <= 0 || fingerprints <= 0 || buckets <= 0 {
		return 0
	}
	c := 2 * n / (fingerprints * buckets)
	return c / math.Expm1(c)
}

// CuckooOverfullClasses returns the load n/N of a class of keys with equal fingerprint and bucket
// pair, N = fingerprints*buckets/2, and how many classes to expect with more than the 2b keys their
// two buckets of b slots can hold: N P(Poisson(n/N) > 2b).
//
// One such class makes an insert fail for good. Fan et al. 2014 sec. 4.2.
func CuckooOverfullClasses(fingerprints, b, buckets, n float64) (load, expected float64) {
	classes := fingerprints * buckets / 2
	if classes <= 0 || n <= 0 {
		return 0, 0
	}
	load = n / classes
	return load, classes * poissonTail(load, 2*b+1)
}

// CuckooThreshold returns the load factor up to which keys with two random buckets of b slots can be
// placed at all, in a large table.
//
// alpha = x/(2b P(Poisson(x) >= b)) where x P(Poisson(x) >= b)/(2 P(Poisson(x) >= b+1)) = b; 0.5 at
// b = 1. Cain, Sanders & Wormald 2007; Fernholz & Ramachandran 2007. Greedy insertion stays below.
func CuckooThreshold(b float64) float64 {
	if b <= 1 {
		return 0.5
	}
	x := root(1e-3, 4*b+10, b, func(x float64) float64 {
		return x * poissonTail(x, b) / (2 * poissonTail(x, b+1))
	})
	return x / (2 * b * poissonTail(x, b))
}

// CuckooPracticalLoad returns the load factor the cuckoo filter paper reached with buckets of b slots
// and 500 kicks, and whether it gives one: b = 1, 2, 4, 8. Fan et al. 2014 table 2.
func CuckooPracticalLoad(b int) (load float64, ok bool) {
	switch b {
	case 1:
		return 0.50, true
	case 2:
		return 0.84, true
	case 4:
		return 0.95, true
	case 8:
		return 0.98, true
	}
	return 0, false
}
