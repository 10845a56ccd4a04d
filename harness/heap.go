package harness

import (
	"runtime"

	"filterlab/filters"
)

// liveHeap returns the bytes of live objects: two collections first, so that finalisers and
// sweeping of the last cycle do not count.
func liveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// heapTrials is the number of trials whose heap is measured. The first reading of a case is
// discarded where there are more: it carries one-time allocations of the packages involved.
const heapTrials = 4

// Filters below smallFilter bytes would vanish in the noise of the heap: enough of them are built
// to reach readableHeap bytes, at most mostCopies, and none for more than copiesAdds keys in all: a
// filter of many keys and no table would take minutes to show that it has none.
const (
	smallFilter  = 100_000
	readableHeap = 2_000_000
	mostCopies   = 1_000
	copiesAdds   = 2_000_000
)

// load builds the filter and fills it, and measures the heap around both.
func (t *trial) load(build func() (filters.Filter, error)) error {
	measured := t.number < heapTrials && (t.number > 0 || t.trials == 1)
	var before uint64
	if measured {
		before = liveHeap()
	}
	var err error
	if t.filter, err = build(); err != nil {
		return err
	}
	if err := t.fill(); err != nil || !measured {
		return err
	}
	if size := t.filter.SizeBits() / 8; size < smallFilter {
		copies := min(mostCopies, 1+readableHeap/(size+64), 1+copiesAdds/t.Workload.N)
		return t.heapOfCopies(build, copies)
	}
	t.heap = growth(before, liveHeap())
	runtime.KeepAlive(t.filter)
	return nil
}

// heapOfCopies measures the heap of one filter as the share of several.
func (t *trial) heapOfCopies(build func() (filters.Filter, error), copies uint64) error {
	before := liveHeap()
	held := make([]filters.Filter, copies)
	for i := range held {
		spare := &trial{plan: t.plan, ctx: t.ctx, number: t.number, keySeed: t.keySeed, chunk: t.chunk, refused: map[string]bool{}}
		f, err := build()
		if err != nil {
			return err
		}
		spare.filter, held[i] = f, f
		if err := spare.fill(); err != nil {
			return err
		}
	}
	t.heap = growth(before, liveHeap()) / copies
	runtime.KeepAlive(held)
	return nil
}

// growth returns after - before, and 0 where the heap shrank for other reasons.
func growth(before, after uint64) uint64 {
	if after < before {
		return 0
	}
	return after - before
}
