package counting

import (
	"path/filepath"
	"testing"

	"filterlab/filters/filtertest"
)

// TestGolden holds a saved filter of version 1 of each layout.
func TestGolden(t *testing.T) {
	for i, name := range []string{"flat4", "flat8", "blocked4", "blocked8"} {
		filtertest.Golden(t, bind(t, settings[i]), filepath.Join("testdata", name+".v1"))
	}
}
