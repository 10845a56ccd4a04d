// Package scalable is a Bloom filter that grows: when a stage is full the next one is added, larger
// and with a smaller FPR, so that the compound FPR keeps its bound however many keys come (Almeida,
// Baquero, Preguica & Hutchison 2007).
package scalable

import (
	"fmt"
	"io"
	"math"

	"filterlab/filters"
	"filterlab/filters/bitarray"
	"filterlab/filters/spec"
)

// A Filter is a scalable Bloom filter, whose stages are standard ones. It cannot remove keys. Lookups
// may run at once as long as nothing is added.
type Filter struct {
	stages  []bitarray.Array // the oldest first; all but the last are full
	plan    []stage          // of all stages that there may be
	taken   uint64           // new keys that the last stage took
	refused uint64
	degrade bool
	seed    uint64
}

var (
	_ filters.Filter    = (*Filter)(nil)
	_ filters.Occupier  = (*Filter)(nil)
	_ filters.Predictor = (*Filter)(nil)
	_ filters.Noter     = (*Filter)(nil)
	_ io.WriterTo       = (*Filter)(nil)
	_ io.ReaderFrom     = (*Filter)(nil)
)

// Add puts key in the last stage, unless some stage says maybe already: such a key, held before or
// not, sets no bit and does not count, so that repeats grow nothing. A new key beyond what the last
// stage takes adds a stage, which allocates; nothing else does. Where no stage may be added, the last
// one takes the key all the same or, with at-max=refuse, Add returns false.
func (f *Filter) Add(key []byte) bool {
	h := filters.Hash(key, f.seed)
	last := len(f.stages) - 1
	for i := range last {
		if f.stages[i].Has(h) {
			return true
		}
	}
	if f.taken >= f.plan[last].capacity {
		switch {
		case f.stages[last].Has(h):
			return true
		case last+1 < len(f.plan):
			last++
			f.grow()
		case !f.degrade:
			f.refused++
			return false
		}
	}
	if f.stages[last].Set(h) {
		f.taken++
	}
	return true
}

func (f *Filter) grow() {
	next := f.plan[len(f.stages)]
	f.stages = append(f.stages, bitarray.New(next.words, next.k))
	f.taken = 0
}

// Contains reports whether some stage has all its bits of key set. It asks the last stage first,
// which holds the most keys.
func (f *Filter) Contains(key []byte) bool {
	h := filters.Hash(key, f.seed)
	for i := len(f.stages) - 1; i >= 0; i-- {
		if f.stages[i].Has(h) {
			return true
		}
	}
	return false
}

// Stages returns how many stages there are now.
func (f *Filter) Stages() int { return len(f.stages) }

// SizeBits returns the bits of the stages there are now.
func (f *Filter) SizeBits() (bits uint64) {
	for i := range f.stages {
		bits += f.stages[i].M
	}
	return bits
}

// Occupancy returns the fill ratio over all stages, 0..1. It counts the bits: O(m).
func (f *Filter) Occupancy() float64 {
	var ones uint64
	for i := range f.stages {
		ones += f.stages[i].Ones()
	}
	return float64(ones) / float64(f.SizeBits())
}

// InstanceFPR returns 1 - prod over the stages of 1-(fill ratio)^k. It counts the bits: O(m).
func (f *Filter) InstanceFPR() float64 {
	log := 0.0
	for i := range f.stages {
		log += math.Log1p(-f.stages[i].FPR())
	}
	return -math.Expm1(log)
}

// Notes tells that the filter grew as far as it may and what it does with the keys that come then.
func (f *Filter) Notes() []string {
	last := len(f.stages) - 1
	most := f.plan[last].capacity
	switch {
	case f.refused > 0:
		return []string{fmt.Sprintf("it has the %d stages that it may have and refused %d keys beyond what they take", last+1, f.refused)}
	case f.taken > most:
		return []string{fmt.Sprintf("it has the %d stages that it may have, and the last took %.2f times the keys it is made for: the FPR is no longer bounded",
			last+1, float64(f.taken)/float64(most))}
	}
	return nil
}

// Variant describes the filter: scalable, with knobs start, growth, tightening, first, max-stages and
// at-max.
func Variant() filters.Variant {
	return filters.Variant{
		Name: "scalable",
		Doc:  "Bloom filter of our own that grows by stages and keeps its FPR under p",
		Knobs: []spec.Knob{
			spec.Whole("start", "keys of the first stage; 0: a tenth of n, so that n is reached in the fourth stage", "0", 0, 1e12),
			spec.Real("growth", "keys of a stage over those of the stage before", "2", 1, 16),
			spec.Real("tightening", "FPR of a stage over that of the stage before", "0.5", 0.05, 0.95),
			spec.Choice("first", "FPR of the first stage; bound: p (1-tightening), as Redis has it, so that all stages together stay under p; p: the paper's, with p/(1-tightening) for all", "bound", "p"),
			spec.Whole("max-stages", "stages at most", fmt.Sprint(maxStages), 1, maxStages),
			spec.Choice("at-max", "what happens to new keys when the last stage is full; degrade: it takes them, and the FPR rises", "refuse", "degrade"),
		},
		Seeded: true, Concurrent: true,
		New:   newFilter,
		Model: model,
	}
}

func newFilter(p filters.Params) (filters.Filter, error) {
	plan, err := planOf(p)
	if err != nil {
		return nil, err
	}
	f := &Filter{plan: plan, degrade: p.Knobs["at-max"] == "degrade", seed: p.Seed}
	f.grow()
	return f, nil
}
