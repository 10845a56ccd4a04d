package workloads

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// preimage undoes image step by step.
func (b *bijection) preimage(y uint64) uint64 {
	y = unshift(y, 32) - b[3]
	y = unshift(y*inverse64(multiplier3), 33) - b[2]
	y = unshift(y*inverse64(multiplier2), 27) - b[1]
	return unshift(y*inverse64(multiplier1), 32) - b[0]
}

// unshift undoes x ^= x>>s.
func unshift(y uint64, s int) uint64 {
	x := y
	for range 64 / s {
		x = y ^ x>>s
	}
	return x
}

// inverse64 is the inverse of an odd number modulo 2^64, by Newton's method.
func inverse64(a uint64) uint64 {
	x := a
	for range 6 {
		x *= 2 - a*x
	}
	return x
}

func TestBijectionInverts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := newBijection(rapid.Uint64().Draw(t, "seed"))
		x := rapid.Uint64().Draw(t, "x")
		if got := b.preimage(b.image(x)); got != x {
			t.Fatalf("preimage(image(%#x)) = %#x", x, got)
		}
		if got := b.image(b.preimage(x)); got != x {
			t.Fatalf("image(preimage(%#x)) = %#x", x, got)
		}
	})
}

// TestAvalanche flips each input bit of the numbers that keys are made of and counts which output
// bits flip: half of them, no fewer and no more.
func TestAvalanche(t *testing.T) {
	const samples = 4096
	var flips [64][64]int
	for seed := range uint64(4) {
		b := newBijection(seed)
		for i := range uint64(samples / 4) {
			for in := range 64 {
				x := i>>in<<(in+1) | i&(1<<in-1) // each pair once: bit in is 0
				diff := b.image(x) ^ b.image(x^1<<in)
				for out := range 64 {
					flips[in][out] += int(diff >> out & 1)
				}
			}
		}
	}
	chi2, sd := 0.0, math.Sqrt(samples)/2
	for in := range 64 {
		for out := range 64 {
			z := (float64(flips[in][out]) - samples/2) / sd
			chi2 += z * z
			if math.Abs(z) > 5.5 {
				t.Errorf("input bit %d flips output bit %d in %d of %d cases (z = %.1f)", in, out, flips[in][out], samples, z)
			}
		}
	}
	checkChiSquare(t, "all bits", chi2, 64*64)
}

// TestNextIsNotNear guards against images of neighbours that resemble each other, or those of two seeds.
func TestNextIsNotNear(t *testing.T) {
	b, other := newBijection(1), newBijection(2)
	equal := 0
	const samples = 100_000
	for x := range uint64(samples) {
		equal += int(^(b.image(x)^b.image(x+1))&1) + int(^(b.image(x)^other.image(x))&1)
	}
	if z := (float64(equal) - samples) / math.Sqrt(samples/2); math.Abs(z) > 5 {
		t.Errorf("the lowest bits of neighbours and of two seeds agree in %d of %d cases (z = %.1f)", equal, 2*samples, z)
	}
}
