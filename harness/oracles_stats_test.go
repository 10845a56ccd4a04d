package harness_test

import (
	"math"
	"math/big"
	"strconv"
	"time"

	"filterlab/filters/theory"
	"filterlab/harness/stats"
)

// statOracles computes the vectors of the statistics.
var statOracles = map[string]oracle{
	"stat.clopper_pearson":        intervalOracle(stats.ClopperPearson),
	"stat.wilson":                 intervalOracle(stats.Wilson),
	"stat.samplesize_one":         sampleSizeOneOracle,
	"stat.samplesize_two":         sampleSizeTwoOracle,
	"stat.samplesize_tost":        sampleSizeTostOracle,
	"stat.instances_needed":       instancesOracle,
	"stat.binom_two_sided_p":      binomialOracle,
	"stat.pooled_conditional":     pooledOracle,
	"stat.holm":                   holmOracle,
	"stat.tost_binom":             tostOracle,
	"stat.mann_whitney":           mannWhitneyOracle,
	"stat.median_ci":              medianOracle,
	"stat.bootstrap_median_exact": bootstrapOracle,
	"stat.quantile_samples":       quantileOracle,
	"stat.effective_queries":      effectiveOracle,
	"lat.batch_size":              batchOracle,
	"lat.coordinated_omission":    omissionOracle,
}

func intervalOracle(f func(x, n uint64, conf float64) (lo, hi float64)) oracle {
	return func(a *oracleArgs) map[string]any {
		lo, hi := f(uint64(a.num("x")), uint64(a.num("n")), a.num("conf"))
		return map[string]any{"lo": lo, "hi": hi}
	}
}

func sampleSizeOneOracle(a *oracleArgs) map[string]any {
	p0, alpha := a.num("p0"), a.num("alpha")
	p1 := a.num("ratio") * p0
	need := stats.OneSample(p0, p1, alpha, a.num("power"))
	n := math.Ceil(need)
	more := math.Ceil(1.03 * need)
	test, larger := stats.NewExactTest(uint64(n), p0, alpha), stats.NewExactTest(uint64(more), p0, alpha)
	return map[string]any{
		"n_real": need, "n": n, "crit_low": float64(test.Low), "crit_high": test.High,
		"exact_size": test.Power(p0), "exact_power": test.Power(p1),
		"n_plus3pct": more, "exact_power_plus3pct": larger.Power(p1),
	}
}

func sampleSizeTwoOracle(a *oracleArgs) map[string]any {
	p0 := a.num("p0")
	n := stats.TwoSample(p0, a.num("ratio")*p0, a.num("alpha"), a.num("power"))
	return map[string]any{"n_real": n, "n": math.Ceil(n)}
}

func sampleSizeTostOracle(a *oracleArgs) map[string]any {
	n := stats.EquivalenceSample(a.num("p"), a.num("margin"), a.num("alpha"), a.num("power"))
	return map[string]any{"n_real": n, "n": math.Ceil(n)}
}

func instancesOracle(a *oracleArgs) map[string]any {
	m, k, n, queries := a.num("m"), a.num("k"), a.num("n"), a.num("queries")
	p, sd := theory.BloomFPR(m, k, n), theory.BloomInstanceSD(m, k, n)
	instances := stats.Instances(p, sd, queries, a.num("target_rel"))
	return map[string]any{
		"instance_sd": sd, "design_effect": stats.DesignEffect(p, sd, queries),
		"instances_real": instances, "instances": math.Ceil(instances),
		"share_instance_var": stats.InstanceShare(p, sd, queries),
	}
}

func binomialOracle(a *oracleArgs) map[string]any {
	return map[string]any{"p_value": stats.BinomialP(uint64(a.num("x")), uint64(a.num("n")), a.num("p"))}
}

func pooledOracle(a *oracleArgs) map[string]any {
	var counts []stats.Count
	rates := a.nums("f")
	for i, x := range a.nums("x") {
		counts = append(counts, stats.Count{Hits: uint64(x), Tries: uint64(a.num("queries")), Rate: rates[i]})
	}
	p := stats.Pool(counts)
	return map[string]any{"z": p.Z, "p_z": p.ZP, "chi2": p.Chi2, "p_chi2": p.Chi2P}
}

func holmOracle(a *oracleArgs) map[string]any {
	return map[string]any{"holm": stats.Holm(a.nums("p")), "bonferroni": stats.Bonferroni(a.nums("p"))}
}

func tostOracle(a *oracleArgs) map[string]any {
	e := stats.TostBinom(uint64(a.num("x")), uint64(a.num("n")), a.num("p"), a.num("margin"), a.num("alpha"))
	return map[string]any{
		"ci90_lo": e.InnerLo, "ci90_hi": e.InnerHi, "ci95_lo": e.OuterLo, "ci95_hi": e.OuterHi,
		"margin_lo": e.MarginLo, "margin_hi": e.MarginHi, "p_value": e.P, "verdict": e.Verdict,
	}
}

func mannWhitneyOracle(a *oracleArgs) map[string]any {
	u, p := stats.MannWhitney(a.nums("x"), a.nums("y"))
	return map[string]any{"U": u, "p_value": p}
}

func medianOracle(a *oracleArgs) map[string]any {
	l, u, coverage, ok := stats.MedianRanks(int(a.num("n")), a.num("conf"))
	if !ok {
		return map[string]any{"l": nil, "u": nil, "coverage": nil}
	}
	return map[string]any{"l": l, "u": u, "coverage": coverage}
}

func bootstrapOracle(a *oracleArgs) map[string]any {
	cdf, lo, hi := stats.BootstrapMedian(int(a.num("n")), 0.95)
	return map[string]any{"cdf": cdf, "lo_rank": lo, "hi_rank": hi}
}

func quantileOracle(a *oracleArgs) map[string]any {
	n := stats.QuantileSamples(complement(a.num("q")), a.num("conf"))
	return map[string]any{"n_real": n, "n": math.Ceil(n)}
}

// complement returns 1-q of the decimal that the vector gives, which 1-q of its float misses in the
// twelfth digit.
func complement(q float64) float64 {
	decimal, _ := new(big.Rat).SetString(strconv.FormatFloat(q, 'g', -1, 64))
	f, _ := decimal.Sub(big.NewRat(1, 1), decimal).Float64()
	return f
}

func effectiveOracle(a *oracleArgs) map[string]any {
	weights := make([]float64, int(a.num("N")))
	for i := range weights {
		weights[i] = math.Pow(float64(i+1), -a.num("s"))
	}
	return map[string]any{"n_eff": stats.EffectiveQueries(weights)}
}

func batchOracle(a *oracleArgs) map[string]any {
	clock, op := a.num("timer_ns"), a.num("op_ns")
	return map[string]any{"batch": stats.BatchSize(clock, op, a.num("rel")), "per_op_inflation": clock / op}
}

// omissionOracle replays a closed loop that answers at a steady rate and then stalls once.
func omissionOracle(a *oracleArgs) map[string]any {
	seconds := func(name string) time.Duration { return time.Duration(math.Round(a.num(name) * 1e9)) }
	interval := time.Duration(math.Round(1e9 / a.num("rate")))
	var naive []time.Duration
	for range int(math.Round(a.num("rate") * a.num("good_s"))) {
		naive = append(naive, seconds("service_s"))
	}
	good := len(naive)
	naive = append(naive, seconds("stall_s"))
	corrected := stats.CorrectOmission(naive, interval)
	return map[string]any{
		"naive_mean": meanSeconds(naive), "corrected_mean": meanSeconds(corrected), "corrected_count": len(corrected),
		"fraction_affected": float64(len(corrected)-good) / float64(len(corrected)),
	}
}

func meanSeconds(latencies []time.Duration) float64 {
	var sum time.Duration
	for _, l := range latencies {
		sum += l
	}
	return sum.Seconds() / float64(len(latencies))
}
