// Package filtertest is the conformance suite that every variant must pass: what its filters
// answer, what they occupy, and whether they do what their model predicts, on both sides.
//
// A family's test is one line:
//
//	func TestConformance(t *testing.T) { filtertest.RunAll(t, Variant(), "", "k=3") }
//
// All keys and seeds are fixed, but for the property tests of package rapid, which print theirs.
package filtertest

import (
	"testing"

	"pgregory.net/rapid"

	"filterlab/filters"
	"filterlab/filters/spec"
)

// check is one promise, tested. It reports through the interface that *testing.T shares with the
// recorder of the suite's own test.
type check struct {
	name string
	run  func(rapid.TB, filters.Bound)
}

var checks = []check{
	{"keys", checkKeys},
	{"refusals", checkRefusals},
	{"bits", checkBits},
	{"params", checkParams},
	{"fpr", checkFPR},
	{"exact", checkExact},
	{"seed", checkSeed},
	{"allocs", checkAllocs},
	{"concurrent", checkConcurrent},
	{"remove", checkRemove},
	{"churn", checkChurn},
	{"save", checkSave},
	{"spec", checkSpec},
}

// Run tests a bound variant, one subtest a promise.
func Run(t *testing.T, b filters.Bound) {
	t.Helper()
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) { c.run(t, b) })
	}
}

// RunAll runs a variant with each of the knob settings given, such as "" for the defaults, or
// "k=3,delete=clear".
func RunAll(t *testing.T, v filters.Variant, settings ...string) {
	t.Helper()
	for _, s := range settings {
		text := v.Name
		if s != "" {
			text += ":" + s
		}
		t.Run(text, func(t *testing.T) {
			_, given, err := spec.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			b, err := v.Bind(given)
			if err != nil {
				t.Fatal(err)
			}
			Run(t, b)
		})
	}
}
