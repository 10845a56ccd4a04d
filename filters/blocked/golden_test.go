package blocked

import (
	"path/filepath"
	"testing"

	"filterlab/filters/filtertest"
)

// TestGolden holds a saved filter of version 1 of each layout.
func TestGolden(t *testing.T) {
	for _, layout := range layouts {
		filtertest.Golden(t, bind(t, layout, "none"), filepath.Join("testdata", layout+".v1"))
	}
}
