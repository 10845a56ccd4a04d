package fuse

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/FastFilter/xorfilter"

	"filterlab/filters"
)

// direct is the package without the adapter.
type direct struct {
	table *xorfilter.BinaryFuse[uint8]
	seed  uint64
}

func (d *direct) Add([]byte) bool          { return false }
func (d *direct) Contains(key []byte) bool { return d.table.Contains(filters.Hash(key, d.seed)) }
func (d *direct) SizeBits() uint64         { return 8 * uint64(len(d.table.Fingerprints)) }

// BenchmarkAdapterToPackage reports the time of a lookup through the adapter over that of one in the
// package itself on the same keys and equal tables, hashing included: the median and quartiles over pairs of
// chunks timed one after the other.
func BenchmarkAdapterToPackage(b *testing.B) {
	const chunk = 4096
	for _, n := range []uint64{1e6, 1e7} {
		f := &Filter8{builder[uint8]{seed: 1, planned: n}}
		key := func(buf []byte, i uint64) []byte { return fmt.Appendf(buf[:0], "%016x", filters.Mix(i)) }
		var buf []byte
		for i := range n {
			buf = key(buf, 2*i)
			f.Add(buf)
		}
		if err := f.Seal(); err != nil {
			b.Fatal(err)
		}
		table := f.table // a copy, or the second to look a key up would find the table in the cache
		table.Fingerprints = slices.Clone(table.Fingerprints)
		alone := &direct{&table, 1}
		keys := make([][]byte, chunk)
		for kind, odd := range map[string]uint64{"member": 0, "stranger": 1} {
			b.Run(fmt.Sprintf("n=%d/%s", n, kind), func(b *testing.B) {
				var ratios, own []float64
				for turn := range uint64(b.N) {
					for i := range keys {
						keys[i] = key(keys[i], 2*((turn*chunk+uint64(i))%n)+odd)
					}
					var x, y float64
					if turn%2 == 0 {
						x = timed(f, keys)
						y = timed(alone, keys)
					} else {
						y = timed(alone, keys)
						x = timed(f, keys)
					}
					ratios, own = append(ratios, x/y), append(own, x)
				}
				slices.Sort(ratios)
				slices.Sort(own)
				b.ReportMetric(ratios[b.N/2], "ratio")
				b.ReportMetric(ratios[b.N/4], "q1")
				b.ReportMetric(ratios[3*b.N/4], "q3")
				b.ReportMetric(own[b.N/2], "adapter-ns")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func timed(f filters.Filter, keys [][]byte) float64 {
	start := time.Now()
	for _, key := range keys {
		f.Contains(key)
	}
	return float64(time.Since(start)) / float64(len(keys))
}
