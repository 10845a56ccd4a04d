package workloads

import (
	"bytes"
	"errors"
	"fmt"
)

// accessFormat is the access log of a web server. The key is the path without the query. Lines
// stand in the order in which answers ended, so their times may go back; the order of the file counts.
func accessFormat() Format {
	return Format{
		Name:    "access",
		Doc:     "combined or common access log; key: the path without query; 404 and 410 prove absence; 200, 206 and 304 presence",
		Example: `192.0.2.7 - - [01/Jan/2025:10:00:00 +0000] "GET /items/7?ref=mail HTTP/1.1" 404 162 "-" "-"`,
		parser:  func() parser { return parseAccess },
	}
}

// parseAccess reads `host ident user [time] "METHOD target PROTOCOL" status size ...`. A request
// that has no target, such as "-" after a time-out, is a line without a key.
func parseAccess(line []byte) ([]byte, What, error) {
	before, rest, ok := bytes.Cut(line, []byte(`"`))
	if !ok || bytes.IndexByte(before, '[') < 0 || bytes.IndexByte(before, ']') < 0 {
		return nil, Get, errors.New(`want host ident user [time] "request" status size`)
	}
	end := closingQuote(rest)
	if end < 0 {
		return nil, Get, errors.New("the request has no closing quote")
	}
	status, err := parseStatus(rest[end+1:])
	if err != nil {
		return nil, Get, err
	}
	return requestPath(rest[:end]), proofOf(status), nil
}

// closingQuote returns where the text ends: at the first quote without a backslash before it.
func closingQuote(text []byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// requestPath returns the target of a request line without its query, or nothing when the line is
// not a method, a target and a protocol.
func requestPath(request []byte) []byte {
	first, last := bytes.IndexByte(request, ' '), bytes.LastIndexByte(request, ' ')
	if first <= 0 || last <= first+1 || !bytes.HasPrefix(request[last+1:], []byte("HTTP/")) {
		return nil
	}
	path, _, _ := bytes.Cut(request[first+1:last], []byte("?"))
	return path
}

// parseStatus reads the status from the text after the request: a space, three digits, a space.
func parseStatus(text []byte) (int, error) {
	word, _, ok := bytes.Cut(bytes.TrimPrefix(text, []byte(" ")), []byte(" "))
	status := 0
	for _, b := range word {
		if b < '0' || b > '9' || len(word) != 3 {
			status = 0
			break
		}
		status = status*10 + int(b-'0')
	}
	if !ok || status < 100 || status > 599 {
		return 0, fmt.Errorf("status %.20q is not a number from 100 to 599 with the size after it", word)
	}
	return status, nil
}

// proofOf says what a status proves about the key asked for.
func proofOf(status int) What {
	switch status {
	case 200, 206, 304:
		return Found
	case 404, 410:
		return Missing
	}
	return Get
}
