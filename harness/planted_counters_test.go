package harness_test

import (
	"encoding/binary"
	"iter"

	"filterlab/counting"
	"filterlab/filters"
	"filterlab/workloads"
)

// A counterFilter is a counting Bloom filter to plant faults in. Sound, it is the variant counting.
type counterFilter struct {
	*counting.Filter
	count []uint8 // 0..15, beside the counters of the sound filter, which give size and prediction
	k     int
	seed  uint64
	wraps bool // 15 + 1 = 0; otherwise counters stay at 15
	falls bool // a counter at 15 is counted down, although nobody knows what it counted
}

const ceiling = 15

func (f *counterFilter) each(key []byte, do func(*uint8) bool) bool {
	h := filters.Hash(key, f.seed)
	for range f.k {
		if !do(&f.count[filters.Reduce(h, uint64(len(f.count)))]) {
			return false
		}
		h = filters.NextProbe(h)
	}
	return true
}

func (f *counterFilter) Add(key []byte) bool {
	f.Filter.Add(key)
	return f.each(key, func(c *uint8) bool {
		switch {
		case *c < ceiling:
			*c++
		case f.wraps:
			*c = 0
		}
		return true
	})
}

func (f *counterFilter) Contains(key []byte) bool {
	return f.each(key, func(c *uint8) bool { return *c > 0 })
}

func (f *counterFilter) Remove(key []byte) bool {
	f.Filter.Remove(key)
	if !f.Contains(key) {
		return false
	}
	return f.each(key, func(c *uint8) bool {
		if *c > 0 && (*c < ceiling || f.falls) {
			*c--
		}
		return true
	})
}

func countersVariant(wraps, falls bool) filters.Variant {
	sound := counting.Variant()
	return filters.Variant{Name: "counters", Doc: "planted", Seeded: true, Model: sound.Model,
		New: func(p filters.Params) (filters.Filter, error) {
			m, err := sound.Model(p)
			if err != nil {
				return nil, err
			}
			inner, err := counting.New(m.Bits/4, m.K, p.Seed)
			return &counterFilter{inner, make([]uint8, m.Bits/4), m.K, p.Seed, wraps, falls}, err
		}}
}

// hotKeys loads n keys, adds a hundredth of them another 19 times and takes those copies out again,
// so that every key is still there once. No other workload brings a counter to its ceiling.
func hotKeys(n uint64) workloads.Workload {
	const copies = 19
	hot := n / 100
	write := func(key []byte, seed, i uint64) []byte {
		return binary.BigEndian.AppendUint64(key[:0], filters.Mix(filters.Mix(seed)^i))
	}
	w := workloads.Workload{Name: "hot-keys", N: n, Members: n, Present: 0.5, Churns: true}
	w.Load = func(seed uint64) iter.Seq2[workloads.Op, error] {
		return func(yield func(workloads.Op, error) bool) {
			key := make([]byte, 0, 8)
			run := func(count uint64, kind workloads.Kind, truth workloads.Truth) bool {
				for i := range count {
					key = write(key, seed, i)
					if !yield(workloads.Op{Key: key, Kind: kind, Truth: truth}, nil) {
						return false
					}
				}
				return true
			}
			going := run(n, workloads.Add, workloads.NeverSeen)
			for range copies {
				going = going && run(hot, workloads.Add, workloads.NeverSeen) // each copy is taken out again below
			}
			for range copies {
				going = going && run(hot, workloads.Remove, workloads.Member)
			}
		}
	}
	w.Lookup = func(seed uint64, mix workloads.Mix) iter.Seq2[workloads.Op, error] {
		return func(yield func(workloads.Op, error) bool) {
			key := make([]byte, 0, 8)
			for i := range mix.Members {
				key = write(key, seed, i%n)
				if !yield(workloads.Op{Key: key, Kind: workloads.Lookup, Truth: workloads.Member}, nil) {
					return
				}
			}
			for i := range mix.Strangers {
				key = write(key, seed, 1<<40+mix.SkipStrangers+i)
				if !yield(workloads.Op{Key: key, Kind: workloads.Lookup, Truth: workloads.NeverSeen}, nil) {
					return
				}
			}
		}
	}
	return w
}
