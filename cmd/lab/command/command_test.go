package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filterlab/harness"
	"filterlab/reports"
)

func TestBadUsage(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	empty, binary := write("empty", ""), write("binary", "\x00\x01\x02\x03\nabc\x00\n")
	foreign := filepath.Dir(write("notes.txt", "mine"))
	for _, c := range []struct {
		args string
		want string
	}{
		{"--workload nosuch", "known: random-ids, skewed-keys"},
		{"--workload random-ids --variant nosuch", "bloom, counting, cuckoo"},
		{"--workload random-ids:nosuch=1", "present"},
		{"--workload random-ids --variant classic:delete=maybe", "none, clear"},
		{"--workload random-ids --n 0", "n = 0"},
		{"--workload random-ids --n ten", "whole number"},
		{"--workload random-ids --p 0", "above 0"},
		{"--workload random-ids --p 5", "for 5 % say 0.05"},
		{"--workload random-ids --p 1000000", "swapped"},
		{"--workload random-ids --p many", "rate"},
		{"--workload random-ids --n 1000 --p 1e-18", "64-bit hash"},
		{"--workload random-ids --nosuch", "unknown flag"},
		{"--workload random-ids --trials -1", "--trials"},
		{"--workload random-ids --trials 9223372036854775807", "from 1 to 1000000"},
		{"--workload random-ids --n 1e15", "lower n"},
		{"--workload random-ids --n 1e6 --max-mem 1MB", "raise --max-mem"},
		{"", "random-ids"},
		{"nosuch", "nosuch"},
		{"--workload replay:" + dir + "/missing", "no such file"},
		{"--workload replay:" + dir, "directory"},
		{"--workload replay:" + empty, "empty"},
		{"--workload replay:" + binary, "binary"},
		{"--workload replay:" + empty + " --n 5", "leave --n out"},
		{"--workload random-ids --n 100 --out " + foreign, "results.jsonl"},
		{"--workload random-ids --n 100 --out /dev/null/x", "not a directory"},
		{"build " + empty + " -o " + dir + "/f", "empty"},
		{"build " + binary + " -o " + dir + "/f", "binary"},
		{"query " + binary + " key", "saved filter"},
		{"query " + dir + "/missing key", "no such file"},
		{"report " + dir + "/missing", "no such file"},
		{"report " + binary, "line 1"},
		{"report " + empty, "no result"},
	} {
		status, out, errOut := lab(strings.Fields(c.args)...)
		if status != exitUsage || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, c.want) {
			t.Errorf("lab %s: status %d, output %q, error %q; want status 2, no output and one line with %q", c.args, status, out, errOut, c.want)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 3 {
		t.Errorf("files left behind: %v (%v)", left, err)
	}
}

func TestRunWritesAFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "deep", "down")
	args := []string{"--workload", "random-ids,deletes", "--variant", "classic,map", "--n", "2k", "--p", "10%", "--trials", "10", "--out", folder, "--quiet"}
	status, out, errOut := lab(args...)
	if status != exitOK || !strings.Contains(out, "classic") || !strings.Contains(out, "agrees") {
		t.Fatalf("status %d\n%s%s", status, out, errOut)
	}
	for _, name := range []string{"results.jsonl", "summary.md", "bench.txt"} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	pictures, err := filepath.Glob(filepath.Join(folder, "*.png"))
	if err != nil || len(pictures) < 4 {
		t.Errorf("pictures: %v (%v)", pictures, err)
	}
	for _, p := range pictures {
		if _, err := os.Stat(strings.TrimSuffix(p, ".png") + ".csv"); err != nil {
			t.Errorf("%s has no CSV beside it: %v", p, err)
		}
	}
	again := filepath.Join(t.TempDir(), "again")
	status, redrawn, errOut := lab("report", folder, "--out", again)
	if status != exitOK || redrawn != out {
		t.Errorf("lab report: status %d, %s, and another table:\n%s", status, errOut, redrawn)
	}
}

func TestInterruptedRunIsWrittenAsPartial(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const many = 100_000 // trials of a few milliseconds: some are done when it is interrupted, never all
	e := &Env{Program: Lab(), Ctx: ctx, Out: new(bytes.Buffer), ErrOut: new(bytes.Buffer), Args: []string{"test"}}
	c := runCmd{Variant: []string{"classic"}, Workload: []string{"random-ids"}, N: counts{1000}, Warmup: 0.2, MaxBad: 0.001}
	c.Trials, c.Out, c.Seed, c.Quiet = many, folder, 1, true
	time.AfterFunc(2*time.Second, cancel)
	status := Lab().exitStatus(new(bytes.Buffer), c.Run(e))
	if status != exitInterrupted {
		t.Fatalf("status %d, want %d", status, exitInterrupted)
	}
	file, err := os.Open(filepath.Join(folder, "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	results, err := reports.ReadResults(file)
	if err != nil || len(results) == 0 || len(results) >= many {
		t.Fatalf("%d results (%v), want some of %d", len(results), err, many)
	}
	for _, r := range results {
		if !r.Partial {
			t.Fatalf("trial %d is not marked partial", r.Trial)
		}
	}
}

// TestSameSeedSameCounts runs variants twice: two runs with one seed give the same counts to the last
// digit.
func TestSameSeedSameCounts(t *testing.T) {
	c := runCmd{Variant: []string{"bloom,counting,cuckoo,classic,roaring"}, Workload: []string{"random-ids,deletes:wrong=0.05"}, N: counts{500}, P: rates{0.2}}
	cases, err := c.cases(&Env{Program: Lab(), Ctx: t.Context()})
	if err != nil {
		t.Fatal(err)
	}
	run := func(seed uint64) string {
		experiment, err := harness.Prepare(cases, harness.Design{Seed: seed, Trials: 1})
		if err != nil {
			t.Fatal(err)
		}
		results, err := experiment.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for _, r := range results {
			fmt.Fprintln(&text, r.Variant, r.Workload, r.Trial, r.Held, r.Rejected, r.Members, r.FalseNegatives, r.Strangers,
				r.FalsePositives, r.DeletedProbes, r.DeletedMaybe, r.WrongDeletes, r.SizeBits)
		}
		return text.String()
	}
	one, again, two := run(1), run(1), run(2)
	if one != again {
		t.Errorf("two runs with seed 1 differ:\n%s\n%s", one, again)
	}
	if one == two {
		t.Error("seeds 1 and 2 give the same counts")
	}
}

func TestMalformedLinesAreShown(t *testing.T) {
	log := filepath.Join(t.TempDir(), "ops.csv")
	if err := os.WriteFile(log, []byte("ts,op,key\n1,put,a\n2,put,b\n3,frob,c\n4,get,a\n5,get,z\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"--workload", "replay:" + log, "--variant", "classic", "--quiet", "--out", filepath.Join(t.TempDir(), "out")}
	if status, _, errOut := lab(args...); status != exitUsage || !strings.Contains(errOut, "--max-bad") || !strings.Contains(errOut, "ops.csv:4") {
		t.Errorf("one bad line of five: status %d, %s; want 2, the flag that allows it and the line", status, errOut)
	}
	if status, out, errOut := lab(append(args, "--max-bad", "0.5")...); status != exitOK || !strings.Contains(out, "ops.csv:4") {
		t.Errorf("one bad line allowed: status %d, %s; want it shown in\n%s", status, errOut, out)
	}
}

func TestBuildAndQuery(t *testing.T) {
	dir := t.TempDir()
	keys := filepath.Join(dir, "keys")
	if err := os.WriteFile(keys, []byte("apple\nbanana\napple\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, variant := range []string{"bloom", "counting", "cuckoo", "roaring", "partitioned", "classic"} {
		saved := filepath.Join(dir, variant)
		status, _, errOut := lab("build", keys, "-o", saved, "--variant", variant, "--p", "0.001", "--n", "1e3")
		if status != exitOK || !strings.Contains(errOut, "2 keys") {
			t.Fatalf("build %s: status %d, %s", variant, status, errOut)
		}
		status, out, errOut := lab("query", saved, "apple", "banana", "cherry")
		if status != exitOK || out != "maybe\tapple\nmaybe\tbanana\nabsent\tcherry\n" {
			t.Errorf("query %s: status %d, %q, %s", variant, status, out, errOut)
		}
		whole, err := os.ReadFile(saved)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(saved, whole[:len(whole)-1], 0o600); err != nil {
			t.Fatal(err)
		}
		if status, out, _ := lab("query", saved, "apple"); status != exitUsage || out != "" {
			t.Errorf("query of a cut off %s: status %d, %q; want status 2 and no answer", variant, status, out)
		}
	}
}

// TestLostFilter is RedisBloom/RedisBloom#171: a filter that is gone is an error, never a new one that
// would deny every key.
func TestLostFilter(t *testing.T) {
	t.Run("case-54", func(t *testing.T) {
		lost := filepath.Join(t.TempDir(), "filter")
		status, out, errOut := lab("query", lost, "key")
		if status != exitUsage || out != "" || !strings.Contains(errOut, "no such file") {
			t.Errorf("status %d, output %q, error %q; want an error and no answer", status, out, errOut)
		}
		if _, err := os.Stat(lost); !os.IsNotExist(err) {
			t.Errorf("the query made a filter: %v", err)
		}
	})
}

func TestListJSON(t *testing.T) {
	status, out, errOut := lab("list", "--json")
	var l map[string][]struct{ Name, Doc string }
	if err := json.Unmarshal([]byte(out), &l); status != exitOK || err != nil {
		t.Fatalf("status %d, %v, %s", status, err, errOut)
	}
	for _, group := range []string{"variants", "workloads", "formats", "figures"} {
		if len(l[group]) < 3 {
			t.Errorf("%s: %v", group, l[group])
		}
		for _, row := range l[group] {
			if row.Name == "" || row.Doc == "" {
				t.Errorf("%s: a row without a name or a doc: %+v", group, row)
			}
		}
	}
}

func TestHelpShowsTheFlagsOfARun(t *testing.T) {
	for _, flag := range []string{"--help", "-h"} {
		status, out, _ := lab(flag)
		for _, want := range []string{"--workload", "--variant", "bench-all", "query"} {
			if status != exitOK || !strings.Contains(out, want) {
				t.Errorf("lab %s: status %d, no %q in\n%s", flag, status, want, out)
			}
		}
	}
}

func TestCommandLineReadsBack(t *testing.T) {
	e := &Env{Program: Lab(), Args: []string{"--workload", "replay:my log.gz", "--p", "1%", "it's"}}
	got := e.commandLine()
	if want := `lab --workload 'replay:my log.gz' --p 1% 'it'\''s'`; got != want {
		t.Errorf("command line %s, want %s", got, want)
	}
}

func TestFolderNames(t *testing.T) {
	for want, names := range map[string][]string{
		"random-ids":             {"random-ids"},
		"random-ids-present=0.2": {"random-ids:present=0.2"},
		"random-ids+deletes":     {"random-ids", "deletes"},
		"replay-a-b.log.gz":      {"replay:../x/a b.log.gz"},
	} {
		if got := folderName(names); got != want {
			t.Errorf("folder of %v: %q, want %q", names, got, want)
		}
	}
}
