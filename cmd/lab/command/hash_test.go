package command

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filterlab/filters"
	"filterlab/filters/catalog"
	"filterlab/filters/classic"
	"filterlab/harness"
	"filterlab/harness/evenness"
	"filterlab/workloads"
)

// hashCase returns one combination of the study with at most so many strangers.
func hashCase(t *testing.T, hash, workload string, n uint64, p float64, strangers uint64) harness.Case {
	t.Helper()
	bound, err := catalog.Parse("classic:hash=" + hash)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range classic.Hashes() {
		if h.Word == hash {
			bound.Seeded = h.Seeded
		}
	}
	w, err := workloads.Parse(t.Context(), workload, n, workloads.ReplayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return harness.Case{Variant: bound, Workload: limited(w, strangers), P: p}
}

// observe runs one trial of a case.
func observe(t *testing.T, c harness.Case) harness.Result {
	t.Helper()
	experiment, err := harness.Prepare([]harness.Case{c}, harness.Design{Seed: 1, Trials: 1})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := experiment.Run(context.Background())
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	return rows[0]
}

// TestWeakHashesAreCaught: which shape of keys gives which hash away, by the lab's own verdict, and
// on which keys the same hash has nothing against it. At p = 1e-7 an ideal hash shows no false
// positive among so few strangers.
func TestWeakHashesAreCaught(t *testing.T) {
	const (
		le, user, decimal = "shaped-keys:shape=le", "shaped-keys:shape=user", "shaped-keys"
		ipv4, random      = "shaped-keys:shape=ipv4", "random-ids:shape=raw"
	)
	for _, c := range []struct {
		hash, workload string
		n              uint64
		p              float64
		strangers      uint64
		verdict        string // what is seen; "": neither above nor below
		lo, hi         float64
	}{
		{"fnv", le, 1e5, 0.01, 200_000, "above", 1.1, 1.7},
		{"fnv", random, 1e5, 0.01, 200_000, "", 0.9, 1.1},
		{"crc", "shaped-keys:shape=uuid7", 1e5, 1e-7, 500_000, "above", 200, 5000},
		{"crc", decimal, 1e5, 1e-7, 500_000, "", 0, 1},
		{"crc", random, 1e5, 0.01, 200_000, "", 0.9, 1.1},
		{"identity", user, 1e5, 0.01, 200_000, "below", 0, 0.5},
		{"identity", "shaped-keys:shape=be", 1e5, 0.01, 100_000, "above", 90, 101},
		{"identity", random, 1e5, 0.01, 200_000, "", 0.9, 1.1},
		{"xxh3-32", user, 1e5, 1e-7, 500_000, "above", 80, 500}, // n/2^32 = 233 times p
		{"xxh3-32", user, 1e5, 0.01, 200_000, "", 0.9, 1.1},
		{"even", user, 1e4, 1e-7, 2_000_000, "above", 10, 100},
		{"even", user, 1e5, 0.01, 200_000, "", 0.9, 1.1},
		{"murmur-k", ipv4, 1e5, 1e-7, 500_000, "above", 300, 2000},
		{"murmur-k", user, 1e5, 1e-7, 500_000, "", 0, 40},
	} {
		row := observe(t, hashCase(t, c.hash, c.workload, c.n, c.p, c.strangers))
		flagged := ""
		if row.Verdict == "above" || row.Verdict == "below" {
			flagged = row.Verdict
		}
		if ratio := *row.ObservedRatio; flagged != c.verdict || ratio < c.lo || ratio > c.hi {
			t.Errorf("%s on %s, n = %d, p = %g: %.3f times the formula, %s (%s); want %g to %g times, %q",
				c.hash, c.workload, c.n, c.p, ratio, row.Verdict, row.VerdictWhy, c.lo, c.hi, c.verdict)
		}
		if row.FalseNegatives > 0 || row.Strangers != c.strangers {
			t.Errorf("%s on %s: %d false negatives, %d strangers", c.hash, c.workload, row.FalseNegatives, row.Strangers)
		}
	}
}

// TestGoodHashPasses holds the good hash against its formula on every shape, and over all together.
func TestGoodHashPasses(t *testing.T) {
	const n, strangers = 100_000, 150_000
	hits, expected := 0.0, 0.0
	for _, s := range keyShapes {
		row := observe(t, hashCase(t, "xxh3", s.workload, n, 0.01, strangers))
		if row.Verdict == "above" || row.Verdict == "below" {
			t.Errorf("xxh3 on %s: %s", s.workload, row.VerdictWhy)
		}
		hits += float64(row.FalsePositives)
		expected += *row.ModelFPR * strangers
	}
	if ratio := hits / expected; ratio < 0.97 || ratio > 1.03 { // 4 standard errors
		t.Errorf("xxh3 shows %.4f times the formula over all shapes", ratio)
	}
}

// TestEvennessOfHashes: the chi-square of the good hash is neither too large nor too small, over many
// seeds on every shape; the weak hashes that pile bits up are told by it, and those that do not are not.
func TestEvennessOfHashes(t *testing.T) {
	const seeds = 4
	test := func(hash, workload string, n, seed uint64) evenness.Test {
		c := hashCase(t, hash, workload, n, 0.01, 0)
		filterSeed := uint64(0)
		if c.Variant.Seeded {
			filterSeed = filters.Mix(seed)
		}
		row, err := evenness.Observe(t.Context(), c.Variant, c.Workload, c.P, seed, filterSeed, occupancyRanges)
		if err != nil {
			t.Fatal(err)
		}
		return row.Test
	}
	var pooled evenness.Pooled
	for _, s := range keyShapes {
		for seed := range uint64(seeds) {
			pooled.Add(test("xxh3", s.workload, 20_000, seed+1))
		}
	}
	if p := pooled.P(); p < 1e-4 {
		t.Errorf("xxh3: chi-square %.1f on %d, p = %.2g", pooled.Chi2, pooled.DF, p)
	}
	for _, c := range []struct {
		hash, workload string
		uneven         bool
	}{
		{"fnv", "shaped-keys:shape=le", true}, {"fnv", "random-ids:shape=raw", false},
		{"crc", "shaped-keys:shape=be", true}, {"crc", "random-ids:shape=raw", false},
		{"identity", "shaped-keys:shape=user", true}, {"identity", "random-ids:shape=raw", false},
		{"even", "shaped-keys:shape=user", false}, {"murmur-k", "shaped-keys:shape=user", false}, {"xxh3-32", "shaped-keys:shape=user", false},
	} {
		if got := test(c.hash, c.workload, 100_000, 1); got.P < 1e-6 != c.uneven {
			t.Errorf("%s on %s: chi-square %.1f on %d, p = %.2g; want uneven: %v", c.hash, c.workload, got.Chi2, got.DF, got.P, c.uneven)
		}
	}
}

// TestHashCommand runs the whole study and reads its verdicts back.
func TestHashCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute or more")
	}
	folder := filepath.Join(t.TempDir(), "hash")
	status, out, errOut := lab("hash", "--quiet", "--out", folder)
	if status != 0 || !strings.Contains(out, "Are keys like user123 dangerous? Not to a hash that mixes") || strings.Contains(out, "not caught") {
		t.Fatalf("status %d, %s\n%s", status, errOut, out)
	}
	file, err := os.Open(filepath.Join(folder, "hash-shapes.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if want := 1 + 2*len(keyShapes)*len(classic.Hashes()); err != nil || len(lines) != want {
		t.Fatalf("%d lines, %v; want %d", len(lines), err, want)
	}
	caught := map[string]int{}
	for _, line := range lines[1:] {
		if verdict := line[len(line)-1]; verdict == "above" || verdict == "below" {
			caught[line[0]]++
		}
	}
	for _, h := range classic.Hashes() {
		if (caught[h.Word] > 0) != h.Weak {
			t.Errorf("%s is caught in %d combinations", h.Word, caught[h.Word])
		}
	}
}

func TestHashRefuses(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"--n 1k,2k":     "take one value each",
		"--p 5":         "for 5 % say 0.05",
		"--trials=-1":   "from 1 to",
		"--out " + full: "is not replaced",
	} {
		status, _, errOut := lab(append([]string{"hash", "--quiet"}, strings.Fields(args)...)...)
		if status != exitUsage || !strings.Contains(errOut, want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("lab hash %s: status %d, %q; want one line with %q", args, status, errOut, want)
		}
	}
}

func TestKeyShapesAreAsShown(t *testing.T) {
	for _, s := range keyShapes {
		w, err := workloads.Parse(t.Context(), s.workload, 200, workloads.ReplayOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var key []byte
		i := 0
		for op := range w.Load(1) {
			if key = op.Key; i == 123 {
				break
			}
			i++
		}
		text, random := string(key), !w.Fixed
		switch {
		case len(key) <= 8 && strings.Count(s.example, " ") == len(key)-1:
			text = fmt.Sprintf("% x", key)
		case strings.HasSuffix(s.example, "spaces"):
			text = strings.TrimRight(text, " ") + fmt.Sprintf(" and %d spaces", strings.Count(text, " "))
		}
		if !random && text != s.example {
			t.Errorf("%s: number 123 is %q, shown as %q", s.workload, text, s.example)
		}
		if random && len(s.example) == 36 && len(text) != 36 {
			t.Errorf("%s: %q, shown as %q", s.workload, text, s.example)
		}
	}
}
