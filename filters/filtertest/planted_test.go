package filtertest

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/bits"

	"filterlab/filters"
	"filterlab/filters/spec"
)

// A bitmap is a sound filter to plant faults in: one bit a key, m = n/p bits, p at least 0.01.
type bitmap struct {
	words []uint64
	m     uint64
	seed  uint64
}

func (f *bitmap) slot(key []byte) (word, bit uint64) {
	i := filters.Reduce(filters.Hash(key, f.seed), f.m)
	return i / 64, 1 << (i % 64)
}

func (f *bitmap) Add(key []byte) bool {
	w, b := f.slot(key)
	f.words[w] |= b
	return true
}

func (f *bitmap) Contains(key []byte) bool {
	w, b := f.slot(key)
	return f.words[w]&b != 0
}

func (f *bitmap) SizeBits() uint64 { return f.m }

func (f *bitmap) Occupancy() float64 {
	n := 0
	for _, w := range f.words {
		n += bits.OnesCount64(w)
	}
	return float64(n) / float64(f.m)
}

func (f *bitmap) InstanceFPR() float64                { return f.Occupancy() }
func (f *bitmap) WriteTo(w io.Writer) (int64, error)  { return filters.WriteWords(w, f.words) }
func (f *bitmap) ReadFrom(r io.Reader) (int64, error) { return filters.ReadWords(r, f.words) }
func bitmapWords(p filters.Params) (words uint64, m float64) {
	words = uint64(math.Ceil(float64(p.N) / max(p.P, 0.01) / 64))
	return words, 64 * float64(words)
}

func newBitmap(p filters.Params) (*bitmap, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	words, _ := bitmapWords(p)
	return &bitmap{make([]uint64, words), 64 * words, p.Seed}, nil
}

func bitmapModel(p filters.Params) (filters.Model, error) {
	if err := p.Check(); err != nil {
		return filters.Model{}, err
	}
	words, m := bitmapWords(p)
	q := func(j float64, n uint64) float64 { return math.Exp(float64(n) * math.Log1p(-j/m)) }
	fill := func(n uint64) float64 { return 1 - q(1, n) }
	return filters.Model{
		Formula: "1-(1-1/m)^n", Source: "classic occupancy", Bits: 64 * words, FPR: fill, Occupancy: fill,
		SD: func(n uint64) float64 {
			return math.Sqrt(max(0, q(1, n)/m+(1-1/m)*q(2, n)-q(1, n)*q(1, n)))
		},
	}, nil
}

// soundBitmap and soundSet pass every check.
func soundBitmap() filters.Variant {
	return filters.Variant{
		Name: "bitmap", Seeded: true, Model: bitmapModel,
		Knobs: []spec.Knob{spec.Whole("k", "nothing", "1", 1, 9)},
		New:   func(p filters.Params) (filters.Filter, error) { return newBitmap(p) },
	}
}

// A set is a sound exact filter.
type set map[string]struct{}

func (s set) Add(key []byte) bool      { s[string(key)] = struct{}{}; return true }
func (s set) Contains(key []byte) bool { _, ok := s[string(key)]; return ok }
func (s set) SizeBits() uint64         { return 0 }
func (s set) Remove(key []byte) bool {
	held := s.Contains(key)
	delete(s, string(key))
	return held
}

func soundSet() filters.Variant {
	return filters.Variant{
		Name: "set", Exact: true,
		New: func(p filters.Params) (filters.Filter, error) { return set{}, p.Check() },
		Model: func(p filters.Params) (filters.Model, error) {
			return filters.Model{Formula: "0", Source: "exact", FPR: func(uint64) float64 { return 0 }}, p.Check()
		},
	}
}

// The faults. Each is a sound filter but for one thing.

type losesKeys struct{ *bitmap }

func (f losesKeys) Contains(key []byte) bool {
	return f.bitmap.Contains(key) && filters.Hash(key, 5)%1000 != 0
}

type losesEmptyKey struct{ *bitmap }

func (f losesEmptyKey) Contains(key []byte) bool { return len(key) > 0 && f.bitmap.Contains(key) }

type keepsKey struct {
	*bitmap
	last []byte
}

func (f *keepsKey) Add(key []byte) bool {
	if f.last != nil {
		f.bitmap.Add(f.last)
	}
	f.last = key
	return true
}

type saysMoreOften struct{ *bitmap }

func (f saysMoreOften) Contains(key []byte) bool {
	return f.bitmap.Contains(key) || filters.Hash(key, 5)%1000 < 3
}

type allocates struct{ *bitmap }

var leak []byte

func (f allocates) Contains(key []byte) bool {
	leak = bytes.Clone(key)
	return f.bitmap.Contains(key)
}

type wrongSize struct{ *bitmap }

func (f wrongSize) SizeBits() uint64 { return f.m + 64 }

type wrongInstance struct{ *bitmap }

func (f wrongInstance) InstanceFPR() float64 { return 1.3 * f.Occupancy() }

type wrongOccupancy struct{ *bitmap }

func (f wrongOccupancy) Occupancy() float64   { return 1.01 * f.bitmap.Occupancy() }
func (f wrongOccupancy) InstanceFPR() float64 { return f.bitmap.Occupancy() }

type drops struct {
	*bitmap
	room int
}

func (f *drops) Add(key []byte) bool {
	if f.room--; f.room < 0 {
		return true
	}
	return f.bitmap.Add(key)
}

type savesHalf struct{ *bitmap }

func (f savesHalf) WriteTo(w io.Writer) (int64, error) {
	half := make([]uint64, len(f.words))
	copy(half, f.words[:len(half)/2])
	return filters.WriteWords(w, half)
}

type takesNeighbour struct{ set }

func (s takesNeighbour) Remove(key []byte) bool {
	for i := range 3 {
		delete(s.set, fmt.Sprintf("%s%d", key[:len(key)-1], i))
	}
	return s.set.Remove(key)
}

type ignoresRemove struct{ set }

func (s ignoresRemove) Remove(key []byte) bool { return s.Contains(key) }

type losesOnWrong struct{ set }

func (s losesOnWrong) Remove(key []byte) bool {
	if s.set.Remove(key) {
		return true
	}
	for other := range s.set {
		delete(s.set, other)
		break
	}
	return false
}

type sometimesWrong struct{ set }

func (s sometimesWrong) Contains(key []byte) bool {
	return s.set.Contains(key) || filters.Hash(key, 1)%20000 == 0
}
