package workloads

import (
	"encoding/binary"
	"slices"

	"filterlab/filters/spec"
)

// shapeNames are the ways a 64-bit id is written as a key; all are one to one.
//
//	hex   16 lowercase hexadecimal digits
//	raw   8 bytes, most significant first
//	uuid  a version 4 UUID, 36 characters: the id and 58 bits that follow from it
//	url   an address of 50 characters with the id in hexadecimal
var shapeNames = []string{"hex", "raw", "uuid", "url"}

// A shape is an index into shapeNames.
type shape int

const (
	hexShape shape = iota
	rawShape
	uuidShape
	urlShape
)

func shapeKnob() spec.Knob {
	return spec.Choice("shape", "how a 64-bit id is written as a key", shapeNames...)
}

func shapeOf(v spec.Values) shape { return shape(slices.Index(shapeNames, v["shape"])) }

const (
	urlHead = "https://www.example.com/items/"
	urlTail = ".htm"
)

// idLength is the length of the longest key of an id, in bytes.
const idLength = len(urlHead) + 16 + len(urlTail)

// ids writes the keys of one seed, each over the one before.
type ids struct {
	bijection
	shape shape
	buf   [idLength]byte
}

func newIDs(seed uint64, s shape) *ids {
	k := &ids{bijection: newBijection(derive(seed, forKeys)), shape: s}
	if s == urlShape {
		copy(k.buf[:], urlHead)
		copy(k.buf[len(urlHead)+16:], urlTail)
	}
	return k
}

func (k *ids) member(i uint64) []byte { return k.write(k.image(2 * i)) }

func (k *ids) stranger(i uint64) []byte { return k.write(k.image(2*i + 1)) }

// write returns the key of an id, which is valid until the next call.
func (k *ids) write(id uint64) []byte {
	switch k.shape {
	case rawShape:
		binary.BigEndian.PutUint64(k.buf[:8], id)
		return k.buf[:8]
	case uuidShape:
		putUUID(k.buf[:36], id)
		return k.buf[:36]
	case urlShape:
		putHex(k.buf[len(urlHead):], id)
		return k.buf[:]
	default:
		putHex(k.buf[:16], id)
		return k.buf[:16]
	}
}

// putHex writes the 16 lowercase hexadecimal digits of id.
func putHex(dst []byte, id uint64) {
	_ = dst[15]
	binary.BigEndian.PutUint64(dst, hexDigits(uint32(id>>32)))
	binary.BigEndian.PutUint64(dst[8:], hexDigits(uint32(id)))
}

// hexDigits returns the eight lowercase hexadecimal digits of x, one a byte, the first in the most
// significant byte.
func hexDigits(x uint32) uint64 {
	v := uint64(x)
	v = (v | v<<16) & 0x0000ffff0000ffff
	v = (v | v<<8) & 0x00ff00ff00ff00ff
	v = (v | v<<4) & 0x0f0f0f0f0f0f0f0f
	letters := (v + 0x0606060606060606) >> 4 & 0x0101010101010101 // 1 where the digit is 10 or more
	return v + 0x3030303030303030 + letters*('a'-'0'-10)
}

// putUUID writes a version 4 UUID (RFC 9562), 36 characters: its 122 free bits are the 64 of id,
// in order, and the 58 high bits of a multiple of id.
func putUUID(dst []byte, id uint64) {
	high := id&^0xffff | 0x4000 | id>>4&0xfff       // 48 bits of id, the version, 12 bits of id
	low := 0x8<<60 | id&0xf<<58 | id*multiplier1>>6 // the variant, the last 4 bits of id, 58 bits that follow
	formatUUID(dst, high, low)
}

// formatUUID writes 128 bits as 36 characters, 8-4-4-4-12 hexadecimal digits.
func formatUUID(dst []byte, high, low uint64) {
	_ = dst[35]
	a, b := hexDigits(uint32(high>>32)), hexDigits(uint32(high))
	c, d := hexDigits(uint32(low>>32)), hexDigits(uint32(low))
	binary.BigEndian.PutUint64(dst, a)
	binary.BigEndian.PutUint32(dst[9:], uint32(b>>32))
	binary.BigEndian.PutUint32(dst[14:], uint32(b))
	binary.BigEndian.PutUint32(dst[19:], uint32(c>>32))
	binary.BigEndian.PutUint32(dst[24:], uint32(c))
	binary.BigEndian.PutUint64(dst[28:], d)
	dst[8], dst[13], dst[18], dst[23] = '-', '-', '-', '-'
}
