package harness

import (
	"encoding/binary"
	"fmt"
	"iter"

	"filterlab/filters"
	"filterlab/workloads"
)

// fakeWorkload loads n keys, deletes the first d of them, adds a new ones, and asks for w deletes
// of keys that were never there. Keys are images of consecutive numbers under a bijection.
func fakeWorkload(n, d, a, w uint64) workloads.Workload {
	const strangers, wrong = 1 << 40, 1 << 41
	wl := workloads.Workload{
		Name: fmt.Sprintf("fake:d=%d,a=%d,w=%d", d, a, w), N: n,
		Members: n - d + a, Deleted: d, Present: 0.5, Churns: d+a+w > 0,
	}
	wl.Load = func(seed uint64) iter.Seq2[workloads.Op, error] {
		return func(yield func(workloads.Op, error) bool) {
			_ = run(yield, seed, 0, n, workloads.Add, workloads.NeverSeen) &&
				run(yield, seed, 0, d, workloads.Remove, workloads.Member) &&
				run(yield, seed, n, a, workloads.Add, workloads.NeverSeen) &&
				run(yield, seed, wrong, w, workloads.Remove, workloads.NeverSeen)
		}
	}
	wl.Lookup = func(seed uint64, mix workloads.Mix) iter.Seq2[workloads.Op, error] {
		return func(yield func(workloads.Op, error) bool) {
			_ = run(yield, seed, d, min(mix.Members, wl.Members), workloads.Lookup, workloads.Member) &&
				run(yield, seed, strangers+mix.SkipStrangers, mix.Strangers, workloads.Lookup, workloads.NeverSeen) &&
				run(yield, seed, 0, min(mix.Deleted, d), workloads.Lookup, workloads.Deleted)
		}
	}
	return wl
}

func run(yield func(workloads.Op, error) bool, seed, first, count uint64, kind workloads.Kind, truth workloads.Truth) bool {
	key := make([]byte, 8)
	for i := first; i < first+count; i++ {
		binary.BigEndian.PutUint64(key, filters.Mix(filters.Mix(seed)^i))
		if !yield(workloads.Op{Key: key, Kind: kind, Truth: truth}, nil) {
			return false
		}
	}
	return true
}

// fakeFilter is an exact set that can be made to misbehave.
type fakeFilter struct {
	keys   map[string]bool
	seed   uint64
	fpr    float64 // share of strangers that it says maybe to
	refuse func(key []byte) bool
	lose   func(key []byte) bool
}

func (f *fakeFilter) Add(key []byte) bool {
	if f.refuse != nil && f.refuse(key) {
		return false
	}
	f.keys[string(key)] = true
	return true
}

func (f *fakeFilter) Contains(key []byte) bool {
	if f.keys[string(key)] {
		return f.lose == nil || !f.lose(key)
	}
	return f.fpr > 0 && float64(filters.Hash(key, f.seed))/(1<<64) < f.fpr
}

func (f *fakeFilter) SizeBits() uint64 { return uint64(64 * len(f.keys)) }

// removable is a fakeFilter that can remove.
type removable struct{ *fakeFilter }

func (f removable) Remove(key []byte) bool {
	had := f.keys[string(key)]
	delete(f.keys, string(key))
	return had
}

// fakeVariant describes filters of observed FPR got against a model of FPR want.
func fakeVariant(got, want float64, mend func(*fakeFilter) filters.Filter) filters.Bound {
	v := filters.Variant{Name: "fake", Doc: "for tests", Seeded: true,
		New: func(p filters.Params) (filters.Filter, error) {
			f := &fakeFilter{keys: map[string]bool{}, seed: p.Seed, fpr: got}
			if mend == nil {
				return f, nil
			}
			return mend(f), nil
		},
		Model: func(p filters.Params) (filters.Model, error) {
			return filters.Model{Formula: "a constant", Source: "here", HeapBytes: 100 * p.N,
				FPR: func(uint64) float64 { return want }}, p.Check()
		},
	}
	b, err := v.Bind(nil)
	if err != nil {
		panic(err)
	}
	return b
}
