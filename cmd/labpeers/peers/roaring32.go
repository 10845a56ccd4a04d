package peers

import (
	"github.com/RoaringBitmap/roaring/v2"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// A roaring32 is a Roaring bitmap of 32-bit hashes of the keys: exact for the hashes, a filter for
// the keys.
type roaring32 struct {
	set  *roaring.Bitmap
	seed uint64
}

var _ filters.Filter = roaring32{}

func (f roaring32) hash(key []byte) uint32 { return uint32(filters.Hash(key, f.seed)) }

func (f roaring32) Add(key []byte) bool {
	f.set.Add(f.hash(key))
	return true
}

func (f roaring32) Contains(key []byte) bool { return f.set.Contains(f.hash(key)) }

// SizeBits returns the bits of the serialised set. On the heap it takes more.
func (f roaring32) SizeBits() uint64 { return 8 * f.set.GetSerializedSizeInBytes() }

// Roaring32 describes the filter: roaring32, without knobs.
func Roaring32() filters.Variant {
	return filters.Variant{
		Name:   "roaring32",
		Doc:    "Roaring bitmap (roaring/v2) of 32-bit hashes: p is ignored, the FPR is n/2^32, the size falls from 80 bits a key at n = 1,000 to 21 at 1e6",
		Seeded: true, Concurrent: true,
		New: func(p filters.Params) (filters.Filter, error) {
			if err := p.Check(); err != nil {
				return nil, err
			}
			return roaring32{roaring.New(), p.Seed}, nil
		},
		Model: func(p filters.Params) (filters.Model, error) {
			if err := p.Check(); err != nil {
				return filters.Model{}, err
			}
			bytes, _ := theory.RoaringUniform(float64(min(p.N, 1<<32)))
			return filters.Model{
				Formula:   "1-(1-2^-32)^n",
				Source:    "Dillinger & Manolios 2004; sizes: RoaringFormatSpec",
				HeapBytes: uint64(3 * bytes),
				FPR:       func(n uint64) float64 { return theory.HashWidthFloor(32, float64(n)) },
				SD:        func(uint64) float64 { return 0 },
			}, nil
		},
	}
}
