package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"filterlab/reports"
)

// reportCmd draws tables and pictures again from saved results, without a run.
type reportCmd struct {
	Results string `arg:"" help:"An output folder or a results.jsonl."`
	Out     string `help:"Output folder; default the folder of the results." placeholder:"DIR"`
}

// Run is the subcommand.
func (c *reportCmd) Run(e *Env) error {
	path := c.Results
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "results.jsonl")
	}
	file, err := os.Open(path)
	if err != nil {
		return usageError{err}
	}
	defer file.Close()
	results, err := reports.ReadResults(file)
	if err != nil {
		return usageError{fmt.Errorf("%s: %w", path, err)}
	}
	if len(results) == 0 {
		return usageError{fmt.Errorf("%s holds no result: give a results.jsonl of a run", path)}
	}
	folder := c.Out
	if folder == "" {
		folder = filepath.Dir(path)
	}
	if err := reports.CheckFolder(folder); err != nil {
		return usageError{err}
	}
	_, shown := fmt.Fprint(e.Out, reports.Table(results))
	return errors.Join(reports.WriteFolder(folder, results), shown)
}
