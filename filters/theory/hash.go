package theory

import "math"

// HashWidthFloor returns the FPR that a hash of the whole key alone causes, 1-(1-2^-bits)^n.
//
// bits: width of the key hash; n keys held. Dillinger & Manolios 2004. 32 bits add 0.23 % at 1e7 keys.
func HashWidthFloor(bits, n float64) float64 { return hit(math.Exp2(bits), n) }

// WithHashFloor returns the total FPR of a filter with FPR p behind a key hash that alone causes
// floor: 1-(1-p)(1-floor).
func WithHashFloor(p, floor float64) float64 { return p + floor - p*floor }

// HashCollisions is what to expect of n keys replaced by hashes.
type HashCollisions struct {
	Pairs float64 // expected pairs of keys with equal hash, C(n,2)/2^w
	Lost  float64 // expected keys whose hash an earlier key has
	None  float64 // probability of no collision
}

// CollideHashes returns what to expect of n keys replaced by hashes of w bits.
//
// The birthday problem. None is S!/(S-n)!/S^n with S = 2^w, by Stirling's formula.
func CollideHashes(w, n float64) HashCollisions {
	space := math.Exp2(w)
	c := HashCollisions{Pairs: max(0, n*(n-1)/2) / space, Lost: repeats(space, n), None: 1}
	switch x := n / space; {
	case x > 1:
		c.None = 0
	case n > 1:
		// (S-n+1/2) ln(S/(S-n)) - n = S [(1-x) ln(1/(1-x)) - x] + ln(1/(1-x))/2, without cancellation
		free := space - n
		log := -space*(x*x+(1-x)*log1pLinear(-x)) + stirlingRest(space) - stirlingRest(free)
		if free > 0 {
			log -= math.Log1p(-x) / 2
		} else {
			log = stirlingRest(space) + math.Log(2*math.Pi*space)/2 - space
		}
		c.None = math.Exp(log)
	}
	return c
}
