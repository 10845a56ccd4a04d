// Package command is the lab as a function of its arguments and of the variants it knows, so that a
// program with more variants is the same command.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"

	"filterlab/filters/catalog"
	"filterlab/workloads"
)

// Exit statuses that scripts rely on.
const (
	exitOK          = 0
	exitFailed      = 1   // a run failed or showed false negatives that nothing provoked
	exitUsage       = 2   // bad usage or bad input
	exitInterrupted = 130 // Ctrl-C; what was done so far is written
)

// A Program is the lab's command with the variants it knows, and with subcommands beyond its own.
type Program struct {
	Name     string
	Variants catalog.List
	More     []Subcommand
}

// A Subcommand is one that a program adds: its name, its line of help, and a pointer to its flags,
// which have a method Run(*Env) error.
type Subcommand struct {
	Name, Help string
	Flags      any
}

// Lab returns the program with the lab's own variants and nothing more.
func Lab() Program { return Program{Name: "lab", Variants: catalog.All()} }

// A usageError is bad usage or bad input: the user can mend it.
type usageError struct{ error }

// Unwrap returns what went wrong.
func (e usageError) Unwrap() error { return e.error }

// BadUsage marks the error of a further subcommand as the user's to mend: the exit status is 2.
func BadUsage(err error) error { return usageError{err} }

// asUsage marks an error as the user's to mend if it is about what the user gave: the input itself,
// or a file that cannot be read or written.
func asUsage(err error) error {
	var file *fs.PathError
	var link *os.LinkError
	if errors.Is(err, workloads.ErrInput) || errors.As(err, &file) || errors.As(err, &link) {
		return usageError{err}
	}
	return err
}

// exitStatus prints the error, one line, and returns the status for it.
func (p Program) exitStatus(errOut io.Writer, err error) int {
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(errOut, "%s: interrupted\n", p.Name)
		return exitInterrupted
	case errors.As(err, &usage):
		fmt.Fprintf(errOut, "%s: %v\n", p.Name, err)
		return exitUsage
	default:
		fmt.Fprintf(errOut, "%s: %v\n", p.Name, err)
		return exitFailed
	}
}

// A cli is the command line: one field a subcommand; run is the default.
type cli struct {
	Run        runCmd                    `cmd:"" default:"withargs" help:"Measure variants on workloads (the default command)."`
	BenchAll   benchAllCmd               `cmd:"" help:"Measure every default variant on every workload, with the cases that show harm."`
	Sweep      sweepCmd                  `cmd:"" help:"Measure filters over a range of n, p, k, bits, load, fill, dup or estimate, and draw the curve."`
	Size       sizeCmd                   `cmd:"" help:"Answer how big a filter must be, or what a size gives, for every variant; judge a claim."`
	Hash       hashCmd                   `cmd:"" help:"Hold hashes against shapes of keys: who keeps the formula on which keys."`
	Report     reportCmd                 `cmd:"" help:"Draw tables and pictures again from a results.jsonl."`
	List       listCmd                   `cmd:"" help:"List variants, workloads, log formats and figures."`
	Build      buildCmd                  `cmd:"" help:"Build a filter from a file of keys and save it."`
	Query      queryCmd                  `cmd:"" help:"Ask a saved filter for keys."`
	Example    exampleCmd                `cmd:"" help:"Follow a Bloom filter of 16 bits by hand: the steps as text and as a picture."`
	Version    versionCmd                `cmd:"" help:"Print the version, commit and toolchain."`
	Completion kongcompletion.Completion `cmd:"" help:"Print how to switch on shell completion."`
}

// An Env is what a subcommand may use of the world, and the program it belongs to.
type Env struct {
	Program
	Ctx    context.Context
	Out    io.Writer
	ErrOut io.Writer
	Args   []string
}

// Run is the whole program as a function of its arguments and writers. It prints an error as one
// line and returns the exit status.
func (p Program) Run(ctx context.Context, out, errOut io.Writer, args []string) int {
	return p.exitStatus(errOut, p.run(ctx, out, errOut, args))
}

func (p Program) run(ctx context.Context, out, errOut io.Writer, args []string) (err error) {
	var c cli
	options := []kong.Option{
		kong.Name(p.Name),
		kong.Description("Which membership filter should stand in front of this store, how big, and what will it save or break?"),
		kong.Writers(out, errOut),
		kong.Exit(func(int) { panic(exit{}) }),
		kong.Help(helpWithRunFlags),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	}
	for _, s := range p.More {
		options = append(options, kong.DynamicCommand(s.Name, s.Help, "", s.Flags))
	}
	parser, err := kong.New(&c, options...)
	if err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(exit); !ok {
				panic(r)
			}
		}
	}()
	kongcompletion.Register(parser)
	parsed, err := parser.Parse(args)
	if err != nil {
		return usageError{fmt.Errorf("%w; see %s --help", err, p.Name)}
	}
	return parsed.Run(&Env{Program: p, Ctx: ctx, Out: out, ErrOut: errOut, Args: args})
}

// exit unwinds from a flag that ends the program, such as --help, back to run.
type exit struct{}

// helpWithRunFlags prints kong's help; at the root it adds the help of the default command, whose
// flags kong leaves out there.
func helpWithRunFlags(options kong.HelpOptions, ctx *kong.Context) error {
	if err := kong.DefaultHelpPrinter(options, ctx); err != nil || ctx.Selected() != nil {
		return err
	}
	fmt.Fprintf(ctx.Stdout, "\nThe default command:\n\n")
	_, err := ctx.Kong.Parse([]string{"run", "--help"})
	return err
}
