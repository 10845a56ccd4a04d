package scalable

import (
	"math"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// model predicts the filter at any number of keys, with the stages it has by then as they are after
// rounding. Its size depends on the keys that came: HeapBytes is that at n, and a new filter is as
// large as its first stage.
func model(p filters.Params) (filters.Model, error) {
	plan, err := planOf(p)
	if err != nil {
		return filters.Model{}, err
	}
	g := growth{plan, p.Knobs["at-max"] == "degrade"}
	return filters.Model{
		Formula:   "1 - prod over the stages of 1-E[(X/m)^k], all but the last at their capacity",
		Source:    "Almeida et al. 2007, and Bose et al. 2008 for a stage; keys that reach a stage: own derivation",
		HeapBytes: g.bits(float64(p.N)) / 8,
		FPR: func(n uint64) float64 {
			return theory.WithHashFloor(g.fpr(float64(n)), theory.HashWidthFloor(64, float64(n)))
		},
		SD: func(n uint64) float64 { return g.sd(float64(n)) },
	}, nil
}

// A growth is how a filter's stages fill as keys come.
type growth struct {
	plan    []stage
	degrade bool
}

// loads returns how many of n distinct keys reach each stage there is by then: those that no stage
// before it takes for held. So stage i is full after full/(1-F) further keys, where F is the compound
// FPR of the full stages before it. A mean-field argument: the count at which a stage is full strays
// by the square root of the few keys that answered maybe.
func (g growth) loads(n float64) []float64 {
	var loads []float64
	miss := 1.0
	for i, s := range g.plan {
		last := i == len(g.plan)-1
		if n*miss <= s.full || last && g.degrade {
			return append(loads, n*miss)
		}
		loads = append(loads, s.full)
		n -= s.full / miss
		miss *= 1 - s.fullFPR
	}
	return loads
}

func (g growth) fpr(n float64) float64 {
	log := 0.0
	for i, load := range g.loads(n) {
		log += math.Log1p(-g.plan[i].fpr(load))
	}
	return -math.Expm1(log)
}

// sd adds up the variances of the stages, each times the square of what the others let through.
func (g growth) sd(n float64) float64 {
	miss, sum := 1-g.fpr(n), 0.0
	if miss == 0 {
		return 0
	}
	for i, load := range g.loads(n) {
		s := g.plan[i]
		sd := s.sd(load) * miss / (1 - s.fpr(load))
		sum += sd * sd
	}
	return math.Sqrt(sum)
}

// bits returns the size at n keys.
func (g growth) bits(n float64) (bits uint64) {
	for i := range g.loads(n) {
		bits += 64 * g.plan[i].words
	}
	return bits
}

// fill returns the expected fill ratio over all stages at n keys.
func (g growth) fill(n float64) float64 {
	ones := 0.0
	for i, load := range g.loads(n) {
		mean, _ := theory.BloomFill(g.plan[i].bits(), g.plan[i].probes(), load)
		ones += mean * g.plan[i].bits()
	}
	return ones / float64(g.bits(n))
}
