package counting

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"filterlab/filters"
)

// plain is the same filter with one int a counter.
type plain struct {
	*Filter
	counts  []int
	ceiling int
}

func (p plain) probes(key []byte, do func(c *int)) {
	base, h := p.start(filters.Hash(key, p.seed))
	for range p.k {
		do(&p.counts[base+filters.Reduce(h, p.span)])
		h = filters.NextProbe(h)
	}
}

func (p plain) add(key []byte) { p.probes(key, func(c *int) { *c = min(p.ceiling, *c+1) }) }

func (p plain) contains(key []byte) bool {
	all := true
	p.probes(key, func(c *int) { all = all && *c > 0 })
	return all
}

func (p plain) remove(key []byte) bool {
	held := p.contains(key)
	if held {
		p.probes(key, func(c *int) {
			if *c > 0 && *c < p.ceiling {
				*c--
			}
		})
	}
	return held
}

// TestPacked drives the packed counters and plain ones through the same steps, in tables so small
// that keys meet themselves, counters saturate and wrong deletes hit.
func TestPacked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := layout{words: rapid.Uint64Range(1, 4).Draw(t, "words"), k: rapid.IntRange(1, 8).Draw(t, "k")}
		l.bits = rapid.SampledFrom([]uint64{4, 8}).Draw(t, "bits")
		if rapid.Bool().Draw(t, "blocked") {
			l.lines, l.words = l.words, lineWords*l.words
		}
		f := l.build(rapid.Uint64().Draw(t, "seed"), rapid.Bool().Draw(t, "shared"))
		p := plain{f, make([]int, f.counters()), 1<<l.bits - 1}
		for _, s := range rapid.SliceOfN(rapid.IntRange(0, 59), 100, 300).Draw(t, "steps") {
			key := fmt.Appendf(nil, "%d", s%20)
			switch {
			case s < 30:
				for range 1 + s/8*int(l.bits) {
					f.Add(key)
					p.add(key)
				}
			case s < 40:
				if got, want := f.Remove(key), p.remove(key); got != want {
					t.Fatalf("Remove(%s) = %v, want %v", key, got, want)
				}
			default:
				if got, want := f.Contains(key), p.contains(key); got != want {
					t.Fatalf("Contains(%s) = %v, want %v", key, got, want)
				}
			}
		}
		p.compare(t)
	})
}

func (p plain) compare(t *rapid.T) {
	t.Helper()
	nonzero, stuck := 0, uint64(0)
	perWord := int(64 / p.bits)
	for i, want := range p.counts {
		if got := int(p.words[i/perWord]>>(i%perWord*int(p.bits))) & p.ceiling; got != want {
			t.Fatalf("counter %d is %d, want %d", i, got, want)
		}
		if want > 0 {
			nonzero++
		}
		if want == p.ceiling {
			stuck++
		}
	}
	if got := p.Saturated(); got != stuck {
		t.Fatalf("Saturated %d, want %d", got, stuck)
	}
	if got, want := p.Occupancy(), float64(nonzero)/float64(len(p.counts)); got != want {
		t.Fatalf("Occupancy %g, want %g", got, want)
	}
}

// TestOneLine: all counters of a key lie in one line of 64 bytes, and every line is in reach.
func TestOneLine(t *testing.T) {
	for _, setting := range settings[2:] {
		f := build(t, setting, 500, 0.01, 1)
		seen := map[int]bool{}
		for i := range 5000 {
			key := fmt.Append(nil, i)
			f.Add(key)
			used := map[int]bool{}
			for w, x := range f.words {
				if x != 0 {
					used[w/lineWords] = true
				}
			}
			if len(used) != 1 {
				t.Fatalf("%s: key %d has counters in %d lines", setting, i, len(used))
			}
			for line := range used {
				seen[line] = true
			}
			f.Remove(key)
		}
		if len(seen) != int(f.lines) {
			t.Errorf("%s: 5000 keys are in %d of %d lines", setting, len(seen), f.lines)
		}
		big := build(t, setting, 20000, 0.01, 1)
		if at := uintptr(unsafe.Pointer(&big.words[0])); at%64 != 0 {
			t.Errorf("%s: the table starts %d bytes behind a cache line", setting, at%64)
		}
	}
}

// TestPlace: nothing wraps up to the largest table there may be.
func TestPlace(t *testing.T) {
	for _, bits := range []uint64{4, 8} {
		f := &Filter{lines: filters.MaxTableBits / lineBits, span: lineBits / bits, bits: bits}
		for h, want := range map[uint64]uint64{0: 0, 1 << 63: f.lines / 2 * f.span, math.MaxUint64: (f.lines - 1) * f.span} {
			if got, _ := f.start(h); got != want {
				t.Errorf("%d bits: hash %x starts at counter %d, want %d", bits, h, got, want)
			}
		}
	}
}
