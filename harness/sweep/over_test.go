package sweep

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string][]float64{
		"k=1..5":            {1, 2, 3, 4, 5},
		"k=1..5/3":          {1, 3, 5},
		"k=1..3/9":          {1, 2, 3},
		"k=1..64":           {1, 9, 17, 25, 33, 40, 48, 56, 64},
		"n=1e3..1e7/5":      {1000, 10_000, 100_000, 1_000_000, 10_000_000},
		"n=1k..4k/3":        {1000, 2000, 4000},
		"n=1..3/9":          {1, 2, 3},
		"p=0.1%..10%/3":     {0.001, 0.01, 0.1},
		"p=1-in-1e4..1%":    {0.0001, 0.0001778, 0.0003162, 0.0005623, 0.001, 0.001778, 0.003162, 0.005623, 0.01},
		"bits=8..12/3":      {8, 10, 12},
		"load=90%..1/3":     {0.9, 0.95, 1},
		"fill=0.5..2.5/3":   {0.5, 1.5, 2.5},
		"fill=0.1..10/3":    {0.1, 1, 10},
		"dup=0..0.5/3":      {0, 0.25, 0.5},
		"dup=0..90%":        {0, 0.1125, 0.225, 0.3375, 0.45, 0.5625, 0.675, 0.7875, 0.9},
		" n = 10 .. 20/2":   {10, 20},
		"fill=.5...7/2":     {0.5, 0.7},
		"estimate=1%..4%/3": {0.01, 0.02, 0.04},
	} {
		o, err := Parse(text)
		if err != nil || !slices.Equal(o.At, want) {
			t.Errorf("%q: %v, %v; want %v", text, o.At, err, want)
		}
	}
}

// TestDefaults: an axis alone stands for its default points, at least eight, and so does their range.
func TestDefaults(t *testing.T) {
	for _, a := range Axes() {
		for _, text := range []string{a.Name, a.Name + "=" + write(a.At[0]) + ".." + write(a.At[len(a.At)-1])} {
			o, err := Parse(text)
			if err != nil || !slices.Equal(o.At, a.At) {
				t.Errorf("%q: %v, %v; want the default %v", text, o.At, err, a.At)
			}
		}
		points := len(a.At)
		if a.Name == "estimate" {
			points = 2*len(a.At) + 1 // to either side, and the plan itself
		}
		if points < 8 || !slices.IsSorted(a.At) || a.At[0] < a.least || a.At[len(a.At)-1] > a.most || a.Doc == "" {
			t.Errorf("%s: %d default points %v", a.Name, points, a.At)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                "known: n, p, k, bits, load, fill, dup, estimate",
		"N=1..2":          `no axis "N"; known: n, p, k`,
		"=1..2":           "no axis",
		"n=":              "is not a range: want AXIS=LO..HI",
		"n=1e3":           "is not a range",
		"n=1e3-1e4":       "is not a range",
		"n=1e4..1e3":      "1e4..1e3 is empty: the lower end comes first",
		"n=5..5":          "5..5 is empty",
		"n=..5":           "is not a whole number",
		"n=1.5..5":        `"1.5" is not a whole number`,
		"n=0..5":          "0 is out of range: want 1 to 1e+12",
		"n=1..1e30":       "is not a whole number",
		"n=1..5/":         "is not a number of steps",
		"n=1..5/1":        "from 2 to 1000",
		"n=1..5/1e3":      "from 2 to 1000",
		"n=1..5/1001":     "from 2 to 1000",
		"n=1..2..3":       `"2..3" is not a whole number`,
		"p=0..1%":         "0 is out of range",
		"p=1%..5":         "5 is out of range",
		"p=a..b":          "is not a rate",
		"k=0..5":          "0 is out of range: want 1 to 64",
		"k=1..65":         "65 is out of range",
		"bits=x..9":       `"x" is not a number such as 8`,
		"bits=NaN..9":     "NaN is out of range",
		"bits=1..Inf":     "Inf is out of range",
		"load=0..1":       "0 is out of range",
		"load=0.5..1.1":   "1.1 is out of range",
		"fill=0.001..1":   "0.001 is out of range",
		"dup=-0.1..0.5":   "-0.1 is out of range",
		"dup=0..1":        "1 is out of range",
		"estimate=0..50%": "0 is out of range",
	} {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v; want one line with %q", text, err, want)
		}
	}
}

// FuzzParse: what parses has points in order and in range, and is read again from what it says.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"n", "n=1e3..1e7/9", "p=0.1%..10%", "k=1..20", "load=50%..1", "fill=.1..5", "dup=0..0.8/3", "estimate=1%..50%", "n=1..", "=", "n=1..2/3/4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o, err := Parse(text)
		if err != nil {
			return
		}
		for i, x := range o.At {
			if !(x >= o.least && x <= o.most) || i > 0 && x <= o.At[i-1] || o.whole && x != math.Trunc(x) {
				t.Fatalf("%q: points %v", text, o.At)
			}
		}
		if len(o.At) < 2 || len(o.At) > mostSteps {
			t.Fatalf("%q: %d points", text, len(o.At))
		}
	})
}
