package reports

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"filterlab/harness"
)

// overN is a sweep over n of a variant whose FPR is p times a factor, with so many false positives
// expected at each n, drawn at random.
func overN(rng *rand.Rand, p, events float64, factor func(n float64) float64) []harness.Result {
	var out []harness.Result
	for i := range 10 {
		n := math.Round(1e4 * math.Pow(10, float64(i)/3))
		strangers := uint64(events / p)
		r := swept("n", n, "v", uint64(n), strangers, binomial(rng, strangers, p*factor(n)), p)
		r.P = p
		out = append(out, r)
	}
	return out
}

// TestFlatness: a filter whose FPR does not hang on n is flat, and one whose FPR does is not.
func TestFlatness(t *testing.T) {
	growth := func(total float64) func(float64) float64 { // by that over the three powers of ten
		return func(n float64) float64 { return math.Pow(total, math.Log10(n/1e4)/3) }
	}
	for _, c := range []struct {
		name      string
		p, events float64
		factor    func(n float64) float64
		want      string
	}{
		{"level", 0.01, 25_000, growth(1), flat},
		{"level, at another rate than p", 0.01, 25_000, func(float64) float64 { return 1.3 }, flat},
		{"level and rare", 0.0005, 5_000, growth(1), flat},
		{"too little to matter", 0.01, 25_000, growth(1.005), flat},
		{"from 3.7 % to 8.7 %, as in a blocked filter of 2016", 0.037, 25_000, growth(8.7 / 3.7), grows},
		{"by a tenth", 0.01, 25_000, growth(1.1), grows},
		{"down by a tenth", 0.01, 25_000, growth(0.9), falls},
		{"off at one n in the middle", 0.01, 25_000, func(n float64) float64 {
			if n > 2e5 && n < 4e5 {
				return 1.15
			}
			return 1
		}, uneven},
		{"a hash floor at the end", 0.01, 25_000, func(n float64) float64 { return 1 + 0.233*n/1e7 }, grows},
		{"too few events", 0.01, 300, growth(1), open},
		{"one event", 0.01, 1, growth(1), ""},
	} {
		const runs = 100
		got := map[string]int{}
		rng := rand.New(rand.NewPCG(11, 3))
		for range runs {
			results := overN(rng, c.p, c.events, c.factor)
			f := flatness(courses(Cases(results))[0])
			got[f.Verdict]++
			if title := flatTitle(Cases(results)); strings.Contains(title, "not flat") != (f.Verdict == grows || f.Verdict == falls || f.Verdict == uneven) ||
				strings.Contains(title, "is flat from n = 10k to 10M") != (f.Verdict == flat) {
				t.Fatalf("%s: the verdict is %s and the title %q", c.name, f.Verdict, title)
			}
		}
		if c.want != "" && got[c.want] < 97 || c.want == "" && got[flat]+got[grows]+got[falls]+got[uneven] > 0 {
			t.Errorf("%s: of %d runs %v; want %s", c.name, runs, got, c.want)
		}
	}
}

// TestFlatnessOfThreePoints checks the fit by hand: ln FPR of ln n on a line, with equal weights.
func TestFlatnessOfThreePoints(t *testing.T) {
	var results []harness.Result
	for i, hits := range []uint64{10_000, 11_000, 12_100} {
		n := uint64(math.Round(1000 * math.Pow(10, float64(i))))
		results = append(results, swept("n", float64(n), "v", n, 10_000_000, hits, 0.001))
	}
	f := flatness(courses(Cases(results))[0])
	// Weights differ by 20 % at most and the points lie on a line: the change is exact.
	if math.Abs(f.Change-0.21) > 1e-9 || f.Verdict != grows {
		t.Errorf("change %v, %s; want 0.21, grows", f.Change, f.Verdict)
	}
	se := math.Sqrt(1/10_000.+1/12_100.) * 1.21 // of the ends alone, which decide
	if half := (f.Hi - f.ChangeLo) / 2 / 1.96; math.Abs(half/se-1) > 0.02 || math.Abs(f.Z-math.Log(1.21)/(se/1.21)) > 0.02*f.Z {
		t.Errorf("standard error %v, z = %v; want %v and %v", half, f.Z, se, math.Log(1.21)/(se/1.21))
	}
}

func TestFlatnessNeedsFixedBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	results := overN(rng, 0.01, 25_000, func(float64) float64 { return 1 })
	// Rounding up by 2 % makes the FPR of one in a hundred 9 % less, which says nothing about n.
	results[0].BitsPerKey = pointer(10.2)
	results[0].FalsePositives = uint64(math.Pow(0.01, 1.02) * float64(results[0].Strangers))
	if f := flatness(courses(Cases(results))[0]); f.Verdict != flat {
		t.Errorf("bits per key from 10 to 10.2, and the FPR with them: %s", f.Verdict)
	}
	results[0].FalsePositives = results[1].FalsePositives
	if f := flatness(courses(Cases(results))[0]); f.Verdict == flat {
		t.Error("bits per key from 10 to 10.2, and the FPR stays: flat")
	}
	results[0].BitsPerKey = pointer(10.5)
	cases := Cases(results)
	if f := flatness(courses(cases)[0]); f.Verdict != unfixed {
		t.Errorf("bits per key from 10 to 10.5: %s", f.Verdict)
	}
	if title := flatTitle(cases); title != "v has other bits per key at other n" {
		t.Errorf("title %q", title)
	}
	if f := flatness(courses(cases[:2])[0]); f.Verdict != fewSizes {
		t.Errorf("two sizes: %s", f.Verdict)
	}
}

// TestFlatTitle puts what is wrong first and what is open last.
func TestFlatTitle(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var results []harness.Result
	for _, v := range []struct {
		name          string
		events, power float64
	}{{"brief", 300, 0}, {"good", 25_000, 0}, {"bad", 25_000, 0.1}} {
		for _, r := range overN(rng, 0.01, v.events, func(n float64) float64 { return math.Pow(n/1e4, v.power) }) {
			r.Variant = v.name
			results = append(results, r)
		}
	}
	title := flatTitle(Cases(results))
	var at []int
	for _, part := range []string{"bad is not flat: its FPR grows by ", "; good is flat from n = 10k to 10M at 10.0 bits per key", "; brief needs more strangers"} {
		at = append(at, strings.Index(title, part))
	}
	if at[0] != 0 || at[1] < at[0] || at[2] < at[1] {
		t.Errorf("title %q: parts at %v", title, at)
	}
	d, ok := flatFigure.Data(results)
	if !ok || len(d.Plots) != 2 || len(d.CSV) != 31 || d.CSV[1][len(d.CSV[1])-1] == "" {
		t.Errorf("%d panels, %d lines of CSV", len(d.Plots), len(d.CSV))
	}
}
