package filtertest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"

	"filterlab/filters"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Golden holds a variant against a filter of it that was saved to path: the file loads and holds its
// keys, and the same keys make the same file again. So neither the format nor the bits can move
// unnoticed.
func Golden(t *testing.T, b filters.Bound, path string) {
	t.Helper()
	const n = 40
	f, err := b.New(b.Params(n, 0.001, 7))
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		f.Add(fmt.Appendf(nil, "user%d", i))
	}
	var made bytes.Buffer
	if err := filters.Save(&made, filters.Header{Spec: b.String(), N: n, P: 0.001, Seed: 7, Held: n}, f); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, made.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(made.Bytes(), golden) {
		t.Errorf("%s: the file differs from %s", b, path)
	}
	loaded, _, err := filters.Load(bytes.NewReader(golden), parser(b))
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if !loaded.Contains(fmt.Appendf(nil, "user%d", i)) {
			t.Errorf("%s: user%d is not in %s", b, i, path)
		}
	}
}
