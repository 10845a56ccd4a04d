package counting

import (
	"math"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// chances are P(X = x) for the counters X of b in a line that are not 0; k probes a key.
type chances struct {
	b, k float64
	of   []float64 // by x, 0..b
	pass []float64 // (x/b)^k: the chance of an absent key to answer maybe
}

// newChances returns those of an empty line.
func newChances(b, k float64) chances {
	c := chances{b, k, make([]float64, int(b)+1), make([]float64, int(b)+1)}
	for x := range c.pass {
		c.pass[x] = math.Pow(float64(x)/b, k)
	}
	c.of[0] = 1
	return c
}

// add puts one more key in the line.
func (c chances) add() {
	top := len(c.of) - 1
	for top > 0 && c.of[top] == 0 {
		top--
	}
	for range int(c.k) {
		top = min(top+1, len(c.of)-1)
		for x := top; x > 0; x-- {
			c.of[x] = c.of[x]*float64(x)/c.b + c.of[x-1]*(c.b-float64(x)+1)/c.b
		}
		c.of[0] = 0
	}
}

// fpr returns E[(X/b)^k].
func (c chances) fpr() (p float64) {
	for x, of := range c.of {
		p += of * c.pass[x]
	}
	return p
}

// mean returns E[X].
func (c chances) mean() (x float64) {
	for i, p := range c.of {
		x += float64(i) * p
	}
	return x
}

// A loads table holds the FPR of a line by the keys in it, up to where it counts at mean loads up to
// most.
type loads struct {
	fpr  []float64
	most float64
}

// newLoads returns a table without numbers, for all loads at which k probes in b counters may meet p:
// none beyond twice that of an unblocked filter. At 700 the weight of an empty line nears the smallest
// float64.
func newLoads(b, k, p float64) loads {
	most := min(2*theory.BloomCapacity(b, k, p), 700)
	return loads{make([]float64, int(most+10*math.Sqrt(most)+25)), most}
}

// mean returns the FPR of a filter of n keys in so many lines: the mean over binomial loads. It is 1
// beyond the table.
func (l loads) mean(n, lines float64) float64 {
	if n > l.most*lines {
		return 1
	}
	if lines <= 1 {
		return l.fpr[int(n)]
	}
	weight, sum := math.Exp(n*math.Log1p(-1/lines)), 0.0
	for a, fpr := range l.fpr {
		sum += weight * fpr
		weight *= max(0, n-float64(a)) / ((float64(a) + 1) * (lines - 1))
	}
	return sum
}

// exactLoads returns the table of lines of b counters with k probes, for FPR p.
func exactLoads(b, k, p float64) loads {
	t, line := newLoads(b, k, p), newChances(b, k)
	for a := range t.fpr {
		t.fpr[a] = line.fpr()
		line.add()
	}
	return t
}

// meanLoads returns the table by the mean fill of a line, (1-(1-1/b)^ka)^k with a keys: too low, and
// quickly made.
func meanLoads(b, k, p float64) loads {
	t := newLoads(b, k, p)
	for a := range t.fpr {
		t.fpr[a] = math.Pow(theory.PartitionedFPR(b, 1, k*float64(a)), k)
	}
	return t
}

// holds returns the mean load at which a large filter shows FPR p.
func (l loads) holds(p float64) float64 {
	const large = 1 << 40 // keys
	low, high := 0.0, l.most
	for range 20 {
		if mid := (low + high) / 2; l.mean(large, large/mid) <= p {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// bestProbes returns the number of probes, 1..64, that lets lines of b counters hold most keys at FPR p
// in a large filter, and their table. The mean fill says which, or one too many.
func bestProbes(b, p float64) (k float64, t loads) {
	holds := 0.0
	for try := 1.0; try <= min(filters.MaxProbes, math.Ceil(-math.Log2(p))+1); try++ {
		if load := meanLoads(b, try, p).holds(p); load > holds {
			k, holds = try, load
		}
	}
	t = exactLoads(b, k, p)
	if k == 1 {
		return k, t
	}
	if fewer := exactLoads(b, k-1, p); fewer.holds(p) >= t.holds(p) {
		return k - 1, fewer
	}
	return k, t
}
