package reports

import (
	"math"
)

// An Axis describes one direction of a panel before its data is known.
type Axis struct {
	Label   string
	Log     bool // always or, with LogBeyond, only when the data spans more
	Beyond  float64
	Around1 bool // ratios: logarithmic and symmetric about 1
	Include []float64
	Format  func(float64) string
	Names   func([]Case) []string // positions 0, 1, 2, ... with names instead of numbers
	Fixed   bool                  // Include is the whole range
}

// A Scale is a resolved axis.
type Scale struct {
	Log      bool
	Min, Max float64
	Ticks    []AxisTick
	Names    bool // positions 0, 1, 2, ... are names; grid lines run between them
}

// An AxisTick is a marked position on a scale.
type AxisTick struct {
	At    float64
	Label string
}

// at returns where x lies on the scale: 0 at its start, 1 at its end.
func (s Scale) at(x float64) float64 {
	if s.Log {
		return math.Log(x/s.Min) / math.Log(s.Max/s.Min)
	}
	return (x - s.Min) / (s.Max - s.Min)
}

// lineShift moves grid lines from the names to the gaps between them.
func (s Scale) lineShift() float64 {
	if s.Names {
		return 0.5
	}
	return 0
}

// An extent is the range of the values seen.
type extent struct {
	lo, hi float64
	any    bool
	bound  bool // an arrow down from the lowest value needs room
}

func (e *extent) add(x float64) {
	if !finite(x) {
		return
	}
	if !e.any {
		*e = extent{x, x, true, e.bound}
	}
	e.lo, e.hi = min(e.lo, x), max(e.hi, x)
}

// cover adds a point: its Y or X, and the ends of its bar unless they lie the other way.
func (e *extent) cover(pt Point, barElsewhere, y bool) {
	if y {
		e.add(pt.Y)
	} else {
		e.add(pt.X)
		e.bound = e.bound || pt.Bound && !barElsewhere
	}
	if pt.Bar && !barElsewhere {
		e.add(pt.Lo)
		e.add(pt.Hi)
	}
}

// scale resolves the axis over the values seen.
func (a Axis) scale(e extent, cases []Case) Scale {
	if a.Names != nil {
		return nameScale(a.Names(cases))
	}
	if a.Fixed {
		e = extent{}
	}
	for _, x := range a.Include {
		e.add(x)
	}
	format := a.Format
	if format == nil {
		format = func(x float64) string { return digits(x, 4) }
	}
	switch {
	case a.Around1:
		return ratioScale(e)
	case a.Log && e.lo > 0 && (a.Beyond == 0 || e.hi/e.lo > a.Beyond):
		return logScale(e, format)
	}
	if a.Beyond > 0 {
		e.add(0)
	}
	return linearScale(e, format, !a.Fixed)
}

func nameScale(names []string) Scale {
	s := Scale{Names: true, Min: -0.5, Max: float64(len(names)) - 0.5}
	for i, n := range names {
		s.Ticks = append(s.Ticks, AxisTick{float64(i), n})
	}
	return s
}

// linearScale ends at round numbers and marks about five of them.
func linearScale(e extent, format func(float64) string, pad bool) Scale {
	if e.hi == e.lo {
		e.hi = e.lo + 1
	}
	span := e.hi - e.lo
	if pad {
		e.hi += 0.06 * span
		if e.lo != 0 {
			e.lo -= 0.06 * span
		}
	}
	step := roundStep(span / 4)
	s := Scale{Min: e.lo, Max: e.hi}
	for i := math.Ceil(e.lo/step - 1e-9); i*step <= e.hi+1e-9*span; i++ {
		s.Ticks = append(s.Ticks, AxisTick{i * step, format(i * step)})
	}
	return s
}

// roundStep returns the 1, 2, 2.5 or 5 times a power of ten nearest above x.
func roundStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if m*power >= x*0.999 {
			return m * power
		}
	}
	return 10 * power
}

// logScale marks decades, and 2 and 5 times them where there are few.
func logScale(e extent, format func(float64) string) Scale {
	room := math.Max(1.25, math.Pow(e.hi/e.lo, 0.06))
	s := Scale{Log: true, Min: e.lo / room, Max: e.hi * room}
	if e.bound {
		s.Min /= math.Max(3, math.Pow(e.hi/e.lo, 0.28))
	}
	decades := math.Log10(s.Max / s.Min)
	marks := []float64{1}
	every := math.Ceil(decades / 8)
	switch {
	case decades < 1.8:
		marks = []float64{1, 2, 5}
	case decades < 3.2:
		marks = []float64{1, 3}
	}
	first := math.Floor(math.Log10(s.Min))
	for d := first; d <= math.Log10(s.Max); d++ {
		if math.Mod(d, every) != 0 {
			continue
		}
		for _, m := range marks {
			if at := m * math.Pow(10, d); at >= s.Min && at <= s.Max {
				s.Ticks = append(s.Ticks, AxisTick{at, format(at)})
			}
		}
	}
	return s
}

// ratioScale is symmetric about 1, at least 2 % to either side, with marks at round ratios.
func ratioScale(e extent) Scale {
	reach := 1.02
	if e.any && e.lo > 0 {
		reach = math.Max(reach, math.Max(e.hi, 1/e.lo))
	}
	if e.any && e.lo <= 0 {
		reach = math.Max(reach, math.Max(e.hi, 10))
	}
	s := Scale{Log: true, Min: 1 / math.Pow(reach, 1.15), Max: math.Pow(reach, 1.15)}
	steps := []float64{1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2, 5, 10, 100, 1000}
	step := steps[0]
	for _, x := range steps {
		if x <= s.Max {
			step = x
		}
	}
	below := 1 / step
	if step < 1.5 {
		below = 2 - step
	}
	for _, at := range []float64{below, 1, step} {
		s.Ticks = append(s.Ticks, AxisTick{at, digits(at, 3) + "x"})
	}
	return s
}
