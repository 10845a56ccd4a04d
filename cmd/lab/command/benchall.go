package command

import (
	"math/bits"
	"path/filepath"

	"filterlab/harness"
	"filterlab/workloads"
)

// benchAllCmd measures every default variant on every workload, and the cases in which a filter
// used against its nature loses keys.
type benchAllCmd struct {
	measureFlags
	N      counts `help:"Keys to hold." default:"1e6"`
	P      rates  `help:"Target FPR." default:"1%"`
	Replay string `help:"Log of the replay workload." default:"testdata/workloads/shop.log.gz" placeholder:"FILE"`
}

// harm lists what a design review should have seen go wrong: a delete that clears shared bits,
// deletes of keys that were never added, and a table filled to its last slot.
var harm = []struct {
	variants, workload string
	fill               bool // as many keys as the next power of two, the slots of a cuckoo table
}{
	{"classic:delete=clear", "deletes", false},
	{"counting,cuckoo", "deletes:wrong=0.01", false},
	{"cuckoo:load=1", "random-ids", true},
}

// Run is the subcommand.
func (c *benchAllCmd) Run(e *Env) error {
	var cases []harness.Case
	for _, n := range c.N {
		more, err := c.cases(e, n)
		if err != nil {
			return usageError{err}
		}
		cases = append(cases, more...)
	}
	return c.measure(e, cases, filepath.Join("out", "bench-all"))
}

func (c *benchAllCmd) cases(e *Env, n uint64) ([]harness.Case, error) {
	var cases []harness.Case
	add := func(variants, workload string, n uint64) error {
		bound, err := e.Variants.ParseList(variants)
		if err != nil {
			return err
		}
		w, err := workloads.Parse(e.Ctx, workload, n, workloads.ReplayOptions{Warmup: workloads.DefaultWarmup, MaxBad: workloads.DefaultMaxBad})
		if err != nil {
			return err
		}
		cases = append(cases, cross(bound, w, c.P)...)
		return nil
	}
	for _, name := range append(synthetic(), "replay:"+c.Replay) {
		if err := add("default", name, n); err != nil {
			return nil, err
		}
	}
	for _, h := range harm {
		keys := n
		if h.fill {
			keys = 1 << bits.Len64(n-1)
		}
		if err := add(h.variants, h.workload, keys); err != nil {
			return nil, err
		}
	}
	return cases, nil
}
