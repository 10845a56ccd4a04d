package command

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExampleIsTheDocumentedOne runs the command and holds the page of the manual, its picture and
// the numbers behind it against what comes out.
func TestExampleIsTheDocumentedOne(t *testing.T) {
	docs, folder := filepath.Join("..", "..", "..", "docs"), filepath.Join(t.TempDir(), "deep", "example")
	status, out, errOut := lab("example", "--out", folder)
	if status != exitOK || !strings.Contains(errOut, "worked-example.png") {
		t.Fatalf("status %d: %s", status, errOut)
	}
	if page := read(t, docs, "worked-example.md"); !bytes.Contains(page, []byte("```text\n"+out+"```\n")) {
		t.Errorf("docs/worked-example.md does not show what lab example prints:\n%s", out)
	}
	if !bytes.Equal(read(t, docs, "worked-example.csv"), read(t, folder, "worked-example.csv")) {
		t.Error("docs/worked-example.csv is old; run lab example --out docs")
	}
	want, got := decode(t, read(t, docs, "worked-example.png")), decode(t, read(t, folder, "worked-example.png"))
	if n := differing(want, got); n > 0 {
		t.Errorf("docs/worked-example.png differs in %d dots from what is drawn now; look at it, then run lab example --out docs", n)
	}
}

func TestExampleRefusesAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	status, out, errOut := lab("example", "--out", file)
	if status != exitUsage || out != "" || strings.Count(errOut, "\n") != 1 {
		t.Errorf("status %d, output %q, error %q; want status 2, no output and one line", status, out, errOut)
	}
}

func read(t *testing.T, folder, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func decode(t *testing.T, file []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// differing counts dots that differ by more than an eighth of full brightness in a colour, which is
// more than rounding on another processor makes of a dot; all dots where the sizes differ.
func differing(a, b image.Image) int {
	if a.Bounds() != b.Bounds() {
		return a.Bounds().Dx() * a.Bounds().Dy()
	}
	n := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			ar, ag, ab, _ := a.At(x, y).RGBA()
			br, bg, bb, _ := b.At(x, y).RGBA()
			const eighth = 0xFFFF / 8
			if max(ar, br)-min(ar, br) > eighth || max(ag, bg)-min(ag, bg) > eighth || max(ab, bb)-min(ab, bb) > eighth {
				n++
			}
		}
	}
	return n
}
