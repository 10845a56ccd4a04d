package workloads

import "fmt"

// A standing says what a rule makes of a key.
type standing uint8

const (
	undecided standing = iota // neither known stored nor known absent
	stored
	removed // stored and deleted
	absent
)

// settle applies the rule that fits the log: a list of stored keys decides before the log does, a
// log with answers by its proofs, a log with writes by them, and any other by its beginning.
func (t *trace) settle(log *Log, opts ReplayOptions) (*settled, error) {
	var all use
	for _, u := range t.uses {
		all |= u
	}
	switch {
	case t.listed > 0:
		return t.byList(log, opts.Stored)
	case all.had(Found) || all.had(Missing):
		return t.byProof(log)
	case all.had(Put) || all.had(Delete):
		return t.byWrites(log)
	default:
		return t.byWarmup(log, opts.Warmup)
	}
}

// byList takes the list as the store. A key that is not on it is proven absent, unless the log
// itself puts it: then nothing is known.
func (t *trace) byList(log *Log, path string) (*settled, error) {
	log.Rule = fmt.Sprintf("stored are the %d keys listed in %s; a key asked for that is not on the list, and that the log does not put, is proven absent, since the list is full", t.listed, path)
	return t.decide(log, 0, ProvenAbsent, func(number uint32) standing {
		u := t.uses[number]
		switch {
		case number < t.listed:
			return stored
		case u.read() && !u.had(Put):
			return absent
		}
		return undecided
	}), nil
}

// byProof believes the answers. A key answered both ways was stored at some time, and a filter
// built from the store of that time must hold it, so it counts as stored.
func (t *trace) byProof(log *Log) (*settled, error) {
	found, both := 0, 0
	for _, u := range t.uses {
		if u.had(Found) {
			found++
		}
		if u.had(Found) && u.had(Missing) {
			both++
		}
	}
	if found == 0 {
		return nil, badInput("%s proves of no key that it is stored (status 200, 206 or 304); name a list of the stored keys", log.Path)
	}
	log.Rule = fmt.Sprintf("stored are the %d keys answered 200, 206 or 304 at least once (of which answered 404 or 410 as well: %d); a key answered 404 or 410 and never so is proven absent; other answers prove nothing", found, both)
	return t.decide(log, 0, ProvenAbsent, func(number uint32) standing {
		switch u := t.uses[number]; {
		case u.had(Found):
			return stored
		case u.had(Missing):
			return absent
		}
		return undecided
	}), nil
}

// byWarmup takes the keys of the first events as stored, and those that come later as absent.
func (t *trace) byWarmup(log *Log, share float64) (*settled, error) {
	cut := int(share * float64(len(t.events)))
	if cut == 0 {
		return nil, badInput("%s: a warm-up share of %g of %d events holds no key to store; want a larger share, or a list of the stored keys", log.Path, share, len(t.events))
	}
	var warm uint32 // numbers are given in order of first appearance
	for _, event := range t.events[:cut] {
		number, _ := unpack(event)
		warm = max(warm, number+1)
	}
	log.Rule = fmt.Sprintf("stored are the %d keys of the first %d events (%g %%); a key that comes first after them is assumed absent, which nothing proves", warm, cut, 100*share)
	return t.decide(log, cut, AssumedAbsent, func(number uint32) standing {
		if number < warm {
			return stored
		}
		return absent
	}), nil
}

// decide gives every key its standing, counts the reads from the event first on by it, and keeps
// the reads of stored keys.
func (t *trace) decide(log *Log, first int, truth Truth, standingOf func(number uint32) standing) *settled {
	s := &settled{keys: t.keys, truth: truth}
	for number := range t.keys.len() {
		s.place(number, standingOf(number))
	}
	s.n = uint64(len(s.stored))
	asked := t.events[:0] // in place: what is kept is never ahead of what is read
	for _, event := range t.events[first:] {
		number, what := unpack(event)
		if what == Put || what == Delete {
			continue
		}
		log.Requests++
		switch standingOf(number) {
		case stored:
			asked = append(asked, number)
		case absent:
			log.Absent++
		default:
			log.Unknown++
		}
	}
	s.asked, log.AbsentKeys = asked, uint64(len(s.absent))
	return s
}
