// Package workloads makes the operations a filter is measured with. Every operation carries the
// truth about its key, so the harness needs no second set to keep score.
package workloads

import "iter"

// A Kind says what an operation asks of the filter.
type Kind uint8

// The kinds of operation.
const (
	Add Kind = iota
	Lookup
	Remove
)

// A Truth says what is known about a key at the moment of the operation.
type Truth uint8

// What can be known. A stranger is any of the middle four.
const (
	Member        Truth = iota // the store holds the key
	NeverSeen                  // synthetic: the key was never stored
	Deleted                    // the key was stored and deleted
	ProvenAbsent               // the log proves that the store lacks the key (404, 410, a full list)
	AssumedAbsent              // not seen before; nothing proves that the store lacks it
	Unknown                    // the log proves nothing either way
)

var truthNames = [...]string{"member", "never-seen", "deleted", "proven-absent", "assumed-absent", "unknown"}

// String returns the truth as it is printed in results.
func (t Truth) String() string { return truthNames[t] }

// An Op is one operation. Key is valid until the next op.
type Op struct {
	Key   []byte
	Kind  Kind
	Truth Truth
}

// A Mix asks a workload for lookups: so many of each truth, interleaved at random.
type Mix struct {
	Members, Strangers, Deleted uint64
	// SkipStrangers is the number of strangers asked before: a stranger is asked once.
	SkipStrangers uint64
	// Each takes the members without repetition (at most all of them, each once); otherwise they
	// come by the workload's popularity.
	Each bool
}

// Total returns the number of lookups asked for.
func (m Mix) Total() uint64 { return m.Members + m.Strangers + m.Deleted }

// A Workload is a stored set and the lookups it gets. The streams are functions of the seed alone,
// may be run several times and at once, and end early when the consumer stops or at an error.
type Workload struct {
	Name string // the spec that makes it again
	N    uint64 // keys to size a filter for

	// Load yields the Adds that make the stored set and, where the workload has them, the Removes
	// among them. The truth of an Add is that of its key just before it: NeverSeen for a new key,
	// Deleted for one stored before and not now, Member for one that is stored already, which is
	// then not stored twice. A Remove has truth Member, or NeverSeen when it is wrong.
	Load func(seed uint64) iter.Seq2[Op, error]
	// Lookup yields the lookups asked for, after Load. It yields fewer where the workload has fewer.
	Lookup func(seed uint64, mix Mix) iter.Seq2[Op, error]

	// What Load leaves behind.
	Members, Deleted uint64 // keys stored at the end, keys deleted and not stored again
	Strangers        uint64 // distinct strangers on offer; 0: without limit, or none in a replayed log

	Present float64 // share of members in the workload's own traffic, 0..1
	Fixed   bool    // the keys do not depend on the seed
	Churns  bool    // Load removes keys

	Log *Log // what a replayed log holds; nil for synthetic workloads
}

// A Log tells what was read from a replayed file.
type Log struct {
	Path, SHA256, Format string
	Rule                 string // which rule made the negatives, in a sentence
	Events, Keys         uint64 // events read, distinct keys among them
	Requests             uint64 // lookups the filter would have been asked, after the stored set was known
	Absent               uint64 // of these, requests for keys that are absent by the rule
	AbsentKeys           uint64 // distinct keys among them
	Unknown              uint64 // requests whose key is neither known present nor known absent
	Malformed            uint64
	FirstMalformed       []string // at most five, with line numbers
}
