package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"filterlab/harness"
	"filterlab/harness/stats"
)

// A Difference is the test of one variant's FPR on random keys against that on patterned keys.
type Difference struct {
	Variant        string
	Workload       string // of the patterned keys
	N              uint64
	P              float64
	Random, Skewed Rate
	Z              float64 // positive when the patterned keys show the higher FPR
	P1, PHolm      float64 // two-sided, alone and adjusted for the number of variants
}

// patterned are the workloads whose keys follow a pattern.
var patterned = []string{"skewed-keys", "shaped-keys"}

// Differences tests the FPR of every case that ran on random-ids and on patterned keys: the test of two
// proportions, its variance widened by what instances differ, and Holm's correction over all.
func Differences(results []harness.Result) []Difference {
	var out []Difference
	cases := Cases(results)
	for _, a := range cases {
		if family(a.Workload) != "random-ids" || !hasClaim(a) {
			continue
		}
		for _, b := range cases {
			if slices.Contains(patterned, family(b.Workload)) && b.Variant == a.Variant && b.N == a.N && b.P == a.P && hasClaim(b) {
				out = append(out, difference(a, b))
			}
		}
	}
	var ps []float64
	for _, d := range out {
		ps = append(ps, d.P1)
	}
	for i, p := range stats.Holm(ps) {
		out[i].PHolm = p
	}
	return out
}

func family(workload string) string {
	name, _, _ := strings.Cut(workload, ":")
	return name
}

// hasClaim reports whether a case has an FPR to compare.
func hasClaim(c Case) bool {
	return len(c.Trials) > 0 && c.Strangers() > 0 && !c.Exact() && !c.Yardstick()
}

func difference(a, b Case) Difference {
	ra, rb := a.FPR(), b.FPR()
	z, _ := stats.TwoProportions(ra.Hits, ra.Of, rb.Hits, rb.Of)
	pooled := float64(ra.Hits+rb.Hits) / float64(ra.Of+rb.Of)
	counted := pooled * (1 - pooled) * (1/float64(ra.Of) + 1/float64(rb.Of))
	if counted > 0 {
		z *= math.Sqrt(counted / (counted + instanceVariance(a) + instanceVariance(b)))
	}
	return Difference{Variant: a.Variant, Workload: b.Workload, N: a.N, P: a.P, Random: ra, Skewed: rb, Z: z,
		P1: math.Erfc(math.Abs(z) / math.Sqrt2)}
}

// instanceVariance is the variance of a case's FPR that comes from its instances.
func instanceVariance(c Case) float64 {
	sd, ok := c.mean(func(r harness.Result) *float64 { return r.ModelSD })
	if !ok {
		return 0
	}
	return sd * sd / float64(len(c.Trials))
}

// differenceText says what the comparison found, in a sentence and a table.
func differenceText(all []Difference) string {
	var differ []string
	for _, d := range all {
		if d.PHolm < 0.05 {
			differ = append(differ, d.Variant+" on "+d.Workload)
		}
	}
	var b strings.Builder
	switch {
	case len(differ) == 0:
		b.WriteString("No variant shows another FPR on patterned keys than on random ones: its hash copes with the pattern.")
	default:
		fmt.Fprintf(&b, "The FPR on patterned keys differs from that on random ones for %s.", list(differ, 6))
	}
	b.WriteString(" Test of two proportions, the differences between instances included, Holm's correction over all rows, level 5 %.\n\n")
	b.WriteString("| variant | n | p | patterned keys | random-ids | patterned | z | p-value | Holm |\n|---|---:|---:|---|---:|---:|---:|---:|---:|\n")
	for _, d := range all {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %.2f | %s | %s |\n", escape(d.Variant), size(d.N), percent(d.P), escape(d.Workload),
			escape(observed(d.Random)), escape(observed(d.Skewed)), d.Z, digits(d.P1, 2), digits(d.PHolm, 2))
	}
	return b.String()
}
