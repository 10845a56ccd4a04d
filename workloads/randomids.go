package workloads

import (
	"iter"
	"math"

	"filterlab/filters/spec"
)

// randomIDs is the set of random 64-bit ids, probed by bots with random ids that do not exist. It
// may hold more or fewer keys than the filter is sized for, and have keys added again and again.
func randomIDs() Definition {
	return Definition{
		Name: "random-ids",
		Doc:  "random 64-bit ids, probed with random ids that do not exist",
		Knobs: []spec.Knob{
			spec.Real("present", "share of lookups that ask for a member", "0.5", 0, 1),
			shapeKnob(),
			spec.Real("fill", "keys stored per key that the filter is sized for", "1", 0.01, 20),
			spec.Real("dup", "share of the adds that repeat a key added before", "0", 0, 0.95),
		},
		Make: func(n uint64, v spec.Values) (Workload, error) {
			r := newRandomSet(n, v)
			return Workload{
				N:       n,
				Members: r.members,
				Present: v.Float("present"),
				Load:    r.load,
				Lookup:  r.lookup,
			}, nil
		},
	}
}

// A randomSet holds the number of keys stored and of adds that repeat one of them.
type randomSet struct {
	members, repeats uint64
	shape            shape
}

func newRandomSet(n uint64, v spec.Values) randomSet {
	members := max(1, uint64(math.Round(v.Float("fill")*float64(n))))
	dup := v.Float("dup")
	repeats := uint64(math.Round(float64(members) * dup / (1 - dup)))
	return randomSet{members: members, repeats: repeats, shape: shapeOf(v)}
}

func (r randomSet) load(seed uint64) iter.Seq2[Op, error] {
	if r.repeats > 0 {
		return r.loadAgain(seed)
	}
	return func(yield func(Op, error) bool) {
		keys := newIDs(seed, r.shape)
		for i := range r.members {
			if !yield(Op{keys.member(i), Add, NeverSeen}, nil) {
				return
			}
		}
	}
}

// loadAgain spreads the repeats at random over the load; each repeats any of the keys before it.
func (r randomSet) loadAgain(seed uint64) iter.Seq2[Op, error] {
	return func(yield func(Op, error) bool) {
		keys, draw := newIDs(seed, r.shape), rng{derive(seed, forRepeats)}
		added := uint64(0)
		for left := r.members + r.repeats; left > 0; left-- {
			op := Op{Kind: Add, Truth: NeverSeen}
			if added == 0 || draw.below(left) < r.members-added {
				op.Key = keys.member(added)
				added++
			} else {
				op.Key, op.Truth = keys.member(draw.below(added)), Member
			}
			if !yield(op, nil) {
				return
			}
		}
	}
}

func (r randomSet) lookup(seed uint64, mix Mix) iter.Seq2[Op, error] {
	mix.Deleted = 0
	if mix.Each {
		mix.Members = min(mix.Members, r.members)
	}
	return lookups(seed, mix, NeverSeen, func(order uint64) source {
		keys := newIDs(seed, r.shape)
		chosen, asked := newPicker(derive(order, forMembers), r.members, mix.Each), mix.SkipStrangers
		return func(c class) []byte {
			if c == members {
				return keys.member(chosen.pick())
			}
			asked++
			return keys.stranger(asked - 1)
		}
	})
}
