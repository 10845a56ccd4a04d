package spec

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Knob is a named setting with a default and a check on what it may be set to.
type Knob struct {
	Name, Doc, Default string
	Allowed            string // what Check accepts, in words
	Check              func(value string) error
}

// Choice is a knob that takes one of a few words; the first is the default.
func Choice(name, doc string, words ...string) Knob {
	return Knob{name, doc, words[0], strings.Join(words, " | "), func(v string) error {
		if !slices.Contains(words, v) {
			return Unknown("no such value", v, words)
		}
		return nil
	}}
}

// Real is a knob that takes a number from lo to hi, both allowed.
func Real(name, doc, def string, lo, hi float64) Knob {
	return Knob{name, doc, def, fmt.Sprintf("%g..%g", lo, hi), func(v string) error {
		x, err := strconv.ParseFloat(v, 64)
		if err != nil || math.IsNaN(x) || x < lo || x > hi {
			return fmt.Errorf("%q is not a number from %g to %g", v, lo, hi)
		}
		return nil
	}}
}

// Whole is a knob that takes a whole number from lo to hi, both allowed.
func Whole(name, doc, def string, lo, hi uint64) Knob {
	return Knob{name, doc, def, fmt.Sprintf("%d..%d", lo, hi), func(v string) error {
		x, err := Count(v)
		if err != nil || x < lo || x > hi {
			return fmt.Errorf("%q is not a whole number from %d to %d", v, lo, hi)
		}
		return nil
	}}
}

// Float returns the value of a Real knob.
func (v Values) Float(name string) float64 {
	x, err := strconv.ParseFloat(v[name], 64)
	if err != nil {
		panic(fmt.Sprintf("spec: knob %s holds %q, which its check should have refused", name, v[name]))
	}
	return x
}

// Uint returns the value of a Whole knob.
func (v Values) Uint(name string) uint64 {
	x, err := Count(v[name])
	if err != nil {
		panic(fmt.Sprintf("spec: knob %s holds %q, which its check should have refused", name, v[name]))
	}
	return x
}

// Count reads a whole number as people write it: 1000, 1_000_000, 1e6, 10M, 2.5k, 1G.
func Count(text string) (uint64, error) {
	t := strings.ReplaceAll(strings.TrimSpace(text), "_", "")
	scale := 1.0
	if t != "" {
		switch t[len(t)-1] {
		case 'k', 'K':
			scale, t = 1e3, t[:len(t)-1]
		case 'm', 'M':
			scale, t = 1e6, t[:len(t)-1]
		case 'g', 'G', 'b', 'B':
			scale, t = 1e9, t[:len(t)-1]
		}
	}
	if scale == 1 {
		if n, err := strconv.ParseUint(t, 10, 64); err == nil {
			return n, nil
		}
	}
	x, err := strconv.ParseFloat(t, 64)
	x *= scale
	if err != nil || math.IsNaN(x) || x < 0 || x != math.Trunc(x) || x >= 1<<63 {
		return 0, fmt.Errorf("%q is not a whole number such as 1000, 1e6 or 10M", text)
	}
	return uint64(x), nil
}
