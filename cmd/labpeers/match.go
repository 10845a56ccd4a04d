package main

import (
	"strconv"

	"filterlab/filters"
	"filterlab/filters/catalog"
)

// A match is one of our own variants against the peer it is held against, both sized for target FPR
// p, and the ratio of times it must reach.
type match struct {
	own, peer string
	p         float64
	// equal asks for a peer of the same size in bits a key, by its knob bits.
	equal   bool
	targets []target
}

// A target is the most that a ratio may be for one op, at n keys; n = 0: at every n.
type target struct {
	op   string
	n    uint64
	most float64
}

// each returns one target for each of the ops.
func each(most float64, ops ...string) []target {
	var out []target
	for _, op := range ops {
		out = append(out, target{op, 0, most})
	}
	return out
}

// singles are the ops that take a key at a time.
var singles = []string{"add", "member", "stranger"}

// matches returns what bench-peers runs, in this order. Both sides have the same m and k, but for
// the cuckoo filters, whose fingerprints have as many bits, the blocked filters, of equal size, and
// the blocked counting filter, of equal FPR.
func matches() []match {
	const p = 0.01
	blocked := append(each(1, singles...), target{"batch", 1e7, 0.7})
	return []match{
		{own: "counting", peer: "boom-counting", p: p, targets: each(0.5, singles...)},
		{own: "counting:layout=blocked", peer: "boom-counting", p: p, targets: append(each(0.5, singles...), target{"batch", 1e7, 0.25})},
		{own: "partitioned", peer: "boom-partitioned", p: p, targets: each(0.6, singles...)},
		{own: "classic", peer: "bloom", p: p, targets: each(0.4, singles...)},
		{own: "blocked", peer: "parquet", p: p, equal: true, targets: blocked},
		{own: "blocked:layout=line", peer: "parquet", p: p, equal: true, targets: blocked},
		{own: "cuckoo-own:f=8", peer: "cuckoo", p: 0.03, targets: each(0.8, "member", "stranger")},
		{own: "fuse:f=8", peer: "xor-fuse8", p: p, targets: each(1.1, singles...)},
		{own: "split", peer: "classic", p: p, targets: each(1.1, singles...)},
		{own: "sharded", peer: "classic", p: p, targets: each(1.15, singles...)},
	}
}

// target returns the most that the ratio of an op may be at n keys, 0 for no target.
func (m match) target(op string, n uint64) float64 {
	for _, t := range m.targets {
		if t.op == op && (t.n == 0 || t.n == n) {
			return t.most
		}
	}
	return 0
}

// sides returns both variants with their knobs, the peer of equal size where the match asks for that.
func (m match) sides(known catalog.List, n uint64) (own, peer filters.Bound, err error) {
	if own, err = known.Parse(m.own); err != nil {
		return own, peer, err
	}
	text := m.peer
	if m.equal {
		model, err := own.Model(own.Params(n, m.p, 0))
		if err != nil {
			return own, peer, err
		}
		text += ":bits=" + strconv.FormatFloat(float64(model.Bits)/float64(n), 'g', -1, 64)
	}
	peer, err = known.Parse(text)
	return own, peer, err
}
