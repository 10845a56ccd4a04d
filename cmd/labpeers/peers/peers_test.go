package peers

import (
	"testing"

	"filterlab/filters"
	"filterlab/filters/filtertest"
)

// unfit are the peers that the conformance suite is too much for: lookups of boom-cuckoo allocate and
// its table takes kilobytes a key; boom-stable clears cells by the global random source.
var unfit = map[string]bool{"boom-cuckoo": true, "boom-stable": true}

func TestConformance(t *testing.T) {
	for _, v := range All() {
		if !unfit[v.Name] {
			t.Run(v.Name, func(t *testing.T) { filtertest.RunAll(t, v, "") })
		}
	}
}

// TestScalableStages holds the FPR of many stages against the model.
func TestScalableStages(t *testing.T) {
	b := bind(t, BoomScalable(), map[string]string{"hint": "0.05"})
	filtertest.FPR(t, b, 20_000, 0.01, 6, 100_000)
}

func bind(t *testing.T, v filters.Variant, given map[string]string) filters.Bound {
	t.Helper()
	b, err := v.Bind(given)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestFPRAtSize holds every peer against its model on both sides where instances differ little.
func TestFPRAtSize(t *testing.T) {
	for _, v := range All() {
		t.Run(v.Name, func(t *testing.T) {
			filtertest.FPR(t, bind(t, v, nil), 10_000, 0.01, 4, 400_000)
			if !unfit[v.Name] {
				filtertest.FPR(t, bind(t, v, nil), 100_000, 0.001, 6, 400_000)
			}
		})
	}
}
