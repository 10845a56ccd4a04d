package harness

import (
	"time"

	"filterlab/filters"
)

// This is the only file that reads a clock for a measurement. Timing model of each loop below:
//
//	elapsed = one clock reading + len(keys) * (slice step + interface call + operation)
//
// The keys are made before the first reading, and the result of each operation is used, so no call
// is optimised away. nothing measures the same loop without the operation.

// timedAdds adds the keys, notes in accepted which were taken, and returns the elapsed time.
func timedAdds(f filters.Filter, keys [][]byte, accepted []bool) time.Duration {
	start := time.Now()
	for i, key := range keys {
		accepted[i] = f.Add(key)
	}
	return time.Since(start)
}

// timedLookups looks the keys up and returns how many answered maybe, and the elapsed time.
func timedLookups(f filters.Filter, keys [][]byte) (maybe uint64, elapsed time.Duration) {
	start := time.Now()
	for _, key := range keys {
		if f.Contains(key) {
			maybe++
		}
	}
	return maybe, time.Since(start)
}

// timedBatch looks the keys up in one call and returns the elapsed time.
func timedBatch(b filters.Batcher, keys [][]byte, held []bool) time.Duration {
	start := time.Now()
	b.ContainsBatch(keys, held)
	return time.Since(start)
}

// timedRemoves removes the keys and returns the elapsed time.
func timedRemoves(r filters.Remover, keys [][]byte, removed []bool) time.Duration {
	start := time.Now()
	for i, key := range keys {
		removed[i] = r.Remove(key)
	}
	return time.Since(start)
}

// timedSeal seals the filter and returns the elapsed time.
func timedSeal(s filters.Sealer) (time.Duration, error) {
	start := time.Now()
	err := s.Seal()
	return time.Since(start), err
}

// now returns the wall clock for the date of a result.
func now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// nothing is the floor: a filter whose operations do nothing.
type nothing struct{}

var (
	_ filters.Filter  = nothing{}
	_ filters.Remover = nothing{}
)

func (nothing) Add([]byte) bool      { return true }
func (nothing) Contains([]byte) bool { return true }
func (nothing) Remove([]byte) bool   { return true }
func (nothing) SizeBits() uint64     { return 0 }
