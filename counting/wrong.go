package counting

import "math"

// A harm is what wrong deletes did to the lines of a filter.
type harm struct{ lost, fpr float64 }

// wrong returns the members lost and the FPR left, the hash's own part aside, after so many wrong
// deletes of a filter with n keys held: the mean over binomial loads a of what happens to a line of a
// keys that Poisson(wrong/lines) deletes of absent keys ask for.
func (l lined) wrong(n, wrong float64) (h harm) {
	mean := n / l.lines
	reach := 7*math.Sqrt(mean) + 10
	line := newChances(l.b, l.k)
	for a := 0.0; a <= min(n, mean+reach); a++ {
		if weight := binomial(n, 1/l.lines, a); a >= mean-reach && weight > 1e-9 {
			one := line.suffer(a, wrong/l.lines)
			h.lost += l.lines * weight * one.lost
			h.fpr += weight * one.fpr
		}
		line.add()
	}
	return h
}

// binomial returns P(C = a) for the successes C of n trials with chance p.
func binomial(n, p, a float64) float64 {
	if p >= 1 {
		if a == n {
			return 1
		}
		return 0
	}
	log := func(x float64) float64 { l, _ := math.Lgamma(x + 1); return l }
	return math.Exp(log(n) - log(a) - log(n-a) + a*math.Log(p) + (n-a)*math.Log1p(-p))
}

// A share is the lines of a kind that have come to one number of counters that are not 0: which share
// of all they are, and the sums over these of deletes that passed, of throws of members in counters that
// are 0 by now, and of the chance of a member to have none of these.
type share struct{ of, passed, gone, kept float64 }

func (s share) times(x float64) share { return share{s.of * x, s.passed * x, s.gone * x, s.kept * x} }

func (s share) plus(t share) share {
	return share{s.of + t.of, s.passed + t.passed, s.gone + t.gone, s.kept + t.kept}
}

// after is the share once one more delete has passed, which took so many throws, so that so many of the
// members kept so far are left.
func (s share) after(gone, kept float64) share {
	return share{s.of, s.passed + s.of, s.gone + gone*s.of, s.kept * kept}
}

// suffer returns what so many deletes of absent keys, asked for on average, do to a line of a keys. At
// X = x one passes with probability (x/b)^k, and takes e counters to 0 with probability w(x, e), so
//
//	dP(x)/dt = sum_e ((x+e)/b)^k w(x+e, e) P(x+e) - (x/b)^k P(x),   t = 0..asked
//
// solved by the trapezoidal rule with steps that grow with t. Own derivation; counts in a line are
// taken as Poisson counts that are not 0, of the mean that is left. At p = 1 % the members lost are
// within 1.5 % of what filters lose, the FPR within 3.5 %.
func (c chances) suffer(a, asked float64) harm {
	now := make([]share, len(c.of))
	for x, p := range c.of {
		now[x].of, now[x].kept = p, p
	}
	fpr, first := c.fpr(), load(c.k*a/max(1, c.mean()))
	for t := 0.0; t < asked && a > 0; {
		step := min(asked-t, 0.1*(t+0.3/fpr))
		t += step
		c.step(now, a, first, step)
	}
	var h harm
	for x, s := range now {
		h.fpr += s.of * c.pass[x]
		h.lost += a * (s.of - s.kept)
	}
	return h
}

// step lets so many deletes be asked for. It goes from many counters to few, as the lines do.
func (c chances) step(now []share, a, first, asked float64) {
	in := make([]share, len(now))
	for x := len(now) - 1; x > 0; x-- {
		s := now[x]
		if s.of+in[x].of < 1e-10 {
			now[x] = s.plus(in[x])
			continue
		}
		seen := s.plus(in[x])
		emptied, each := c.taken(float64(x), a, seen.passed/seen.of, first)
		odds := emptied / (c.k - emptied)
		weight := math.Pow(1-emptied/c.k, c.k)
		half := c.pass[x] * asked / 2
		stay, move := half*weight, half*(1-weight)
		end := s.times(1 - move).plus(in[x]).times(1 / (1 + move))
		end.passed += stay * (s.of + end.of)
		now[x] = end
		flow := s.plus(end).times(half)
		for e := 1.0; e <= c.k; e++ {
			weight *= odds * (c.k - e + 1) / e
			to := max(0, x-int(e))
			in[to] = in[to].plus(flow.times(weight).after(e*each, c.kept(c.k*a-seen.gone/seen.of, e*each)))
		}
	}
	now[0] = now[0].plus(in[0])
}

// taken returns how many of x counters a delete takes to 0 that passes after so many others, and how
// many throws of members there were in each. first is the load at the start.
func (c chances) taken(x, a, passed, first float64) (emptied, each float64) {
	mean := max(1, c.k*max(0, a-passed)/x)
	load := load(mean)
	ones := mean * math.Exp(-load) // share of the counters that are at 1
	distinct := -x * math.Expm1(c.k*math.Log1p(-1/max(x, 1+1e-9)))
	emptied = distinct*ones + (c.k-distinct)*ones*load/2 // the rest meet one at 2 twice
	return min(emptied, 0.999*c.k), 1 + again(first*c.k*passed/x)
}

// load returns the mean of the Poisson distribution that has this mean, above 1, once 0 is left out:
// lam/(1-e^-lam) = mean, by Newton's method from above.
func load(mean float64) float64 {
	lam := max(0, min(mean, 2*(mean-1)))
	for range 8 {
		slope := 1 - mean*math.Exp(-lam)
		if lam <= 0 || slope <= 0 {
			break
		}
		lam -= (lam + mean*math.Expm1(-lam)) / slope
	}
	return max(0, lam)
}

// again returns the mean of j with weights x^j / (j! (j+1)!): how often a counter that is at 1 was
// counted down before, x the product of its load and of the decrements it met on average.
func again(x float64) float64 {
	sum, mean, term := 0.0, 0.0, 1.0
	for j := 0.0; j < 200 && term > 1e-12*sum; j++ {
		sum += term
		mean += j * term
		term *= x / ((j + 1) * (j + 2))
	}
	return mean / sum
}

// kept returns the chance of k of so many throws to have none among those gone:
//
//	C(throws-gone, k) / C(throws, k)
func (c chances) kept(throws, gone float64) float64 {
	p := 1.0
	for i := range int(c.k) {
		left := throws - float64(i)
		if left <= gone {
			return 0
		}
		p *= 1 - gone/left
	}
	return p
}
