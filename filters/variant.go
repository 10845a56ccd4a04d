package filters

import (
	"fmt"
	"math"

	"filterlab/filters/spec"
)

// Params is what is asked of a variant.
type Params struct {
	N     uint64  // keys to hold, at least 1
	P     float64 // target FPR, above 0 and below 1
	Seed  uint64  // of the filter's hash; ignored by packages that take none
	Knobs spec.Values
}

// Check refuses parameters that no filter can be built from, with a hint where a usual slip shows.
func (p Params) Check() error {
	switch {
	case p.N == 0:
		return fmt.Errorf("n = 0: a filter needs at least one key to be sized for")
	case math.IsNaN(p.P) || p.P <= 0:
		return fmt.Errorf("p = %g: the target FPR must be above 0 and below 1, such as 0.01 for 1 %%", p.P)
	case p.P >= 1 && p.P < 100:
		return fmt.Errorf("p = %g: the target FPR must be above 0 and below 1; for %g %% say %g", p.P, p.P, p.P/100)
	case p.P >= 1:
		return fmt.Errorf("p = %g: the target FPR must be above 0 and below 1; were n and p swapped?", p.P)
	}
	return nil
}

// checkHash refuses a target FPR that no table can reach because keys are hashed to 64 bits: another
// key has one of n hashes with probability n/2^64. Exact variants need no such check.
func (p Params) checkHash() error {
	const rounding = 1 - 1e-9 // a search may stop right at the floor
	if floor := float64(p.N) / (1 << 64); p.P < floor*rounding {
		return fmt.Errorf("p = %g: with %d keys a 64-bit hash alone gives an FPR of %.2g (n / 2^64); ask for more than that, or store the keys themselves",
			p.P, p.N, floor)
	}
	return nil
}

// A Churn counts what a workload did to a filter, in this order: loaded keys, deleted some of
// them, added new ones, and asked to delete keys that were never there.
type Churn struct{ Loaded, Deleted, Added, Wrong uint64 }

// Held returns the keys a filter holds after the churn, wrong deletes left aside.
func (c Churn) Held() uint64 { return c.Loaded - c.Deleted + c.Added }

// A Model is the prediction for exactly what New builds, after all rounding, without building it.
type Model struct {
	Formula, Source string
	Bits            uint64 // equals SizeBits of a new filter; 0: depends on the keys
	HeapBytes       uint64 // rough need of memory where Bits is 0, for keys of 16 bytes
	K               int    // probes of a present lookup; 0 where the filter does not probe bit by bit

	// At n keys held, also far beyond N. FPR is 0 throughout for exact variants; SD is the
	// standard deviation of the FPR between instances; Occupancy the expected fill ratio or load
	// factor (nil: none).
	FPR, SD, Occupancy func(n uint64) float64

	// Lost returns the expected number of members that answer no after a churn; nil: none.
	Lost func(Churn) float64
	// FPRAfter returns the FPR after a churn where it is not FPR(Held()); nil: it is.
	FPRAfter func(Churn) float64
}

// A Variant is one way to build a filter, with the model that predicts it.
type Variant struct {
	Name, Doc string
	Knobs     []spec.Knob
	Seeded    bool // Params.Seed changes the hash, so instances on the same keys differ
	Exact     bool // no false positives, by construction
	Unjudged  bool // a yardstick whose FPR is no claim
	// Concurrent says that Contains may be called from several goroutines at once while nothing
	// is added or removed.
	Concurrent bool
	New        func(Params) (Filter, error)
	Model      func(Params) (Model, error)
}

// A Bound variant has its knobs chosen: what a spec string such as "counting:bits=4" names.
type Bound struct {
	Variant
	Values spec.Values // every knob of the variant, defaults filled in
}

// Bind resolves the knobs given against the variant's own; an unknown or bad one is an error
// that lists what is known.
func (v Variant) Bind(given map[string]string) (Bound, error) {
	values, err := spec.Resolve("variant "+v.Name, v.Knobs, given)
	return Bound{v, values}, err
}

// String returns the spec that reads back to the bound variant.
func (b Bound) String() string { return spec.Format(b.Name, b.Knobs, b.Values) }

// Predict returns the model for the parameters, and refuses those that no filter of the variant can
// meet, before anything is allocated.
func (b Bound) Predict(p Params) (Model, error) {
	model, err := b.Model(p)
	if err == nil && !b.Exact {
		err = p.checkHash()
	}
	return model, err
}

// Params returns the parameters for n keys at target FPR p with the bound knobs.
func (b Bound) Params(n uint64, p float64, seed uint64) Params {
	return Params{N: n, P: p, Seed: seed, Knobs: b.Values}
}
