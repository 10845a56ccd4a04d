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
	digits, power := strings.ReplaceAll(strings.TrimSpace(text), "_", ""), 0
	if digits != "" {
		switch digits[len(digits)-1] {
		case 'k', 'K':
			power = 3
		case 'm', 'M':
			power = 6
		case 'g', 'G', 'b', 'B':
			power = 9
		}
	}
	if power > 0 {
		digits = digits[:len(digits)-1]
	} else if n, err := strconv.ParseUint(digits, 10, 64); err == nil {
		return n, nil
	}
	mantissa, exponent, has := strings.Cut(strings.ToLower(digits), "e")
	if has {
		e, err := strconv.Atoi(exponent)
		if err != nil || e > 99 {
			return 0, notCount(text)
		}
		power += e
	}
	if strings.Trim(mantissa, "0123456789.") != "" {
		return 0, notCount(text)
	}
	// The power goes in before the number is rounded: 1.001 * 1e3 is not 1001.
	x, err := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(power), 64)
	if err != nil || x != math.Trunc(x) || x >= 1<<63 {
		return 0, notCount(text)
	}
	return uint64(x), nil
}

func notCount(text string) error {
	return fmt.Errorf("%q is not a whole number such as 1000, 1e6 or 10M", text)
}
