package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"filterlab/filters/catalog"
)

// labpeers runs the program and returns its exit status and what it wrote.
func labpeers(args ...string) (status int, out, errOut string) {
	var o, e bytes.Buffer
	status = program().Run(context.Background(), &o, &e, args)
	return status, o.String(), e.String()
}

func TestNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range program().Variants.Names() {
		if seen[name] {
			t.Errorf("two variants are named %s", name)
		}
		seen[name] = true
	}
	if len(seen) < len(catalog.All())+10 {
		t.Errorf("only %d variants", len(seen))
	}
}

func TestListShowsPeersAndOwn(t *testing.T) {
	status, out, errOut := labpeers("list")
	for _, want := range []string{"boom-counting", "pebble", "  bloom", "12.8 times"} {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("status %d, no %q in the list\n%s", status, want, errOut)
		}
	}
}

func TestRunMeasuresPeersBesideOwn(t *testing.T) {
	status, out, errOut := labpeers("--workload", "random-ids", "--variant", "classic,holiman,parquet,pebble", "--n", "2k", "--p", "10%",
		"--trials", "5", "--out", t.TempDir()+"/out", "--quiet")
	if status != 0 || !strings.Contains(out, "holiman") || !strings.Contains(out, "classic") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
}
