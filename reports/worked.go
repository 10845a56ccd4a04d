package reports

import (
	"maps"
	"slices"
)

// workedBits is m of the worked example.
const workedBits = 16

// A Step is one operation on the filter of the worked example, what came of it, and the table after it.
type Step struct {
	Do    string // add, ask or delete
	Key   string
	At    []int                // the k positions of the key
	Set   [workedBits]bool     // the table after the step: all that a Bloom filter keeps
	By    [workedBits][]string // which keys set a bit: for the reader, never for the filter
	Old   []int                // of an add: the key's bits that were set already
	Loses map[int][]string     // of a delete: the bits cleared that other keys held need, and these keys
	Zeros []int                // of an ask: the key's bits that are 0
	Held  bool                 // of an ask: whether the filter should hold the key
}

// Maybe reports whether the filter answers an ask with "maybe": none of the key's bits is 0.
func (s Step) Maybe() bool { return s.Do == "ask" && len(s.Zeros) == 0 }

// Wrong reports whether the answer to an ask is a false positive or a false negative.
func (s Step) Wrong() bool { return s.Do == "ask" && s.Maybe() != s.Held }

// WorkedExample runs the worked example, m = 16 bits and k = 3, with positions chosen by hand in the
// place of hashes: two keys that share bit 6, two strangers, and a delete that clears bits.
func WorkedExample() []Step {
	at := map[string][]int{
		"apple": {1, 6, 12}, "banana": {3, 6, 14}, // added
		"kiwi": {1, 7, 12}, "mango": {1, 6, 14}, // never added
	}
	f := handFilter{held: map[string][]int{}}
	var steps []Step
	for _, op := range []struct {
		do  func(name string, at []int) Step
		key string
	}{{f.add, "apple"}, {f.add, "banana"}, {f.ask, "kiwi"}, {f.ask, "mango"}, {f.remove, "banana"}, {f.ask, "apple"}} {
		s := op.do(op.key, at[op.key])
		s.Key, s.At, s.Set = op.key, at[op.key], f.set
		for i, keys := range f.by {
			s.By[i] = slices.Clone(keys)
		}
		steps = append(steps, s)
	}
	return steps
}

// A handFilter is a Bloom filter small enough to follow by hand, and what a reader wants to know besides.
type handFilter struct {
	set  [workedBits]bool
	by   [workedBits][]string
	held map[string][]int // the truth: keys added and not deleted, with their positions
}

// add sets the bits of a key.
func (f *handFilter) add(name string, at []int) Step {
	s := Step{Do: "add"}
	for _, i := range at {
		if f.set[i] {
			s.Old = append(s.Old, i)
		}
		f.set[i] = true
		f.by[i] = append(f.by[i], name)
	}
	f.held[name] = at
	return s
}

// ask looks at the bits of a key: one that is 0 proves it absent.
func (f *handFilter) ask(name string, at []int) Step {
	s := Step{Do: "ask"}
	_, s.Held = f.held[name]
	for _, i := range at {
		if !f.set[i] {
			s.Zeros = append(s.Zeros, i)
		}
	}
	return s
}

// remove clears the bits of a key, as a Bloom filter must not: another key may need them.
func (f *handFilter) remove(name string, at []int) Step {
	s := Step{Do: "delete", Loses: map[int][]string{}}
	delete(f.held, name)
	for _, i := range at {
		f.set[i], f.by[i] = false, nil
		for _, other := range slices.Sorted(maps.Keys(f.held)) {
			if slices.Contains(f.held[other], i) {
				s.Loses[i] = append(s.Loses[i], other)
			}
		}
	}
	return s
}
