package harness

import (
	"math"

	"filterlab/filters"
	"filterlab/filters/theory"
	"filterlab/harness/stats"
)

// predict fills in what the model says of a trial at the keys it held.
func (p plan) predict(r *Result, churn filters.Churn) {
	fpr := p.model.FPR(r.Held)
	if p.model.FPRAfter != nil {
		fpr = p.model.FPRAfter(churn)
	}
	r.ModelFPR = &fpr
	if p.model.SD != nil {
		r.ModelSD = ptr(p.model.SD(r.Held))
	}
	if p.model.Occupancy != nil {
		r.ModelOccupancy = ptr(p.model.Occupancy(r.Held))
	}
	if r.FPR == nil {
		return
	}
	absent := 1 - p.Workload.Present
	if w := theory.WrongAmongMaybe(absent, *r.FPR); !math.IsNaN(w) {
		r.WrongAmong = &w
	}
	if r.BitsPerKey != nil && *r.FPR > 0 && *r.FPR < 1 && !p.Variant.Unjudged {
		r.Overhead = ptr(theory.Overhead(*r.BitsPerKey, *r.FPR))
	}
	if log := p.Workload.Log; log != nil {
		r.Log = logFacts(log, *r.FPR)
	}
}

// A cell is a case with its trials while it is being judged.
type cell struct {
	plan
	rows     []Result
	evidence []stats.Trial
	stats.Judgement
	full fullness
}

// judge holds the trials of every case together against its model, and writes verdict, reason and
// flags into each trial. The p-values are adjusted for the number of cells judged.
func judge(plans []plan, rows [][]Result) {
	var tested []*cell
	var chances []float64
	for i, p := range plans {
		c := newCell(p, rows[i])
		if p := c.chance(); !math.IsNaN(p) {
			tested, chances = append(tested, c), append(chances, p)
			continue
		}
		c.write(math.NaN(), 0)
	}
	for i, p := range stats.Holm(chances) {
		tested[i].write(p, len(tested))
	}
}

func newCell(p plan, rows []Result) *cell {
	c := &cell{plan: p, rows: rows, full: fullnessOf(rows)}
	c.Z, c.InstanceZ, c.DispersionP, c.Ratio = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	if p.Variant.Unjudged {
		return c
	}
	for _, r := range rows {
		if r.Strangers == 0 {
			continue
		}
		t := stats.Trial{Strangers: r.Strangers, FalsePositives: r.FalsePositives, Instance: math.NaN(), ModelFPR: *r.ModelFPR}
		if r.ModelSD != nil {
			t.ModelSD = *r.ModelSD
		}
		if r.InstanceFPR != nil {
			t.Instance = *r.InstanceFPR
		}
		c.evidence = append(c.evidence, t)
	}
	if len(c.evidence) > 0 {
		c.Judgement = stats.Judge(c.evidence)
	}
	return c
}

// off reports whether the verdict is that the case differs from its model.
func (c *cell) off() bool { return c.Verdict == stats.Above || c.Verdict == stats.Below }

// chance returns the p-value of the cell: how likely a sound filter is as far from its model as
// this, two-sided. NaN where nothing was tested.
//
// Up to three tests are behind a verdict (the model; the instances' own predictors, for bias and for
// scatter), so the smallest counts times their number. It is never below what the verdict, which
// also weighs few events by their own law, has let pass.
func (c *cell) chance() float64 {
	if math.IsNaN(c.Z) {
		return math.NaN()
	}
	p, tests := twoSided(c.Z), 1.0
	if !math.IsNaN(c.InstanceZ) {
		tests = 3
	}
	switch {
	case !c.off():
		return min(1, max(tests*p, twoSided(stats.FlagZ)))
	case math.Abs(c.Z) <= stats.FlagZ:
		p = min(p, twoSided(c.InstanceZ), c.DispersionP)
	default:
		p = max(p, c.exactChance())
	}
	return min(1, tests*p)
}

// exactChance returns the binomial p-value of few events, 0 where there are many.
func (c *cell) exactChance() float64 {
	var hits, asked uint64
	expected := 0.0
	for _, t := range c.evidence {
		hits, asked = hits+t.FalsePositives, asked+t.Strangers
		expected += float64(t.Strangers) * t.ModelFPR
	}
	if expected >= stats.LeastForNormal {
		return 0
	}
	return stats.BinomialP(hits, asked, min(1, expected/float64(asked)))
}

func twoSided(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }

// write puts the judgement into the trials. holm is the adjusted p-value among so many cells.
func (c *cell) write(holm float64, cells int) {
	why, warnings, flags := c.why(holm, cells), c.warnings(), c.flags()
	for i := range c.rows {
		r := &c.rows[i]
		r.Verdict, r.VerdictWhy, r.Flags = string(c.Verdict), why, flags
		r.Warnings = append(r.Warnings, warnings...)
		r.Z, r.ObservedRatio = known(c.Z), known(c.Ratio)
		r.DispersionP, r.PHolm = known(c.DispersionP), known(holm)
	}
}

// known returns a pointer to x, or nil for NaN.
func known(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}
