package exact

import (
	"math"
	"unicode/utf8"

	"filterlab/filters"
)

// A namespace is a set of keys that map to 64-bit integers in one way.
type namespace uint8

const (
	decimal namespace = iota // text ending in a canonical decimal number, one bitmap a prefix
	hexID                    // 16 lowercase hexadecimal digits
	rawID                    // 8 bytes, big-endian
	hashed                   // anything else, by 64-bit hash
)

// classify maps a key to its namespace, the integer in it, and for decimal the length of the prefix
// before the number. Different keys differ in one of the three, but for hashed ones.
func classify(key []byte) (space namespace, value uint64, prefix int) {
	if len(key) == 16 {
		if v, ok := parseHex(key); ok {
			return hexID, v, 0
		}
	}
	if v, at, ok := parseDecimal(key); ok && printable(key[:at]) {
		return decimal, v, at
	}
	if len(key) == 8 {
		for _, c := range key {
			value = value<<8 | uint64(c)
		}
		return rawID, value, 0
	}
	return hashed, filters.Hash(key, 0), 0
}

func parseHex(key []byte) (value uint64, ok bool) {
	for _, c := range key {
		switch {
		case '0' <= c && c <= '9':
			value = value<<4 | uint64(c-'0')
		case 'a' <= c && c <= 'f':
			value = value<<4 | uint64(c-'a'+10)
		default:
			return 0, false
		}
	}
	return value, true
}

// parseDecimal reads the digits that end key and reports where they start; ok when there are any,
// without leading zeros, and the number fits 64 bits.
func parseDecimal(key []byte) (value uint64, at int, ok bool) {
	at = len(key)
	for at > 0 && '0' <= key[at-1] && key[at-1] <= '9' {
		at--
	}
	digits := key[at:]
	if len(digits) == 0 || len(digits) > 1 && digits[0] == '0' {
		return 0, 0, false
	}
	for _, c := range digits {
		d := uint64(c - '0')
		if value > (math.MaxUint64-d)/10 {
			return 0, 0, false
		}
		value = value*10 + d
	}
	return value, at, true
}

// printable reports whether text is valid UTF-8 without control characters.
func printable(text []byte) bool {
	ascii := true
	for _, c := range text {
		if c < ' ' || c == 0x7f {
			return false
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	return ascii || utf8.Valid(text)
}
