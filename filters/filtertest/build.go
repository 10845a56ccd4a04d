package filtertest

import (
	"encoding/binary"
	"math"

	"pgregory.net/rapid"

	"filterlab/filters"
)

// A keySet renders key i of a set into buf. Different i give different keys.
type keySet func(i uint64, buf []byte) []byte

// random is the set of random 8-byte keys of a seed. Members take the even numbers, strangers the
// odd ones, so that they never meet.
func random(seed uint64) keySet {
	base := filters.Mix(seed)
	return func(i uint64, buf []byte) []byte {
		return binary.LittleEndian.AppendUint64(buf[:0], filters.Mix(base+i))
	}
}

func member(i uint64) uint64   { return 2 * i }
func stranger(i uint64) uint64 { return 2*i + 1 }

// A built filter and what it accepted.
type built struct {
	filters.Filter
	held    []uint64 // numbers of the keys it accepted
	refused int
}

// maxRefused ends a load: a full filter stays full, and some take long to find out.
const maxRefused = 100

// load builds a filter and adds members 0..count-1 of keys, through one buffer that is
// overwritten after each Add, since a filter must not keep the key.
func load(t rapid.TB, b filters.Bound, p filters.Params, keys keySet, count uint64) *built {
	t.Helper()
	f, err := b.New(p)
	if err != nil {
		t.Fatalf("New(n=%d, p=%g): %v", p.N, p.P, err)
	}
	out := &built{Filter: f}
	var buf []byte
	for i := uint64(0); i < count && out.refused < maxRefused; i++ {
		buf = keys(member(i), buf)
		if f.Add(buf) {
			out.held = append(out.held, member(i))
		} else {
			out.refused++
		}
		for j := range buf {
			buf[j] = 0xAA
		}
	}
	seal(t, f)
	return out
}

// seal makes the adds and removes take effect where the filter needs that.
func seal(t rapid.TB, f filters.Filter) {
	t.Helper()
	if s, ok := f.(filters.Sealer); ok {
		if err := s.Seal(); err != nil {
			t.Fatalf("Seal: %v", err)
		}
	}
}

// missing counts the held keys that answer no.
func (b *built) missing(keys keySet) (n uint64) {
	var buf []byte
	for _, i := range b.held {
		buf = keys(i, buf)
		if !b.Contains(buf) {
			n++
		}
	}
	return n
}

// lost returns how many held keys the filter says to have dropped.
func (b *built) lost() float64 {
	if l, ok := b.Filter.(filters.Loser); ok {
		keys, _ := l.Lost()
		return keys
	}
	return 0
}

// checkLosses holds the false negatives against what the filter admits to have lost.
func (b *built) checkLosses(t rapid.TB, what string, keys keySet) {
	t.Helper()
	missing, lost := float64(b.missing(keys)), b.lost()
	if slack := 1 + 5*math.Sqrt(lost); lost == 0 && missing > 0 || math.Abs(missing-lost) > slack && lost > 0 {
		t.Errorf("%s: %.0f of %d keys held answer no, and the filter admits to %.4g lost",
			what, missing, len(b.held), lost)
	}
}

// maybes counts the strangers first..first+count-1 that answer maybe.
func maybes(f filters.Filter, keys keySet, first, count uint64) (n uint64) {
	buf := make([]byte, 0, 16)
	for i := range count {
		buf = keys(stranger(first+i), buf)
		if f.Contains(buf) {
			n++
		}
	}
	return n
}

// modelOf returns the model of what New builds from p.
func modelOf(t rapid.TB, b filters.Bound, p filters.Params) filters.Model {
	t.Helper()
	m, err := b.Model(p)
	if err != nil {
		t.Fatalf("Model(n=%d, p=%g): %v", p.N, p.P, err)
	}
	return m
}
