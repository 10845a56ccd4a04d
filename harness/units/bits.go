package units

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

var (
	bitSize   = regexp.MustCompile(`^(.*?)\s*([KMGT]i?)?bits?$`)
	ambiguous = regexp.MustCompile(`^[^A-Za-z]*\d([KMGTkmgt]|[KMGT]?b)$`)
)

var bitScale = map[string]float64{
	"": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12,
	"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40,
}

// maxBits is the largest number of bits ParseBits reads, 2^62.
const maxBits = 1 << 62

// ParseBits reads the size of a table, as bits: a bare number is bits, 10Mbit too, and what carries a
// unit of bytes is read as ParseBytes does: 200MB, 64MiB. A letter that may mean either (10M, 64Mb) is
// refused.
func ParseBits(text string) (uint64, error) {
	t := strings.TrimSpace(text)
	if number, ok := strings.CutSuffix(strings.TrimSuffix(t, "s"), "byte"); ok {
		t = number + "B"
	}
	if bad := ambiguous.FindStringSubmatch(strings.ReplaceAll(t, " ", "")); bad != nil {
		unit := strings.ToUpper(strings.TrimSuffix(bad[1], "b"))
		return 0, fmt.Errorf("%q may mean bits or bytes: write %sbit, %sB or, in powers of 1024, %siB", text, unit, unit, orKilo(unit))
	}
	scale, number := 1.0, t
	if parts := bitSize.FindStringSubmatch(t); parts != nil {
		number, scale = parts[1], bitScale[parts[2]]
	}
	if n, err := strconv.ParseUint(number, 10, 64); err == nil && scale == 1 && n <= maxBits {
		return n, nil
	}
	if x, err := strconv.ParseFloat(number, 64); err == nil && x >= 0 && x*scale <= maxBits {
		return uint64(math.Round(x * scale)), nil
	}
	bytes, err := ParseBytes(t)
	if err != nil || bytes > maxBits/8 {
		return 0, fmt.Errorf("%q is not a size such as 143775876 (bits), 100Mbit, 200MB or 64MiB", text)
	}
	return 8 * bytes, nil
}

// orKilo returns the unit, or K where there is none to put in front of iB.
func orKilo(unit string) string {
	if unit == "" {
		return "K"
	}
	return unit
}

// Decimal prints a number of bytes with four significant digits and a decimal unit.
func Decimal(n uint64) string {
	x, i := float64(n), 0
	names := []string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}
	for x >= 1000 && i < len(names)-1 {
		x, i = x/1000, i+1
	}
	return fmt.Sprintf("%.4g %s", x, names[i])
}

// Grouped prints a whole number with a comma between thousands.
func Grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
