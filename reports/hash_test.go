package reports

import (
	"bytes"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"

	"filterlab/harness"
	"filterlab/harness/evenness"
)

// hashFixture is a study of three hashes on three shapes at two sizes: the good one as the formula
// says, one that users' keys move, one that is above at the strict size whatever the keys.
func hashFixture() HashStudy {
	s := HashStudy{
		Hashes: []Described{{"xxh3", "the good one"}, {"identity", "the key itself"}, {"even", "double hashing"}},
		Shapes: []Described{{"shaped-keys:shape=user", "user123"}, {"shaped-keys:shape=le,stride=4096", "00 b0 07"}, {"random-ids:shape=raw", "8 random bytes"}},
	}
	for _, g := range []struct {
		n, bits   uint64
		k         int
		p         float64
		strangers uint64
		hits      [3][3]uint64
		verdicts  [3][3]string
	}{
		{100_000, 958_528, 7, 0.01, 2_500_000,
			[3][3]uint64{{25_060, 24_950, 25_010}, {475, 947_500, 25_100}, {25_025, 24_930, 25_110}},
			[3][3]string{{"agrees", "agrees", "agrees"}, {"below", "above", "agrees"}, {"agrees", "agrees", "agrees"}}},
		{10_000, 287_552, 20, 1e-6, 10_000_000,
			[3][3]uint64{{9, 11, 8}, {269, 9_999_989, 62}, {59, 43, 58}},
			[3][3]string{{"underpowered", "underpowered", "underpowered"}, {"above", "above", "above"}, {"above", "above", "above"}}},
	} {
		for shape, w := range s.Shapes {
			for hash, h := range s.Hashes {
				variant, model := "classic:hash="+h.Name, g.p
				if hash == 0 {
					variant = "classic"
				}
				s.Results = append(s.Results, harness.Result{
					Variant: variant, Workload: w.Name, N: g.n, P: g.p, Seed: 1, Strangers: g.strangers,
					FalsePositives: g.hits[hash][shape], ModelFPR: &model, Verdict: g.verdicts[hash][shape], SizeBits: g.bits, K: g.k,
					Date: time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC), Host: harness.Host{CPU: "a CPU", Cores: 2, Go: "go1.26", OS: "linux"},
					Command: "lab hash", Commit: "0123abc",
				})
			}
		}
	}
	for hash, ones := range [][]uint64{{500, 520, 505, 515}, {1024, 1000, 0, 0}, {511, 509, 522, 498}} {
		for shape, w := range s.Shapes {
			row := evenness.Row{Variant: "classic:hash=" + s.Hashes[hash].Name, Workload: w.Name, N: 100_000, Target: 0.01}
			row.Table = evenness.Table{Bits: []uint64{1024, 1024, 1024, 1024}, Ones: slices.Clone(ones), K: 7, Keys: 406}
			if hash == 1 && shape == 2 {
				row.Ones = []uint64{510, 510, 511, 509}
			}
			row.Test = row.Table.Test()
			s.Tables = append(s.Tables, row)
		}
	}
	evenness.Adjust(s.Tables)
	return s
}

func TestHashTableGolden(t *testing.T) {
	golden(t, "hash-table.txt", []byte(HashTable(hashFixture())), bytes.Equal)
}

func TestHashSummaryGolden(t *testing.T) {
	s := hashFixture()
	golden(t, "hash-summary.md", []byte(s.summary(s.pictures())), bytes.Equal)
}

// TestHashFigureData holds the data behind both pictures against the study, cell by cell.
func TestHashFigureData(t *testing.T) {
	s := hashFixture()
	heat, ok := hashFigure(s)
	if !ok || len(heat.CSV) != 1+2*9 {
		t.Fatalf("%v, %d lines", ok, len(heat.CSV))
	}
	for i, want := range map[int]string{
		0:  "hash,shape,variant,workload,n,p,observed_over_model,ratio_lo,ratio_hi,strangers,false_positives,verdict",
		1:  "xxh3,user,classic,shaped-keys:shape=user,100000,0.01,1.0024,0.9901086303,1.014884,2500000,25060,agrees",
		5:  "identity,le x4096,classic:hash=identity,\"shaped-keys:shape=le,stride=4096\",100000,0.01,37.9,37.84,37.96,2500000,947500,above",
		13: "identity,user,classic:hash=identity,shaped-keys:shape=user,10000,1e-06,26.900000000000002,23.8,30.3,10000000,269,above",
	} {
		got := slices.Clone(heat.CSV[i])
		if i > 0 { // the interval is Clopper-Pearson's, tested where it is computed
			parts := strings.Split(strings.ReplaceAll(want, `"shaped-keys:shape=le,stride=4096"`, "-"), ",")
			got[3] = strings.ReplaceAll(got[3], "shaped-keys:shape=le,stride=4096", "-")
			got[7], got[8], want = "", "", strings.Join(append(append(parts[:7:7], "", ""), parts[9:]...), ",")
		}
		if strings.Join(got, ",") != want {
			t.Errorf("line %d of the heat map: %s, want %s", i, strings.Join(got, ","), want)
		}
	}
	if want := "xxh3 keeps its formula on every shape of keys; each of the 2 weak hashes is caught on some"; heat.Title != want {
		t.Errorf("title %q, want %q", heat.Title, want)
	}
	bars, ok := occupancyFigure(s)
	if !ok || len(bars.CSV) != 1+2*4 {
		t.Fatalf("%v, %d lines", ok, len(bars.CSV))
	}
	if got, want := strings.Join(bars.CSV[5][:10], ","), "identity,user,classic:hash=identity,shaped-keys:shape=user,100000,0.01,0,1024,1024,1"; got != want {
		t.Errorf("the first range of the worst table: %s, want %s", got, want)
	}
	if want := "Given keys like user123, xxh3 spreads its bits evenly over the table and identity piles them up"; bars.Title != want {
		t.Errorf("title %q, want %q", bars.Title, want)
	}
}

// TestRangeSD computes the band from its parts: 4 ranges of 1024 bits, 2842 throws.
func TestRangeSD(t *testing.T) {
	row := hashFixture().Tables[0]
	q := math.Pow(1-1.0/4096, 2842)
	within, whole := q*(1-q)*0.75/1024, (q-q*q*(1+2842.0/4096))/4096
	if got, want := rangeSD(row, 0), math.Sqrt(within+whole); math.Abs(got/want-1) > 1e-3 {
		t.Errorf("sd %.6f, want %.6f", got, want)
	}
}

func TestShortRatio(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 0.0004: "0.0004", 0.019: "0.02", 0.0996: "0.10", 0.997: "1.00", 9.994: "9.99", 9.996: "10", 22.5: "22.5", 594.8: "595",
		999.6: "1k", 34_490: "34k", 103_800: "104k", 999_989: "1M",
	} {
		if got := shortRatio(x); got != want {
			t.Errorf("%g is written %q, want %q", x, got, want)
		}
	}
}

// TestHashFolder writes the folder and looks at what is in it.
func TestHashFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hash")
	for range 2 { // the second time it replaces the first
		if err := WriteHashFolder(dir, hashFixture()); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	want := []string{"hash-occupancy.csv", "hash-occupancy.png", "hash-shapes.csv", "hash-shapes.png", "occupancy.jsonl", "results.jsonl", "summary.md"}
	if !slices.Equal(names, want) {
		t.Errorf("the folder holds %v, want %v", names, want)
	}
	for _, name := range []string{"hash-shapes.png", "hash-occupancy.png"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if img, err := png.Decode(bytes.NewReader(data)); err != nil || img.Bounds().Dx() != 1600 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHashStudyInPart draws and prints a study cut short at every point, and one whose table is empty
// or full, without a coordinate that is not a number.
func TestHashStudyInPart(t *testing.T) {
	full := hashFixture()
	full.Tables[3].Ones, full.Tables[4].Ones = []uint64{0, 0, 0, 0}, []uint64{1024, 1024, 1024, 1024}
	for cut := range len(full.Results) + 1 {
		s := full
		s.Results = full.Results[:cut]
		if cut < len(full.Results) {
			s.Tables = full.Tables[:cut/2]
			s.Results = slices.Clone(s.Results)
			for i := range s.Results {
				s.Results[i].Partial = true
			}
		}
		text := HashTable(s)
		for _, pic := range s.pictures() {
			var c recorder.Canvas
			pic.Draw(&c, pageW, pic.tall)
			for _, a := range c.Actions {
				if fill, ok := a.(*recorder.Fill); ok {
					for _, p := range fill.Path {
						checkFinite(t, p.Pos)
					}
				}
			}
			text += pic.Title
		}
		if claims := strings.Contains(text, "keeps its formula on all"); claims != (cut == len(full.Results)) {
			t.Errorf("%d results of %d: %s", cut, len(full.Results), text)
		}
		for _, bad := range []string{"NaN", "Inf", "%!"} {
			if strings.Contains(text, bad) {
				t.Errorf("%d results: %s in %s", cut, bad, text)
			}
		}
	}
}

func checkFinite(t *testing.T, p vg.Point) {
	t.Helper()
	if x, y := float64(p.X), float64(p.Y); !finite(x) || !finite(y) || math.Abs(x) > 1e5 || math.Abs(y) > 1e5 {
		t.Fatalf("drawn at %v", p)
	}
}
