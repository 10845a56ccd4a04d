package scalable

import (
	"encoding/binary"
	"fmt"
	"io"

	"filterlab/filters/bitarray"
)

// WriteTo writes the number of stages and the new keys that the last one took, u64 each and
// little-endian, and the bits, the oldest stage first; what New needs to build the filter again is the
// caller's to keep.
func (f *Filter) WriteTo(w io.Writer) (written int64, err error) {
	head := binary.LittleEndian.AppendUint64(nil, uint64(len(f.stages)))
	head = binary.LittleEndian.AppendUint64(head, f.taken)
	n, err := w.Write(head)
	written = int64(n)
	for i := 0; err == nil && i < len(f.stages); i++ {
		var n int64
		n, err = f.stages[i].WriteTo(w)
		written += n
	}
	return written, err
}

// ReadFrom takes over the stages of a filter built with the same parameters. Memory for a stage is
// taken once those before it, which are smaller by the factor growth, have been read.
func (f *Filter) ReadFrom(r io.Reader) (read int64, err error) {
	head := make([]byte, 16)
	n, err := io.ReadFull(r, head)
	read = int64(n)
	if err != nil {
		return read, fmt.Errorf("the number of stages is cut off: %w", err)
	}
	stages, taken := binary.LittleEndian.Uint64(head), binary.LittleEndian.Uint64(head[8:])
	if stages == 0 || stages > uint64(len(f.plan)) {
		return read, fmt.Errorf("%d stages, where 1 to %d are possible", stages, len(f.plan))
	}
	most, free := f.plan[stages-1].capacity, f.degrade && stages == uint64(len(f.plan))
	if taken > most && !free {
		return read, fmt.Errorf("%d keys in a last stage that takes %d", taken, most)
	}
	tables := make([]bitarray.Array, 0, stages)
	for i, s := range f.plan[:stages] {
		t := bitarray.New(s.words, s.k)
		n, err := t.ReadFrom(r)
		read += n
		if err != nil {
			return read, fmt.Errorf("stage %d: %w", i, err)
		}
		tables = append(tables, t)
	}
	f.stages, f.taken, f.refused = tables, taken, 0
	return read, nil
}
