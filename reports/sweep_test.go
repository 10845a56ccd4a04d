package reports

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"reflect"
	"strings"
	"testing"

	"filterlab/filters/theory"
	"filterlab/harness"
	"filterlab/harness/stats"
)

// swept is one trial at a point of a sweep, with numbers that can be checked by hand.
func swept(axis string, x float64, variant string, n, strangers, hits uint64, model float64) harness.Result {
	workload := "random-ids"
	if axis == "fill" || axis == "dup" || axis == "load" || axis == "estimate" {
		workload += fmt.Sprintf(":fill=%g", 1+x)
	}
	bits := 10.0
	return harness.Result{Variant: variant, Workload: workload, N: n, P: 0.01, Held: n, Members: n, Strangers: strangers,
		FalsePositives: hits, ModelFPR: &model, ModelSD: pointer(0), BitsPerKey: &bits, ModelBits: 10 * n, K: 7, Verdict: "agrees",
		Axis: axis, X: &x, Host: harness.Host{Cores: 1}, Command: "lab sweep --over " + axis}
}

func interval(hits, of uint64) (lo, hi float64) { return stats.ClopperPearson(hits, of, 0.95) }

// overfilled is a sweep over fill: bloom at three fills, cuckoo that refuses at the last.
func overfilled() []harness.Result {
	full := swept("fill", 4, "cuckoo", 1000, 10_000, 300, 0.03)
	full.K, full.Rejected, full.Held = 0, 250, 750
	return []harness.Result{
		swept("fill", 4, "bloom", 1000, 1_000, 650, 0.6),
		swept("fill", 0.5, "bloom", 1000, 1_000_000, 0, 1e-6),
		swept("fill", 1, "bloom", 1000, 100_000, 1_000, 0.0101),
		swept("fill", 2, "bloom", 1000, 1_000, 99, 0.1),
		swept("fill", 1, "cuckoo", 1000, 10_000, 150, 0.015),
		full,
	}
}

func TestOverfillData(t *testing.T) {
	d, ok := overfillFigure.Data(overfilled())
	if !ok || len(d.Plots) != 2 || !d.Stacked {
		t.Fatalf("%d panels, stacked %v; want 2 above each other", len(d.Plots), d.Stacked)
	}
	lo1, hi1 := interval(1_000, 100_000)
	lo2, hi2 := interval(99, 1_000)
	lo4, hi4 := interval(650, 1_000)
	_, bound := interval(0, 1_000_000)
	want := []Series{
		{Mark: Post, Label: "sized for", Points: []Point{{X: 1, Y: 0.01}}},
		{Variant: "bloom", Mark: Curve, Label: "bloom", Points: []Point{{X: 0.5, Y: 1e-6}, {X: 1, Y: 0.0101}, {X: 2, Y: 0.1}, {X: 4, Y: 0.6}}},
		{Variant: "cuckoo", Mark: Curve, Label: "cuckoo", Points: []Point{{X: 1, Y: 0.015}, {X: 4, Y: 0.03}}},
		{Variant: "bloom", Mark: Dot, Points: []Point{{X: 0.5, Y: bound, Bound: true}, {X: 1, Y: 0.01, Lo: lo1, Hi: hi1, Bar: true},
			{X: 2, Y: 0.099, Lo: lo2, Hi: hi2, Bar: true}, {X: 4, Y: 0.65, Lo: lo4, Hi: hi4, Bar: true}}},
	}
	if got := d.Plots[0].Series[:4]; !reflect.DeepEqual(got, want) {
		t.Errorf("FPR\n%+v, want\n%+v", got, want)
	}
	ratios := d.Plots[1].Series
	if len(ratios) != 3 || ratios[0].Mark != Rule || len(ratios[1].Points) != 2 { // not that of 99 hits, nor of none
		t.Fatalf("ratios %+v, want a rule, 2 of bloom, 2 of cuckoo", ratios)
	}
	if got := ratios[1].Points[1]; math.Abs(got.X-4) > 0.1 || math.Abs(got.Y-0.65/0.6) > 1e-12 || got.Lo != lo4/0.6 || got.Hi != hi4/0.6 {
		t.Errorf("ratio %+v, want 0.65/0.6 at about 4", got)
	}
	if d.Plots[0].X.Min != d.Plots[1].X.Min || d.Plots[0].X.Max != d.Plots[1].X.Max || !d.Plots[0].X.Log {
		t.Errorf("the panels' x differ: %+v and %+v", d.Plots[0].X, d.Plots[1].X)
	}
	if want := "bloom at 2x its keys says maybe to 9.90 % of strangers, at 4x to 65.0 %, where 1 % was planned; cuckoo refuses keys from 4x on"; d.Title != want {
		t.Errorf("title %q, want %q", d.Title, want)
	}
	model, share := 0.0101, 0.01
	if got, want := strings.Join(d.CSV[2], ","), fmt.Sprintf("bloom,random-ids:fill=2,1000,0.01,1,1,1000,0,100000,1000,0.01,%v,%v,0.0101,%v,%v,%v,agrees",
		lo1, hi1, share/model, lo1/model, hi1/model); got != want {
		t.Errorf("CSV line\n%s, want\n%s", got, want)
	}
}

func TestFrontierData(t *testing.T) {
	small, large := swept("bits", 5, "bloom", 1000, 10_000, 1_000, 0.098), swept("bits", 10, "bloom", 1000, 1_000_000, 8_000, 0.0081)
	small.P, small.BitsPerKey, small.ModelBits = 0.1, pointer(4.5), 4400
	d, ok := frontierFigure.Data([]harness.Result{large, small})
	if !ok {
		t.Fatal("no data")
	}
	lo, hi := interval(1_000, 10_000)
	if got, want := d.Plots[0].Series[1].Points, []Point{{X: 4.4, Y: 0.098}, {X: 10, Y: 0.0081}}; !reflect.DeepEqual(got, want) {
		t.Errorf("formula %+v, want %+v", got, want)
	}
	if got, want := d.Plots[0].Series[2].Points[0], (Point{X: 4.5, Y: 0.1, Lo: lo, Hi: hi, Bar: true}); got != want {
		t.Errorf("observed %+v, want %+v", got, want)
	}
	bound := d.Plots[0].Series[0].Points
	for _, pt := range bound {
		if math.Abs(theory.LowerBound(pt.Y)-pt.X) > 1e-9 {
			t.Errorf("the bound at %v bits is %v, want 2^-bits", pt.X, pt.Y)
		}
	}
	if end := bound[len(bound)-1]; end.X != 10 {
		t.Errorf("the bound ends at %v bits, want 10", end.X)
	}
}

func TestProbesData(t *testing.T) {
	var results []harness.Result
	for k, hits := range map[int]uint64{2: 300, 4: 120, 6: 100, 8: 130} {
		r := swept("k", float64(k), fmt.Sprintf("classic:k=%d,hash=x", k), 1000, 10_000, hits, float64(hits)/10_000)
		r.Timings = []harness.Timing{{Op: "member", Ops: 9, MedianNS: 5 * float64(k)}, {Op: "stranger", Ops: 9, MedianNS: 20}}
		results = append(results, r)
	}
	d, ok := probesFigure.Data(results)
	if !ok || len(d.Plots) != 2 {
		t.Fatalf("%d panels, want 2", len(d.Plots))
	}
	post, dots := d.Plots[0].Series[0], d.Plots[0].Series[2]
	if post.Mark != Post || post.Points[0].X != 6 || dots.Variant != "classic:hash=x" || len(dots.Points) != 4 || dots.Points[3].Y != 0.013 {
		t.Errorf("optimum %+v and points %+v, want k = 6 and four points of classic:hash=x", post, dots)
	}
	if _, ok := d.Looks["classic:hash=x"]; !ok {
		t.Error("the line of all k has no look")
	}
	if want := "6 hash functions are the optimum at 10.0 bits per key, FPR 1.00 %; with 4 it is 20 % higher and a member's lookup takes 33 % less time"; d.Title != want {
		t.Errorf("title %q, want %q", d.Title, want)
	}
	if d, _ := probesFigure.Data(results[:0]); len(d.Plots) > 0 {
		t.Error("a picture of nothing")
	}
	rising := []harness.Result{swept("k", 6, "classic:k=6", 1000, 10_000, 100, 0.01), swept("k", 8, "classic:k=8", 1000, 10_000, 130, 0.013)}
	if d, _ := probesFigure.Data(rising); d.Title != "classic has its least FPR at the end of the range, 1.000 % at k = 6" {
		t.Errorf("title %q of a range without the optimum", d.Title)
	}
}

func TestLoadData(t *testing.T) {
	at := func(load float64, held, refused uint64, last float64) harness.Result {
		r := swept("load", load, "cuckoo:load=1", 1000, 10_000, 300, 0.03)
		r.Held, r.Rejected, r.Members, r.K = held, refused, held, 0
		r.Timings = []harness.Timing{{Op: "add", Ops: held, MedianNS: 20, LastNS: &last}}
		return r
	}
	full := at(1, 980, 20, 900)
	full.FalseNegatives, full.Provoked, full.LostPredicted = 49, true, pointer(48)
	d, ok := loadFigure.Data([]harness.Result{at(0.5, 500, 0, 30), at(0.9, 900, 0, 60), full})
	if !ok || len(d.Plots) != 2 {
		t.Fatalf("%d panels, want 2", len(d.Plots))
	}
	lo, hi := interval(20, 1000)
	want := []Point{{X: 0.5}, {X: 0.9}, {X: 1, Y: 0.02, Lo: lo, Hi: hi, Bar: true}}
	got := d.Plots[0].Series[1].Points
	got[0].Hi, got[1].Hi = 0, 0 // without hits there is no bar
	if !reflect.DeepEqual(got, want) {
		t.Errorf("refused %+v, want %+v", got, want)
	}
	times := d.Plots[1].Series
	if last := times[len(times)-1]; last.Points[2].Y != 900 || last.Points[0].Y != 30 || times[2].Points[1].Y != 20 {
		t.Errorf("times %+v, want 20 throughout and 30 to 900 for the last", times)
	}
	if want := "cuckoo:load=1 takes every key up to load 0.9; at 1 it refuses 2 % of them and denies 5 % of those it took; its last inserts cost 30x those at load 0.5"; d.Title != want {
		t.Errorf("title %q, want %q", d.Title, want)
	}
	if got := strings.Join(d.CSV[3][len(sweepHead):], ","); got != fmt.Sprintf("0.02,%v,%v,,20,900,980,49,48", lo, hi) {
		t.Errorf("CSV %s", got)
	}
}

func TestDuplicatesTitle(t *testing.T) {
	bloom := []harness.Result{swept("dup", 0, "bloom", 1000, 100_000, 1_000, 0.01), swept("dup", 0.5, "bloom", 1000, 1_000_000, 250, 0.00025)}
	sound := "Repeats add nothing to bloom: with 50 % of the adds repeated its FPR is 0.0250 % instead of 1.00 %"
	cuckoo := swept("dup", 0.5, "cuckoo", 1000, 10_000, 120, 0.012)
	cuckoo.Rejected = 5
	odd := swept("dup", 0.5, "odd", 1000, 100_000, 900, 0.00025)
	odd.Verdict = "above"
	for _, c := range []struct {
		results []harness.Result
		want    string
	}{
		{bloom, sound},
		{append(bloom, cuckoo), sound + "; cuckoo stores every copy and refuses keys from 50 % repeats on"},
		{append(bloom, odd), sound + "; odd does not have the FPR of its distinct keys"},
	} {
		if d, ok := duplicatesFigure.Data(c.results); !ok || d.Title != c.want {
			t.Errorf("title %q, want %q", d.Title, c.want)
		}
	}
}

// TestTornadoData pairs the errors, the largest on top, and sets each FPR against that of the plan.
func TestTornadoData(t *testing.T) {
	at := func(x float64, hits uint64, model float64) harness.Result {
		return swept("estimate", x, "bloom", 1000, 100_000, hits, model)
	}
	refusing := at(0.5, 12_000, 0.13)
	refusing.Rejected, refusing.Held = 100, 900
	d, ok := tornadoFigure.Data([]harness.Result{at(0, 1_000, 0.01), at(-0.2, 200, 0.0021), at(0.2, 3_400, 0.033), at(-0.5, 0, 0.000047), refusing, at(0.45, 5, 1)})
	if want := []string{"bloom ±50 %", "bloom ±20 %"}; !ok || !reflect.DeepEqual(d.Rows, want) {
		t.Fatalf("rows %q, want %q: what has no other side is left out", d.Rows, want)
	}
	bars := d.Plots[0].Series[0].Points
	for i, want := range []Point{{Y: 0, Lo: 0.0047, Hi: 13}, {Y: 1, Lo: 0.21, Hi: 3.3}} {
		if got := bars[i]; got.Y != want.Y || math.Abs(got.Lo-want.Lo) > 1e-9 || math.Abs(got.Hi-want.Hi) > 1e-9 || !got.Bar {
			t.Errorf("bar %+v, want %+v", got, want)
		}
	}
	dots := d.Plots[0].Series[3].Points
	lo, hi := interval(3_400, 100_000)
	loPlan, hiPlan := interval(1_000, 100_000)
	down := math.Hypot(math.Log(0.034/lo), math.Log(0.01/loPlan))
	up := math.Hypot(math.Log(hi/0.034), math.Log(hiPlan/0.01))
	if got := dots[1]; math.Abs(got.X-3.4) > 1e-9 || math.Abs(got.Lo-3.4*math.Exp(-down)) > 1e-9 || math.Abs(got.Hi-3.4*math.Exp(up)) > 1e-9 {
		t.Errorf("factor %+v, want 3.4 from %v to %v", got, 3.4*math.Exp(-down), 3.4*math.Exp(up))
	}
	want := []TextColumn{{"fewer keys", []string{"< 0.0037x", "0.2x"}}, {"more keys", []string{"12x", "3.4x"}}, {"refused", []string{"10 %", ""}}}
	if !reflect.DeepEqual(d.Plots[0].Columns, want) {
		t.Errorf("columns %q, want %q", d.Plots[0].Columns, want)
	}
	if want := "20 % more keys than planned multiply the FPR of bloom by 3.4 (at +50 % it refuses keys)"; d.Title != want {
		t.Errorf("title %q, want %q", d.Title, want)
	}
}

// TestSweepsApart: a sweep is one table and has its own pictures, runs have theirs.
func TestSweepsApart(t *testing.T) {
	results := overfilled()
	for _, d := range Pictures(results) {
		if d.Figure != "overfill" {
			t.Errorf("a sweep over fill has the picture %s", d.Figure)
		}
	}
	for _, d := range Pictures(everything()) {
		for _, f := range Figures() {
			if d.Figure == f.Name && len(f.Axes) > 0 {
				t.Errorf("a run has the picture %s", d.Figure)
			}
		}
	}
	table := Table(results)
	for _, want := range []string{"sweep over fill, random-ids, n = 1,000", "0.5x", "4x"} {
		if strings.Count(table, want) < 1 || strings.Count(table, "sweep over") != 1 {
			t.Errorf("no %q, or not one table:\n%s", want, table)
		}
	}
	if summary := Summary(results); !strings.Contains(summary, "# Filter lab: sweep over fill, random-ids") || !strings.Contains(summary, "overfill.png") {
		t.Errorf("summary:\n%s", summary)
	}
}

// TestSweepPictures draws every figure of sweeps: each has its size and says something.
func TestSweepPictures(t *testing.T) {
	drawn := map[string]bool{}
	for axis, xs := range map[string][]float64{
		"n": {1e4, 1e5, 1e6}, "p": {0.001, 0.01, 0.1}, "bits": {5, 10, 15}, "k": {3, 7, 12}, "load": {0.5, 0.9, 1},
		"fill": {0.5, 1, 2}, "dup": {0, 0.3, 0.5}, "estimate": {-0.1, 0, 0.1},
	} {
		var results []harness.Result
		for i, x := range xs {
			n := uint64(1000)
			if axis == "n" {
				n = uint64(x)
			}
			r := swept(axis, x, "classic", n, 100_000, []uint64{0, 900, 2_000}[i], []float64{0.00001, 0.009, 0.02}[i])
			r.P, r.BitsPerKey, r.Rejected = 0.01+float64(i), pointer(float64(5*i+5)), []uint64{0, 0, 9}[i]
			r.Timings = []harness.Timing{{Op: "add", Ops: 9, MedianNS: 20, LastNS: pointer(30)}, {Op: "member", Ops: 9, MedianNS: 40}}
			results = append(results, r)
		}
		pictures := Pictures(results)
		if len(pictures) != 1 || pictures[0].Title == "" || len(pictures[0].CSV) != 4 {
			t.Fatalf("a sweep over %s has %d pictures, want 1 with a title and 3 lines of CSV", axis, len(pictures))
		}
		d := pictures[0]
		drawn[d.Figure] = true
		var b bytes.Buffer
		if err := d.writePNG(&b, screen); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		if size := img.Bounds().Size(); size.X != 8*screen || size.Y != 5*screen && size.Y != 6*screen {
			t.Errorf("%s is %v dots large", d.Name, size)
		}
	}
	for _, f := range Figures() {
		if len(f.Axes) > 0 && !drawn[f.Name] && f.Name != growthFigure.Name { // which TestGrowthData draws
			t.Errorf("%s was not drawn", f.Name)
		}
	}
}
