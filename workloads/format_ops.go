package workloads

import (
	"bytes"
	"errors"
	"fmt"
)

// opsHeader is the header of the ops format.
const opsHeader = "ts,op,key"

// opsFormat is CSV with a time, an operation and a key. The time is not read: events count in the
// order in which they stand, which is the order in which the log was written.
func opsFormat() Format {
	return Format{
		Name:    "ops",
		Doc:     "CSV of ts,op,key; op is put (set, add, write, create), get (read, lookup) or del (delete, remove, rm)",
		Example: "1700000000,put,user123",
		Header:  opsHeader,
		parser: func() parser {
			var scratch [3][]byte
			return func(line []byte) ([]byte, What, error) { return parseOp(line, &scratch) }
		},
	}
}

// opWords are the words for each operation, in lower case.
var opWords = [...]struct {
	what  What
	words []string
}{
	{Get, []string{"get", "read", "lookup"}},
	{Put, []string{"put", "set", "add", "write", "create"}},
	{Delete, []string{"del", "delete", "remove", "rm"}},
}

func parseOp(line []byte, scratch *[3][]byte) ([]byte, What, error) {
	fields, err := splitCSV(line, scratch)
	if err != nil {
		return nil, Get, err
	}
	what, ok := opOf(bytes.TrimSpace(fields[1]))
	if !ok {
		return nil, Get, fmt.Errorf("operation %.20q is none of put, get, del", fields[1])
	}
	if len(fields[2]) == 0 {
		return nil, Get, errors.New("the key is empty")
	}
	return fields[2], what, nil
}

func opOf(word []byte) (What, bool) {
	for _, op := range opWords {
		for _, known := range op.words {
			if bytes.EqualFold(word, []byte(known)) {
				return op.what, true
			}
		}
	}
	return Get, false
}

// splitCSV cuts a line into its three fields by the rules of RFC 4180, but for line breaks inside
// quotes, which a format of one event a line does not have. Unquoted fields are parts of the line,
// quoted ones are written to scratch.
func splitCSV(line []byte, scratch *[3][]byte) (fields [3][]byte, err error) {
	const shape = "want ts,op,key, with quotes around a key that holds a comma"
	for i := range fields {
		var last bool
		if len(line) > 0 && line[0] == '"' {
			fields[i], line, last, err = quotedField(line, scratch[i][:0])
			scratch[i] = fields[i]
		} else {
			var rest []byte
			var comma bool
			fields[i], rest, comma = bytes.Cut(line, []byte(","))
			line, last = rest, !comma
		}
		switch {
		case err != nil:
			return fields, err
		case last && i < 2:
			return fields, errors.New("too few fields; " + shape)
		case !last && i == 2:
			return fields, errors.New("too many fields; " + shape)
		}
	}
	return fields, nil
}

// quotedField reads a field that starts with a quote; two quotes inside it stand for one.
func quotedField(line, buf []byte) (field, rest []byte, last bool, err error) {
	line = line[1:]
	for {
		i := bytes.IndexByte(line, '"')
		if i < 0 {
			return buf, nil, false, errors.New("a quote that is not closed")
		}
		buf, line = append(buf, line[:i]...), line[i+1:]
		switch {
		case len(line) == 0:
			return buf, nil, true, nil
		case line[0] == ',':
			return buf, line[1:], false, nil
		case line[0] != '"':
			return buf, nil, false, errors.New("text after a closing quote")
		}
		buf, line = append(buf, '"'), line[1:]
	}
}
