package counting

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"filterlab/filters"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden holds a saved filter of version 1 of each layout: it loads, holds its keys, and the same
// keys make the same file again. So neither file format nor counters can move unnoticed.
func TestGolden(t *testing.T) {
	const n = 40
	for i, name := range []string{"flat4", "flat8", "blocked4", "blocked8"} {
		b := bind(t, settings[i])
		f := build(t, settings[i], n, 0.001, 7)
		for i := range n {
			f.Add(fmt.Appendf(nil, "user%d", i))
		}
		var made bytes.Buffer
		if err := filters.Save(&made, filters.Header{Spec: b.String(), N: n, P: 0.001, Seed: 7, Held: n}, f); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join("testdata", name+".v1")
		if *update {
			if err := os.WriteFile(name, made.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		golden, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(made.Bytes(), golden) {
			t.Errorf("the file differs from %s", name)
		}
		loaded, _, err := filters.Load(bytes.NewReader(golden), parse)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if !loaded.Contains(fmt.Appendf(nil, "user%d", i)) {
				t.Errorf("user%d is not in %s", i, name)
			}
		}
	}
}
