package harness_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	shownRow = regexp.MustCompile(`(?m)^\| (\d+) \|.*$`)
	openRow  = regexp.MustCompile(`(?m)^- (\d+), `)
	caseName = regexp.MustCompile(`"case-(\d+)"`)
)

// TestFieldCasesPage: every case that the page shows is a subtest somewhere, every such subtest is on
// the page, and what the page calls open is not.
func TestFieldCasesPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "field-cases.md"))
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{}
	err = filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range caseName.FindAllSubmatch(source, -1) {
			tested[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(tested) < 30 {
		t.Fatalf("%d cases found in the tests", len(tested))
	}
	for _, m := range shownRow.FindAllSubmatch(page, -1) {
		id := string(m[1])
		if !tested[id] {
			t.Errorf("case %s is on the page and no test has a subtest case-%s", id, id)
		}
		if columns := strings.Count(string(m[0]), "|") - 1; columns != 5 {
			t.Errorf("case %s has %d columns, want 5", id, columns)
		}
		delete(tested, id)
	}
	for _, m := range openRow.FindAllSubmatch(page, -1) {
		if id := string(m[1]); tested[id] {
			t.Errorf("case %s is tested: the page calls it open", id)
			delete(tested, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(tested)) {
		t.Errorf("case-%s is tested and not on the page", id)
	}
}
