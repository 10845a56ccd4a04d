package filters_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/zeebo/xxh3"

	"filterlab/filters"
	"filterlab/filters/spec"
)

// A table is the least filter that can be saved: one bit a key.
type table struct {
	words []uint64
	reads int
}

func (f *table) slot(key []byte) (*uint64, uint64) {
	i := filters.Reduce(filters.Hash(key, 0), uint64(64*len(f.words)))
	return &f.words[i/64], 1 << (i % 64)
}

func (f *table) Add(key []byte) bool {
	w, bit := f.slot(key)
	*w |= bit
	return true
}

func (f *table) Contains(key []byte) bool {
	w, bit := f.slot(key)
	return *w&bit != 0
}

func (f *table) SizeBits() uint64                    { return uint64(64 * len(f.words)) }
func (f *table) WriteTo(w io.Writer) (int64, error)  { return filters.WriteWords(w, f.words) }
func (f *table) ReadFrom(r io.Reader) (int64, error) { f.reads++; return filters.ReadWords(r, f.words) }

// parse knows one variant, "table", of n words.
func parse(text string) (filters.Bound, error) {
	if text != "table" {
		return filters.Bound{}, spec.Unknown("no such variant", text, []string{"table"})
	}
	v := filters.Variant{
		Name: "table",
		New: func(p filters.Params) (filters.Filter, error) {
			return &table{words: make([]uint64, p.N)}, p.Check()
		},
		Model: func(p filters.Params) (filters.Model, error) {
			if _, err := filters.TableWords(64 * float64(p.N)); err != nil {
				return filters.Model{}, err
			}
			return filters.Model{Bits: 64 * p.N}, p.Check()
		},
	}
	return v.Bind(nil)
}

var header = filters.Header{Spec: "table", N: 5, P: 0.01, Seed: 7, Held: 2}

func saved(t testing.TB, h filters.Header, f filters.Filter) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := filters.Save(&out, h, f); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func small(t testing.TB) []byte {
	t.Helper()
	f := &table{words: make([]uint64, 5)}
	f.Add([]byte("apple"))
	f.Add([]byte("banana"))
	return saved(t, header, f)
}

func TestSaveLoad(t *testing.T) {
	file := small(t)
	f, h, err := filters.Load(iotest.OneByteReader(bytes.NewReader(file)), parse)
	if err != nil {
		t.Fatal(err)
	}
	want := header
	want.Payload = 40
	if h != want {
		t.Errorf("loaded %+v, want %+v", h, want)
	}
	if !f.Contains([]byte("apple")) || !f.Contains([]byte("banana")) || f.Contains([]byte("kiwi")) {
		t.Error("the loaded filter answers otherwise")
	}
}

func TestEveryTruncationIsAnError(t *testing.T) {
	file := small(t)
	for n := range file {
		_, _, err := filters.Load(bytes.NewReader(file[:n]), parse)
		want := "cut off"
		switch {
		case n == 0:
			want = "empty"
		case n < 8:
			want = "not a saved filter"
		}
		if err == nil || !strings.Contains(err.Error(), want) && !strings.Contains(err.Error(), "cut off") {
			t.Errorf("the first %d of %d bytes: %v; want an error that says %q", n, len(file), err, want)
		}
	}
}

func TestEveryFlippedBitIsAnError(t *testing.T) {
	file := small(t)
	for i := range 8 * len(file) {
		file[i/8] ^= 1 << (i % 8)
		_, _, err := filters.Load(bytes.NewReader(file), parse)
		file[i/8] ^= 1 << (i % 8)
		want := []string{"damaged", "cut off"}
		switch {
		case i < 8*8:
			want = []string{"not a saved filter"}
		case i < 8*10:
			want = []string{"version"}
		}
		ok := false
		for _, w := range want {
			ok = ok || err != nil && strings.Contains(err.Error(), w)
		}
		if !ok {
			t.Errorf("bit %d of byte %d flipped: %v; want an error that says %q", i%8, i/8, err, want)
		}
	}
}

// forge makes a file with right checksums and any header, around a payload.
func forge(t testing.TB, payload []byte, change func(fixed []byte)) []byte {
	t.Helper()
	const fixed = 52
	out := bytes.Clone(small(t)[:fixed+len("table")])
	change(out)
	out = binary.LittleEndian.AppendUint64(out, xxh3.Hash(out))
	out = append(out, payload...)
	return binary.LittleEndian.AppendUint64(out, xxh3.Hash(out))
}

// TestForged: right checksums prove nothing about sizes and names.
func TestForged(t *testing.T) {
	const atN, atP, atPayload, atSpec = 12, 20, 44, 52
	put := func(at int, x uint64) func([]byte) {
		return func(b []byte) { binary.LittleEndian.PutUint64(b[at:], x) }
	}
	forty := make([]byte, 40)
	tests := []struct {
		name, want string
		file       []byte
	}{
		{"payload of 2^62 bytes", "8 of 4611686018427387904 bytes", forge(t, nil, put(atPayload, 1<<62))},
		{"payload of 2^64-1 bytes", "payload of 18446744073709551615 bytes", forge(t, nil, put(atPayload, math.MaxUint64))},
		{"a filter larger than its payload", "40 bytes of payload, where", forge(t, forty, put(atN, 1<<33))},
		{"a payload larger than its filter", "8 of 40 bytes belong to nothing", forge(t, forty, put(atN, 4))},
		{"n = 0", "n = 0", forge(t, forty, put(atN, 0))},
		{"p is no number", "p = NaN", forge(t, forty, put(atP, math.Float64bits(math.NaN())))},
		{"a variant nobody knows", "known: table", forge(t, forty, func(b []byte) { b[atSpec] = 'T' })},
		{"something behind the end", "more after the end", append(small(t), 0)},
		{"a text file", "not a saved filter", []byte(strings.Repeat("user123\n", 20))},
	}
	for _, tt := range tests {
		_, _, err := filters.Load(bytes.NewReader(tt.file), parse)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v; want an error that says %q", tt.name, err, tt.want)
		}
	}
}

// onlyFilter hides what a filter offers beyond the minimum.
type onlyFilter struct{ filters.Filter }

func TestSaveRefuses(t *testing.T) {
	err := filters.Save(io.Discard, header, onlyFilter{&table{}})
	if err == nil || !strings.Contains(err.Error(), "variant table") {
		t.Errorf("no WriteTo: %v; want an error that names the variant", err)
	}
	for _, length := range []int{0, 5000} {
		h := header
		h.Spec = strings.Repeat("x", length)
		if err := filters.Save(io.Discard, h, &table{}); err == nil {
			t.Errorf("a spec of %d bytes is no error", length)
		}
	}
	full := small(t)
	for room := range full {
		if err := filters.Save(&limited{room}, header, &table{words: make([]uint64, 5)}); !errors.Is(err, errFull) {
			t.Fatalf("a disk full after %d bytes: %v", room, err)
		}
	}
}

var errFull = errors.New("no space left")

// limited is a writer that fails once its room is used up.
type limited struct{ room int }

func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.room)
	l.room -= n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

// TestReadError: an error of the reader is passed on as it is.
func TestReadError(t *testing.T) {
	file := small(t)
	for n := range file {
		r := io.MultiReader(bytes.NewReader(file[:n]), iotest.ErrReader(errFull))
		if _, _, err := filters.Load(r, parse); !errors.Is(err, errFull) {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}

func FuzzLoad(f *testing.F) {
	file := small(f)
	f.Add(file, false)
	f.Add(file[:30], false)
	f.Add(file, true)
	f.Fuzz(func(t *testing.T, data []byte, mend bool) {
		if mend {
			data = mended(data)
		}
		loaded, h, err := filters.Load(bytes.NewReader(data), parse)
		if err != nil {
			return
		}
		if again := saved(t, h, loaded); !bytes.Equal(again, data) {
			t.Errorf("%x loads, and is saved as %x", data, again)
		}
	})
}

// mended puts the checksums right, so that fuzzing gets past them.
func mended(data []byte) []byte {
	const fixed = 52
	if len(data) < fixed+16 {
		return data
	}
	out := bytes.Clone(data)
	head := fixed + int(binary.LittleEndian.Uint16(out[10:]))
	if head+16 > len(out) {
		return data
	}
	binary.LittleEndian.PutUint64(out[head:], xxh3.Hash(out[:head]))
	end := len(out) - 8
	binary.LittleEndian.PutUint64(out[end:], xxh3.Hash(out[:end]))
	return out
}
