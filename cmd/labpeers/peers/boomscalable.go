package peers

import (
	"math"

	boom "github.com/tylertreat/BoomFilters"

	"filterlab/filters"
	"filterlab/filters/spec"
)

// A boomScalable is the scalable Bloom filter of BoomFilters. Every stage is sized for as many keys
// as the first, so the stages, and with them the time of a lookup, grow linearly with the keys.
type boomScalable struct {
	table *boom.ScalableBloomFilter
	plan  scalablePlan
	last  boomSlices // the stage being filled
	stage int
	room  uint64 // keys that still fit in it
	bits  uint64
}

var _ filters.Filter = (*boomScalable)(nil)

func (f *boomScalable) Add(key []byte) bool {
	if f.room == 0 {
		f.stage++
		f.last = f.plan.stage(f.stage)
		f.room = f.last.halfFull()
		f.bits += f.last.bits()
	}
	f.room--
	f.table.Add(key)
	return true
}

func (f *boomScalable) Contains(key []byte) bool { return f.table.Test(key) }

// SizeBits returns the bits of the whole bytes of the slices of all stages.
func (f *boomScalable) SizeBits() uint64 { return f.bits }

// BoomScalable describes the filter: boom-scalable, with knobs hint and tightening.
func BoomScalable() filters.Variant {
	return filters.Variant{
		Name: "boom-scalable",
		Doc: "scalable Bloom filter of tylertreat/BoomFilters: stages never grow, so 100 times the hint makes over 100 stages to ask; " +
			"the FPR bound is p/(1-tightening), 5 p by default; " + boomHash,
		Knobs: []spec.Knob{
			spec.Real("hint", "keys that the first stage is sized for, as a share of n", "1", 1e-6, 1),
			spec.Real("tightening", "target FPR of a stage over that of the one before", "0.8", 0.01, 0.99),
		},
		New: func(p filters.Params) (filters.Filter, error) {
			plan, err := scalablePlanOf(p)
			if err != nil {
				return nil, err
			}
			f := &boomScalable{table: boom.NewScalableBloomFilter(plan.hint, plan.p, plan.r), plan: plan}
			f.last = plan.stage(0)
			f.room, f.bits = f.last.halfFull(), f.last.bits()
			return f, nil
		},
		Model: func(p filters.Params) (filters.Model, error) {
			plan, err := scalablePlanOf(p)
			if err != nil {
				return filters.Model{}, err
			}
			return filters.Model{
				Formula: "1 - product of (1-f_i), f_i of a partitioned filter for the hint at p r^i, closed when half full",
				Source:  "Almeida et al. 2007, without its growth of stages; " + boomSource,
				Bits:    plan.stage(0).bits(),
				FPR:     plan.fpr,
				SD:      plan.sd,
			}, nil
		},
	}
}

// A scalablePlan is what a scalable filter makes its stages from.
type scalablePlan struct {
	hint uint
	p, r float64
}

func scalablePlanOf(p filters.Params) (scalablePlan, error) {
	err := checkSize(p)
	hint := max(1, math.Round(float64(p.N)*p.Knobs.Float("hint")))
	return scalablePlan{uint(hint), p.P, p.Knobs.Float("tightening")}, err
}

// stage returns the slices of stage i, 0 for the first.
func (s scalablePlan) stage(i int) boomSlices {
	p := s.p * math.Pow(s.r, float64(i))
	k := float64(boom.OptimalK(p))
	return boomSlices{math.Ceil(float64(boom.OptimalM(s.hint, p)) / k), k}
}

// halfFull returns the keys after which the package closes a stage: the least count with
// 1-exp(-count/s) of one half or more.
func (b boomSlices) halfFull() uint64 {
	count := math.Floor(b.s * math.Ln2)
	for 1-math.Exp(-count/b.s) < 0.5 {
		count++
	}
	return uint64(count)
}

// each calls do for every stage of a filter that holds n keys, with the keys in it.
func (s scalablePlan) each(n uint64, do func(b boomSlices, keys float64)) {
	for i := 0; n > 0; i++ {
		b := s.stage(i)
		keys := min(n, b.halfFull())
		do(b, float64(keys))
		n -= keys
	}
}

func (s scalablePlan) fpr(n uint64) float64 {
	none := 1.0
	s.each(n, func(b boomSlices, keys float64) { none *= 1 - b.fpr(keys) })
	return 1 - none
}

func (s scalablePlan) sd(n uint64) float64 {
	variance := 0.0
	s.each(n, func(b boomSlices, keys float64) {
		sd := b.model().SD(uint64(keys))
		variance += sd * sd
	})
	return math.Sqrt(variance)
}
