package reports

import (
	"bytes"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"
	"pgregory.net/rapid"

	"filterlab/harness"
)

// TestFullSize draws one picture as users get it: 8 by 5 inches at 200 dots an inch.
func TestFullSize(t *testing.T) {
	d, _ := fprFigure.Data(twoTrials())
	var b bytes.Buffer
	if err := d.WritePNG(&b); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if w, h := img.Bounds().Dx(), img.Bounds().Dy(); w != 1600 || h != 1000 {
		t.Errorf("the picture is %d x %d, want 1600 x 1000", w, h)
	}
}

// TestEveryPicture draws all pictures: each decodes, has its size, and is not blank.
func TestEveryPicture(t *testing.T) {
	results := everything()
	for _, n := range []uint64{10_000, 100_000} {
		results = append(results, fixture("skewed-keys", n, 0.001, 6, fixtureVariants)...)
	}
	seen := map[string]bool{}
	for _, d := range Pictures(results) {
		if seen[d.Name] {
			t.Errorf("two pictures are named %s", d.Name)
		}
		seen[d.Name] = true
		var b bytes.Buffer
		if err := d.writePNG(&b, screen); err != nil {
			t.Fatalf("%s: %v", d.Name, err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatalf("%s: %v", d.Name, err)
		}
		if w, h := img.Bounds().Dx(), img.Bounds().Dy(); w != 8*screen || h < 5*screen {
			t.Errorf("%s is %d x %d, want %d x %d or taller", d.Name, w, h, 8*screen, 5*screen)
		}
		colours := map[color.Color]bool{}
		for x := range 8 * screen {
			for y := range 5 * screen {
				colours[img.At(x, y)] = true
			}
		}
		if len(colours) < 20 {
			t.Errorf("%s has %d colours: is it blank?", d.Name, len(colours))
		}
	}
	for _, f := range Figures() {
		found := len(f.Axes) > 0 // sweeps have a test of their own
		for name := range seen {
			found = found || strings.HasPrefix(name, f.Name)
		}
		if !found {
			t.Errorf("no picture of figure %s", f.Name)
		}
	}
}

// TestTallPicture gives many rows a taller page instead of crowding them.
func TestTallPicture(t *testing.T) {
	var many []made
	for i := range 30 {
		v := fixtureVariants[i%6]
		v.name += ":seed=" + strings.Repeat("x", i+1)
		many = append(many, v)
	}
	d, ok := fprFigure.Data(fixture("random-ids", 1000, 0.01, 1, many))
	if !ok {
		t.Fatal("no picture")
	}
	var b bytes.Buffer
	if err := d.writePNG(&b, screen); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if h := img.Bounds().Dy(); h < 9*screen {
		t.Errorf("30 rows on a page %d dots high", h)
	}
	if mix, _ := mixFigure.Data(fixture("random-ids", 1000, 0.01, 1, many)); mix.height() <= pageH {
		t.Error("25 labels above each other on a page of the usual height")
	}
}

// drawn returns the text on a picture and fails on a coordinate that is not a number.
func drawn(t *rapid.T, d Data) string {
	var c recorder.Canvas
	d.Draw(&c, pageW, pageH)
	var texts []string
	for _, a := range c.Actions {
		switch a := a.(type) {
		case *recorder.FillString:
			texts = append(texts, a.String)
			checkPoint(t, d, a.Point)
		case *recorder.Stroke:
			for _, p := range a.Path {
				checkPoint(t, d, p.Pos)
			}
		case *recorder.Fill:
			for _, p := range a.Path {
				checkPoint(t, d, p.Pos)
			}
		}
	}
	return strings.Join(texts, "\n")
}

func checkPoint(t *rapid.T, d Data, p vg.Point) {
	if x, y := float64(p.X), float64(p.Y); !finite(x) || !finite(y) || math.Abs(x) > 1e6 || math.Abs(y) > 1e6 {
		t.Fatalf("%s draws at %v", d.Name, p)
	}
}

// TestAnyResults draws and prints results that hardly hang together, without NaN or panic.
func TestAnyResults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		results := rapid.SliceOfN(rapid.Custom(anyResult), 0, 12).Draw(t, "results")
		text := Table(results) + Summary(results)
		for _, d := range Pictures(results) {
			text += d.Title + d.Subtitle + drawn(t, d)
			for _, line := range d.CSV {
				if len(line) != len(d.CSV[0]) {
					t.Fatalf("%s.csv: %d cells under %d heads", d.Name, len(line), len(d.CSV[0]))
				}
				text += strings.Join(line, ",")
			}
		}
		for _, bad := range []string{"NaN", "Inf", "%!"} {
			if strings.Contains(text, bad) {
				t.Fatalf("%s in %s", bad, text)
			}
		}
		var b bytes.Buffer
		if err := WriteBench(&b, results); err != nil {
			t.Fatal(err)
		}
	})
}

// anyResult makes a result from values at the edges of what results can hold.
func anyResult(t *rapid.T) harness.Result {
	share := func(name string) *float64 {
		v := rapid.SampledFrom([]float64{-1, 0, 1e-12, 0.001, 0.01, 0.5, 0.999, 1}).Draw(t, name)
		if v < 0 {
			return nil
		}
		return &v
	}
	some := func(name string) uint64 {
		return rapid.SampledFrom([]uint64{0, 1, 2, 1000, 1_000_000}).Draw(t, name)
	}
	bits := rapid.SampledFrom([]float64{0, 0.07, 9.6, 1e6}).Draw(t, "bits")
	r := harness.Result{
		Variant:  rapid.SampledFrom([]string{"bloom", "cuckoo", "null", "other:a=1,b=2"}).Draw(t, "variant"),
		Workload: rapid.SampledFrom([]string{"random-ids", "skewed-keys", "replay:a/b.log.gz", "replay:c/b.log"}).Draw(t, "workload"),
		N:        1 + some("n"), P: rapid.SampledFrom([]float64{1e-9, 0.01, 0.5}).Draw(t, "p"),
		Held: some("held"), Members: some("members"), Strangers: some("strangers"), ModelFPR: share("model"), ModelSD: share("sd"),
		ModelOccupancy: share("fill"), K: rapid.IntRange(0, 40).Draw(t, "k"), WrongAmong: share("wrong"), LostPredicted: share("lost"),
		DeletedProbes: some("deleted"), BitsPerKey: &bits, HeapBitsPerKey: share("heap"), ModelBits: some("model bits"),
		Verdict:  rapid.SampledFrom([]string{"", "agrees", "above", "below", "underpowered", "exact"}).Draw(t, "verdict"),
		Provoked: rapid.Bool().Draw(t, "provoked"), Skipped: rapid.SampledFrom([]string{"", "", "", "too large"}).Draw(t, "skipped"),
		Partial: rapid.Bool().Draw(t, "partial"),
	}
	r.FalsePositives = min(some("hits"), r.Strangers)
	r.FalseNegatives = min(some("misses"), r.Members)
	r.DeletedMaybe = min(some("maybe"), r.DeletedProbes)
	for _, op := range []string{"add", "stranger", "lookup0", "lookup50", "lookup100"} {
		if rapid.Bool().Draw(t, op) {
			ns := rapid.SampledFrom([]float64{0, 0.3, 12, 1e7}).Draw(t, "ns")
			r.Timings = append(r.Timings, harness.Timing{Op: op, Ops: 10, MedianNS: ns, FloorNS: 1, LoNS: share("lo"), HiNS: share("hi"),
				Share: map[string]*float64{"lookup0": new(float64), "lookup50": pointer(0.5), "lookup100": pointer(1)}[op]})
		}
	}
	if rapid.Bool().Draw(t, "log") {
		r.Log = &harness.LogFacts{Requests: some("requests"), Savable: *pointer(rapid.Float64Range(0, 1).Draw(t, "savable"))}
	}
	return r
}

func pointer(x float64) *float64 { return &x }
