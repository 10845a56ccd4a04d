package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"

	"filterlab/cmd/lab/command"
	"filterlab/filters/spec"
	"filterlab/harness"
	"filterlab/harness/files"
	"filterlab/workloads"
)

// benchCmd times our own filters against the packages they must beat, each pair side by side.
type benchCmd struct {
	N       []string `help:"Keys to hold." default:"1e6,1e7" placeholder:"N"`
	Lookups string   `help:"Lookups of each kind." default:"2M" placeholder:"COUNT"`
	Own     []string `help:"Only these of our own variants." placeholder:"SPEC" sep:"none"`
	Seed    uint64   `help:"Seed of keys, filters and the order of turns." default:"1"`
	Out     string   `help:"Folder of ratios.csv; other files in it stay." default:"out/bench-peers" placeholder:"DIR"`
}

// A row is a line of the ratio table.
type row struct {
	variant, peer string
	n             uint64
	harness.Ratio
	target float64 // 0: none
}

// Run is the subcommand: it prints the ratio table and writes ratios.csv.
func (c *benchCmd) Run(e *command.Env) error {
	ns, lookups, err := c.counts()
	if err != nil {
		return command.BadUsage(err)
	}
	if err := os.MkdirAll(c.Out, 0o755); err != nil {
		return command.BadUsage(err)
	}
	var rows []row
	for _, n := range ns {
		for _, m := range matches() {
			if !c.wants(m) {
				continue
			}
			fmt.Fprintf(e.ErrOut, "%s against %s, n = %d\n", m.own, m.peer, n)
			more, err := c.play(e, m, n, lookups)
			if err != nil {
				return fmt.Errorf("%s against %s, n = %d: %w", m.own, m.peer, n, err)
			}
			rows = append(rows, more...)
		}
	}
	if len(rows) == 0 {
		return command.BadUsage(fmt.Errorf("--own=%s: none of the variants that are held against a peer", strings.Join(c.Own, ",")))
	}
	path := filepath.Join(c.Out, "ratios.csv")
	if err := files.Replace(path, func(w io.Writer) error { return writeCSV(w, rows) }); err != nil {
		return err
	}
	fmt.Fprintf(e.ErrOut, "written: %s\n", path)
	return printTable(e.Out, rows)
}

func (c *benchCmd) counts() (ns []uint64, lookups uint64, err error) {
	for _, text := range c.N {
		n, err := spec.Count(text)
		if err != nil || n == 0 {
			return nil, 0, fmt.Errorf("--n=%s: a whole number such as 1e6, above 0", text)
		}
		ns = append(ns, n)
	}
	lookups, err = spec.Count(c.Lookups)
	if err != nil || lookups == 0 {
		return nil, 0, fmt.Errorf("--lookups=%s: a whole number such as 2M, above 0", c.Lookups)
	}
	return ns, lookups, nil
}

func (c *benchCmd) wants(m match) bool {
	for _, own := range c.Own {
		if own == m.own || own == strings.Split(m.own, ":")[0] {
			return true
		}
	}
	return len(c.Own) == 0
}

// play runs one match at n keys.
func (c *benchCmd) play(e *command.Env, m match, n, lookups uint64) ([]row, error) {
	ownBound, peerBound, err := m.sides(e.Variants, n)
	if err != nil {
		return nil, err
	}
	own, err := ownBound.New(ownBound.Params(n, m.p, c.Seed))
	if err != nil {
		return nil, err
	}
	peer, err := peerBound.New(peerBound.Params(n, m.p, c.Seed))
	if err != nil {
		return nil, err
	}
	w, err := workloads.Parse(e.Ctx, "random-ids", n, workloads.ReplayOptions{})
	if err != nil {
		return nil, err
	}
	runtime.GC() // not while a chunk is timed
	ratios, err := harness.Versus{Own: own, Peer: peer, Workload: w, Seed: c.Seed, Lookups: lookups}.Run(e.Ctx)
	var rows []row
	for _, r := range ratios {
		rows = append(rows, row{m.own, m.peer, n, r, m.target(r.Op, n)})
	}
	return rows, err
}

func writeCSV(w io.Writer, rows []row) error {
	out := csv.NewWriter(w)
	lines := [][]string{{"variant", "peer", "n", "op", "ratio", "lo", "hi"}}
	for _, r := range rows {
		lines = append(lines, []string{r.variant, r.peer, strconv.FormatUint(r.n, 10), r.Op, decimals(&r.Ratio.Ratio), decimals(r.Lo), decimals(r.Hi)})
	}
	return out.WriteAll(lines)
}

// decimals formats a ratio; empty for none.
func decimals(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'f', 4, 64)
}

func printTable(out io.Writer, rows []row) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "variant\tpeer\tn\top\tratio\t95 % interval\town ns\tpeer ns\ttarget\t")
	for _, r := range rows {
		interval, verdict := "one observation", ""
		if r.Lo != nil {
			interval = fmt.Sprintf("%.3f to %.3f", *r.Lo, *r.Hi)
		}
		if r.target > 0 {
			verdict = fmt.Sprintf("%.2f met", r.target)
			if r.Ratio.Ratio > r.target {
				verdict = fmt.Sprintf("%.2f missed", r.target)
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%.0e\t%s\t%.3f\t%s\t%.1f\t%.1f\t%s\t\n",
			r.variant, r.peer, float64(r.n), r.Op, r.Ratio.Ratio, interval, r.OwnNS, r.PeerNS, verdict)
	}
	return w.Flush()
}
