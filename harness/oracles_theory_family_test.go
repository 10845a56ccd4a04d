package harness_test

import (
	"math"

	"filterlab/filters/theory"
)

var familyOracles = map[string]oracle{
	"blocked.fpr": func(a *oracleArgs) map[string]any {
		b, k, bits := a.num("B"), a.num("k"), a.num("bits_per_key")
		return map[string]any{
			"exact":            theory.BlockedFPR(theory.BlockExact, b, k, bits),
			"putze":            theory.BlockedFPR(theory.BlockMean, b, k, bits),
			"distinct":         theory.BlockedFPR(theory.BlockDistinct, b, k, bits),
			"standard_classic": theory.BloomClassicFPR(bits, k, 1),
			"rocksdb_estimate": theory.RocksDBBlockedFPR(b, k, bits),
		}
	},
	"blocked.fpr_finite": func(a *oracleArgs) map[string]any {
		b, k, blocks, n := a.num("B"), a.num("k"), a.num("blocks"), a.num("n")
		return map[string]any{
			"fpr":     theory.BlockedFiniteFPR(theory.BlockExact, b, k, blocks, n),
			"poisson": theory.BlockedFPR(theory.BlockExact, b, k, b*blocks/n),
		}
	},
	"blocked.bits_for_fpr": func(a *oracleArgs) map[string]any {
		bits, k := theory.BlockedBits(a.num("B"), a.num("p"))
		standard := theory.SizeBloom(1, a.num("p")).BitsPerKey
		return map[string]any{"bits_per_key": bits, "k": k, "standard_bits": standard, "overhead": bits/standard - 1}
	},
	"blocked.instance_sd": func(a *oracleArgs) map[string]any {
		b, k, bits, blocks := a.num("B"), a.num("k"), a.num("bits_per_key"), a.num("blocks")
		mean, sd := theory.SBBFFPR(bits), theory.SBBFInstanceSD(blocks, blocks*b/bits)
		if a.str("kind") == "blocked" {
			mean = theory.BlockedFPR(theory.BlockExact, b, k, bits)
			sd = theory.BlockedInstanceSD(theory.BlockExact, b, k, blocks, blocks*b/bits)
		}
		return map[string]any{"mean": mean, "sd": sd, "rel_sd": sd / mean}
	},
	"sbbf.fpr": func(a *oracleArgs) map[string]any {
		bits := a.num("bits_per_key")
		return map[string]any{"fpr": theory.SBBFFPR(bits), "parquet_classic": theory.SBBFParquetFPR(bits)}
	},
	"sbbf.fpr_finite": func(a *oracleArgs) map[string]any {
		return map[string]any{"fpr": theory.SBBFFiniteFPR(a.num("blocks"), a.num("n"))}
	},
	"sbbf.bits_for_fpr": func(a *oracleArgs) map[string]any {
		p := a.num("p")
		parquet := theory.SBBFParquetBits(p)
		return map[string]any{
			"bits_per_key": theory.SBBFBits(p), "parquet_bits_per_key": parquet,
			"fpr_if_parquet_sized": theory.SBBFFPR(parquet), "ideal_bits": theory.LowerBound(p),
		}
	},
	"cbf.counter_tail": func(a *oracleArgs) map[string]any {
		m, k, n, j := a.num("m"), a.num("k"), a.num("n"), a.num("j")
		tail, bound := theory.CountingOverflow(m, k, n, j), theory.CountingOverflowBound(m, k, n, j)
		return map[string]any{
			"p_counter": tail, "poisson": theory.CountingOverflowPoisson(m, k, n, j), "fan_bound_counter": bound,
			"expected_counters": m * tail, "fan_bound_any": m * bound,
		}
	},
	"cbf.fan_constant": func(a *oracleArgs) map[string]any {
		return map[string]any{
			"bound":        theory.CountingOverflowBound(1, 1, math.Ln2, a.num("j")),
			"poisson_tail": theory.CountingOverflowPoisson(1, 1, math.Ln2, a.num("j")),
		}
	},
	"cbf.wrong_delete": func(a *oracleArgs) map[string]any {
		m, k, n := a.num("m"), a.num("k"), a.num("n")
		return map[string]any{
			"lam": k * n / m, "p_one_given_nonzero": theory.CountingOneGivenNonzero(m, k, n),
			"fn_per_wrong_delete": theory.CountingWrongDeleteLoss(m, k, n),
			"fn_per_blind_delete": theory.CountingBlindDeleteLoss(m, k, n),
		}
	},
	"cbf.fn_rate_after_blind_deletes": func(a *oracleArgs) map[string]any {
		n := a.num("n")
		fnr, q := theory.CountingBlindDeletesFNR(a.num("m"), a.num("k"), n, a.num("w"))
		return map[string]any{"q_counter": q, "fn_rate": fnr, "expected_fn": n * fnr}
	},
	"cbf.memory": func(a *oracleArgs) map[string]any {
		n, bits := a.num("n"), a.num("counter_bits")
		counters, k, bytes := theory.CountingSize(n, a.num("p"), bits)
		return map[string]any{
			"counters": counters, "k": k, "bytes": bytes, "bits_per_key": counters * bits / n,
			"fpr_after": theory.BloomClassicFPR(counters, k, n-a.num("deleted")),
		}
	},
	"cuckoo.fpr": func(a *oracleArgs) map[string]any {
		f, b, load, tags := a.num("f"), a.num("b"), a.num("load"), theory.TagMap(a.str("tagmap"))
		collision := tags.Collision(f)
		return map[string]any{
			"fpr": theory.CuckooLoadFPR(tags, f, b, load), "paper_loaded": theory.CuckooPaperFPR(f, b, load),
			"paper_bound": theory.CuckooPaperFPR(f, b, 1), "collision_prob": collision, "linear": 2 * b * load * collision,
		}
	},
	"cuckoo.fpr_finite": func(a *oracleArgs) map[string]any {
		f, buckets, n, tags := a.num("f"), a.num("buckets"), a.num("n"), theory.TagMap(a.str("tagmap"))
		fpr := theory.CuckooFiniteFPR(tags, f, buckets, n)
		sd := theory.CuckooInstanceSD(math.Exp2(f)-1, buckets, n)
		uniform := tags == theory.TagUniformNonzero
		return map[string]any{
			"fpr": fpr, "load": n / (buckets * a.num("b")),
			"instance_sd": when(uniform, sd), "rel_sd": when(uniform, sd/fpr),
		}
	},
	"cuckoo.load_threshold": func(a *oracleArgs) map[string]any {
		load, ok := theory.CuckooPracticalLoad(int(a.num("b")))
		return map[string]any{"alpha": theory.CuckooThreshold(a.num("b")), "paper_practical": when(ok, load)}
	},
	"cuckoo.overfull_class": func(a *oracleArgs) map[string]any {
		load, expected := theory.CuckooOverfullClasses(math.Exp2(a.num("f"))-1, a.num("b"), a.num("buckets"), a.num("n"))
		return map[string]any{"class_load": load, "expected_overfull": expected}
	},
	"cuckoo.wrong_delete": func(a *oracleArgs) map[string]any {
		// a table of one bucket holds b*load keys
		tags, keys := math.Exp2(a.num("f"))-1, a.num("b")*a.num("load")
		load, _ := theory.CuckooOverfullClasses(tags, a.num("b"), 1, keys)
		return map[string]any{"class_load": load, "fn_per_wrong_delete": theory.CuckooWrongDeleteLoss(tags, 1, keys)}
	},
}
