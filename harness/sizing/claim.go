package sizing

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"filterlab/harness/units"
)

// Forms are the claims that Check understands.
var Forms = []string{
	`"n=1e9 p=1% in 200MB"`, `"n=1e9 p=1% m=9.6e9"`, `"n=10M p=0.1% k=10"`, `"n=1e9 m=512MiB fpr<=15%"`,
	`"n=1e6 m=1MB k=5 fpr=2..3%"`, `"overfill=5 p=1% fpr=20..40%"`, `"5x overfill of a 1% filter gives 20 to 40%"`,
	`"1e9 names in 200 MB at 1%"`,
}

// A claim is a sentence about a standard Bloom filter, taken apart.
type claim struct {
	Ask
	in       uint64  // bits that the filter shall fit in; 0: not said
	mMost    bool    // m is an upper bound
	overfill float64 // times n; 0: not said
	fpr      *span   // FPR claimed; nil: not said
}

// A span is a range of FPRs, both ends allowed.
type span struct{ lo, hi float64 }

var (
	assignment    = regexp.MustCompile(`\b(n|p|m|k|fpr|overfill)\s*(<=|<|=)`)
	inSize        = regexp.MustCompile(`(?:^|[\s,])in\s+([0-9][0-9.eE+]*\s*[KMGTkmgt]?i?(?:[Bb]|bits?|bytes?))$`)
	sizeProse     = regexp.MustCompile(`^(\d\S*)\s+[a-z]+\s+in\s+(.+?)\s+at\s+(.+)$`)
	overfillProse = regexp.MustCompile(`^(\S+?)(?:x|\s*times)\s+overfill\s+of\s+an?\s+(.+?)\s+filter\s+gives\s+(.+)$`)
	rangeWord     = regexp.MustCompile(`\s*(?:\.\.|\bto\b)\s*`)
)

// readClaim takes the text of a claim apart.
func readClaim(text string) (claim, error) {
	t := strings.TrimSpace(strings.NewReplacer("≤", "<=", "\n", " ", "\t", " ").Replace(text))
	if parts := overfillProse.FindStringSubmatch(t); parts != nil {
		t = fmt.Sprintf("overfill=%s p=%s fpr=%s", parts[1], parts[2], parts[3])
	} else if parts := sizeProse.FindStringSubmatch(t); parts != nil {
		t = fmt.Sprintf("n=%s p=%s in %s", parts[1], parts[3], parts[2])
	}
	var c claim
	words := map[string]string{}
	if parts := inSize.FindStringSubmatchIndex(t); parts != nil {
		bits, err := units.ParseBits(t[parts[2]:parts[3]])
		if err != nil {
			return claim{}, err
		}
		c.in, t = bits, t[:parts[0]]
	}
	found := assignment.FindAllStringSubmatchIndex(t, -1)
	if len(found) == 0 || strings.TrimSpace(t[:found[0][0]]) != "" {
		return claim{}, unknownForm(text)
	}
	for i, f := range found {
		end := len(t)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		name, op, value := t[f[2]:f[3]], t[f[4]:f[5]], strings.Trim(t[f[1]:end], " ,;")
		if _, twice := words[name]; twice || value == "" || op != "=" && name != "m" && name != "fpr" {
			return claim{}, unknownForm(text)
		}
		words[name] = value
		c.mMost = c.mMost || name == "m" && op != "="
		if name == "fpr" && op != "=" {
			words[name] = "0 to " + value
		}
	}
	return c, c.read(words)
}

// read fills in the values by name.
func (c *claim) read(words map[string]string) error {
	var err error
	if c.Ask, err = (Words{N: words["n"], P: words["p"], M: words["m"], K: words["k"]}).Ask(); err != nil {
		return err
	}
	if text, ok := words["overfill"]; ok {
		c.overfill, err = strconv.ParseFloat(strings.TrimSuffix(text, "x"), 64)
		if err != nil || !(c.overfill > 0 && c.overfill <= 1e6) {
			return fmt.Errorf("overfill = %q is not a multiple of n such as 2 or 1.5", text)
		}
	}
	if text, ok := words["fpr"]; ok {
		c.fpr, err = readSpan(text)
	}
	return err
}

// readSpan reads an FPR or a range of two: 12.7%, 20..40%, 20 to 40 %. A unit behind the second holds
// for both. A single FPR stands for what rounds to it: 5 % either way.
func readSpan(text string) (*span, error) {
	const rounding = 0.05
	ends := rangeWord.Split(text, 2)
	hi, err := units.ParseRate(ends[len(ends)-1])
	if err != nil {
		return nil, fmt.Errorf("fpr = %w", err)
	}
	s := span{hi * (1 - rounding), hi * (1 + rounding)}
	if len(ends) == 2 {
		if strings.HasSuffix(ends[1], "%") && !strings.HasSuffix(ends[0], "%") {
			ends[0] += "%"
		}
		lo, err := units.ParseRate(ends[0])
		if err != nil {
			return nil, fmt.Errorf("fpr = %w", err)
		}
		s = span{lo, hi}
	}
	if s.lo < 0 || s.lo > s.hi || hi > 1 {
		return nil, fmt.Errorf("fpr = %q: an FPR is from 0 to 1, the smaller first", text)
	}
	return &s, nil
}

func (s span) holds(x float64) bool { return s.lo <= x && x <= s.hi }

func (s span) String() string { return units.Rate(s.lo) + " to " + units.Rate(s.hi) }

func unknownForm(text string) error {
	return fmt.Errorf("cannot read the claim %q; claims have forms such as %s", text, strings.Join(Forms, ", "))
}
