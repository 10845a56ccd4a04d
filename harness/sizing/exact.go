package sizing

import (
	"fmt"
	"math"
	"sort"

	"filterlab/harness/units"
)

// What an exact set and a filter cost, in bytes.
const (
	hashBytes    = hashBits / 8
	sliceHeader  = 24    // of a Go slice
	filterHeader = 64    // slice, m, k and seed of a filter
	cacheLine    = 64    // a filter of its own starts on one
	page         = 4096  // the least that an operating system gives or takes
	firstCache   = 32768 // L1 data cache of a common core
)

// An Exact compares a filter with the set itself: n keys, or their 64-bit hashes, in a sorted slice,
// which is searched in log2(n) steps and has no false positives (the hashes: n/2^64).
type Exact struct {
	KeyBytes    uint64 `json:"key_bytes"`    // of one key
	HashesBytes uint64 `json:"hashes_bytes"` // 8 n + 24
	KeysBytes   uint64 `json:"keys_bytes"`   // n keys + 24
	FilterBytes uint64 `json:"filter_bytes"` // table in whole words + header of 64 + a cache line of 64
	SmallerTo   uint64 `json:"smaller_to"`   // up to so many keys the hashes take no more than the filter
	PageTo      uint64 `json:"page_to"`      // up to so many keys the filter saves at most a page of 4 KiB
	CacheTo     uint64 `json:"cache_to"`     // up to so many keys the keys themselves fit an L1 cache of 32 KiB
	Better      bool   `json:"better"`       // the exact set is the better choice at n: n <= PageTo

	Advice []string `json:"advice"` // which to take, and where the crossover is
}

// Compare holds the filter against the exact set of its keys of keyBytes each.
func (s Solution) Compare(keyBytes uint64) Exact {
	perKey := s.BitsPerKey()
	e := Exact{
		KeyBytes:    keyBytes,
		HashesBytes: hashesBytes(float64(s.N)),
		KeysBytes:   bytesOf(float64(s.N)*float64(keyBytes) + sliceHeader),
		FilterBytes: filterBytes(float64(s.M)),
		CacheTo:     (firstCache - sliceHeader) / max(1, keyBytes),
	}
	e.SmallerTo = lastBelow(perKey, 0)
	e.PageTo = lastBelow(perKey, page)
	e.Better = s.N <= e.PageTo
	e.Advice = e.advice()
	return e
}

// maxCrossover is the largest n at which a crossover is looked for.
const maxCrossover = 1 << 40

// lastBelow returns the largest n at which a filter of perKey bits a key saves no more than margin
// bytes over the sorted hashes; maxCrossover where it never saves more.
func lastBelow(perKey float64, margin uint64) uint64 {
	n := sort.Search(maxCrossover, func(i int) bool {
		n := float64(i + 1)
		return hashesBytes(n) > filterBytes(perKey*n)+margin
	})
	return uint64(n)
}

func hashesBytes(n float64) uint64 { return bytesOf(hashBytes*n + sliceHeader) }

func filterBytes(bits float64) uint64 {
	return bytesOf(8*math.Ceil(bits/64) + filterHeader + cacheLine)
}

func bytesOf(x float64) uint64 { return uint64(min(x, math.MaxInt64)) }

// advice says which of the two to take, and where the crossover is.
func (e Exact) advice() []string {
	crossover := fmt.Sprintf("crossover: up to n = %s the hashes take no more than the filter, up to n = %s the filter saves at most a page (4 KiB), up to n = %s the keys fit 32 KiB of L1",
		units.Grouped(e.SmallerTo), units.Grouped(e.PageTo), units.Grouped(e.CacheTo))
	switch {
	case e.SmallerTo >= maxCrossover:
		return []string{"take a sorted slice of hashes: at this many bits a key no n makes the filter smaller"}
	case e.Better:
		return []string{"take a plain map or a sorted slice: the filter saves less than a page over the hashes, and is wrong at times", crossover}
	}
	return []string{
		fmt.Sprintf("the filter saves %s over the hashes, %s over the keys", units.Bytes(e.HashesBytes-min(e.HashesBytes, e.FilterBytes)),
			units.Bytes(e.KeysBytes-min(e.KeysBytes, e.FilterBytes))),
		crossover,
	}
}
