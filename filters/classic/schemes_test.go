package classic

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"hash/fnv"
	"testing"

	"pgregory.net/rapid"

	"filterlab/filters"
	"filterlab/filters/bitarray"
	"filterlab/filters/filtertest"
)

// TestWeakConformance: apart from its FPR, which is no claim, a filter with a weak hash is a filter.
func TestWeakConformance(t *testing.T) {
	run := func(knobs ...string) {
		b := bind(t, knobs...)
		b.Unjudged = true
		t.Run(b.String(), func(t *testing.T) { filtertest.Run(t, b) })
	}
	for _, s := range schemes() {
		run("hash", s.word)
	}
	run("hash", "xxh3-32", "delete", "clear") // clearing works alike for all
}

// TestGoodHashIsBuiltIn: the default is a Filter and no Weak one, whose hash is called by a pointer.
func TestGoodHashIsBuiltIn(t *testing.T) {
	for word, weak := range map[string]bool{"xxh3": false, "fnv": true} {
		for _, remove := range []string{"none", "clear"} {
			b := bind(t, "hash", word, "delete", remove)
			f, err := b.New(b.Params(10, 0.01, 1))
			if err != nil {
				t.Fatal(err)
			}
			_, isWeak := f.(*Weak)
			_, isClearingWeak := f.(*ClearingWeak)
			if _, removes := f.(filters.Remover); removes != (remove == "clear") || (isWeak || isClearingWeak) != weak {
				t.Errorf("%s is a %T", b, f)
			}
		}
	}
}

func TestWeakAllocs(t *testing.T) {
	for _, s := range schemes() {
		b := bind(t, "hash", s.word)
		f, err := b.New(b.Params(1000, 0.01, 1))
		if err != nil {
			t.Fatal(err)
		}
		key := []byte("user123")
		if n := testing.AllocsPerRun(100, func() { f.Add(key); f.Contains(key) }); n != 0 {
			t.Errorf("%s: Add and Contains allocate %g times", s.word, n)
		}
	}
}

// TestMurmurVectors holds the package against values published with MurmurHash3_x86_32: those of
// its author's SMHasher and of the Wikipedia article.
func TestMurmurVectors(t *testing.T) {
	for _, v := range []struct {
		key        string
		seed, want uint32
	}{
		{"", 0, 0}, {"", 1, 0x514e28b7}, {"", 0xffffffff, 0x81f16f39},
		{"\xff\xff\xff\xff", 0, 0x76293b50}, {"\x21\x43\x65\x87", 0, 0xf55b516b}, {"\x21\x43\x65\x87", 0x5082edee, 0x2362f9de},
		{"\x21\x43\x65", 0, 0x7e4a8634}, {"\x21\x43", 0, 0xa0f7b07a}, {"\x21", 0, 0x72661cf4},
		{"test", 0x9747b28c, 0x704b81dc}, {"Hello, world!", 0x9747b28c, 0x24884cba},
		{"The quick brown fox jumps over the lazy dog", 0x9747b28c, 0x2fa826cd},
	} {
		if got := murmurNumbered([]byte(v.key), 0, 0, uint64(v.seed), 1<<32); got != uint64(v.want) {
			t.Errorf("%q with seed %#x: %#x, want %#x", v.key, v.seed, got, v.want)
		}
	}
}

func TestFNVAndCRC(t *testing.T) {
	for key, want := range map[string]uint64{"": 0xcbf29ce484222325, "a": 0xaf63dc4c8601ec8c, "foobar": 0x85944171f73967e8} {
		if low, high := schemeFor(t, "fnv").hash([]byte(key), fnvStart(0)); high<<32|low != want {
			t.Errorf("FNV-1a of %q is %#x, want %#x", key, high<<32|low, want)
		}
	}
	if got, _ := crc([]byte("123456789"), 0); got != 0xcbf43926 {
		t.Errorf("CRC-32 of its check string is %#x", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		key, seed := rapid.SliceOf(rapid.Byte()).Draw(t, "key"), rapid.Uint64().Draw(t, "seed")
		salted := key
		if seed != 0 {
			salted = append(binary.LittleEndian.AppendUint64(nil, seed), key...)
		}
		sum := fnv.New64a()
		sum.Write(salted)
		if got := fnvSum(key, fnvStart(seed)); got != sum.Sum64() {
			t.Fatalf("FNV-1a %#x, package hash/fnv says %#x", got, sum.Sum64())
		}
		state, _ := crc(key, crcStart(seed))
		for i := range uint64(filters.MaxProbes) {
			want := crc32.ChecksumIEEE(append(bytes.Clone(salted), byte(i)))
			if got := crcNumbered(nil, state, 0, i, 1<<32); got != uint64(want) {
				t.Fatalf("CRC-32 with byte %d: %#x, package hash/crc32 says %#x", i, got, want)
			}
		}
	})
}

func schemeFor(t testing.TB, word string) scheme {
	t.Helper()
	s, ok := schemeOf(word)
	if !ok {
		t.Fatalf("no scheme %s", word)
	}
	return s
}

// TestPositions spells out the first positions of keys in a table of 1000 bits.
func TestPositions(t *testing.T) {
	for _, tt := range []struct {
		word, key string
		want      [4]uint64
	}{
		{"identity", "\x07\x00\x00\x00\x03\x00\x00\x00", [4]uint64{7, 10, 13, 16}},
		{"identity", "before \xff\xff\xff\xff\x00\x00\x00\x00", [4]uint64{295, 295, 295, 295}}, // 2^32-1
		{"identity", "\x05", [4]uint64{5, 5, 5, 5}},
		{"fnv", "a", [4]uint64{0x8601ec8c % 1000, (0x8601ec8c + 0xaf63dc4c) % 1000, (0x8601ec8c + 2*0xaf63dc4c) % 1000, (0x8601ec8c + 3*0xaf63dc4c) % 1000}},
		{"murmur-k", "", [4]uint64{0, 0x514e28b7 % 1000, murmurNumbered(nil, 0, 0, 2, 1000), murmurNumbered(nil, 0, 0, 3, 1000)}},
	} {
		s := schemeFor(t, tt.word)
		key := []byte(tt.key)
		a, b := s.hash(key, s.start(0))
		var got [4]uint64
		for i := range got {
			got[i] = s.place(key, a, b, uint64(i), 1000)
		}
		if got != tt.want {
			t.Errorf("%s of %q: positions %d, want %d", tt.word, tt.key, got, tt.want)
		}
	}
}

// TestPositionsLieInTheTable draws keys, seeds and sizes.
func TestPositionsLieInTheTable(t *testing.T) {
	all := schemes()
	rapid.Check(t, func(t *rapid.T) {
		s := all[rapid.IntRange(0, len(all)-1).Draw(t, "scheme")]
		key, m := rapid.SliceOf(rapid.Byte()).Draw(t, "key"), rapid.Uint64Range(1, 1<<40).Draw(t, "m")
		a, b := s.hash(key, s.start(rapid.Uint64().Draw(t, "seed")))
		for i := range uint64(filters.MaxProbes) {
			if x := s.place(key, a, b, i, m); x >= m {
				t.Fatalf("%s: position %d of %d bits", s.word, x, m)
			}
		}
	})
}

func TestRanges(t *testing.T) {
	b := bind(t)
	f, err := b.New(b.Params(1000, 0.01, 1))
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(1000) {
		f.Add(binary.LittleEndian.AppendUint64(nil, i))
	}
	c := f.(*Filter)
	for _, count := range []int{1, 7, 150, 1000} {
		bits, ones := c.Ranges(count)
		var m, set uint64
		for i := range bits {
			m, set = m+bits[i], set+ones[i]
			if bits[i] < 64*uint64(150/count) || ones[i] > bits[i] {
				t.Errorf("range %d of %d: %d of %d bits", i, count, ones[i], bits[i])
			}
		}
		if len(bits) != min(count, 150) || m != c.bits.M || float64(set)/float64(m) != c.Occupancy() {
			t.Errorf("%d ranges: %d of %d bits in %d", count, set, m, len(bits))
		}
	}
	bits, ones := (&Filter{bits: bitarray.Array{Words: []uint64{7, 0, 1}, M: 192}}).Ranges(2)
	if bits[0] != 64 || bits[1] != 128 || ones[0] != 3 || ones[1] != 1 {
		t.Errorf("words 7, 0, 1 in two ranges: %d of %d", ones, bits)
	}
}
