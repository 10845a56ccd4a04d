// Package sharded is a standard Bloom filter cut into shards of one size, each a filter of its own
// that keys are routed to, by a hash or by a prefix of theirs.
package sharded

import (
	"bytes"
	"fmt"
	"io"

	"filterlab/filters"
	"filterlab/filters/bitarray"
	"filterlab/filters/spec"
	"filterlab/filters/theory"
)

// A Filter is a sharded Bloom filter. It cannot remove keys. Lookups may run at once as long as
// nothing is added or lost.
type Filter struct {
	shards  []bitarray.Array
	seed    uint64
	route   uint64 // seed of the routing
	byParts bool   // route by the part of the key before sep
	sep     byte
}

var (
	_ filters.Filter    = (*Filter)(nil)
	_ filters.Batcher   = (*Filter)(nil)
	_ filters.Occupier  = (*Filter)(nil)
	_ filters.Predictor = (*Filter)(nil)
	_ filters.Noter     = (*Filter)(nil)
	_ io.WriterTo       = (*Filter)(nil)
	_ io.ReaderFrom     = (*Filter)(nil)
)

// Shard returns the number of the shard, 0 up, that key belongs to.
func (f *Filter) Shard(key []byte) int {
	h := filters.Hash(key, f.seed)
	if f.byParts {
		return int(f.ofPrefix(key, h))
	}
	return int(f.ofHash(h))
}

// routeStep is an odd multiplier unrelated to that of filters.NextProbe: 2^64 over the golden ratio.
const routeStep = 0x9e3779b97f4a7c15

// ofHash returns the shard of hash h. A bijection with a seed of its own stands between the two, so
// that the keys of a shard have bits all over its array.
func (f *Filter) ofHash(h uint64) uint64 {
	return filters.Reduce((h^f.route)*routeStep, uint64(len(f.shards)))
}

// ofPrefix returns the shard of a key of hash h by its prefix.
func (f *Filter) ofPrefix(key []byte, h uint64) uint64 {
	i := bytes.IndexByte(key, f.sep)
	if i < 0 {
		return f.ofHash(h)
	}
	return filters.Reduce(filters.Hash(key[:i], f.route), uint64(len(f.shards)))
}

// Add sets the k bits of key in its shard and returns true.
func (f *Filter) Add(key []byte) bool {
	h := filters.Hash(key, f.seed)
	s := f.ofHash(h)
	if f.byParts {
		s = f.ofPrefix(key, h)
	}
	f.shards[s].Set(h)
	return true
}

// Contains reports whether all k bits of key are set in its shard.
func (f *Filter) Contains(key []byte) bool {
	h := filters.Hash(key, f.seed)
	s := f.ofHash(h)
	if f.byParts {
		s = f.ofPrefix(key, h)
	}
	return f.shards[s].Has(h)
}

// Lose gives up shard i, 0 up, whose content is gone or out of reach: it answers maybe to every key
// from then on, for which all its bits are set, and the others are as before. With l of s shards lost,
// an FPR of f becomes
//
//	l/s + (1-l/s) f
func (f *Filter) Lose(i int) { f.shards[i].Fill() }

// SizeBits returns the bits of all shards.
func (f *Filter) SizeBits() uint64 { return uint64(len(f.shards)) * f.shards[0].M }

// Occupancy returns the fill ratio over all shards, 0..1. It counts the bits: O(m).
func (f *Filter) Occupancy() float64 {
	var ones uint64
	for i := range f.shards {
		ones += f.shards[i].Ones()
	}
	return float64(ones) / float64(f.SizeBits())
}

// InstanceFPR returns the mean over the shards of (fill ratio)^k, for absent keys that are spread
// evenly over them. It counts the bits: O(m).
func (f *Filter) InstanceFPR() float64 {
	sum := 0.0
	for i := range f.shards {
		sum += f.shards[i].FPR()
	}
	return sum / float64(len(f.shards))
}

// uneven is how many times its fair share of the keys a shard holds before Notes tells of it.
const uneven = 2

// Notes tells of shards that answer maybe to every key and, where keys are routed by a prefix, of a
// shard that holds more than twice its share of them. It counts the bits: O(m).
func (f *Filter) Notes() []string {
	var notes []string
	lost, all, most, worst := 0, 0.0, 0.0, 0.0
	for i := range f.shards {
		t := &f.shards[i]
		if t.Ones() == t.M {
			lost++
			continue
		}
		keys, _ := theory.BloomEstimateN(float64(t.M), float64(t.K), float64(t.Ones()))
		all += keys
		if keys > most {
			most, worst = keys, t.FPR()
		}
	}
	s := len(f.shards)
	if lost > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d shards are lost, or full, and answer maybe to every key: the FPR is at least %.4g %%",
			lost, s, 100*float64(lost)/float64(s)))
	}
	if f.byParts && most*float64(s-lost) > uneven*all {
		notes = append(notes, fmt.Sprintf("the prefixes are uneven: one of %d shards holds about %.3g %% of the keys and has an FPR of %.3g %%",
			s, 100*most/all, 100*worst))
	}
	return notes
}

// WriteTo writes the bits, shard after shard; what New needs to build the filter again is the
// caller's to keep. A lost shard is written as one with all bits set.
func (f *Filter) WriteTo(w io.Writer) (written int64, err error) {
	for i := range f.shards {
		n, err := f.shards[i].WriteTo(w)
		written += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// ReadFrom takes over the bits of a filter built with the same parameters.
func (f *Filter) ReadFrom(r io.Reader) (read int64, err error) {
	for i := range f.shards {
		n, err := f.shards[i].ReadFrom(r)
		read += n
		if err != nil {
			return read, fmt.Errorf("shard %d: %w", i, err)
		}
	}
	return read, nil
}

// maxShards bounds the knob shards.
const maxShards = 4096

// Variant describes the filter: sharded, with knobs shards, by and sep.
func Variant() filters.Variant {
	return filters.Variant{
		Name: "sharded",
		Doc:  "Bloom filters of our own that keys are routed to; one may be lost",
		Knobs: []spec.Knob{
			spec.Whole("shards", "filters that keys are routed to", "16", 1, maxShards),
			spec.Choice("by", "what routes a key; prefix: its part before the first sep, such as a tenant, or all of it where it has none", "hash", "prefix"),
			{Name: "sep", Doc: "byte that ends the prefix", Default: ":", Allowed: "a printable ASCII character but the comma", Check: checkSep},
		},
		Seeded: true, Concurrent: true,
		New:   newFilter,
		Model: model,
	}
}

func checkSep(v string) error {
	if len(v) != 1 || v[0] <= ' ' || v[0] > '~' || v[0] == ',' {
		return fmt.Errorf("%q is not one printable ASCII character other than the comma", v)
	}
	return nil
}

func newFilter(p filters.Params) (filters.Filter, error) {
	words, k, shards, err := shape(p)
	if err != nil {
		return nil, err
	}
	f := &Filter{shards: make([]bitarray.Array, shards), seed: p.Seed, route: filters.Mix(p.Seed),
		byParts: p.Knobs["by"] == "prefix", sep: p.Knobs["sep"][0]}
	for i := range f.shards {
		f.shards[i] = bitarray.New(words, k)
	}
	return f, nil
}
