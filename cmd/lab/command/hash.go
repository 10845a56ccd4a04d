package command

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"

	"filterlab/filters"
	"filterlab/filters/catalog"
	"filterlab/filters/classic"
	"filterlab/harness"
	"filterlab/harness/evenness"
	"filterlab/reports"
	"filterlab/workloads"
)

// hashCmd crosses hashes with key shapes: which hash keeps the formula on which keys.
type hashCmd struct {
	N      counts `help:"Keys to hold." default:"100k" placeholder:"100k"`
	P      rates  `help:"Target FPR." default:"1%" placeholder:"1%"`
	Seed   uint64 `help:"Seed of keys and filters; two runs with one seed give the same counts." default:"1"`
	Trials int    `help:"Instances of each case where keys or hash take a seed; 0: 10, and more where instances differ much." default:"0"`
	Out    string `help:"Output folder; replaced as a whole at the end." default:"out/hash" placeholder:"DIR"`
	Quiet  bool   `help:"No progress."`
}

// keyShapes are the columns of the study: workloads, each with a key as it looks. The last two are
// random, as a control.
var keyShapes = []struct{ workload, example string }{
	{"shaped-keys", "123"},
	{"shaped-keys:stride=1024", "125952"},
	{"shaped-keys:shape=user", "user123"},
	{"shaped-keys:shape=zeros", "000000000123"},
	{"shaped-keys:shape=spaces", "123 and 13 spaces"},
	{"shaped-keys:shape=be", "00 00 00 00 00 00 00 7b"},
	{"shaped-keys:shape=le", "7b 00 00 00 00 00 00 00"},
	{"shaped-keys:shape=le,stride=4096", "00 b0 07 00 00 00 00 00"},
	{"shaped-keys:shape=uuid1", "d0c3c07b-e6a4-11f0-b3a1-0242ac110002"},
	{"shaped-keys:shape=uuid7", "019b76da-a801-703b-8f14-6d2e0a9c3b57"},
	{"shaped-keys:shape=ipv4", "cb 00 71 2a"},
	{"random-ids:shape=uuid", "7d444840-9dc0-41d1-b245-5ffdce74fad2"},
	{"random-ids:shape=raw", "8 random bytes"},
}

// The second half of the study is a small filter with a strict target: there collisions of short
// hashes and repeated steps of double hashing show, which 1 % covers up.
const (
	strictN         = 10_000
	strictP         = 1e-6
	strictStrangers = 10_000_000 // of a case: the formula expects ten false positives
	strictTrials    = 10
)

// occupancyRanges is the number of ranges of the table whose bits are counted.
const occupancyRanges = 256

// Run is the subcommand.
func (c *hashCmd) Run(e *Env) error {
	if len(c.N) != 1 || len(c.P) != 1 {
		return usageError{fmt.Errorf("--n and --p take one value each here")}
	}
	if err := reports.CheckFolder(c.Out); err != nil {
		return usageError{err}
	}
	study, failed := c.study(e)
	if len(study.Results) == 0 {
		return failed
	}
	fmt.Fprint(e.Out, reports.HashTable(study))
	if err := reports.WriteHashFolder(c.Out, study); err != nil {
		return errors.Join(err, failed)
	}
	fmt.Fprintf(e.ErrOut, "written: %s\n", filepath.Join(c.Out, "summary.md"))
	return errors.Join(failed, (&measureFlags{}).failure(study.Results))
}

// study measures all combinations twice, as asked and strictly, and tests how evenly bits lie.
func (c *hashCmd) study(e *Env) (reports.HashStudy, error) {
	var study reports.HashStudy
	hashes, err := hashVariants(&study)
	if err != nil {
		return study, err
	}
	for _, s := range keyShapes {
		study.Shapes = append(study.Shapes, reports.Described{Name: s.workload, Doc: s.example})
	}
	asked, err := hashCases(e.Ctx, hashes, c.N[0], c.P[0])
	if err != nil {
		return study, usageError{err}
	}
	strict, err := hashCases(e.Ctx, hashes, strictN, strictP)
	if err != nil {
		return study, err
	}
	for i := range strict {
		trials := strictTrials
		if strict[i].Workload.Fixed && !strict[i].Variant.Seeded {
			trials = 1
		}
		strict[i].Workload = limited(strict[i].Workload, uint64(strictStrangers/trials))
	}
	for _, half := range []struct {
		cases  []harness.Case
		trials int
	}{{asked, c.Trials}, {strict, strictTrials}} {
		results, err := c.measure(e, half.cases, half.trials)
		study.Results = append(study.Results, results...)
		if err != nil {
			return study, err
		}
	}
	study.Tables, err = c.tables(e.Ctx, asked)
	return study, err
}

// hashVariants returns the variant of every hash. A hash that takes no seed in practice gets none
// here: it is measured as it is published, on a set of fixed keys in one instance.
func hashVariants(study *reports.HashStudy) ([]filters.Bound, error) {
	var out []filters.Bound
	for _, h := range classic.Hashes() {
		b, err := catalog.Parse("classic:hash=" + h.Word)
		if err != nil {
			return nil, err
		}
		b.Seeded = h.Seeded
		out = append(out, b)
		study.Hashes = append(study.Hashes, reports.Described{Name: h.Word, Doc: h.Doc})
	}
	return out, nil
}

func hashCases(ctx context.Context, hashes []filters.Bound, n uint64, p float64) ([]harness.Case, error) {
	var cases []harness.Case
	for _, s := range keyShapes {
		w, err := workloads.Parse(ctx, s.workload, n, workloads.ReplayOptions{})
		if err != nil {
			return nil, err
		}
		cases = append(cases, cross(hashes, w, []float64{p})...)
	}
	return cases, nil
}

// limited returns the workload with at most so many strangers: the design of a strict target would
// ask for billions, and to catch a weak hash far fewer do.
func limited(w workloads.Workload, most uint64) workloads.Workload {
	ask := w.Lookup
	w.Strangers = most
	w.Lookup = func(seed uint64, mix workloads.Mix) iter.Seq2[workloads.Op, error] {
		mix.Strangers = min(mix.Strangers, most-min(most, mix.SkipStrangers))
		return ask(seed, mix)
	}
	return w
}

func (c *hashCmd) measure(e *Env, cases []harness.Case, trials int) ([]harness.Result, error) {
	flags := measureFlags{Seed: c.Seed, Trials: trials, Quiet: c.Quiet}
	design, err := flags.design(e)
	if err != nil {
		return nil, usageError{err}
	}
	progress := newProgress(e.ErrOut, c.Quiet)
	defer progress.close()
	design.Progress = progress.update
	experiment, err := harness.Prepare(cases, design)
	if err != nil {
		return nil, usageError{err}
	}
	return experiment.Run(e.Ctx)
}

// tables tests the filters of the cases' first trials.
func (c *hashCmd) tables(ctx context.Context, cases []harness.Case) ([]evenness.Row, error) {
	var rows []evenness.Row
	for _, at := range cases {
		keySeed := filters.Mix(c.Seed)
		filterSeed := uint64(0)
		if at.Variant.Seeded {
			filterSeed = filters.Mix(keySeed)
		}
		row, err := evenness.Observe(ctx, at.Variant, at.Workload, at.P, keySeed, filterSeed, occupancyRanges)
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	evenness.Adjust(rows)
	return rows, nil
}
