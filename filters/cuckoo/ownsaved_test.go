package cuckoo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filterlab/filters"
	"filterlab/filters/spec"
)

// overfull is a filter of the width with a key in its victim slot.
func overfull(t testing.TB, width string) *Own {
	t.Helper()
	f := mustOwn(t, width, 20)
	for i := range 200 {
		f.Add(fmt.Appendf(nil, "user%d", i))
	}
	if f.victim.fingerprint == 0 {
		t.Fatal("the victim slot is empty")
	}
	return f
}

// TestOwnGolden: version 1 of a saved filter does not move, and is read.
func TestOwnGolden(t *testing.T) {
	for _, width := range widthKnobs {
		f := overfull(t, width)
		var got bytes.Buffer
		h := filters.Header{Spec: "cuckoo-own:f=" + width, N: 20, P: 0.01, Seed: 20, Held: f.held}
		if err := filters.Save(&got, h, f); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("testdata", "own"+width+".flab"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("f=%s is saved as %x, want %x", width, got.Bytes(), want)
		}
		loaded, _, err := filters.Load(bytes.NewReader(want), func(text string) (filters.Bound, error) {
			_, given, err := spec.Parse(text)
			if err != nil {
				return filters.Bound{}, err
			}
			return OwnVariant().Bind(given)
		})
		if err != nil {
			t.Fatalf("f=%s: %v", width, err)
		}
		g := loaded.(*Own)
		if !bytes.Equal(g.table, f.table) || g.victim != f.victim || g.held != f.held {
			t.Errorf("f=%s: read back as %+v", width, g)
		}
		for i := range 20 {
			if key := fmt.Appendf(nil, "user%d", i); !g.Contains(key) || !g.Remove(key) {
				t.Errorf("f=%s: user%d is not in the filter read back", width, i)
			}
		}
	}
}

func TestOwnReadFromRefuses(t *testing.T) {
	var saved bytes.Buffer
	if _, err := overfull(t, "12").WriteTo(&saved); err != nil {
		t.Fatal(err)
	}
	damaged := func(at int, x uint64) []byte {
		data := bytes.Clone(saved.Bytes())
		binary.LittleEndian.PutUint64(data[at:], x)
		return data
	}
	end := saved.Len() - 8
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":                     {nil, "header"},
		"cut header":                {saved.Bytes()[:15], "header of 16 bytes ends after 15"},
		"cut table":                 {saved.Bytes()[:saved.Len()-1], "ends after"},
		"fingerprint beyond f bits": {damaged(0, 1<<12), "victim"},
		"bucket beyond the last":    {damaged(8, 9999), "victim"},
		"bucket without a victim":   {damaged(0, 0), "victim"},
		"something in the margin":   {damaged(end, 1<<63), "beyond the last"},
	} {
		f := mustOwn(t, "12", 20)
		offer(f, 3, 10)
		before := bytes.Clone(f.table)
		if _, err := f.ReadFrom(bytes.NewReader(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
		if !bytes.Equal(before, f.table) || f.held != 10 {
			t.Errorf("%s: the filter changed", name)
		}
	}
}

func FuzzOwnReadFrom(f *testing.F) {
	var saved bytes.Buffer
	if _, err := overfull(f, "12").WriteTo(&saved); err != nil {
		f.Fatal(err)
	}
	f.Add(saved.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		g := mustOwn(t, "12", 20)
		n, err := g.ReadFrom(bytes.NewReader(data))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if _, err := g.WriteTo(&again); err != nil || !bytes.Equal(again.Bytes(), data[:n]) {
			t.Errorf("%x is read and saved as %x, %v", data[:n], again.Bytes(), err)
		}
	})
}
