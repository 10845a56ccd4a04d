package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filterlab/harness"
	"filterlab/harness/sweep"
	"filterlab/reports"
)

// TestSweepOverEveryAxis runs a small sweep over each axis: a row a trial in results.jsonl that tells
// where it lies, a picture, and its numbers.
func TestSweepOverEveryAxis(t *testing.T) {
	for _, c := range []struct {
		args   string
		figure string
		points int
	}{
		{"n=200..800/3 --variant classic --p 20%", "flat-over-n", 3},
		{"p=10%..30%/2 --n 300 --variant classic", "frontier", 2},
		{"k=1..3 --n 300 --p 20%", "fpr-over-k", 3},
		{"bits=2..4/2 --n 300 --variant classic", "frontier", 2},
		{"load=0.9..1/2 --n 1024", "load", 2},
		{"fill=0.8..2/2 --n 300 --p 20% --variant classic,cuckoo", "overfill", 4},
		{"dup=0..0.4/2 --n 300 --p 20% --variant classic", "duplicates", 2},
		{"estimate=5%..20%/2 --n 300 --p 20% --variant classic", "estimate-of-n", 5},
	} {
		out := filepath.Join(t.TempDir(), "sweep")
		args := append([]string{"sweep", "--quiet", "--quick", "--out", out, "--over"}, strings.Fields(c.args)...)
		status, stdout, errOut := lab(args...)
		if status != exitOK || !strings.Contains(stdout, "sweep over ") {
			t.Fatalf("%s: status %d, %s%s", c.args, status, errOut, stdout)
		}
		file, err := os.Open(filepath.Join(out, "results.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		results, err := reports.ReadResults(file)
		if err != nil {
			t.Fatal(err)
		}
		axis, _, _ := strings.Cut(c.args, "=")
		xs := map[float64]bool{}
		for _, r := range results {
			if r.Axis != axis || r.X == nil {
				t.Fatalf("%s: a row of axis %q at %v", c.args, r.Axis, r.X)
			}
			xs[*r.X] = true
		}
		if got := len(reports.Cases(results)); got != c.points || len(results) != c.points || len(xs) < 2 {
			t.Errorf("%s: %d points in %d rows at %d places; want %d points of one trial", c.args, got, len(results), len(xs), c.points)
		}
		for _, suffix := range []string{".png", ".csv"} {
			if _, err := os.Stat(filepath.Join(out, c.figure+suffix)); err != nil {
				t.Errorf("%s: %v", c.args, err)
			}
		}
	}
}

func TestSweepRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"":                              "--over",
		"--over m=1..2":                 "known: n, p, k, bits, load, fill, dup, estimate",
		"--over n=1e4..1e3":             "is empty",
		"--over n=1e3..x":               "is not a whole number",
		"--over n --n 1000":             "leave --n out",
		"--over p --p 1%":               "leave --p out",
		"--over bits --p 1%":            "leave --p out",
		"--over k --n 100,200":          "one value here, not 2",
		"--over k --variant bloom":      `no knob "k"`,
		"--over load --variant classic": "no load factor",
		"--over fill --variant nosuch":  "nosuch",
		"--over fill --p 5":             "for 5 % say 0.05",
		"--over n=1e3..1e12":            "--max-mem",
	} {
		status, out, errOut := lab(append([]string{"sweep"}, strings.Fields(args)...)...)
		if status != exitUsage || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, want) {
			t.Errorf("sweep %s: status %d, %q, %q; want %d and one line with %q", args, status, out, errOut, exitUsage, want)
		}
	}
}

// TestSweepDefaults: every axis has variants for which there are at least eight points.
func TestSweepDefaults(t *testing.T) {
	for _, a := range sweep.Axes() {
		over, err := sweep.Parse(a.Name)
		if err != nil {
			t.Fatal(err)
		}
		c := sweepCmd{Over: overFlag{over}}
		variants, err := c.variants(&Env{Program: Lab()})
		if err != nil || len(variants) == 0 {
			t.Fatalf("%s: %d variants, %v", a.Name, len(variants), err)
		}
		points, _, err := over.Points(t.Context(), variants, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		most := map[string]int{}
		for _, p := range points {
			most[p.Variant.Name]++
		}
		first := most[variants[0].Name]
		if first < 8 {
			t.Errorf("%s: %d points of %s, want at least 8", a.Name, first, variants[0])
		}
		if _, err := harness.Prepare(casesOf(points), harness.Design{}); err != nil {
			t.Errorf("%s: %v", a.Name, err)
		}
	}
}
