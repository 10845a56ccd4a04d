package catalog

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"filterlab/filters/filtertest"
)

func TestNames(t *testing.T) {
	want := []string{"bloom", "counting", "cuckoo", "roaring", "partitioned", "classic", "blocked", "scalable", "split", "sharded", "cuckoo-own", "fuse", "map", "null"}
	if got := Names(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestConformance runs every variant with its defaults; each family's own test adds its knobs.
func TestConformance(t *testing.T) {
	for _, v := range All() {
		filtertest.RunAll(t, v, "")
	}
}

// TestDescribed: every variant says what it is, every knob has a default that its check accepts,
// and every model has a formula and a source.
func TestDescribed(t *testing.T) {
	for _, v := range All() {
		b, err := Parse(v.Name)
		if err != nil {
			t.Fatal(err)
		}
		if v.Doc == "" || b.String() != v.Name {
			t.Errorf("%s: doc %q, spec %q", v.Name, v.Doc, b)
		}
		for _, k := range v.Knobs {
			if err := k.Check(k.Default); err != nil || k.Doc == "" || k.Allowed == "" {
				t.Errorf("%s: knob %s lacks its doc or default: %v", v.Name, k.Name, err)
			}
		}
		m, err := b.Model(b.Params(1000, 0.01, 1))
		if err != nil || m.Formula == "" || m.Source == "" || m.FPR == nil || m.SD == nil {
			t.Errorf("%s: model %+v, error %v", v.Name, m, err)
		}
		if exact := m.FPR(1000) == 0; exact != v.Exact {
			t.Errorf("%s: FPR %g, exact %v", v.Name, m.FPR(1000), v.Exact)
		}
	}
}

func TestParse(t *testing.T) {
	b, err := Parse("cuckoo:load=1")
	if err != nil || b.Name != "cuckoo" || b.Values["load"] != "1" || b.String() != "cuckoo:load=1" {
		t.Errorf("%+v, %v", b, err)
	}
	for text, want := range map[string]string{
		"bloon":         `no variant "bloon"; known: ` + strings.Join(Names(), ", "),
		"Bloom":         "no variant",
		"all":           "no variant",
		"":              "starts with a name",
		"cuckoo:load=2": `variant cuckoo, knob load: "2" is not a number from 0.1 to 1`,
		"cuckoo:lod=1":  `has no knob "lod"; known: load`,
		"map:x=1":       "it has none",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): error %v, want one with %q", text, err, want)
		}
	}
}

func TestParseList(t *testing.T) {
	for list, want := range map[string][]string{
		"all":                       Names(),
		"default":                   Defaults(),
		"bloom,cuckoo:load=1,map":   {"bloom", "cuckoo:load=1", "map"},
		"cuckoo,bloom,cuckoo":       {"cuckoo", "bloom"},
		"null,all":                  append([]string{"null"}, Names()[:len(Names())-1]...),
		"cuckoo:load=0.95,cuckoo":   {"cuckoo"},
		"cuckoo:load=0.5,all,bloom": append([]string{"cuckoo:load=0.5"}, Names()...),
	} {
		got, err := ParseList(list)
		var specs []string
		for _, b := range got {
			specs = append(specs, b.String())
		}
		if err != nil || !slices.Equal(specs, want) {
			t.Errorf("ParseList(%q) = %q, %v; want %q", list, specs, err, want)
		}
	}
	for _, list := range []string{"", "bloom,", "bloom,nope", "bloom,k=3"} {
		if got, err := ParseList(list); err == nil {
			t.Errorf("ParseList(%q) = %v, want an error", list, got)
		}
	}
}

// FuzzParse: no panic, and what parses names itself by a spec that reads back.
func FuzzParse(f *testing.F) {
	for _, v := range All() {
		f.Add(v.Name)
		for _, k := range v.Knobs {
			f.Add(v.Name + ":" + k.Name + "=" + k.Default)
		}
	}
	f.Add("cuckoo:load=0.5")
	f.Add("classic:k=3,delete=clear")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(b.String())
		if err != nil || again.Name != b.Name || !maps.Equal(again.Values, b.Values) {
			t.Fatalf("%q is %q, which reads as %+v, %v", text, b, again, err)
		}
		if _, err := b.Model(b.Params(1000, 0.01, 1)); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	})
}
