package units

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// oneIn matches a rate given as odds: 1-in-1000, 1 in 1000 or 1/1000.
var oneIn = regexp.MustCompile(`^1\s*(?:-in-|\s+in\s+|/)\s*(\S+)$`)

// ParseRate reads a rate as people write it, as a fraction: 0.01, 1e-3, 1%, 0.1 %, 1-in-1000, 1/1000.
// Whether the rate is a possible FPR is not checked: p = 5 deserves a better answer than "bad number".
func ParseRate(text string) (float64, error) {
	number, scale := strings.TrimSpace(text), 1.0
	if share, ok := strings.CutSuffix(number, "%"); ok {
		number, scale = strings.TrimSpace(share), 100
	}
	odds := oneIn.FindStringSubmatch(number)
	if odds != nil {
		number = odds[1]
	}
	x, err := strconv.ParseFloat(number, 64)
	if odds != nil {
		x = 1 / x
	}
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || odds != nil && (scale != 1 || x == 0) {
		return 0, fmt.Errorf("%q is not a rate such as 0.01, 1e-3, 1%% or 1-in-1000", text)
	}
	return x / scale, nil
}

// Rate prints a rate with four significant digits: in percent from 0.001 % on, below it in powers of ten.
func Rate(p float64) string {
	if p != 0 && math.Abs(p) < 1e-5 {
		return fmt.Sprintf("%.4g", p)
	}
	return fmt.Sprintf("%.4g %%", 100*p)
}
