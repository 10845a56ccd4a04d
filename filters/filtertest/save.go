package filtertest

import (
	"bytes"
	"io"

	"pgregory.net/rapid"

	"filterlab/filters"
	"filterlab/filters/spec"
)

// checkSave: a filter that can be written is read back from a file with the same answers, size
// and spec; one that cannot is refused with its name.
func checkSave(t rapid.TB, b filters.Bound) {
	t.Helper()
	const n, asked = 1500, 5000
	keys := random(17)
	f := load(t, b, b.Params(n, 0.05, 9), keys, n)
	h := filters.Header{Spec: b.String(), N: n, P: 0.05, Seed: 9, Held: uint64(len(f.held))}
	var file bytes.Buffer
	err := filters.Save(&file, h, f.Filter)
	if _, ok := f.Filter.(io.WriterTo); !ok {
		if err == nil || !bytes.Contains([]byte(err.Error()), []byte(b.Name)) {
			t.Errorf("Save of a filter that has no WriteTo must be an error that names it, not: %v", err)
		}
		return
	}
	if err != nil {
		t.Fatalf("Save: %v", err)
	}
	again, got, err := filters.Load(bytes.NewReader(file.Bytes()), parser(b))
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	h.Payload = got.Payload
	if got != h || again.SizeBits() != f.SizeBits() {
		t.Errorf("saved %+v of %d bits, loaded %+v of %d bits", h, f.SizeBits(), got, again.SizeBits())
	}
	var buf []byte
	for i := range uint64(n + asked) {
		if buf = keys(i, buf); f.Contains(buf) != again.Contains(buf) {
			t.Fatalf("key %d answers %v, and %v once loaded", i, f.Contains(buf), again.Contains(buf))
		}
	}
}

// parser resolves specs of the one variant under test.
func parser(b filters.Bound) func(string) (filters.Bound, error) {
	return func(text string) (filters.Bound, error) {
		_, given, err := spec.Parse(text)
		if err != nil {
			return filters.Bound{}, err
		}
		return b.Bind(given)
	}
}
