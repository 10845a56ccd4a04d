package reports

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filterlab/harness"
)

// screen is a resolution that is quick to draw, in dots an inch.
const screen = 72

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with a file under testdata/reports, or writes it with -update.
func golden(t *testing.T, name string, got []byte, same func(want, got []byte) bool) {
	t.Helper()
	path := filepath.Join("..", "testdata", "reports", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !same(want, got) {
		t.Errorf("%s differs from what is written now; look at the change, then run the test with -update", path)
		if strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".md") {
			t.Logf("now:\n%s", got)
		}
	}
}

// everything is a run of all workloads with each kind of row: judged, exact, yardstick, provoked,
// skipped and broken.
func everything() []harness.Result {
	results := fixture("random-ids", 1_000_000, 0.01, 10, fixtureVariants)
	results = append(results, fixture("skewed-keys", 1_000_000, 0.01, 10, fixtureVariants)...)
	results = append(results, churned(fixture("deletes", 1_000_000, 0.01, 10, fixtureChurn()), fixtureChurn())...)
	replay := replayed(fixture("replay:logs/access.log.gz", 1_512, 0.01, 1, fixtureVariants), 0.0213)
	replay[2].FalseNegatives = 3
	replay[0].Warnings = []string{"a warning\nin two lines"}
	replay[1].Warnings = []string{"a warning in two lines"}
	skipped := harness.Result{Variant: "roaring:keys=hash", Workload: replay[0].Workload, N: 1_512, P: 0.01,
		Skipped: "needs 3.1 GB, more than the 2.0 GB allowed"}
	return append(results, append(replay, skipped)...)
}

func TestTableGolden(t *testing.T) {
	golden(t, "table.txt", []byte(Table(everything())), bytes.Equal)
}

func TestSummaryGolden(t *testing.T) {
	golden(t, "summary.md", []byte(Summary(everything())), bytes.Equal)
}

// TestPictureGolden draws three pictures at screen resolution and compares them with a tolerance for
// rounding, which differs between processors.
func TestPictureGolden(t *testing.T) {
	for _, d := range Pictures(everything()) {
		switch d.Name {
		case "fpr-random-ids", "bits-vs-fpr-random-ids", "deletes-deletes", "latency-mix-skewed-keys", "savings-replay-access":
		default:
			continue
		}
		var b bytes.Buffer
		if err := d.writePNG(&b, screen); err != nil {
			t.Fatal(err)
		}
		golden(t, d.Name+".png", b.Bytes(), alike)
	}
}

// alike reports whether two pictures of one size differ by more than a tenth of full brightness in at
// most one dot of a thousand.
func alike(want, got []byte) bool {
	a, err := png.Decode(bytes.NewReader(want))
	if err != nil {
		return false
	}
	b, err := png.Decode(bytes.NewReader(got))
	if err != nil || a.Bounds() != b.Bounds() {
		return false
	}
	different := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if !near(a, b, x, y) {
				different++
			}
		}
	}
	return different <= a.Bounds().Dx()*a.Bounds().Dy()/1000
}

func near(a, b image.Image, x, y int) bool {
	const tenth = 0xFFFF / 10
	ar, ag, ab, _ := a.At(x, y).RGBA()
	br, bg, bb, _ := b.At(x, y).RGBA()
	for _, d := range []int{int(ar) - int(br), int(ag) - int(bg), int(ab) - int(bb)} {
		if d > tenth || d < -tenth {
			return false
		}
	}
	return true
}
