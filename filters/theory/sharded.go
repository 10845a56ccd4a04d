package theory

import "math"

// mixedLoad is up to how many keys a shard its load is followed number by number.
const mixedLoad = 1024

// ShardedFPR returns the expected FPR of a Bloom filter cut into shards of one size, to each of which
// a random hash sends keys and lookups alike.
//
// m bits and k hash functions of a shard, n keys in all shards together. The load N of a shard is
// binomial, and the FPR is E[(X/m)^k] over its load and its bits: that of a blocked filter whose
// blocks are the shards, BlockedFiniteFPR (BlockExact), up to 1,024 keys a shard. Beyond, with
// q = [1-(1-(1-1/m)^k)/shards]^n the share of bits clear, to second order in the spread of X,
//
//	(1-q)^k [1 + k(k-1)/2 Var X/(m(1-q))^2],   Var X = E Var(X|N) + (k e^(-kn/(m shards)))^2 Var N
//
// off by 1e-4 at most. Always above the FPR of one filter of the same bits, which is convex in the load.
func ShardedFPR(m, k, shards, n float64) float64 {
	if n <= 0 || shards <= 1 {
		return BloomFPR(m, k, n)
	}
	load := n / shards
	if load <= mixedLoad {
		return BlockedFiniteFPR(BlockExact, m, k, shards, n)
	}
	fill := ShardedFill(m, k, shards, n)
	slope := k * math.Exp(-k*load/m)
	rel := (occupancyVar(m, k*load) + slope*slope*load*(1-1/shards)) / (m * fill * m * fill)
	return clamp(math.Pow(fill, k) * (1 + k*(k-1)/2*rel))
}

// ShardedFill returns the expected fill ratio of a Bloom filter cut into shards,
// 1-[1-(1-(1-1/m)^k)/shards]^n.
//
// Symbols as in ShardedFPR. A given bit is set by none of n keys, each of which goes to its shard with
// probability 1/shards. Exact.
func ShardedFill(m, k, shards, n float64) float64 {
	if shards <= 1 {
		return hit(m, k*n)
	}
	return -math.Expm1(n * math.Log1p(-hit(m, k)/shards))
}

// ShardedInstanceSD returns the standard deviation of the FPR between instances of a Bloom filter cut
// into shards.
//
// Symbols as in ShardedFPR. With f the FPR of a shard and E its mean at load N,
//
//	sqrt([E Var(f|N) + (1-1/shards) (Var E(N) - load (dE/dload)^2)] / shards)
//
// The slope does not count, since the loads of all shards add up to n. Own derivation, Poisson loads,
// leading order in 1/shards; beyond 1,024 keys a shard the second term is dropped, under a tenth of the first.
func ShardedInstanceSD(m, k, shards, n float64) float64 {
	if n <= 0 || shards <= 1 {
		return BloomInstanceSD(m, k, n)
	}
	load := n / shards
	if load > mixedLoad {
		return BloomInstanceSD(m, k, math.Round(load)) / math.Sqrt(shards)
	}
	t := newBlockTable(BlockExact, int(m), int(k), load)
	if t.full(load) {
		return 0
	}
	d, at, square := poisson(load), over(t.mean), over(t.square)
	mean := d.mean(at)
	within := d.mean(func(i int) float64 { return square(i) - at(i)*at(i) })
	between := d.mean(func(i int) float64 { return (at(i) - mean) * (at(i) - mean) })
	slope := d.mean(func(i int) float64 { return at(i) * (float64(i) - load) }) / load
	return math.Sqrt((within + (1-1/shards)*max(0, between-load*slope*slope)) / shards)
}
