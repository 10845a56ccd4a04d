package sweep

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"filterlab/filters"
	"filterlab/filters/catalog"
	"filterlab/harness"
)

func points(t *testing.T, over, variants string, n uint64, p float64) ([]Point, []string) {
	t.Helper()
	o, err := Parse(over)
	if err != nil {
		t.Fatal(err)
	}
	bound, err := catalog.ParseList(variants)
	if err != nil {
		t.Fatal(err)
	}
	all, notes, err := o.Points(context.Background(), bound, n, p)
	if err != nil {
		t.Fatal(err)
	}
	return all, notes
}

// TestPoints holds the cases of every axis: variant, workload, n, p and x.
func TestPoints(t *testing.T) {
	for _, c := range []struct {
		over, variants string
		n              uint64
		p              float64
		want           []string
	}{
		{"n=100..400/3", "bloom,classic", 0, 0, []string{
			"bloom random-ids 100 0.01 @100", "classic random-ids 100 0.01 @100", "bloom random-ids 200 0.01 @200",
			"classic random-ids 200 0.01 @200", "bloom random-ids 400 0.01 @400", "classic random-ids 400 0.01 @400"}},
		{"p=0.1%..10%/2", "bloom", 500, 0, []string{"bloom random-ids 500 0.001 @0.001", "bloom random-ids 500 0.1 @0.1"}},
		{"k=3..4", "classic:k=9", 500, 0.02, []string{"classic:k=3 random-ids 500 0.02 @3", "classic:k=4 random-ids 500 0.02 @4"}},
		{"load=0.5..1/2", "cuckoo:load=1", 1024, 0, []string{
			"cuckoo:load=1 random-ids:fill=0.5 1024 0.01 @0.5", "cuckoo:load=1 random-ids 1024 0.01 @1"}},
		{"load=0.5..1/2", "cuckoo:load=0.5", 512, 0, []string{ // 512 keys at half load: 1,024 slots
			"cuckoo:load=0.5 random-ids 512 0.01 @0.5", "cuckoo:load=0.5 random-ids:fill=2 512 0.01 @1"}},
		{"fill=0.5..1.5/3", "bloom", 500, 0, []string{"bloom random-ids:fill=0.5 500 0.01 @0.5", "bloom random-ids 500 0.01 @1",
			"bloom random-ids:fill=1.5 500 0.01 @1.5"}},
		{"dup=0..0.5/2", "bloom", 500, 0, []string{"bloom random-ids 500 0.01 @0", "bloom random-ids:fill=0.5,dup=0.5 500 0.01 @0.5"}},
		{"estimate=1%..20%/2", "bloom", 500, 0, []string{"bloom random-ids:fill=0.8 500 0.001 @-0.2", "bloom random-ids:fill=0.99 500 0.001 @-0.01",
			"bloom random-ids 500 0.001 @0", "bloom random-ids:fill=1.01 500 0.001 @0.01", "bloom random-ids:fill=1.2 500 0.001 @0.2"}},
	} {
		var got []string
		all, _ := points(t, c.over, c.variants, c.n, c.p)
		for _, p := range all {
			got = append(got, fmt.Sprintf("%s %s %d %g @%g", p.Variant, p.Workload.Name, p.Workload.N, p.P, p.X))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s of %s:\n%s\nwant\n%s", c.over, c.variants, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestAddsOfDuplicates: whatever share repeats a key, there are n adds.
func TestAddsOfDuplicates(t *testing.T) {
	all, _ := points(t, "dup", "bloom", 1000, 0)
	for _, p := range all {
		adds := 0
		for range p.Workload.Load(1) {
			adds++
		}
		if math.Abs(float64(adds)-1000) > 2 {
			t.Errorf("%s has %d adds, want 1000", p.Workload.Name, adds)
		}
	}
}

// TestBits: no larger table fits the bits asked for, and none asked for is far below them.
func TestBits(t *testing.T) {
	all, _ := points(t, "bits=6..18/4", "bloom,partitioned,classic,counting", 100_000, 0)
	if len(all) != 16 {
		t.Fatalf("%d points, want 4 of 4 variants", len(all))
	}
	for _, p := range all {
		model, err := p.Variant.Model(p.Variant.Params(p.Workload.N, p.P, 0))
		if err != nil {
			t.Fatal(err)
		}
		if bits := float64(model.Bits) / 100_000; bits > p.X || bits < 0.99*p.X {
			t.Errorf("%s at %g bits a key gets %g", p.Variant, p.X, bits)
		}
	}
	fixed, notes := points(t, "bits=4..20/5", "cuckoo,map", 100_000, 0)
	if len(fixed) != 1 || fixed[0].X != 12 || fixed[0].P != 0.01 {
		t.Errorf("a variant of one size has points %v, want one at 12 bits and the usual p", fixed)
	}
	if len(notes) != 1 || !strings.HasPrefix(notes[0], "map: ") {
		t.Errorf("notes %q, want one on map", notes)
	}
}

// TestFieldCases holds the formulas at the points of a sweep against what people reported or claimed:
// a filter of 5,000 keys given 100,000 (google/guava#3952), n 1, 5 and 20 % too low at p = 0.1 %
// (stellar/stellar-core#3604), and the claim that five times the keys make 1 % into 20 to 40 %.
func TestFieldCases(t *testing.T) {
	fpr := func(over string, n uint64, x float64) float64 {
		t.Helper()
		all, _ := points(t, over, "bloom", n, 0)
		for _, p := range all {
			if p.X == x {
				model, err := p.Variant.Model(p.Variant.Params(p.Workload.N, p.P, 0))
				if err != nil {
					t.Fatal(err)
				}
				return model.FPR(p.Workload.Members)
			}
		}
		t.Fatalf("%s has no point at %g", over, x)
		return 0
	}
	plan := fpr("estimate", 1_000_000, 0)
	for _, c := range []struct {
		what           string
		got, want, tol float64
	}{
		{"20 times the keys", 1 - fpr("fill=1..20/2", 5000, 20), 1 - 0.999997, 1e-6},
		{"5 times the keys", fpr("fill", 1_000_000, 5), 0.83, 0.005},
		{"1 % more", fpr("estimate", 1_000_000, 0.01) / plan, 1.071, 0.0005},
		{"5 % more", fpr("estimate", 1_000_000, 0.05) / plan, 1.397, 0.0005},
		{"20 % more", fpr("estimate", 1_000_000, 0.2) / plan, 3.4, 0.05},
	} {
		if math.Abs(c.got-c.want) > c.tol {
			t.Errorf("%s: %g, want %g", c.what, c.got, c.want)
		}
	}
}

func TestNoPoints(t *testing.T) {
	for _, c := range [][3]string{
		{"load", "bloom", "bloom: bloom has no slots and so no load factor"},
		{"k", "bloom", `bloom: variant bloom has no knob "k"`},
		{"bits=1..2", "cuckoo", "cuckoo: does not fit"},
		{"load", "bloom,map", "; map: map has no slots"},
		{"n", "", "no filter to sweep over n"},
	} {
		o, err := Parse(c[0])
		if err != nil {
			t.Fatal(err)
		}
		var bound []filters.Bound
		if c[1] != "" {
			if bound, err = catalog.ParseList(c[1]); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err = o.Points(context.Background(), bound, 0, 0); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s of %q: %v; want %q", c[0], c[1], err, c[2])
		}
	}
}

func TestLabel(t *testing.T) {
	o, err := Parse("fill=0.5..2/3")
	if err != nil {
		t.Fatal(err)
	}
	all, _ := points(t, "fill=0.5..2/3", "bloom,classic", 300, 0)
	var results []harness.Result
	for _, p := range all {
		r := harness.Result{Variant: p.Variant.String(), Workload: p.Workload.Name, N: p.Workload.N, P: p.P}
		results = append(results, r, r)
	}
	o.Label(all, results)
	for i, r := range results {
		if r.Axis != "fill" || r.X == nil || *r.X != all[i/2].X {
			t.Errorf("a trial of %s on %s lies at %v of %q, want %g", r.Variant, r.Workload, r.X, r.Axis, all[i/2].X)
		}
	}
}
