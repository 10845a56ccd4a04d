package peers

import (
	"math"

	"github.com/cockroachdb/pebble/v2/bloom"

	"filterlab/filters"
	"filterlab/filters/spec"
	"filterlab/filters/theory"
)

// A pebbleFilter is the table filter of pebble: blocks of a cache line, built at Seal for the keys
// that were added. After Seal it takes no more.
type pebbleFilter struct {
	policy  bloom.FilterPolicy
	add     func(key []byte)
	finish  func(buf []byte) []byte
	table   []byte // nil until sealed
	planned uint64 // keys
}

var (
	_ filters.Filter = (*pebbleFilter)(nil)
	_ filters.Sealer = (*pebbleFilter)(nil)
)

// tableFilter is the one kind of filter that the package has; the type of the constant is internal.
const tableFilter = 0

func newPebble(bits, n uint64) *pebbleFilter {
	policy := bloom.FilterPolicy(bits)
	w := policy.NewWriter(tableFilter)
	return &pebbleFilter{policy: policy, add: w.AddKey, finish: w.Finish, planned: n}
}

// Add takes note of the key's 32-bit hash and returns true, or false once the filter is sealed.
func (f *pebbleFilter) Add(key []byte) bool {
	if f.table != nil {
		return false
	}
	f.add(key)
	return true
}

// Seal builds the filter; a further Seal does nothing.
func (f *pebbleFilter) Seal() error {
	if f.table == nil {
		f.table = f.finish(nil)
	}
	return nil
}

// Contains reports whether all probes of key are set; true before Seal.
func (f *pebbleFilter) Contains(key []byte) bool {
	return f.table == nil || f.policy.MayContain(tableFilter, f.table, key)
}

// pebbleTrailer is the bytes after the lines: probes and number of lines.
const pebbleTrailer = 5

// SizeBits returns the bits of the lines: once sealed, of those there are, before that as planned.
func (f *pebbleFilter) SizeBits() uint64 {
	if f.table == nil {
		return pebbleLine * pebbleLines(f.planned, uint64(f.policy))
	}
	return 8 * uint64(len(f.table)-pebbleTrailer)
}

// pebbleLine is the bits of a block.
const pebbleLine = 512

// pebbleLines returns the lines for n keys: an odd number.
func pebbleLines(n, bitsPerKey uint64) uint64 { return (n*bitsPerKey+pebbleLine-1)/pebbleLine | 1 }

// Pebble describes the filter: pebble, with knob bits.
func Pebble() filters.Variant {
	return filters.Variant{
		Name: "pebble",
		Doc: "table filter of cockroachdb/pebble/v2/bloom: cache-line blocks by whole bits a key, from one 32-bit hash: from 20 bits a key on " +
			"the FPR stays at 0.25 %; on big-endian counters it is 12 times the formula's at n = 1e5; built once from all its keys",
		Knobs: []spec.Knob{
			spec.Whole("bits", "bits a key; 0: the least that meets p, at most 20, from where on more do not help", "0", 0, 64),
		},
		Concurrent: true,
		New: func(p filters.Params) (filters.Filter, error) {
			bits, err := pebbleBits(p)
			if err != nil {
				return nil, err
			}
			return newPebble(bits, p.N), nil
		},
		Model: pebbleModel,
	}
}

// maxPebbleBits is the largest table: the package counts its bits in 32.
const maxPebbleBits = 1 << 32

// pebbleFloor is the bits a key from which more do not help.
const pebbleFloor = 20

func pebbleBits(p filters.Params) (uint64, error) {
	if err := checkSize(p); err != nil {
		return 0, err
	}
	bits := p.Knobs.Uint("bits")
	for auto := bits == 0; auto; auto = bits < pebbleFloor && pebbleFPR(bits, p.N) > p.P {
		bits++
	}
	if bits*min(p.N, maxPebbleBits) > maxPebbleBits-2*pebbleLine {
		return 0, tooMany("pebble", p.N, (maxPebbleBits-2*pebbleLine)/bits)
	}
	return bits, nil
}

func pebbleModel(p filters.Params) (filters.Model, error) {
	bits, err := pebbleBits(p)
	if err != nil {
		return filters.Model{}, err
	}
	return filters.Model{
		Formula: "mean over binomial line loads i of E[(X/512)^k] + C/512, and 1-(1-2^-32)^n; lines sized for the keys held",
		Source:  "Putze, Sanders & Singler 2007; Dillinger & Manolios 2004; sizes and hashing as in cockroachdb/pebble v2.1.7",
		Bits:    pebbleLine * pebbleLines(p.N, bits),
		K:       int(pebbleProbes(bits)),
		FPR:     func(n uint64) float64 { return pebbleFPR(bits, n) },
		SD: func(n uint64) float64 {
			return theory.BlockedInstanceSD(theory.BlockExact, pebbleLine, pebbleProbes(bits), float64(pebbleLines(n, bits)), float64(n))
		},
	}, nil
}

// pebbleProbes returns the probes for so many bits a key, 1..30.
func pebbleProbes(bits uint64) float64 { return min(30, max(1, math.Floor(0.69*float64(bits)))) }

// pebbleFPR returns the FPR of a filter sealed with n keys: the mean over the keys i of a line of a
// Bloom filter of 512 bits with double hashing, and the keys whose whole hashes meet.
func pebbleFPR(bits, n uint64) float64 {
	if n == 0 {
		return 0
	}
	lines, keys, k := float64(pebbleLines(n, bits)), float64(n), pebbleProbes(bits)
	chance, miss := 1/lines, math.Log1p(-1/lines)
	load := keys / lines
	spread := 8*math.Sqrt(load) + 8
	mean := 0.0
	for i := max(0, math.Floor(load-spread)); i <= min(keys, load+spread); i++ {
		weight := 1.0
		if lines > 1 {
			weight = math.Exp(logChoose(keys, i) + i*math.Log(chance) + (keys-i)*miss)
		} else if i != keys {
			continue
		}
		extra, _ := theory.DoubleHashExtra(theory.DoubleHash, pebbleLine, k, i)
		mean += weight * min(1, theory.BloomSecondOrderFPR(pebbleLine, k, i)+extra)
	}
	return theory.WithHashFloor(mean, theory.HashWidthFloor(32, keys))
}

func logChoose(n, k float64) float64 {
	all, _ := math.Lgamma(n + 1)
	in, _ := math.Lgamma(k + 1)
	out, _ := math.Lgamma(n - k + 1)
	return all - in - out
}
