package blocked

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"filterlab/filters"
)

// A parquetFilter follows the text of Apache Parquet's BloomFilter.md line by line.
type parquetFilter [][8]uint32

func parquetMask(x uint32) (out [8]uint32) {
	for i, salt := range [8]uint32{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31} {
		y := x * salt
		out[i] |= 1 << (y >> 27)
	}
	return out
}

func (z parquetFilter) insert(x uint64) {
	i := ((x >> 32) * uint64(len(z))) >> 32
	for j, bits := range parquetMask(uint32(x)) {
		z[i][j] |= bits
	}
}

// TestParquet: the split layout is the bitset of a Parquet file of as many blocks, byte by byte.
func TestParquet(t *testing.T) {
	onBothPaths(t, func(t *testing.T) {
		for _, n := range []uint64{1, 50, 3000} {
			f := build(t, bind(t, "split", "none"), n, 0.01, 5)
			want := make(parquetFilter, f.blocks)
			for i := range n {
				key := binary.LittleEndian.AppendUint64(nil, i)
				f.Add(key)
				want.insert(filters.Hash(key, 5))
			}
			var got, file bytes.Buffer
			if _, err := f.WriteTo(&got); err != nil {
				t.Fatal(err)
			}
			if err := binary.Write(&file, binary.LittleEndian, [][8]uint32(want)); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), file.Bytes()) {
				t.Errorf("n=%d: the bits are not those of Parquet", n)
			}
		}
	})
}

// TestPaths: assembly, Go code and atomic updates set the same bits, and answer alike, one by one and in
// batches.
func TestPaths(t *testing.T) {
	defer func(was bool) { useAVX2 = was }(useAVX2)
	fast := useAVX2
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Range(1, 2000).Draw(t, "n")
		seed := rapid.Uint64().Draw(t, "seed")
		p := rapid.SampledFrom([]float64{0.5, 0.01, 1e-5}).Draw(t, "p")
		layout := rapid.SampledFrom(layouts).Draw(t, "layout")
		key := func(i uint64) []byte { return fmt.Appendf(nil, "%d/%d", seed, i) }
		var made []*Filter
		for i, sync := range []string{"none", "none", "atomic"} {
			f := build(t, bind(t, layout, sync), n, p, seed)
			useAVX2 = fast && i == 0
			for i := range n {
				f.Add(key(i))
			}
			made = append(made, f)
		}
		asked := make([][]byte, rapid.IntRange(0, 100).Draw(t, "asked"))
		for i := range asked {
			asked[i] = key(n - min(n, 20) + uint64(i))
		}
		first := answers(made[0], asked, fast)
		for _, f := range made {
			if fmt.Sprint(f.words) != fmt.Sprint(made[0].words) {
				t.Fatal("the bits differ")
			}
			if got := answers(f, asked, false); got != first {
				t.Fatalf("answers %s, want %s", got, first)
			}
		}
	})
}

// answers returns what Contains and ContainsBatch say, on assembly or without.
func answers(f *Filter, keys [][]byte, fast bool) string {
	useAVX2 = fast
	one := make([]bool, len(keys))
	for i, key := range keys {
		one[i] = f.Contains(key)
	}
	batch := make([]bool, len(keys)+3)
	batch[len(keys)] = true
	f.ContainsBatch(keys, batch)
	return fmt.Sprint(one, batch[:len(keys)], batch[len(keys):])
}

// TestMissingBit: of a key's 8 bits each one counts, and there are 8.
func TestMissingBit(t *testing.T) {
	onBothPaths(t, func(t *testing.T) {
		for _, layout := range layouts {
			f := build(t, bind(t, layout, "none"), 500, 0.01, 1)
			key, held := []byte("user123"), make([]bool, 1)
			f.Add(key)
			bits := 0
			for i, w := range f.words {
				for b := range 64 {
					if w>>b&1 == 0 {
						continue
					}
					bits++
					f.words[i] = w &^ (1 << b)
					f.ContainsBatch([][]byte{key}, held)
					if f.Contains(key) || held[0] {
						t.Errorf("%s: held without bit %d of word %d", layout, b, i)
					}
					f.words[i] = w
				}
			}
			f.ContainsBatch([][]byte{key}, held)
			if bits != 8 || !f.Contains(key) || !held[0] {
				t.Errorf("%s: %d bits a key, held %v, %v", layout, bits, f.Contains(key), held[0])
			}
		}
	})
}

// TestBatchIsChecked: too short a result is a panic, not a write beyond it.
func TestBatchIsChecked(t *testing.T) {
	f := build(t, bind(t, "split", "none"), 500, 0.01, 1)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	f.ContainsBatch([][]byte{{1}, {2}}, make([]bool, 1))
}
