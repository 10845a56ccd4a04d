// Package units prints and reads sizes as people write them.
package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

var binary = []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}

// Bytes prints a number of bytes with three significant digits and a binary unit.
func Bytes(n uint64) string {
	x, i := float64(n), 0
	for x >= 1024 && i < len(binary)-1 {
		x, i = x/1024, i+1
	}
	if i == 0 {
		return fmt.Sprintf("%d B", n)
	}
	if x >= 1000 { // %.3g would turn to an exponent
		return fmt.Sprintf("%.0f %s", x, binary[i])
	}
	return fmt.Sprintf("%.3g %s", x, binary[i])
}

// ParseBytes reads a size such as 512MiB, 2GB, 1.5G or 1000: KB, MB, GB are powers of 1000, KiB,
// MiB, GiB and the bare letters K, M, G powers of 1024.
func ParseBytes(text string) (uint64, error) {
	t := strings.TrimSpace(text)
	digits := strings.TrimRight(t, "BKMGTibkmgt ")
	scale, ok := map[string]float64{
		"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40,
		"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
		"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
	}[strings.ToLower(strings.TrimSpace(t[len(digits):]))]
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil || !ok || !(x >= 0) || x*scale >= 1<<63 {
		return 0, fmt.Errorf("%q is not a size such as 512MiB, 2GB or 1000000", text)
	}
	return uint64(math.Round(x * scale)), nil
}
