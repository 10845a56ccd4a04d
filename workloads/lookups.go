package workloads

import "iter"

// A class is one of the three kinds of key that a Mix counts.
type class int

const (
	members class = iota
	strangers
	deleted
	classes
)

// A source writes the key of the next lookup of a class; the key is valid until the next call.
type source func(c class) []byte

// lookups yields exactly what mix asks for, interleaved at random: each draw takes a class with
// the probability that its share of what is left gives. open makes the source of one run of the
// stream, with a seed for the order of its keys; strangerTruth is the truth of a stranger.
func lookups(seed uint64, mix Mix, strangerTruth Truth, open func(order uint64) source) iter.Seq2[Op, error] {
	order := orderSeed(seed, mix)
	truths := [classes]Truth{members: Member, strangers: strangerTruth, deleted: Deleted}
	return func(yield func(Op, error) bool) {
		next := open(order)
		r := rng{derive(order, forOrder)}
		left := [classes]uint64{mix.Members, mix.Strangers, mix.Deleted}
		for total := mix.Total(); total > 0; total-- {
			at := r.below(total)
			c := members
			if at >= left[members] {
				c = strangers
			}
			if at >= left[members]+left[strangers] {
				c = deleted
			}
			left[c]--
			if !yield(Op{next(c), Lookup, truths[c]}, nil) {
				return
			}
		}
	}
}

// orderSeed gives every mix of a seed an order of its own, so that two mixtures timed one after
// the other do not ask for the same members in the same order.
func orderSeed(seed uint64, mix Mix) uint64 {
	for _, part := range []uint64{mix.Members, mix.Strangers, mix.Deleted, mix.SkipStrangers} {
		seed = derive(seed, part)
	}
	return seed
}

// A picker picks members 0..n-1: each once in random order, or at random with repetition.
type picker struct {
	once  bool
	next  uint64
	order permutation
	rng   rng
}

// newPicker returns a picker; with once, it may be asked n times at most.
func newPicker(seed, n uint64, once bool) picker {
	return picker{once: once, order: newPermutation(seed, n), rng: rng{seed}}
}

func (p *picker) pick() uint64 {
	if !p.once {
		return p.rng.below(p.order.n)
	}
	p.next++
	return p.order.at(p.next - 1)
}
