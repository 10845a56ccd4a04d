package command

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"filterlab/harness"
)

// versionCmd prints the version, commit and toolchain.
type versionCmd struct{}

// Run is the subcommand.
func (versionCmd) Run(e *Env) error {
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	_, err := fmt.Fprintf(e.Out, "%s %s, commit %s, %s %s/%s\n", e.Name, version, harness.Commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
