package counting

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"
)

// TestBatch: many keys at once answer as one by one, and nothing is written beyond them.
func TestBatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Range(1, 500).Draw(t, "n")
		p := rapid.SampledFrom([]float64{0.6, 0.3, 0.01, 1e-5}).Draw(t, "p")
		f := build(t, rapid.SampledFrom(settings).Draw(t, "setting"), n, p, rapid.Uint64().Draw(t, "seed"))
		for i := range n {
			f.Add(fmt.Append(nil, i))
		}
		keys := make([][]byte, rapid.IntRange(0, 100).Draw(t, "asked"))
		for i := range keys {
			keys[i] = fmt.Append(nil, n-min(n, 20)+uint64(i))
		}
		held := make([]bool, len(keys)+1)
		for i := range held {
			held[i] = true
		}
		f.ContainsBatch(keys, held)
		for i, key := range keys {
			if held[i] != f.Contains(key) {
				t.Fatalf("key %d of %d: %v in a batch", i, len(keys), held[i])
			}
		}
		if !held[len(keys)] {
			t.Fatal("the batch wrote beyond its keys")
		}
	})
}

// TestBatchIsChecked: too short a result is a panic, not a write beyond it.
func TestBatchIsChecked(t *testing.T) {
	f := build(t, "", 500, 0.01, 1)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	f.ContainsBatch([][]byte{{1}, {2}}, make([]bool, 1))
}

// TestAtomic: writers of a small table at once lose no increment and no decrement, and readers find
// every key that is there meanwhile.
func TestAtomic(t *testing.T) {
	const writers, each = 4, 2000
	key := func(i uint64) []byte { return binary.LittleEndian.AppendUint64(nil, i) }
	for _, setting := range settings {
		f := build(t, strings.TrimPrefix(setting+",sync=atomic", ","), writers*each, 0.1, 1)
		alone := build(t, setting, writers*each, 0.1, 1)
		for i := range uint64(writers * each) {
			alone.Add(key(i))
		}
		var done [writers]atomic.Uint64
		var all sync.WaitGroup
		for w := range uint64(writers) {
			all.Go(func() {
				for i := range uint64(each) {
					f.Add(key(w*each + i))
					f.Add(key(w*each + i))
					f.Remove(key(w*each + i))
					done[w].Store(i + 1)
				}
			})
			all.Go(func() {
				held := make([]bool, 1)
				for n := uint64(0); n < each; {
					if n = done[w].Load(); n == 0 {
						continue
					}
					k := key(w*each + n - 1)
					f.ContainsBatch([][]byte{k}, held)
					if !held[0] || !f.Contains(k) {
						t.Errorf("%s: key %d of writer %d is lost", setting, n-1, w)
					}
				}
			})
		}
		all.Wait()
		if alone.Saturated() > 0 || !slices.Equal(f.words, alone.words) {
			t.Errorf("%s: the counters are not those of the keys added one after the other", setting)
		}
		for w := range uint64(writers) {
			all.Go(func() {
				for i := range uint64(each) {
					f.Remove(key(w*each + i))
				}
			})
		}
		all.Wait()
		if f.Occupancy() != 0 {
			t.Errorf("%s: all keys are removed, and the occupancy is %g", setting, f.Occupancy())
		}
	}
}
