// Package cuckoo has two cuckoo filters (Fan, Andersen, Kaminsky & Mitzenmacher 2014): that of
// github.com/seiflotfy/cuckoofilter behind the filter interface, with what the package loses, and
// our own, which loses nothing.
package cuckoo

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	seiflotfy "github.com/seiflotfy/cuckoofilter"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// A Filter is a cuckoo filter of the package: buckets of 4 slots, fingerprints 1..255.
//
// A key that finds no place in 500 kicks is refused, but by then the package has stored it and
// thrown an earlier fingerprint out, at random: Lost counts what that costs. The same key fits 8
// times at most.
type Filter struct {
	table *seiflotfy.Filter
	slots uint64
	refusals
}

var (
	_ filters.Filter    = (*Filter)(nil)
	_ filters.Remover   = (*Filter)(nil)
	_ filters.Occupier  = (*Filter)(nil)
	_ filters.Predictor = (*Filter)(nil)
	_ filters.Loser     = (*Filter)(nil)
	_ filters.Noter     = (*Filter)(nil)
	_ io.WriterTo       = (*Filter)(nil)
	_ io.ReaderFrom     = (*Filter)(nil)
)

// Add stores the fingerprint of key and reports whether it found a place. When it did not, the key
// counts as not held although the package has stored it in place of an earlier one.
func (f *Filter) Add(key []byte) bool {
	if f.table.Insert(key) {
		return true
	}
	if !f.classIsFull(key) {
		f.refuse(float64(f.table.Count()))
	}
	f.refused++
	return false
}

// classIsFull reports whether every slot that key could take holds key's own fingerprint. Then
// what a refused insert threw out was that same fingerprint, and nothing is lost.
func (f *Filter) classIsFull(key []byte) bool {
	capacity := 2 * bucketSlots
	if locate(key, f.slots).alone() {
		capacity = bucketSlots
	}
	copies := 0
	for f.table.Delete(key) {
		copies++
	}
	for range copies { // they fit: their slots were just freed
		f.table.Insert(key)
	}
	return copies == capacity
}

// Contains reports whether one of key's two buckets holds its fingerprint.
func (f *Filter) Contains(key []byte) bool { return f.table.Lookup(key) }

// Remove takes one copy of key's fingerprint out of its two buckets and reports whether there was
// one. Removing a key that was never added may take that of a member.
func (f *Filter) Remove(key []byte) bool {
	removed := f.table.Delete(key)
	if !removed {
		f.forgive()
	}
	return removed
}

// SizeBits returns 8 bits a slot.
func (f *Filter) SizeBits() uint64 { return 8 * f.slots }

// Occupancy returns the load factor, slots used / slots, 0..1.
func (f *Filter) Occupancy() float64 { return float64(f.table.Count()) / float64(f.slots) }

// InstanceFPR returns the share of pairs of fingerprint and bucket that answer maybe, 0..1. It
// copies the table and looks at every slot.
func (f *Filter) InstanceFPR() float64 { return positiveShare(f.table.Encode()) }

// Lost returns the expected number of accepted keys that refused inserts have thrown out and that
// answer no, for distinct keys. It is 1 to 2 % too high: keys that share fingerprint and buckets
// crowd where inserts fail, so a key thrown out there answers maybe more often (4.1 % in a table
// filled to 98 %) than the FPR says (3.1 %).
func (f *Filter) Lost() (keys float64, why string) {
	if f.dropped == 0 {
		return 0, ""
	}
	buckets := float64(f.slots / bucketSlots)
	answersNo := 1 - theory.CuckooFPR(fingerprints, buckets, float64(f.table.Count()))
	return f.dropped * answersNo, fmt.Sprintf(
		"the package stored %d refused keys and threw out one earlier fingerprint for each", f.refused)
}

// Notes says that keys were refused and what follows from it.
func (f *Filter) Notes() []string {
	if f.refused == 0 {
		return nil
	}
	return []string{fmt.Sprintf("cuckoo: %d keys were refused, and the package kicks by the global random source: "+
		"these counts do not reproduce", f.refused)}
}

// headerBytes is the length of what precedes the table in a saved filter: slots, keys refused, and
// the two expectations of refusals, 8 bytes each in little-endian order.
const headerBytes = 32

// WriteTo writes the slots, what is known about refusals, and the table in the package's format.
func (f *Filter) WriteTo(w io.Writer) (int64, error) {
	var header [headerBytes]byte
	binary.LittleEndian.PutUint64(header[:], f.slots)
	binary.LittleEndian.PutUint64(header[8:], f.refused)
	binary.LittleEndian.PutUint64(header[16:], math.Float64bits(f.strays))
	binary.LittleEndian.PutUint64(header[24:], math.Float64bits(f.dropped))
	n, err := w.Write(header[:])
	if err != nil {
		return int64(n), err
	}
	m, err := w.Write(f.table.Encode())
	return int64(n) + int64(m), err
}

// ReadFrom takes over the table of a filter of as many slots; another size is an error. On error
// the filter is left as it was.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) {
	var header [headerBytes]byte
	if n, err := io.ReadFull(r, header[:]); err != nil {
		return int64(n), fmt.Errorf("cuckoo: the header of %d bytes ends after %d: %w", headerBytes, n, err)
	}
	if slots := binary.LittleEndian.Uint64(header[:]); slots != f.slots {
		return headerBytes, fmt.Errorf("cuckoo: holds a table of %d slots, but n and load ask for %d", slots, f.slots)
	}
	var known refusals
	known.refused = binary.LittleEndian.Uint64(header[8:])
	known.strays = math.Float64frombits(binary.LittleEndian.Uint64(header[16:]))
	known.dropped = math.Float64frombits(binary.LittleEndian.Uint64(header[24:]))
	if !known.plausible() {
		return headerBytes, fmt.Errorf("cuckoo: the header's counts of refused keys are damaged: %+v", known)
	}
	table := make([]byte, f.slots)
	n, err := io.ReadFull(r, table)
	if err != nil {
		return headerBytes + int64(n), fmt.Errorf("cuckoo: the table of %d slots ends after %d: %w", f.slots, n, err)
	}
	decoded, err := seiflotfy.Decode(table)
	if err != nil {
		return headerBytes + int64(n), fmt.Errorf("cuckoo: %w", err)
	}
	f.table, f.refusals = decoded, known
	return headerBytes + int64(n), nil
}
