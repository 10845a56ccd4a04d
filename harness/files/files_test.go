package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	write := func(text string, fail error) error {
		return Replace(path, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return errors.Join(err, fail)
		})
	}
	if err := write("one", nil); err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk full")
	if err := write("half of tw", full); !errors.Is(err, full) {
		t.Errorf("error %v, want %v", err, full)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "one" {
		t.Errorf("after a failed write the file holds %q (%v), want what it was", got, err)
	}
	if err := write("two", nil); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "two" {
		t.Errorf("the file holds %q (%v), want %q", got, err, "two")
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("%d files left, want only the one written (%v)", len(entries), err)
	}
}

func TestReplaceNeedsAFolder(t *testing.T) {
	err := Replace(filepath.Join(t.TempDir(), "no", "f"), func(io.Writer) error { return nil })
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want that the folder is missing", err)
	}
}

func TestReplaceKeepsAFolder(t *testing.T) {
	dir := t.TempDir()
	err := Replace(dir, func(io.Writer) error { return nil })
	if err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one line that a folder is not replaced", err)
	}
	if beside, err := filepath.Glob(filepath.Join(filepath.Dir(dir), ".*")); err != nil || len(beside) != 0 {
		t.Errorf("left beside the folder: %v (%v)", beside, err)
	}
}
