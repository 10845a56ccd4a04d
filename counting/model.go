package counting

import (
	"math"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// A layout is how many counters there are, where they lie, and how many a key has.
type layout struct {
	words uint64
	lines uint64 // 0: one table
	k     int    // probes
	bits  uint64 // of a counter, 4 or 8
}

// shape returns the layout that p asks for.
func shape(p filters.Params) (layout, error) {
	if err := p.Check(); err != nil {
		return layout{}, err
	}
	bits := uint64(4)
	if p.Knobs["bits"] == "8" {
		bits = 8
	}
	if p.Knobs["layout"] == "blocked" {
		return shapeLines(p, bits)
	}
	return shapeFlat(p, bits)
}

// shapeFlat takes m = n ln(1/p) / ln(2)^2 counters, rounded up to whole words; k = log2(1/p) to the
// nearest whole number, 1..64.
func shapeFlat(p filters.Params, bits uint64) (layout, error) {
	words, err := filters.TableWords(float64(bits) * theory.SizeBloom(float64(p.N), p.P).Bits)
	return layout{words: words, k: filters.Probes(p.P), bits: bits}, err
}

func model(p filters.Params) (filters.Model, error) {
	l, err := shape(p)
	switch {
	case err != nil:
		return filters.Model{}, err
	case l.lines > 0:
		return modelLines(l), nil
	}
	return modelFlat(l), nil
}

// modelFlat predicts a filter of one table while its counters stay below their ceiling. One counter of
// 4 bits in 3e14 gets there at the design load, one in 2e6 at four times the keys, one in 120 at ten
// times. From there on deletes leave these behind: back at n keys, the FPR is 2 to 3 % above the
// model. Of counters of 8 bits not one in 1e9 gets there at two hundred times.
func modelFlat(l layout) filters.Model {
	t := table{float64(l.words * (64 / l.bits)), float64(l.k)}
	return filters.Model{
		Formula: "E[(X/m)^k], X counters reached by kn throws into m",
		Source:  "Fan et al. 2000; Bose et al. 2008; to second order in Var X where m > 131072",
		Bits:    64 * l.words,
		K:       l.k,
		FPR:     func(n uint64) float64 { return t.fpr(float64(n)) },
		SD:      func(n uint64) float64 { return theory.BloomInstanceSD(t.m, t.k, float64(n)) },
		Occupancy: func(n uint64) float64 {
			mean, _ := theory.BloomFill(t.m, t.k, float64(n))
			return mean
		},
		Lost: func(c filters.Churn) float64 {
			held := float64(c.Held())
			fnr, _ := theory.CountingBlindDeletesFNR(t.m, t.k, held, t.blind(held, float64(c.Wrong)))
			return held * fnr
		},
		FPRAfter: func(c filters.Churn) float64 {
			held := float64(c.Held())
			return t.fprAfter(held, t.blind(held, float64(c.Wrong)))
		},
	}
}

// A table is the two numbers that the formulas need: m counters and k probes.
type table struct{ m, k float64 }

// fpr returns the FPR with n keys held, including keys whose whole 64-bit hashes meet.
func (t table) fpr(n float64) float64 {
	return theory.WithHashFloor(theory.BloomFPR(t.m, t.k, n), theory.HashWidthFloor(64, n))
}

// nonzero returns the share of counters that are not 0 once n keys were added and then w absent
// keys deleted blindly, without asking first: P(A > D) with A ~ Poisson(kn/m) increments and
// D ~ Poisson(kw/m) decrements.
func (t table) nonzero(n, w float64) float64 {
	if w == 0 {
		mean, _ := theory.BloomFill(t.m, t.k, n)
		return mean
	}
	// theory has P(D > A), for a counter of a member: here the two change places.
	_, q := theory.CountingBlindDeletesFNR(t.m, t.k, w, n)
	return q
}

// blind returns how many blind deletes w do the harm of W wrong deletes of a filter that asks
// first, with n keys held. A counter that is not 0 is decremented by a blind delete with
// probability k/m, and by one that asks only if the other k-1 counters are not 0 either, so
//
//	dw/dW = nonzero(n, w)^(k-1)
//
// solved by the trapezoidal rule for W(w). For W = 1 it leads to FPR * CountingWrongDeleteLoss
// members lost. Own derivation, counters taken as independent.
func (t table) blind(n, wrong float64) float64 {
	if n == 0 || wrong == 0 || t.k == 1 {
		return wrong
	}
	slope := func(w float64) float64 { return math.Pow(max(t.nonzero(n, w), 1e-9), 1-t.k) }
	load := t.k * n / t.m
	step := min(wrong, 0.01*max(1, math.Sqrt(load))*t.m/t.k)
	left, w, before := wrong, 0.0, slope(0)
	for {
		after := slope(w + step)
		if cost := step * (before + after) / 2; cost < left {
			left, w, before = left-cost, w+step, after
			continue
		}
		bend := 2 * (after - before) * left / step
		return w + 2*left/(before+math.Sqrt(before*before+bend))
	}
}

// fprAfter returns the FPR after w blind deletes: that of the number of keys which reach as many
// counters.
func (t table) fprAfter(n, w float64) float64 {
	if w == 0 {
		return t.fpr(n)
	}
	return t.fpr(math.Log1p(-t.nonzero(n, w)) / (t.k * math.Log1p(-1/t.m)))
}
