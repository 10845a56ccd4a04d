package cuckoo

import (
	"math"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// A population is what the formulas need of a table: keys fall into classes of equal fingerprint and
// bucket pair, and a key answers maybe while its class holds any fingerprint, wherever it sits.
type population struct {
	fingerprints, buckets float64
	alone                 float64 // share of pairs of fingerprint and bucket that have no other bucket
}

// A kind is the classes of two buckets, or those of one: how many there are, and the share of all keys
// that falls into them.
type kind struct{ classes, share float64 }

func (p population) kinds() [2]kind {
	pairs := p.fingerprints * p.buckets
	return [2]kind{{pairs * (1 - p.alone) / 2, 1 - p.alone}, {pairs * p.alone, p.alone}}
}

// fpr returns the FPR with n keys held, sum over the kinds of share (1-(1-share/classes)^n): 2/(FM) is
// the chance of a class of two buckets, F fingerprints and M buckets, 1/(FM) that of one.
func (p population) fpr(n float64) float64 {
	return (1-p.alone)*theory.CuckooFPR(p.fingerprints, p.buckets, n) +
		p.alone*theory.CuckooFPR(p.fingerprints, 2*p.buckets, n)
}

// sd returns the standard deviation of the FPR between tables, from that of the classes in use.
func (p population) sd(n float64) float64 {
	variance := 0.0
	for _, k := range p.kinds() {
		if k.classes > 0 {
			weight := k.share / k.classes // of a class in the FPR
			variance += weight * weight * theory.OccupancyVarAsymptotic(k.classes, n*k.share)
		}
	}
	return math.Sqrt(variance)
}

// lost returns how many members answer no after the wrong deletes of a churn.
func (p population) lost(c filters.Churn) (lost float64) {
	for _, k := range p.kinds() {
		l, _ := wrongDeletes(k.classes, k.share*float64(c.Held()), k.share*float64(c.Wrong))
		lost += l
	}
	return lost
}

// fprAfter returns the FPR after a churn.
func (p population) fprAfter(c filters.Churn) (fpr float64) {
	n := float64(c.Held())
	for _, k := range p.kinds() {
		_, left := wrongDeletes(k.classes, k.share*n, k.share*float64(c.Wrong))
		if k.classes > 0 {
			fpr += k.share * left * -math.Expm1(n*math.Log1p(-k.share/k.classes))
		}
	}
	return fpr
}

// wrongDeletes returns how many of n members answer no after deletes of absent keys, and the share
// of the FPR that is left.
//
// A delete takes one of the fingerprints in its class of equal fingerprint and bucket pair, and the
// members of a class answer no once it is empty: lost = N sum over j of Pois(j; n/N) j P(D >= j),
// D ~ Pois(deletes/N) deletes in a class, N classes. For few deletes it is deletes * FPR *
// theory.CuckooWrongDeleteLoss. Own derivation.
func wrongDeletes(classes, n, deletes float64) (lost, left float64) {
	if n <= 0 || classes <= 0 {
		return 0, 1
	}
	c, d := n/classes, deletes/classes
	members, fewer, last := math.Exp(-c), 0.0, math.Exp(-d) // Pois(j; c), P(D < j), P(D = j)
	filled := 0.0
	for j := 1.0; j <= 2*bucketSlots; j++ {
		fewer += last
		last *= d / j
		members *= c / j
		lost += members * j * (1 - fewer)
		filled += members * fewer
	}
	return classes * lost, filled / -math.Expm1(-c)
}
