// Package spec reads and writes spec strings: a name, and knobs with values, such as
// "counting:bits=4". What it writes reads back.
package spec

import (
	"fmt"
	"sort"
	"strings"
)

// Values holds a value for every knob of the thing named.
type Values map[string]string

// Split cuts a list of specs at its commas. A piece with "=" and no ":" before that continues the
// spec before it, so "bloom,counting:bits=4,sticky=no,cuckoo" is three specs.
func Split(list string) []string {
	var out []string
	for _, piece := range strings.Split(list, ",") {
		piece = strings.TrimSpace(piece)
		before, _, knob := strings.Cut(piece, "=")
		if knob && !strings.Contains(before, ":") && len(out) > 0 {
			out[len(out)-1] += "," + piece
			continue
		}
		out = append(out, piece)
	}
	return out
}

// Parse cuts one spec into its name and the knobs given.
func Parse(text string) (name string, given map[string]string, err error) {
	name, rest, has := strings.Cut(text, ":")
	if name == "" {
		return "", nil, fmt.Errorf("%q: a spec starts with a name, such as bloom or counting:bits=4", text)
	}
	if strings.ContainsAny(name, ",=") {
		return "", nil, fmt.Errorf("%q: knobs follow a name and a colon, such as counting:bits=4", text)
	}
	given = map[string]string{}
	if !has {
		return name, given, nil
	}
	for _, piece := range strings.Split(rest, ",") {
		key, value, ok := strings.Cut(piece, "=")
		if !ok || key == "" || value == "" {
			return "", nil, fmt.Errorf("%q: %q is not knob=value", text, piece)
		}
		if _, twice := given[key]; twice {
			return "", nil, fmt.Errorf("%q: knob %s is given twice", text, key)
		}
		given[key] = value
	}
	return name, given, nil
}

// Resolve checks the knobs given against those known and fills in the defaults. What names the
// owner in errors, such as "variant counting".
func Resolve(what string, known []Knob, given map[string]string) (Values, error) {
	values := Values{}
	for _, k := range known {
		values[k.Name] = k.Default
	}
	for _, name := range sortedKeys(given) {
		knob, ok := find(known, name)
		if !ok {
			return nil, Unknown(what+" has no knob", name, names(known))
		}
		if err := knob.Check(given[name]); err != nil {
			return nil, fmt.Errorf("%s, knob %s: %w", what, name, err)
		}
		values[name] = given[name]
	}
	return values, nil
}

// Format writes the spec of a name and its values; knobs at their default are left out.
func Format(name string, known []Knob, values Values) string {
	var parts []string
	for _, k := range known {
		if v := values[k.Name]; v != k.Default {
			parts = append(parts, k.Name+"="+v)
		}
	}
	if len(parts) == 0 {
		return name
	}
	return name + ":" + strings.Join(parts, ",")
}

// Unknown is the error for a word that names nothing: it lists the words that do.
func Unknown(what, word string, known []string) error {
	if len(known) == 0 {
		return fmt.Errorf("%s %q: it has none", what, word)
	}
	return fmt.Errorf("%s %q; known: %s", what, word, strings.Join(known, ", "))
}

func find(known []Knob, name string) (Knob, bool) {
	for _, k := range known {
		if k.Name == name {
			return k, true
		}
	}
	return Knob{}, false
}

func names(known []Knob) []string {
	out := make([]string, len(known))
	for i, k := range known {
		out[i] = k.Name
	}
	return out
}

func sortedKeys(m map[string]string) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
