package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"filterlab/filters"
	"filterlab/harness/files"
	"filterlab/harness/units"
	"filterlab/workloads"
)

// buildCmd builds a filter from a file of keys and saves it.
type buildCmd struct {
	Keys    string `arg:"" help:"File of keys, one a line, plain or gzip; - for standard input."`
	Output  string `short:"o" required:"" help:"File of the filter; written whole or not at all." placeholder:"FILE"`
	Variant string `help:"Variant with its knobs." default:"bloom" placeholder:"SPEC"`
	P       rates  `help:"Target FPR." default:"1%"`
	N       counts `help:"Keys to size for, at least as many as the file has, which is the default." placeholder:"1e6"`
	Seed    uint64 `help:"Seed of the filter's hash." default:"1"`
}

// Run is the subcommand.
func (c *buildCmd) Run(e *Env) error {
	bound, err := e.Variants.Parse(c.Variant)
	if err != nil {
		return usageError{err}
	}
	if len(c.P) != 1 {
		return usageError{fmt.Errorf("--p takes one rate here, not %d", len(c.P))}
	}
	keys, err := c.keys(e.Ctx)
	if err != nil {
		return asUsage(err)
	}
	f, header, err := c.filter(e.Ctx, bound, keys)
	if err != nil {
		return asUsage(err)
	}
	err = files.Replace(c.Output, func(w io.Writer) error { return filters.Save(w, header, f) })
	if err != nil {
		return asUsage(err)
	}
	fmt.Fprintf(e.ErrOut, "%s: %s, %d keys, %s\n", c.Output, header.Spec, header.Held, units.Bytes(f.SizeBits()/8))
	return nil
}

// keys returns the distinct keys of the file.
func (c *buildCmd) keys(ctx context.Context) (map[string]struct{}, error) {
	keys := map[string]struct{}{}
	for key, err := range workloads.ReadKeys(c.Keys) {
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		keys[string(key)] = struct{}{}
	}
	if len(keys) == 0 {
		return nil, usageError{fmt.Errorf("%s holds no key: give a file with one key a line", c.Keys)}
	}
	return keys, nil
}

// filter builds and fills the filter. A refused key is an error: the saved filter would deny it.
func (c *buildCmd) filter(ctx context.Context, bound filters.Bound, keys map[string]struct{}) (filters.Filter, filters.Header, error) {
	n := uint64(len(keys))
	if len(c.N) > 1 {
		return nil, filters.Header{}, usageError{fmt.Errorf("--n takes one size here, not %d", len(c.N))}
	}
	if len(c.N) == 1 {
		n = c.N[0]
	}
	if n < uint64(len(keys)) {
		return nil, filters.Header{}, usageError{fmt.Errorf("--n=%d, but %s has %d distinct keys", n, c.Keys, len(keys))}
	}
	params := bound.Params(n, c.P[0], c.Seed)
	if _, err := bound.Predict(params); err != nil {
		return nil, filters.Header{}, usageError{err}
	}
	f, err := bound.New(params)
	if err != nil {
		return nil, filters.Header{}, usageError{err}
	}
	for key := range keys {
		if ctx.Err() != nil {
			return nil, filters.Header{}, ctx.Err()
		}
		if !f.Add([]byte(key)) {
			return nil, filters.Header{}, fmt.Errorf("%s refused key %q: it would be denied later; choose a larger --n", bound, key)
		}
	}
	if s, ok := f.(filters.Sealer); ok {
		if err := s.Seal(); err != nil {
			return nil, filters.Header{}, err
		}
	}
	header := filters.Header{Spec: bound.String(), N: n, P: c.P[0], Seed: c.Seed, Held: uint64(len(keys))}
	return f, header, nil
}

// queryCmd asks a saved filter for keys.
type queryCmd struct {
	Filter string   `arg:"" help:"A file that lab build wrote."`
	Keys   []string `arg:"" optional:"" help:"Keys to ask for; none: one a line from standard input."`
}

// Run is the subcommand. It prints a line a key: maybe or absent, a tab, and the key.
func (c *queryCmd) Run(e *Env) error {
	file, err := os.Open(c.Filter)
	if err != nil {
		return usageError{err}
	}
	defer file.Close()
	f, _, err := filters.Load(bufio.NewReader(file), e.Variants.Parse)
	if err != nil {
		return usageError{fmt.Errorf("%s: %w", c.Filter, err)}
	}
	out := bufio.NewWriter(e.Out)
	answer := func(key []byte) {
		word := "absent"
		if f.Contains(key) {
			word = "maybe"
		}
		fmt.Fprintf(out, "%s\t%s\n", word, key)
	}
	for _, key := range c.Keys {
		answer([]byte(key))
	}
	if len(c.Keys) > 0 {
		return out.Flush()
	}
	for key, err := range workloads.ReadKeys("-") {
		if err != nil {
			return asUsage(err)
		}
		answer(key)
		if e.Ctx.Err() != nil {
			break
		}
	}
	return errors.Join(out.Flush(), e.Ctx.Err())
}
