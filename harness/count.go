package harness

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"filterlab/workloads"
)

// timedStrangers is the number of strangers of a trial that are timed; the rest of a rare rate's
// many strangers are only counted, on all cores where the filter allows it.
const timedStrangers = 64 * chunkOps

// strangersPass looks up the trial's strangers, each once.
func (t *trial) strangersPass() error {
	timed := t.strangers
	if t.Workload.Log == nil {
		timed = min(timed, timedStrangers)
	}
	if err := t.probe("stranger", workloads.Mix{Strangers: timed}); err != nil {
		return err
	}
	rest := t.strangers - timed
	workers := uint64(1)
	if t.Variant.Concurrent {
		workers = uint64(runtime.GOMAXPROCS(0))
	}
	tallies := make([]tally, workers)
	group, ctx := errgroup.WithContext(t.ctx)
	for i := range workers {
		from, to := rest*i/workers, rest*(i+1)/workers
		group.Go(func() error {
			return t.countStrangers(ctx, timed+from, to-from, &tallies[i])
		})
	}
	err := group.Wait()
	for _, part := range tallies {
		t.seen.strangers += part.strangers
		t.seen.falsePositives += part.falsePositives
	}
	return err
}

// countStrangers looks up count strangers after the first skip and counts the answers.
func (t *trial) countStrangers(ctx context.Context, skip, count uint64, into *tally) error {
	if count == 0 {
		return nil
	}
	seen := tally{} // of its own, so that cores do not share a cache line
	for op, err := range t.Workload.Lookup(t.keySeed, workloads.Mix{Strangers: count, SkipStrangers: skip}) {
		if err != nil {
			return err
		}
		seen.strangers++
		if t.filter.Contains(op.Key) {
			seen.falsePositives++
		}
		if seen.strangers%chunkOps == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	*into = seen
	return nil
}
