package harness_test

import (
	"context"
	"fmt"
	"math"

	"filterlab/filters"
	"filterlab/harness"
	"filterlab/workloads"
)

// A oneHash is a filter of your own: a bitmap of 64 bits a key and one hash.
type oneHash struct {
	bits []uint64
	seed uint64
}

func (f *oneHash) at(key []byte) (word, bit uint64) {
	h := filters.Reduce(filters.Hash(key, f.seed), f.SizeBits())
	return h / 64, 1 << (h % 64)
}
func (f *oneHash) Add(key []byte) bool      { w, b := f.at(key); f.bits[w] |= b; return true }
func (f *oneHash) Contains(key []byte) bool { w, b := f.at(key); return f.bits[w]&b != 0 }
func (f *oneHash) SizeBits() uint64         { return 64 * uint64(len(f.bits)) }

// Measure a filter of your own beside nothing else: a variant says how to build it and what formula
// it should follow.
func Example() {
	own := filters.Variant{Name: "one-hash", Seeded: true,
		New: func(p filters.Params) (filters.Filter, error) {
			return &oneHash{make([]uint64, p.N), p.Seed}, nil
		},
		Model: func(p filters.Params) (filters.Model, error) {
			fpr := func(n uint64) float64 { return -math.Expm1(-float64(n) / float64(64*p.N)) }
			return filters.Model{Formula: "1-exp(-n/m)", Bits: 64 * p.N, FPR: fpr}, nil
		}}
	variant, _ := own.Bind(nil)
	workload, _ := workloads.Parse(context.Background(), "random-ids", 100_000, workloads.ReplayOptions{})
	experiment, err := harness.Prepare([]harness.Case{{Variant: variant, Workload: workload, P: 0.01}}, harness.Design{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	results, _ := experiment.Run(context.Background())
	fmt.Println(results[0].Verdict, results[0].FalseNegatives)
	// Output: agrees 0
}
