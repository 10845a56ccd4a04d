package bloom

import (
	"math"
	"math/bits"
	"sync"

	"filterlab/filters/theory"
)

// maxCorrectedK bounds the probes for which the effect of the hashing is computed. Beyond it the
// FPR is below 2^-64 and no lookup will ever show it.
const maxCorrectedK = 64

// A hashing is the effect of the package's hashing on the FPR of a filter of m bits and k probes.
//
// Probe i sits at (a + i b mod 2^64) mod m. Of four hashes, a is the first for even i and the
// second for odd i; b is the fourth for i = 1, 2 (mod 4) and the third for i = 3, 0. That raises
// the FPR in two ways, both O(1/m):
//
//   - About half the probes share one step b, and for a few steps (4b = 0 mod m, for one) they fall
//     on the same few cells, so the query needs fewer bits. Each group raises the FPR by the factor
//     1 + sum over c of w_c (fill^-c - 1) - k_g (k_g-1)/2 (1/fill - 1)/m
//     with w_c the probability that the k_g probes of the group lose c cells by coincidence; the
//     last term is the coincidences of independent probes, which fill^k contains.
//   - Where m is even, all even probes of a key are even cells or all are odd ones, and more so for
//     m divisible by 4, 8, ...: keys stored and asked favour the same residues. The factor is
//     1 + n/(2m^2) ((1-fill)/fill)^2 S, S the sum of A(A-k) over the characters of the residues
//     modulo the power of two in m, A = E|sum over the probes of the character|^2.
//
// Own derivation, to first order in 1/m, n taken from fill; odd factors of m are left out.
type hashing struct {
	m uint64
	k int
	// weights returns w_c by c for the two groups. Computed at first use.
	weights func() [2][]float64
}

func newHashing(m uint64, k int) hashing {
	return hashing{m, k, sync.OnceValue(func() [2][]float64 {
		return [2][]float64{coincidences(m, progression(2, k), progression(1, k)),
			coincidences(m, progression(0, k), progression(3, k))}
	})}
}

// progression returns first, first+4, first+8, ... below k.
func progression(first, k int) []int64 {
	var out []int64
	for i := first; i < k; i += 4 {
		out = append(out, int64(i))
	}
	return out
}

func (h hashing) instanceFPR(fill float64) float64 {
	m, k := float64(h.m), float64(h.k)
	return min(1, theory.BloomFillFPR(m, k, fill*m)*h.factor(fill))
}

// factor returns by how much the FPR exceeds that of independent probes at a fill ratio, 1 or more.
func (h hashing) factor(fill float64) float64 {
	if h.k > maxCorrectedK || fill <= 0 || fill >= 1 {
		return 1
	}
	m, pair := float64(h.m), 1/fill-1
	product := 1.0
	for g, w := range h.weights() {
		size := len(progression(2-2*g, h.k)) + len(progression(1+2*g, h.k))
		sum := 1 - float64(size*(size-1))/2*pair/m
		for c, weight := range w {
			sum += weight * (math.Pow(fill, float64(-c)) - 1)
		}
		product *= sum
	}
	if h.m%2 == 0 { // the even probes of a key are all even or all odd, so they meet twice as often
		product *= 1 + float64(len(progression(2, h.k))*len(progression(0, h.k)))*pair/m
	}
	n := -math.Log1p(-fill) * m / float64(h.k)
	return max(1, product*(1+n/(2*m*m)*pair*pair*h.clustering()))
}

// clustering returns S, the sum over the characters of the residues modulo 2, 4, 8, ... (as long as
// they divide m) of A(A-k). For a character of order q, A counts the pairs of probes of equal a
// whose residues modulo q always differ by the same: equal b and q | i-j, or q | i and q | j.
func (h hashing) clustering() float64 {
	k, sum := float64(h.k), 0.0
	for q := 2; h.m%uint64(q) == 0 && q <= h.k; q *= 2 {
		pairs := 0.0
		for i := range h.k {
			for j := i % 2; j < h.k; j += 2 {
				sameStep := (i+i%2)%4 == (j+j%2)%4
				if sameStep && (i-j)%q == 0 || i%q == 0 && j%q == 0 {
					pairs++
				}
			}
		}
		sum += float64(q/2) * pairs * (pairs - k)
	}
	return sum
}

// coincidences returns, by c, the probability that probes i of the progressions even and odd, which
// share a step b, lose c cells by coincidence. Averaged over where the sums pass 2^64.
func coincidences(m uint64, even, odd []int64) []float64 {
	weights := make([]float64, len(even)+len(odd)+1)
	const draws = 256
	each := 1 / (draws * float64(m))
	for d := range draws {
		// A sequence of points that fills the cube evenly (Roberts 2018, R3).
		t := float64(d) + 0.5
		alpha, alpha2, beta := frac(t*0.8191725133961645), frac(t*0.6710436067037893), frac(t*0.5497004779019703)
		first, second := newRun(m, even, alpha, beta), newRun(m, odd, alpha2, beta)
		steps := map[uint64]bool{}
		first.badSteps(steps)
		second.badSteps(steps)
		for b := range steps {
			weights[first.lost(b)+second.lost(b)] += each
		}
		for _, met := range meetings(first, second) {
			weights[met] += each
		}
	}
	return weights
}

func frac(x float64) float64 { return x - math.Floor(x) }

// A run is the probes i of a progression, with carry[i] the times that a + i b passes 2^64, where
// a = alpha 2^64 and b = beta 2^64: probe i sits at a + i b - carry wrap modulo m.
type run struct {
	m, wrap uint64
	i       []int64
	carry   []int64
}

func newRun(m uint64, i []int64, alpha, beta float64) run {
	r := run{m, (math.MaxUint64%m + 1) % m, i, make([]int64, len(i))}
	for j := range i {
		r.carry[j] = int64(alpha + float64(i[j])*beta)
	}
	return r
}

// badSteps adds to steps the residues of b modulo m for which two probes of the run coincide.
func (r run) badSteps(steps map[uint64]bool) {
	seen := map[[2]int64]bool{}
	for x := range r.i {
		for y := range x {
			d := [2]int64{r.i[x] - r.i[y], r.carry[x] - r.carry[y]}
			if !seen[d] {
				seen[d] = true
				solve(uint64(d[0]), uint64(d[1])*r.wrap%r.m, r.m, steps)
			}
		}
	}
}

// solve adds to out the b in 0..m-1 with a b = c (mod m).
func solve(a, c, m uint64, out map[uint64]bool) {
	g := gcd(a, m)
	if c%g != 0 {
		return
	}
	part := m / g
	b := mulMod(inverse(a/g%part, part), c/g, part)
	for range g {
		out[b] = true
		b += part
	}
}

// lost returns how many cells fewer than probes the run covers with step b modulo m.
func (r run) lost(b uint64) int {
	var cells [maxCorrectedK]uint64
	n := 0
next:
	for j, i := range r.i {
		at := (uint64(i)*b + uint64(r.carry[j])*(r.m-r.wrap)) % r.m
		for _, c := range cells[:n] {
			if c == at {
				continue next
			}
		}
		cells[n] = at
		n++
	}
	return len(r.i) - n
}

// meetings returns, for each distance between the starts of two runs that makes probes of one fall
// on probes of the other, how many do.
func meetings(first, second run) map[[2]int64]int {
	out := map[[2]int64]int{}
	for x := range first.i {
		for y := range second.i {
			out[[2]int64{first.i[x] - second.i[y], first.carry[x] - second.carry[y]}]++
		}
	}
	return out
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// inverse returns the inverse of a modulo m, which have no common divisor; 0 for m = 1.
func inverse(a, m uint64) uint64 {
	r0, r1, s0, s1 := int64(m), int64(a), int64(0), int64(1)
	for r1 != 0 {
		q := r0 / r1
		r0, r1, s0, s1 = r1, r0-q*r1, s1, s0-q*s1
	}
	if s0 < 0 {
		s0 += int64(m)
	}
	return uint64(s0) % m
}

// mulMod returns a b modulo m.
func mulMod(a, b, m uint64) uint64 {
	hi, lo := bits.Mul64(a%m, b%m)
	return bits.Rem64(hi, lo, m)
}
