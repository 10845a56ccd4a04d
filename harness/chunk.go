package harness

import (
	"context"
	"iter"

	"filterlab/workloads"
)

// chunkOps is the number of operations made outside the clock and then timed together; a pair of
// clock readings costs about 70 ns, so it is below 0.02 ns an operation.
const chunkOps = 4096

// leastTimed is the fewest operations that are timed at all: below it the clock's own cost and
// resolution would show.
const leastTimed = 256

// A chunk is a run of operations of one kind, with keys of its own in one reused buffer.
type chunk struct {
	kind  workloads.Kind
	truth []workloads.Truth
	ends  []int
	buf   []byte
	keys  [][]byte
	flags []bool // answers of the operations, as long as keys
}

func newChunk() *chunk {
	return &chunk{
		truth: make([]workloads.Truth, 0, chunkOps),
		ends:  make([]int, 0, chunkOps),
		buf:   make([]byte, 0, chunkOps*24),
		keys:  make([][]byte, 0, chunkOps),
		flags: make([]bool, chunkOps),
	}
}

func (c *chunk) reset(kind workloads.Kind) {
	c.kind, c.truth, c.ends, c.buf = kind, c.truth[:0], c.ends[:0], c.buf[:0]
}

func (c *chunk) add(op workloads.Op) {
	c.truth = append(c.truth, op.Truth)
	c.buf = append(c.buf, op.Key...)
	c.ends = append(c.ends, len(c.buf))
}

// seal cuts the buffer into keys; only now, since appending may have moved it.
func (c *chunk) seal() {
	c.keys = c.keys[:0]
	start := 0
	for _, end := range c.ends {
		c.keys = append(c.keys, c.buf[start:end:end])
		start = end
	}
}

// each cuts a stream into chunks of one kind and hands each to do, until the stream ends, an
// operation is an error, or the context is done. The chunk is reused after do returns.
func (c *chunk) each(ctx context.Context, ops iter.Seq2[workloads.Op, error], keep func(workloads.Op) bool, do func()) error {
	c.reset(workloads.Add)
	flush := func(next workloads.Kind) error {
		if len(c.ends) > 0 {
			c.seal()
			do()
		}
		c.reset(next)
		return ctx.Err()
	}
	for op, err := range ops {
		if err != nil {
			return err
		}
		if !keep(op) {
			continue
		}
		if len(c.ends) == chunkOps || (op.Kind != c.kind && len(c.ends) > 0) {
			if err := flush(op.Kind); err != nil {
				return err
			}
		}
		c.kind = op.Kind
		c.add(op)
	}
	return flush(workloads.Add)
}
