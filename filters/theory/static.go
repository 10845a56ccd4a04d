package theory

import "math"

// FingerprintFPR returns 2^-w, the FPR of a static filter that keeps w bits a key: xor, binary fuse
// and standard ribbon.
//
// Graf & Lemire 2020, 2022; Dillinger & Walzer 2021. The same for every instance.
func FingerprintFPR(w float64) float64 { return math.Exp2(-w) }

// XorSlots returns the fingerprints an xor filter stores for n keys, 3 floor((32+ceil(1.23 n))/3).
//
// Graf & Lemire 2020, as FastFilter/xorfilter builds it.
func XorSlots(n uint64) uint64 { return 3 * ((32 + uint64(math.Ceil(1.23*float64(n)))) / 3) }

// FuseLayout is the layout of a binary fuse filter.
type FuseLayout struct {
	Slots, SegmentLength, SegmentCount uint64
}

// SizeFuse returns the layout of a binary fuse filter of n keys at 3 or 4 slots a key (arity).
//
// Graf & Lemire 2022, as the initialiser of FastFilter/xorfilter: segments of
// 2^floor(ln n/ln 3.33 + 2.25) slots, at most 2^18, n max(1.125, 0.875 + 0.25 ln 1e6/ln n) slots
// rounded up to whole segments; for arity 4 ln 2.91, -0.5, 1.075, 0.77 and 0.305 ln 6e5.
func SizeFuse(n uint64, arity int) FuseLayout {
	base, shift, least, floor, slope, ref := 3.33, 2.25, 1.125, 0.875, 0.25, 1e6
	if arity == 4 {
		base, shift, least, floor, slope, ref = 2.91, -0.5, 1.075, 0.77, 0.305, 6e5
	}
	logN := math.Log(float64(max(1, n)))
	exponent := max(0, math.Floor(logN/math.Log(base)+shift))
	l := FuseLayout{SegmentLength: 1 << uint64(min(18, exponent))}
	capacity := 0.0
	if n > 1 {
		capacity = math.Round(float64(n) * max(least, floor+slope*math.Log(ref)/logN))
	}
	segments := (uint64(capacity) + l.SegmentLength - 1) / l.SegmentLength
	segments = max(segments, uint64(arity))
	l.SegmentCount = segments - uint64(arity) + 1
	l.Slots = segments * l.SegmentLength
	return l
}

// RocksDB's measured keys that 2^i slots take at a construction failure of 1 in 20, i = 8..17, and
// the growth of slots per key with each further doubling.
var ribbonKeys = [...]float64{248.851, 499.532, 1001.26, 2003.97, 4005.59, 8000.39, 15966.6, 31828.1, 63447.3, 126506}

const (
	ribbonFirst  = 8
	ribbonLast   = ribbonFirst + len(ribbonKeys) - 1
	ribbonGrowth = 0.0038
)

// ribbonCapacity returns the keys that 2^i slots take; 0 where there is no such table.
func ribbonCapacity(i int) float64 {
	switch {
	case i < ribbonFirst:
		return 0
	case i <= ribbonLast:
		return ribbonKeys[i-ribbonFirst]
	}
	slots := math.Exp2(float64(ribbonLast)) / ribbonCapacity(ribbonLast)
	return math.Exp2(float64(i)) / (slots + float64(i-ribbonLast)*ribbonGrowth)
}

// RibbonSlots returns the slots RocksDB's Standard128Ribbon takes for n keys, a multiple of 128 and at
// least 256.
//
// Interpolates RocksDB's table between powers of two. Dillinger & Walzer 2021; facebook/rocksdb
// util/ribbon_config.cc. RocksDB itself falls back to a Bloom filter beyond 950 million keys.
func RibbonSlots(n uint64) uint64 {
	if n == 0 {
		return 0
	}
	keys := float64(n)
	slots := 2 * 128.0
	i := int(math.Log2(keys) + 0.5)
	if low := ribbonCapacity(i); low > 0 {
		if keys < low {
			i--
			low = ribbonCapacity(i)
		}
		high := ribbonCapacity(i + 1)
		slots = math.Floor(math.Exp2(float64(i))*(1+(keys-low)/(high-low)) + 0.999999999)
	}
	return max(256, 128*uint64(math.Ceil(slots/128)))
}

// RibbonBitsPerSlot returns the bits a slot that a ribbon filter needs for FPR p when a share of its
// slots keeps one bit less: b+1-x with x 2^-b + (1-x) 2^-(b+1) = p, 2^-(b+1) < p <= 2^-b.
//
// 0 < p < 1. facebook/rocksdb util/ribbon_impl.h.
func RibbonBitsPerSlot(p float64) float64 {
	upper := math.Floor(-math.Log2(p)) + 1
	most := math.Exp2(-upper)
	return upper - (p-most)/most
}
