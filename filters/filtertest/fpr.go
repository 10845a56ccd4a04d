package filtertest

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"filterlab/filters"
)

// A cell is what one measurement of the FPR is taken at.
type cell struct {
	n         uint64
	p         float64
	load      float64 // keys added, in units of n
	instances int
	lookups   float64 // at most, over all instances
}

// Sizes and loads of checkFPR. Small filters vary more, so they get more instances.
var (
	fprSizes = []cell{{n: 50, instances: 60}, {n: 400, instances: 30}, {n: 2500, instances: 16}, {n: 10000, instances: 8}}
	fprLoads = []float64{0.5, 1, 1.5, 3}
)

const (
	fprTarget  = 0.01 // p
	fprEvents  = 400  // false positives that a measurement expects
	fprLookups = 300000
	fprLimit   = 4 // standard errors
)

// checkFPR: what the filters show agrees with the model on both sides, at the design point and
// off it, averaged over instances; with the prediction of each instance from its own bits; and so
// does the occupancy.
func checkFPR(t rapid.TB, b filters.Bound) {
	t.Helper()
	if b.Unjudged || b.Exact {
		return
	}
	for _, c := range fprSizes {
		for _, c.load = range fprLoads {
			at := c
			at.p, at.lookups = fprTarget, fprLookups
			if testing.Short() {
				at.instances, at.lookups = c.instances/2, fprLookups/2
			}
			measure(t, b, at).judge(t)
		}
	}
}

// FPR measures the FPR of filters built for n keys at target p that hold n, over so many instances
// and at most so many lookups together, and holds it against the model on both sides, as Run does
// at its own sizes. It stops at 400 false positives expected.
func FPR(t rapid.TB, b filters.Bound, n uint64, p float64, instances int, lookups float64) {
	t.Helper()
	measure(t, b, cell{n, p, 1, instances, lookups}).judge(t)
}

// A measurement pools the instances of one size and load.
type measurement struct {
	cell
	asked, positives    float64
	expected, variance  float64 // of the positives, by the model
	predicted, binomial float64 // expectation and variance of them, by each instance's own bits
	predicts            bool
	occupancy, occModel []float64
}

func measure(t rapid.TB, b filters.Bound, c cell) *measurement {
	t.Helper()
	params := b.Params(c.n, c.p, 0)
	model := modelOf(t, b, params)
	m := &measurement{cell: c}
	var pred prediction
	for i := range uint64(c.instances) {
		keys := random(c.n<<16 + i)
		params.Seed = filters.Mix(c.n<<16 + i)
		f := load(t, b, params, keys, uint64(c.load*float64(c.n)))
		if held := uint64(len(f.held)); i == 0 || held != pred.held {
			pred = predict(model, held)
		}
		m.add(f, keys, pred)
	}
	return m
}

// A prediction is what a model says at the keys held; exact formulas take a while.
type prediction struct {
	held         uint64
	fpr, sd, occ float64 // occ is NaN where the model does not say
}

func predict(m filters.Model, held uint64) prediction {
	p := prediction{held: held, fpr: m.FPR(held), occ: math.NaN()}
	if m.SD != nil {
		p.sd = m.SD(held)
	}
	if m.Occupancy != nil {
		p.occ = m.Occupancy(held)
	}
	return p
}

func (m *measurement) add(f *built, keys keySet, pred prediction) {
	fpr := pred.fpr
	instances := float64(m.instances)
	q := math.Ceil(min(m.lookups/instances, max(500, fprEvents/(fpr*instances))))
	m.asked += q
	m.positives += float64(maybes(f, keys, 0, uint64(q)))
	m.expected += q * fpr
	m.variance += q*fpr*(1-fpr) + q*pred.sd*q*pred.sd
	if p, ok := f.Filter.(filters.Predictor); ok {
		own := p.InstanceFPR()
		m.predicts = true
		m.predicted += q * own
		m.binomial += q * own * (1 - own)
	}
	if o, ok := f.Filter.(filters.Occupier); ok && !math.IsNaN(pred.occ) {
		m.occupancy = append(m.occupancy, o.Occupancy())
		m.occModel = append(m.occModel, pred.occ)
	}
}

func (m *measurement) judge(t rapid.TB) {
	t.Helper()
	if z := score(m.positives, m.expected, m.variance); math.Abs(z) > fprLimit {
		t.Errorf("n=%d, p=%g, %g x full: %.0f false positives among %.0f strangers, the model says %.1f (%+.1f %%, z = %+.1f)",
			m.n, m.p, m.load, m.positives, m.asked, m.expected, 100*(m.positives/m.expected-1), z)
	}
	if z := score(m.positives, m.predicted, m.binomial); m.predicts && math.Abs(z) > fprLimit {
		t.Errorf("n=%d, p=%g, %g x full: %.0f false positives among %.0f strangers, the instances predict %.1f (z = %+.1f)",
			m.n, m.p, m.load, m.positives, m.asked, m.predicted, z)
	}
	if len(m.occupancy) == 0 {
		return
	}
	mean, se := meanSE(m.occupancy)
	want, _ := meanSE(m.occModel)
	if math.Abs(mean-want) > 5*se+1e-9 {
		t.Errorf("n=%d, p=%g, %g x full: occupancy %.6f, the model says %.6f (5 standard errors are %.2g)",
			m.n, m.p, m.load, mean, want, 5*se)
	}
}

// score returns how many standard errors a count x is from its expectation e, of variance v. It
// compares square roots (Anscombe 1948), which keeps it near normal down to a few events.
func score(x, e, v float64) float64 {
	if e <= 0 && x > 0 {
		return math.Inf(1)
	} else if e <= 0 {
		return 0
	}
	if v <= 0 {
		v = 1e-9 * e
	}
	return 2 * (math.Sqrt(x+3./8) - math.Sqrt(e+3./8)) / math.Sqrt(v/e)
}

// meanSE returns the mean of xs and its standard error.
func meanSE(xs []float64) (mean, se float64) {
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	for _, x := range xs {
		se += (x - mean) * (x - mean)
	}
	n := float64(len(xs))
	return mean, math.Sqrt(se / n / max(1, n-1))
}

// checkExact: an exact variant has no false positive among 100,000 strangers, nor a model that
// says otherwise.
func checkExact(t rapid.TB, b filters.Bound) {
	t.Helper()
	if !b.Exact {
		return
	}
	const n, asked = 2000, 100000
	params := b.Params(n, fprTarget, 1)
	if fpr := modelOf(t, b, params).FPR(n); fpr != 0 {
		t.Errorf("an exact variant, and its model says an FPR of %g", fpr)
	}
	keys := random(13)
	if got := maybes(load(t, b, params, keys, n), keys, 0, asked); got > 0 {
		t.Errorf("an exact variant, and %d of %d strangers answer maybe", got, asked)
	}
}
