package harness_test

import (
	"maps"
	"math"

	"filterlab/filters/theory"
)

// theoryOracles computes the vectors of the formulas.
var theoryOracles = merged(bloomOracles, simulatedOracles, familyOracles, sizeOracles, workloadOracles)

func merged(tables ...map[string]oracle) map[string]oracle {
	all := map[string]oracle{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

// finite returns x, or nil where it stands for "not applicable".
func finite(x float64) any {
	if math.IsInf(x, 0) {
		return nil
	}
	return x
}

// when returns x, or nil where ok says that it is not applicable.
func when(ok bool, x float64) any {
	if !ok {
		return nil
	}
	return x
}

var bloomOracles = map[string]oracle{
	"bloom.size": func(a *oracleArgs) map[string]any {
		s := theory.SizeBloom(a.num("n"), a.num("p"))
		bytes, words := s.Bytes()
		return map[string]any{
			"m_real": s.Bits, "m_ceil": s.BitsCeil, "m_floor": s.BitsFloor, "bits_per_key": s.BitsPerKey,
			"k_opt": s.Hashes, "k_round": s.HashesRound, "k_guava_now": s.HashesGuava,
			"k_bab": s.HashesBitsUp, "k_boom": s.HashesCeil, "bytes_ceil": bytes, "bytes_words64": words,
			"mib": s.BitsCeil / 8 / (1 << 20), "mb": s.BitsCeil / 8 / 1e6,
		}
	},
	"bloom.fpr_classic": func(a *oracleArgs) map[string]any {
		return map[string]any{"fpr": theory.BloomClassicFPR(a.num("m"), a.num("k"), a.num("n"))}
	},
	"bloom.fpr_mean_fill": func(a *oracleArgs) map[string]any {
		return map[string]any{"fpr": theory.BloomMeanFillFPR(a.num("m"), a.num("k"), a.num("n"))}
	},
	"bloom.fpr_exact": func(a *oracleArgs) map[string]any {
		m, k, n := a.num("m"), a.num("k"), a.num("n")
		return map[string]any{
			"fpr": theory.BloomExactFPR(m, k, n), "classic": theory.BloomClassicFPR(m, k, n),
			"mean_fill_pow_k": theory.BloomMeanFillFPR(m, k, n), "second_order": theory.BloomSecondOrderFPR(m, k, n),
			"rel_excess_over_classic": theory.BloomExcess(m, k, n),
		}
	},
	"bloom.fpr_exact_distinct": func(a *oracleArgs) map[string]any {
		m, k, n := a.num("m"), a.num("k"), a.num("n")
		return map[string]any{
			"fpr": theory.BloomExactDistinctFPR(m, k, n), "with_replacement": theory.BloomFPR(m, k, n),
		}
	},
	"bloom.fill": func(a *oracleArgs) map[string]any {
		m, k, n := a.num("m"), a.num("k"), a.num("n")
		mean, sd := theory.BloomFill(m, k, n)
		return map[string]any{
			"mean_fill": mean, "sd_fill": sd, "var_bits": sd * m * sd * m,
			"var_bits_asymptotic": theory.OccupancyVarAsymptotic(m, k*n),
		}
	},
	"bloom.instance_fpr_sd": func(a *oracleArgs) map[string]any {
		m, k, n := a.num("m"), a.num("k"), a.num("n")
		mean, sd := theory.BloomFPR(m, k, n), theory.BloomInstanceSD(m, k, n)
		return map[string]any{
			"mean": mean, "sd": sd, "rel_sd": sd / mean, "sd_delta": theory.BloomInstanceSDDelta(m, k, n),
			"queries_where_binomial_var_equals_instance_var": theory.QueriesMatchingInstances(mean, sd),
		}
	},
	"bloom.fpr_given_fill": func(a *oracleArgs) map[string]any {
		return map[string]any{"fpr": theory.BloomFillFPR(a.num("m"), a.num("k"), a.num("ones"))}
	},
	"bloom.estimate_n": func(a *oracleArgs) map[string]any {
		n, sd := theory.BloomEstimateN(a.num("m"), a.num("k"), a.num("ones"))
		return map[string]any{"n_hat": finite(n), "sd": finite(sd)}
	},
	"bloom.overfill": func(a *oracleArgs) map[string]any {
		fpr, fill := theory.BloomOverfill(a.num("m"), a.num("k"), a.num("n"), a.num("x"))
		return map[string]any{"fpr": fpr, "fill": fill}
	},
	"bloom.capacity_for_fpr": func(a *oracleArgs) map[string]any {
		return map[string]any{"n_max": theory.BloomCapacity(a.num("m"), a.num("k"), a.num("p"))}
	},
	"bloom.union_intersection": func(a *oracleArgs) map[string]any {
		s := theory.BloomSetOperation(a.num("m"), a.num("k"), a.num("a"), a.num("b"), a.num("shared"))
		return map[string]any{
			"fill_or": s.FillOr, "fill_and": s.FillAnd, "fill_true_intersection": s.FillIntersection,
			"fpr_or": s.FPROr, "fpr_and": s.FPRAnd, "fpr_true_intersection": s.FPRIntersection,
		}
	},
	"bloom.duplicates": func(a *oracleArgs) map[string]any {
		distinct, repeated := theory.DistinctDraws(a.num("universe"), a.num("draws"))
		return map[string]any{"distinct": distinct, "dup_fraction": repeated}
	},
	"bloom.already_present_while_building": func(a *oracleArgs) map[string]any {
		m, k, n := a.num("m"), a.num("k"), a.num("n")
		classic := theory.AlreadyPresent(m, k, n, theory.BloomClassicFPR)
		return map[string]any{
			"expected_classic": classic, "fraction_classic": classic / n,
			"expected_exact": theory.AlreadyPresent(m, k, n, theory.BloomFPR),
		}
	},
	"bloom.double_hashing_first_order": func(a *oracleArgs) map[string]any {
		m, k, n := a.num("m"), a.num("k"), a.num("n")
		ideal := theory.BloomFPR(m, k, n)
		extra, _ := theory.DoubleHashExtra(theory.IndexScheme(a.str("kind")), m, k, n)
		return map[string]any{
			"F_std": ideal, "first_order": theory.DoubleHashFPR(theory.IndexScheme(a.str("kind")), m, k, n),
			"extra": extra, "rel": extra / ideal, "coeff": extra * m,
		}
	},
	"hash.width_floor": func(a *oracleArgs) map[string]any {
		q := theory.HashWidthFloor(a.num("hash_bits"), a.num("n"))
		return map[string]any{"q": q, "total": theory.WithHashFloor(a.num("p"), q)}
	},
	"partitioned.fpr": func(a *oracleArgs) map[string]any {
		s, k, n := a.num("s"), a.num("k"), a.num("n")
		fpr, sd := theory.PartitionedFPR(s, k, n), theory.PartitionedInstanceSD(s, k, n)
		return map[string]any{
			"fpr": fpr, "classic": theory.PartitionedClassicFPR(s, k, n), "standard_exact_same_m": theory.BloomExactFPR(s*k, k, n),
			"rel_vs_standard": theory.PartitionedExcess(s, k, n), "slice_fill": theory.PartitionedFPR(s, 1, n),
			"instance_sd": sd, "rel_sd": sd / fpr,
		}
	},
}
