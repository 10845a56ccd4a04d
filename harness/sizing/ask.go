// Package sizing answers how big a filter must be, or what a filter of a given size gives: by the
// formula of the standard Bloom filter and by the model of every variant, without building one.
package sizing

import (
	"fmt"
	"strings"

	"filterlab/filters"
	"filterlab/filters/spec"
	"filterlab/filters/theory"
	"filterlab/harness/units"
)

// hashBits is the width of the key hash of our own filters.
const hashBits = 64

// maxKeys is the largest n of a question.
const maxKeys = 1 << 60

// Words is a question in the words of a person; an empty one is what is asked for.
type Words struct {
	N string // keys: 1000, 1e6, 10M
	P string // target FPR: 0.01, 1%, 1-in-1000
	M string // size of the table: a number of bits, or with a unit: 200MB, 64MiB, 10Mbit
	K string // hash functions
}

// An Ask is a question: what is known of n, p, m and k. A zero is what is asked for.
type Ask struct {
	N uint64  `json:"n,omitempty"` // keys
	P float64 `json:"p,omitempty"` // target FPR, above 0 and below 1
	M uint64  `json:"m,omitempty"` // bits
	K int     `json:"k,omitempty"` // hash functions, 1..filters.MaxProbes
}

// Ask reads the words. Whatever no filter can be built from is an error with a hint.
func (w Words) Ask() (Ask, error) {
	var a Ask
	var err error
	if a.N, err = readN(w.N); err != nil {
		return Ask{}, err
	}
	if a.P, err = readP(w.P); err != nil {
		return Ask{}, err
	}
	if a.M, err = readM(w.M); err != nil {
		return Ask{}, err
	}
	if a.K, err = readK(w.K); err != nil {
		return Ask{}, err
	}
	if a.N > 0 && a.P > 0 {
		return a, checkFloor(a.N, a.P)
	}
	return a, nil
}

func readN(text string) (uint64, error) {
	if blank(text) {
		return 0, nil
	}
	n, err := spec.Count(text)
	if err != nil {
		if p, notRate := units.ParseRate(text); notRate == nil && p > 0 && p < 1 {
			return 0, fmt.Errorf("n = %s: the number of keys is a whole number, and this looks like an FPR; were n and p swapped?", text)
		}
		return 0, fmt.Errorf("n = %w", err)
	}
	if n > maxKeys {
		return 0, fmt.Errorf("n = %s is more than the 2^60 keys that the formulas are good for", text)
	}
	const anyP = 0.5
	return n, filters.Params{N: n, P: anyP}.Check()
}

func readP(text string) (float64, error) {
	if blank(text) {
		return 0, nil
	}
	p, err := units.ParseRate(text)
	if err != nil {
		return 0, fmt.Errorf("p = %w", err)
	}
	return p, filters.Params{N: 1, P: p}.Check()
}

func readM(text string) (uint64, error) {
	if blank(text) {
		return 0, nil
	}
	m, err := units.ParseBits(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("m = %w", err)
	case m == 0:
		return 0, fmt.Errorf("m = 0: a filter needs at least one bit")
	}
	return m, nil
}

func readK(text string) (int, error) {
	if blank(text) {
		return 0, nil
	}
	k, err := spec.Count(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("k = %w", err)
	case k == 0:
		return 0, fmt.Errorf("k = 0: a filter needs at least one hash function")
	case k > filters.MaxProbes:
		return 0, fmt.Errorf("k = %s: more than %d hash functions buy nothing behind a hash of %d bits; were m and k swapped?",
			units.Grouped(k), filters.MaxProbes, hashBits)
	}
	return int(k), nil
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// checkFloor refuses a p that no filter behind a 64-bit hash of the key reaches: whole hashes of n keys
// meet that of a stranger with probability 1-(1-2^-64)^n, about n/2^64.
func checkFloor(n uint64, p float64) error {
	if floor := theory.HashWidthFloor(hashBits, float64(n)); p < floor {
		return fmt.Errorf("p = %g is below the hash floor: with n = %s keys a hash of %d bits alone gives n/2^%d = %.3g; ask for a higher p",
			p, units.Grouped(n), hashBits, hashBits, floor)
	}
	return nil
}
