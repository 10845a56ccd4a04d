package exact

import "filterlab/filters"

// stringHeader is the size of a string header, in bytes.
const stringHeader = 16

// A Map is an exact set of keys as a Go map.
type Map struct {
	keys  map[string]struct{}
	bytes uint64 // of the keys held
}

var (
	_ filters.Filter  = (*Map)(nil)
	_ filters.Remover = (*Map)(nil)
)

// Add puts a copy of key in the set and returns true.
func (m *Map) Add(key []byte) bool {
	if _, held := m.keys[string(key)]; !held {
		m.keys[string(key)] = struct{}{}
		m.bytes += uint64(len(key))
	}
	return true
}

// Contains reports whether the set holds key.
func (m *Map) Contains(key []byte) bool {
	_, held := m.keys[string(key)]
	return held
}

// Remove takes key out and reports whether the set held it.
func (m *Map) Remove(key []byte) bool {
	if !m.Contains(key) {
		return false
	}
	delete(m.keys, string(key))
	m.bytes -= uint64(len(key))
	return true
}

// SizeBits returns 8 bits for each byte of the keys held and of their string headers, 16 bytes
// each. The empty slots and control bytes of the map come on top: the heap shows them.
func (m *Map) SizeBits() uint64 { return 8 * (m.bytes + stringHeader*uint64(len(m.keys))) }

// MapVariant describes the set: map, without knobs.
func MapVariant() filters.Variant {
	return filters.Variant{
		Name:       "map",
		Doc:        "exact set, a Go map of strings: the yardstick",
		Exact:      true,
		Concurrent: true,
		New: func(p filters.Params) (filters.Filter, error) {
			if err := p.Check(); err != nil {
				return nil, err
			}
			return &Map{keys: map[string]struct{}{}}, nil
		},
		Model: func(p filters.Params) (filters.Model, error) {
			return exactModel(p, mapHeapBytes, "0; 8 (length + 16) bits a key, and the map's own on top",
				"exact by construction; size of a string header on 64-bit machines, heap measured")
		},
	}
}

// Rough need of memory in bytes a key of 16 bytes, at its largest while building. A test measures.
const (
	roaringHeapBytes = 240 // random 64-bit ids, with the changes that wait for a seal
	mapHeapBytes     = 120 // a map that has just doubled, and the half it grew from
)

func exactModel(p filters.Params, heapBytes uint64, formula, source string) (filters.Model, error) {
	zero := func(uint64) float64 { return 0 }
	return filters.Model{Formula: formula, Source: source, HeapBytes: p.N * heapBytes, FPR: zero, SD: zero}, p.Check()
}
