package reports

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"filterlab/harness"
)

// longestLine bounds a line of results.jsonl, in bytes.
const longestLine = 16 << 20

// WriteResults writes one JSON line a result.
func WriteResults(w io.Writer, results []harness.Result) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i, r := range results {
		if err := enc.Encode(r); err != nil {
			return fmt.Errorf("result %d: %w", i+1, err)
		}
	}
	return nil
}

// ReadResults reads what WriteResults wrote. Empty lines are skipped; an error names the line.
func ReadResults(r io.Reader) ([]harness.Result, error) {
	var out []harness.Result
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	number := 0
	for lines.Scan() {
		number++
		if len(trimmed(lines.Bytes())) == 0 {
			continue
		}
		var row harness.Result
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if row.Variant == "" || row.Workload == "" {
			return nil, fmt.Errorf("line %d: no variant or no workload: not a result", number)
		}
		out = append(out, row)
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d: longer than %d MB: not a result", number+1, longestLine>>20)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("after line %d: %w", number, err)
	}
	return out, nil
}

func trimmed(line []byte) []byte {
	for len(line) > 0 && (line[0] == ' ' || line[0] == '\t' || line[0] == '\r') {
		line = line[1:]
	}
	return line
}
