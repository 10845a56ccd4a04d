package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// A simulation draws cases whose instances have rates of their own, normally distributed, and whose
// false positives are binomial. truth is the mean rate over the model's.
type simulation struct {
	name      string
	rate, sd  float64 // the model's
	truth     float64
	trials    int
	strangers uint64 // of each trial
}

// draw returns the trials of one case.
func (s simulation) draw(rng *rand.Rand, trials []Trial) {
	for i := range trials {
		rate := s.truth * s.rate
		if s.sd > 0 {
			rate = max(0, rate+s.sd*rng.NormFloat64())
		}
		hits := distuv.Binomial{N: float64(s.strangers), P: rate, Src: rng}.Rand()
		trials[i] = Trial{Strangers: s.strangers, FalsePositives: uint64(hits), Instance: rate, ModelFPR: s.rate, ModelSD: s.sd}
	}
}

// verdicts counts the verdicts of many cases.
func (s simulation) verdicts(cases int) map[Verdict]int {
	rng := rand.New(rand.NewPCG(20, uint64(s.trials)))
	trials := make([]Trial, s.trials)
	seen := map[Verdict]int{}
	for range cases {
		s.draw(rng, trials)
		seen[Judge(trials).Verdict]++
	}
	return seen
}

// work returns full, or a fifth under -short.
func work(full int) int {
	if testing.Short() {
		return full / 5
	}
	return full
}

// soundFlags is the claim: a sound case is above or below once in this many.
const soundFlags = 15_000

func TestSoundCasesAreSeldomFlagged(t *testing.T) {
	for _, s := range []simulation{
		{"25,000 events", 0.01, 0, 1, 4, 625_000},
		{"instances that differ", 0.01, 0.0002, 1, 4, 625_000},
		{"instances that differ much", 0.02, 0.002, 1, 5, 100_000},
		{"5,000 events of a rare rate", 0.0001, 0.000001, 1, 4, 12_500_000},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			cases := work(400_000)
			seen := s.verdicts(cases)
			flagged := float64(seen[Above] + seen[Below])
			poisson := distuv.Poisson{Lambda: float64(cases) / soundFlags}
			if poisson.CDF(flagged) < 0.001 || poisson.Survival(flagged-1) < 0.001 {
				t.Errorf("%g of %d sound cases are flagged, expected about %.1f: %v", flagged, cases, poisson.Lambda, seen)
			}
		})
	}
}

// With few events the normal tail would flag far more: the exact one must keep the promise.
func TestSoundCasesWithFewEvents(t *testing.T) {
	for _, s := range []simulation{
		{"0.05 events", 1e-5, 0, 1, 1, 5_000},
		{"2 events", 1e-4, 0, 1, 2, 10_000},
		{"30 events", 0.001, 0, 1, 3, 10_000},
		{"200 events of instances that differ", 0.01, 0.002, 1, 2, 10_000},
		{"a rate near 1", 0.999, 0, 1, 2, 5_000},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			cases := work(200_000)
			seen := s.verdicts(cases)
			flagged := float64(seen[Above] + seen[Below])
			poisson := distuv.Poisson{Lambda: float64(cases) / soundFlags}
			if poisson.Survival(flagged-1) < 0.001 {
				t.Errorf("%g of %d sound cases are flagged, expected at most about %.1f", flagged, cases, poisson.Lambda)
			}
			if s.rate < 0.5 && seen[Agrees] > 0 {
				t.Errorf("%d cases agree on next to no evidence", seen[Agrees])
			}
		})
	}
}

func TestWrongModelsAreCaught(t *testing.T) {
	for _, s := range []simulation{
		{"5 % more than the model", 0.01, 0, 1.05, 10, 250_000},
		{"5 % less than the model", 0.01, 0, 0.95, 10, 250_000},
		{"5 % more at 0.1 %", 0.001, 0, 1.05, 10, 2_500_000},
		{"5 % less among instances that differ", 0.01, 0.00012, 0.95, 10, 250_000},
		{"10 % more at 5,000 events", 0.0001, 0, 1.1, 10, 5_000_000},
		{"10 % less at 5,000 events", 0.0001, 0, 0.9, 10, 5_000_000},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			cases := work(10_000)
			want := Above
			if s.truth < 1 {
				want = Below
			}
			// The instances predict what they show; only the model is wrong.
			if caught := s.verdicts(cases)[want]; float64(caught) <= 0.99*float64(cases) {
				t.Errorf("%d of %d wrong models are caught, want more than 99 %%", caught, cases)
			}
		})
	}
}

func TestSoundDesignsAgreeAndSmallOnesDoNot(t *testing.T) {
	cases := work(5_000)
	for _, rate := range []float64{0.2, 0.01, 0.001, 0.00099, 0.00001} {
		events, _ := Design(rate)
		for share, want := range map[float64]Verdict{1: Agrees, 0.5: Underpowered, 0.1: Underpowered} {
			s := simulation{rate: rate, truth: 1, trials: 10, strangers: uint64(math.Ceil(share * events / rate / 10))}
			if got := s.verdicts(cases)[want]; float64(got) < 0.999*float64(cases) {
				t.Errorf("rate %g with %g of the designed events: %d of %d are %q", rate, share, got, cases, want)
			}
		}
	}
}

// Margin is a bound at 95 %: it falls short of the true distance in at most 5 % of the cases.
func TestMarginBoundsTheDistance(t *testing.T) {
	cases := work(50_000)
	for _, truth := range []float64{1, 1.02, 0.97} {
		s := simulation{rate: 0.01, sd: 0.0001, truth: truth, trials: 3, strangers: 800_000}
		rng := rand.New(rand.NewPCG(20, 7))
		trials := make([]Trial, s.trials)
		short := 0
		for range cases {
			s.draw(rng, trials)
			if Judge(trials).Margin() < math.Abs(truth-1) {
				short++
			}
		}
		most := 0.05*float64(cases) + 4*math.Sqrt(0.05*float64(cases))
		if float64(short) > most || truth != 1 && float64(short) < 0.04*float64(cases) {
			t.Errorf("truth %g: the margin falls short in %d of %d cases, want about 5 %%", truth, short, cases)
		}
	}
}
