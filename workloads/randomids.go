package workloads

import (
	"iter"

	"filterlab/filters/spec"
)

// randomIDs is the set of n random 64-bit ids, probed by bots with random ids that do not exist.
func randomIDs() Definition {
	return Definition{
		Name: "random-ids",
		Doc:  "random 64-bit ids, probed with random ids that do not exist",
		Knobs: []spec.Knob{
			spec.Real("present", "share of lookups that ask for a member", "0.5", 0, 1),
			shapeKnob(),
		},
		Make: func(n uint64, v spec.Values) (Workload, error) {
			s := shapeOf(v)
			return Workload{
				N:       n,
				Members: n,
				Present: v.Float("present"),
				Load: func(seed uint64) iter.Seq2[Op, error] {
					return func(yield func(Op, error) bool) {
						keys := newIDs(seed, s)
						for i := range n {
							if !yield(Op{keys.member(i), Add, NeverSeen}, nil) {
								return
							}
						}
					}
				},
				Lookup: func(seed uint64, mix Mix) iter.Seq2[Op, error] {
					return randomLookups(seed, n, s, mix)
				},
			}, nil
		},
	}
}

func randomLookups(seed, n uint64, s shape, mix Mix) iter.Seq2[Op, error] {
	mix.Deleted = 0
	if mix.Each {
		mix.Members = min(mix.Members, n)
	}
	return lookups(seed, mix, NeverSeen, func(order uint64) source {
		keys := newIDs(seed, s)
		chosen, asked := newPicker(derive(order, forMembers), n, mix.Each), mix.SkipStrangers
		return func(c class) []byte {
			if c == members {
				return keys.member(chosen.pick())
			}
			asked++
			return keys.stranger(asked - 1)
		}
	})
}
