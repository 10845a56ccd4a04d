package reports

import (
	"io"
	"math"
	"strings"
	"testing"

	"filterlab/filters/theory"
	"filterlab/harness"
)

// growthPoint is a trial of a sweep over fill, with so many bits per key and false positives among
// 100,000 strangers.
func growthPoint(variant string, x, bits float64, positives uint64) harness.Result {
	r := swept("fill", x, variant, 1000, 100_000, positives, float64(positives)/100_000)
	r.Held, r.BitsPerKey = uint64(1000*x), &bits
	return r
}

// TestGrowthData: the figure shows scalable filters alone, measured beside what the paper says of the
// same knobs, and is left out where there are none.
func TestGrowthData(t *testing.T) {
	results := []harness.Result{
		growthPoint("scalable", 0.05, 22, 10), growthPoint("scalable", 1, 21.5, 870), growthPoint("scalable", 2, 25.5, 930),
		growthPoint("classic", 1, 9.6, 1000), growthPoint("classic", 2, 4.8, 16000),
	}
	d, ok := growthFigure.Data(results)
	if !ok || len(d.Plots) != 3 {
		t.Fatalf("%d panels, want 3", len(d.Plots))
	}
	if err := d.writePNG(io.Discard, screen); err != nil {
		t.Fatal(err)
	}
	size := theory.SizeBloom(1, 0.01).Bits
	for _, plot := range d.Plots {
		for _, s := range plot.Series {
			if s.Variant == "classic" {
				t.Errorf("panel %s shows classic", plot.YLabel)
			}
		}
	}
	bits := d.Plots[0].Series
	if flat, dots := bits[0], bits[len(bits)-1]; flat.Points[0].Y != size || dots.Mark != Dot || len(dots.Points) != 3 || dots.Points[1].Y != 21.5 {
		t.Errorf("bits per key: %+v and %+v", flat, dots)
	}
	curve := bits[1].Points
	if want := theory.GrowScalable(100, 2, 0.5, 0.005, 2000).BitsPerKey; math.Abs(curve[len(curve)-1].Y/want-1) > 1e-9 {
		t.Errorf("the formula ends at %g, want %g", curve[len(curve)-1].Y, want)
	}
	if want := "scalable keeps its FPR under 1 % and takes 2.24 to 2.66x the bits of one filter for the keys held"; d.Title != want {
		t.Errorf("title %q, want %q", d.Title, want)
	}
	results[2] = growthPoint("scalable", 2, 25.5, 2000)
	if d, _ := growthFigure.Data(results); !strings.Contains(d.Title, "exceeds its bound of 1 % at 2x its keys") {
		t.Errorf("title %q", d.Title)
	}
	if _, ok := growthFigure.Data(results[3:]); ok {
		t.Error("a figure of growth without a filter that grows")
	}
}

// TestGrowthOf reads the knobs that are given and the defaults of those that are not.
func TestGrowthOf(t *testing.T) {
	for variant, want := range map[string]growth{
		"scalable": {101, 2, 0.5, 0.005, 0.01},
		"scalable:start=1k,growth=4,tightening=0.8":    {1000, 4, 0.8, 0.002, 0.01},
		"scalable:first=p,at-max=degrade,max-stages=3": {101, 2, 0.5, 0.01, 0.02},
		"scalable:start=0,first=p,tightening=0.75":     {101, 2, 0.75, 0.01, 0.04},
	} {
		g, ok := growthOf(Case{Variant: variant, N: 1001, P: 0.01})
		for _, pair := range [][2]float64{{g.n0, want.n0}, {g.s, want.s}, {g.r, want.r}, {g.p0, want.p0}, {g.bound, want.bound}} {
			if !ok || math.Abs(pair[0]-pair[1]) > 1e-12 {
				t.Errorf("%s: %+v, want %+v", variant, g, want)
				break
			}
		}
	}
	if _, ok := growthOf(Case{Variant: "scalablest"}); ok {
		t.Error("another variant is taken for one that grows")
	}
}
