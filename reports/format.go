package reports

import (
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"
)

// percent writes a share as people read it: 1.004 %, 97.87 %, 0.000369 %.
func percent(share float64) string { return digits(100*share, 4) + " %" }

// precise writes a measured or computed share with four digits, trailing zeros kept: 1.000 %.
func precise(share float64) string { return zeros(share, 4) }

// zeros writes a share with so many significant digits, trailing zeros kept.
func zeros(share float64, sig int) string {
	if share <= 0 || share >= 1 {
		return percent(share)
	}
	x := 100 * share
	if x < 1e-6 {
		return digits(x, sig) + " %"
	}
	return strconv.FormatFloat(x, 'f', max(0, sig-1-int(math.Floor(math.Log10(x)))), 64) + " %"
}

// percents writes the two ends of an interval without the unit.
func percents(lo, hi float64) string {
	return strings.TrimSuffix(precise(lo), " %") + ".." + strings.TrimSuffix(precise(hi), " %")
}

// digits writes x with so many significant digits, without an exponent where it can be read so.
func digits(x float64, sig int) string {
	if x == 0 || !finite(x) {
		return "0"
	}
	if a := math.Abs(x); a < 1e-6 || a >= 1e15 {
		return strconv.FormatFloat(x, 'g', sig-1, 64)
	}
	after := sig - 1 - int(math.Floor(math.Log10(math.Abs(x))))
	text := strconv.FormatFloat(x, 'f', max(0, after), 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// fixed writes x with about three significant digits, trailing zeros kept from 1 on: 9.60, 38.3, 412.
func fixed(x float64) string {
	switch a := math.Abs(x); {
	case a >= 1000:
		return count(uint64(math.Round(a)))
	case a >= 100:
		return fmt.Sprintf("%.0f", x)
	case a >= 10:
		return fmt.Sprintf("%.1f", x)
	case a < 1:
		return digits(x, 2)
	}
	return fmt.Sprintf("%.2f", x)
}

// count writes a whole number with thousands separated: 1,000,000.
func count(n uint64) string {
	text := strconv.FormatUint(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// size writes a round number short and any other in full: 1M, 100k, 8,674.
func size(n uint64) string {
	for _, u := range []struct {
		unit uint64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if n >= u.unit && n%u.unit == 0 {
			return strconv.FormatUint(n/u.unit, 10) + u.name
		}
	}
	return count(n)
}

// plain writes a number for machines: all its digits.
func plain(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// optional writes a number that may be missing; a missing one is empty.
func optional(x float64, ok bool) string {
	if !ok {
		return ""
	}
	return plain(x)
}

// plural writes a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(uint64(n)) + " " + noun + "s"
}

// list joins names in a sentence; beyond most it counts the rest.
func list(names []string, most int) string {
	switch {
	case len(names) == 0:
		return "none"
	case len(names) == 1:
		return names[0]
	case len(names) > most:
		return strings.Join(names[:most-1], ", ") + fmt.Sprintf(" and %d others", len(names)-most+1)
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// shortWorkload names a workload in titles: a replay by its file's name alone.
func shortWorkload(workload string) string {
	if file, ok := strings.CutPrefix(workload, "replay:"); ok {
		return "replay of " + path.Base(file)
	}
	return workload
}

// slug turns a workload's name into a piece of a file name.
func slug(workload string) string {
	if file, ok := strings.CutPrefix(workload, "replay:"); ok {
		base, _, _ := strings.Cut(path.Base(file), ".")
		workload = "replay-" + base
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("-_.=", r):
			return r
		}
		return '-'
	}, workload)
}

// byteSize writes a size in bytes: 1.20 MB.
func byteSize(n float64) string {
	for _, u := range []struct {
		unit float64
		name string
	}{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}} {
		if n >= u.unit {
			return fixed(n/u.unit) + " " + u.name
		}
	}
	return fixed(n) + " B"
}

// fewer writes an expected count: whole from 10 on, else with two digits.
func fewer(x float64) string {
	if x >= 10 {
		return count(uint64(math.Round(x)))
	}
	return digits(x, 2)
}
