package split

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"testing"

	"filterlab/filters"
	"filterlab/filters/classic"
	"filterlab/filters/filtertest"
)

func TestConformance(t *testing.T) { filtertest.RunAll(t, Variant(), "", "c=6", "c=10") }

// build returns the variant's filter for n keys at p, and the uncut one.
func build(t testing.TB, n uint64, p float64, seed uint64, c string) (*Filter, filters.Filter) {
	t.Helper()
	b, err := Variant().Bind(map[string]string{"c": c})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := classic.Variant().Bind(nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := b.New(b.Params(n, p, seed))
	if err != nil {
		t.Fatal(err)
	}
	uncut, err := whole.New(whole.Params(n, p, seed))
	if err != nil {
		t.Fatal(err)
	}
	return f.(*Filter), uncut
}

// TestChunks: with chunks of 1,024 bits, bit 2500 is bit 452 of chunk 2.
func TestChunks(t *testing.T) {
	f, _ := build(t, 1000, 0.01, 1, "10")
	if len(f.chunks) != 10 || len(f.chunks[2]) != 16 || len(f.chunks[9]) != 6 { // 150 words
		t.Fatalf("%d chunks, the last of %d words", len(f.chunks), len(f.chunks[9]))
	}
	f.chunks[2][452/64] |= 1 << (452 % 64)
	var file bytes.Buffer
	if _, err := f.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	for i, b := range file.Bytes() {
		want := byte(0)
		if i == 2500/8 {
			want = 1 << (2500 % 8)
		}
		if b != want {
			t.Errorf("byte %d of the uncut array is %08b, want %08b", i, b, want)
		}
	}
}

// TestUncut: whatever the chunks, the filter answers as the uncut one, has its size and its bits.
func TestUncut(t *testing.T) {
	for _, c := range []string{"6", "7", "10", "13", "20", "40"} {
		for _, n := range []uint64{1, 6, 1000, 20000} {
			f, uncut := build(t, n, 0.01, n, c)
			key := func(i uint64) []byte { return fmt.Appendf(nil, "user%d", i) }
			for i := range n {
				f.Add(key(i))
				uncut.Add(key(i))
			}
			for i := range 20*n + 1000 {
				if got, want := f.Contains(key(i)), uncut.Contains(key(i)); got != want {
					t.Fatalf("c=%s, n=%d: key %d answers %v, uncut %v", c, n, i, got, want)
				}
			}
			var a, b bytes.Buffer
			if _, err := f.WriteTo(&a); err != nil {
				t.Fatal(err)
			}
			if _, err := uncut.(*classic.Filter).WriteTo(&b); err != nil {
				t.Fatal(err)
			}
			if f.SizeBits() != uncut.SizeBits() || !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Errorf("c=%s, n=%d: %d bits, uncut %d; same bits set: %v", c, n, f.SizeBits(), uncut.SizeBits(), bytes.Equal(a.Bytes(), b.Bytes()))
			}
		}
	}
}

// TestReadShort: a file that ends early is an error that names the chunk.
func TestReadShort(t *testing.T) {
	f, _ := build(t, 1000, 0.01, 1, "10")
	if _, err := f.ReadFrom(bytes.NewReader(make([]byte, 300))); err == nil || !strings.Contains(err.Error(), "chunk 2") {
		t.Errorf("300 of 1200 bytes: %v", err)
	}
}

func TestTooLarge(t *testing.T) {
	b, err := Variant().Bind(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []uint64{2e11, math.MaxUint64} {
		params := b.Params(n, 0.01, 1)
		_, err := b.New(params)
		_, modelErr := b.Model(params)
		if err == nil || modelErr == nil || !strings.Contains(err.Error(), "GB") {
			t.Errorf("n=%d: New says %v, Model %v", n, err, modelErr)
		}
	}
}

func TestAllocs(t *testing.T) {
	f, _ := build(t, 1000, 0.01, 1, "10")
	key := []byte("user123")
	if n := testing.AllocsPerRun(100, func() { f.Add(key); f.Contains(key) }); n != 0 {
		t.Errorf("Add and Contains allocate %g times", n)
	}
}

// TestBatch: many keys at once get the answers that each gets alone, whatever their number, and what
// lies beyond them is left alone.
func TestBatch(t *testing.T) {
	for _, p := range []float64{0.7, 0.2, 0.001} { // k = 1, 2, 10
		f, _ := build(t, 300, p, 1, "8")
		keys := make([][]byte, 300)
		for i := range keys {
			keys[i] = fmt.Appendf(nil, "user%d", i)
			if i%3 == 0 {
				f.Add(keys[i])
			}
		}
		for _, n := range []int{0, 1, 63, 64, 65, 300} {
			held := make([]bool, 301)
			for i := range held {
				held[i] = i%2 == 0
			}
			f.ContainsBatch(keys[:n], held)
			for i, got := range held {
				want := i%2 == 0
				if i < n {
					want = f.Contains(keys[i])
				}
				if got != want {
					t.Fatalf("p=%g, %d keys: number %d answers %v, alone %v", p, n, i, got, want)
				}
			}
		}
		if n := testing.AllocsPerRun(20, func() { f.ContainsBatch(keys, make([]bool, 300)) }); n > 0 {
			t.Errorf("ContainsBatch allocates %g times", n)
		}
	}
}

// TestFormat: the payload of version 1 of the file format does not move.
func TestFormat(t *testing.T) {
	f, _ := build(t, 20, 0.1, 42, "6")
	for i := range 5 {
		f.Add(fmt.Appendf(nil, "user%d", i))
	}
	var file bytes.Buffer
	if _, err := f.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	const want = "00101002020002002120401088200400"
	if got := hex.EncodeToString(file.Bytes()); got != want || len(f.chunks) != 2 {
		t.Errorf("payload of %d chunks %s, want %s", len(f.chunks), got, want)
	}
}
