package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// evidence is what the trials of a case add up to.
type evidence struct {
	trials                    int
	strangers, hits, expected float64 // expected by the model
	binomial, between         float64 // variances of the hits under the model
	own                       []Count // of the instances that predict their own rate
}

// gather adds up the trials that asked any strangers.
func gather(trials []Trial) evidence {
	var e evidence
	for _, t := range trials {
		if t.Strangers == 0 {
			continue
		}
		checkCount(t.FalsePositives, t.Strangers)
		q := float64(t.Strangers)
		e.trials++
		e.strangers += q
		e.hits += float64(t.FalsePositives)
		e.expected += q * t.ModelFPR
		e.binomial += q * t.ModelFPR * (1 - t.ModelFPR)
		if t.ModelSD > 0 {
			e.between += square(q * t.ModelSD)
		}
		if !math.IsNaN(t.Instance) {
			e.own = append(e.own, Count{t.FalsePositives, t.Strangers, t.Instance})
		}
	}
	return e
}

// held returns the bias and the scatter of the instances against their own predictors.
func (e evidence) held() (z, dispersion, p float64) {
	if len(e.own) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	pooled := Pool(e.own)
	return pooled.Z, pooled.Chi2, pooled.Chi2P
}

// offInstances judges the instances against their own predictors and reports whether it flagged them.
func (e evidence) offInstances(j *Judgement) bool {
	if len(e.own) == 0 {
		return false
	}
	var all tail
	least := math.Inf(1)
	for _, c := range e.own {
		q := float64(c.Tries)
		all.strangers += q
		all.hits += float64(c.Hits)
		all.expected += q * c.Rate
		all.variance += q * c.Rate * (1 - c.Rate)
		least = min(least, q*min(c.Rate, 1-c.Rate))
	}
	switch {
	case math.Abs(j.InstanceZ) > instanceZ && all.unlikely(instanceZ):
		j.Why = fmt.Sprintf("z = %.2g against the model, but the trials are not as their own predictors say: "+
			"observed %.4g times those, z = %.3g", j.Z, all.hits/all.expected, j.InstanceZ)
	case j.DispersionP < ScatterP && least >= leastForChi2:
		j.Why = fmt.Sprintf("the trials scatter more than their own predictors allow: chi2 = %.4g on %d "+
			"degrees of freedom, p = %.2g", j.Dispersion, len(e.own), j.DispersionP)
	default:
		return false
	}
	j.Verdict = side(j.InstanceZ)
	return true
}

// pooled returns the hits of all trials as they lie in the distribution of the model.
func (e evidence) pooled() tail {
	return tail{strangers: e.strangers, hits: e.hits, expected: e.expected, variance: e.binomial + e.between}
}

// A tail is a count of hits beside its expected distribution.
type tail struct{ strangers, hits, expected, variance float64 }

// unlikely reports whether a count that lies z standard errors off or more is as rare as that says.
//
// The normal tail is taken at its word from LeastForNormal expected hits. Below it the upper tail is
// fatter, 1 in 100 at 0.01 expected: there the count is held against the binomial, or, with variance
// between instances, against a Poisson whose mean is gamma distributed (negative binomial). Near a
// rate of 1 the misses are the rare event.
func (t tail) unlikely(z float64) bool {
	if t.expected > t.strangers/2 {
		t.hits, t.expected = t.strangers-t.hits, t.strangers-t.expected
	}
	if t.expected >= LeastForNormal || t.hits <= t.expected {
		return true
	}
	extra := t.variance - t.expected
	if extra <= 1e-6*t.expected {
		p := atLeast(uint64(t.hits), uint64(t.strangers), t.expected/t.strangers)
		return p <= twoSided(z)/2
	}
	shape := square(t.expected) / extra
	return mathext.RegIncBeta(t.hits, shape, t.expected/(t.expected+shape)) <= twoSided(z)/2
}
