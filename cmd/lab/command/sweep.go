package command

import (
	"fmt"
	"path/filepath"

	"filterlab/filters"
	"filterlab/harness"
	"filterlab/harness/sweep"
)

// sweepCmd measures filters over a range of one quantity.
type sweepCmd struct {
	Over    overFlag `required:"" help:"What to vary: AXIS, AXIS=LO..HI or AXIS=LO..HI/STEPS. n: keys, 1e4..1e7; p: target FPR, 0.1%..10%; k: hash functions, 1..20; bits: bits per key, 4..20; load: load factor of a table of slots, 0.5..1; fill: keys held per key sized for, 0.1..5; dup: share of adds that repeat a key, 0..0.8; estimate: error of the estimate of n, 1%..50%." placeholder:"AXIS=LO..HI"`
	Variant []string `help:"Variants: names or specs such as classic:k=5, or all; default by axis." sep:"none" placeholder:"SPEC"`
	N       counts   `help:"Keys to size for, on every axis but n; default by axis." placeholder:"100k"`
	P       rates    `help:"Target FPR, on every axis but p and bits; default by axis." placeholder:"1%"`
	measureFlags
}

// overFlag is a flag of what to sweep over.
type overFlag struct{ sweep.Over }

// UnmarshalText reads the flag.
func (o *overFlag) UnmarshalText(text []byte) (err error) {
	o.Over, err = sweep.Parse(string(text))
	return err
}

// Run is the subcommand.
func (c *sweepCmd) Run(e *Env) error {
	points, notes, err := c.points(e)
	if err != nil {
		return usageError{err}
	}
	for _, note := range notes {
		fmt.Fprintf(e.ErrOut, "left out: %s\n", note)
	}
	design, err := c.design(e)
	if err != nil {
		return usageError{err}
	}
	design.LeastTrials, design.MaxStrangers = c.Over.Trials, sweep.MaxStrangers
	return c.measureAs(e, casesOf(points), design, filepath.Join("out", "sweep-"+c.Over.Name), func(results []harness.Result) {
		c.Over.Label(points, results)
	})
}

func (c *sweepCmd) points(e *Env) ([]sweep.Point, []string, error) {
	variants, err := c.variants(e)
	if err != nil {
		return nil, nil, err
	}
	n, err := one("n", c.N, c.Over.Name)
	if err != nil {
		return nil, nil, err
	}
	p, err := one("p", c.P, c.Over.Name)
	if err != nil {
		return nil, nil, err
	}
	return c.Over.Points(e.Ctx, variants, n, p)
}

// one returns the one value of a flag, 0 for none; it must not be given when the sweep varies it.
func one[T uint64 | float64](flag string, values []T, axis string) (T, error) {
	switch {
	case len(values) == 0:
		return 0, nil
	case flag == axis || flag == "p" && axis == "bits":
		return 0, fmt.Errorf("--%s with --over %s: the sweep varies it; leave --%s out", flag, axis, flag)
	case len(values) > 1:
		return 0, fmt.Errorf("--%s takes one value here, not %d", flag, len(values))
	}
	return values[0], nil
}

// variants returns those asked for, else the axis' own: where it names none, all whose FPR is a claim.
func (c *sweepCmd) variants(e *Env) ([]filters.Bound, error) {
	if len(c.Variant) > 0 || c.Over.Variants != "" {
		return e.parseVariants(c.Variant, c.Over.Variants)
	}
	all, err := e.Variants.ParseList("all")
	if err != nil {
		return nil, err
	}
	var out []filters.Bound
	for _, v := range all {
		if !v.Exact && !v.Unjudged {
			out = append(out, v)
		}
	}
	return out, nil
}

func casesOf(points []sweep.Point) []harness.Case {
	var out []harness.Case
	for _, p := range points {
		out = append(out, p.Case)
	}
	return out
}
