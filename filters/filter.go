// Package filters defines a membership filter, what it may offer beyond the minimum, and the
// description of a variant: its knobs, its constructor and the model that predicts it.
package filters

// A Filter is a set of byte-string keys that may answer yes for keys it does not hold.
type Filter interface {
	// Add puts key in the set and reports whether it was accepted. A refused key (bounded
	// capacity, or a remote filter out of reach) counts as rejected, not held, and is not probed.
	// The filter must not keep key.
	Add(key []byte) bool
	// Contains reports whether key may be in the set: always true for a key held.
	// A filter that cannot answer (a remote one out of reach) says true.
	Contains(key []byte) bool
	// SizeBits returns what the filter's table occupies now, in bits.
	SizeBits() uint64
}

// A Remover can take keys out again.
type Remover interface {
	// Remove takes key out and reports whether the filter believed to hold it. Removing a key
	// that was never added may take a member with it.
	Remove(key []byte) bool
}

// A Batcher looks many keys up at once, so that the waits for memory overlap.
type Batcher interface {
	// ContainsBatch sets held[i] to Contains(keys[i]) for every key. held must be at least as long
	// as keys, and what lies beyond is left alone.
	ContainsBatch(keys [][]byte, held []bool)
}

// A Sealer builds its lookup structure at the end of a run of Adds and Removes: these take
// effect at Seal, not before. A further run may follow if the filter's doc allows it.
type Sealer interface {
	Seal() error
}

// An Occupier knows how full it is.
type Occupier interface {
	// Occupancy returns the fill ratio (bits set / bits) or the load factor (slots used /
	// slots), 0..1.
	Occupancy() float64
}

// A Predictor knows what this one instance must show, given the bits it holds.
type Predictor interface {
	// InstanceFPR returns the probability, 0..1, that a random absent key answers maybe.
	InstanceFPR() float64
}

// A Loser knows of keys it accepted earlier and has dropped since.
type Loser interface {
	// Lost returns the expected number of accepted keys that now answer no, and why.
	Lost() (keys float64, why string)
}

// A Noter has something to say about its state that a reader of the result must know.
type Noter interface {
	// Notes returns one clear sentence each; none when there is nothing to say.
	Notes() []string
}
