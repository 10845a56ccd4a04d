package cuckoo

import (
	"fmt"
	"math"

	seiflotfy "github.com/seiflotfy/cuckoofilter"

	"filterlab/filters"
	"filterlab/filters/spec"
)

const (
	// maxSlots is the largest table: the package takes the bucket from 32 bits of the hash.
	maxSlots = bucketSlots << 32
	// roomyBelow is the load above which n keys are asked to overfill the table.
	roomyBelow = 0.95
	// room is how many square roots of the slots a table keeps free, so that n keys fit a small one
	// too: tables of up to 2,048 slots filled to 95 % refuse a key in up to a tenth of all cases.
	room = 2.2
)

// Variant describes the filter: cuckoo, with knob load.
func Variant() filters.Variant {
	return filters.Variant{
		Name: "cuckoo",
		Doc:  "cuckoo filter of seiflotfy/cuckoofilter: 255 fingerprints, slots rounded up to a power of two, can remove; p is ignored",
		Knobs: []spec.Knob{
			spec.Real("load", fmt.Sprintf("highest load factor at which n keys are placed; up to %g small tables keep more room, "+
				"so that n keys fit; above it keys are refused and the package drops others", roomyBelow), "0.95", 0.1, 1),
		},
		Concurrent: true,
		New:        newFilter,
		Model:      model,
	}
}

func newFilter(p filters.Params) (filters.Filter, error) {
	slots, err := shape(p)
	if err != nil {
		return nil, err
	}
	return &Filter{table: seiflotfy.NewFilter(uint(slots)), slots: slots}, nil
}

// shape returns the slots for p: the least power of two, at least one bucket, that holds n keys at
// no more than the load asked for.
func shape(p filters.Params) (slots uint64, err error) {
	if err := p.Check(); err != nil {
		return 0, err
	}
	load := p.Knobs.Float("load")
	for slots = bucketSlots; float64(p.N) > keysFor(slots, load); slots *= 2 {
		if slots == maxSlots {
			return 0, fmt.Errorf("n = %d at load %g takes more than %d slots, and the package reaches no more: lower n",
				p.N, load, uint64(maxSlots))
		}
	}
	return slots, nil
}

// keysFor returns the most keys that are meant for a table of slots.
func keysFor(slots uint64, load float64) float64 {
	s := float64(slots)
	if load > roomyBelow || slots == bucketSlots { // one bucket takes 4 keys, whatever they are
		return load * s
	}
	return min(load*s, s-room*math.Sqrt(s))
}

func model(p filters.Params) (filters.Model, error) {
	slots, err := shape(p)
	if err != nil {
		return filters.Model{}, err
	}
	s := float64(slots)
	table := population{fingerprints, s / bucketSlots, float64(loners(slots)) / fingerprints}
	held := func(n uint64) float64 { return min(float64(n), s) }
	return filters.Model{
		Formula: "1-(1-2/(255 M))^n, M = slots/4 buckets, slots a power of two; about 1-(1-1/255)^(8 load)",
		Source: "Fan, Andersen, Kaminsky & Mitzenmacher 2014, for the 255 fingerprints of seiflotfy/cuckoofilter; " +
			"the target p has no part in it",
		Bits:      8 * slots,
		FPR:       func(n uint64) float64 { return table.fpr(held(n)) },
		SD:        func(n uint64) float64 { return table.sd(held(n)) },
		Occupancy: func(n uint64) float64 { return held(n) / s },
		Lost:      func(c filters.Churn) float64 { return table.lost(c) },
		FPRAfter:  func(c filters.Churn) float64 { return table.fprAfter(c) },
	}, nil
}
