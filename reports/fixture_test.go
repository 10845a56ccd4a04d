package reports

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"time"

	"filterlab/filters/theory"
	"filterlab/harness"
	"filterlab/harness/stats"
)

// A made describes a variant of the fixture by what it would show.
type made struct {
	name          string
	fpr, sd       func(n, p float64) float64
	bits          func(n, p float64) float64 // per key
	heap          float64                    // times bits
	sized         bool                       // the model knows the bits
	k             int
	absent, stays float64 // ns of lookups
	removes       bool
	loses         float64 // share of members lost in a churn
}

func bloomFPR(_, p float64) float64                  { return 1.00395 * p }
func bloomSize(_, p float64) float64                 { return math.Ceil(1e6*theory.LowerBound(p)/math.Ln2) / 1e6 }
func none(_, _ float64) float64                      { return 0 }
func bloomSD(n, p float64) float64                   { return 3.8 * p / math.Sqrt(n*bloomSize(n, p)) }
func fixedBits(b float64) func(_, _ float64) float64 { return func(_, _ float64) float64 { return b } }

var fixtureVariants = []made{
	{"bloom", bloomFPR, bloomSD, bloomSize, 1.0005, true, 7, 14.1, 42.7, false, 0},
	{"counting", func(_, p float64) float64 { return p }, bloomSD, func(n, p float64) float64 { return 4 * bloomSize(n, p) }, 1.0003, true, 7, 19.6, 61.2, true, 0},
	{"cuckoo", func(_, _ float64) float64 { return 0.01488 }, none, fixedBits(16.777), 1.002, true, 0, 36.4, 33.8, true, 0},
	{"roaring", none, none, fixedBits(176.3), 7.1, false, 0, 101.2, 220.3, true, 0},
	{"partitioned", func(_, p float64) float64 { return 1.0001 * p }, bloomSD, bloomSize, 1.0006, true, 7, 12.9, 33.9, false, 0},
	{"classic", func(_, p float64) float64 { return p }, bloomSD, bloomSize, 1.0004, true, 7, 12.2, 31.8, false, 0},
	{"map", none, none, fixedBits(412), 1, false, 0, 58.3, 88.1, true, 0},
	{"null", func(_, _ float64) float64 { return 1 }, none, none, 1, true, 0, 1.9, 1.9, false, 0},
}

// fixture makes plausible results: counts drawn from the models, times with a few percent of noise.
func fixture(workload string, n uint64, p float64, trials int, variants []made) []harness.Result {
	h := fnv.New64a()
	h.Write([]byte(workload))
	rng := rand.New(rand.NewPCG(h.Sum64(), n))
	var out []harness.Result
	for _, v := range variants {
		var rows []harness.Result
		for trial := range trials {
			rows = append(rows, fixtureTrial(rng, v, workload, n, p, trial, trials))
		}
		out = append(out, judged(v, rows)...)
	}
	return out
}

func fixtureTrial(rng *rand.Rand, v made, workload string, n uint64, p float64, trial, trials int) harness.Result {
	fpr := v.fpr(float64(n), p)
	sd := v.sd(float64(n), p)
	instance := fpr + sd*rng.NormFloat64()
	r := harness.Result{
		Variant: v.name, Workload: workload, N: n, P: p, Seed: 1, Trial: trial, Held: n, Members: n,
		Strangers: 250_000, ModelFPR: &fpr, ModelSD: &sd, ModelFormula: "see THEORY.md", InstanceFPR: &instance,
		NegativesRule: "by construction: strangers are never added", K: v.k,
		Date:    time.Date(2026, 1, 2, 15, 4, 0, 0, time.UTC),
		Host:    harness.Host{CPU: "AMD EPYC 9R14", Cores: 2, Go: "go1.26.0", OS: "linux/amd64"},
		Command: "go run ./cmd/lab --workload " + workload, Commit: "e1b6ff2a0c1d",
	}
	if fpr == 0 {
		r.Strangers = uint64(1_000_000 / trials)
	}
	r.FalsePositives = binomial(rng, r.Strangers, instance)
	observed := float64(r.FalsePositives) / float64(r.Strangers)
	lo, hi := stats.ClopperPearson(r.FalsePositives, r.Strangers, level)
	r.FPR, r.FPRLo, r.FPRHi = &observed, &lo, &hi
	bits := v.bits(float64(n), p)
	heap := bits * v.heap * (1 + 0.001*rng.Float64())
	r.SizeBits, r.BitsPerKey, r.HeapBitsPerKey = uint64(bits*float64(n)), &bits, &heap
	size := uint64(heap * float64(n) / 8)
	r.HeapBytes = &size
	if v.sized {
		r.ModelBits = r.SizeBits
	}
	if v.k > 0 {
		fill := 0.5
		r.Occupancy, r.ModelOccupancy = &fill, &fill
	}
	wrong := theory.WrongAmongMaybe(0.5, observed)
	r.WrongAmong = &wrong
	r.Timings = fixtureTimings(rng, v)
	return r
}

func fixtureTimings(rng *rand.Rand, v made) []harness.Timing {
	noisy := func(op string, ns float64) harness.Timing {
		ns *= 1 + 0.04*rng.NormFloat64()
		lo, hi := 0.97*ns, 1.04*ns
		return harness.Timing{Op: op, Ops: 250_000, MedianNS: ns, LoNS: &lo, HiNS: &hi, FloorNS: 1.7 + 0.1*rng.Float64()}
	}
	out := []harness.Timing{noisy("add", 1.3*v.stays), noisy("member", v.stays), noisy("stranger", v.absent)}
	for _, percent := range []int{0, 25, 50, 75, 100} {
		share := float64(percent) / 100
		t := noisy(fmt.Sprintf("lookup%d", percent), theory.MixedLatency(share, v.absent, v.stays)*(1+share*(1-share)))
		t.Share = &share
		out = append(out, t)
	}
	return out
}

// judged writes the verdict of the case into its trials.
func judged(v made, rows []harness.Result) []harness.Result {
	if v.name == "null" {
		return rows
	}
	var evidence []stats.Trial
	for _, r := range rows {
		evidence = append(evidence, stats.Trial{Strangers: r.Strangers, FalsePositives: r.FalsePositives,
			Instance: *r.InstanceFPR, ModelFPR: *r.ModelFPR, ModelSD: *r.ModelSD})
	}
	j := stats.Judge(evidence)
	for i := range rows {
		rows[i].Verdict, rows[i].VerdictWhy = string(j.Verdict), j.Why
	}
	return rows
}

// churned turns results into those of a workload that deletes a third of the keys.
func churned(results []harness.Result, variants []made) []harness.Result {
	rng := rand.New(rand.NewPCG(2, 2))
	traits := map[string]made{}
	for _, v := range variants {
		traits[v.name] = v
	}
	for i := range results {
		r, v := &results[i], traits[results[i].Variant]
		r.DeletedProbes = r.N / 3
		r.DeletedMaybe = r.DeletedProbes
		if v.removes {
			r.DeletedMaybe = binomial(rng, r.DeletedProbes, *r.ModelFPR)
			r.Timings = append(r.Timings, harness.Timing{Op: "remove", Ops: 1000, MedianNS: 1.2 * v.stays, FloorNS: 1.8})
		}
		r.Timings = append(r.Timings, harness.Timing{Op: "deleted", Ops: 1000, MedianNS: v.absent, FloorNS: 1.8})
		if v.loses > 0 {
			lost := v.loses * float64(r.Members)
			r.LostPredicted, r.Provoked = &lost, true
			r.FalseNegatives = binomial(rng, r.Members, v.loses)
			r.DeletedMaybe = 0
		}
	}
	return results
}

// replayed turns results into those of a log.
func replayed(results []harness.Result, savable float64) []harness.Result {
	for i := range results {
		r := &results[i]
		r.Log = &harness.LogFacts{Events: 10_000, Keys: 1_512, Requests: 10_000, Absent: 213, AbsentKeys: 66,
			Savable: savable, Saved: savable * (1 - *r.FPR)}
		r.NegativesRule = "404 and 410 prove absence"
	}
	return results
}

// binomial draws the hits among n at a rate, by the normal approximation where it holds.
func binomial(rng *rand.Rand, n uint64, rate float64) uint64 {
	mean := float64(n) * rate
	if mean > 50 && mean < float64(n)-50 {
		return uint64(math.Max(0, math.Round(mean+math.Sqrt(mean*(1-rate))*rng.NormFloat64())))
	}
	if rate >= 1 {
		return n
	}
	hits := uint64(0)
	for at := rng.ExpFloat64(); at < mean; at += rng.ExpFloat64() {
		hits++
	}
	return min(hits, n)
}

// fixtureChurn is what a churn workload runs on: the variants and the harmful one.
func fixtureChurn() []made {
	harmful := fixtureVariants[5]
	harmful.name, harmful.loses = "classic:delete=clear", 0.9731
	return append(append([]made{}, fixtureVariants...), harmful)
}
