package harness_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// leftOut names the groups nothing here computes: no variant of the lab is a quotient filter, sizes
// itself as Guava does, or keeps an HDR histogram.
var leftOut = []string{"qf.fpr", "guava.size", "lat.hdr"}

// oracle computes every output of one group of vectors from a vector's inputs. Values are float64,
// int, uint64, []float64, string, bool, nil (not applicable) or estimate (simulated).
type oracle func(a *oracleArgs) map[string]any

// estimate is a simulated value: its standard error, the number of repetitions behind it, and the
// standard error of the vector's own value for each unit of the vector's "se".
type estimate struct {
	value, se float64
	reps      int
	per       float64
}

// oracleArgs gives an oracle the inputs of one vector; asking for an absent one fails the test.
type oracleArgs struct {
	t     *testing.T
	group string
	in    map[string]any
}

func (a *oracleArgs) has(name string) bool {
	_, ok := a.in[name]
	return ok
}

func (a *oracleArgs) num(name string) float64 {
	a.t.Helper()
	v, ok := a.in[name].(float64)
	if !ok {
		a.t.Fatalf("%s: input %q is %v, want a number; inputs %v", a.group, name, a.in[name], a.in)
	}
	return v
}

func (a *oracleArgs) nums(name string) []float64 {
	a.t.Helper()
	list, ok := a.in[name].([]any)
	if !ok {
		a.t.Fatalf("%s: input %q is %v, want a list; inputs %v", a.group, name, a.in[name], a.in)
	}
	out := make([]float64, len(list))
	for i, v := range list {
		if out[i], ok = v.(float64); !ok {
			a.t.Fatalf("%s: input %q[%d] is %v, want a number", a.group, name, i, v)
		}
	}
	return out
}

func (a *oracleArgs) str(name string) string {
	a.t.Helper()
	v, ok := a.in[name].(string)
	if !ok {
		a.t.Fatalf("%s: input %q is %v, want a string; inputs %v", a.group, name, a.in[name], a.in)
	}
	return v
}

// work returns full, or short under -short: the size of a simulation.
func (a *oracleArgs) work(full, short int) int {
	if testing.Short() {
		return short
	}
	return full
}

type oracleCase struct {
	In  map[string]any `json:"in"`
	Out map[string]any `json:"out"`
}

type oracleGroup struct {
	ID     string       `json:"id"`
	TolRel float64      `json:"tol_rel"`
	TolAbs float64      `json:"tol_abs"`
	Cases  []oracleCase `json:"cases"`
}

// TestOracles holds the formulas and the statistics against vectors computed elsewhere, field by field.
func TestOracles(t *testing.T) {
	table := maps.Clone(theoryOracles)
	for id, f := range statOracles {
		if _, twice := table[id]; twice {
			t.Fatalf("group %q is in both tables", id)
		}
		table[id] = f
	}
	var seen [][]byte
	for _, path := range oracleFiles() {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(seen, func(b []byte) bool { return bytes.Equal(b, data) }) {
			continue
		}
		seen = append(seen, data)
		var file struct {
			Groups []oracleGroup `json:"groups"`
		}
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if len(file.Groups) == 0 {
			t.Fatalf("%s: no groups", path)
		}
		for _, g := range file.Groups {
			t.Run(g.ID, func(t *testing.T) { checkGroup(t, g, table) })
		}
	}
}

// oracleFiles lists the vectors of the repository and those a checker put beside them.
func oracleFiles() []string {
	files := []string{filepath.Join("..", "testdata", "oracles.json")}
	if extra := os.Getenv("LAB_ORACLES"); extra != "" {
		files = append(files, extra)
	}
	shared := filepath.Join("..", "..", "shared", "oracles.json")
	if _, err := os.Stat(shared); err == nil {
		files = append(files, shared)
	}
	return files
}

func checkGroup(t *testing.T, g oracleGroup, table map[string]oracle) {
	if slices.Contains(leftOut, g.ID) {
		return
	}
	f, ok := table[g.ID]
	if !ok {
		t.Fatalf("no oracle for group %q", g.ID)
	}
	if len(g.Cases) == 0 {
		t.Fatalf("group %q has no vectors", g.ID)
	}
	for _, c := range g.Cases {
		got := f(&oracleArgs{t: t, group: g.ID, in: c.In})
		for _, field := range slices.Sorted(maps.Keys(c.Out)) {
			checkField(t, g, c, got, field)
		}
	}
}

func checkField(t *testing.T, g oracleGroup, c oracleCase, got map[string]any, field string) {
	want := c.Out[field]
	v, ok := got[field]
	if !ok {
		if !isPrecision(field, c.Out) {
			t.Errorf("%s%v: no output %q, want %v", g.ID, c.In, field, want)
		}
		return
	}
	switch want := want.(type) {
	case float64:
		checkNumber(t, g, c, got, field, want)
	case []any:
		list, ok := v.([]float64)
		if !ok || len(list) != len(want) {
			t.Errorf("%s%v: %s = %v, want %v", g.ID, c.In, field, v, want)
			return
		}
		for i, w := range want {
			if w, ok := w.(float64); !ok || !near(list[i], w, g.TolRel, g.TolAbs) {
				t.Errorf("%s%v: %s[%d] = %v, want %v", g.ID, c.In, field, i, list[i], want[i])
			}
		}
	default: // nil, bool or string
		if want == "n/a" {
			want = nil
		}
		if v != want {
			t.Errorf("%s%v: %s = %v, want %v", g.ID, c.In, field, v, want)
		}
	}
}

// isPrecision reports whether field only says how precise the simulated values beside it are.
func isPrecision(field string, out map[string]any) bool {
	_, simulated := out["se"]
	return simulated && (field == "se" || field == "reps" || strings.HasSuffix(field, "_se"))
}

func checkNumber(t *testing.T, g oracleGroup, c oracleCase, got map[string]any, field string, want float64) {
	var v, tol float64
	rel := g.TolRel
	if rel == 0 {
		rel = 1e-7 // a simulated group gives none for the exact values among its outputs
	}
	switch x := got[field].(type) {
	case float64:
		v = x
	case int:
		v = float64(x)
	case uint64:
		v = float64(x)
	case estimate:
		v, rel = x.value, 0
		tol = 4 * math.Hypot(vectorSE(c.Out, field, x), ownSE(c.Out, field, x))
	default:
		t.Errorf("%s%v: %s = %v (%T), want %v", g.ID, c.In, field, x, x, want)
		return
	}
	if !near(v, want, rel, g.TolAbs+tol) {
		t.Errorf("%s%v: %s = %.17g, want %.17g (relative %.3g, allowed %.3g, absolute %.3g)", g.ID, c.In, field,
			v, want, v/want-1, rel, g.TolAbs+tol)
	}
}

func near(got, want, rel, abs float64) bool {
	return math.Abs(got-want) <= rel*math.Abs(want)+abs
}

// leading names the simulated output to which a vector's "se" belongs.
func leading(out map[string]any) string {
	for _, name := range []string{"fpr", "load", "n_hat"} {
		if _, ok := out[name]; ok {
			return name
		}
	}
	return ""
}

// vectorSE is the standard error of the vector's own simulation.
func vectorSE(out map[string]any, field string, x estimate) float64 {
	if se, ok := out[field+"_se"].(float64); ok {
		return se
	}
	se, _ := out["se"].(float64)
	return se * x.per
}

// ownSE is the standard error of our simulation, from the vector's sd where it gives a larger one:
// a few repetitions estimate their own spread badly.
func ownSE(out map[string]any, field string, x estimate) float64 {
	sd, ok := out["sd"].(float64)
	if !ok || x.reps == 0 {
		return x.se
	}
	switch field {
	case leading(out):
		return max(x.se, sd/math.Sqrt(float64(x.reps)))
	case "sd":
		return max(x.se, sd/math.Sqrt(2*float64(max(x.reps-1, 1))))
	}
	return x.se
}
