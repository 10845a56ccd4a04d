package exact

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"filterlab/filters"
	"filterlab/filters/filtertest"
	"filterlab/filters/theory"
)

func TestConformance(t *testing.T) {
	filtertest.RunAll(t, RoaringVariant(), "")
	filtertest.RunAll(t, MapVariant(), "")
	filtertest.RunAll(t, NullVariant(), "")
}

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		key    string
		space  namespace
		value  uint64
		prefix string
	}{
		{"user123", decimal, 123, "user"},
		{"42", decimal, 42, ""},
		{"0", decimal, 0, ""},
		{"user0", decimal, 0, "user"},
		{"größe7", decimal, 7, "größe"},
		{"/item?id=18446744073709551615", decimal, math.MaxUint64, "/item?id="},
		{"user1234", decimal, 1234, "user"}, // 8 bytes, but text
		{"0123456789abcdef", hexID, 0x0123456789abcdef, ""},
		{"1234567890123456", hexID, 0x1234567890123456, ""},
		{"\x00\x01\x02\x03\x04\x05\x06\x07", rawID, 0x0001020304050607, ""},
		{"\x00bcdefg1", rawID, 0x0062636465666731, ""},
		{"username", rawID, 0x757365726e616d65, ""},
		{"0123456789ABCDEF", hashed, 0, ""},
		{"user007", hashed, 0, ""},
		{"18446744073709551616", hashed, 0, ""},
		{"a\n1", hashed, 0, ""},
		{"a\xff1", hashed, 0, ""},
		{"user", hashed, 0, ""},
		{"", hashed, 0, ""},
	} {
		space, value, at := classify([]byte(c.key))
		if c.space == hashed {
			c.value = filters.Hash([]byte(c.key), 0)
		}
		if space != c.space || value != c.value || c.key[:at] != c.prefix {
			t.Errorf("%q: namespace %d, %d, prefix %q; want %d, %d, %q", c.key, space, value, c.key[:at], c.space, c.value, c.prefix)
		}
	}
}

// TestClassifyIsInjective: a key can be told from its namespace, integer and prefix.
func TestClassifyIsInjective(t *testing.T) {
	keys := rapid.OneOf(rapid.StringMatching(`[a-f0-9]{0,20}`), rapid.StringMatching(`[a-z]{0,4}[0-9]{1,21}`),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 8, 8), func(b []byte) string { return string(b) }))
	rapid.Check(t, func(t *rapid.T) {
		key := keys.Draw(t, "key")
		space, value, at := classify([]byte(key))
		var back string
		switch space {
		case decimal:
			back = fmt.Sprintf("%s%d", key[:at], value)
		case hexID:
			back = fmt.Sprintf("%016x", value)
		case rawID:
			back = string(binary.BigEndian.AppendUint64(nil, value))
		case hashed:
			return
		}
		if back != key {
			t.Fatalf("%q reads back as %q from namespace %d", key, back, space)
		}
	})
}

// hexKey and userKey render key i of a set.
func hexKey(i uint64, buf []byte) []byte  { return fmt.Appendf(buf[:0], "%016x", filters.Mix(i)) }
func userKey(i uint64, buf []byte) []byte { return fmt.Appendf(buf[:0], "user%d", i) }

func roaringOf(t testing.TB, n uint64, key func(uint64, []byte) []byte) *Roaring {
	t.Helper()
	r := newRoaring()
	var buf []byte
	for i := range n {
		buf = key(i, buf)
		r.Add(buf)
	}
	if err := r.Seal(); err != nil {
		t.Fatal(err)
	}
	return r
}

// heapBytes returns what is alive on the heap of what build returns.
func heapBytes(build func() any) float64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&before)
	kept := build()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	return float64(after.HeapAlloc) - float64(before.HeapAlloc)
}

// TestKeyShapeDecidesMemory: bits a key, serialized and on the heap, for dense numbers and for
// random 64-bit ids.
func TestKeyShapeDecidesMemory(t *testing.T) {
	n := uint64(1_000_000)
	if testing.Short() {
		n = 100_000
	}
	check := func(what string, bits, lo, hi float64) {
		got := bits / float64(n)
		t.Logf("%s: %.4g bits a key", what, got)
		if got < lo || got > hi {
			t.Errorf("%s: %.4g bits a key, want %g to %g", what, got, lo, hi)
		}
	}
	var r *Roaring
	heap := heapBytes(func() any { r = roaringOf(t, n, userKey); return r })
	// 0.07 without run compression, since the last container is then a bitmap.
	check("dense numbers, serialized", float64(r.SizeBits()), 0.001, 0.07)
	const around = countBytes + headerBytes + len("user") + 8 + 4
	if want := uint64(around) + theory.SizeRoaringSequence(n).Runs; r.SizeBits() != 8*want {
		t.Errorf("dense numbers: %d bits, want 8 x %d", r.SizeBits(), want)
	}
	check("dense numbers, heap", 8*heap, -2, 2)
	heap = heapBytes(func() any { r = roaringOf(t, n, hexKey); return r })
	check("random ids, serialized", float64(r.SizeBits()), 175.5, 176.5)
	check("random ids, heap", 8*heap, 1200, 8*roaringHeapBytes)
	m := &Map{keys: map[string]struct{}{}}
	heap = heapBytes(func() any {
		var buf []byte
		for i := range n {
			buf = hexKey(i, buf)
			m.Add(buf)
		}
		return m
	})
	check("map of 16-byte keys, as counted", float64(m.SizeBits()), 256, 256)
	check("map of 16-byte keys, heap", 8*heap, 300, 8*mapHeapBytes)
}

// TestSealIsLinear: sealing in runs, with removes among them, allocates in proportion to the keys.
func TestSealIsLinear(t *testing.T) {
	cost := func(n uint64) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := roaringOf(t, n, hexKey)
		var buf []byte
		for i := range n / 2 {
			buf = hexKey(i, buf)
			r.Remove(buf)
			buf = hexKey(n+i, buf)
			r.Add(buf)
		}
		if err := r.Seal(); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if got := r.spaces[hexID].sealed.GetCardinality(); got != n {
			t.Fatalf("n=%d: %d keys held", n, got)
		}
		return float64(after.TotalAlloc-before.TotalAlloc) / float64(n)
	}
	small, large := cost(10_000), cost(160_000)
	if large > 1.5*small {
		t.Errorf("%.0f bytes a key at n = 10,000 and %.0f at 160,000: not linear", small, large)
	}
}

func TestRoaringTakesEffectAtSeal(t *testing.T) {
	r := newRoaring()
	key := []byte("user7")
	r.Add(key)
	if r.Contains(key) || r.Remove(key) {
		t.Error("an unsealed key counts as held")
	}
	r.Add(key)
	if _, err := r.WriteTo(new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "seal") {
		t.Errorf("saving with unsealed changes: error %v", err)
	}
	if err := r.Seal(); err != nil {
		t.Fatal(err)
	}
	if !r.Contains(key) || !r.Remove(key) {
		t.Error("added, removed and added again, sealed: not held")
	}
	if err := r.Seal(); err != nil || r.Contains(key) || len(r.prefixes) != 0 {
		t.Errorf("removed and sealed: error %v, %d prefixes left", err, len(r.prefixes))
	}
}

func TestRoaringNotes(t *testing.T) {
	r := newRoaring()
	for _, key := range []string{"user1", "0123456789abcdef", "\x00bcdefgh"} {
		r.Add([]byte(key))
	}
	if r.Seal(); r.Notes() != nil {
		t.Errorf("keys that are integers: %q", r.Notes())
	}
	r.Add([]byte("user007"))
	r.Add([]byte("/about"))
	if r.Seal(); len(r.Notes()) != 1 || !strings.Contains(r.Notes()[0], "n/2^64 collisions: 2 keys") {
		t.Errorf("two keys by hash: %q", r.Notes())
	}
}

func savedRoaring(t testing.TB) *Roaring {
	r := newRoaring()
	for _, key := range []string{"user1", "user2", "item9", "5", "0123456789abcdef", "\x00bcdefgh", "/about", "user007"} {
		r.Add([]byte(key))
	}
	if err := r.Seal(); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRoaringSaves(t *testing.T) {
	r := savedRoaring(t)
	var saved bytes.Buffer
	n, err := r.WriteTo(&saved)
	if err != nil || n != int64(saved.Len()) || 8*uint64(n) != r.SizeBits() {
		t.Fatalf("wrote %d bytes as %d, error %v, SizeBits %d", saved.Len(), n, err, r.SizeBits())
	}
	for cut := range saved.Len() {
		back := roaringOf(t, 3, userKey)
		if _, err := back.ReadFrom(bytes.NewReader(saved.Bytes()[:cut])); err == nil {
			t.Fatalf("the first %d of %d bytes are no error", cut, saved.Len())
		}
		if !back.Contains([]byte("user0")) {
			t.Fatalf("the first %d bytes changed the set", cut)
		}
	}
	back := newRoaring()
	if m, err := back.ReadFrom(&saved); err != nil || m != n || back.SizeBits() != r.SizeBits() {
		t.Fatalf("read %d bytes of %d, error %v", m, n, err)
	}
	for key, want := range map[string]bool{"user1": true, "item9": true, "5": true, "/about": true, "user3": false, "6": false} {
		if back.Contains([]byte(key)) != want {
			t.Errorf("read back, %q: %v", key, !want)
		}
	}
}

// FuzzRoaringReadFrom: damaged input is an error, never a panic, and what reads writes back.
func FuzzRoaringReadFrom(f *testing.F) {
	var saved bytes.Buffer
	if _, err := savedRoaring(f).WriteTo(&saved); err != nil {
		f.Fatal(err)
	}
	f.Add(saved.Bytes())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		r := newRoaring()
		if _, err := r.ReadFrom(bytes.NewReader(data)); err != nil {
			return
		}
		var again bytes.Buffer
		if n, err := r.WriteTo(&again); err != nil || 8*uint64(n) != r.SizeBits() {
			t.Fatalf("read, and writes %d bytes, error %v", n, err)
		}
	})
}

func TestMapCounts(t *testing.T) {
	m := &Map{keys: map[string]struct{}{}}
	m.Add([]byte("abc"))
	m.Add([]byte("abc"))
	m.Add(nil)
	if m.SizeBits() != 8*(3+2*stringHeader) {
		t.Errorf("%d bits", m.SizeBits())
	}
	if !m.Remove([]byte("abc")) || m.Remove([]byte("abc")) || m.SizeBits() != 8*stringHeader {
		t.Errorf("after removing: %d bits", m.SizeBits())
	}
}
