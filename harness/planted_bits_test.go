package harness_test

import (
	"math"
	"math/bits"

	"filterlab/filters"
	"filterlab/filters/classic"
	"filterlab/filters/theory"
)

// A bitFilter is a Bloom filter to plant faults in. Sound, it is the variant classic.
type bitFilter struct {
	words   []uint64
	m       uint64 // bits that probes reach
	k       int
	claimed int // k of its own prediction
	seed    uint64
	hash    func(key []byte, seed uint64) uint64
	next    func(h uint64) uint64
	at      func(h uint64, i int, m uint64) uint64 // bit of probe i
	size    uint64                                 // SizeBits
}

func (f *bitFilter) Add(key []byte) bool {
	h := f.hash(key, f.seed)
	for i := range f.k {
		b := f.at(h, i, f.m)
		f.words[b/64] |= 1 << (b % 64)
		h = f.next(h)
	}
	return true
}

func (f *bitFilter) Contains(key []byte) bool {
	h := f.hash(key, f.seed)
	for i := range f.k {
		b := f.at(h, i, f.m)
		if f.words[b/64]&(1<<(b%64)) == 0 {
			return false
		}
		h = f.next(h)
	}
	return true
}

func (f *bitFilter) SizeBits() uint64 { return f.size }

func (f *bitFilter) Occupancy() float64 {
	ones := 0
	for _, w := range f.words {
		ones += bits.OnesCount64(w)
	}
	return float64(ones) / float64(64*len(f.words))
}

func (f *bitFilter) InstanceFPR() float64 { return math.Pow(f.Occupancy(), float64(f.claimed)) }

// soundAt is the probe of a sound filter; successive probes come from successive hashes.
func soundAt(h uint64, _ int, m uint64) uint64 { return filters.Reduce(h, m) }

// newBits returns a sound filter of the size of the model of classic.
func newBits(p filters.Params) (*bitFilter, error) {
	m, err := classic.Variant().Model(p)
	if err != nil {
		return nil, err
	}
	return &bitFilter{words: make([]uint64, m.Bits/64), m: m.Bits, k: m.K, claimed: m.K, seed: p.Seed,
		hash: filters.Hash, next: filters.NextProbe, at: soundAt, size: m.Bits}, nil
}

// bitsWith is the variant of a bitFilter with a fault, held against the model of classic.
func bitsWith(fault func(*bitFilter)) filters.Variant {
	return filters.Variant{Name: "bits", Doc: "planted", Seeded: true, Knobs: classic.Variant().Knobs, Model: classic.Variant().Model,
		New: func(p filters.Params) (filters.Filter, error) {
			f, err := newBits(p)
			if err != nil {
				return nil, err
			}
			fault(f)
			return f, nil
		}}
}

// grow changes the bits that the filter uses, not what it says of its size.
func (f *bitFilter) grow(times float64) {
	f.words = make([]uint64, int(math.Ceil(times*float64(len(f.words)))))
	f.m = 64 * uint64(len(f.words))
}

func shortHash(width int) func(*bitFilter) {
	return func(f *bitFilter) {
		f.hash = func(key []byte, seed uint64) uint64 { return filters.Mix(filters.Hash(key, seed) >> (64 - width)) }
	}
}

func shortIndex(width int) func(*bitFilter) {
	return func(f *bitFilter) { f.m = min(f.m, 1<<width) }
}

// adjacent puts the probes of a key side by side.
func adjacent(f *bitFilter) {
	f.next = func(h uint64) uint64 { return h }
	f.at = func(h uint64, i int, m uint64) uint64 { return (filters.Reduce(h, m) + uint64(i)) % m }
}

// A blockFilter is a blocked Bloom filter of blocks of 512 bits, whose number is a power of two.
// Its block and its bits come from the same hash bits when reuse is set.
type blockFilter struct {
	words []uint64
	mask  uint64 // blocks - 1
	k     int
	seed  uint64
	reuse bool
}

const blockBits = 512

// each calls do with the bits of key until it returns false.
func (f *blockFilter) each(key []byte, do func(word, bit uint64) bool) bool {
	h := filters.Hash(key, f.seed)
	block := h & f.mask
	if !f.reuse {
		h = filters.Mix(h)
	}
	for range f.k {
		b := block*blockBits + h%blockBits
		if !do(b/64, 1<<(b%64)) {
			return false
		}
		h >>= 9
	}
	return true
}

func (f *blockFilter) Add(key []byte) bool {
	return f.each(key, func(word, bit uint64) bool { f.words[word] |= bit; return true })
}

func (f *blockFilter) Contains(key []byte) bool {
	return f.each(key, func(word, bit uint64) bool { return f.words[word]&bit != 0 })
}

func (f *blockFilter) SizeBits() uint64 { return 64 * uint64(len(f.words)) }

// InstanceFPR returns the mean over the blocks of fill^k.
func (f *blockFilter) InstanceFPR() float64 {
	sum := 0.0
	for rest := f.words; len(rest) > 0; rest = rest[blockBits/64:] {
		ones := 0
		for _, w := range rest[:blockBits/64] {
			ones += bits.OnesCount64(w)
		}
		sum += math.Pow(float64(ones)/blockBits, float64(f.k))
	}
	return sum / float64(f.mask+1)
}

// blocksFor returns the blocks, a power of two, and the probes for p.
func blocksFor(p filters.Params) (blocks uint64, k int) {
	blocks = 1
	for float64(blocks*blockBits) < theory.SizeBloom(float64(p.N), p.P).Bits {
		blocks *= 2
	}
	return blocks, min(7, filters.Probes(p.P)) // 63 bits of hash
}

func blocksVariant(reuse bool) filters.Variant {
	return filters.Variant{Name: "blocks", Doc: "planted", Seeded: true,
		New: func(p filters.Params) (filters.Filter, error) {
			blocks, k := blocksFor(p)
			return &blockFilter{make([]uint64, blocks*blockBits/64), blocks - 1, k, p.Seed, reuse}, p.Check()
		},
		Model: func(p filters.Params) (filters.Model, error) {
			blocks, k := blocksFor(p)
			b, kf := float64(blocks), float64(k)
			return filters.Model{Formula: "mean over blocks of E[(X/512)^k]", Source: "Putze, Sanders & Singler 2007", Bits: blocks * blockBits, K: k,
				FPR: func(n uint64) float64 {
					return theory.BlockedFiniteFPR(theory.BlockExact, blockBits, kf, b, float64(n))
				},
				SD: func(n uint64) float64 {
					return theory.BlockedInstanceSD(theory.BlockExact, blockBits, kf, b, float64(n))
				},
			}, p.Check()
		}}
}
