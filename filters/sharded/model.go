package sharded

import (
	"sort"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// shape returns the words of a shard, the probes and the number of shards that p asks for: k =
// log2(1/p) to the nearest whole number, 1..64, and the smallest whole number of words at which the
// model meets p at n keys. That is more than one filter takes, since some shards get more keys than
// others: 7 % more bits at a thousand keys in 16 shards
// and p = 1 %, 0.1 % at a million.
func shape(p filters.Params) (words uint64, k int, shards uint64, err error) {
	if err := p.Check(); err != nil {
		return 0, 0, 0, err
	}
	shards, k = p.Knobs.Uint("shards"), filters.Probes(p.P)
	s, n := float64(shards), float64(p.N)
	if _, err := filters.TableWords(theory.SizeBloom(n, p.P).Bits); err != nil {
		return 0, 0, 0, err
	}
	meets := func(words uint64) bool { return theory.ShardedFPR(64*float64(words), float64(k), s, n) <= p.P }
	low, err := filters.TableWords(theory.SizeBloom(n/s, p.P).Bits)
	if err != nil {
		return 0, 0, 0, err
	}
	step := uint64(1)
	for !meets(low + step - 1) {
		step *= 2
	}
	low += step / 2 // one word less does not meet p, unless this is where it started
	words = low + uint64(sort.Search(int(step-1-step/2), func(i int) bool { return meets(low + uint64(i)) }))
	_, err = filters.TableWords(64 * float64(words) * s)
	return words, k, shards, err
}

// model predicts the filter for keys and lookups that the routing spreads evenly, as a hash does and
// prefixes do where there are many, none of them dominant.
func model(p filters.Params) (filters.Model, error) {
	words, probes, shards, err := shape(p)
	if err != nil {
		return filters.Model{}, err
	}
	m, k, s := 64*float64(words), float64(probes), float64(shards)
	source := "own derivation: a blocked Bloom filter (Putze et al. 2007) whose blocks are the shards"
	if p.Knobs["by"] == "prefix" {
		source += "; for prefixes that spread evenly"
	}
	return filters.Model{
		Formula: "E[(X/m)^k], X bits set of m in a shard that holds Binomial(n, 1/shards) keys",
		Source:  source,
		Bits:    64 * words * shards,
		K:       probes,
		FPR: func(n uint64) float64 {
			fpr := theory.ShardedFPR(m, k, s, float64(n))
			return theory.WithHashFloor(fpr, theory.HashWidthFloor(64, float64(n)))
		},
		SD:        func(n uint64) float64 { return theory.ShardedInstanceSD(m, k, s, float64(n)) },
		Occupancy: func(n uint64) float64 { return theory.ShardedFill(m, k, s, float64(n)) },
	}, nil
}
