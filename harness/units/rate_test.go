package units

import (
	"math"
	"strings"
	"testing"
)

func TestParseRate(t *testing.T) {
	for text, want := range map[string]float64{
		"0.01": 0.01, "1e-3": 0.001, "1%": 0.01, "0.1 %": 0.001, " 5 % ": 0.05, "1-in-1000": 0.001,
		"1 in 1000": 0.001, "1/1000": 0.001, "1-in-1e6": 1e-6, "5": 5, "-0.1": -0.1, "0": 0,
	} {
		if got, err := ParseRate(text); err != nil || math.Abs(got-want) > 1e-15 {
			t.Errorf("ParseRate(%q) = %g, %v, want %g", text, got, err, want)
		}
	}
	for _, text := range []string{"", "%", "x", "1-in-0", "1-in-", "1-in-10%", "nan", "inf", "1-in-inf", "1 2", "2-in-3"} {
		if got, err := ParseRate(text); err == nil {
			t.Errorf("ParseRate(%q) = %g, want an error", text, got)
		}
	}
}

func TestParseBits(t *testing.T) {
	for text, want := range map[string]uint64{
		"143775876": 143775876, "1e6": 1e6, "8 bits": 8, "1bit": 1, "10Mbit": 1e7, "1 Kibit": 1024, "4294967296": 1 << 32,
		"200MB": 1.6e9, "64MiB": 8 << 26, "64 MiB": 8 << 26, "512mib": 1 << 32, "1.5kB": 12000, "200mb": 1.6e9, "100B": 800, "100 bytes": 800, "1byte": 8, "2 Mbytes": 1.6e7,
	} {
		if got, err := ParseBits(text); err != nil || got != want {
			t.Errorf("ParseBits(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"10M", "64Mb", "8b", "10k", "1 G"} {
		if got, err := ParseBits(text); err == nil || !strings.Contains(err.Error(), "bits or bytes") {
			t.Errorf("ParseBits(%q) = %d, %v, want that it is ambiguous", text, got, err)
		}
	}
	for _, text := range []string{"", "x", "-1", "-1MB", "1e30", "bits", "Mbit", "nan", "infbits"} {
		if got, err := ParseBits(text); err == nil {
			t.Errorf("ParseBits(%q) = %d, want an error", text, got)
		}
	}
}

func TestPrint(t *testing.T) {
	for _, c := range [][2]string{
		{Rate(0.01), "1 %"}, {Rate(0.010039), "1.004 %"}, {Rate(1e-7), "1e-07"}, {Rate(0), "0 %"},
		{Rate(0.831), "83.1 %"}, {Decimal(1_198_132_298), "1.198 GB"}, {Decimal(12), "12 B"},
		{Grouped(143775876), "143,775,876"}, {Grouped(100), "100"}, {Grouped(1000), "1,000"},
	} {
		if c[0] != c[1] {
			t.Errorf("got %q, want %q", c[0], c[1])
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"0.01", "1-in-1000", "0.1 %", "64MiB", "200MB", "10Mbit", "10M", "1e6", "1/3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := ParseRate(text); err == nil && (math.IsNaN(p) || math.IsInf(p, 0)) {
			t.Errorf("ParseRate(%q) = %g", text, p)
		}
		if m, err := ParseBits(text); err == nil && m > 1<<62 {
			t.Errorf("ParseBits(%q) = %d", text, m)
		}
	})
}
