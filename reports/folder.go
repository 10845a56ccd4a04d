package reports

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"filterlab/harness"
	"filterlab/harness/files"
)

// recordName is the file that makes a folder one of ours.
const recordName = "results.jsonl"

// WriteFolder writes results.jsonl, summary.md, bench.txt and the pictures with their CSV into a new
// folder beside dir, and then puts it in the place of dir as a whole. An error leaves dir as it was.
func WriteFolder(dir string, results []harness.Result) error {
	return install(dir, func(temp string) error { return writeFiles(temp, results) })
}

// install fills a new folder beside dir and puts it in the place of dir.
func install(dir string, fill func(temp string) error) (err error) {
	dir, err = target(dir)
	if err != nil {
		return err
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return fmt.Errorf("output folder %s: %w", dir, err)
	}
	temp, err := os.MkdirTemp(parent, "."+filepath.Base(dir)+".new-")
	if err != nil {
		return fmt.Errorf("output folder %s: %w", dir, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temp))
		}
	}()
	if err := os.Chmod(temp, 0o755); err != nil {
		return fmt.Errorf("output folder %s: %w", dir, err)
	}
	if err := fill(temp); err != nil {
		return fmt.Errorf("output folder %s is left as it was: %w", dir, err)
	}
	return replace(dir, temp)
}

// CheckFolder reports why dir could not be written by WriteFolder, before any work is done: it is no
// folder, it holds something that is not ours, or nothing can be created where it would lie.
func CheckFolder(dir string) error {
	dir, err := target(dir)
	if err != nil {
		return err
	}
	at := filepath.Dir(dir)
	for {
		if _, err := os.Stat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		at = filepath.Dir(at)
	}
	probe, err := os.MkdirTemp(at, ".lab-probe-")
	if err != nil {
		return fmt.Errorf("output folder %s: cannot write to %s: %w", dir, at, errors.Unwrap(err))
	}
	return os.Remove(probe)
}

// target returns the folder's true place, and an error if something stands there that must not be
// replaced.
func target(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("output folder %s: %w", dir, err)
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return dir, nil
	case err != nil:
		return "", fmt.Errorf("output folder %s: %w", dir, errors.Unwrap(err))
	case len(entries) == 0:
		return dir, nil
	}
	if _, err := os.Stat(filepath.Join(dir, recordName)); err != nil {
		return "", fmt.Errorf("output folder %s: it is not empty and holds no %s, so it is not replaced; choose another with --out", dir, recordName)
	}
	return dir, nil
}

// replace puts the folder temp in the place of dir; on an error the old one is back in its place.
func replace(dir, temp string) error {
	old := temp + ".old"
	err := os.Rename(dir, old)
	switch {
	case errors.Is(err, os.ErrNotExist):
		old = ""
	case err != nil:
		return fmt.Errorf("output folder %s: %w", dir, err)
	}
	if err := os.Rename(temp, dir); err != nil {
		if old != "" {
			err = errors.Join(err, os.Rename(old, dir))
		}
		return fmt.Errorf("output folder %s: %w", dir, err)
	}
	if old == "" {
		return nil
	}
	if err := os.RemoveAll(old); err != nil {
		return fmt.Errorf("the new output is in %s, but the old one could not be removed: %w", dir, err)
	}
	return nil
}

// writeFiles writes every file of an output folder.
func writeFiles(dir string, results []harness.Result) error {
	pictures := Pictures(results)
	put := func(name string, write func(io.Writer) error) error {
		if err := files.Replace(filepath.Join(dir, name), write); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	summary := func(w io.Writer) error {
		_, err := io.WriteString(w, summaryOf(results, pictures))
		return err
	}
	if err := put(recordName, func(w io.Writer) error { return WriteResults(w, results) }); err != nil {
		return err
	}
	if err := put("bench.txt", func(w io.Writer) error { return WriteBench(w, results) }); err != nil {
		return err
	}
	if err := put("summary.md", summary); err != nil {
		return err
	}
	for _, d := range pictures {
		if err := put(d.Name+".png", d.WritePNG); err != nil {
			return err
		}
		if err := put(d.Name+".csv", d.WriteCSV); err != nil {
			return err
		}
	}
	return nil
}
