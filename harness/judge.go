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

// judge holds the trials of a case together against the model and writes the verdict into each.
func judge(p plan, rows []Result) {
	if p.Variant.Unjudged || len(rows) == 0 {
		return
	}
	var evidence []stats.Trial
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
		evidence = append(evidence, t)
	}
	if len(evidence) == 0 {
		return
	}
	j := stats.Judge(evidence)
	for i := range rows {
		rows[i].Verdict, rows[i].VerdictWhy = string(j.Verdict), j.Why
		if !math.IsNaN(j.Z) {
			rows[i].Z = &j.Z
		}
		if !math.IsNaN(j.Ratio) {
			rows[i].ObservedRatio = &j.Ratio
		}
	}
}
