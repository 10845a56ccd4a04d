// Package peers puts the filters of other Go packages behind the filter interface, each with the
// model of what the package really does: its rounding, its hash and its limits.
package peers

import "filterlab/filters"

// All returns every peer, in the order in which they are run and drawn.
func All() []filters.Variant {
	return []filters.Variant{
		BoomClassic(),
		BoomPartitioned(),
		BoomCounting(),
		BoomScalable(),
		BoomStable(),
		BoomCuckoo(),
		Holiman(),
		BBloom(),
		Ristretto(),
		Pebble(),
		Parquet(),
		Xor8(),
		XorFuse8(),
		Roaring32(),
	}
}
