package cuckoo

import (
	"encoding/binary"
	"fmt"
	"io"
)

// ownHeaderBytes is the length of what precedes the table in a saved filter: fingerprint and bucket of
// the victim slot, both 0 when it is empty, 8 bytes each in little-endian order.
const ownHeaderBytes = 16

// WriteTo writes the victim slot and the table; what New needs to build the filter again is the
// caller's to keep.
func (f *Own) WriteTo(w io.Writer) (int64, error) {
	var header [ownHeaderBytes]byte
	binary.LittleEndian.PutUint64(header[:], f.victim.fingerprint)
	binary.LittleEndian.PutUint64(header[8:], f.victim.first)
	n, err := w.Write(header[:])
	if err != nil {
		return int64(n), err
	}
	m, err := w.Write(f.table)
	return int64(n) + int64(m), err
}

// ReadFrom takes over the keys of a filter built with the same parameters. On error the filter is left
// as it was.
func (f *Own) ReadFrom(r io.Reader) (int64, error) {
	var header [ownHeaderBytes]byte
	if n, err := io.ReadFull(r, header[:]); err != nil {
		return int64(n), fmt.Errorf("cuckoo-own: the header of %d bytes ends after %d: %w", ownHeaderBytes, n, err)
	}
	fresh := &Own{table: make([]byte, len(f.table)), m: f.m, lanes: f.lanes}
	v, i := binary.LittleEndian.Uint64(header[:]), binary.LittleEndian.Uint64(header[8:])
	switch {
	case v > f.lanes.mask || i >= f.m || v == 0 && i > 0:
		return ownHeaderBytes, fmt.Errorf("cuckoo-own: the victim slot is damaged: fingerprint %d, bucket %d", v, i)
	case v > 0:
		fresh.victim = spot{v, i, fresh.other(v, i)}
	}
	n, err := io.ReadFull(r, fresh.table)
	read := ownHeaderBytes + int64(n)
	if err != nil {
		return read, fmt.Errorf("cuckoo-own: the table of %d bytes ends after %d: %w", len(f.table), n, err)
	}
	for _, b := range fresh.table[f.m*f.lanes.bytes:] {
		if b != 0 {
			return read, fmt.Errorf("cuckoo-own: there is something beyond the last of %d buckets", f.m)
		}
	}
	f.table, f.victim, f.held = fresh.table, fresh.victim, fresh.count()
	return read, nil
}

// count counts the keys in the table and the victim slot.
func (f *Own) count() (held uint64) {
	for i := range f.m {
		held += uint64(bucketSlots - f.lanes.count(f.bucket(i), 0))
	}
	if f.victim.fingerprint != 0 {
		held++
	}
	return held
}
