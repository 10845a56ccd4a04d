package fuse

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/FastFilter/xorfilter"
)

// headerBytes is the length of what precedes the table in a saved filter: keys, the package's seed and
// the length of a segment, 8 bytes each in little-endian order.
const headerBytes = 24

// chunk is how many fingerprints are written at a time.
const chunk = 1 << 15

// WriteTo writes the table, and zeros up to the size planned where it is smaller. It must be sealed.
func (f *builder[T]) WriteTo(w io.Writer) (int64, error) {
	if !f.sealed {
		return 0, errors.New("fuse: the filter is not built yet: seal before saving")
	}
	header := binary.LittleEndian.AppendUint64(nil, f.keys)
	header = binary.LittleEndian.AppendUint64(header, f.table.Seed)
	header = binary.LittleEndian.AppendUint64(header, uint64(f.table.SegmentLength))
	n, err := w.Write(header)
	written := int64(n)
	for rest := f.table.Fingerprints; len(rest) > 0 && err == nil; {
		part := rest[:min(chunk, len(rest))]
		rest = rest[len(part):]
		if err = binary.Write(w, binary.LittleEndian, part); err == nil {
			written += int64(binary.Size(part))
		}
	}
	if err == nil {
		var m int
		m, err = w.Write(make([]byte, f.padding(f.keys)))
		written += int64(m)
	}
	return written, err
}

// padding returns the bytes by which a table of so many keys is smaller than the one planned.
func (f *builder[T]) padding(keys uint64) uint64 {
	is, planned := f.layout(keys).bits(), f.layout(f.planned).bits()
	return (max(is, planned) - is) / 8
}

// ReadFrom takes over the table of a filter built with the same parameters and seals the filter. On
// error the filter is left as it was.
func (f *builder[T]) ReadFrom(r io.Reader) (int64, error) {
	var header [headerBytes]byte
	n, err := io.ReadFull(r, header[:])
	if err != nil {
		return int64(n), fmt.Errorf("fuse: the header of %d bytes ends after %d: %w", headerBytes, n, err)
	}
	keys := binary.LittleEndian.Uint64(header[:])
	table, err := f.shaped(keys, binary.LittleEndian.Uint64(header[16:]))
	if err != nil {
		return headerBytes, err
	}
	table.Seed = binary.LittleEndian.Uint64(header[8:])

	var data bytes.Buffer // grows with what is there, whatever the header claims
	size := f.layout(keys).bits() / 8
	m, err := io.CopyN(&data, r, int64(size+f.padding(keys)))
	if err != nil {
		return headerBytes + m, fmt.Errorf("fuse: the table of %d bytes ends after %d: %w", size, m, err)
	}
	table.Fingerprints = make([]T, f.layout(keys).Slots)
	if err := binary.Read(&data, binary.LittleEndian, table.Fingerprints); err != nil {
		return headerBytes + m, fmt.Errorf("fuse: %w", err)
	}
	for _, b := range data.Bytes() {
		if b != 0 {
			return headerBytes + m, errors.New("fuse: there is something beyond the table")
		}
	}
	f.table, f.keys, f.sealed, f.hashes = table, keys, true, nil
	return headerBytes + m, nil
}

// shaped returns an empty table for so many keys, of segments of the length given: the package halves
// them where its first try of a length fails.
func (f *builder[T]) shaped(keys, segment uint64) (table xorfilter.BinaryFuse[T], err error) {
	if keys > 1<<32 {
		return table, fmt.Errorf("fuse: the header is damaged: %d keys", keys)
	}
	l := f.layout(keys)
	if err := l.check(); err != nil {
		return table, err
	}
	if segment != l.SegmentLength && 2*segment != l.SegmentLength {
		return table, fmt.Errorf("fuse: the header is damaged: segments of %d slots, where %d keys have %d", segment, keys, l.SegmentLength)
	}
	table.SegmentLength = uint32(segment)
	table.SegmentLengthMask = table.SegmentLength - 1
	table.SegmentCount = uint32(l.Slots/segment) - 2
	table.SegmentCountLength = table.SegmentCount * table.SegmentLength
	return table, nil
}
