package scalable

import (
	"math"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// maxStages bounds the stages of a filter: at growth 2, the 64th has 2^63 times the keys of the first.
const maxStages = 64

// A stage is what a standard Bloom filter needs to take so many new keys at a given FPR.
type stage struct {
	capacity uint64 // new keys it takes
	words    uint64
	k        int
	full     float64 // keys that reach it until it is full, those that answer maybe already included
	fullFPR  float64
}

func (s stage) bits() float64   { return 64 * float64(s.words) }
func (s stage) probes() float64 { return float64(s.k) }

// fpr returns the expected FPR of the stage once n keys have reached it: while it fills, the best
// there is; once it is full, to second order, since the keys are no whole number.
func (s stage) fpr(n float64) float64 {
	if n == s.full {
		return s.fullFPR
	}
	return theory.BloomFPR(s.bits(), s.probes(), n)
}

// sd returns the standard deviation of that FPR between instances.
func (s stage) sd(n float64) float64 {
	if n == s.full {
		return theory.BloomInstanceSDDelta(s.bits(), s.probes(), n)
	}
	return theory.BloomInstanceSD(s.bits(), s.probes(), n)
}

// planOf returns the stages that p asks for, in the order in which they are added: stage i takes
// start growth^i new keys at FPR p0 tightening^i. It ends before a stage too large to build.
func planOf(p filters.Params) ([]stage, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	r, keys, target := p.Knobs.Float("tightening"), float64(p.Knobs.Uint("start")), p.P
	if keys == 0 {
		keys = math.Ceil(float64(p.N) / 10)
	}
	if p.Knobs["first"] == "bound" {
		target *= 1 - r
	}
	var plan []stage
	for range p.Knobs.Uint("max-stages") {
		s, err := newStage(math.Round(keys), target)
		if err != nil && len(plan) == 0 {
			return nil, err
		} else if err != nil {
			break
		}
		plan = append(plan, s)
		keys *= p.Knobs.Float("growth")
		target *= r
	}
	return plan, nil
}

// newStage returns the smallest stage of whole words that keeps to FPR p until it took so many new
// keys: k = log2(1/p) to the nearest whole number, 1..64, and with n the keys that reach it
//
//	m >= kn / -ln(1-p^(1/k))
//
// and a little more where m is small and the FPR above what that formula says.
func newStage(capacity, p float64) (stage, error) {
	s := stage{capacity: uint64(capacity), k: filters.Probes(p)}
	fill := math.Pow(p, 1/s.probes())
	load := -math.Log1p(-fill)
	reach := capacity / (1 - tail(s.probes(), fill)/load)
	words, err := filters.TableWords(s.probes() * reach / load)
	if err != nil {
		return stage{}, err
	}
	for s.words = words; theory.BloomSecondOrderFPR(s.bits(), s.probes(), reach) > p; {
		s.words++
	}
	s.full = s.reach()
	s.fullFPR = theory.BloomSecondOrderFPR(s.bits(), s.probes(), s.full)
	return s, nil
}

// reach returns how many keys reach the stage until it is full: the n at which n less those that
// answered maybe when they came is its capacity.
func (s stage) reach() float64 {
	n := float64(s.capacity)
	for range 40 { // Newton's steps; of n further keys, a share 1-fill^k is new
		fill := -math.Expm1(-s.probes() * n / s.bits())
		step := (float64(s.capacity) + s.already(n) - n) / (1 - math.Pow(fill, s.probes()))
		n += step
		if math.Abs(step) < 1e-9*n {
			break
		}
	}
	return n
}

// already returns how many of n keys to expect to answer maybe just before they reach the stage.
//
// The sum of fill(i)^k over i = 0..n-1, by its integral less half the last term (Euler-Maclaurin).
// With fill = 1-e^(-ki/m) the integral is (m/k) I_k where I_k = I_(k-1) - fill^k/k and I_0 =
// -ln(1-fill), hence (m/k) sum over j > k of fill^j/j. Own derivation.
func (s stage) already(n float64) float64 {
	fill := -math.Expm1(-s.probes() * n / s.bits())
	return max(0, s.bits()/s.probes()*tail(s.probes(), fill)-math.Pow(fill, s.probes())/2)
}

// tail returns the sum over j > k of x^j/j, 0 <= x < 1, which is that over all j, -ln(1-x), less the
// first k terms.
func tail(k, x float64) (sum float64) {
	if x > 0.9 {
		sum = -math.Log1p(-x)
		for j := 1.0; j <= k; j++ {
			sum -= math.Pow(x, j) / j
		}
		return max(0, sum)
	}
	for j, power := k+1, math.Pow(x, k+1); power > 1e-12*sum*(1-x); j, power = j+1, power*x {
		sum += power / j
	}
	return sum
}
