package reports

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"filterlab/harness"
)

// benchLine is the grammar of the format, https://golang.org/design/14313-benchmark-format: a result is
// a name, iterations, and pairs of value and unit; configuration is a lower-case key and a value.
var benchLine = regexp.MustCompile(`^(#.*|[a-z]+: .*|Unit \S+ \S+=\S+|Benchmark[A-Z][a-z]+(/[a-z]+=[^/ ]+){5} \d+( \S+ \S+)+|)$`)

func TestBenchFormat(t *testing.T) {
	results := twoTrials()
	results[1].Variant, results[1].Workload = "counting:bits=4,sticky=no", "replay:logs/a b.log"
	results[1].FPR = pointer(0.010039)
	for i := range results {
		results[i].Host = harness.Host{CPU: "Some CPU @ 2 GHz", Cores: 2, OS: "linux/amd64"}
		results[i].Command = "lab --workload\n x"
	}
	results = append(results, harness.Result{Variant: "map", Workload: "w", Skipped: "too large"})
	var b bytes.Buffer
	if err := WriteBench(&b, results); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for i, line := range strings.Split(text, "\n") {
		if !benchLine.MatchString(line) {
			t.Errorf("line %d is not in the format: %q", i+1, line)
		}
	}
	for _, want := range []string{
		"\nBenchmarkLookup/variant=bloom/workload=random-ids/n=1k/p=0.01/op=lookup0 10 10 ns/op 2 floor-ns/op\n",
		"\nBenchmarkFilter/variant=counting:bits=4,sticky=no/workload=replay:logs%2Fa%20b.log/n=1k/p=0.01/op=all 1 0.010039 fpr 10 bits/key\n",
		"\n# command: lab --workload x\n", "\nUnit bits/key assume=exact\n", "\ngoos: linux\ngoarch: amd64\ncpu: Some CPU @ 2 GHz\n\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, key := range []string{"\ncommit:", "\ndate:", "\nseed:", "map"} {
		if strings.Contains(text, key) {
			t.Errorf("%q in\n%s", key, text)
		}
	}
}
