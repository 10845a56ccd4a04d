package reports

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"filterlab/harness"
)

// small are results with a single picture, the quickest to write.
func small() []harness.Result {
	return []harness.Result{{Variant: "bloom", Workload: "random-ids", N: 1000, P: 0.01, BitsPerKey: pointer(9.6)}}
}

// names lists a folder, hidden files included.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestWriteFolder(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "not", "there")
	dir := filepath.Join(parent, "random-ids")
	if err := CheckFolder(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(parent); err == nil {
		t.Error("checking the folder made its parent")
	}
	if err := WriteFolder(dir, twoTrials()); err != nil {
		t.Fatal(err)
	}
	want := []string{"bench.txt", "bits-vs-fpr.csv", "bits-vs-fpr.png", "fpr.csv", "fpr.png", "latency-mix.csv", "latency-mix.png",
		"memory.csv", "memory.png", "results.jsonl", "summary.md"}
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
	f, err := os.Open(filepath.Join(dir, "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := ReadResults(f); err != nil || len(got) != 2 {
		t.Errorf("%d results (%v) can be read back, want 2", len(got), err)
	}
}

// TestReplaceFolder replaces a folder as a whole: nothing of the old one is left, nor anything beside it.
func TestReplaceFolder(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	if err := WriteFolder(dir, small()); err != nil {
		t.Fatal(err)
	}
	stale := filepath.Join(dir, "stale.png")
	if err := os.WriteFile(stale, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := WriteFolder(dir, small()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stale); err == nil {
		t.Error("a file of the old folder is left")
	}
	if got := names(t, parent); !slices.Equal(got, []string{"out"}) {
		t.Errorf("beside the folder lie %q", got)
	}
}

// TestFailureKeepsTheOldFolder fails in the middle of writing, as on a full disk.
func TestFailureKeepsTheOldFolder(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	if err := WriteFolder(dir, small()); err != nil {
		t.Fatal(err)
	}
	before := names(t, dir)
	err := install(dir, func(temp string) error {
		if err := os.WriteFile(filepath.Join(temp, "results.jsonl"), []byte("half"), 0o644); err != nil {
			return err
		}
		return fmt.Errorf("fpr.png: %w", syscall.ENOSPC)
	})
	if !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "left as it was") {
		t.Errorf("error %q, want one line about the full disk", err)
	}
	if got := names(t, dir); !slices.Equal(got, before) {
		t.Errorf("the old folder holds %q, want %q", got, before)
	}
	if got := names(t, parent); !slices.Equal(got, []string{"out"}) {
		t.Errorf("beside the folder lie %q", got)
	}
}

func TestForeignFolderIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := WriteFolder(dir, small()); err != nil {
		t.Fatalf("an empty folder is refused: %v", err)
	}
	foreign := t.TempDir()
	thesis := filepath.Join(foreign, "thesis.txt")
	if err := os.WriteFile(thesis, []byte("years"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, write := range []func(string) error{CheckFolder, func(d string) error { return WriteFolder(d, small()) }} {
		err := write(foreign)
		if err == nil || !strings.Contains(err.Error(), "holds no results.jsonl") {
			t.Errorf("error %v, want that the folder is not ours", err)
		}
		if err := write(thesis); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one line that this is no folder", err)
		}
		if err := write(filepath.Join(thesis, "below")); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one line that this lies below a file", err)
		}
	}
	if got, err := os.ReadFile(thesis); err != nil || string(got) != "years" {
		t.Errorf("the foreign file holds %q (%v)", got, err)
	}
}

// TestLinkedFolder writes through a symbolic link and keeps the link.
func TestLinkedFolder(t *testing.T) {
	parent := t.TempDir()
	real, link := filepath.Join(parent, "real"), filepath.Join(parent, "link")
	if err := os.Mkdir(real, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	if err := WriteFolder(link, small()); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone (%v)", err)
	}
	if _, err := os.Stat(filepath.Join(real, "summary.md")); err != nil {
		t.Error(err)
	}
}

func TestEmptyResults(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	if err := WriteFolder(dir, nil); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, dir), []string{"bench.txt", "results.jsonl", "summary.md"}; !slices.Equal(got, want) {
		t.Errorf("no results write %q, want %q", got, want)
	}
	if got := Table(nil); got != "no results\n" {
		t.Errorf("the table of nothing is %q", got)
	}
}
