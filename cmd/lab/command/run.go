package command

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"filterlab/filters"
	"filterlab/filters/spec"
	"filterlab/harness"
	"filterlab/reports"
	"filterlab/workloads"
)

// runCmd measures variants on workloads.
type runCmd struct {
	Variant  []string `help:"Variants: names or specs such as classic:k=5, or all of them, or default." sep:"none" placeholder:"SPEC"`
	Workload []string `help:"Workloads: names or specs such as deletes:wrong=0.01 or replay:FILE, or all synthetic ones with all." sep:"none" placeholder:"SPEC"`
	N        counts   `help:"Keys to hold: 1000, 1e6, 10M, or a list." placeholder:"1e6"`
	P        rates    `help:"Target FPR: 0.01, 1%, or a list." placeholder:"1%"`
	measureFlags
	Stored string  `help:"File of keys, one a line: what the store holds in a replay." placeholder:"FILE"`
	Warmup float64 `help:"Share of a replay's first events whose keys count as stored where the log proves nothing." default:"0.2"`
	MaxBad float64 `help:"Share of malformed lines that a replay tolerates." default:"0.001"`
}

// measureFlags are the flags of every command that measures.
type measureFlags struct {
	Seed   uint64 `help:"Seed of keys and filters; two runs with one seed give the same counts." default:"1"`
	Trials int    `help:"Instances of each case; 0: 10, and more where instances differ much." default:"0"`
	Out    string `help:"Output folder; replaced as a whole at the end." placeholder:"DIR"`
	Quiet  bool   `help:"No progress."`
	Quick  bool   `help:"One trial a case: about a tenth of the work."`
	Strict bool   `help:"Exit 1 on any difference from the model (verdict above or below, size, occupancy), not only on false negatives."`
	MaxMem size   `help:"Most memory a filter may need; default half of the machine's." placeholder:"SIZE"`
}

// Run is the subcommand.
func (c *runCmd) Run(e *Env) error {
	cases, err := c.cases(e)
	if err != nil {
		return usageError{err}
	}
	return c.measure(e, cases, filepath.Join("out", folderName(workloadNames(cases))))
}

// cases crosses the variants, workloads, sizes and rates asked for.
func (c *runCmd) cases(e *Env) ([]harness.Case, error) {
	variants, err := e.parseVariants(c.Variant, "default")
	if err != nil {
		return nil, err
	}
	names, err := c.workloadSpecs()
	if err != nil {
		return nil, err
	}
	ns, ps := c.N, c.P
	if len(ns) == 0 {
		ns = counts{1_000_000}
	}
	if len(ps) == 0 {
		ps = rates{0.01}
	}
	replay := workloads.ReplayOptions{Stored: c.Stored, Warmup: c.Warmup, MaxBad: c.MaxBad}
	var cases []harness.Case
	for _, name := range names {
		sizes := ns
		if strings.HasPrefix(name, "replay:") {
			if len(c.N) > 0 {
				return nil, fmt.Errorf("--n with %s: a replay sizes its filters for the keys the log stores; leave --n out", name)
			}
			sizes = ns[:1]
		}
		for _, n := range sizes {
			w, err := workloads.Parse(e.Ctx, name, n, replay)
			if err != nil {
				return nil, err
			}
			cases = append(cases, cross(variants, w, ps)...)
		}
	}
	return cases, nil
}

// workloadSpecs returns the workloads named, all synthetic ones for "all".
func (c *runCmd) workloadSpecs() ([]string, error) {
	var names []string
	for _, arg := range c.Workload {
		switch {
		case strings.HasPrefix(arg, "replay:"):
			names = append(names, arg)
		case arg == "all":
			names = append(names, synthetic()...)
		default:
			names = append(names, spec.Split(arg)...)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no workload: say --workload and one of %s", strings.Join(workloads.Names(), ", "))
	}
	return names, nil
}

// synthetic returns the names of the workloads that need no file.
func synthetic() []string {
	var names []string
	for _, d := range workloads.All() {
		names = append(names, d.Name)
	}
	return names
}

// parseVariants reads the flag of variants; none given stands for the list otherwise.
func (e *Env) parseVariants(args []string, otherwise string) ([]filters.Bound, error) {
	if len(args) == 0 {
		args = []string{otherwise}
	}
	return e.Variants.ParseList(strings.Join(args, ","))
}

func cross(variants []filters.Bound, w workloads.Workload, ps []float64) []harness.Case {
	var cases []harness.Case
	for _, p := range ps {
		for _, v := range variants {
			cases = append(cases, harness.Case{Variant: v, Workload: w, P: p})
		}
	}
	return cases
}

func workloadNames(cases []harness.Case) []string {
	var names []string
	for _, c := range cases {
		if len(names) == 0 || names[len(names)-1] != c.Workload.Name {
			names = append(names, c.Workload.Name)
		}
	}
	return names
}

// measure runs the cases, prints the table and writes the output folder.
func (m *measureFlags) measure(e *Env, cases []harness.Case, defaultOut string) error {
	design, err := m.design(e)
	if err != nil {
		return usageError{err}
	}
	return m.measureAs(e, cases, design, defaultOut, func([]harness.Result) {})
}

// measureAs runs the cases by a design, lets finish complete the results, prints the table and writes
// the output folder; when the run is interrupted or fails, what is complete so far is still printed
// and written.
func (m *measureFlags) measureAs(e *Env, cases []harness.Case, design harness.Design, defaultOut string, finish func([]harness.Result)) error {
	folder := m.Out
	if folder == "" {
		folder = defaultOut
	}
	if err := reports.CheckFolder(folder); err != nil {
		return usageError{err}
	}
	progress := newProgress(e.ErrOut, m.Quiet)
	design.Progress = progress.update
	experiment, err := harness.Prepare(cases, design)
	if err != nil {
		return usageError{err}
	}
	results, failed := experiment.Run(e.Ctx)
	progress.close()
	if len(results) == 0 {
		return failed
	}
	finish(results)
	return errors.Join(m.deliver(e, folder, results), failed)
}

func (m *measureFlags) design(e *Env) (harness.Design, error) {
	d := harness.Design{
		Seed: m.Seed, Trials: m.Trials, MaxMem: uint64(m.MaxMem), Command: e.commandLine(),
		Commit: harness.Commit(), Host: harness.ThisHost(),
	}
	const most = 1_000_000
	if m.Trials < 0 || m.Trials > most {
		return d, fmt.Errorf("--trials=%d: from 1 to %d, or 0 to leave it to the lab", m.Trials, most)
	}
	if m.Quick && m.Trials == 0 {
		d.Trials = 1
	}
	if d.MaxMem == 0 {
		total, err := harness.TotalMemory()
		if err != nil {
			return d, fmt.Errorf("cannot tell the machine's memory, so say --max-mem: %w", err)
		}
		d.MaxMem = total / 2
	}
	return d, nil
}

// deliver prints the table, writes the folder, and says by its error whether the results fail.
func (m *measureFlags) deliver(e *Env, folder string, results []harness.Result) error {
	_, shown := fmt.Fprint(e.Out, reports.Table(results))
	if err := errors.Join(reports.WriteFolder(folder, results), shown); err != nil {
		return err
	}
	fmt.Fprintf(e.ErrOut, "written: %s\n", filepath.Join(folder, "summary.md"))
	return m.failure(results)
}

// failure is the error of results that must not pass: false negatives that nothing provoked, and
// with --strict any flag: a verdict above or below, or another size or occupancy than the model's.
func (m *measureFlags) failure(results []harness.Result) error {
	for _, r := range results {
		if r.FalseNegatives > 0 && !r.Provoked {
			return fmt.Errorf("%s on %s, n = %d: %d of %d members answered no, and nothing provoked it",
				r.Variant, r.Workload, r.N, r.FalseNegatives, r.Members)
		}
	}
	for _, r := range results {
		if m.Strict && len(r.Flags) > 0 {
			return fmt.Errorf("%s on %s, n = %d: not as its model says: %s (--strict)", r.Variant, r.Workload, r.N, strings.Join(r.Flags, ", "))
		}
	}
	return nil
}

// commandLine returns the command that repeats the run.
func (e *Env) commandLine() string {
	quoted := make([]string, len(e.Args))
	for i, a := range e.Args {
		quoted[i] = shellQuote(a)
	}
	return strings.TrimSpace(e.Name + " " + strings.Join(quoted, " "))
}

func shellQuote(s string) string {
	if s != "" && !strings.ContainsAny(s, " \t\n'\"\\$`*?[]{}()<>|&;!#~") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
