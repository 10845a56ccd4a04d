package workloads

import "fmt"

// A life is what is known of a key while the writes of a log are gone through.
type life uint8

const (
	unwritten life = iota
	live
	dead
)

// byWrites goes through the puts and deletes in the order of the file. The filter is sized for the
// most keys that are live at once. A read of a key not live at that moment is a request for an
// absent key; but one deleted first must have been stored before the log began, so a read of it
// up to that delete proves nothing.
func (t *trace) byWrites(log *Log) (*settled, error) {
	lives, earlier := make([]life, t.keys.len()), t.storedEarlier()
	missed := make([]bool, t.keys.len()) // read while absent
	s := &settled{keys: t.keys, truth: AssumedAbsent}
	var now uint64
	for _, event := range t.events {
		number, what := unpack(event)
		switch {
		case what == Put && lives[number] != live:
			s.steps = append(s.steps, pack(number, What(lives[number])))
			lives[number] = live
			now++
			s.n = max(s.n, now)
		case what == Delete && lives[number] == live:
			s.steps = append(s.steps, pack(number, What(live)))
			lives[number] = dead
			now--
		case what == Get:
			log.Requests++
			if lives[number] == unwritten && earlier[number] {
				log.Unknown++
			} else if lives[number] != live {
				log.Absent++
				missed[number] = true
			}
		}
		if what == Delete && lives[number] == unwritten {
			earlier[number] = false // from here on it is known to be absent
		}
	}
	if s.n == 0 {
		return nil, badInput("%s deletes keys but puts none, so there is nothing to store; name a list of the stored keys", log.Path)
	}
	for _, m := range missed {
		if m {
			log.AbsentKeys++
		}
	}
	t.standAtEnd(s, lives)
	log.Rule = fmt.Sprintf("stored are the keys the log puts and has not deleted yet (%d at the end, %d at the peak); a key it reads but never puts or deletes is assumed absent, which nothing proves", len(s.stored), s.n)
	return s, nil
}

// storedEarlier tells of every key whether its first write is a delete.
func (t *trace) storedEarlier() []bool {
	earlier, written := make([]bool, t.keys.len()), make([]bool, t.keys.len())
	for _, event := range t.events {
		number, what := unpack(event)
		if (what == Put || what == Delete) && !written[number] {
			written[number], earlier[number] = true, what == Delete
		}
	}
	return earlier
}

// standAtEnd gives every key its standing after the last event, and keeps the reads of live keys.
func (t *trace) standAtEnd(s *settled, lives []life) {
	for number := range t.keys.len() {
		switch u := t.uses[number]; {
		case lives[number] == live:
			s.place(number, stored)
		case lives[number] == dead:
			s.place(number, removed)
		case !u.had(Delete):
			s.place(number, absent)
		}
	}
	asked := t.events[:0] // in place: what is kept is never ahead of what is read
	for _, event := range t.events {
		if number, what := unpack(event); what == Get && lives[number] == live {
			asked = append(asked, number)
		}
	}
	s.asked = asked
}
