package sizing

import (
	"fmt"

	"filterlab/filters"
	"filterlab/filters/theory"
	"filterlab/harness/units"
)

// A Report is the answer to a question: by the formula, for the set itself, and for every variant.
type Report struct {
	Ask      Ask      `json:"ask"`
	Formula  string   `json:"formula"`
	Answer   Answer   `json:"answer"`
	Exact    Exact    `json:"exact"`
	Variants []Row    `json:"variants"`
	Notes    []string `json:"notes,omitempty"`
}

// An Answer is a standard Bloom filter with what follows from its n, p, m and k.
type Answer struct {
	Solution
	Bytes      uint64   `json:"bytes"` // rounded up
	BitsPerKey float64  `json:"bits_per_key"`
	Fill       float64  `json:"fill"`                  // expected fill ratio at n keys
	LeastBits  float64  `json:"least_bits"`            // n log2(1/p), the least of any filter
	Overhead   *float64 `json:"overhead,omitempty"`    // bits per key over log2(1/FPR), minus 1
	Overfull   []Point  `json:"overfull"`              // the same filter with more keys
	Unrounded  *float64 `json:"unrounded,omitempty"`   // m and k of the formula before rounding, where
	UnroundedK *float64 `json:"k_unrounded,omitempty"` // both follow from n and p
}

// Options bound and detail a report.
type Options struct {
	KeyBytes uint64 // of one key in an exact set, at least 1
	MaxBytes uint64 // a larger filter is refused; 0: none is
	Roomy    uint64 // a larger filter is answered with a note; 0: none is
}

// New answers the question for the formula and the variants. An error is a question without an answer;
// a variant without one says so in its row.
func New(a Ask, variants []filters.Bound, o Options) (Report, error) {
	if o.KeyBytes == 0 {
		return Report{}, fmt.Errorf("keys of 0 bytes: a set of them has one key at most")
	}
	s, err := a.Solve()
	if err == nil {
		err = s.Within(o.MaxBytes)
	}
	if err != nil {
		return Report{}, err
	}
	r := Report{Ask: a, Formula: Formula, Answer: newAnswer(a, s), Exact: s.Compare(o.KeyBytes), Notes: notes(a, s, o)}
	for _, b := range variants {
		if !b.Unjudged {
			r.Variants = append(r.Variants, Size(b, a, s, o.MaxBytes))
		}
	}
	return r, nil
}

func newAnswer(a Ask, s Solution) Answer {
	x := Answer{
		Solution: s, Bytes: s.Bytes(), BitsPerKey: s.BitsPerKey(), Fill: s.Fill(), LeastBits: s.LeastBits(),
		Overhead: finite(theory.Overhead(s.BitsPerKey(), s.FPR)),
	}
	if a.M == 0 && a.K == 0 {
		size := theory.SizeBloom(float64(s.N), s.P)
		x.Unrounded, x.UnroundedK = &size.Bits, &size.Hashes
	}
	for _, f := range Overfill {
		x.Overfull = append(x.Overfull, Point{Times: f, N: times(s.N, f), FPR: s.Overfull(f)})
	}
	return x
}

// notes says what a reader of the answer must know besides.
func notes(a Ask, s Solution, o Options) []string {
	var out []string
	if o.Roomy > 0 && s.Bytes() > o.Roomy {
		shards := (s.Bytes()-1)/o.Roomy + 1
		out = append(out, units.Decimal(s.Bytes())+" is more than half of this machine's memory ("+units.Decimal(o.Roomy)+
			"): shard it over "+units.Grouped(shards)+" filters or more")
	}
	if a.P > 0 && s.FPR > a.P*(1+slack) {
		out = append(out, "a whole number of hash functions misses p: the FPR is "+units.Rate(s.FPR))
	}
	if a.K > 0 {
		out = append(out, "k is set where a variant has the knob k; the others choose their own")
	}
	if a.N > 0 && a.M > 0 && a.P > 0 && s.FPR < a.P/2 {
		out = append(out, "m is more than p takes: "+units.Rate(s.FPR)+" instead of "+units.Rate(a.P))
	}
	return out
}
