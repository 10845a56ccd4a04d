// Package harness measures filters: it runs variants on workloads, keeps the score by the truth
// each operation carries, times batches of operations, and holds the counts against the models.
package harness

import (
	"cmp"
	"fmt"
	"math"

	"filterlab/filters"
	"filterlab/harness/stats"
	"filterlab/workloads"
)

// A Case is one variant on one workload, sized for the workload's N at target FPR P.
type Case struct {
	Variant  filters.Bound
	Workload workloads.Workload
	P        float64
}

// String names the case in errors and progress.
func (c Case) String() string {
	return fmt.Sprintf("%s on %s, n = %d, p = %g", c.Variant, c.Workload.Name, c.Workload.N, c.P)
}

// Strangers of a case over all its trials: enough for the events of stats.Design within these
// bounds, and a fixed number where no false positive is expected.
const (
	minStrangers   = 100_000
	maxStrangers   = 1_000_000_000
	exactStrangers = 1_000_000
)

// Trials of a case whose number is left to the lab.
const (
	minTrials = 10
	maxTrials = 2_000
)

// A plan is a case with its model and the size of its experiment.
type plan struct {
	Case
	model     filters.Model
	trials    int
	strangers uint64 // of each trial
	removes   bool   // the filter can remove keys
}

// newPlan sizes the experiment of a case. Trials = 0 leaves their number to the lab: the least, and
// more where instances of a small filter differ so much that these would never settle the verdict.
func newPlan(c Case, d Design) (plan, error) {
	model, err := c.Variant.Predict(c.Variant.Params(c.Workload.N, c.P, 0))
	if err != nil {
		return plan{}, err
	}
	removes, err := c.removes()
	if err != nil {
		return plan{}, err
	}
	held := c.Workload.Members
	if !removes {
		held += c.Workload.Deleted // a variant that cannot remove keeps them
	}
	fpr, sd := model.FPR(held), 0.0
	if model.SD != nil {
		sd = model.SD(held)
	}
	trials := d.Trials
	if trials == 0 {
		trials = trialsFor(fpr, sd, cmp.Or(d.LeastTrials, minTrials))
	}
	if c.Workload.Fixed && !c.Variant.Seeded {
		trials = 1 // the same keys in the same filter: another trial would repeat the first
	}
	strangers := c.Workload.Strangers // a log has as many as it has
	if c.Workload.Log == nil {
		most := cmp.Or(d.MaxStrangers, maxStrangers)
		strangers = (min(most, strangersFor(fpr)) + uint64(trials) - 1) / uint64(trials)
	}
	return plan{c, model, trials, strangers, removes}, nil
}

// removes reports whether the variant's filters can remove keys, by asking a small one.
func (c Case) removes() (bool, error) {
	f, err := c.Variant.New(c.Variant.Params(1, c.P, 0))
	if err != nil {
		return false, err
	}
	_, ok := f.(filters.Remover)
	return ok, nil
}

// strangersFor returns how many strangers make the designed number of false positives.
func strangersFor(fpr float64) uint64 {
	if fpr <= 0 {
		return exactStrangers
	}
	events, _ := stats.Design(fpr)
	return uint64(min(maxStrangers, max(minStrangers, math.Ceil(events/fpr))))
}

// trialsFor returns how many instances make the variance between them small enough for a verdict:
// with relative standard deviation r between instances and E expected events, the standard error of
// the pooled FPR is sqrt(r^2/I + 1/E), and it must be at most a quarter of the tolerance.
func trialsFor(fpr, sd float64, least int) int {
	if fpr <= 0 || sd <= 0 {
		return least
	}
	const spare = 1.1 // the model's SD is an expectation
	events, tolerance := stats.Design(fpr)
	r, room := sd/fpr, tolerance*tolerance/16-1/events
	return int(min(maxTrials, max(float64(least), math.Ceil(spare*r*r/room))))
}
