//go:build !amd64

package blocked

// useAVX2 is never true here, so that nothing below is called.
var useAVX2 = false

func setAVX2(*Filter, uint64)            { panic("blocked: no AVX2") }
func hasAVX2(*Filter, uint64) bool       { panic("blocked: no AVX2") }
func testAVX2(*Filter, []uint64, []bool) { panic("blocked: no AVX2") }
func prefetch(*Filter, []uint64)         { panic("blocked: no AVX2") }
