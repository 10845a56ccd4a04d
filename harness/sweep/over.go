package sweep

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"filterlab/filters/spec"
)

const (
	defaultSteps = 9
	mostSteps    = 1000
	mostWhole    = 24 // up to so many whole numbers in a range are all taken
	decade       = 10 // a range of fills beyond it is spaced by ratio
	form         = "AXIS=LO..HI or AXIS=LO..HI/STEPS, such as n=1e3..1e7/9 or p=0.1%..10%"
)

// An Over is an axis with the points of a sweep.
type Over struct {
	Axis
	At []float64 // ascending
}

// Parse reads what to sweep over: AXIS for its default points, AXIS=LO..HI for about nine points from
// LO to HI, AXIS=LO..HI/STEPS for so many. Points that fall on one whole number are one.
func Parse(text string) (Over, error) {
	name, rest, ranged := strings.Cut(text, "=")
	i := slices.Index(Names(), strings.TrimSpace(name))
	if i < 0 {
		return Over{}, spec.Unknown("no axis", name, Names())
	}
	o := Over{Axis: Axes()[i]}
	o.At = o.Axis.At
	if !ranged {
		return o, nil
	}
	lo, hi, steps, err := o.bounds(rest)
	if err != nil {
		return Over{}, fmt.Errorf("axis %s: %w", o.Name, err)
	}
	if steps == 0 && lo == o.At[0] && hi == o.At[len(o.At)-1] {
		return o, nil
	}
	o.At = o.spaced(lo, hi, steps)
	return o, nil
}

// bounds reads LO..HI[/STEPS]; steps is 0 where it is not given.
func (a Axis) bounds(text string) (lo, hi float64, steps int, err error) {
	first, last, ok := strings.Cut(text, "..")
	if !ok {
		return 0, 0, 0, fmt.Errorf("%q is not a range: want %s", text, form)
	}
	last, count, given := strings.Cut(last, "/")
	if given {
		if steps, err = strconv.Atoi(strings.TrimSpace(count)); err != nil || steps < 2 || steps > mostSteps {
			return 0, 0, 0, fmt.Errorf("%q is not a number of steps from 2 to %d: want %s", count, mostSteps, form)
		}
	}
	if lo, err = a.bound(first); err != nil {
		return 0, 0, 0, err
	}
	if hi, err = a.bound(last); err != nil {
		return 0, 0, 0, err
	}
	if lo >= hi {
		return 0, 0, 0, fmt.Errorf("%s..%s is empty: the lower end comes first", strings.TrimSpace(first), strings.TrimSpace(last))
	}
	return lo, hi, steps, nil
}

func (a Axis) bound(text string) (float64, error) {
	x, err := a.read(text)
	if err != nil {
		return 0, err
	}
	if !(x >= a.least && x <= a.most) {
		return 0, fmt.Errorf("%s is out of range: want %s to %s", strings.TrimSpace(text), write(a.least), write(a.most))
	}
	return x, nil
}

// spaced returns points from lo to hi, both included.
func (a Axis) spaced(lo, hi float64, steps int) []float64 {
	if steps == 0 {
		steps = defaultSteps
		if a.whole && !a.log && hi-lo < mostWhole {
			steps = int(hi-lo) + 1
		}
	}
	log := a.log || a.Name == "fill" && hi/lo > decade
	var out []float64
	for i := range steps {
		f := float64(i) / float64(steps-1)
		x := lo + f*(hi-lo)
		if log {
			x = lo * math.Pow(hi/lo, f)
		}
		switch {
		case i == 0:
			x = lo
		case i == steps-1:
			x = hi
		default:
			x = round4(x)
		}
		if a.whole {
			x = math.Round(x)
		}
		if x = min(hi, max(lo, x)); len(out) == 0 || x > out[len(out)-1] {
			out = append(out, x)
		}
	}
	return out
}

// round4 rounds to four significant digits, so that points can be read and written.
func round4(x float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 3, 64), 64)
	if err != nil {
		return x
	}
	return short
}
