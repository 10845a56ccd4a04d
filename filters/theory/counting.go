package theory

import "math"

// CountingOverflow returns the probability that one counter of a counting Bloom filter reaches j,
// P(C >= j) for C ~ Binomial(kn, 1/m).
//
// m counters, k hash functions, n keys held; a counter of c bits overflows at j = 2^c. Fan, Cao,
// Almeida & Broder 2000. Times m it is the expected number of such counters.
func CountingOverflow(m, k, n, j float64) float64 { return binomialTail(k*n, m, j) }

// CountingOverflowPoisson returns the Poisson approximation of CountingOverflow, load kn/m.
func CountingOverflowPoisson(m, k, n, j float64) float64 {
	if n <= 0 {
		return poissonTail(0, j)
	}
	return poissonTail(k*n/max(0, m), j)
}

// CountingOverflowBound returns Fan's upper bound of CountingOverflow, (e kn/(jm))^j.
//
// At the optimal load kn/m = ln 2 it is 1.37e-15 for j = 16. Fan et al. 2000.
func CountingOverflowBound(m, k, n, j float64) float64 {
	switch {
	case j <= 0:
		return 1
	case n <= 0:
		return 0
	}
	return math.Pow(math.E*k*n/(j*m), j)
}

// countedOnce returns P(C = 1) for a counter of m that kn increments reach at random.
func countedOnce(m, k, n float64) float64 {
	if m <= 1 {
		return 0
	}
	return k * n / m * math.Exp(logMiss(m, k*n-1))
}

// CountingOneGivenNonzero returns the probability that a counter that is not 0 is 1.
//
// m counters, k hash functions, n keys held. Only such a counter is emptied by one decrement.
func CountingOneGivenNonzero(m, k, n float64) float64 {
	nonzero := hit(m, k*n)
	if n <= 0 || nonzero <= 0 {
		return 0
	}
	return countedOnce(m, k, n) / nonzero
}

// CountingWrongDeleteLoss returns the expected number of members lost to false negatives by one delete
// of an absent key that tests positive: k P(C=1 | C>=1).
//
// m counters, k hash functions, n keys held. Own derivation, the phenomenon in Guo, Liu, Li & Yang
// 2010; k ln 2 at the optimal load. Counters emptied, which equals members lost up to O(k/n).
func CountingWrongDeleteLoss(m, k, n float64) float64 { return k * CountingOneGivenNonzero(m, k, n) }

// CountingBlindDeleteLoss returns the expected number of members lost by one delete of a random
// absent key without asking first, counters kept at 0 or above: k P(C=1). Symbols as in
// CountingWrongDeleteLoss.
func CountingBlindDeleteLoss(m, k, n float64) float64 {
	if n <= 0 {
		return 0
	}
	return k * countedOnce(m, k, n)
}

// CountingBlindDeletesFNR returns the share of members lost after w blind deletes of random absent
// keys, 1-(1-q)^k, and q, the probability that a counter of a member has reached 0.
//
// m counters, k hash functions, n keys held. A member's counter holds 1+A, A ~ Poisson(kn/m), and
// meets D ~ Poisson(wk/m) decrements: q = sum_a P(A=a) P(D >= a+1), the normal approximation beyond
// kn/m = 1000. Own derivation; the order of deletes and dependence between counters are ignored.
func CountingBlindDeletesFNR(m, k, n, w float64) (fnr, q float64) {
	if n <= 0 || w <= 0 || m <= 0 {
		return 0, 0
	}
	load, hits := k*n/m, k*w/m
	if load > 1000 {
		q = math.Erfc((load-hits+0.5)/math.Sqrt(2*(load+hits))) / 2
	} else {
		q = clamp(poisson(load).mean(func(a int) float64 { return poissonTail(hits, float64(a+1)) }))
	}
	return -math.Expm1(k * math.Log1p(-q)), q
}

// CountingSize returns the counters, hash functions and bytes of a counting Bloom filter for n keys at
// target FPR p with counters of so many bits.
//
// Sized as the Bloom filter of BitsCeil bits; Fan et al. 2000. Deleted keys leave no trace but
// overflow: the FPR is that of the keys that remain.
func CountingSize(n, p, counterBits float64) (counters, k, bytes float64) {
	s := SizeBloom(n, p)
	return s.BitsCeil, s.HashesRound, math.Ceil(s.BitsCeil * counterBits / 8)
}
