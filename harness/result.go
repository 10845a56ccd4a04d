package harness

import (
	"time"

	"filterlab/workloads"
)

// A Timing is the time of one kind of operation in one trial, in nanoseconds per operation: the
// median over chunks with the order-statistic interval, and the floor, the same loop over a filter
// that does nothing.
type Timing struct {
	Op       string   `json:"op"`
	Ops      uint64   `json:"ops"`
	MedianNS float64  `json:"median_ns"`
	LoNS     *float64 `json:"lo_ns"` // null with fewer than 6 chunks
	HiNS     *float64 `json:"hi_ns"`
	FloorNS  float64  `json:"floor_ns"`
	// LastNS is the time of the last chunk of adds, when the filter is fullest; null for other operations.
	LastNS *float64 `json:"last_ns"`
	// Share is the share of members among the lookups, 0..1; null for other operations.
	Share *float64 `json:"share"`
}

// A Host is the machine and toolchain of a run.
type Host struct {
	CPU   string `json:"cpu"`
	Cores int    `json:"cores"`
	Go    string `json:"go"`
	OS    string `json:"os"`
}

// A Result is what one trial of a case showed, with the whole configuration that made it. Ratios
// are 0..1, times ns per operation; a pointer is null where it was not measured or does not apply.
type Result struct {
	Variant    string  `json:"variant"`
	Workload   string  `json:"workload"`
	N          uint64  `json:"n"`
	P          float64 `json:"p"`
	Seed       uint64  `json:"seed"`
	Trial      int     `json:"trial"`
	KeySeed    uint64  `json:"key_seed"`
	FilterSeed uint64  `json:"filter_seed"`

	Held           uint64 `json:"held"`     // distinct keys in the filter when it was probed
	Rejected       uint64 `json:"rejected"` // keys the filter refused
	Members        uint64 `json:"members"`  // members looked up, each once
	FalseNegatives uint64 `json:"false_negatives"`
	Strangers      uint64 `json:"strangers"` // strangers looked up, each once
	FalsePositives uint64 `json:"false_positives"`

	FPR           *float64 `json:"fpr"`
	FPRLo         *float64 `json:"fpr_lo"` // Clopper-Pearson, 95 %
	FPRHi         *float64 `json:"fpr_hi"`
	ModelFPR      *float64 `json:"model_fpr"`
	ModelSD       *float64 `json:"model_sd"`
	ModelFormula  string   `json:"model_formula"`
	InstanceFPR   *float64 `json:"instance_fpr"`
	WrongAmong    *float64 `json:"wrong_among_maybe"` // FP/(FP+TP) in the workload's own traffic
	Verdict       string   `json:"verdict"`           // of the case, the same in each of its trials
	VerdictWhy    string   `json:"verdict_why"`
	Z             *float64 `json:"z"`
	ObservedRatio *float64 `json:"observed_over_model"`
	PHolm         *float64 `json:"p_holm"`       // of the case, adjusted for all cases judged with it
	DispersionP   *float64 `json:"dispersion_p"` // of the trials' scatter about their own predictors
	Flags         []string `json:"flags"`        // what sets the case apart from a sound one: above, below and Flag...
	Provoked      bool     `json:"provoked"`

	DeletedProbes uint64   `json:"deleted_probes"`
	DeletedMaybe  uint64   `json:"deleted_maybe"`
	WrongDeletes  uint64   `json:"wrong_deletes"`
	LostPredicted *float64 `json:"lost_predicted"`

	SizeBits       uint64   `json:"size_bits"`
	ModelBits      uint64   `json:"model_bits"` // 0: depends on the keys
	HeapBytes      *uint64  `json:"heap_bytes"`
	BitsPerKey     *float64 `json:"bits_per_key"`
	HeapBitsPerKey *float64 `json:"heap_bits_per_key"`
	Overhead       *float64 `json:"overhead"` // bits per key / log2(1/FPR) - 1
	Occupancy      *float64 `json:"occupancy"`
	ModelOccupancy *float64 `json:"model_occupancy"`
	K              int      `json:"k"` // probes of a present lookup; 0: no such notion

	Timings []Timing `json:"timings"`

	NegativesRule string    `json:"negatives_rule"`
	InputSHA256   string    `json:"input_sha256"`
	Log           *LogFacts `json:"log"`
	Skipped       string    `json:"skipped"` // why the trial was not run; empty: it was
	Simulated     bool      `json:"simulated"`
	Warnings      []string  `json:"warnings"`

	Date    time.Time `json:"date"`
	Host    Host      `json:"host"`
	Command string    `json:"command"`
	Commit  string    `json:"commit"`
	Partial bool      `json:"partial"`

	Axis string   `json:"axis"` // what a sweep varies; empty: the trial is of no sweep
	X    *float64 `json:"x"`    // where on the axis the trial lies

	newBits uint64 // SizeBits before the first key
}

// LogFacts are the counts of a replayed log that a filter's saving follows from.
type LogFacts struct {
	Events     uint64  `json:"events"`
	Keys       uint64  `json:"keys"`
	Requests   uint64  `json:"requests"`
	Absent     uint64  `json:"absent_requests"`
	AbsentKeys uint64  `json:"absent_keys"`
	Unknown    uint64  `json:"unknown_requests"`
	Malformed  uint64  `json:"malformed"`
	Savable    float64 `json:"savable"` // share of requests that a filter without false positives saves
	Saved      float64 `json:"saved"`   // share that this filter saves, by its observed FPR
}

// logFacts returns the counts of a log and what a filter with the FPR given would save on it.
func logFacts(log *workloads.Log, fpr float64) *LogFacts {
	f := &LogFacts{
		Events: log.Events, Keys: log.Keys, Requests: log.Requests, Absent: log.Absent,
		AbsentKeys: log.AbsentKeys, Unknown: log.Unknown, Malformed: log.Malformed,
	}
	if log.Requests > 0 {
		f.Savable = float64(log.Absent) / float64(log.Requests)
	}
	f.Saved = f.Savable * (1 - fpr)
	return f
}
