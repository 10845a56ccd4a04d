package fuse

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filterlab/filters"
	"filterlab/filters/spec"
)

func parse(text string) (filters.Bound, error) {
	_, given, err := spec.Parse(text)
	if err != nil {
		return filters.Bound{}, err
	}
	return Variant().Bind(given)
}

func payload(t testing.TB, f any) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := f.(io.WriterTo).WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestGolden: version 1 of a saved filter does not move, and is read.
func TestGolden(t *testing.T) {
	for _, width := range []string{"8", "16"} {
		f := mustNew(t, width, 20)
		fill(t, f, 18) // fewer than planned
		var got bytes.Buffer
		if err := filters.Save(&got, filters.Header{Spec: "fuse:f=" + width, N: 20, P: 0.01, Seed: 1, Held: 18}, f); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("testdata", "fuse"+width+".flab"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("f=%s is saved as %x, want %x", width, got.Bytes(), want)
		}
		g, _, err := filters.Load(bytes.NewReader(want), parse)
		if err != nil {
			t.Fatalf("f=%s: %v", width, err)
		}
		if !bytes.Equal(payload(t, g), payload(t, f)) || g.SizeBits() != f.SizeBits() || g.Add([]byte("late")) {
			t.Errorf("f=%s: the filter read back is another", width)
		}
	}
}

// TestSavedSizes: filters with fewer and with more keys than planned can be read, and those for which
// the package halved the segments.
func TestSavedSizes(t *testing.T) {
	halved := 0
	for _, planned := range []uint64{1, 300} {
		for n := uint64(0); n < 400; n += 1 + n/20 {
			f := mustNew(t, "8", planned)
			fill(t, f, n)
			var file bytes.Buffer
			if err := filters.Save(&file, filters.Header{Spec: "fuse:f=8", N: planned, P: 0.01, Seed: 1, Held: n}, f); err != nil {
				t.Fatal(err)
			}
			g, _, err := filters.Load(&file, parse)
			if err != nil {
				t.Fatalf("%d keys where %d were planned: %v", n, planned, err)
			}
			a, b := f.(*Filter8), g.(*Filter8)
			fingerprints := a.table.Fingerprints
			if !bytes.Equal(fingerprints, b.table.Fingerprints) || a.table.SegmentCountLength != b.table.SegmentCountLength ||
				a.table.SegmentLengthMask != b.table.SegmentLengthMask || a.table.SegmentCount != b.table.SegmentCount {
				t.Errorf("%d keys: %+v is read back as %+v", n, a.table, b.table)
			}
			if uint64(a.table.SegmentLength) != a.layout(n).SegmentLength {
				halved++
			}
		}
	}
	if halved == 0 {
		t.Error("no table has halved segments: the test is too tame")
	}
}

func TestReadFromRefuses(t *testing.T) {
	if _, err := mustNew(t, "8", 20).(io.WriterTo).WriteTo(io.Discard); err == nil || !strings.Contains(err.Error(), "seal") {
		t.Errorf("a filter that is not sealed is saved: %v", err)
	}
	f := mustNew(t, "8", 100)
	fill(t, f, 10)
	saved := payload(t, f)
	put := func(at int, x uint64) []byte {
		data := bytes.Clone(saved)
		binary.LittleEndian.PutUint64(data[at:], x)
		return data
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":                       {nil, "header of 24 bytes ends after 0"},
		"cut header":                  {saved[:23], "header of 24 bytes ends after 23"},
		"cut table":                   {saved[:len(saved)-1], "ends after"},
		"keys beyond 32 bits":         {put(0, 1<<40), "damaged"},
		"more keys than a table":      {put(0, 1<<32), "GB"},
		"more keys than the file has": {put(0, 1000), "damaged"},
		"no segments":                 {put(16, 0), "damaged"},
		"long segments":               {put(16, 1<<20), "damaged"},
		"something beyond the table":  {put(len(saved)-8, 1), "beyond the table"},
	} {
		g := mustNew(t, "8", 100)
		if _, err := g.(io.ReaderFrom).ReadFrom(bytes.NewReader(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
		if !g.Add([]byte("still open")) {
			t.Errorf("%s: the filter changed", name)
		}
	}
}

func FuzzReadFrom(f *testing.F) {
	g := mustNew(f, "16", 20)
	fill(f, g, 20)
	f.Add(payload(f, g))
	f.Fuzz(func(t *testing.T, data []byte) {
		g := mustNew(t, "16", 20)
		n, err := g.(io.ReaderFrom).ReadFrom(bytes.NewReader(data))
		if err != nil {
			return
		}
		maybes(g, 100)
		if again := payload(t, g); !bytes.Equal(again, data[:n]) {
			t.Errorf("%x is read and saved as %x", data[:n], again)
		}
	})
}
