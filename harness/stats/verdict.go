package stats

import (
	"fmt"
	"math"
)

// A Trial is the evidence of one filter instance: strangers asked, those of them it said maybe to,
// and the rates it was expected to show.
type Trial struct {
	Strangers, FalsePositives uint64
	Instance                  float64 // predicted from the instance's own bits; NaN: it predicts none
	ModelFPR                  float64 // of the model at the keys held; 0: false positives cannot be; NaN: no claim
	ModelSD                   float64 // of the rate between instances; 0 or NaN: none
}

// A Verdict says how a case stands to its model.
type Verdict string

// The verdicts. NotJudged is for no strangers or no model.
const (
	NotJudged    Verdict = ""
	Agrees       Verdict = "agrees"
	Above        Verdict = "above"
	Below        Verdict = "below"
	Underpowered Verdict = "underpowered"
	Exact        Verdict = "exact"
)

// A Judgement is the verdict of a case and what it rests on. Numbers are never infinite, and NaN
// where there is nothing to compute them from.
type Judgement struct {
	Verdict Verdict
	Z       float64 // pooled, against the model: variance binomial and between instances
	Ratio   float64 // observed / model
	RelSE   float64 // standard error of Ratio under the model
	// Need and NeedTrials, of an underpowered case, are the total strangers or else the trials like
	// these that would settle it: more strangers do not where instances differ too much.
	Need, NeedTrials uint64
	InstanceZ        float64 // pooled, against the instances' own predictors
	Dispersion       float64 // chi2 against the same, on one degree of freedom an instance
	DispersionP      float64 // upper tail
	Why              string
}

// The levels of the verdict. A sound case is flagged with the two-sided chance of FlagZ, 6.3e-5; the
// checks against the instances' own predictors add 13 % to it at the sizes of Design.
const (
	FlagZ          = 4     // standard errors from the model
	ScatterP       = 1e-6  // of the trials' scatter around their own predictors
	LeastForNormal = 1_000 // expected hits: fewer, and an upper tail is held against its own law as well

	instanceZ    = 4.5
	leastForChi2 = 10 // expected hits an instance: fewer, and chi2 is far off its distribution
)

// Judge holds the trials of a case against their model, as difference and as equivalence.
//
// above or below: |Z| > 4, or the instances contradict their own predictors (|InstanceZ| > 4.5, or
// they scatter more, with p < 1e-6). agrees: not so, and 4 standard errors are at most the tolerance of
// Design, so that a model off by 5 % (10 % of a rare rate) would hardly have passed. underpowered: not
// flagged, but the evidence would not show. A sound case is flagged once in about 15,000; where few
// false positives are expected, a tail fatter than the normal one has to be as unlikely.
func Judge(trials []Trial) Judgement {
	e := gather(trials)
	j := Judgement{Z: math.NaN(), Ratio: math.NaN(), RelSE: math.NaN()}
	j.InstanceZ, j.Dispersion, j.DispersionP = e.held()
	switch {
	case e.strangers == 0:
		j.Why = "no strangers were asked"
		return j
	case math.IsNaN(e.expected):
		j.Why = "there is no model"
		return j
	case e.expected <= 0:
		return j.exact(e)
	}
	j.Z = (e.hits - e.expected) / math.Sqrt(max(leastVariance, e.binomial+e.between))
	j.Ratio = min(math.MaxFloat64, e.hits/e.expected)
	j.RelSE = math.Sqrt(e.binomial+e.between) / e.expected
	const rounding = 1 + 1e-9 // a mean of rates of 0.001 is 0.001
	_, tolerance := Design(e.expected / e.strangers * rounding)
	switch {
	case math.Abs(j.Z) > FlagZ && e.pooled().unlikely(FlagZ):
		j.offModel()
	case e.offInstances(&j):
	case FlagZ*j.RelSE <= tolerance:
		j.Verdict = Agrees
		j.Why = fmt.Sprintf("4 standard errors are %.2g %% of the model, at most %g %%", 100*FlagZ*j.RelSE, 100*tolerance)
	default:
		j.underpowered(e, tolerance)
	}
	return j
}

// Margin returns the smallest share of the model within which two one-sided tests at 5 % place the
// truth: |Ratio-1| + 1.645 RelSE, Schuirmann 1987. NaN where Ratio is.
func (j Judgement) Margin() float64 {
	const z95 = 1.6448536269514722
	return math.Abs(j.Ratio-1) + z95*j.RelSE
}

// exact judges a case whose model allows no false positive.
func (j Judgement) exact(e evidence) Judgement {
	j.Verdict, j.Why = Exact, fmt.Sprintf("no false positive among %.0f strangers, and none can be", e.strangers)
	if e.hits > 0 {
		j.Verdict, j.Why = Above, fmt.Sprintf("%.0f false positives where none can be", e.hits)
	}
	return j
}

// offModel words the verdict of a case that differs from its model.
func (j *Judgement) offModel() {
	j.Verdict = side(j.Z)
	j.Why = fmt.Sprintf("observed %.4g times the model, %.3g standard errors away", j.Ratio, math.Abs(j.Z))
	switch {
	case math.IsNaN(j.InstanceZ):
	case math.Abs(j.InstanceZ) <= FlagZ:
		j.Why += fmt.Sprintf("; as the instances themselves predict (z = %.2g)", j.InstanceZ)
	default:
		j.Why += fmt.Sprintf("; nor as the instances themselves predict (z = %.3g)", j.InstanceZ)
	}
}

// underpowered words the verdict of a case with too little evidence, and what would be enough. Where
// the variance between instances leaves less than half of the room, more trials are the cheaper way.
func (j *Judgement) underpowered(e evidence, tolerance float64) {
	j.Verdict = Underpowered
	j.Why = fmt.Sprintf("4 standard errors are %.3g %% of the model, more than %g %%: ", 100*FlagZ*j.RelSE, 100*tolerance)
	room := square(tolerance / FlagZ * e.expected)
	if e.between > room/2 {
		j.NeedTrials = whole(float64(e.trials) * (e.binomial + e.between) / room)
		j.Why += fmt.Sprintf("instances differ, and %d such trials where there were %d would settle it, more strangers alone hardly",
			j.NeedTrials, e.trials)
		return
	}
	j.Need = whole(e.strangers * e.binomial / (room - e.between))
	j.Why += fmt.Sprintf("%d strangers would settle it, not %.0f", j.Need, e.strangers)
}

// whole rounds a need up, with a little spare for the division among trials.
func whole(x float64) uint64 {
	const most = 1 << 62
	return uint64(math.Min(most, math.Ceil(x*(1+1e-9))))
}

func side(z float64) Verdict {
	if z < 0 {
		return Below
	}
	return Above
}
