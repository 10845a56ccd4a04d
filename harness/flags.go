package harness

import (
	"fmt"
	"math"
	"slices"
)

// What a case can be flagged for, besides the verdicts above and below.
const (
	FlagFalseNegatives = "false negatives" // that nothing provoked
	FlagSize           = "size"            // not the bits that the model says
	FlagOccupancy      = "occupancy"       // not the fill ratio or load factor that the model says
)

// flags returns what sets the case apart from a sound one.
func (c *cell) flags() []string {
	var out []string
	if slices.ContainsFunc(c.rows, func(r Result) bool { return r.FalseNegatives > 0 && !r.Provoked }) {
		out = append(out, FlagFalseNegatives)
	}
	if c.off() {
		out = append(out, string(c.Verdict))
	}
	if c.size() != 1 {
		out = append(out, FlagSize)
	}
	if c.full.off {
		out = append(out, FlagOccupancy)
	}
	return out
}

// warnings words the flags besides the verdict, and the occupancy where the verdict's reason does not
// tell of it.
func (c *cell) warnings() []string {
	var out []string
	if c.size() != 1 {
		r := c.rows[slices.IndexFunc(c.rows, Result.wrongSize)]
		out = append(out, fmt.Sprintf("the table takes %d bits where the model says %d: %.3g times as much", r.SizeBits, r.ModelBits, c.size()))
	}
	if c.full.off && !c.off() {
		out = append(out, c.fullnessWhy())
	}
	return out
}

// size returns the size of the first trial that is not as the model says over the model's; 1: all
// are.
func (c *cell) size() float64 {
	for _, r := range c.rows {
		if r.wrongSize() {
			return float64(r.SizeBits) / float64(r.ModelBits)
		}
	}
	return 1
}

// wrongSize reports whether neither the new filter nor the loaded one has the size of the model. A
// filter that grows has it when new, one that is sealed may have it only then.
func (r Result) wrongSize() bool {
	return r.ModelBits != 0 && r.SizeBits != r.ModelBits && r.newBits != r.ModelBits
}

// A fullness is the occupancy of a case's trials beside the model's, both means; known is false
// where there is nothing to compare.
type fullness struct {
	seen, want float64
	known, off bool
}

// How far the occupancy may be from the model's: half a percent, which is 3.5 % of an FPR at k = 7,
// and three standard deviations of independent cells of fullnessCell bits. Filters have smaller
// cells and their bits repel each other, so that this is at least seven of theirs.
const (
	fullnessTolerance = 0.005
	fullnessSDs       = 3
	fullnessCell      = 8
)

// fullnessOf compares the occupancies of trials, of which none may have suffered wrong deletes or
// losses: models predict the occupancy of the keys held.
func fullnessOf(rows []Result) fullness {
	var f fullness
	bits := 0.0
	for _, r := range rows {
		if r.Occupancy == nil || r.ModelOccupancy == nil || r.SizeBits == 0 || r.WrongDeletes > 0 || r.Provoked {
			return fullness{}
		}
		f.seen += *r.Occupancy / float64(len(rows))
		f.want += *r.ModelOccupancy / float64(len(rows))
		bits += float64(r.SizeBits)
	}
	if bits == 0 {
		return fullness{}
	}
	sd := math.Sqrt(f.want * max(0, 1-f.want) * fullnessCell / bits)
	f.known = true
	f.off = math.Abs(f.seen-f.want) > max(fullnessTolerance*f.want, fullnessSDs*sd)
	return f
}
