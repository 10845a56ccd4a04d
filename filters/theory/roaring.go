package theory

import "math"

// Roaring's container format, RoaringFormatSpec: 2^16 values to a container.
const (
	containerSpan  = 1 << 16
	arrayMax       = 4096 // values up to which a container is an array
	bitmapBytes    = 8192
	containerIndex = 8 // bytes of descriptor and offset for each container
	fileHeader     = 8 // bytes, without runs
	offsetsFrom    = 4 // containers from which a file with runs has offsets
)

// RoaringContainer is the payload of one Roaring container, in bytes.
type RoaringContainer struct {
	Plain, Run, Best float64
	Kind             string // of the best: array, bitmap or run
}

// SizeRoaringContainer returns the payload of a container of card values in runs of consecutive ones.
//
// Array 2 card up to 4,096 values, bitmap 8,192, run 2+4 runs; the smallest wins, a run only where
// strictly smaller. RoaringFormatSpec; Chambi et al. 2016; Lemire, Ssi-Yan-Kai & Kaser 2016.
func SizeRoaringContainer(card, runs float64) RoaringContainer {
	c := RoaringContainer{Plain: bitmapBytes, Run: 2 + 4*runs, Kind: "bitmap"}
	if card <= arrayMax {
		c.Plain, c.Kind = 2*card, "array"
	}
	c.Best = c.Plain
	if c.Run < c.Plain {
		c.Best, c.Kind = c.Run, "run"
	}
	return c
}

// RoaringUniform returns the expected serialized bytes of a Roaring bitmap of n distinct uniform
// 32-bit keys and its expected number of containers, without run containers.
//
// Container cardinalities are Binomial(65536, n/2^32); 0 <= n <= 2^32. Derived from RoaringFormatSpec.
func RoaringUniform(n float64) (bytes, containers float64) {
	if n <= 0 {
		return fileHeader, 0
	}
	density := min(1, n/math.Exp2(32))
	payload := binomial(containerSpan, density).mean(func(c int) float64 {
		if c > arrayMax {
			return bitmapBytes
		}
		return 2 * float64(c)
	})
	containers = containerSpan
	if density < 1 {
		containers = -containerSpan * math.Expm1(containerSpan*math.Log1p(-density))
	}
	return fileHeader + containerIndex*containers + containerSpan*payload, containers
}

// RoaringRuns returns the expected number of runs in a container of card values picked uniformly,
// card - card(card-1)/65536.
func RoaringRuns(card float64) float64 { return card - card*(card-1)/containerSpan }

// RoaringRunCrossover returns the density of random values in a container above which runs beat a
// bitmap: the larger root of 65536 d(1-d) = 2047.5.
func RoaringRunCrossover() float64 {
	const runs = (bitmapBytes - 2) / 4.0
	return (1 + math.Sqrt(1-4*runs/containerSpan)) / 2
}

// RoaringSequence is the serialized size of a Roaring bitmap of the keys 0..n-1, in bytes.
type RoaringSequence struct {
	Containers uint64
	Plain      uint64 // no run containers
	Go         uint64 // RoaringBitmap/roaring v2, which turns full containers into runs by itself
	Runs       uint64 // after run optimisation
}

// SizeRoaringSequence returns the serialized size of a Roaring bitmap of the keys 0..n-1.
//
// RoaringFormatSpec; the Go sizes were measured equal to RoaringBitmap/roaring v2.30.
func SizeRoaringSequence(n uint64) RoaringSequence {
	full, rest := n/containerSpan, n%containerSpan
	s := RoaringSequence{Containers: full}
	last := uint64(0)
	if rest > 0 {
		s.Containers++
		last = uint64(SizeRoaringContainer(float64(rest), 1).Plain)
	}
	const run = 6 // bytes of a container of one run
	s.Plain = fileHeader + containerIndex*s.Containers + full*bitmapBytes + last
	s.Go = s.Plain
	if full > 0 {
		s.Go = runHeader(s.Containers) + run*full + last
	}
	s.Runs = runHeader(s.Containers) + run*s.Containers
	return s
}

// runHeader returns the bytes before the payload of a file with run containers.
func runHeader(containers uint64) uint64 {
	bytes := 4 + (containers+7)/8 + 4*containers
	if containers >= offsetsFrom {
		bytes += 4 * containers
	}
	return bytes
}

// Roaring64Random returns the expected serialized bytes of a 64-bit Roaring bitmap of n random keys,
// n << 2^32, and the expected number of its 32-bit bitmaps.
//
// Portable format: 8 bytes, and for each high half 4 + 8, and 8 + 2 a key, each key in a container
// of its own.
func Roaring64Random(n float64) (bytes, bitmaps float64) {
	bitmaps, _ = DistinctDraws(math.Exp2(32), n)
	return 8 + (4+fileHeader)*bitmaps + (containerIndex+2)*n, bitmaps
}
