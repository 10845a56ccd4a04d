package harness_test

import "filterlab/filters/theory"

var sizeOracles = map[string]oracle{
	"cuckoo.bits_per_key": func(a *oracleArgs) map[string]any {
		p := a.num("eps")
		c := theory.SizeCuckoo(p, a.num("b"), a.num("load"))
		return map[string]any{
			"paper_bits": c.Paper, "f_needed": c.Fingerprint, "bits": c.PerKey,
			"bits_semisort":  when(c.CanSemiSort, c.SemiSorted),
			"f_needed_tight": when(c.TargetWithin, c.Tight), "bits_tight": when(c.TargetWithin, c.TightPerKey),
			"bloom_bits": theory.SizeBloom(1, p).BitsPerKey, "lower_bound": theory.LowerBound(p),
		}
	},
	"cuckoo.sizing": func(a *oracleArgs) map[string]any {
		n := a.num("n")
		keys := uint64(n)
		out := map[string]any{}
		for _, t := range []struct {
			name, suffix   string
			buckets, slots uint64
		}{
			{"efficient", "", theory.CuckooBucketsEfficient(keys), 4},
			{"redis", "_b2", theory.CuckooBucketsRedis(keys, 2), 2},
			{"redis", "_b4", theory.CuckooBucketsRedis(keys, 4), 4},
			{"seiflotfy", "", theory.CuckooBucketsSeiflotfy(keys), 4},
		} {
			out[t.name+"_buckets"+t.suffix] = t.buckets
			out[t.name+"_load"+t.suffix] = n / float64(t.buckets*t.slots)
		}
		return out
	},
	"redis.cuckoo": func(a *oracleArgs) map[string]any {
		r := theory.SizeRedisCuckoo(uint64(a.num("capacity")), uint64(a.num("bucket_size")), uint64(a.num("expansion")), int(a.num("nfilters")))
		return map[string]any{"buckets": r.Buckets, "size": r.Size, "slots": r.Slots, "fpr_full_bound": r.FullFPR}
	},
	"cuckoo.pow2_waste": func(a *oracleArgs) map[string]any {
		most := 1.0
		if a.has("load_max") {
			most = a.num("load_max")
		}
		w := theory.CuckooPowerOfTwoWaste(a.str("dist") == "uniform", most)
		return map[string]any{
			"mean_load_ratio": w.MeanLoad / most, "mean_size_ratio": w.MeanSize * most,
			"mean_load": w.MeanLoad, "mean_size_factor": w.MeanSize, "worst_load": w.WorstLoad,
		}
	},
	"xor.size": func(a *oracleArgs) map[string]any {
		n, w := a.num("n"), a.num("w")
		slots := theory.XorSlots(uint64(n))
		bits, fpr := float64(slots)*w/n, theory.FingerprintFPR(w)
		return map[string]any{"slots": slots, "bits_per_key": bits, "fpr": fpr, "wasted": theory.Overhead(bits, fpr)}
	},
	"bfuse.size": func(a *oracleArgs) map[string]any {
		n := a.num("n")
		l := theory.SizeFuse(uint64(n), int(a.num("arity")))
		factor := float64(l.Slots) / n
		return map[string]any{
			"slots": l.Slots, "segment_length": l.SegmentLength, "segment_count": l.SegmentCount,
			"bits_per_key_8": 8 * factor, "bits_per_key_16": 16 * factor, "factor": factor,
		}
	},
	"fingerprint.fpr": func(a *oracleArgs) map[string]any {
		return map[string]any{"fpr": theory.FingerprintFPR(a.num("w"))}
	},
	"ribbon.rocksdb": func(a *oracleArgs) map[string]any {
		n := a.num("n")
		slots := theory.RibbonSlots(uint64(n))
		over := float64(slots) / n
		return map[string]any{
			"slots": slots, "overhead": over, "bits_per_key_7cols": 7 * over,
			"bits_per_key_1pct":  over * theory.RibbonBitsPerSlot(0.01),
			"bits_per_key_01pct": over * theory.RibbonBitsPerSlot(0.001),
		}
	},
	"bound.static": func(a *oracleArgs) map[string]any {
		universe, n, p := a.num("U"), a.num("n"), a.num("eps")
		return map[string]any{
			"ideal_bits_per_key": theory.LowerBound(p), "finite_bits_per_key": theory.LowerBoundFinite(universe, n, p),
			"exact_set_bits_per_key": theory.LowerBoundExact(universe, n),
		}
	},
	"bound.dynamic": func(a *oracleArgs) map[string]any {
		n, p := a.num("n"), a.num("eps")
		return map[string]any{
			"bits_per_key": theory.LowerBoundDynamic(n, p), "asymptotic": theory.LowerBoundDynamicLimit(p),
			"static": theory.LowerBound(p),
		}
	},
	"metric.wasted": func(a *oracleArgs) map[string]any {
		return map[string]any{"wasted": theory.Overhead(a.num("bits_per_key"), a.num("fpr"))}
	},
	"sbf.compound": func(a *oracleArgs) map[string]any {
		fpr, sum, limit := theory.ScalableFPR(a.num("p0"), a.num("r"), int(a.num("stages")))
		return map[string]any{"fpr": fpr, "sum_bound": sum, "limit_bound": limit}
	},
	"sbf.memory": func(a *oracleArgs) map[string]any {
		z := theory.SizeScalable(a.num("n0"), a.num("s"), a.num("r"), a.num("p0"), int(a.num("stages")))
		return map[string]any{
			"capacity": z.Capacity, "bits": z.Bits, "bits_per_key": z.BitsPerKey,
			"fixed_bits_per_key": z.FixedBitsPerKey, "ratio": z.Ratio, "probes_max": z.Probes,
		}
	},
	"redis.bf_link": func(a *oracleArgs) map[string]any {
		l := theory.SizeRedisLink(uint64(a.num("entries")), a.num("error"))
		return map[string]any{
			"bpe": l.BitsPerEntry, "k": l.Hashes, "bytes": l.Bytes, "bits": l.Bits,
			"fpr_classic_at_capacity": l.FullFPR, "memusage_single": l.InfoSize(),
		}
	},
	"redis.bf_chain": func(a *oracleArgs) map[string]any {
		c := theory.GrowRedisChain(uint64(a.num("capacity")), a.num("error"), uint64(a.num("expansion")), uint64(a.num("n")))
		return map[string]any{
			"nfilters": c.Filters, "capacity_total": c.Capacity, "data_bytes": c.DataBytes, "bf_info_size": c.InfoSize,
			"fpr": c.FPR, "total_hashes_worst": c.Probes, "fixed_bytes": c.FixedBytes,
			"ratio_vs_fixed": float64(c.DataBytes) / float64(c.FixedBytes),
		}
	},
	"rocksdb.bloom": func(a *oracleArgs) map[string]any {
		b := theory.SizeRocksDBBloom(uint64(a.num("n")), a.num("bits_per_key"))
		return map[string]any{
			"millibits": b.Millibits, "bytes": b.Bytes, "k": b.Hashes, "estimate": b.Estimate,
			"blocked_exact": theory.BlockedFPR(theory.BlockExact, 512, float64(b.Hashes), a.num("bits_per_key")),
		}
	},
	"roaring.container": func(a *oracleArgs) map[string]any {
		c := theory.SizeRoaringContainer(a.num("card"), a.num("runs"))
		return map[string]any{"plain_bytes": c.Plain, "run_bytes": c.Run, "best_bytes": c.Best, "best": c.Kind}
	},
	"roaring.uniform": func(a *oracleArgs) map[string]any {
		n := a.num("n")
		bytes, containers := theory.RoaringUniform(n)
		return map[string]any{
			"bytes": bytes, "bytes_per_key": bytes / n, "bits_per_key": 8 * bytes / n,
			"mean_card": n / (1 << 16), "expected_containers": containers,
		}
	},
	"roaring.run_crossover": func(a *oracleArgs) map[string]any {
		if _, named := a.in["card"].(string); named {
			return map[string]any{"p": theory.RoaringRunCrossover()}
		}
		runs := theory.RoaringRuns(a.num("card"))
		c := theory.SizeRoaringContainer(a.num("card"), runs)
		return map[string]any{"expected_runs": runs, "run_bytes": c.Run, "plain_bytes": c.Plain}
	},
	"roaring.sequential": func(a *oracleArgs) map[string]any {
		n := a.num("n")
		s := theory.SizeRoaringSequence(uint64(n))
		return map[string]any{
			"containers": s.Containers, "go_v2_plain_bytes": s.Go, "plain_bytes": s.Plain, "run_bytes": s.Runs,
			"plain_bytes_per_key": float64(s.Plain) / n, "run_bytes_per_key": float64(s.Runs) / n,
		}
	},
	"roaring.clustered": func(a *oracleArgs) map[string]any {
		card := a.num("runs") * a.num("run_len")
		c := theory.SizeRoaringContainer(card, a.num("runs"))
		return map[string]any{"card": card, "best_bytes": c.Best, "bytes_per_key": c.Best / card}
	},
	"roaring.hash_fpr": func(a *oracleArgs) map[string]any {
		c := theory.CollideHashes(a.num("w"), a.num("n"))
		return map[string]any{
			"fpr": theory.HashWidthFloor(a.num("w"), a.num("n")), "expected_pairs": c.Pairs,
			"expected_lost": c.Lost, "p_no_collision": c.None,
		}
	},
	"roaring64.random": func(a *oracleArgs) map[string]any {
		bytes, bitmaps := theory.Roaring64Random(a.num("n"))
		return map[string]any{"buckets": bitmaps, "bytes": bytes, "bytes_per_key": bytes / a.num("n")}
	},
}

var workloadOracles = map[string]oracle{
	"cost.guard": func(a *oracleArgs) map[string]any {
		q, f, filter, store := a.num("q"), a.num("f"), a.num("t_filter"), a.num("t_store")
		saved, cost := theory.GuardSaved(q, f), theory.GuardCost(q, f, filter, store)
		return map[string]any{
			"saved_share": saved, "store_share": theory.MaybeRate(q, f), "cost_with": cost, "cost_without": store,
			"speedup": store / cost, "breakeven_ratio": saved, "breakeven_q": finite(theory.GuardBreakEven(f, filter, store)),
		}
	},
	"cost.rho": func(a *oracleArgs) map[string]any {
		work := a.num("t_w")
		rhoA := theory.NegativeCost(a.num("tl_a"), a.num("f_a"), work)
		rhoB := theory.NegativeCost(a.num("tl_b"), a.num("f_b"), work)
		best := "a"
		if rhoB < rhoA {
			best = "b"
		}
		cross := theory.CrossoverWork(a.num("tl_a"), a.num("f_a"), a.num("tl_b"), a.num("f_b"))
		return map[string]any{"rho_a": rhoA, "rho_b": rhoB, "crossover_tw": finite(cross), "best": best}
	},
	"cost.optimal_k": func(a *oracleArgs) map[string]any {
		k, cost := theory.OptimalHashes(a.num("t_probe"), a.num("t_w"))
		return map[string]any{"k_star": k, "rho_min": cost}
	},
	"cost.expected_probes": func(a *oracleArgs) map[string]any {
		return map[string]any{"probes": theory.ExpectedProbes(a.num("fill"), int(a.num("k")))}
	},
	"cost.fdr": func(a *oracleArgs) map[string]any {
		q, f := a.num("q"), a.num("f")
		return map[string]any{"fdr": theory.WrongAmongMaybe(q, f), "maybe_rate": theory.MaybeRate(q, f)}
	},
	"cache.uniform": func(a *oracleArgs) map[string]any {
		return map[string]any{"hit": theory.CacheUniformHit(a.num("C"), a.num("K"))}
	},
	"cache.uniform_cold": func(a *oracleArgs) map[string]any {
		return map[string]any{"hits": theory.CacheColdHits(a.num("K"), a.num("N"))}
	},
	"cache.che_zipf": func(a *oracleArgs) map[string]any {
		t, hit := theory.CacheCheHit(a.num("N"), a.num("s"), a.num("C"))
		return map[string]any{"T": finite(t), "hit": hit}
	},
	"cache.che_attack": func(a *oracleArgs) map[string]any {
		keys, s, entries, attack := a.num("N"), a.num("s"), a.num("C"), a.num("attack")
		rest := theory.AttackBehindFilter(attack, 0.01)
		t, hit := theory.CacheAttackedHit(keys, s, entries, attack)
		_, guarded := theory.CacheAttackedHit(keys, s, entries, rest)
		return map[string]any{
			"T": finite(t), "hit_good": hit, "hit_good_with_filter_f001": guarded, "attack_share_after_filter": rest,
		}
	},
}
