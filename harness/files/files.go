// Package files writes files that are there whole or not at all.
package files

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Replace writes path through write: into a temporary file beside it first, which takes the name
// when all is written and on disk. After any error path is what it was.
func Replace(path string, write func(io.Writer) error) (err error) {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			temp.Close() // may be closed already; err is what counts
			err = errors.Join(err, os.Remove(temp.Name()))
		}
	}()
	buffered := bufio.NewWriterSize(temp, 1<<16)
	if err := write(buffered); err != nil {
		return err
	}
	if err := errors.Join(buffered.Flush(), temp.Chmod(0o644), temp.Sync()); err != nil {
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}
