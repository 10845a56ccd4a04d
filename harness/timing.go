package harness

import (
	"fmt"
	"math"
	"slices"
	"time"

	"filterlab/harness/stats"
)

// timings collects the time per operation of each chunk, by kind of operation, in the order in which
// the kinds first came.
type timings struct {
	order []string
	by    map[string]*chunkTimes
}

type chunkTimes struct {
	ops         uint64
	ns, floorNS []float64 // per operation, one of each chunk
	share       *float64
}

func (t *timings) of(op string) *chunkTimes {
	if t.by == nil {
		t.by = map[string]*chunkTimes{}
	}
	if t.by[op] == nil {
		t.by[op] = &chunkTimes{}
		t.order = append(t.order, op)
	}
	return t.by[op]
}

// record notes a chunk's time and measures its floor; chunks too short for the clock are left out.
func (t *timings) record(op string, ops int, elapsed time.Duration, floor func() time.Duration) {
	if ops < leastTimed {
		return
	}
	c := t.of(op)
	c.ops += uint64(ops)
	c.ns = append(c.ns, perOp(elapsed, ops))
	c.floorNS = append(c.floorNS, perOp(floor(), ops))
}

// whole notes an operation on all keys at once, such as a seal.
func (t *timings) whole(op string, keys uint64, elapsed time.Duration) {
	if keys < leastTimed {
		return
	}
	c := t.of(op)
	c.ops += keys
	c.ns = append(c.ns, perOp(elapsed, int(keys)))
	c.floorNS = append(c.floorNS, 0)
}

func (t *timings) share(op string, share float64) {
	if c := t.by[op]; c != nil {
		c.share = &share
	}
}

func (t *timings) timings() []Timing {
	var out []Timing
	for _, op := range t.order {
		c := t.by[op]
		last := c.ns[len(c.ns)-1]
		slices.Sort(c.ns)
		row := Timing{Op: op, Ops: c.ops, MedianNS: stats.Median(c.ns), FloorNS: stats.Median(c.floorNS), Share: c.share}
		if op == "add" {
			row.LastNS = &last
		}
		if lo, hi, ok := stats.MedianCI(c.ns, 0.95); ok {
			row.LoNS, row.HiNS = &lo, &hi
		}
		out = append(out, row)
	}
	return out
}

func perOp(d time.Duration, ops int) float64 { return float64(d.Nanoseconds()) / float64(ops) }

// mixShares returns the shares of members at which lookups are timed: five fixed ones and the
// workload's own.
func mixShares(present float64) []float64 {
	shares := []float64{0, 0.25, 0.5, 0.75, 1}
	if !slices.Contains(shares, present) {
		shares = append(shares, present)
		slices.Sort(shares)
	}
	return shares
}

// mixName names the timing at a share of members, such as lookup25.
func mixName(share float64) string {
	return fmt.Sprintf("lookup%g", math.Round(share*1e4)/1e2)
}
