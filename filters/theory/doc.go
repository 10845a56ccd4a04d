// Package theory holds the formulas that membership filters are held against, as pure functions.
//
// Symbols, everywhere: n keys held; m bits; k hash functions; p target FPR; s bits of a slice; B bits
// of a block; b slots of a bucket. FPR is the rate of yes among keys not held. Rates and shares are
// fractions 0..1, sizes are bits unless a name says bytes. Formulas assume ideal independent hashing
// except where a scheme is named.
//
// Every function is total: n = 0 gives an FPR of 0, a filter filled far beyond its capacity goes to 1,
// and a size of zero or less answers yes to everything. None returns NaN for finite arguments.
package theory
