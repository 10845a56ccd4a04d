package exact

import (
	"cmp"
	"slices"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
)

// integers is a set of 64-bit integers as a Roaring bitmap, with the changes that wait for a seal.
//
// Roaring keeps one 32-bit bitmap for each high half in a sorted slice, so inserting random numbers
// one by one moves that slice every time: quadratic. Sorted runs are appended and merged instead.
type integers struct {
	sealed *roaring64.Bitmap
	adds   []uint64 // since the last seal, before any remove
	mixed  []change // from the first remove on
}

// A change adds or removes a value.
type change struct {
	value  uint64
	order  int
	remove bool
}

func (s *integers) add(v uint64) {
	if s.mixed == nil {
		s.adds = append(s.adds, v)
		return
	}
	s.mixed = append(s.mixed, change{v, len(s.mixed), false})
}

func (s *integers) remove(v uint64) { s.mixed = append(s.mixed, change{v, len(s.mixed), true}) }

func (s *integers) pending() bool { return len(s.adds)+len(s.mixed) > 0 }

// seal applies the changes: for each value the last one counts.
func (s *integers) seal() {
	if !s.pending() {
		return
	}
	slices.Sort(s.adds)
	s.merge(s.adds)
	s.adds = nil
	slices.SortFunc(s.mixed, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.order, b.order))
	})
	var in, out []uint64
	for i, c := range s.mixed {
		switch last := i+1 == len(s.mixed) || s.mixed[i+1].value != c.value; {
		case last && c.remove:
			out = append(out, c.value)
		case last:
			in = append(in, c.value)
		}
	}
	s.mixed = nil
	s.merge(in)
	if len(out) > 0 {
		s.sealed = roaring64.AndNot(s.sealed, bitmapOf(out))
	}
	s.sealed.RunOptimize()
}

// merge adds sorted values.
func (s *integers) merge(sorted []uint64) {
	switch {
	case len(sorted) == 0:
	case s.sealed.IsEmpty():
		s.sealed = bitmapOf(sorted)
	default:
		s.sealed = roaring64.Or(s.sealed, bitmapOf(sorted))
	}
}

func bitmapOf(sorted []uint64) *roaring64.Bitmap {
	b := roaring64.New()
	b.AddMany(sorted)
	return b
}
