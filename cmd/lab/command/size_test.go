package command

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"filterlab/filters/catalog"
	"filterlab/harness/sizing"
)

// lab runs the program and returns its exit status and what it wrote.
func lab(args ...string) (status int, out, errOut string) {
	var o, e bytes.Buffer
	status = Lab().Run(context.Background(), &o, &e, args)
	return status, o.String(), e.String()
}

func TestSize(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--n", "10M", "--p", "0.1%"}, []string{"143,775,876 bits", "17.1 MiB", "k               10"}},
		{[]string{"--n", "1000", "--p", "0.01"}, []string{"9,586 bits", "k               7", "crossover"}},
		{[]string{"--n", "100M", "--p", "1-in-100"}, []string{"958,505,838 bits", "119.8 MB"}},
		{[]string{"--n", "1e6", "--m", "1MB", "--variant", "classic,cuckoo"}, []string{"2.158 %", "does not fit"}},
		{[]string{"--m", "64MiB", "--p", "1%", "--variant", "classic:k=5"}, []string{"55,965,125 keys", "classic:k=5"}},
		{[]string{"https://hur.st/bloomfilter/?n=4000&p=1.0E-7&m=&k="}, []string{"134,191 bits", "k               23"}},
		{[]string{"--check", "n=1e9 p=1% in 200MB"}, []string{"false: ", "1.198 GB", "46.47 %"}},
	} {
		status, out, errOut := lab(append([]string{"size"}, c.args...)...)
		if status != exitOK || errOut != "" {
			t.Errorf("size %q: status %d, %s", c.args, status, errOut)
		}
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("size %q: no %q in\n%s", c.args, want, out)
			}
		}
	}
}

func TestSizeJSON(t *testing.T) {
	status, out, _ := lab("size", "--n", "10M", "--p", "0.1%", "--json")
	var r sizing.Report
	if err := json.Unmarshal([]byte(out), &r); status != exitOK || err != nil {
		t.Fatalf("status %d, %v:\n%s", status, err, out)
	}
	if r.Answer.M != 143_775_876 || r.Answer.K != 10 || len(r.Variants) < len(catalog.All())-1 {
		t.Errorf("got m = %d, k = %d, %d variants", r.Answer.M, r.Answer.K, len(r.Variants))
	}
	var v sizing.Verdict
	_, out, _ = lab("size", "--check", "n=10M p=0.1% k=10", "--json")
	if err := json.Unmarshal([]byte(out), &v); err != nil || !v.True {
		t.Errorf("a claim as JSON: %v:\n%s", err, out)
	}
}

func TestSizeRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		hint string
	}{
		{[]string{"--n", "1000", "--p", "5"}, "for 5 % say 0.05"},
		{[]string{"--n", "0", "--p", "1%"}, "at least one key"},
		{[]string{"--n", "0.01", "--p", "1000"}, "swapped"},
		{[]string{"--n", "1e9", "--p", "1e-12"}, "hash floor"},
		{[]string{"--n", "1000"}, "say two of"},
		{[]string{"--n", "1e9", "--p", "1%", "--m", "200MB"}, "contradict"},
		{[]string{"--n", "1e10", "--p", "1e-4", "--max-mem", "8GB"}, "shard it over 3 filters"},
		{[]string{"--n", "1000", "--p", "1%", "--key-bytes", "0"}, "keys of 0 bytes"},
		{[]string{"--n", "1000", "--p", "1%", "--variant", "nosuch"}, "nosuch"},
		{[]string{"--check", "n=1e9"}, "claims have forms such as"},
		{[]string{"--check", "n=1e9 p=1% k=7", "--n", "5"}, "leave out"},
		{[]string{"hur.st/bloomfilter/?n=1", "--p", "1%"}, "leave out"},
		{[]string{"10M"}, "not a link"},
	} {
		status, out, errOut := lab(append([]string{"size"}, c.args...)...)
		if status != exitUsage || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, c.hint) {
			t.Errorf("size %q: status %d, %q, %q; want %d and one line with %q", c.args, status, out, errOut, exitUsage, c.hint)
		}
	}
}
