// Package exact has the yardsticks: sets without false positives, and a filter that says maybe to
// everything.
package exact

import (
	"fmt"

	"github.com/RoaringBitmap/roaring/v2/roaring64"

	"filterlab/filters"
)

// A Roaring is an exact set of keys as Roaring bitmaps of 64-bit integers (Chambi, Lemire, Kaser &
// Godin 2016), github.com/RoaringBitmap/roaring/v2.
//
// Text that ends in a canonical decimal number (user123, 42; not user007) becomes that number in a
// bitmap of its prefix; 16 lowercase hexadecimal digits, and 8 bytes, become a 64-bit integer.
// Anything else goes in by a 64-bit hash, and then the set is exact up to n/2^64 collisions: Notes
// says so. Adds and Removes take effect at Seal; further runs may follow.
type Roaring struct {
	spaces   [hashed + 1]integers // decimal stays empty
	prefixes map[string]*integers
	bytes    uint64 // serialized, at the last seal
}

var (
	_ filters.Filter  = (*Roaring)(nil)
	_ filters.Remover = (*Roaring)(nil)
	_ filters.Sealer  = (*Roaring)(nil)
	_ filters.Noter   = (*Roaring)(nil)
)

func newRoaring() *Roaring {
	r := &Roaring{prefixes: map[string]*integers{}}
	for i := range r.spaces {
		r.spaces[i].sealed = roaring64.New()
	}
	r.bytes = r.serialized()
	return r
}

// integersOf returns the set that key belongs to, making it where it is the first of its prefix.
func (r *Roaring) integersOf(key []byte) (*integers, uint64) {
	space, value, at := classify(key)
	if space != decimal {
		return &r.spaces[space], value
	}
	s, ok := r.prefixes[string(key[:at])]
	if !ok {
		s = &integers{sealed: roaring64.New()}
		r.prefixes[string(key[:at])] = s
	}
	return s, value
}

// Add puts key in the set at the next Seal and returns true.
func (r *Roaring) Add(key []byte) bool {
	s, value := r.integersOf(key)
	s.add(value)
	return true
}

// Remove takes key out at the next Seal and reports whether the sealed set holds it; what was
// added since does not count.
func (r *Roaring) Remove(key []byte) bool {
	s, value := r.integersOf(key)
	s.remove(value)
	return s.sealed.Contains(value)
}

// Seal applies the Adds and Removes since the last one, in the order they came.
func (r *Roaring) Seal() error {
	for i := range r.spaces {
		r.spaces[i].seal()
	}
	for prefix, s := range r.prefixes {
		s.seal()
		if s.sealed.IsEmpty() {
			delete(r.prefixes, prefix)
		}
	}
	r.bytes = r.serialized()
	return nil
}

// Contains reports whether the sealed set holds key.
func (r *Roaring) Contains(key []byte) bool {
	space, value, at := classify(key)
	if space != decimal {
		return r.spaces[space].sealed.Contains(value)
	}
	s, ok := r.prefixes[string(key[:at])]
	return ok && s.sealed.Contains(value)
}

// SizeBits returns the bits that WriteTo writes for the set last sealed. On the heap, bitmaps of
// scattered integers take several times as much.
func (r *Roaring) SizeBits() uint64 { return 8 * r.bytes }

// Notes says how many keys went in by hash, if any did.
func (r *Roaring) Notes() []string {
	n := r.spaces[hashed].sealed.GetCardinality()
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("roaring: exact up to n/2^64 collisions: %d keys are no number, hex id or 8 bytes and went in by 64-bit hash", n)}
}

// RoaringVariant describes the set: roaring, without knobs.
func RoaringVariant() filters.Variant {
	return filters.Variant{
		Name:       "roaring",
		Doc:        "exact set of integers, Roaring bitmaps of RoaringBitmap/roaring/v2; what it takes depends on the shape of the keys",
		Exact:      true,
		Concurrent: true,
		New: func(p filters.Params) (filters.Filter, error) {
			if err := p.Check(); err != nil {
				return nil, err
			}
			return newRoaring(), nil
		},
		Model: func(p filters.Params) (filters.Model, error) {
			return exactModel(p, roaringHeapBytes, "0; 0.002 bits a key for a million dense numbers, 176 for random 64-bit ids (1,270 on the heap)",
				"Chambi, Lemire, Kaser & Godin 2016; RoaringFormatSpec, 64-bit extension; heap measured")
		},
	}
}
