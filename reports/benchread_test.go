package reports_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"filterlab/harness"
	"filterlab/reports"
)

func trial(number int, variant, workload string) harness.Result {
	fpr, bits, heap := 0.010039, 9.585, 9.6
	return harness.Result{Variant: variant, Workload: workload, N: 1_000_000, P: 0.01, Seed: 7, Trial: number,
		FPR: &fpr, BitsPerKey: &bits, HeapBitsPerKey: &heap, Commit: "0123456789ab", Command: "lab --workload\n x",
		Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Host: harness.Host{CPU: "Some CPU @ 2 GHz", Cores: 2, OS: "linux/amd64", Go: "go1.26"},
		Timings: []harness.Timing{{Op: "add", Ops: 1000, MedianNS: 40.5, FloorNS: 2}, {Op: "stranger", Ops: 250_000, MedianNS: 13.25, FloorNS: 2}}}
}

func TestReaderUnderstands(t *testing.T) {
	var text bytes.Buffer
	results := []harness.Result{trial(0, "bloom", "random-ids"), trial(1, "bloom", "random-ids"),
		trial(0, "counting:bits=4,sticky=no", "replay:logs/a b.log"), {Variant: "map", Workload: "random-ids", Skipped: "too large"}}
	if err := reports.WriteBench(&text, results); err != nil {
		t.Fatal(err)
	}
	reader := benchfmt.NewReader(&text, "bench.txt")
	seen := map[string]int{}
	for reader.Scan() {
		switch rec := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Errorf("syntax error: %v", rec)
		case *benchfmt.Result:
			seen[string(rec.Name)]++
			for _, key := range []string{"commit", "date", "seed"} {
				if rec.GetConfig(key) != "" {
					t.Errorf("%s is configuration: old and new runs would not be compared", key)
				}
			}
			if got := rec.GetConfig("cpu"); got != "Some CPU @ 2 GHz" {
				t.Errorf("cpu is %q", got)
			}
			if _, parts := rec.Name.Parts(); len(parts) != 5 {
				t.Errorf("%s has %d parts, want 5", rec.Name, len(parts))
			}
		}
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	for name, times := range map[string]int{
		"Lookup/variant=bloom/workload=random-ids/n=1M/p=0.01/op=stranger":                                  2,
		"Add/variant=bloom/workload=random-ids/n=1M/p=0.01/op=add":                                          2,
		"Filter/variant=bloom/workload=random-ids/n=1M/p=0.01/op=all":                                       2,
		"Lookup/variant=counting:bits=4,sticky=no/workload=replay:logs%2Fa%20b.log/n=1M/p=0.01/op=stranger": 1,
	} {
		if seen[name] != times {
			t.Errorf("%d lines of %s, want %d", seen[name], name, times)
		}
	}
	for name := range seen {
		if strings.Contains(name, "map") {
			t.Errorf("a skipped trial is in the output: %s", name)
		}
	}
	if got := reader.Units().Get("bits/key", "assume"); got == nil || got.Value != "exact" {
		t.Error("bits/key is not marked as exact")
	}
}
