package workloads

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"os"
)

// headSize is how much of a file, after decompression, is looked at to tell what it is, in bytes.
const headSize = 64 << 10

// maxLine is the longest line that is read, in bytes; what is longer is no log of lines.
const maxLine = 16 << 20

// A lineReader reads the lines of a file or of standard input, plain or gzip, one after the other.
type lineReader struct {
	path string
	file io.ReadCloser
	sum  hash.Hash // of the bytes as they lie on disk
	buf  *bufio.Reader
	long []byte // a line that did not fit into buf
	line int    // lines read so far
}

// openLines opens a file, or standard input for "-".
func openLines(path string) (*lineReader, error) {
	file, err := openFile(path)
	if err != nil {
		return nil, err
	}
	return newLines(path, file)
}

// newLines reads the lines of an open file, which is closed when that fails. Gzip is known by its
// first two bytes; members put one after the other are read to the last. A byte order mark at the
// start is skipped.
func newLines(path string, file io.ReadCloser) (*lineReader, error) {
	l := &lineReader{path: path, file: file, sum: sha256.New()}
	if err := l.start(); err != nil {
		file.Close()
		return nil, err
	}
	return l, nil
}

func openFile(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(os.Stdin), nil
	}
	if path == "" {
		return nil, badInput("no file is named; want a path, such as replay:access.log.gz")
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, badInput("cannot read the log: %w", err)
	}
	if info.IsDir() {
		return nil, badInput("%s is a directory; want a file of lines, plain or gzip", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, badInput("cannot read the log: %w", err)
	}
	return file, nil
}

// start sets up decompression and refuses what is empty or no text.
func (l *lineReader) start() error {
	l.buf = bufio.NewReaderSize(io.TeeReader(l.file, l.sum), headSize)
	if magic, _ := l.buf.Peek(2); string(magic) == "\x1f\x8b" {
		text, err := gzip.NewReader(l.buf)
		if err != nil {
			return l.broken(err)
		}
		l.buf = bufio.NewReaderSize(text, headSize)
	}
	head, err := l.buf.Peek(headSize)
	if len(head) == 0 && err != io.EOF {
		return l.broken(err)
	}
	if len(head) == 0 {
		return badInput("%s is empty; want a log, one event a line", l.path)
	}
	if binaryText(head) {
		return badInput("%s is a binary file; want a log of lines, plain or gzip", l.path)
	}
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		_, err = l.buf.Discard(3)
		return err
	}
	return nil
}

// binaryText reports whether the head of a file is no text: it holds a NUL byte, or more than one
// control character in twenty bytes.
func binaryText(head []byte) bool {
	control := 0
	for _, b := range head {
		if b == 0 {
			return true
		}
		if b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' && b != '\x1b' {
			control++
		}
	}
	return control*20 > len(head)
}

// head returns the lines at the start that the file is judged by, without consuming them; a line
// that is cut off by the end of the head is there only when it is the first.
func (l *lineReader) head() [][]byte {
	head, err := l.buf.Peek(headSize)
	if last := bytes.LastIndexByte(head, '\n'); err == nil && last >= 0 {
		head = head[:last]
	}
	var lines [][]byte
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		if line = bytes.TrimSuffix(line, []byte("\r")); len(line) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

// errNUL says that a line holds a NUL byte, which no text does.
var errNUL = errors.New("a NUL byte in the line")

// next returns the next line that is not empty, without its end (LF or CRLF), or io.EOF after the
// last; or the line with errNUL. The line is valid until the next call.
func (l *lineReader) next() ([]byte, error) {
	for {
		line, err := l.physical()
		if err != nil {
			return nil, err
		}
		if bytes.IndexByte(line, 0) >= 0 {
			return line, errNUL
		}
		if line = bytes.TrimSuffix(line, []byte("\r")); len(line) > 0 {
			return line, nil
		}
	}
}

// physical returns the next line, however long up to maxLine.
func (l *lineReader) physical() ([]byte, error) {
	line, err := l.buf.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = append(l.long[:0], line...)
		for err == bufio.ErrBufferFull && len(l.long) <= maxLine {
			line, err = l.buf.ReadSlice('\n')
			l.long = append(l.long, line...)
		}
		line = l.long
	}
	switch {
	case len(line) > maxLine:
		return nil, badInput("%s:%d: a line of more than %d MiB; want a log, one event a line", l.path, l.line+1, maxLine>>20)
	case err == io.EOF && len(line) == 0:
		return nil, io.EOF
	case err != nil && err != io.EOF:
		return nil, l.broken(err)
	}
	l.line++
	return bytes.TrimSuffix(line, []byte("\n")), nil
}

// broken is the error for a file that cannot be read to its end.
func (l *lineReader) broken(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return badInput("%s is cut off: its gzip data ends early, after line %d: %w", l.path, l.line, err)
	}
	return badInput("cannot read %s after line %d: %w", l.path, l.line, err)
}

// digest returns the SHA-256 of the file in hexadecimal, once it has been read to the end.
func (l *lineReader) digest() string { return hex.EncodeToString(l.sum.Sum(nil)) }

func (l *lineReader) close() error { return l.file.Close() }
