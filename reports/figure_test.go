package reports

import (
	"reflect"
	"strings"
	"testing"

	"filterlab/filters/theory"
	"filterlab/harness"
	"filterlab/harness/stats"
)

// exact is a case without false positives, beside twoTrials.
func exact() harness.Result {
	return harness.Result{Variant: "map", Workload: "random-ids", N: 1000, P: 0.01, Held: 1000, Strangers: 1_000_000,
		ModelFPR: pointer(0), BitsPerKey: pointer(400), Verdict: "exact", Host: harness.Host{Cores: 1}}
}

// TestFPRData holds every number of the fpr figure against the hand-made trials.
func TestFPRData(t *testing.T) {
	d, ok := fprFigure.Data(append(twoTrials(), exact()))
	if !ok {
		t.Fatal("no data")
	}
	if want := []string{"bloom", "map"}; !reflect.DeepEqual(d.Rows, want) {
		t.Errorf("rows %q, want %q", d.Rows, want)
	}
	lo, hi := stats.ClopperPearson(400, 40_000, 0.95)
	_, bound := stats.ClopperPearson(0, 1_000_000, 0.95)
	model := 0.0115
	want := []Series{
		{Mark: Tick, Points: []Point{{X: model, Y: 0}}},
		{Variant: "bloom", Mark: Dot, Points: []Point{{X: 0.01, Y: 0, Lo: lo, Hi: hi, Bar: true}}},
		{Variant: "map", Mark: Dot, Points: []Point{{X: bound, Y: 1, Bound: true}}},
	}
	if got := d.Plots[0].Series; !reflect.DeepEqual(got, want) {
		t.Errorf("series\n%+v, want\n%+v", got, want)
	}
	spread := Cases(twoTrials())[0].InstanceSpread()
	want = []Series{
		{Mark: Band, Points: []Point{{X: 1, Lo: 1 - spread, Hi: 1 + spread, Bar: true}}},
		{Mark: Rule, Points: []Point{{X: 1}}},
		{Variant: "bloom", Mark: Dot, Points: []Point{{X: 0.01 / model, Lo: lo / model, Hi: hi / model, Bar: true}}},
	}
	if got := d.Plots[1].Series; !reflect.DeepEqual(got, want) {
		t.Errorf("ratios\n%+v, want\n%+v", got, want)
	}
	cells := [][]string{{"1.000 %", "< 0.000369 %"}, {"1.150 %", "0 %"}}
	for i, col := range d.Plots[0].Columns {
		if !reflect.DeepEqual(col.Cells, cells[i]) {
			t.Errorf("column %s holds %q, want %q", col.Head, col.Cells, cells[i])
		}
	}
	if got, want := strings.Join(d.CSV[1][:8], ","), "bloom,random-ids,1000,0.01,2,40000,400,0.01"; got != want {
		t.Errorf("CSV starts with %s, want %s", got, want)
	}
}

func TestMixData(t *testing.T) {
	d, ok := mixFigure.Data(twoTrials())
	if !ok {
		t.Fatal("no data")
	}
	line, dots := d.Plots[0].Series[0], d.Plots[0].Series[1]
	want := []Point{{X: 0, Y: 12}, {X: 0.5, Y: 40}, {X: 1, Y: 50, Lo: 49, Hi: 52, Bar: true}}
	if !reflect.DeepEqual(dots.Points, want) {
		t.Errorf("points %+v, want %+v", dots.Points, want)
	}
	if first, last := line.Points[0], line.Points[len(line.Points)-1]; first.Y != 12 || last.Y != 50 {
		t.Errorf("the mix runs from %v to %v, want 12 to 50", first.Y, last.Y)
	}
	if got, want := line.Label, "bloom, 1.8 to 3 bits"; got != want {
		t.Errorf("label %q, want %q", got, want)
	}
	if want := "Mixed lookups cost up to 29 % more than the mix of their parts: bloom at 50 % members"; d.Title != want {
		t.Errorf("title %q, want %q", d.Title, want) // 40 against (12+50)/2
	}
	if got, want := strings.Join(d.CSV[2], ","), "bloom,random-ids,1000,0.01,0.5,40,,,2,31,1.75,3,2.375"; got != want {
		t.Errorf("CSV line %s, want %s", got, want)
	}
}

func TestBitsData(t *testing.T) {
	d, _ := bitsFigure.Data(append(twoTrials(), exact()))
	if got := d.Plots[0].Series[2].Points[0]; got.X != 0.01 || got.Y != 9.5 {
		t.Errorf("bloom at %+v, want FPR 1 %% and 9.5 bits", got)
	}
	for _, pt := range d.Plots[0].Series[0].Points {
		if pt.Y != theory.LowerBound(pt.X) {
			t.Errorf("bound at FPR %v is %v, want log2(1/FPR)", pt.X, pt.Y)
		}
	}
	if want := "bloom comes closest to the least possible size, 43 % above it"; d.Title != want {
		t.Errorf("title %q, want %q", d.Title, want) // 9.5 / 6.64
	}
}

func TestDeletesData(t *testing.T) {
	r := twoTrials()[0]
	r.DeletedProbes, r.DeletedMaybe, r.FalseNegatives = 200, 200, 25
	r.LostPredicted, r.Provoked = pointer(24.5), true
	d, ok := deletesFigure.Data([]harness.Result{r})
	if !ok || len(d.Plots) != 3 {
		t.Fatalf("%d panels, want 3", len(d.Plots))
	}
	if got := d.Plots[0].Series[0].Points[0]; got.X != 1 || !got.Bar || got.Hi != 1 {
		t.Errorf("still maybe %+v, want 100 %%", got)
	}
	if got := d.Plots[2].Series[0].Points[0].X; got != 0.0245 {
		t.Errorf("predicted loss %v, want 24.5 of 1000", got)
	}
	if got := d.Plots[2].Series[1].Points[0].X; got != 0.025 {
		t.Errorf("loss %v, want 25 of 1000", got)
	}
	if want := "Deleted keys still get a maybe from bloom; bloom loses 2.5 % of its members"; d.Title != want {
		t.Errorf("title %q, want %q", d.Title, want)
	}
	if _, ok := deletesFigure.Data(twoTrials()); ok {
		t.Error("a picture of deletes where nothing was deleted")
	}
}

func TestSavingsTitle(t *testing.T) {
	r := twoTrials()[:1]
	r[0].Log = &harness.LogFacts{Requests: 10_000, Absent: 213, Savable: 0.0213, Saved: 0.0211}
	d, ok := savingsFigure.Data(r)
	if want := "Only 2.13 % of requests can be saved; the filters save 2.11 %"; !ok || d.Title != want {
		t.Errorf("title %q, want %q", d.Title, want)
	}
	if !strings.Contains(Table(r), "only 2.13 % of requests can be saved (213 of 10,000)") {
		t.Error("the table does not say what can be saved")
	}
}

// TestGridNeedsSizes draws the grid of ratios only where there are several sizes.
func TestGridNeedsSizes(t *testing.T) {
	results := twoTrials()
	if _, ok := gridFigure.Data(results); ok {
		t.Error("a grid of one size")
	}
	more := twoTrials()
	for i := range more {
		more[i].P, more[i].Verdict = 0.001, "above"
	}
	d, ok := gridFigure.Data(append(results, more...))
	if !ok {
		t.Fatal("no grid of two sizes")
	}
	if got := d.Plots[0].X.Ticks; len(got) != 2 || got[0].Label != "1k, 1 %" || got[1].Label != "1k, 0.1 %" {
		t.Errorf("names %+v, want 1k, 1 %% and 1k, 0.1 %%", got)
	}
	if want := "1 of 2 cases miss their formula: bloom at n = 1k, p = 0.1 %"; d.Title != want {
		t.Errorf("title %q, want %q", d.Title, want)
	}
	if d, _ := fprFigure.Data(append(results, more...)); len(d.Rows) != 1 || !strings.Contains(d.Subtitle, "p = 1 %") {
		t.Errorf("the picture of one size shows %q, %s", d.Rows, d.Subtitle)
	}
}

func TestFPRTitle(t *testing.T) {
	of := func(verdicts ...string) string {
		var results []harness.Result
		for i, v := range verdicts {
			r := twoTrials()[0]
			r.Variant, r.Verdict = string(rune('a'+i)), v
			results = append(results, r)
		}
		return fprTitle(Cases(results))
	}
	for want, got := range map[string]string{
		"a and b show the FPR their formula predicts, within 10 %":                  of("agrees", "agrees"),
		"a shows the FPR its formula predicts, within 10 %; b needs more strangers": of("agrees", "underpowered"),
		"a shows 0.9 times the FPR its formula predicts; b agrees with its own":     of("below", "agrees"),
		"a shows 0.9 times the FPR its formula predicts, and b misses its own too":  of("above", "below"),
		"Too few strangers to hold the FPR of a against the formula":                of("underpowered"),
	} {
		if got != want {
			t.Errorf("title %q, want %q", got, want)
		}
	}
}

// TestHeadline prefers the size that most variants ran at to a larger one that few did.
func TestHeadline(t *testing.T) {
	many := fixture("random-ids", 1000, 0.01, 1, fixtureVariants[:3])
	few := fixture("random-ids", 1024, 0.01, 1, fixtureVariants[2:3])
	if d, _ := fprFigure.Data(append(few, many...)); len(d.Rows) != 3 {
		t.Errorf("the picture shows %q, want the three filters at n = 1000", d.Rows)
	}
}

func TestNames(t *testing.T) {
	results := append(twoTrials(), twoTrials()...)
	results[2].Workload, results[3].Workload = "replay:a/x.log.gz", "replay:b/x.log"
	var names []string
	for _, d := range Pictures(results) {
		if d.Figure == "fpr" {
			names = append(names, d.Name)
		}
	}
	if want := []string{"fpr-random-ids", "fpr-replay-x", "fpr-replay-x-2"}; !reflect.DeepEqual(names, want) {
		t.Errorf("names %q, want %q", names, want)
	}
}
