package main

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"filterlab/filters"
)

// TestMatchesAreEven: what is compared has the same bits and probes, and the same FPR to a tenth,
// but for the cuckoo filters, of which only the fingerprints are alike, the lines of the blocked
// filter, which have a lower FPR in the same space, and the lines of the counting filter, which take
// more space for the same FPR.
func TestMatchesAreEven(t *testing.T) {
	for _, m := range matches() {
		for _, n := range []uint64{1e6, 1e7} {
			x, y, err := m.sides(program().Variants, n)
			if err != nil {
				t.Fatal(err)
			}
			own, peer := model(t, x, m, n), model(t, y, m, n)
			if m.peer == "cuckoo" {
				continue
			}
			even := m.own != "counting:layout=blocked"
			if d := float64(own.Bits)/float64(peer.Bits) - 1; even && math.Abs(d) > 0.002 || even && own.K != peer.K && own.K*peer.K > 0 {
				t.Errorf("%s has %d bits and k = %d, %s %d and %d", m.own, own.Bits, own.K, m.peer, peer.Bits, peer.K)
			}
			if d := own.FPR(n)/peer.FPR(n) - 1; math.Abs(d) > 0.1 && !strings.Contains(m.own, "=line") {
				t.Errorf("%s has an FPR of %g, %s %g", m.own, own.FPR(n), m.peer, peer.FPR(n))
			}
		}
	}
}

func model(t *testing.T, b filters.Bound, m match, n uint64) filters.Model {
	t.Helper()
	out, err := b.Model(b.Params(n, m.p, 1))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestBenchWritesRatios(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "deep", "down")
	status, out, errOut := labpeers("bench-peers", "--n", "40k", "--lookups", "50k", "--out", folder)
	if status != 0 || !strings.Contains(out, "target") {
		t.Fatalf("status %d\n%s%s", status, out, errOut)
	}
	file, err := os.Open(filepath.Join(folder, "ratios.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil || strings.Join(lines[0], ",") != "variant,peer,n,op,ratio,lo,hi" {
		t.Fatalf("%v %v", lines, err)
	}
	for _, l := range lines[1:] {
		ratio, err := strconv.ParseFloat(l[4], 64)
		if err != nil || !(ratio > 0.001 && ratio < 1000) || l[2] != "40000" {
			t.Errorf("line %q: %v", l, err)
		}
	}
	if len(lines) < 1+3*len(matches()) {
		t.Errorf("%d lines for %d matches of add, member and stranger", len(lines), len(matches()))
	}
}

func TestBenchRefusesBadUsage(t *testing.T) {
	for _, args := range []string{"--n 0", "--n many", "--lookups x", "--own nosuch", "--out /dev/null/x"} {
		status, _, errOut := labpeers(append([]string{"bench-peers", "--n", "1k", "--lookups", "1k", "--out", t.TempDir()}, strings.Fields(args)...)...)
		if status != 2 || !strings.HasPrefix(errOut, "labpeers: ") || strings.Count(errOut, "\n") != 1 {
			t.Errorf("bench-peers %s: status %d, %q", args, status, errOut)
		}
	}
}
