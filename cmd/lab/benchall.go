package main

import (
	"path/filepath"

	"filterlab/filters/catalog"
	"filterlab/harness"
	"filterlab/workloads"
)

// benchAllCmd measures every default variant on every workload, and the cases in which a filter
// used against its nature loses keys.
type benchAllCmd struct {
	measureFlags
	N      uint64 `help:"Keys to hold." default:"1000000"`
	P      rates  `help:"Target FPR." default:"1%"`
	Replay string `help:"Log of the replay workload." default:"testdata/workloads/shop.log.gz" placeholder:"FILE"`
}

// harm lists what a design review should have seen go wrong: a delete that clears shared bits,
// deletes of keys that were never added, and a table filled to its last slot.
var harm = []struct {
	variants, workload string
	n                  uint64 // 0: the command's
}{
	{"classic:delete=clear", "deletes", 0},
	{"counting,cuckoo", "deletes:wrong=0.01", 0},
	{"cuckoo:load=1", "random-ids", 1 << 20},
}

// Run is the subcommand.
func (c *benchAllCmd) Run(e *env) error {
	cases, err := c.cases(e)
	if err != nil {
		return usageError{err}
	}
	return c.measure(e, cases, filepath.Join("out", "bench-all"))
}

func (c *benchAllCmd) cases(e *env) ([]harness.Case, error) {
	names := append(synthetic(), "replay:"+c.Replay)
	var cases []harness.Case
	add := func(variants, workload string, n uint64) error {
		bound, err := catalog.ParseList(variants)
		if err != nil {
			return err
		}
		w, err := workloads.Parse(e.ctx, workload, n, workloads.ReplayOptions{Warmup: workloads.DefaultWarmup, MaxBad: workloads.DefaultMaxBad})
		if err != nil {
			return err
		}
		cases = append(cases, cross(bound, w, c.P)...)
		return nil
	}
	for _, name := range names {
		if err := add("all", name, c.N); err != nil {
			return nil, err
		}
	}
	for _, h := range harm {
		n := h.n
		if n == 0 {
			n = c.N
		}
		if err := add(h.variants, h.workload, n); err != nil {
			return nil, err
		}
	}
	return cases, nil
}
