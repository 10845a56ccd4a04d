package harness

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"filterlab/filters"
	"filterlab/harness/stats"
	"filterlab/workloads"
)

// A Versus is two filters to be timed side by side: each chunk of keys goes through both, one right
// after the other and in random order, so that what disturbs the machine disturbs both.
type Versus struct {
	Own, Peer filters.Filter // empty; both are filled by Run
	Workload  workloads.Workload
	Seed      uint64
	Lookups   uint64 // of members, of strangers, and in batches; at most as many members as there are
}

// A Ratio is the time of the own filter over that of the peer for one kind of operation: the median
// over chunks of 4,096 keys and its interval at 95 %.
type Ratio struct {
	Op            string // add, member, stranger or batch
	Ratio         float64
	Lo, Hi        *float64 // nil: one observation, or too few chunks
	OwnNS, PeerNS float64  // medians per operation
	Chunks        int
}

// Run fills both filters and measures the ratios of add, member and stranger, and of batch where the
// own filter has it: its batches against the peer's, or against single lookups where the peer has
// none. The add of static filters is one observation: the adds and the seal together. A false
// negative of either filter is an error.
func (v Versus) Run(ctx context.Context) ([]Ratio, error) {
	r := &duel{Versus: v, ctx: ctx, chunk: newChunk(), rng: rand.New(rand.NewPCG(v.Seed, 0))}
	if err := r.add(); err != nil {
		return nil, err
	}
	members := min(v.Lookups, v.Workload.Members)
	if err := r.lookups("member", workloads.Mix{Members: members, Each: true}, true, timeSingle); err != nil {
		return nil, err
	}
	if err := r.lookups("stranger", workloads.Mix{Strangers: v.Lookups}, false, timeSingle); err != nil {
		return nil, err
	}
	if _, ok := v.Own.(filters.Batcher); ok {
		fresh := workloads.Mix{Strangers: v.Lookups, SkipStrangers: v.Lookups}
		if err := r.lookups("batch", fresh, false, timeBatch); err != nil {
			return nil, err
		}
	}
	return r.out, nil
}

// A duel is a Versus under way.
type duel struct {
	Versus
	ctx   context.Context
	chunk *chunk
	rng   *rand.Rand
	out   []Ratio
}

// pairs are the times per operation of both filters, one each of a chunk.
type pairs struct{ own, peer, ratios []float64 }

// time times a chunk through both filters, the first one by lot.
func (d *duel) time(p *pairs, keys int, own, peer func() time.Duration) (first, second time.Duration) {
	if d.rng.IntN(2) == 0 {
		first = own()
		second = peer()
	} else {
		second = peer()
		first = own()
	}
	if keys >= leastTimed {
		p.own, p.peer = append(p.own, perOp(first, keys)), append(p.peer, perOp(second, keys))
		p.ratios = append(p.ratios, float64(first)/float64(second))
	}
	return first, second
}

func (d *duel) report(op string, p *pairs) {
	row := Ratio{Op: op, Ratio: stats.Median(p.ratios), OwnNS: stats.Median(p.own), PeerNS: stats.Median(p.peer), Chunks: len(p.ratios)}
	if lo, hi, ok := stats.MedianCI(p.ratios, 0.95); ok {
		row.Lo, row.Hi = &lo, &hi
	}
	d.out = append(d.out, row)
}

func (d *duel) add() error {
	p := &pairs{}
	var own, peer time.Duration
	keep := func(op workloads.Op) bool { return op.Kind == workloads.Add }
	err := d.chunk.each(d.ctx, d.Workload.Load(d.Seed), keep, func() {
		keys, flags := d.chunk.keys, d.chunk.flags
		x, y := d.time(p, len(keys),
			func() time.Duration { return timedAdds(d.Own, keys, flags) },
			func() time.Duration { return timedAdds(d.Peer, keys, flags) })
		own, peer = own+x, peer+y
	})
	if err != nil {
		return err
	}
	ownSeal, ownSeals, err := sealed(d.Own)
	if err != nil {
		return err
	}
	peerSeal, peerSeals, err := sealed(d.Peer)
	if err != nil {
		return err
	}
	if ownSeals || peerSeals {
		own, peer = own+ownSeal, peer+peerSeal
		keys := int(d.Workload.Members)
		p = &pairs{[]float64{perOp(own, keys)}, []float64{perOp(peer, keys)}, []float64{float64(own) / float64(peer)}}
	}
	d.report("add", p)
	return nil
}

// A lookup times the keys of a chunk and counts how many answered maybe.
type lookup func(f filters.Filter, keys [][]byte, flags []bool) (maybe uint64, elapsed time.Duration)

func timeSingle(f filters.Filter, keys [][]byte, _ []bool) (uint64, time.Duration) {
	return timedLookups(f, keys)
}

// timeBatch times one batch of all keys; of filters without batches, single lookups.
func timeBatch(f filters.Filter, keys [][]byte, flags []bool) (maybe uint64, elapsed time.Duration) {
	b, ok := f.(filters.Batcher)
	if !ok {
		return timedLookups(f, keys)
	}
	elapsed = timedBatch(b, keys, flags)
	for _, held := range flags[:len(keys)] {
		if held {
			maybe++
		}
	}
	return maybe, elapsed
}

func (d *duel) lookups(op string, mix workloads.Mix, held bool, by lookup) error {
	p := &pairs{}
	var denied uint64
	all := func(workloads.Op) bool { return true }
	err := d.chunk.each(d.ctx, d.Workload.Lookup(d.Seed, mix), all, func() {
		keys, flags := d.chunk.keys, d.chunk.flags
		timed := func(f filters.Filter) func() time.Duration {
			return func() time.Duration {
				maybe, elapsed := by(f, keys, flags)
				denied += uint64(len(keys)) - maybe
				return elapsed
			}
		}
		d.time(p, len(keys), timed(d.Own), timed(d.Peer))
	})
	if err == nil && held && denied > 0 {
		return fmt.Errorf("%d members were denied by one of the two filters: their times say nothing", denied)
	}
	d.report(op, p)
	return err
}
