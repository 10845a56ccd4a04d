package workloads

import (
	"bytes"
	"slices"
)

// What says what an event in a log is.
type What uint8

// The kinds of event. A Get says nothing about whether the store holds the key; Found and Missing
// are reads whose answer does.
const (
	Get What = iota
	Put
	Delete
	Found
	Missing
)

// An Event is one line of a log. Key is valid until the next event.
type Event struct {
	Key  []byte
	What What
	Line int // counted from 1
}

// A parser reads one line; an error says in a few words what is wrong with the line. The key may
// be part of the line or of memory of the parser. A line without a key has no key and no error.
type parser func(line []byte) (key []byte, what What, err error)

// A Format is a kind of log that can be replayed, one event a line.
type Format struct {
	Name, Doc string
	Example   string // a line in this format
	Header    string // a first line that may stand before the events
	parser    func() parser
}

// Formats returns the formats in the order in which they are tried.
func Formats() []Format {
	return []Format{accessFormat(), opsFormat(), keysFormat()}
}

// headLines is the number of lines a format is guessed from.
const headLines = 20

// guessFormat returns the first format that more than half of the lines at the start are in; a key
// per line fits any text. A table with columns of its own is refused, since its rows would pass for keys.
func guessFormat(path string, head [][]byte) (Format, error) {
	head = head[:min(len(head), headLines)]
	formats := Formats()
	for _, f := range formats[:len(formats)-1] {
		rows := head
		if f.isHeader(head) {
			if len(head) == 1 {
				return f, nil
			}
			rows = head[1:]
		}
		parse, fit := f.parser(), 0
		for _, line := range rows {
			if _, _, err := parse(line); err == nil {
				fit++
			}
		}
		if fit*2 > len(rows) {
			return f, nil
		}
	}
	if foreignTable(head) {
		return Format{}, badInput("%s is a table with the columns %.80s; want %s, or a key per line", path, head[0], opsHeader)
	}
	return formats[len(formats)-1], nil
}

// isHeader reports whether the first line is the header of the format.
func (f Format) isHeader(head [][]byte) bool {
	return f.Header != "" && len(head) > 0 && bytes.EqualFold(head[0], []byte(f.Header))
}

// foreignTable reports whether the lines look like CSV with a header: three or more names, one of
// them of a time, and the same number of commas in the line below.
func foreignTable(head [][]byte) bool {
	if len(head) < 2 {
		return false
	}
	names := bytes.Split(bytes.ToLower(head[0]), []byte(","))
	timed := slices.ContainsFunc(names, func(name []byte) bool {
		return slices.Contains([]string{"ts", "time", "timestamp", "op_time"}, string(bytes.TrimSpace(name)))
	})
	return timed && len(names) >= 3 && bytes.Count(head[1], []byte(",")) == len(names)-1
}
