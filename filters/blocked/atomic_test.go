package blocked

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
	"testing"
)

// TestAtomic: several writers of a small table at once lose no bit, and readers find every key whose
// Add has returned.
func TestAtomic(t *testing.T) {
	const writers, each = 4, 4000
	key := func(i uint64) []byte { return binary.LittleEndian.AppendUint64(nil, i) }
	onBothPaths(t, func(t *testing.T) {
		for _, layout := range layouts {
			f := build(t, bind(t, layout, "atomic"), 1000, 0.01, 1)
			alone := build(t, bind(t, layout, "none"), 1000, 0.01, 1)
			var done [writers]atomic.Uint64
			var all sync.WaitGroup
			for w := range uint64(writers) {
				all.Go(func() {
					for i := range uint64(each) {
						f.Add(key(w*each + i))
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
							t.Errorf("%s: key %d of writer %d is lost", layout, n-1, w)
						}
					}
				})
			}
			all.Wait()
			for i := range uint64(writers * each) {
				alone.Add(key(i))
			}
			for i, w := range alone.words {
				if f.words[i] != w {
					t.Errorf("%s: word %d is %x, added one after the other %x", layout, i, f.words[i], w)
				}
			}
		}
	})
}
