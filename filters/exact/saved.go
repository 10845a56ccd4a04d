package exact

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
)

var (
	_ io.WriterTo   = (*Roaring)(nil)
	_ io.ReaderFrom = (*Roaring)(nil)
)

// A saved set is the number of its bitmaps, and for each a header and the bitmap in Roaring's
// portable format. The header is namespace, length of prefix, length of bitmap, and the prefix;
// all numbers take 8 bytes in little-endian order.
const (
	countBytes  = 8
	headerBytes = 24
)

// serialized returns the bytes that WriteTo writes.
func (r *Roaring) serialized() uint64 {
	sum := uint64(countBytes)
	for prefix, s := range r.nonempty() {
		sum += headerBytes + uint64(len(prefix)) + s.sealed.GetSerializedSizeInBytes()
	}
	return sum
}

// nonempty yields the sets that hold anything, by prefix: "" for the namespaces without.
func (r *Roaring) nonempty() func(yield func(string, *integers) bool) {
	return func(yield func(string, *integers) bool) {
		for i := range r.spaces {
			if s := &r.spaces[i]; !s.sealed.IsEmpty() && !yield("", s) {
				return
			}
		}
		for _, prefix := range slices.Sorted(maps.Keys(r.prefixes)) {
			if s := r.prefixes[prefix]; !s.sealed.IsEmpty() && !yield(prefix, s) {
				return
			}
		}
	}
}

// spaceOf returns the namespace of a set that nonempty yields.
func (r *Roaring) spaceOf(s *integers) namespace {
	for i := range r.spaces {
		if s == &r.spaces[i] {
			return namespace(i)
		}
	}
	return decimal
}

func (r *Roaring) pending() bool {
	for i := range r.spaces {
		if r.spaces[i].pending() {
			return true
		}
	}
	for _, s := range r.prefixes {
		if s.pending() {
			return true
		}
	}
	return false
}

// WriteTo writes the sealed set. Changes that wait for a Seal are an error.
func (r *Roaring) WriteTo(w io.Writer) (int64, error) {
	if r.pending() {
		return 0, errors.New("roaring: there are unsealed changes: seal before saving")
	}
	count := uint64(0)
	for range r.nonempty() {
		count++
	}
	n, err := w.Write(binary.LittleEndian.AppendUint64(nil, count))
	written := int64(n)
	for prefix, s := range r.nonempty() {
		if err != nil {
			break
		}
		header := binary.LittleEndian.AppendUint64(nil, uint64(r.spaceOf(s)))
		header = binary.LittleEndian.AppendUint64(header, uint64(len(prefix)))
		header = binary.LittleEndian.AppendUint64(header, s.sealed.GetSerializedSizeInBytes())
		n, err = w.Write(append(header, prefix...))
		written += int64(n)
		if err == nil {
			var m int64
			m, err = s.sealed.WriteTo(w)
			written += m
		}
	}
	return written, err
}

// ReadFrom takes over a saved set. On error the set is left as it was.
func (r *Roaring) ReadFrom(from io.Reader) (int64, error) {
	in := &counting{r: from}
	fresh := newRoaring()
	count, err := in.uint64()
	for i := uint64(0); err == nil && i < count; i++ {
		err = fresh.readBitmap(in)
	}
	if err != nil {
		return in.n, fmt.Errorf("roaring: damaged at byte %d: %w", in.n, err)
	}
	fresh.bytes = fresh.serialized()
	*r = *fresh
	return in.n, nil
}

func (r *Roaring) readBitmap(in *counting) error {
	var header [3]uint64
	for i := range header {
		var err error
		if header[i], err = in.uint64(); err != nil {
			return err
		}
	}
	prefix, err := in.bytes(header[1])
	if err != nil {
		return err
	}
	data, err := in.bytes(header[2])
	if err != nil {
		return err
	}
	bitmap, err := parseBitmap(data)
	if err != nil {
		return err
	}
	space := namespace(header[0])
	switch {
	case header[0] > uint64(hashed):
		return fmt.Errorf("namespace %d; there are %d", header[0], hashed+1)
	case space != decimal && len(prefix) > 0:
		return fmt.Errorf("prefix %q where there is none", prefix)
	case space != decimal && r.spaces[space].sealed.IsEmpty():
		r.spaces[space].sealed = bitmap
	case space == decimal && r.prefixes[string(prefix)] == nil:
		r.prefixes[string(prefix)] = &integers{sealed: bitmap}
	default:
		return fmt.Errorf("a second bitmap for namespace %d, prefix %q", space, prefix)
	}
	return nil
}

// parseBitmap reads a bitmap that takes all of data.
func parseBitmap(data []byte) (*roaring64.Bitmap, error) {
	const least = 4 + 8 // bytes of one 32-bit bitmap; the package allocates by the number it is told
	if len(data) < 8 || binary.LittleEndian.Uint64(data) > uint64(len(data))/least {
		return nil, errors.New("the bitmap is shorter than it says")
	}
	bitmap := roaring64.New()
	n, err := bitmap.ReadFrom(bytes.NewReader(data))
	switch {
	case err != nil:
		return nil, err
	case n != int64(len(data)):
		return nil, fmt.Errorf("the bitmap takes %d bytes of %d", n, len(data))
	case bitmap.IsEmpty():
		return nil, errors.New("the bitmap is empty")
	}
	return bitmap, bitmap.Validate()
}

// A counting reader knows how many bytes it has read.
type counting struct {
	r io.Reader
	n int64
}

// bytes reads so many bytes; memory grows with what is there, not with what a header claims.
func (c *counting) bytes(n uint64) ([]byte, error) {
	if n > math.MaxInt64 {
		return nil, fmt.Errorf("a length of %d bytes", n)
	}
	var buf bytes.Buffer
	m, err := io.CopyN(&buf, c.r, int64(n))
	c.n += m
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return buf.Bytes(), err
}

func (c *counting) uint64() (uint64, error) {
	b, err := c.bytes(8)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(b), nil
}
