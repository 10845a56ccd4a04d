package exact

import "filterlab/filters"

// A Null is a filter that holds nothing and says maybe to everything: the floor of every timing.
type Null struct{}

var (
	_ filters.Filter    = Null{}
	_ filters.Predictor = Null{}
)

// Add returns true.
func (Null) Add([]byte) bool { return true }

// Contains returns true.
func (Null) Contains([]byte) bool { return true }

// SizeBits returns 0.
func (Null) SizeBits() uint64 { return 0 }

// InstanceFPR returns 1.
func (Null) InstanceFPR() float64 { return 1 }

// NullVariant describes the floor: null, without knobs. Its FPR of 1 is no claim to be judged.
func NullVariant() filters.Variant {
	return filters.Variant{
		Name:       "null",
		Doc:        "says maybe to everything: the floor",
		Unjudged:   true,
		Concurrent: true,
		New:        func(p filters.Params) (filters.Filter, error) { return Null{}, p.Check() },
		Model: func(p filters.Params) (filters.Model, error) {
			return filters.Model{
				Formula: "1",
				Source:  "by construction",
				FPR:     func(uint64) float64 { return 1 },
				SD:      func(uint64) float64 { return 0 },
			}, p.Check()
		},
	}
}
