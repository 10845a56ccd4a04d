package counting

// prefetch starts to fetch the words at those indices.
//
//go:noescape
func prefetch(words []uint64, at []uint64)
