package harness_test

import (
	"math"

	"filterlab/filters/theory"
)

// oracleSeed starts every simulation of the oracles.
const oracleSeed = 1

// sampled returns the mean of xs and their sample standard deviation as estimates.
func sampled(xs []float64) (mean, sd estimate) {
	n := float64(len(xs))
	for _, x := range xs {
		mean.value += x / n
	}
	var second, fourth float64
	for _, x := range xs {
		d := (x - mean.value) * (x - mean.value)
		second += d / n
		fourth += d * d / n
	}
	mean.reps, sd.reps = len(xs), len(xs)
	mean.per, sd.per = 1, 1/math.Sqrt2
	sd.value = math.Sqrt(second * n / max(1, n-1))
	mean.se = sd.value / math.Sqrt(n)
	if second > 0 {
		sd.se = math.Sqrt((fourth-second*second)/n) / (2 * math.Sqrt(second))
	}
	return mean, sd
}

// simulateBloom runs a simulation and returns the mean FPR and the mean fill ratio.
func simulateBloom(a *oracleArgs, instances, queries int) (fpr, fill estimate) {
	m, k, n, kind := a.num("m"), a.num("k"), a.num("n"), theory.IndexScheme(a.str("kind"))
	var rates, fills []float64
	for _, r := range theory.SimulateBloom(kind, uint64(m), uint64(k), uint64(n), instances, queries, oracleSeed) {
		rates = append(rates, r.FPR)
		fills = append(fills, float64(r.Ones)/m)
	}
	fpr, _ = sampled(rates)
	fill, sd := sampled(fills)
	// The vector does not say over how many instances, but its se is at least the spread between
	// instances over the root of their number.
	fill.per = sd.value / theory.BloomInstanceSD(m, k, n)
	if kind != theory.Independent { // few events say little about their own spread
		asked := float64(instances) * float64(queries)
		fpr.se = max(fpr.se, math.Sqrt(max(1, fpr.value*asked))/asked)
	}
	return fpr, fill
}

// scaled returns x times factor.
func scaled(x estimate, factor float64) estimate {
	return estimate{x.value * factor, x.se * factor, x.reps, x.per * factor}
}

func firstOrder(a *oracleArgs) any {
	m, k, n, kind := a.num("m"), a.num("k"), a.num("n"), theory.IndexScheme(a.str("kind"))
	_, ok := theory.DoubleHashExtra(kind, m, k, n)
	return when(ok, theory.DoubleHashFPR(kind, m, k, n))
}

func doubleHashing(a *oracleArgs) map[string]any {
	m, k, n := a.num("m"), a.num("k"), a.num("n")
	instances := a.work(max(200, int(1.2e6/(k*n))), max(100, int(2e5/(k*n))))
	fpr, fill := simulateBloom(a, instances, a.work(2e6, 3e5)/instances)
	ideal := theory.BloomFPR(m, k, n)
	over := fpr
	over.value -= ideal
	return map[string]any{
		"fpr": fpr, "mean_fill": fill, "F_std": ideal, "first_order": firstOrder(a),
		"excess_coeff": scaled(over, m), "rel_excess": scaled(over, 1/ideal),
	}
}

func doubleHashingSmallP(a *oracleArgs) map[string]any {
	instances := a.work(200, 40)
	fpr, fill := simulateBloom(a, instances, a.work(1.2e7, 1.5e6)/instances)
	ideal := theory.BloomFPR(a.num("m"), a.num("k"), a.num("n"))
	return map[string]any{
		"fpr": fpr, "mean_fill": fill, "F_std": ideal, "ratio": scaled(fpr, 1/ideal), "first_order": firstOrder(a),
	}
}

func firstFailure(a *oracleArgs) map[string]any {
	b, buckets := int(a.num("b")), int(a.num("buckets"))
	reps := a.work(min(40, max(3, 3<<20/(b*buckets))), max(2, 1<<18/(b*buckets)))
	loads := make([]float64, reps)
	for i := range loads {
		loads[i] = theory.SimulateCuckooFirstFailure(int(a.num("f")), b, buckets, int(a.num("kicks")), oracleSeed+uint64(i))
	}
	load, sd := sampled(loads)
	return map[string]any{"load": load, "sd": sd}
}

// extra covers the simulations that stand outside a group of their own.
func extra(a *oracleArgs) map[string]any {
	switch what := a.str("what"); what {
	case "fingerprint.fpr":
		return map[string]any{"fpr": estimate{value: theory.FingerprintFPR(a.num("w")), per: 1}, "sd": 0.0}
	case "mc.sbbf_parquet_salts": // one instance: its own deviation is in the vector
		blocks, n := a.num("blocks"), a.num("n")
		return map[string]any{
			"fpr": estimate{value: theory.SBBFFiniteFPR(blocks, n), se: theory.SBBFInstanceSD(blocks, n), per: 1},
			"sd":  0.0,
		}
	case "mc.estimate_n":
		m, k, n := a.num("m"), a.num("k"), a.num("n")
		var guesses []float64
		for _, r := range theory.SimulateBloom(theory.Independent, uint64(m), uint64(k), uint64(n), a.work(4000, 1000), 0, oracleSeed) {
			guess, _ := theory.BloomEstimateN(m, k, float64(r.Ones))
			guesses = append(guesses, guess)
		}
		hat, sd := sampled(guesses)
		return map[string]any{"n_hat": hat, "sd": sd}
	default:
		a.t.Fatalf("mc.extra: no simulation %q", what)
		return nil
	}
}

var simulatedOracles = map[string]oracle{
	"mc.extra":                     extra,
	"mc.cuckoo_first_failure":      firstFailure,
	"bloom.double_hashing":         doubleHashing,
	"bloom.double_hashing_small_p": doubleHashingSmallP,
}
