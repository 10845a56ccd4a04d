package harness_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"filterlab/filters"
	"filterlab/filters/catalog"
)

// rebuilt: members are looked up while the filter is built anew, again and again. Built beside the old
// one and swapped in by one pointer, no lookup misses a member; emptied and filled in place it does.
func rebuilt(t *testing.T) {
	const n, rebuilds = 2_000, 50
	bound, err := catalog.Parse("classic")
	if err != nil {
		t.Fatal(err)
	}
	key := func(i uint64) []byte { return []byte{byte(i), byte(i >> 8), 'k'} }
	build := func(seed, keys uint64) filters.Filter {
		f, err := bound.New(bound.Params(n, 0.01, seed))
		if err != nil {
			t.Error(err)
			return nil
		}
		for i := range keys {
			f.Add(key(i))
		}
		return f
	}
	misses := func(publish func(current *atomic.Pointer[filters.Filter], seed uint64, read func())) (missed, asked uint64) {
		var current atomic.Pointer[filters.Filter]
		first := build(0, n)
		current.Store(&first)
		var done atomic.Bool
		var readers sync.WaitGroup
		var missing, total atomic.Uint64
		for range 2 {
			readers.Go(func() {
				for i := uint64(0); !done.Load(); i++ {
					if !(*current.Load()).Contains(key(i % n)) {
						missing.Add(1)
					}
					total.Add(1)
				}
			})
		}
		read := func() { // lets the readers do some lookups, however busy the machine is
			for until := total.Load() + 20; total.Load() < until; {
				runtime.Gosched()
			}
		}
		for seed := range uint64(rebuilds) {
			publish(&current, seed+1, read)
			read()
		}
		done.Store(true)
		readers.Wait()
		return missing.Load(), total.Load()
	}
	beside, asked := misses(func(current *atomic.Pointer[filters.Filter], seed uint64, _ func()) {
		next := build(seed, n)
		current.Store(&next)
	})
	if beside != 0 || asked < rebuilds {
		t.Errorf("built beside and swapped: %d of %d lookups missed a member, want none of many", beside, asked)
	}
	inPlace, asked := misses(func(current *atomic.Pointer[filters.Filter], seed uint64, read func()) {
		empty := build(seed, 0) // what a reader sees between the emptying and the last add
		current.Store(&empty)
		read()
		full := build(seed, n)
		current.Store(&full)
	})
	if inPlace == 0 {
		t.Errorf("published while empty: none of %d lookups missed a member, so the test would not see a miss", asked)
	}
}
