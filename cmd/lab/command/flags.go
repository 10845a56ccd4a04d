package command

import (
	"fmt"
	"regexp"
	"strings"

	"filterlab/filters/spec"
	"filterlab/harness/units"
)

// counts is a flag of one or more whole numbers: 1000, 1e6, 10M, or a list of them.
type counts []uint64

// UnmarshalText reads the flag.
func (c *counts) UnmarshalText(text []byte) error {
	for _, piece := range strings.Split(string(text), ",") {
		n, err := spec.Count(piece)
		if err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("n = 0: a filter needs at least one key")
		}
		*c = append(*c, n)
	}
	return nil
}

// rates is a flag of one or more target FPRs: 0.01, 1%, 1-in-1000, or a list of them.
type rates []float64

// UnmarshalText reads the flag; the range is checked with the variant's parameters.
func (r *rates) UnmarshalText(text []byte) error {
	for _, piece := range strings.Split(string(text), ",") {
		p, err := units.ParseRate(piece)
		if err != nil {
			return err
		}
		*r = append(*r, p)
	}
	return nil
}

// size is a flag of a number of bytes: 512MiB, 2GB.
type size uint64

// UnmarshalText reads the flag.
func (s *size) UnmarshalText(text []byte) error {
	n, err := units.ParseBytes(string(text))
	*s = size(n)
	return err
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9._=+-]+`)

// folderName makes a folder's name of workload specs.
func folderName(names []string) string {
	for i, n := range names {
		if path, ok := strings.CutPrefix(n, "replay:"); ok {
			names[i] = "replay-" + path[strings.LastIndexByte(path, '/')+1:]
		}
	}
	name := strings.Trim(notInNames.ReplaceAllString(strings.Join(names, "+"), "-"), ".-")
	const longest = 100
	return name[:min(len(name), longest)]
}
