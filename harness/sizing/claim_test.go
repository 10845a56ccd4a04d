package sizing_test

import (
	"math"
	"strings"
	"testing"

	"filterlab/harness/sizing"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		claim string
		want  bool
		why   string
	}{
		{"n=1e9 p=1% in 200MB", false, "no filter of any kind gets below n log2(1/p), 830.5 MB"},
		{"n=1e9 p=1% in 1.2GB", true, "1.198 GB"},
		{"n = 1e9, p = 1 %, in 1.1 GiB", false, "1.198 GB"},
		{"n=1e9 p=1% in 1.2 GiB", true, "1.198 GB"},
		{"n=1e9 p=1-in-100 in 1200000000 bytes", true, "1.198 GB"},
		{"n=10M p=1 in 1000 in 17972kB", true, "143,775,876 bits"},
		{"n=10M p=0.1% in 17.9MB", false, "143,775,876 bits"},
		{"n=10M p=0.1% in 17.97MB", true, "143,775,876 bits"},
		{"n=1e9 p=1% in 1.198GB", true, "1.198 GB"},
		{"n=1e9 p=1% in 1.18GB", false, "1.198 GB"},
		{"n=1e9 p=1% m=9.6e9", true, "9,585,058,378 bits"},
		{"n=1e9 p=1% m=12e9", false, "9,585,058,378 bits"},
		{"n=1e9 p=1% m<=12e9", true, "9,585,058,378 bits"},
		{"n=1e9 p=1% m≤9e9", false, "9,585,058,378 bits"},
		{"n=10M p=0.1% k=10", true, "k = log2(1/p) = 9.966"},
		{"n=10M p=0.1% k=9", true, "so 10"},
		{"n=10M p=0.1% k=4", false, "k = 4 gives"},
		{"n=1000 p=1% m=9586 k=7", true, "1.004 %"},
		{"n=1000 p=1% m=9000 k=7", false, "1.3"},
		{"n=1e9 m=512MiB fpr<=15%", true, "12.7 % with k = 3"},
		{"n=1e9 m=512MiB fpr=85%", false, "12.7 % with k = 3"},
		{"n=1e9 m=512MiB fpr=12.7%", true, "12.7 %"},
		{"n=1e6 m=1MB k=5 fpr=2..3%", true, "2.168 %"},
		{"overfill=5 p=1% fpr=20..40%", false, "83.19 %"},
		{"overfill=2 p=1% fpr=15..16%", true, "15.75 %"},
		{"5x overfill of a 1% filter gives 20 to 40%", false, "83.19 %"},
		{"2x overfill of a 0.1% filter gives 5.7%", true, "5.721 %"},
		{"1e9 names in 200 MB at 1%", false, "1.198 GB"},
	} {
		v, err := sizing.Check(c.claim)
		if err != nil || v.True != c.want || !strings.Contains(v.Why, c.why) {
			t.Errorf("%s: %v, %v; want %t with %q", c.claim, v, err, c.want, c.why)
		}
	}
	for claim, hint := range map[string]string{
		"": "claims have forms such as", "hello": "claims have forms such as", "n=1e9": "claims have forms such as",
		"n=1e9 p=1%": "claims have forms such as", "n=1e9 n=2 p=1%": "claims have forms such as", "n=1e9 p=": "claims have forms such as",
		"n=1e9 p<=1% in 1GB": "claims have forms such as", "overfill=5 p=1%": "claims have forms such as", "so n=1 p=1% k=7": "claims have forms such as",
		"n=1000 p=5 in 1MB": "for 5 % say 0.05", "n=0.01 p=1000 in 1MB": "swapped", "n=1e9 p=1% m=10M": "bits or bytes",
		"overfill=x p=1% fpr=1%": "not a multiple", "n=1000 m=9586 fpr<=x": "not a rate", "n=1000 m=9586 fpr=3..2%": "smaller first",
		"n=1000 m=9586 fpr=200%": "from 0 to 1", "n=1e9 p=1e-12 in 1TB": "hash floor", "10^9 names in 200MB at 1%": "whole number",
	} {
		v, err := sizing.Check(claim)
		if err == nil || !strings.Contains(err.Error(), hint) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, %v; want one line with %q", claim, v, err, hint)
		}
	}
	for _, form := range sizing.Forms {
		if v, err := sizing.Check(strings.Trim(form, `"`)); err != nil {
			t.Errorf("the form %s that errors show: %v, %v", form, v, err)
		}
	}
}

func TestReadLink(t *testing.T) {
	for link, want := range map[string]sizing.Words{
		"https://hur.st/bloomfilter/?n=4000&p=1.0E-7&m=&k=": {N: "4000", P: "1.0E-7"},
		"hur.st/bloomfilter?n=1e6&m=64MiB":                  {N: "1e6", M: "64MiB"},
		"http://www.hur.st/bloomfilter/?p=100&m=9586&k=7":   {P: "0.01", M: "9586", K: "7"},
		"https://hur.st/bloomfilter/?n=10&p=1-in-50&m=&k=":  {N: "10", P: "1-in-50"},
		"https://hur.st/bloomfilter/?n=1&p=5%25":            {N: "1", P: "5%"},
	} {
		if got, err := sizing.ReadLink(link); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", link, got, err, want)
		}
	}
	for _, link := range []string{"", "10M", "https://example.com/bloomfilter/?n=1", "https://hur.st/other?n=1", "https://hur.st/bloomfilter/", "https://hur.st/bloomfilter/?n=%zz"} {
		if got, err := sizing.ReadLink(link); err == nil {
			t.Errorf("%s: %+v, want an error", link, got)
		}
	}
	w, err := sizing.ReadLink("https://hur.st/bloomfilter/?n=4000&p=1.0E-7&m=&k=")
	if err != nil {
		t.Fatal(err)
	}
	if s := solve(t, w); s.M != 134_191 || s.K != 23 {
		t.Errorf("the link's filter: %+v, want 134,191 bits, k = 23", s)
	}
}

func FuzzCheck(f *testing.F) {
	for _, form := range sizing.Forms {
		f.Add(strings.Trim(form, `"`))
	}
	f.Add("n=1 m=1e18 k=64 fpr<=1")
	f.Fuzz(func(t *testing.T, claim string) {
		v, err := sizing.Check(claim)
		if err == nil && (v.Why == "" || v.Solution.M == 0 || v.Solution.K == 0 || math.IsNaN(v.Solution.FPR)) {
			t.Errorf("%q: %+v", claim, v)
		}
	})
}

func FuzzLink(f *testing.F) {
	f.Add("https://hur.st/bloomfilter/?n=4000&p=1.0E-7&m=&k=")
	f.Add("hur.st/bloomfilter?p=100&m=64MiB&k=3")
	f.Fuzz(func(t *testing.T, link string) {
		w, err := sizing.ReadLink(link)
		if err != nil {
			return
		}
		a, err := w.Ask()
		if err != nil {
			return
		}
		if s, err := a.Solve(); err == nil && (s.N == 0 || s.M == 0 || s.K == 0 || !(s.P >= 0 && s.P <= 1) || !(s.FPR >= 0 && s.FPR <= 1)) {
			t.Errorf("%q: %+v solved to %+v", link, a, s)
		}
	})
}
