package blocked

import "golang.org/x/sys/cpu"

// useAVX2 chooses the assembly; tests turn it off.
var useAVX2 = cpu.X86.HasAVX2

// setAVX2 is set.
//
//go:noescape
func setAVX2(f *Filter, h uint64)

// hasAVX2 is has.
//
//go:noescape
func hasAVX2(f *Filter, h uint64) bool

// testAVX2 is test; held must be as long as hashes.
//
//go:noescape
func testAVX2(f *Filter, hashes []uint64, held []bool)

// prefetch starts to fetch the blocks of the hashes.
//
//go:noescape
func prefetch(f *Filter, hashes []uint64)
