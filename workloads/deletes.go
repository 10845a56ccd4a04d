package workloads

import (
	"fmt"
	"iter"
	"math"

	"filterlab/filters/spec"
)

// deletes is a set that churns: n ids are added, a share is deleted, new ones are added, and, on
// request, keys are deleted that never were added. Which ids are deleted is drawn by the seed.
func deletes() Definition {
	return Definition{
		Name: "deletes",
		Doc:  "random 64-bit ids of which a share is deleted and replaced; deletes of keys never added on request",
		Knobs: []spec.Knob{
			spec.Real("share", "share of n that is deleted", "0.5", 0, 1),
			addKnob(),
			spec.Real("wrong", "share of n that is deleted without ever having been added", "0", 0, 1),
			shapeKnob(),
		},
		Make: func(n uint64, v spec.Values) (Workload, error) {
			c := newChurn(n, v)
			if c.kept()+c.added == 0 {
				return Workload{}, badInput("deletes: share=%s and add=%s leave no key to look up; want share below 1 or add above 0", v["share"], v["add"])
			}
			return Workload{
				N:       max(n, c.kept()+c.added),
				Members: c.kept() + c.added,
				Deleted: c.deleted,
				Present: evenTraffic,
				Churns:  true,
				Load:    c.load,
				Lookup:  c.lookup,
			}, nil
		},
	}
}

// addKnob is the share of n added after the deletes, which follows the share deleted.
func addKnob() spec.Knob {
	number := spec.Real("add", "share of n that is added after the deletes; share: as many as were deleted", "0.5", 0, 1)
	number.Default, number.Allowed = "share", number.Allowed+" | share"
	check := number.Check
	number.Check = func(value string) error {
		if value == "share" || check(value) == nil {
			return nil
		}
		return fmt.Errorf("%q is neither a number from 0 to 1 nor the word share", value)
	}
	return number
}

// A churn holds the numbers of keys. Ids below n are the first load, of which the permutation of
// the seed puts the deleted ones first; ids from n on are added later; the strangers deleted by
// mistake are the first ones, and lookups begin after them.
type churn struct {
	n, deleted, added, wrong uint64
	shape                    shape
}

func newChurn(n uint64, v spec.Values) churn {
	part := func(share float64) uint64 { return uint64(math.Round(share * float64(n))) }
	c := churn{n: n, deleted: part(v.Float("share")), wrong: part(v.Float("wrong")), shape: shapeOf(v)}
	c.added = c.deleted
	if v["add"] != "share" {
		c.added = part(v.Float("add"))
	}
	return c
}

func (c churn) kept() uint64 { return c.n - c.deleted }

func (c churn) permutation(seed uint64) permutation {
	return newPermutation(derive(seed, forChurn), c.n)
}

func (c churn) load(seed uint64) iter.Seq2[Op, error] {
	return func(yield func(Op, error) bool) {
		keys, order := newIDs(seed, c.shape), c.permutation(seed)
		for i := range c.n {
			if !yield(Op{keys.member(i), Add, NeverSeen}, nil) {
				return
			}
		}
		for i := range c.deleted {
			if !yield(Op{keys.member(order.at(i)), Remove, Member}, nil) {
				return
			}
		}
		for i := range c.added {
			if !yield(Op{keys.member(c.n + i), Add, NeverSeen}, nil) {
				return
			}
		}
		for i := range c.wrong {
			if !yield(Op{keys.stranger(i), Remove, NeverSeen}, nil) {
				return
			}
		}
	}
}

func (c churn) lookup(seed uint64, mix Mix) iter.Seq2[Op, error] {
	held := c.kept() + c.added
	if mix.Each {
		mix.Members = min(mix.Members, held)
	}
	mix.Deleted = min(mix.Deleted, c.deleted)
	return lookups(seed, mix, NeverSeen, func(order uint64) source {
		keys, churned := newIDs(seed, c.shape), c.permutation(seed)
		chosen, asked := newPicker(derive(order, forMembers), held, mix.Each), c.wrong+mix.SkipStrangers
		gone := newPicker(derive(order, forDeleted), c.deleted, true)
		return func(cl class) []byte {
			switch cl {
			case deleted:
				return keys.member(churned.at(gone.pick()))
			case strangers:
				asked++
				return keys.stranger(asked - 1)
			}
			i := chosen.pick()
			if i < c.kept() {
				return keys.member(churned.at(c.deleted + i))
			}
			return keys.member(c.n + i - c.kept())
		}
	})
}
