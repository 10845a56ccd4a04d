package workloads

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// DefaultWarmup and DefaultMaxBad are the usual settings of ReplayOptions.
const (
	DefaultWarmup = 0.2
	DefaultMaxBad = 0.001
)

// ReplayOptions says how a log becomes a workload.
type ReplayOptions struct {
	Stored string  // file with the keys of the store, one a line; "": the log tells
	Warmup float64 // share of events whose keys are taken as stored when nothing else tells, above 0 and below 1
	MaxBad float64 // share of lines that may be malformed, 0..1
}

func (o ReplayOptions) check() error {
	if !(o.Warmup > 0 && o.Warmup < 1) {
		return badInput("the warm-up share is %g; want more than 0 and less than 1, such as %g", o.Warmup, DefaultWarmup)
	}
	if !(o.MaxBad >= 0 && o.MaxBad <= 1) {
		return badInput("the share of lines that may be malformed is %g; want 0 to 1, such as %g", o.MaxBad, DefaultMaxBad)
	}
	return nil
}

// A trace is a log in memory: its distinct keys, numbered in order of first appearance, and 4
// bytes an event. The keys of a list of stored keys have the first numbers.
type trace struct {
	keys   *keySet
	listed uint32 // keys of the list
	events []uint32
	uses   []use // by number of the key
}

// A use says what events a key has had; bit w is set for an event w.
type use uint8

func (u use) had(w What) bool { return u>>w&1 != 0 }

// read reports whether the key has been read, whatever the answer.
func (u use) read() bool { return u.had(Get) || u.had(Found) || u.had(Missing) }

// An event is packed: the number of its key in the upper 29 bits and its What in the lower 3.
const (
	whatBits = 3
	maxKeys  = 1<<(32-whatBits) - 1
)

func pack(number uint32, w What) uint32  { return number<<whatBits | uint32(w) }
func unpack(event uint32) (uint32, What) { return event >> whatBits, What(event & (1<<whatBits - 1)) }

// checkEvery is the number of lines between two looks at the context.
const checkEvery = 4096

// replay reads a log and makes a workload of it.
func replay(ctx context.Context, path string, opts ReplayOptions) (Workload, error) {
	if err := opts.check(); err != nil {
		return Workload{}, err
	}
	t := &trace{keys: newKeySet()}
	if opts.Stored != "" {
		if err := t.readList(ctx, opts.Stored); err != nil {
			return Workload{}, err
		}
	}
	log := &Log{Path: path}
	keyless, err := t.readLog(ctx, log, opts.MaxBad)
	if err != nil {
		return Workload{}, err
	}
	s, err := t.settle(log, opts)
	if err != nil {
		return Workload{}, err
	}
	if keyless > 0 {
		log.Rule += fmt.Sprintf("; lines without a key, left out: %d", keyless)
	}
	w := s.workload()
	w.Name, w.Log = replayPrefix+path, log
	if log.Requests > 0 {
		w.Present = float64(log.Requests-log.Absent-log.Unknown) / float64(log.Requests)
	}
	return w, nil
}

// readList reads the list of stored keys.
func (t *trace) readList(ctx context.Context, path string) error {
	lines := 0
	for key, err := range ReadKeys(path) {
		if err != nil {
			return err
		}
		if lines++; lines%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := t.number(path, key); err != nil {
			return err
		}
	}
	t.listed = t.keys.len()
	return nil
}

// number returns the number of a key, of which there is one for each of maxKeys distinct ones.
func (t *trace) number(path string, key []byte) (uint32, error) {
	number := t.keys.number(key)
	if number >= maxKeys {
		return 0, badInput("%s: more than %d distinct keys, which is the most a replay takes", path, maxKeys)
	}
	if int(number) == len(t.uses) {
		t.uses = append(t.uses, 0)
	}
	return number, nil
}

// readLog reads the events, writes to log what was read, and returns the number of lines without a key.
func (t *trace) readLog(ctx context.Context, log *Log, maxBad float64) (keyless uint64, err error) {
	r, err := Open(log.Path)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	for {
		if len(t.events)%checkEvery == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		event, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, err
		}
		number, err := t.number(log.Path, event.Key)
		if err != nil {
			return 0, err
		}
		if !t.uses[number].read() && !t.uses[number].had(Put) && !t.uses[number].had(Delete) {
			log.Keys++
		}
		t.uses[number] |= 1 << event.What
		t.events = append(t.events, pack(number, event.What))
	}
	log.Format, log.SHA256, log.Events = r.Format.Name, r.SHA256(), uint64(len(t.events))
	log.Malformed, log.FirstMalformed = r.Malformed, r.FirstMalformed
	return r.Keyless, tooBad(r, log, maxBad)
}

// tooBad is the error for a log with too many malformed lines, or with no event at all.
func tooBad(r *Reader, log *Log, maxBad float64) error {
	lines := log.Events + log.Malformed + r.Keyless
	if float64(log.Malformed) > maxBad*float64(lines) {
		return badInput("%s: %d of %d lines (%.3g %%) are not in the format %s, and at most %.3g %% may be (--max-bad allows more); the first: %s", log.Path,
			log.Malformed, lines, 100*float64(log.Malformed)/float64(lines), r.Format.Name, 100*maxBad, strings.Join(log.FirstMalformed, "; "))
	}
	if log.Events == 0 {
		return badInput("%s holds no event in the format %s; want lines such as %s", log.Path, r.Format.Name, r.Format.Example)
	}
	return nil
}
