package harness

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"filterlab/filters"
	"filterlab/harness/units"
)

// A Design says how cases are measured and what is written into every result.
type Design struct {
	Seed    uint64
	Trials  int    // of each case; 0: as many as the verdict needs, at least LeastTrials
	MaxMem  uint64 // bytes a filter may need; 0: no bound
	Command string // the command line that repeats the run
	Commit  string
	Host    Host
	// LeastTrials is the fewest trials of a case whose number is left to the lab; 0: 10.
	LeastTrials int
	// MaxStrangers is the most strangers asked in all trials of a case; 0: 10^9.
	MaxStrangers uint64
	// Progress is called between trials, never inside a timed region; nil: nobody listens.
	Progress func(Progress)
}

// Progress says how far a run is. Work is in operations.
type Progress struct {
	Case        string
	Done, Total uint64
}

// An Experiment is a set of cases that can be run: every name, size and bound was checked.
type Experiment struct {
	design Design
	plans  []plan
}

// Prepare checks and sizes the cases. It allocates no filter of the cases' size; an error names the
// case and what would be right.
func Prepare(cases []Case, d Design) (*Experiment, error) {
	e := &Experiment{design: d}
	for _, c := range cases {
		p, err := newPlan(c, d)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c, err)
		}
		need := max(p.model.Bits/8, p.model.HeapBytes)
		if d.MaxMem > 0 && need > d.MaxMem {
			return nil, fmt.Errorf("%s needs about %s, more than the %s allowed: use a smaller n, a larger p, or raise --max-mem",
				c, units.Bytes(need), units.Bytes(d.MaxMem))
		}
		e.plans = append(e.plans, p)
	}
	return e, nil
}

// Run measures all cases and returns a result a trial, in the order of the cases. When the context
// ends it returns what is complete so far, marked partial, with the context's error.
func (e *Experiment) Run(ctx context.Context) ([]Result, error) {
	r := &runner{design: e.design, ctx: ctx, chunk: newChunk(), rows: make([][]Result, len(e.plans))}
	for _, p := range e.plans {
		r.total += uint64(p.trials) * p.work()
	}
	var failed error
	for start := 0; start < len(e.plans) && failed == nil; {
		end := start + 1
		for end < len(e.plans) && sameWorkload(e.plans[end], e.plans[start]) {
			end++
		}
		failed = r.group(e.plans[start:end], r.rows[start:end])
		start = end
	}
	return r.finish(e.plans, failed), failed
}

// work estimates the operations of one trial.
func (p plan) work() uint64 { return 2*p.Workload.Members + p.strangers }

type runner struct {
	design      Design
	ctx         context.Context
	chunk       *chunk
	rows        [][]Result // by plan
	done, total uint64
}

// group runs the trials of plans that share a workload. Their order is shuffled from trial to trial,
// so that a slow phase of the machine does not fall on one variant.
func (r *runner) group(plans []plan, rows [][]Result) error {
	trials := 0
	order := make([]int, len(plans))
	for i, p := range plans {
		order[i] = i
		trials = max(trials, p.trials)
	}
	shuffle := rand.New(rand.NewPCG(r.design.Seed, 0))
	for number := range trials {
		shuffle.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			if number >= plans[i].trials {
				continue
			}
			r.report(plans[i], 0)
			row, err := r.trial(plans[i], number)
			if err != nil {
				return err
			}
			rows[i] = append(rows[i], row)
			r.report(plans[i], plans[i].work())
		}
	}
	return nil
}

func (r *runner) report(p plan, work uint64) {
	r.done += work
	if r.design.Progress != nil {
		r.design.Progress(Progress{Case: p.String(), Done: r.done, Total: r.total})
	}
}

// trial runs one instance of a plan with seeds of its own.
func (r *runner) trial(p plan, number int) (Result, error) {
	keySeed := filters.Mix(r.design.Seed + uint64(number)<<32)
	filterSeed := uint64(0)
	if p.Variant.Seeded {
		filterSeed = filters.Mix(keySeed)
	}
	row := r.row(p, number, keySeed, filterSeed)
	t := &trial{plan: p, ctx: r.ctx, number: number, keySeed: keySeed, chunk: r.chunk, refused: map[string]bool{}}
	build := func() (filters.Filter, error) {
		f, err := p.Variant.New(p.Variant.Params(p.Workload.N, p.P, filterSeed))
		if err == nil {
			row.newBits = f.SizeBits()
		}
		return f, err
	}
	if err := t.run(build); err != nil {
		return row, fmt.Errorf("%s: %w", p, err)
	}
	t.result(&row)
	p.predict(&row, t.churn)
	return row, nil
}

// row returns the part of a result that is known before the trial.
func (r *runner) row(p plan, number int, keySeed, filterSeed uint64) Result {
	row := Result{
		Variant: p.Variant.String(), Workload: p.Workload.Name, N: p.Workload.N, P: p.P,
		Seed: r.design.Seed, Trial: number, KeySeed: keySeed, FilterSeed: filterSeed,
		ModelFormula: p.model.Formula, ModelBits: p.model.Bits, K: p.model.K,
		NegativesRule: "by construction: strangers are never added",
		Date:          now(), Host: r.design.Host, Command: r.design.Command, Commit: r.design.Commit,
	}
	if log := p.Workload.Log; log != nil {
		row.NegativesRule, row.InputSHA256 = log.Rule, log.SHA256
		if log.Malformed > 0 {
			row.Warnings = append(row.Warnings, fmt.Sprintf("%d of %d lines were malformed and left out; the first: %s",
				log.Malformed, log.Events+log.Malformed, strings.Join(log.FirstMalformed, "; ")))
		}
	}
	return row
}

// finish judges the cases and lays their rows out in order.
func (r *runner) finish(plans []plan, failed error) []Result {
	judge(plans, r.rows)
	var out []Result
	for _, rows := range r.rows {
		for _, row := range rows {
			row.Partial = failed != nil
			out = append(out, row)
		}
	}
	return out
}

func sameWorkload(a, b plan) bool {
	return a.Workload.Name == b.Workload.Name && a.Workload.N == b.Workload.N
}
