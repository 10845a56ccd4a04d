package classic

import (
	"testing"

	"filterlab/filters/filtertest"
)

func TestConformance(t *testing.T) {
	filtertest.RunAll(t, Variant(), "", "k=3", "delete=clear")
}
