package filters

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/zeebo/xxh3"
)

// A saved filter is one file, all numbers little-endian:
//
//	magic    8 bytes "flab\r\n\x1a\n", which a transfer as text would damage
//	version  u16
//	length   u16 of the spec
//	n, p, seed, held, payload length: u64 each, p as the bits of a float64
//	spec     of the variant with its knobs, as Bound.String writes it
//	check    u64, xxh3 of all before it
//	payload  what the filter's WriteTo writes
//	check    u64, xxh3 of all before it
//
// and nothing after that.
const (
	fileMagic   = "flab\r\n\x1a\n"
	fileVersion = 1
	fixedHeader = len(fileMagic) + 2 + 2 + 5*8
	maxSpec     = 1 << 10
)

// A Header says what a saved filter is: enough to build its like and to know what it holds.
type Header struct {
	Spec    string // of the variant and its knobs
	N       uint64 // what the filter was built for
	P       float64
	Seed    uint64
	Held    uint64 // keys held
	Payload uint64 // bytes of the filter's own data; Save fills it in
}

// Save writes f with its header. It calls f.WriteTo twice, to learn the length first.
func Save(w io.Writer, h Header, f Filter) error {
	from, ok := f.(io.WriterTo)
	if !ok {
		return fmt.Errorf("variant %s cannot be saved: it has no WriteTo", h.Spec)
	}
	if h.Spec == "" || len(h.Spec) > maxSpec {
		return fmt.Errorf("a saved filter needs a spec of 1 to %d bytes, not %d", maxSpec, len(h.Spec))
	}
	var length counter
	if _, err := from.WriteTo(&length); err != nil {
		return fmt.Errorf("saving %s: %w", h.Spec, err)
	}
	h.Payload = uint64(length)

	sum := xxh3.New()
	both := io.MultiWriter(w, sum)
	if _, err := both.Write(h.encode()); err != nil {
		return fmt.Errorf("saving %s: %w", h.Spec, err)
	}
	if _, err := both.Write(checksum(sum)); err != nil {
		return fmt.Errorf("saving %s: %w", h.Spec, err)
	}
	length = 0
	if _, err := from.WriteTo(io.MultiWriter(both, &length)); err != nil {
		return fmt.Errorf("saving %s: %w", h.Spec, err)
	}
	if uint64(length) != h.Payload {
		return fmt.Errorf("saving %s: the filter wrote %d bytes, then %d: it changed meanwhile", h.Spec, h.Payload, length)
	}
	if _, err := w.Write(checksum(sum)); err != nil {
		return fmt.Errorf("saving %s: %w", h.Spec, err)
	}
	return nil
}

// Load reads a filter that Save wrote. The spec is resolved by parse; the filter is built and
// handed its payload only after every checksum has matched, so that damage of any kind is an error
// and never a filter with wrong answers.
func Load(r io.Reader, parse func(spec string) (Bound, error)) (Filter, Header, error) {
	sum := xxh3.New()
	h, err := readHeader(r, sum)
	if err != nil {
		return nil, h, fmt.Errorf("saved filter: %w", err)
	}
	payload, err := readPayload(r, h.Payload, sum)
	if err != nil {
		return nil, h, fmt.Errorf("saved filter %s: %w", h.Spec, err)
	}
	f, err := h.open(payload, parse)
	if err != nil {
		return nil, h, fmt.Errorf("saved filter %s: %w", h.Spec, err)
	}
	return f, h, nil
}

// open builds the filter that the header names and gives it the payload.
func (h Header) open(payload *bytes.Buffer, parse func(string) (Bound, error)) (Filter, error) {
	bound, err := parse(h.Spec)
	if err != nil {
		return nil, err
	}
	params := bound.Params(h.N, h.P, h.Seed)
	model, err := bound.Model(params)
	if err != nil {
		return nil, err
	}
	if need := model.Bits / 8; need > h.Payload {
		return nil, fmt.Errorf("%d bytes of payload, where %d keys at p = %g take %d", h.Payload, h.N, h.P, need)
	}
	f, err := bound.New(params)
	if err != nil {
		return nil, err
	}
	into, ok := f.(io.ReaderFrom)
	if !ok {
		return nil, errors.New("the variant cannot be loaded: it has no ReadFrom")
	}
	if _, err := into.ReadFrom(payload); err != nil {
		return nil, fmt.Errorf("payload: %w", err)
	}
	if payload.Len() > 0 {
		return nil, fmt.Errorf("payload: %d of %d bytes belong to nothing", payload.Len(), h.Payload)
	}
	return f, nil
}

func (h Header) encode() []byte {
	out := append(make([]byte, 0, fixedHeader+len(h.Spec)), fileMagic...)
	out = binary.LittleEndian.AppendUint16(out, fileVersion)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(h.Spec)))
	for _, x := range []uint64{h.N, math.Float64bits(h.P), h.Seed, h.Held, h.Payload} {
		out = binary.LittleEndian.AppendUint64(out, x)
	}
	return append(out, h.Spec...)
}

func readHeader(r io.Reader, sum *xxh3.Hasher) (Header, error) {
	fixed := make([]byte, fixedHeader)
	if n, err := io.ReadFull(r, fixed); err != nil {
		if !bytes.HasPrefix(fixed[:n], []byte(fileMagic)[:min(n, len(fileMagic))]) || n == 0 {
			return Header{}, notSaved(n, err)
		}
		return Header{}, cutOff("header", err)
	}
	if string(fixed[:len(fileMagic)]) != fileMagic {
		return Header{}, notSaved(len(fixed), nil)
	}
	rest := fixed[len(fileMagic):]
	if v := binary.LittleEndian.Uint16(rest); v != fileVersion {
		return Header{}, fmt.Errorf("format version %d, and this program reads version %d", v, fileVersion)
	}
	specLen := binary.LittleEndian.Uint16(rest[2:])
	if specLen == 0 || specLen > maxSpec {
		return Header{}, fmt.Errorf("the header is damaged: a spec of %d bytes", specLen)
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(rest[4+8*i:]) }
	h := Header{N: word(0), P: math.Float64frombits(word(1)), Seed: word(2), Held: word(3), Payload: word(4)}
	text := make([]byte, specLen)
	if _, err := io.ReadFull(r, text); err != nil {
		return Header{}, cutOff("header", err)
	}
	sum.Write(fixed)
	sum.Write(text)
	if err := verify(r, sum, "header"); err != nil {
		return Header{}, err
	}
	h.Spec = string(text)
	return h, nil
}

// readPayload takes memory as bytes arrive, whatever length the header claims.
func readPayload(r io.Reader, length uint64, sum *xxh3.Hasher) (*bytes.Buffer, error) {
	if length > math.MaxInt64 {
		return nil, fmt.Errorf("the header is damaged: a payload of %d bytes", length)
	}
	payload := new(bytes.Buffer)
	n, err := io.CopyN(io.MultiWriter(payload, sum), r, int64(length))
	if err != nil {
		return nil, fmt.Errorf("%d of %d bytes of payload: %w", n, length, cutOff("payload", err))
	}
	if err := verify(r, sum, "payload"); err != nil {
		return nil, err
	}
	if n, err := io.ReadFull(r, make([]byte, 1)); n > 0 {
		return nil, errors.New("there is more after the end of the filter")
	} else if err != io.EOF {
		return nil, err
	}
	return payload, nil
}

// verify reads a checksum and holds it against that of all that was read before it, which then
// includes it.
func verify(r io.Reader, sum *xxh3.Hasher, what string) error {
	want, got := checksum(sum), make([]byte, 8)
	if _, err := io.ReadFull(r, got); err != nil {
		return cutOff(what+" checksum", err)
	}
	if !bytes.Equal(want, got) {
		return fmt.Errorf("the %s is damaged: its checksum is %x, and the file says %x", what, want, got)
	}
	sum.Write(got)
	return nil
}

func checksum(sum *xxh3.Hasher) []byte { return binary.LittleEndian.AppendUint64(nil, sum.Sum64()) }

// cutOff is the error for an end in the midst of something; other errors pass through.
func cutOff(what string, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the file is cut off in its %s", what)
	}
	return err
}

// notSaved is the error for a file that Save did not write; read errors pass through.
func notSaved(n int, err error) error {
	switch {
	case n == 0 && errors.Is(err, io.EOF):
		return errors.New("the file is empty")
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	}
	return errors.New("not a saved filter: its first bytes are not those that lab build writes")
}

// A counter counts the bytes written to it.
type counter uint64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
