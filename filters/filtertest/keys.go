package filtertest

import (
	"bytes"
	"fmt"

	"pgregory.net/rapid"

	"filterlab/filters"
)

// awkward are keys that a careless hash, parser or wire format trips over.
var awkward = [][]byte{
	{}, {0}, {0, 0}, {'\n'}, []byte("a\nb"), []byte("a\r\nb"), {0xFF}, {0xFF, 0xFE, 0},
	[]byte("a\x00b"), []byte("a"), []byte(" "), []byte("*3\r\n$3\r\nSET\r\n"), []byte("schlüssel"),
	bytes.Repeat([]byte("x"), 64<<10), bytes.Repeat([]byte{0}, 64<<10),
}

// checkKeys: every key accepted answers maybe, whatever it looks like.
func checkKeys(t rapid.TB, b filters.Bound) {
	t.Helper()
	numbered := func(format string) keySet {
		return func(i uint64, buf []byte) []byte { return fmt.Appendf(buf[:0], format, i) }
	}
	sets := []struct {
		name string
		keys keySet
	}{
		{"random 8-byte keys", random(11)},
		{"sequential user123", numbered("user%d")},
		{"sequential with zeros", numbered("%012d")},
		{"URLs", numbered("https://example.org/item?id=%d&x=1")},
	}
	for _, s := range sets {
		for _, n := range []uint64{1, 2, 63, 3000} {
			f := load(t, b, b.Params(n, 0.01, n), s.keys, n)
			f.checkLosses(t, fmt.Sprintf("%s, n=%d", s.name, n), s.keys)
			if f.refused > 0 {
				t.Errorf("%s: %d of n=%d keys refused by a filter sized for them", s.name, f.refused, n)
			}
		}
	}
	f, err := b.New(b.Params(uint64(len(awkward)), 0.01, 3))
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	accepted := make([]bool, len(awkward))
	for i, key := range awkward {
		accepted[i] = f.Add(bytes.Clone(key))
	}
	seal(t, f)
	for i, key := range awkward {
		if accepted[i] && !f.Contains(key) {
			t.Errorf("the key %.20q of %d bytes was added and answers no", key, len(key))
		}
	}
}

// checkRefusals: at three times the keys it was sized for, a filter either still answers maybe
// for all it accepted or says how many of these it dropped.
func checkRefusals(t rapid.TB, b filters.Bound) {
	t.Helper()
	for seed := range uint64(4) {
		keys := random(100 + seed)
		f := load(t, b, b.Params(1000, 0.01, seed), keys, 3000)
		f.checkLosses(t, fmt.Sprintf("3n keys offered, seed %d", seed), keys)
	}
}
