package reports

import (
	"math"
	"testing"
)

func TestFormats(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{percent(0.01), "1 %"}, {percent(0.010039), "1.004 %"}, {percent(0), "0 %"}, {percent(1), "100 %"},
		{percent(0.97871), "97.87 %"}, {percent(0.00000369), "0.000369 %"}, {percent(1e-12), "1e-10 %"},
		{precise(0.01), "1.000 %"}, {precise(0.00992), "0.9920 %"}, {precise(0.5), "50.00 %"}, {precise(1), "100 %"}, {precise(0), "0 %"},
		{percents(0.0098, 0.0102), "0.9800..1.020"},
		{digits(1.15, 3), "1.15"}, {digits(123456, 3), "123456"}, {digits(math.NaN(), 3), "0"},
		{fixed(9.585), "9.59"}, {fixed(38.34), "38.3"}, {fixed(412.4), "412"}, {fixed(1252.3), "1,252"}, {fixed(0.0058), "0.0058"}, {fixed(0), "0"},
		{count(0), "0"}, {count(999), "999"}, {count(1000), "1,000"}, {count(12345678), "12,345,678"},
		{size(1_000_000), "1M"}, {size(100_000), "100k"}, {size(1512), "1,512"}, {size(2e9), "2G"},
		{roughly(2_490_112), "2.49M"}, {roughly(250_000), "250k"}, {roughly(1512), "1,512"},
		{plural(1, "trial"), "1 trial"}, {plural(10, "trial"), "10 trials"},
		{list(nil, 3), "none"}, {list([]string{"a"}, 3), "a"}, {list([]string{"a", "b"}, 3), "a and b"},
		{list([]string{"a", "b", "c"}, 3), "a, b and c"}, {list([]string{"a", "b", "c", "d"}, 3), "a, b and 2 others"},
		{shortWorkload("replay:../x/access.log.gz"), "replay of access.log.gz"}, {shortWorkload("random-ids"), "random-ids"},
		{slug("replay:../x/access.log.gz"), "replay-access"}, {slug("skewed-keys:s=1.1,shape=url"), "skewed-keys-s=1.1-shape=url"},
		{byteSize(1_198_000), "1.20 MB"}, {byteSize(12), "12.0 B"}, {fewer(0), "0"}, {fewer(2.46), "2.5"}, {fewer(1234.5), "1,235"},
		{benchEscape("replay:a b/c%.log"), "replay:a%20b%2Fc%25.log"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestAxes(t *testing.T) {
	labels := func(s Scale) (out []string) {
		for _, tick := range s.Ticks {
			if at := s.at(tick.At); at < -1e-9 || at > 1+1e-9 {
				t.Errorf("tick %v lies outside %v..%v", tick, s.Min, s.Max)
			}
			out = append(out, tick.Label)
		}
		return out
	}
	of := func(lo, hi float64) extent { return extent{lo: lo, hi: hi, any: true} }
	if got := labels(Axis{Log: true, Format: percent}.scale(of(0.0099, 0.0151), nil)); len(got) == 0 {
		t.Error("a narrow log axis has no tick")
	}
	if got := labels(Axis{Log: true}.scale(of(9.6, 1252), nil)); len(got) < 4 || got[0] != "10" {
		t.Errorf("ticks %q from 9.6 to 1252, want them from 10 on", got)
	}
	if got := labels(Axis{Fixed: true, Include: []float64{0, 1}, Format: percent}.scale(of(0.3, 0.4), nil)); got[0] != "0 %" || got[len(got)-1] != "100 %" {
		t.Errorf("ticks %q of a share, want 0 %% to 100 %%", got)
	}
	s := Axis{Around1: true}.scale(of(0.93, 1.05), nil)
	if got := labels(s); len(got) != 3 || got[1] != "1x" {
		t.Errorf("ticks %q of a ratio, want three about 1x", got)
	}
	check(t, "the middle of a ratio axis", s.at(1), 0.5)
}
