package workloads

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestParseAccess(t *testing.T) {
	const head, tail = `h - - [01/Jan/2025:10:00:00 +0000] `, ` 12 "-" "-"`
	for _, c := range []struct {
		line, key string
		what      What
		bad       string
	}{
		{head + `"GET /a?b=1 HTTP/1.1" 200` + tail, "/a", Found, ""},
		{head + `"GET /a HTTP/1.1" 206` + tail, "/a", Found, ""},
		{head + `"GET /a HTTP/1.1" 304` + tail, "/a", Found, ""},
		{head + `"GET /a HTTP/1.1" 404` + tail, "/a", Missing, ""},
		{head + `"GET /a HTTP/1.1" 410` + tail, "/a", Missing, ""},
		{head + `"GET /a HTTP/1.1" 301` + tail, "/a", Get, ""},
		{head + `"GET /a HTTP/1.1" 500` + tail, "/a", Get, ""},
		{head + `"GET /a b HTTP/1.1" 200` + tail, "/a b", Found, ""},
		{head + `"GET /a\"b\\" 400` + tail, "", Get, ""},
		{head + `"GET /a\"b HTTP/1.1" 200` + tail, `/a\"b`, Found, ""},
		{head + `"GET ?x HTTP/1.1" 200` + tail, "", Found, ""},
		{head + `"-" 408` + tail, "", Get, ""},
		{head + `"GET /a HTTP/1.1" 200`, "", Get, "with the size after it"},
		{head + `"GET /a HTTP/1.1" 20` + tail, "", Get, "is not a number from 100 to 599"},
		{head + `"GET /a HTTP/1.1" 999` + tail, "", Get, "is not a number from 100 to 599"},
		{head + `"GET /a HTTP/1.1" 2x0` + tail, "", Get, "is not a number from 100 to 599"},
		{head + `"GET /a HTTP/1.1`, "", Get, "no closing quote"},
		{`h - - "GET /a HTTP/1.1" 200` + tail, "", Get, "want host ident user [time]"},
		{"user1", "", Get, "want host ident user [time]"},
	} {
		checkParsed(t, parseAccess, c.line, c.key, c.what, c.bad)
	}
}

func TestParseOp(t *testing.T) {
	parse := opsFormat().parser()
	for _, c := range []struct {
		line, key string
		what      What
		bad       string
	}{
		{"1,put,a", "a", Put, ""},
		{`"1","GET","a,b"`, "a,b", Get, ""},
		{`1, del ,"a ""b"""`, `a "b"`, Delete, ""},
		{`,rm,a"b`, `a"b`, Delete, ""},
		{"1,put, a ", " a ", Put, ""},
		{"1,put,", "", Get, "the key is empty"},
		{`1,put,""`, "", Get, "the key is empty"},
		{"1,put", "", Get, "too few fields"},
		{"1,put,a,b", "", Get, "too many fields"},
		{`1,put,"a",b`, "", Get, "too many fields"},
		{`1,put,"a`, "", Get, "not closed"},
		{`1,put,"a"b`, "", Get, "text after a closing quote"},
		{"1,scan,a", "", Get, `operation "scan" is none of put, get, del`},
	} {
		checkParsed(t, parse, c.line, c.key, c.what, c.bad)
	}
	for what, words := range map[What]string{Put: "put set add write create", Get: "get read lookup", Delete: "del delete remove rm"} {
		for word := range strings.FieldsSeq(words) {
			checkParsed(t, parse, "1,"+word+",k", "k", what, "")
			checkParsed(t, parse, "1,"+strings.ToUpper(word)+",k", "k", what, "")
		}
	}
}

func checkParsed(t *testing.T, parse parser, line, key string, what What, bad string) {
	t.Helper()
	got, w, err := parse([]byte(line))
	if bad != "" {
		if err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: error %v, want %q", line, err, bad)
		}
		return
	}
	if err != nil || string(got) != key || w != what {
		t.Errorf("%s: key %q, what %d, error %v; want %q, %d", line, got, w, err, key, what)
	}
}

// TestExamples holds the line that each format shows against its own guesser and parser.
func TestExamples(t *testing.T) {
	for _, f := range Formats() {
		key, _, err := f.parser()([]byte(f.Example))
		guess, err2 := guessFormat("x", [][]byte{[]byte(f.Example)})
		if err != nil || err2 != nil || len(key) == 0 || guess.Name != f.Name || f.Doc == "" {
			t.Errorf("format %s: example has key %q, %v, and is guessed to be %s, %v", f.Name, key, err, guess.Name, err2)
		}
	}
}

func TestGuess(t *testing.T) {
	line := accessFormat().Example
	for _, c := range []struct{ head, want, bad string }{
		{"user1\nuser2", "keys", ""},
		{"a,b\nc,d", "keys", ""},
		{"ts,op,key\n1,put,a", "ops", ""},
		{"TS,Op,Key", "ops", ""},
		{"1,put,a\n2,get,b", "ops", ""},
		{"rubbish\n1,put,a\n2,get,b", "ops", ""},
		{"1,put,a\nuser1", "keys", ""},
		{line + "\n" + line, "access", ""},
		{"# comment\n" + line + "\n" + line, "access", ""},
		{line + "\nuser1\nuser2", "keys", ""},
		{"op_time,key,op\n1,a,GET", "", "is a table with the columns op_time,key,op; want ts,op,key"},
		{"time,a\n1,b", "keys", ""},
	} {
		f, err := guessFormat("x", bytes.Split([]byte(c.head), []byte("\n")))
		if c.bad != "" {
			checkInputError(t, c.head, err, c.bad)
		} else if err != nil || f.Name != c.want {
			t.Errorf("%q is guessed to be %s, %v; want %s", c.head, f.Name, err, c.want)
		}
	}
}

// FuzzParseAccess checks that a key is part of the line, and that an error comes without a key.
func FuzzParseAccess(f *testing.F) {
	for line := range strings.SplitSeq(string(readFile(f, testdata+"access.log")), "\n") {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		key, what, err := parseAccess(line)
		if (err != nil && key != nil) || !bytes.Contains(line, key) || bytes.Contains(key, []byte("?")) || what > Missing {
			t.Errorf("%q: key %q, what %d, error %v", line, key, what, err)
		}
	})
}

// FuzzParseOp holds the splitter against encoding/csv, which knows the same quotes.
func FuzzParseOp(f *testing.F) {
	for line := range strings.SplitSeq(string(readFile(f, testdata+"ops.csv")), "\n") {
		f.Add(line)
	}
	f.Add(`1,put,"a`)
	f.Fuzz(func(t *testing.T, line string) {
		key, what, err := opsFormat().parser()([]byte(line))
		if what > Delete || (err != nil && key != nil) || (err == nil && len(key) == 0) {
			t.Errorf("%q: key %q, what %d, error %v", line, key, what, err)
		}
		if strings.ContainsAny(line, "\r\n") {
			return // more than one line to encoding/csv
		}
		r := csv.NewReader(strings.NewReader(line))
		r.FieldsPerRecord = -1
		want, bad := r.Read()
		if bad == nil && err == nil && (len(want) != 3 || want[2] != string(key)) {
			t.Errorf("%q: key %q, encoding/csv has %q", line, key, want)
		}
		if bad == nil && len(want) == 3 && err != nil && want[2] != "" {
			if _, known := opOf([]byte(strings.TrimSpace(want[1]))); known {
				t.Errorf("%q: refused (%v), encoding/csv has %q", line, err, want)
			}
		}
	})
}

// FuzzReader reads anything as a log and as a list of keys: no panic, and every line that is not
// empty is counted once.
func FuzzReader(f *testing.F) {
	for _, name := range []string{"access.log", "ops.csv", "keys.txt"} {
		content := readFile(f, testdata+name)
		f.Add(content)
		f.Add(zipped(f, content))
	}
	f.Add([]byte("\xef\xbb\xbfts,op,key\r\n1,put,a\r\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		lines, err := newLines("any", io.NopCloser(bytes.NewReader(content)))
		if err != nil {
			if !isInput(err) {
				t.Errorf("error %v is not ErrInput", err)
			}
			return
		}
		r, err := newReader(lines)
		if err != nil {
			if !isInput(err) {
				t.Errorf("error %v is not ErrInput", err)
			}
			return
		}
		defer r.Close()
		events := uint64(0)
		for {
			event, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				return
			}
			if events++; len(event.Key) == 0 || event.Line < 1 {
				t.Errorf("event %+v", event)
			}
		}
		if uint64(len(r.FirstMalformed)) != min(r.Malformed, maxShown) {
			t.Errorf("%d malformed, %d shown", r.Malformed, len(r.FirstMalformed))
		}
		if bytes.HasPrefix(content, []byte("\x1f\x8b")) {
			return
		}
		if got, want := events+r.Malformed+r.Keyless, countLines(content, r.Format); got != want {
			t.Errorf("%d lines are counted as %d", want, got)
		}
	})
}

// countLines counts the lines that are not empty, but for the header.
func countLines(content []byte, f Format) uint64 {
	count, first := uint64(0), true
	for line := range bytes.SplitSeq(bytes.TrimPrefix(content, []byte("\xef\xbb\xbf")), []byte("\n")) {
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) > 0 && !(first && f.isHeader([][]byte{line})) {
			count++
		}
		first = first && len(line) == 0
	}
	return count
}

// FuzzGuess never fails but with ErrInput, and names a format that is in the table.
func FuzzGuess(f *testing.F) {
	f.Add([]byte("ts,op,key\n1,put,a"))
	f.Add([]byte("op_time,key,op\n1,a,GET"))
	f.Fuzz(func(t *testing.T, head []byte) {
		format, err := guessFormat("x", bytes.Split(head, []byte("\n")))
		if (err != nil) != (format.Name == "") || (err != nil && !isInput(err)) {
			t.Errorf("%q: format %q, error %v", head, format.Name, err)
		}
	})
}

func TestMalformedAreShown(t *testing.T) {
	var log strings.Builder
	for i := range 1000 {
		if i%100 == 7 {
			log.WriteString("what is this\n")
		}
		fmt.Fprintf(&log, "%d,put,user%d\n", i, i)
	}
	path := write(t, "bad.csv", []byte(log.String()))
	_, err := Parse(t.Context(), "replay:"+path, 0, ReplayOptions{Warmup: 0.2, MaxBad: 0.009})
	checkInputError(t, "10 bad lines", err, "bad.csv: 10 of 1010 lines (0.99 %) are not in the format ops, and at most 0.9 % may be (--max-bad allows more); the first: "+path+":8: too few fields")
	checkInputError(t, "10 bad lines", err, path+":412: too few fields")
	w := mustReplay(t, "replay:"+path, 0, ReplayOptions{Warmup: 0.2, MaxBad: 0.0100})
	if w.Log.Malformed != 10 || len(w.Log.FirstMalformed) != 5 || !strings.HasPrefix(w.Log.FirstMalformed[1], path+":109: ") {
		t.Errorf("malformed are %d, shown %q", w.Log.Malformed, w.Log.FirstMalformed)
	}
}
