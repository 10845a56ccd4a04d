package workloads

import (
	"fmt"
	"io"
	"iter"
)

// maxShown is the number of malformed lines that are kept to be shown.
const maxShown = 5

// A Reader streams the events of one log.
type Reader struct {
	Format         Format
	Malformed      uint64   // lines so far that are not in the format
	FirstMalformed []string // the first of them, at most five, as "FILE:LINE: what is wrong"
	Keyless        uint64   // lines so far that name no key, such as a request that timed out

	lines *lineReader
	parse parser
	first bool
}

// Open opens a log, plain or gzip, or standard input for "-", and guesses its format from its
// first lines. Errors are ErrInput.
func Open(path string) (*Reader, error) {
	lines, err := openLines(path)
	if err != nil {
		return nil, err
	}
	return newReader(lines)
}

// newReader guesses the format of the lines, which are closed when that fails.
func newReader(lines *lineReader) (*Reader, error) {
	format, err := guessFormat(lines.path, lines.head())
	if err != nil {
		lines.close()
		return nil, err
	}
	return &Reader{Format: format, lines: lines, parse: format.parser(), first: true}, nil
}

// Close closes the log.
func (r *Reader) Close() error { return r.lines.close() }

// SHA256 returns the digest of the file as it lies on disk, in hexadecimal, after Next said io.EOF.
func (r *Reader) SHA256() string { return r.lines.digest() }

// Next returns the next event, or io.EOF after the last. Malformed lines and lines without a key
// are counted and left out. Other errors are ErrInput: a file cut off is one, and never an end.
func (r *Reader) Next() (Event, error) {
	for {
		line, err := r.lines.next()
		if err == errNUL {
			r.malformed(err)
			continue
		}
		if err != nil {
			return Event{}, err
		}
		header := r.first && r.Format.isHeader([][]byte{line})
		r.first = false
		if header {
			continue
		}
		key, what, err := r.parse(line)
		switch {
		case err != nil:
			r.malformed(err)
		case len(key) == 0:
			r.Keyless++
		default:
			return Event{Key: key, What: what, Line: r.lines.line}, nil
		}
	}
}

func (r *Reader) malformed(err error) {
	r.Malformed++
	if len(r.FirstMalformed) < maxShown {
		r.FirstMalformed = append(r.FirstMalformed, fmt.Sprintf("%s:%d: %v", r.lines.path, r.lines.line, err))
	}
}

// ReadKeys streams a file with a key per line, plain or gzip, or standard input for "-", whatever
// else the lines look like. A key is valid until the next; empty lines are left out. It ends after
// an error (ErrInput), which a file without a key and a NUL byte in a key are as well.
func ReadKeys(path string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		lines, err := openLines(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer lines.close()
		for count := 0; ; count++ {
			line, err := lines.next()
			if err == io.EOF && count > 0 {
				return
			}
			switch err {
			case io.EOF:
				err = badInput("%s holds no keys; want one a line", path)
			case errNUL:
				err = badInput("%s:%d: %w; want a key a line", path, lines.line, err)
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}
