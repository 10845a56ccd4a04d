package workloads

import "iter"

// A settled log is one whose keys have their standing: what a replay needs, and no more.
type settled struct {
	keys                    *keySet
	n                       uint64   // keys to size a filter for
	stored, removed, absent []uint32 // numbers of keys, in order of first appearance
	asked                   []uint32 // the reads of stored keys, in order
	steps                   []uint32 // the writes, a key with its life before each; nil: the stored keys are added in order
	truth                   Truth    // of an absent key
}

// place puts a key where its standing belongs; an undecided one nowhere.
func (s *settled) place(number uint32, as standing) {
	switch as {
	case stored:
		s.stored = append(s.stored, number)
	case removed:
		s.removed = append(s.removed, number)
	case absent:
		s.absent = append(s.absent, number)
	}
}

func (s *settled) workload() Workload {
	return Workload{
		N:         s.n,
		Members:   uint64(len(s.stored)),
		Deleted:   uint64(len(s.removed)),
		Strangers: uint64(len(s.absent)),
		Fixed:     true,
		Churns:    s.steps != nil,
		Load:      s.load,
		Lookup:    s.lookup,
	}
}

// load yields the writes; the seed changes nothing.
func (s *settled) load(uint64) iter.Seq2[Op, error] {
	return func(yield func(Op, error) bool) {
		if s.steps == nil {
			for _, number := range s.stored {
				if !yield(Op{s.keys.key(number), Add, NeverSeen}, nil) {
					return
				}
			}
		}
		for _, step := range s.steps {
			number, before := unpack(step)
			op := Op{s.keys.key(number), Add, NeverSeen}
			switch life(before) {
			case live:
				op.Kind, op.Truth = Remove, Member
			case dead:
				op.Truth = Deleted
			}
			if !yield(op, nil) {
				return
			}
		}
	}
}

// lookup yields absent keys once each, in order of first appearance; deleted keys once each, in
// random order; and stored keys once each in random order, or as the log asks for them, over and
// over (where it asks for none, one after the other).
func (s *settled) lookup(seed uint64, mix Mix) iter.Seq2[Op, error] {
	asked := s.asked
	if len(asked) == 0 {
		asked = s.stored
	}
	if mix.Each || len(asked) == 0 {
		mix.Members = min(mix.Members, uint64(len(s.stored)))
	}
	all := uint64(len(s.absent))
	mix.SkipStrangers = min(mix.SkipStrangers, all)
	mix.Strangers = min(mix.Strangers, all-mix.SkipStrangers)
	mix.Deleted = min(mix.Deleted, uint64(len(s.removed)))
	return lookups(seed, mix, s.truth, func(order uint64) source {
		gone := newPicker(derive(order, forDeleted), uint64(len(s.removed)), true)
		each := newPicker(derive(order, forMembers), uint64(len(s.stored)), true)
		next, turn := mix.SkipStrangers, 0
		return func(c class) []byte {
			switch {
			case c == strangers:
				next++
				return s.keys.key(s.absent[next-1])
			case c == deleted:
				return s.keys.key(s.removed[gone.pick()])
			case mix.Each:
				return s.keys.key(s.stored[each.pick()])
			}
			turn++
			return s.keys.key(asked[(turn-1)%len(asked)])
		}
	})
}
