package command

import (
	"encoding/json"
	"fmt"

	"filterlab/harness"
	"filterlab/harness/sizing"
)

// sizeCmd answers how big a filter must be, or what a size gives.
type sizeCmd struct {
	Link     string   `arg:"" optional:"" help:"A link to the calculator at hur.st/bloomfilter instead of --n, --p, --m and --k." placeholder:"URL"`
	N        string   `help:"Keys: 1000, 1e6, 10M."`
	P        string   `help:"Target FPR: 0.01, 1e-3, 1%, 1-in-1000."`
	M        string   `help:"Size of the table: a number of bits, or 200MB, 64MiB, 10Mbit."`
	K        string   `help:"Hash functions."`
	Variant  []string `help:"Variants: names or specs such as classic:k=5, or all (the default)." sep:"none" placeholder:"SPEC"`
	Check    string   `help:"A claim to judge, such as \"n=1e9 p=1% in 200MB\"." placeholder:"CLAIM"`
	KeyBytes uint64   `help:"Bytes of a key, for the comparison with an exact set." default:"16"`
	MaxMem   size     `help:"Refuse a filter larger than this; without it one over half of the machine's memory gets a note." placeholder:"SIZE"`
	JSON     bool     `name:"json" help:"Print JSON."`
}

// Run is the subcommand.
func (c *sizeCmd) Run(e *Env) error {
	answer, err := c.answer(e)
	if err != nil {
		return usageError{err}
	}
	if c.JSON {
		enc := json.NewEncoder(e.Out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(answer)
	}
	_, err = fmt.Fprintln(e.Out, answer)
	return err
}

// answer returns what to print: a report, or the verdict on a claim.
func (c *sizeCmd) answer(e *Env) (fmt.Stringer, error) {
	words := sizing.Words{N: c.N, P: c.P, M: c.M, K: c.K}
	asked := words != sizing.Words{}
	switch {
	case c.Check != "":
		if asked || c.Link != "" || len(c.Variant) > 0 {
			return nil, fmt.Errorf("--check holds the whole claim: leave out the link, --n, --p, --m, --k and --variant")
		}
		return sizing.Check(c.Check)
	case c.Link != "" && asked:
		return nil, fmt.Errorf("the link says n, p, m and k: leave out --n, --p, --m and --k")
	case c.Link != "":
		var err error
		if words, err = sizing.ReadLink(c.Link); err != nil {
			return nil, err
		}
	}
	ask, err := words.Ask()
	if err != nil {
		return nil, err
	}
	variants, err := e.parseVariants(c.Variant, "all")
	if err != nil {
		return nil, err
	}
	options := sizing.Options{KeyBytes: c.KeyBytes, MaxBytes: uint64(c.MaxMem)}
	if memory, err := harness.TotalMemory(); err == nil {
		options.Roomy = memory / 2
	}
	return sizing.New(ask, variants, options)
}
