package workloads

import (
	"context"
	"strings"

	"filterlab/filters/spec"
)

// A Definition is a synthetic workload by name: its knobs, and what makes it for n keys and a value
// for each knob. Parse checks both and puts the spec into the workload's Name.
type Definition struct {
	Name, Doc string
	Knobs     []spec.Knob
	Make      func(n uint64, v spec.Values) (Workload, error)
}

// All returns the synthetic workloads.
func All() []Definition {
	return []Definition{randomIDs(), skewedKeys(), shapedKeys(), deletes()}
}

// replayPrefix starts the spec of a replay; everything after it is a path.
const replayPrefix = "replay:"

// Names returns what a spec may start with, as it is shown to users.
func Names() []string {
	var names []string
	for _, d := range All() {
		names = append(names, d.Name)
	}
	return append(names, replayPrefix+"FILE")
}

// maxN is the most keys of a synthetic workload, so that shares of n are exact in a float64.
const maxN = 1 << 53

// Parse makes the workload that a spec such as "random-ids:present=0.8" or "replay:access.log"
// names. n is the number of keys of a synthetic workload, 1 to 2^53; a replay has the keys of its
// file, which is read here once, until ctx ends. Errors are ErrInput, or ctx's own.
func Parse(ctx context.Context, text string, n uint64, opts ReplayOptions) (Workload, error) {
	if path, ok := strings.CutPrefix(text, replayPrefix); ok {
		return replay(ctx, path, opts)
	}
	name, given, err := spec.Parse(text)
	if err != nil {
		return Workload{}, badInput("workload %w", err)
	}
	for _, d := range All() {
		if d.Name == name {
			return d.make(n, given)
		}
	}
	return Workload{}, badInput("%w", spec.Unknown("no workload named", name, Names()))
}

// make checks the knobs and names the workload by the spec that makes it again.
func (d Definition) make(n uint64, given map[string]string) (Workload, error) {
	if n < 1 || n > maxN {
		return Workload{}, badInput("workload %s: n = %d; want 1 to 2^53 keys", d.Name, n)
	}
	values, err := spec.Resolve("workload "+d.Name, d.Knobs, given)
	if err != nil {
		return Workload{}, badInput("%w", err)
	}
	w, err := d.Make(n, values)
	w.Name = spec.Format(d.Name, d.Knobs, values)
	return w, err
}
