package spec

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSplit(t *testing.T) {
	for list, want := range map[string][]string{
		"bloom":                                  {"bloom"},
		"bloom,counting:bits=4,sticky=no,cuckoo": {"bloom", "counting:bits=4,sticky=no", "cuckoo"},
		" bloom , cuckoo:load=1 ":                {"bloom", "cuckoo:load=1"},
		"counting:bits=4, sticky=no":             {"counting:bits=4,sticky=no"},
		"a:x=1,addr=host:6379,b":                 {"a:x=1,addr=host:6379", "b"},
		"":                                       {""},
		"a,,b":                                   {"a", "", "b"},
		"k=3,bloom":                              {"k=3", "bloom"},
	} {
		if got := Split(list); !slices.Equal(got, want) {
			t.Errorf("Split(%q) = %q, want %q", list, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	name, given, err := Parse("counting:bits=4,sticky=no")
	if want := map[string]string{"bits": "4", "sticky": "no"}; err != nil || name != "counting" || !maps.Equal(given, want) {
		t.Errorf("%q, %v, %v", name, given, err)
	}
	for text, want := range map[string]string{
		"":             "starts with a name",
		":bits=4":      "starts with a name",
		"a:":           "is not knob=value",
		"a:b":          `"b" is not knob=value`,
		"a:b=":         "is not knob=value",
		"a:=4":         "is not knob=value",
		"a:b=1,,c=2":   `"" is not knob=value`,
		"a:b=1,b=2":    "knob b is given twice",
		"bloom,bits=4": "a name and a colon",
		"k=3":          "a name and a colon",
	} {
		if _, _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): error %v, want one with %q", text, err, want)
		}
	}
}

var testKnobs = []Knob{
	Whole("bits", "of a counter", "4", 1, 64),
	Choice("sticky", "at the top", "yes", "no"),
	Real("load", "factor", "0.95", 0.1, 1),
}

func TestResolve(t *testing.T) {
	v, err := Resolve("variant x", testKnobs, map[string]string{"bits": "1e1", "load": "0.5"})
	if err != nil || v.Uint("bits") != 10 || v.Float("load") != 0.5 || v["sticky"] != "yes" {
		t.Errorf("%v, %v", v, err)
	}
	for knob, c := range map[string][2]string{
		"bits":   {"65", `variant x, knob bits: "65" is not a whole number from 1 to 64`},
		"load":   {"NaN", `knob load: "NaN" is not a number from 0.1 to 1`},
		"sticky": {"maybe", `knob sticky: no such value "maybe"; known: yes, no`},
		"bit":    {"4", `variant x has no knob "bit"; known: bits, sticky, load`},
	} {
		if _, err := Resolve("variant x", testKnobs, map[string]string{knob: c[0]}); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s=%s: error %v, want %q", knob, c[0], err, c[1])
		}
	}
	if _, err := Resolve("variant map", nil, map[string]string{"k": "1"}); err == nil || !strings.Contains(err.Error(), "it has none") {
		t.Errorf("a knob of a variant without: error %v", err)
	}
}

// TestRoundTrip: what Format writes reads back to the same values.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := map[string]string{}
		for knob, values := range map[string][]string{"bits": {"1", "4", "64", "1e1"}, "sticky": {"yes", "no"}, "load": {"0.1", "0.950", "0.95", "1"}} {
			if v := rapid.SampledFrom(append(values, "")).Draw(t, knob); v != "" {
				given[knob] = v
			}
		}
		values, err := Resolve("variant x", testKnobs, given)
		if err != nil {
			t.Fatal(err)
		}
		text := Format("x", testKnobs, values)
		if list := Split("a," + text + ",b"); len(list) != 3 || list[1] != text {
			t.Fatalf("%q in a list comes out as %q", text, list)
		}
		name, again, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Resolve("variant x", testKnobs, again)
		if err != nil || name != "x" || !maps.Equal(values, back) {
			t.Fatalf("%q reads back as %s, %v, %v; want %v", text, name, back, err, values)
		}
	})
}

func TestFormatLeavesDefaultsOut(t *testing.T) {
	values, err := Resolve("x", testKnobs, map[string]string{"bits": "4", "sticky": "no"})
	if err != nil {
		t.Fatal(err)
	}
	if got := Format("x", testKnobs, values); got != "x:sticky=no" {
		t.Errorf("%q", got)
	}
}

func TestCount(t *testing.T) {
	for text, want := range map[string]uint64{
		"0": 0, "1000": 1000, "1_000_000": 1e6, "1e6": 1e6, "1E6": 1e6, "10M": 1e7, "10m": 1e7, "2.5k": 2500, "1G": 1e9,
		"1b": 1e9, " 7 ": 7, "1.001k": 1001, "4.35M": 4_350_000, "1e3k": 1e6, "1e+3": 1000, "1500e-2": 15,
		"9007199254740993": 1<<53 + 1, "18446744073709551615": math.MaxUint64,
	} {
		if got, err := Count(text); got != want || err != nil {
			t.Errorf("Count(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"-1", "1.5", "NaN", "", "1e30", "k", "_", "Inf", "1.0005k", "0x10", "0x1p4", "1e", "e6", "1e6.5",
		"1e999999999999999999", "1e-1", "1,000", "18446744073709551616", "ten", "1 000", "--1", "1.2.3"} {
		if got, err := Count(text); err == nil || !strings.Contains(err.Error(), "is not a whole number such as") {
			t.Errorf("Count(%q) = %d, %v; want an error", text, got, err)
		}
	}
}

// FuzzParse: no panic, and what parses reads back from what Format writes.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "bloom", "counting:bits=4,sticky=no", "a:b", ":", "a:b=1,b=2", "a=b", "x:load=0.5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range append(Split(text), text) {
			name, given, err := Parse(s)
			if err != nil {
				continue
			}
			var knobs []Knob
			for _, k := range slices.Sorted(maps.Keys(given)) {
				knobs = append(knobs, Knob{Name: k, Check: func(string) error { return nil }})
			}
			values, err := Resolve("x", knobs, given)
			if err != nil {
				t.Fatalf("%q: %v", s, err)
			}
			written := Format(name, knobs, values)
			again, back, err := Parse(written)
			if err != nil || again != name || !maps.Equal(given, back) {
				t.Fatalf("%q writes %q, which reads as %q, %v, %v", s, written, again, back, err)
			}
		}
		if n, err := Count(text); err != nil && n != 0 {
			t.Fatalf("Count(%q) = %d with error %v", text, n, err)
		}
	})
}
