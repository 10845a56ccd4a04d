package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers says which of our packages a package may import besides those of its own folder. The first
// row whose pattern matches holds; a package that no row names is a failure, so that a new one is
// placed on purpose.
var layers = []struct {
	pattern string
	allowed []string
}{
	{"filters/spec", nil},
	{"filters/theory", nil},
	{"filters", []string{"filters/spec"}},
	{"filters/catalog", []string{"filters", "filters/*", "counting"}},
	{"filters/filtertest", []string{"filters", "filters/spec", "filters/theory"}},
	{"filters/bitarray", []string{"filters"}},
	{"filters/*", []string{"filters", "filters/bitarray", "filters/spec", "filters/theory"}},
	{"counting", []string{"filters", "filters/spec", "filters/theory"}},
	{"workloads", []string{"filters/spec"}},
	{"harness/stats", nil},
	{"harness/units", nil},
	{"harness/files", nil},
	{"harness/evenness", []string{"filters", "filters/theory", "harness/stats", "workloads"}},
	{"harness/sizing", []string{"filters", "filters/spec", "filters/theory", "harness/units"}},
	{"harness/sweep", []string{"filters", "filters/spec", "workloads", "harness", "harness/sizing", "harness/units"}},
	{"harness", []string{"filters", "filters/theory", "workloads", "harness/stats", "harness/units"}},
	{"reports", []string{"harness", "harness/evenness", "harness/stats", "harness/units", "harness/files", "filters/theory", "filters/spec"}},
	{"cmd/lab/command", []string{"*", "*/*"}},
	{"cmd/lab", []string{"cmd/lab/command"}},
	{"cmd/labpeers/peers", []string{"filters", "filters/spec", "filters/theory", "counting"}},
	{"cmd/labpeers", []string{"*", "*/*", "cmd/lab/command", "cmd/labpeers/peers"}},
}

func TestImports(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := 0
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(file, root+string(filepath.Separator)))
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || rel == "out") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		seen++
		for _, bad := range forbidden(t, file, path.Dir(rel)) {
			t.Errorf("%s imports %s: not in its layer (see layers in imports_test.go)", rel, bad)
		}
		return nil
	})
	if err != nil || seen < 20 {
		t.Fatalf("walked %d files: %v", seen, err)
	}
}

// forbidden returns our packages that the file imports and its package must not.
func forbidden(t *testing.T, file, pkg string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	allowed, placed := layerOf(pkg)
	if !placed {
		t.Errorf("package %s has no row in layers", pkg)
	}
	var bad []string
	for _, imp := range parsed.Imports {
		name, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		ours, isOurs := strings.CutPrefix(name, "filterlab/")
		if !isOurs {
			continue
		}
		ok := slices.ContainsFunc(allowed, func(pattern string) bool { return matches(pattern, ours) })
		if !ok || strings.HasPrefix(ours, "cmd/") && !strings.HasPrefix(pkg, "cmd/") {
			bad = append(bad, ours)
		}
	}
	return bad
}

func layerOf(pkg string) (allowed []string, placed bool) {
	for _, l := range layers {
		if matches(l.pattern, pkg) {
			return l.allowed, true
		}
	}
	return nil, false
}

func matches(pattern, pkg string) bool {
	ok, err := path.Match(pattern, pkg)
	return ok && err == nil
}

func TestLayersCatchAWrongImport(t *testing.T) {
	for _, c := range []struct {
		pkg, imports string
		want         bool
	}{
		{"harness", "filters/bloom", false},
		{"workloads", "filters", false},
		{"filters", "harness", false},
		{"filters/bloom", "filters", true},
		{"filters/bloom", "filters/classic", false},
		{"counting", "filters/bloom", false},
		{"reports", "filters/catalog", false},
		{"reports", "harness", true},
	} {
		allowed, _ := layerOf(c.pkg)
		got := slices.ContainsFunc(allowed, func(p string) bool { return matches(p, c.imports) })
		if got != c.want {
			t.Errorf("%s imports %s: allowed = %v, want %v", c.pkg, c.imports, got, c.want)
		}
	}
}
