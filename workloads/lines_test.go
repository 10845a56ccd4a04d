package workloads

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const testdata = "../testdata/workloads/"

// write puts content into a new file and returns its path.
func write(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func zipped(t testing.TB, content []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// keyList reads the keys of a file.
func keyList(path string) (keys []string, err error) {
	for key, err := range ReadKeys(path) {
		if err != nil {
			return keys, err
		}
		keys = append(keys, string(key))
	}
	return keys, nil
}

// TestSameLinesHoweverPacked reads one list plain, zipped, zipped in several members, with CRLF,
// with a byte order mark and without the last line's end.
func TestSameLinesHoweverPacked(t *testing.T) {
	plain := readFile(t, testdata+"keys.txt")
	want := strings.Fields(string(plain))
	crlf := bytes.ReplaceAll(plain, []byte("\n"), []byte("\r\n"))
	members := slices.Concat(zipped(t, plain[:20]), zipped(t, nil), zipped(t, plain[20:]))
	for name, content := range map[string][]byte{
		"plain":          plain,
		"gzip":           zipped(t, plain),
		"gzip members":   members,
		"CRLF":           crlf,
		"CRLF gzip":      zipped(t, crlf),
		"mark":           append([]byte("\xef\xbb\xbf"), plain...),
		"mark gzip":      zipped(t, append([]byte("\xef\xbb\xbf"), plain...)),
		"no end of line": bytes.TrimRight(plain, "\n"),
		"blank lines":    append([]byte("\n\r\n\n"), plain...),
	} {
		got, err := keyList(write(t, "keys", content))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: keys are %q, %v, want %q", name, got, err, want)
		}
	}
}

// TestLongLines reads lines about as long as the buffer, and much longer.
func TestLongLines(t *testing.T) {
	var want []string
	for _, length := range []int{1, headSize - 1, headSize, headSize + 1, 3*headSize + 7, 5, 1 << 20, 2} {
		want = append(want, strings.Repeat("x", length))
	}
	for name, content := range map[string]string{"LF": strings.Join(want, "\n"), "CRLF": strings.Join(want, "\r\n") + "\r\n"} {
		got, err := keyList(write(t, "keys", []byte(content)))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %d long lines are read as %d, %v", name, len(want), len(got), err)
		}
	}
	_, err := keyList(write(t, "keys", bytes.Repeat([]byte("x"), maxLine+2)))
	checkInputError(t, "endless line", err, "keys:1: a line of more than 16 MiB")
}

func TestUnreadable(t *testing.T) {
	var lines bytes.Buffer
	for i := range 9_000 {
		fmt.Fprintf(&lines, "user%d\n", i*i)
	}
	packed := zipped(t, lines.Bytes())
	flipped := bytes.Clone(packed)
	flipped[len(flipped)-6] ^= 1 // in the checksum
	for _, c := range []struct{ name, path, want string }{
		{"missing", filepath.Join(t.TempDir(), "no.log"), "no such file"},
		{"directory", t.TempDir(), "is a directory; want a file of lines"},
		{"empty", write(t, "empty.log", nil), "empty.log is empty"},
		{"empty gzip", write(t, "empty.gz", zipped(t, nil)), "empty.gz is empty"},
		{"cut in the middle", write(t, "half.gz", packed[:len(packed)/2]), "half.gz is cut off: its gzip data ends early, after line "},
		{"cut near the end", write(t, "end.gz", packed[:len(packed)-3]), "end.gz is cut off"},
		{"cut in the header", write(t, "head.gz", packed[:5]), "head.gz is cut off"},
		{"second member cut", write(t, "two.gz", append(bytes.Clone(packed), packed[:100]...)), "two.gz is cut off"},
		{"wrong checksum", write(t, "sum.gz", flipped), "cannot read "},
		{"rubbish after gzip", write(t, "rubbish.gz", append(bytes.Clone(packed), "rubbish rubbish"...)), "invalid header"},
		{"NUL", write(t, "nul", []byte("user1\nus\x00er2\n")), "nul is a binary file"},
		{"control", write(t, "control", []byte("\x01\x02ab\x03\x04\n")), "control is a binary file"},
		{"zipped binary", write(t, "bin.gz", zipped(t, []byte("a\x00b"))), "bin.gz is a binary file"},
		{"blank", write(t, "blank", []byte("\n\n\r\n")), "blank holds no"},
	} {
		_, err := keyList(c.path)
		checkInputError(t, c.name+" as keys", err, c.want)
		_, err = Parse(t.Context(), "replay:"+c.path, 0, ReplayOptions{Warmup: 0.2, MaxBad: 1})
		checkInputError(t, c.name+" as replay", err, c.want)
		_, err = Parse(t.Context(), "replay:"+testdata+"keys.txt", 0, ReplayOptions{Stored: c.path, Warmup: 0.2})
		checkInputError(t, c.name+" as stored keys", err, c.want)
	}
}

// TestNULDeepInside meets a NUL byte after the part of the file that is looked at first.
func TestNULDeepInside(t *testing.T) {
	content := append(bytes.Repeat([]byte("user\n"), headSize), "a\x00b\n"...)
	path := write(t, "deep", content)
	_, err := keyList(path)
	checkInputError(t, "keys", err, fmt.Sprintf("deep:%d: a NUL byte in the line", headSize+1))
	w := mustParse(t, "replay:"+path, 0)
	if want := fmt.Sprintf("%s:%d: a NUL byte in the line", path, headSize+1); w.Log.Malformed != 1 || w.Log.FirstMalformed[0] != want {
		t.Errorf("malformed are %d, %q, want one, %q", w.Log.Malformed, w.Log.FirstMalformed, want)
	}
}

// TestStandardInput reads keys and a log from standard input, named "-".
func TestStandardInput(t *testing.T) {
	before := os.Stdin
	defer func() { os.Stdin = before }()
	read, send, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	os.Stdin = read
	go func() {
		defer send.Close()
		_, _ = io.WriteString(send, "a\nb\n")
	}()
	if keys, err := keyList("-"); err != nil || !slices.Equal(keys, []string{"a", "b"}) {
		t.Errorf("keys are %q, %v", keys, err)
	}
}

func TestReadKeysStops(t *testing.T) {
	count := 0
	for range ReadKeys(testdata + "keys.txt") {
		if count++; count == 2 {
			break
		}
	}
	if count != 2 {
		t.Errorf("stopped after %d keys", count)
	}
}
