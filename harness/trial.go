package harness

import (
	"context"
	"time"

	"filterlab/filters"
	"filterlab/harness/stats"
	"filterlab/workloads"
)

// A trial is one instance of a case's filter while it is being measured.
type trial struct {
	plan
	ctx     context.Context
	number  int
	keySeed uint64
	filter  filters.Filter
	chunk   *chunk

	churn   filters.Churn
	refused map[string]bool // keys the filter did not take: not held, not probed
	heap    uint64          // bytes; 0: not measured
	times   timings
	seen    tally
}

// A tally counts the answers of one pass.
type tally struct{ members, falseNegatives, strangers, falsePositives, deleted, deletedMaybe uint64 }

// timedTrials is how many of a case's trials are timed; further ones are there for their counts.
const timedTrials = minTrials

// run builds, probes and times one instance.
func (t *trial) run(build func() (filters.Filter, error)) error {
	if err := t.load(build); err != nil {
		return err
	}
	all := t.Workload.Members
	if err := t.probe("member", workloads.Mix{Members: all, Each: true}); err != nil {
		return err
	}
	if err := t.strangersPass(); err != nil {
		return err
	}
	if err := t.probe("deleted", workloads.Mix{Deleted: t.Workload.Deleted}); err != nil {
		return err
	}
	return t.mixes()
}

// fill runs the workload's Adds and Removes and seals the filter where it must be sealed.
func (t *trial) fill() error {
	remover, _ := t.filter.(filters.Remover)
	keep := func(op workloads.Op) bool {
		return op.Kind == workloads.Add || (remover != nil && !t.refused[string(op.Key)])
	}
	ops := t.Workload.Load(t.keySeed)
	err := t.chunk.each(t.ctx, ops, keep, func() {
		if t.chunk.kind == workloads.Remove {
			t.removes(remover)
			return
		}
		t.adds(remover != nil)
	})
	if err != nil {
		return err
	}
	elapsed, seals, err := sealed(t.filter)
	if err == nil && seals {
		t.times.whole("seal", t.Workload.Members, elapsed)
	}
	return err
}

// sealed seals a filter that needs it.
func sealed(f filters.Filter) (elapsed time.Duration, seals bool, err error) {
	if s, ok := f.(filters.Sealer); ok {
		elapsed, err = timedSeal(s)
		return elapsed, true, err
	}
	return 0, false, nil
}

func (t *trial) adds(removes bool) {
	c := t.chunk
	accepted := c.flags[:len(c.keys)]
	t.times.record("add", len(c.keys), timedAdds(t.filter, c.keys, accepted), func() time.Duration {
		return timedAdds(nothing{}, c.keys, make([]bool, len(c.keys)))
	})
	for i, key := range c.keys {
		repeat := c.truth[i] == workloads.Member
		if repeat && !t.refused[string(key)] {
			continue // held already, whatever the filter makes of another copy
		}
		if repeat && accepted[i] {
			delete(t.refused, string(key))
		}
		switch {
		case !accepted[i]:
			t.refused[string(key)] = true
		case c.truth[i] == workloads.Deleted && !removes:
			// held still, since the filter could not remove it
		case t.churn.Deleted == 0:
			t.churn.Loaded++
		default:
			t.churn.Added++
		}
	}
}

func (t *trial) removes(remover filters.Remover) {
	c := t.chunk
	removed := c.flags[:len(c.keys)]
	t.times.record("remove", len(c.keys), timedRemoves(remover, c.keys, removed), func() time.Duration {
		return timedRemoves(nothing{}, c.keys, make([]bool, len(c.keys)))
	})
	for _, truth := range c.truth {
		if truth == workloads.Member {
			t.churn.Deleted++
		} else {
			t.churn.Wrong++
		}
	}
}

// probe looks up a mix of one truth, counts the answers and records the time under op.
func (t *trial) probe(op string, mix workloads.Mix) error {
	if mix.Total() == 0 {
		return nil
	}
	return t.lookups(op, mix, func(maybe uint64) {
		n := uint64(len(t.chunk.keys))
		switch {
		case mix.Members > 0:
			t.seen.members += n
			t.seen.falseNegatives += n - maybe
		case mix.Strangers > 0:
			t.seen.strangers += n
			t.seen.falsePositives += maybe
		default:
			t.seen.deleted += n
			t.seen.deletedMaybe += maybe
		}
	})
}

// lookups runs a mix through the filter chunk by chunk.
func (t *trial) lookups(op string, mix workloads.Mix, count func(maybe uint64)) error {
	c := t.chunk
	keep := func(op workloads.Op) bool { return len(t.refused) == 0 || !t.refused[string(op.Key)] }
	return c.each(t.ctx, t.Workload.Lookup(t.keySeed, mix), keep, func() {
		maybe, elapsed := timedLookups(t.filter, c.keys)
		t.times.record(op, len(c.keys), elapsed, func() time.Duration {
			_, floor := timedLookups(nothing{}, c.keys)
			return floor
		})
		count(maybe)
	})
}

// mixLookups is the number of lookups timed at each share of members.
const mixLookups = 8 * chunkOps

// mixes times lookups at several shares of members, with strangers not asked before. A log has no
// fresh strangers to offer and is left out.
func (t *trial) mixes() error {
	if t.number >= timedTrials || t.Workload.Log != nil {
		return nil
	}
	skip := t.strangers
	for _, share := range mixShares(t.Workload.Present) {
		members := uint64(share*mixLookups + 0.5)
		mix := workloads.Mix{Members: members, Strangers: mixLookups - members, SkipStrangers: skip}
		if err := t.lookups(mixName(share), mix, func(uint64) {}); err != nil {
			return err
		}
		t.times.share(mixName(share), share)
		skip += mix.Strangers
	}
	return nil
}

// result turns what the trial saw into the counts of its row.
func (t *trial) result(r *Result) {
	r.Held = t.churn.Held()
	r.Rejected = uint64(len(t.refused))
	r.Members, r.FalseNegatives = t.seen.members, t.seen.falseNegatives
	r.Strangers, r.FalsePositives = t.seen.strangers, t.seen.falsePositives
	r.DeletedProbes, r.DeletedMaybe = t.seen.deleted, t.seen.deletedMaybe
	r.WrongDeletes = t.churn.Wrong
	if r.Strangers > 0 {
		lo, hi := stats.ClopperPearson(r.FalsePositives, r.Strangers, 0.95)
		r.FPR, r.FPRLo, r.FPRHi = ptr(float64(r.FalsePositives)/float64(r.Strangers)), &lo, &hi
	}
	r.SizeBits = t.filter.SizeBits()
	if r.Held > 0 {
		r.BitsPerKey = ptr(float64(r.SizeBits) / float64(r.Held))
	}
	if t.heap > 0 {
		r.HeapBytes = &t.heap
		r.HeapBitsPerKey = ptr(float64(8*t.heap) / float64(max(r.Held, 1)))
	}
	if o, ok := t.filter.(filters.Occupier); ok {
		r.Occupancy = ptr(o.Occupancy())
	}
	if p, ok := t.filter.(filters.Predictor); ok {
		r.InstanceFPR = ptr(p.InstanceFPR())
	}
	if n, ok := t.filter.(filters.Noter); ok {
		r.Warnings = append(r.Warnings, n.Notes()...)
	}
	t.lost(r)
	if t.number < timedTrials {
		r.Timings = t.times.timings()
	}
}

// lost predicts the members that answer no, and marks the row as provoked where there should be any.
func (t *trial) lost(r *Result) {
	lost := 0.0
	if t.model.Lost != nil {
		lost = t.model.Lost(t.churn)
	}
	if l, ok := t.filter.(filters.Loser); ok {
		keys, why := l.Lost()
		if keys > 0 {
			r.Warnings = append(r.Warnings, why)
		}
		lost += keys
	}
	if lost > 0 {
		r.LostPredicted, r.Provoked = &lost, true
	}
}

func ptr(x float64) *float64 { return &x }
