package cuckoo

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"filterlab/filters"
)

// BenchmarkOwnToPeer reports the time of our own filter with 8 bits over that of the package on the same
// keys, hashing included: the median and quartiles over pairs of chunks timed one after the other.
func BenchmarkOwnToPeer(b *testing.B) {
	for _, n := range []uint64{1e6, 1e7} {
		own, err := newOwn(ownParams(b, "8", n, 0.03))
		if err != nil {
			b.Fatal(err)
		}
		bound, err := Variant().Bind(nil)
		if err != nil {
			b.Fatal(err)
		}
		peer, err := newFilter(bound.Params(n, 0.03, 0))
		if err != nil {
			b.Fatal(err)
		}
		c := newChunk()
		adds := &pairs{}
		for i := uint64(0); i < n; i += chunkKeys {
			keys := c.render(2*i, min(chunkKeys, n-i))
			adds.time(own, peer, func(f filters.Filter) float64 { return timedAdds(f, keys) })
		}
		b.Run(fmt.Sprintf("n=%d/add", n), adds.report)
		for kind, odd := range map[string]uint64{"member": 0, "stranger": 1} {
			b.Run(fmt.Sprintf("n=%d/%s", n, kind), func(b *testing.B) {
				p := &pairs{}
				for i := range uint64(b.N) {
					keys := c.render(2*(i*chunkKeys%(n-chunkKeys))+odd, chunkKeys)
					p.time(own, peer, func(f filters.Filter) float64 { return timedLookups(f, keys) })
				}
				p.report(b)
			})
		}
	}
}

// chunkKeys is how many keys are made ahead of a timed loop.
const chunkKeys = 4096

// A chunk is keys of 16 hexadecimal digits in buffers that are used again.
type chunk [][]byte

func newChunk() chunk {
	c := make(chunk, chunkKeys)
	for i := range c {
		c[i] = make([]byte, 0, 16)
	}
	return c
}

// render makes count keys, every other number from first on.
func (c chunk) render(first, count uint64) [][]byte {
	for i := range count {
		c[i] = fmt.Appendf(c[i][:0], "%016x", filters.Mix(first+2*i))
	}
	return c[:count]
}

func timedAdds(f filters.Filter, keys [][]byte) float64 {
	start := time.Now()
	for _, key := range keys {
		f.Add(key)
	}
	return float64(time.Since(start)) / float64(len(keys))
}

func timedLookups(f filters.Filter, keys [][]byte) float64 {
	start := time.Now()
	for _, key := range keys {
		f.Contains(key)
	}
	return float64(time.Since(start)) / float64(len(keys))
}

// pairs are times per key of our filter and of the package.
type pairs struct{ own, peer, ratios []float64 }

// time times both filters; which goes first alternates.
func (p *pairs) time(own, peer filters.Filter, timed func(filters.Filter) float64) {
	var x, y float64
	if len(p.own)%2 == 0 {
		x = timed(own)
		y = timed(peer)
	} else {
		y = timed(peer)
		x = timed(own)
	}
	p.own, p.peer, p.ratios = append(p.own, x), append(p.peer, y), append(p.ratios, x/y)
}

func (p *pairs) report(b *testing.B) {
	for _, xs := range [][]float64{p.own, p.peer, p.ratios} {
		slices.Sort(xs)
	}
	n := len(p.own)
	b.ReportMetric(p.ratios[n/2], "ratio")
	b.ReportMetric(p.ratios[n/4], "q1")
	b.ReportMetric(p.ratios[3*n/4], "q3")
	b.ReportMetric(p.own[n/2], "own-ns")
	b.ReportMetric(p.peer[n/2], "peer-ns")
	b.ReportMetric(0, "ns/op")
}
