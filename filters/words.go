package filters

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// MaxTableBits is the largest table that our own filters build, in bits: 2^40, or 137 GB.
const MaxTableBits = 1 << 40

// TableWords returns the 64-bit words, at least 1, that hold bits bits, or an error that says how
// much memory was asked for when that is beyond MaxTableBits.
func TableWords(bits float64) (uint64, error) {
	if !(bits <= MaxTableBits) {
		return 0, fmt.Errorf("the table would take %.4g GB, and a filter may take %.4g GB at most: lower n or raise p",
			bits/8e9, MaxTableBits/8e9)
	}
	return max(1, uint64(math.Ceil(bits/64))), nil
}

// MaxProbes bounds the hash functions of our own filters: 64 probes reach an FPR of 2^-64, where the
// 64-bit hash itself gives out.
const MaxProbes = 64

// Probes returns the number of hash functions for target FPR p: the whole number nearest to
// log2(1/p), 1..MaxProbes.
func Probes(p float64) int {
	return int(min(max(1, math.Round(-math.Log2(p))), MaxProbes))
}

// wordsChunk is the number of words that WriteWords and ReadWords convert at a time.
const wordsChunk = 4096

// WriteWords writes a table in little-endian order.
func WriteWords(w io.Writer, words []uint64) (int64, error) {
	buf := make([]byte, 0, 8*min(wordsChunk, len(words)))
	var written int64
	for len(words) > 0 {
		buf = buf[:0]
		part := words[:min(wordsChunk, len(words))]
		for _, x := range part {
			buf = binary.LittleEndian.AppendUint64(buf, x)
		}
		n, err := w.Write(buf)
		written += int64(n)
		if err != nil {
			return written, err
		}
		words = words[len(part):]
	}
	return written, nil
}

// ReadWords fills a table from what WriteWords wrote. Fewer bytes than the table holds are an
// error, after which its content is undefined; what follows the table is left unread.
func ReadWords(r io.Reader, words []uint64) (int64, error) {
	buf := make([]byte, 8*min(wordsChunk, len(words)))
	var read int64
	for len(words) > 0 {
		part := words[:min(wordsChunk, len(words))]
		n, err := io.ReadFull(r, buf[:8*len(part)])
		read += int64(n)
		if err != nil {
			return read, fmt.Errorf("the table ends %d bytes early: %w", 8*len(words)-n, err)
		}
		for i := range part {
			part[i] = binary.LittleEndian.Uint64(buf[8*i:])
		}
		words = words[len(part):]
	}
	return read, nil
}
