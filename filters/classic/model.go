package classic

import (
	"math"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// model predicts the filter under an ideal hash, whatever the knob hash says: what a weak one adds is
// what the lab is to show.
func model(p filters.Params) (filters.Model, error) {
	words, k, err := shape(p)
	if err != nil {
		return filters.Model{}, err
	}
	t := table{m: 64 * float64(words), k: float64(k)}
	m := filters.Model{
		Formula: "E[(X/m)^k], X bits set by kn throws into m",
		Source:  "Bose et al. 2008; to second order in Var X where m > 131072",
		Bits:    64 * words,
		K:       k,
		FPR:     func(n uint64) float64 { return t.fpr(float64(n)) },
		SD:      func(n uint64) float64 { return theory.BloomInstanceSD(t.m, t.k, float64(n)) },
		Occupancy: func(n uint64) float64 {
			mean, _ := theory.BloomFill(t.m, t.k, float64(n))
			return mean
		},
	}
	if _, weak := schemeOf(p.Knobs["hash"]); weak {
		m.Source += "; for an ideal hash, against which the weak one is held"
	}
	if p.Knobs["delete"] == "clear" {
		m.Source += "; deletes by the mean field of package classic's model.go"
		m.Lost, m.FPRAfter = t.lost, t.fprAfter
	}
	return m, nil
}

// A table is the two numbers that the formulas need: m bits and k probes.
type table struct{ m, k float64 }

// fpr returns the FPR with n keys held, including keys whose whole 64-bit hashes meet.
func (t table) fpr(n float64) float64 {
	return theory.WithHashFloor(theory.BloomFPR(t.m, t.k, n), theory.HashWidthFloor(64, n))
}

// cleared returns the probability c that a bit was cleared by d deletes of members.
//
// A delete clears its k bits only where none of them has been cleared before, which has
// probability (1-c)^k, so dc/dd = (k/m)(1-c)^k and, with c = 0 at d = 0,
//
//	1-c = [1 + (k-1) kd/m]^(-1/(k-1))     (e^(-d/m) at k = 1)
//
// Own derivation, in the limit of large m, where the bits of a key fail independently. Without
// the test before the clearing it would be 1-c = (1-1/m)^(kd).
func (t table) cleared(d float64) float64 {
	return 1 - t.decay(1, t.k*d/t.m)
}

// decay returns the solution after time x of ds/dx = -s^k that starts at s.
func (t table) decay(s, x float64) float64 {
	if t.k == 1 || s == 0 {
		return s * math.Exp(-x)
	}
	return s * math.Pow(1+(t.k-1)*x*math.Pow(s, t.k-1), -1/(t.k-1))
}

// fill returns the fill ratio before and after the wrong deletes of a churn.
//
// After L keys loaded and D deleted it is 1-(1-1/m)^(kL) - c, since a bit is cleared only where it
// was set; A keys added set each of the others with probability r = 1-(1-1/m)^(kA). A wrong delete
// tests positive with probability fill^k and then clears k bits, so dfill/dW = -(k/m) fill^k.
func (t table) fill(c filters.Churn) (before, after float64) {
	loaded, _ := theory.BloomFill(t.m, t.k, float64(c.Loaded))
	r, _ := theory.BloomFill(t.m, t.k, float64(c.Added))
	left := max(0, loaded-t.cleared(float64(c.Deleted)))
	before = 1 - (1-left)*(1-r)
	return before, t.decay(before, t.k*float64(c.Wrong)/t.m)
}

// lost returns the expected number of members that answer no after a churn.
//
// A kept member still answers yes where each of its k bits was never cleared by a delete or was
// set again by an added key, 1-c(1-r), and outlived the wrong deletes, s = fill after / fill before.
// An added key only has these to fear:
//
//	lost = (L-D) (1-[(1-c(1-r)) s]^k) + A (1-s^k)
func (t table) lost(c filters.Churn) float64 {
	before, after := t.fill(c)
	s := 1.0
	if before > 0 {
		s = after / before
	}
	r, _ := theory.BloomFill(t.m, t.k, float64(c.Added))
	whole := 1 - t.cleared(float64(c.Deleted))*(1-r)
	kept := float64(c.Loaded - c.Deleted)
	return kept*(1-math.Pow(whole*s, t.k)) + float64(c.Added)*(1-math.Pow(s, t.k))
}

// fprAfter returns the FPR after a churn: that of the number of keys which leave the same fill
// ratio, m ln(1-fill) / (k m ln(1-1/m)).
func (t table) fprAfter(c filters.Churn) float64 {
	_, after := t.fill(c)
	return t.fpr(math.Log1p(-after) / (t.k * math.Log1p(-1/t.m)))
}
