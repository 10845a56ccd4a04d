package blocked

import (
	"encoding/binary"
	"math"
	"math/big"
	"testing"

	"filterlab/filters"
)

// TestPlace: nothing wraps up to the largest table there may be, and all blocks are in reach.
func TestPlace(t *testing.T) {
	for _, size := range []uint64{splitWords, lineWords} {
		for _, blocks := range []uint64{1, 3, 1<<31 + 1, maxBlocks - 1, maxBlocks} {
			f := &Filter{blocks: blocks, size: size}
			for _, h := range []uint64{0, 1, math.MaxUint32, 1 << 32, 0x8000_0001_2345_6789, math.MaxUint64} {
				want := new(big.Int).SetUint64(h >> 32)
				want.Mul(want, new(big.Int).SetUint64(blocks)).Rsh(want, 32).Mul(want, new(big.Int).SetUint64(size))
				if got := f.place(h); got != want.Uint64() {
					t.Errorf("%d blocks of %d words: hash %x is in word %d, want %d", blocks, size, h, got, want)
				}
			}
			if last := f.place(math.MaxUint64); last != (blocks-1)*size {
				t.Errorf("%d blocks: the last one used is %d", blocks, last/size)
			}
		}
	}
}

// TestLarge fills a little of a table of more than 2^32 bits: keys lie where they should, half of them
// beyond bit 2^32, and nothing is set elsewhere. Most of its gigabyte is never touched.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("a filter of 1 GB")
	}
	const keys = 20000
	onBothPaths(t, func(t *testing.T) {
		for _, layout := range layouts {
			f := build(t, bind(t, layout, "none"), 8e8, 0.01, 1)
			beyond, found, batch := 0, 0, make([][]byte, 2*keys)
			for i := range batch {
				batch[i] = binary.LittleEndian.AppendUint64(nil, uint64(i))
			}
			for _, key := range batch[:keys] {
				f.Add(key)
				h := filters.Hash(key, 1)
				at := (h >> 32) * f.blocks >> 32 * f.size
				if 64*at >= 1<<32 {
					beyond++
				}
				for i, m := range masks(f, h) {
					if f.words[at+uint64(i)]&m != m {
						t.Fatalf("%s: bits of %x are missing in word %d", layout, key, at+uint64(i))
					}
				}
			}
			held := make([]bool, len(batch))
			f.ContainsBatch(batch, held)
			for i, key := range batch {
				if f.Contains(key) != held[i] || i < keys && !held[i] {
					t.Fatalf("%s: key %d: Contains says %v, ContainsBatch %v", layout, i, f.Contains(key), held[i])
				} else if i >= keys && held[i] {
					found++
				}
			}
			t.Logf("%s: %d bits, %d of %d keys beyond 2^32", layout, f.SizeBits(), beyond, keys)
			if f.SizeBits() <= 1<<32 || beyond < keys/4 || found > 0 {
				t.Errorf("%s: %d bits, %d of %d keys beyond 2^32, %d strangers found", layout, f.SizeBits(), beyond, keys, found)
			}
		}
	})
}

func masks(f *Filter, h uint64) []uint64 {
	if f.size == splitWords {
		m := splitMask(h)
		return m[:]
	}
	m := lineMask(h)
	return m[:]
}
