// Package reports turns results into pictures, tables and files for other tools. Everything is a
// function of the results alone: it can be drawn again without a run.
package reports

import (
	"fmt"
	"math"
	"slices"

	"filterlab/filters/theory"
	"filterlab/harness"
	"filterlab/harness/stats"
)

// level is the coverage of every interval shown.
const level = 0.95

// A Case is what the trials of one variant on one workload, at one n and p, showed together.
type Case struct {
	Variant, Workload string
	N                 uint64
	P                 float64
	Trials            []harness.Result // those that ran, at least one unless Skipped
	Skipped           string           // why nothing ran
}

// Cases groups results by case, in the order in which the cases first come.
func Cases(results []harness.Result) []Case {
	type key struct {
		variant, workload string
		n                 uint64
		p                 float64
	}
	var out []Case
	at := map[key]int{}
	for _, r := range results {
		k := key{r.Variant, r.Workload, r.N, r.P}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, Case{Variant: r.Variant, Workload: r.Workload, N: r.N, P: r.P})
		}
		if r.Skipped != "" {
			out[i].Skipped = r.Skipped
			continue
		}
		out[i].Trials = append(out[i].Trials, r)
	}
	for i := range out {
		if len(out[i].Trials) > 0 {
			out[i].Skipped = ""
		}
	}
	return out
}

// A Rate is a share of hits among so many, with its Clopper-Pearson interval of 95 %.
type Rate struct {
	Hits, Of      uint64
	Share, Lo, Hi float64 // 0..1; all 0 when Of is 0
}

func rate(hits, of uint64) Rate {
	if of == 0 {
		return Rate{}
	}
	lo, hi := stats.ClopperPearson(hits, of, level)
	return Rate{hits, of, float64(hits) / float64(of), lo, hi}
}

// sum adds up a count over the trials.
func (c Case) sum(count func(harness.Result) uint64) uint64 {
	var total uint64
	for _, r := range c.Trials {
		total += count(r)
	}
	return total
}

// mean averages a measurement over the trials that have it; ok is false when none has.
func (c Case) mean(value func(harness.Result) *float64) (mean float64, ok bool) {
	n := 0
	for _, r := range c.Trials {
		if v := value(r); v != nil && finite(*v) {
			mean += *v
			n++
		}
	}
	if n == 0 {
		return 0, false
	}
	return mean / float64(n), true
}

// FPR returns the observed false positive rate of all trials together.
func (c Case) FPR() Rate {
	return rate(c.sum(func(r harness.Result) uint64 { return r.FalsePositives }), c.Strangers())
}

// Strangers returns the strangers asked in all trials.
func (c Case) Strangers() uint64 {
	return c.sum(func(r harness.Result) uint64 { return r.Strangers })
}

// ModelFPR returns what the formula predicts at the keys held, weighted by the strangers asked.
func (c Case) ModelFPR() (fpr float64, ok bool) {
	total := 0.0
	for _, r := range c.Trials {
		if r.ModelFPR == nil || !finite(*r.ModelFPR) {
			continue
		}
		weight := math.Max(1, float64(r.Strangers))
		fpr += weight * *r.ModelFPR
		total += weight
	}
	if total == 0 {
		return 0, false
	}
	return fpr / total, true
}

// Exact reports whether the variant has no false positives by construction.
func (c Case) Exact() bool {
	model, ok := c.ModelFPR()
	return ok && model == 0
}

// Yardstick reports whether the variant says maybe to everything, so that its FPR is no claim.
func (c Case) Yardstick() bool {
	model, ok := c.ModelFPR()
	return ok && model == 1
}

// Ratio returns observed over formula with the interval of the observed; ok is false where there
// is nothing to divide or the FPR is no claim.
func (c Case) Ratio() (ratio, lo, hi float64, ok bool) {
	model, has := c.ModelFPR()
	fpr := c.FPR()
	if !has || model <= 0 || model == 1 || fpr.Of == 0 {
		return 0, 0, 0, false
	}
	return fpr.Share / model, fpr.Lo / model, fpr.Hi / model, true
}

// InstanceSpread returns how far, as a share of the formula's FPR, the mean of so many instances
// strays by chance in 95 of 100 runs: the differences between instances, not between lookups.
func (c Case) InstanceSpread() float64 {
	model, ok := c.ModelFPR()
	sd, has := c.mean(func(r harness.Result) *float64 { return r.ModelSD })
	if !ok || !has || model <= 0 {
		return 0
	}
	return 1.96 * sd / math.Sqrt(float64(len(c.Trials))) / model
}

// FalseNegatives returns members that answered no, among the members asked, in all trials.
func (c Case) FalseNegatives() Rate {
	return rate(c.sum(func(r harness.Result) uint64 { return r.FalseNegatives }),
		c.sum(func(r harness.Result) uint64 { return r.Members }))
}

// Provoked reports whether the workload or a refusal makes false negatives on purpose.
func (c Case) Provoked() bool {
	return slices.ContainsFunc(c.Trials, func(r harness.Result) bool { return r.Provoked })
}

// LostPredicted returns the false negatives predicted for all trials together.
func (c Case) LostPredicted() (lost float64, ok bool) {
	for _, r := range c.Trials {
		if r.LostPredicted != nil {
			lost += *r.LostPredicted
			ok = true
		}
	}
	return lost, ok
}

// Deleted returns the deleted keys still answered maybe, among those asked.
func (c Case) Deleted() Rate {
	return rate(c.sum(func(r harness.Result) uint64 { return r.DeletedMaybe }),
		c.sum(func(r harness.Result) uint64 { return r.DeletedProbes }))
}

// BitsPerKey returns the bits of the filter's table per key held.
func (c Case) BitsPerKey() (bits float64, ok bool) {
	return c.mean(func(r harness.Result) *float64 { return r.BitsPerKey })
}

// HeapPerKey returns the measured growth of the heap in bits per key held.
func (c Case) HeapPerKey() (bits float64, ok bool) {
	return c.mean(func(r harness.Result) *float64 { return r.HeapBitsPerKey })
}

// ModelPerKey returns the predicted size in bits per key held; ok is false where it depends on
// the keys.
func (c Case) ModelPerKey() (bits float64, ok bool) {
	return c.mean(func(r harness.Result) *float64 {
		if r.ModelBits == 0 || r.Held == 0 {
			return nil
		}
		bits := float64(r.ModelBits) / float64(r.Held)
		return &bits
	})
}

// Held returns the keys held when the filter was probed, averaged over the trials.
func (c Case) Held() uint64 {
	if len(c.Trials) == 0 {
		return 0
	}
	return c.sum(func(r harness.Result) uint64 { return r.Held }) / uint64(len(c.Trials))
}

// Verdict returns the verdict on the case and its explanation.
func (c Case) Verdict() (verdict, why string) {
	if len(c.Trials) == 0 {
		return "", ""
	}
	return c.Trials[0].Verdict, c.Trials[0].VerdictWhy
}

// A Time is what one kind of operation took in all trials together, in ns per operation.
type Time struct {
	NS, Lo, Hi float64
	Bar        bool // whether Lo and Hi are known
	Floor      float64
	Share      float64 // of members among the lookups, 0..1; meaningful for lookup0 to lookup100
	HasShare   bool
}

// Time returns the median over the trials of op's median, with the interval of that median; with
// fewer than 6 trials the interval spans those of the trials.
func (c Case) Time(op string) (t Time, ok bool) {
	var medians, floors []float64
	lo, hi, bars := math.Inf(1), math.Inf(-1), true
	for _, r := range c.Trials {
		for _, row := range r.Timings {
			if row.Op != op || !finite(row.MedianNS) || row.MedianNS <= 0 {
				continue
			}
			medians = append(medians, row.MedianNS)
			floors = append(floors, row.FloorNS)
			if row.Share != nil {
				t.Share, t.HasShare = *row.Share, true
			}
			if row.LoNS == nil || row.HiNS == nil {
				bars = false
				continue
			}
			lo, hi = min(lo, *row.LoNS), max(hi, *row.HiNS)
		}
	}
	if len(medians) == 0 {
		return Time{}, false
	}
	slices.Sort(medians)
	slices.Sort(floors)
	t.NS, t.Floor = stats.Median(medians), stats.Median(floors)
	if l, h, enough := stats.MedianCI(medians, level); enough {
		t.Lo, t.Hi, t.Bar = l, h, true
	} else if bars {
		t.Lo, t.Hi, t.Bar = lo, hi, true
	}
	return t, true
}

// Ops lists the kinds of operation the case has times for, in the order in which they came.
func (c Case) Ops() []string {
	var out []string
	for _, r := range c.Trials {
		for _, t := range r.Timings {
			if !slices.Contains(out, t.Op) {
				out = append(out, t.Op)
			}
		}
	}
	return out
}

// ExpectedProbes returns the bits a filter reads to answer: of an absent key, which stops at the
// first empty one, (1-fill^k)/(1-fill), and of a present one, k (THEORY.md 10). ok is false for
// filters that do not probe bit by bit.
func (c Case) ExpectedProbes() (absent, present float64, ok bool) {
	if len(c.Trials) == 0 || c.Trials[0].K == 0 {
		return 0, 0, false
	}
	fill, has := c.mean(func(r harness.Result) *float64 { return r.ModelOccupancy })
	if !has {
		fill, has = c.mean(func(r harness.Result) *float64 { return r.Occupancy })
	}
	if !has || fill < 0 || fill > 1 {
		return 0, 0, false
	}
	k := c.Trials[0].K
	return theory.ExpectedProbes(fill, k), float64(k), true
}

// String names the case in notes.
func (c Case) String() string {
	return fmt.Sprintf("%s on %s, n = %s, p = %s", c.Variant, c.Workload, count(c.N), percent(c.P))
}
