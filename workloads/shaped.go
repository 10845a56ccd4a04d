package workloads

import (
	"encoding/binary"
	"iter"
	"slices"
	"strconv"

	"filterlab/filters/spec"
)

// sequenceNames are the ways a running number is written as a key; all are one to one.
//
//	decimal  123, as a database hands out ids
//	user     user123
//	zeros    000000000123, padded to 12 digits
//	spaces   123 and spaces to 16 characters, as a fixed-width column holds it
//	be       8 bytes, most significant first
//	le       8 bytes, least significant first: an integer or an address in memory
//	uuid1    a version 1 UUID of one node: the number counts its ticks of 100 ns
//	uuid7    a version 7 UUID: 64 a millisecond, counted, then 62 bits that the seed draws
//	ipv4     4 bytes of an address: the numbers below 2^32 in an order that the seed draws
var sequenceNames = []string{"decimal", "user", "zeros", "spaces", "be", "le", "uuid1", "uuid7", "ipv4"}

// A sequence is an index into sequenceNames.
type sequence int

const (
	decimalKeys sequence = iota
	userKeys
	zeroKeys
	spaceKeys
	bigEndianKeys
	littleEndianKeys
	uuid1Keys
	uuid7Keys
	ipv4Keys
)

const (
	spaceWidth = 16
	maxStride  = 1 << 20
	addresses  = 1 << 32
)

// shapedKeys is the set of the numbers 0, s, 2s, ... with stride s in one of several shapes;
// strangers are the next numbers after the last member.
func shapedKeys() Definition {
	return Definition{
		Name: "shaped-keys",
		Doc:  "running numbers in the shapes that keys have in practice, probed with the next numbers after the last",
		Knobs: []spec.Knob{
			spec.Choice("shape", "how a number is written as a key", sequenceNames...),
			spec.Whole("stride", "step from one number to the next", "1", 1, maxStride),
		},
		Make: func(n uint64, v spec.Values) (Workload, error) {
			s, stride := sequence(slices.Index(sequenceNames, v["shape"])), v.Uint("stride")
			if n > maxN/stride {
				return Workload{}, badInput("workload shaped-keys: n = %d in steps of %d; want numbers up to 2^53", n, stride)
			}
			strangers := s.strangers(n, stride)
			if s == ipv4Keys && strangers == 0 {
				return Workload{}, badInput("workload shaped-keys: n = %d in steps of %d leaves no stranger among 2^32 addresses", n, stride)
			}
			return Workload{
				N:         n,
				Members:   n,
				Strangers: strangers,
				Present:   evenTraffic,
				Fixed:     s != uuid7Keys && s != ipv4Keys,
				Load: func(seed uint64) iter.Seq2[Op, error] {
					return func(yield func(Op, error) bool) {
						keys := newNumbered(seed, s, stride)
						for i := range n {
							if !yield(Op{keys.key(i), Add, NeverSeen}, nil) {
								return
							}
						}
					}
				},
				Lookup: func(seed uint64, mix Mix) iter.Seq2[Op, error] {
					return numberedLookups(seed, n, s, stride, mix)
				},
			}, nil
		},
	}
}

// strangers returns how many strangers the shape has beside n members; 0: without limit, or none of
// the addresses is left.
func (s sequence) strangers(n, stride uint64) uint64 {
	if s != ipv4Keys {
		return 0
	}
	return max(n, (addresses-1)/stride+1) - n
}

func numberedLookups(seed, n uint64, s sequence, stride uint64, mix Mix) iter.Seq2[Op, error] {
	mix.Deleted = 0
	if mix.Each {
		mix.Members = min(mix.Members, n)
	}
	if most := s.strangers(n, stride); most > 0 {
		mix.Strangers = min(mix.Strangers, most-min(most, mix.SkipStrangers))
	}
	return lookups(seed, mix, NeverSeen, func(order uint64) source {
		keys := newNumbered(seed, s, stride)
		chosen, next := newPicker(derive(order, forMembers), n, mix.Each), n+mix.SkipStrangers
		return func(c class) []byte {
			if c == members {
				return keys.key(chosen.pick())
			}
			next++
			return keys.key(next - 1)
		}
	})
}

// numbered writes the keys of a sequence, each over the one before.
type numbered struct {
	shape  sequence
	stride uint64
	drawn  bijection   // the random part of a version 7 UUID
	order  permutation // of the addresses
	buf    []byte
}

func newNumbered(seed uint64, s sequence, stride uint64) *numbered {
	own := derive(seed, forKeys)
	return &numbered{s, stride, newBijection(own), newPermutation(own, addresses), make([]byte, 36)}
}

// key returns the key of index i, which is valid until the next call.
func (k *numbered) key(i uint64) []byte {
	x := i * k.stride
	switch k.shape {
	case userKeys:
		k.buf = appendUser(k.buf, x)
	case zeroKeys:
		const first = 1e12 // the least number of 13 digits: its 1 is left out again
		if x < first {
			k.buf = strconv.AppendUint(k.buf[:0], first+x, 10)
			return k.buf[1:]
		}
		k.buf = strconv.AppendUint(k.buf[:0], x, 10)
	case spaceKeys:
		k.buf = strconv.AppendUint(k.buf[:0], x, 10)
		for len(k.buf) < spaceWidth {
			k.buf = append(k.buf, ' ')
		}
	case bigEndianKeys:
		k.buf = binary.BigEndian.AppendUint64(k.buf[:0], x)
	case littleEndianKeys:
		k.buf = binary.LittleEndian.AppendUint64(k.buf[:0], x)
	case uuid1Keys:
		k.buf = k.buf[:36]
		formatUUID(k.buf, timeUUID(x), uuidNode)
	case uuid7Keys:
		k.buf = k.buf[:36]
		const variant = 1 << 63
		formatUUID(k.buf, orderedUUID(x), variant|k.drawn.image(x)>>2)
	case ipv4Keys:
		k.buf = binary.BigEndian.AppendUint32(k.buf[:0], uint32(k.order.at(x)))
	default:
		k.buf = strconv.AppendUint(k.buf[:0], x, 10)
	}
	return k.buf
}

// The clocks start at 2026-01-01: in ticks of 100 ns since 1582-10-15, and in ms since 1970-01-01.
const (
	uuid1Start = 0x1f0e6a4_d0c3c000
	uuid7Start = 1_767_225_600_000
	uuidNode   = 0xb3a1_02_42_ac_11_00_02 // the variant, a clock sequence, and a container's address
)

// timeUUID returns the high half of a version 1 UUID (RFC 9562): the low 32, middle 16 and high 12
// of the 60 bits of time, in that order, with the version before the last.
func timeUUID(tick uint64) uint64 {
	t := uuid1Start + tick
	return t<<32 | t>>32&0xffff<<16 | 0x1000 | t>>48&0xfff
}

// orderedUUID returns the high half of a version 7 UUID (RFC 9562): 48 bits of time in ms, the
// version, and a counter within the millisecond.
func orderedUUID(x uint64) uint64 {
	const aMillisecond = 64
	return (uuid7Start+x/aMillisecond)<<16 | 0x7000 | x%aMillisecond
}
