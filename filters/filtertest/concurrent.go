package filtertest

import (
	"sync"

	"pgregory.net/rapid"

	"filterlab/filters"
)

// checkConcurrent: where the variant says so, lookups at once answer as one after the other do. The
// race detector makes this a test of every access.
func checkConcurrent(t rapid.TB, b filters.Bound) {
	t.Helper()
	if !b.Concurrent {
		return
	}
	const n, asked = 500, 4000
	keys := random(11)
	f := load(t, b, b.Params(n, 0.05, 1), keys, n)
	positives := func() (count int) {
		var buf []byte
		for i := range uint64(asked) {
			buf = keys(stranger(i), buf)
			if f.Contains(buf) {
				count++
			}
		}
		return count
	}
	want := positives()
	got := make([]int, 4)
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() { got[i] = positives() })
	}
	all.Wait()
	for _, count := range got {
		if count != want {
			t.Errorf("%d false positives among %d strangers asked at once, %d asked alone", count, asked, want)
		}
	}
}
