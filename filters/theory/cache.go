package theory

import "math"

// CacheUniformHit returns the hit rate of a cache of entries under uniform requests over keys,
// entries/keys, at most 1. Any policy, independent requests.
func CacheUniformHit(entries, keys float64) float64 {
	if keys <= 0 {
		return 0
	}
	return clamp(entries / keys)
}

// CacheColdHits returns the expected hits in the first requests over keys uniform keys, into an empty
// cache that evicts nothing: N - K(1-(1-1/K)^N).
func CacheColdHits(keys, requests float64) float64 { return repeats(keys, requests) }

// zipfExact is the rank up to which popularity is kept for each key of its own; beyond, ranks are
// grouped by 1/zipfExact of the rank, an error below 1e-9.
const zipfExact = 20000

// popularity is count keys with that share of the requests each.
type popularity struct{ share, count float64 }

// zipf returns the popularity of keys whose i-th has a share proportional to i^-s.
func zipf(keys, s float64) []popularity {
	var p []popularity
	total := 0.0
	for i := 1.0; i <= keys; {
		width := min(max(1, math.Floor(i/zipfExact)), math.Floor(keys)-i+1)
		share := math.Pow(i+(width-1)/2, -s)
		p = append(p, popularity{share, width})
		total += width * share
		i += width
	}
	for i := range p {
		p[i].share /= total
	}
	return p
}

// CacheCheHit returns the characteristic time T of an LRU cache, in requests, and its hit rate under
// Zipf popularity: sum(1-e^(-p_i T)) = entries, hit = sum p_i (1-e^(-p_i T)).
//
// keys with p_i ~ i^-s, s >= 0; T is +Inf and the rate 1 where all keys fit. Che, Tung & Wang 2002;
// Fricker, Robert & Roberts 2012.
func CacheCheHit(keys, s, entries float64) (t, hit float64) {
	return CacheAttackedHit(keys, s, entries, 0)
}

// CacheAttackedHit returns the characteristic time T and the hit rate of the good traffic when a share
// attack of all requests are random keys never asked again, admitted to the same LRU cache:
// sum(1-e^(-(1-a) p_i T)) + aT = entries.
//
// Symbols as in CacheCheHit; 0 <= attack < 1. Che's approximation with a stream of one-time keys.
func CacheAttackedHit(keys, s, entries, attack float64) (t, hit float64) {
	switch {
	case keys < 1 || entries <= 0:
		return 0, 0
	case attack <= 0 && entries >= math.Floor(keys):
		return math.Inf(1), 1
	}
	p := zipf(keys, s)
	// Newton's method from below: occupancy is increasing and concave in T, so it cannot overshoot
	// by more than a rounding error.
	for range 200 {
		held, slope := attack*t, attack
		for _, c := range p {
			rate := (1 - attack) * c.share
			miss := math.Exp(-rate * t)
			held -= c.count * math.Expm1(-rate*t)
			slope += c.count * rate * miss
		}
		step := (entries - held) / slope
		t += step
		if !(math.Abs(step) > 1e-13*t) {
			break
		}
	}
	for _, c := range p {
		hit -= c.count * c.share * math.Expm1(-(1-attack)*c.share*t)
	}
	return t, clamp(hit)
}

// AttackBehindFilter returns the share of attack requests among those a filter lets through,
// af/(1-a+af): a share attack of all requests are absent keys, f FPR.
func AttackBehindFilter(attack, f float64) float64 { return WrongAmongMaybe(attack, f) }
