// Package counting is a counting Bloom filter (Fan, Cao, Almeida & Broder 2000): a Bloom filter that
// can remove keys, at four or eight times the size. Its counters lie in one table, or in lines of 64
// bytes of which a key has one (Putze, Sanders & Singler 2007), so that a lookup waits for memory once.
package counting

import (
	"fmt"
	"io"
	"math"
	"sync/atomic"

	"filterlab/filters"
	"filterlab/filters/spec"
)

const (
	lineWords = 8   // of a line: 64 bytes
	lineBits  = 512 // of a line
)

// A Filter is a counting Bloom filter. The same key added twice must be removed twice. Lookups may run
// at once while nothing is added or removed; where it was built to be shared, also while keys are
// added and removed, by several goroutines. But a key must not be removed by several at once more
// often than it was added: each would find it, and together they may take members with it.
type Filter struct {
	words  []uint64
	span   uint64 // counters among which a key has its own: all, or those of its line
	lines  uint64 // 0: one table
	k      int    // probes
	seed   uint64
	bits   uint64 // of a counter, 4 or 8
	shared bool   // Add and Remove are atomic
}

var (
	_ filters.Filter    = (*Filter)(nil)
	_ filters.Remover   = (*Filter)(nil)
	_ filters.Batcher   = (*Filter)(nil)
	_ filters.Occupier  = (*Filter)(nil)
	_ filters.Predictor = (*Filter)(nil)
	_ filters.Noter     = (*Filter)(nil)
	_ io.WriterTo       = (*Filter)(nil)
	_ io.ReaderFrom     = (*Filter)(nil)
)

// New returns an empty filter of one table of at least m counters of 4 bits, rounded up to a multiple
// of 16, and k hash functions, 1..64.
func New(m uint64, k int, seed uint64) (*Filter, error) {
	if m == 0 || k < 1 || k > filters.MaxProbes {
		return nil, fmt.Errorf("m = %d counters and k = %d hash functions: m must be at least 1 and k 1..%d", m, k, filters.MaxProbes)
	}
	words, err := filters.TableWords(4 * float64(m))
	if err != nil {
		return nil, err
	}
	return layout{words: words, k: k, bits: 4}.build(seed, false), nil
}

// build returns an empty filter of that layout.
func (l layout) build(seed uint64, shared bool) *Filter {
	f := &Filter{make([]uint64, l.words), l.words * (64 / l.bits), l.lines, l.k, seed, l.bits, shared}
	if l.lines > 0 {
		f.span = lineBits / l.bits
	}
	return f
}

// start returns the first counter of those among which the key of hash h has its own, and the hash
// of its first probe. The choice of a line takes up h, so the probes in it begin one later.
func (f *Filter) start(h uint64) (base, probe uint64) {
	if f.lines == 0 {
		return 0, h
	}
	return filters.Reduce(h, f.lines) * f.span, filters.NextProbe(h)
}

// Add increments the k counters of key, those below their ceiling, and returns true. A counter that a
// key meets twice counts it twice.
func (f *Filter) Add(key []byte) bool {
	base, h := f.start(filters.Hash(key, f.seed))
	if f.bits == 4 {
		add[nibble](f, base, h)
	} else {
		add[octet](f, base, h)
	}
	return true
}

// Contains reports whether none of the k counters of key is 0.
func (f *Filter) Contains(key []byte) bool {
	base, h := f.start(filters.Hash(key, f.seed))
	if f.bits == 4 {
		return has[nibble](f, base, h)
	}
	return has[octet](f, base, h)
}

// Remove decrements the k counters of key if none of them is 0, and reports whether it did. A
// counter that a key meets twice is counted down twice, as it was counted up, and one at its ceiling
// stays. Removing a key that was never added may take members with it.
func (f *Filter) Remove(key []byte) bool {
	base, h := f.start(filters.Hash(key, f.seed))
	if f.bits == 4 {
		return remove[nibble](f, base, h)
	}
	return remove[octet](f, base, h)
}

// SizeBits returns the bits of all counters.
func (f *Filter) SizeBits() uint64 { return 64 * uint64(len(f.words)) }

// counters returns how many counters there are.
func (f *Filter) counters() uint64 { return uint64(len(f.words)) * (64 / f.bits) }

// Occupancy returns the share of counters that are not 0, 0..1. It counts them: O(m).
func (f *Filter) Occupancy() float64 {
	n := 0
	for i := range f.words {
		n += f.nonzero(atomic.LoadUint64(&f.words[i]))
	}
	return float64(n) / float64(f.counters())
}

// InstanceFPR returns the share of counters that are not 0 to the power of k, in lines the mean of
// that over the lines. It counts the counters: O(m).
func (f *Filter) InstanceFPR() float64 {
	if f.lines == 0 {
		return math.Pow(f.Occupancy(), float64(f.k))
	}
	sum, n := 0.0, 0
	for i := range f.words {
		n += f.nonzero(atomic.LoadUint64(&f.words[i]))
		if i%lineWords == lineWords-1 {
			sum, n = sum+math.Pow(float64(n)/float64(f.span), float64(f.k)), 0
		}
	}
	return sum / float64(f.lines)
}

// Saturated returns the number of counters at their ceiling, 15 or 255, which are never decremented
// again.
func (f *Filter) Saturated() (n uint64) {
	for i := range f.words {
		n += uint64(f.stuck(atomic.LoadUint64(&f.words[i])))
	}
	return n
}

// Notes tells of saturated counters.
func (f *Filter) Notes() []string {
	n := f.Saturated()
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d counters are stuck at %d: removed keys leave them behind, so the FPR does not fall all the way back",
		n, f.counters(), uint64(1)<<f.bits-1)}
}

// WriteTo writes the counters; what New needs to build the filter again is the caller's to keep.
// Nothing may be added or removed meanwhile.
func (f *Filter) WriteTo(w io.Writer) (int64, error) { return filters.WriteWords(w, f.words) }

// ReadFrom takes over the counters of a filter built with the same parameters.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) { return filters.ReadWords(r, f.words) }

// Variant describes the filter: counting, with knobs bits, layout and sync.
func Variant() filters.Variant {
	return filters.Variant{
		Name: "counting",
		Doc:  "counting Bloom filter of our own: 4-bit counters, sticky at 15, or 8-bit ones, sticky at 255",
		Knobs: []spec.Knob{
			spec.Choice("bits", "of a counter; 4: sticky at 15, 8: sticky at 255, twice the size", "4", "8"),
			spec.Choice("layout", "flat: a key's counters anywhere, blocked: all in one line of 64 bytes", "flat", "blocked"),
			spec.Choice("sync", "atomic: keys may be added and removed by several goroutines while others look up", "none", "atomic"),
		},
		Seeded: true, Concurrent: true,
		New: func(p filters.Params) (filters.Filter, error) {
			l, err := shape(p)
			if err != nil {
				return nil, err
			}
			return l.build(p.Seed, p.Knobs["sync"] == "atomic"), nil
		},
		Model: model,
	}
}
