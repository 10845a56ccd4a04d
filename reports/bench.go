package reports

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"filterlab/harness"
)

// WriteBench writes the results in the Go benchmark format, https://golang.org/design/14313-benchmark-format:
// one line a trial for each kind of operation, and one for what the filter is. Commit, date, seed and
// command are comments: as configuration they would split old and new results into tables that are
// never compared.
func WriteBench(w io.Writer, results []harness.Result) error {
	if len(results) == 0 {
		return nil
	}
	r := results[0]
	_, err := fmt.Fprintf(w, "# commit: %s\n# date: %s\n# seed: %d\n# command: %s\n"+
		"Unit bits/key assume=exact\nUnit fpr better=lower\nUnit heap-bits/key better=lower\n",
		oneLine(r.Commit), r.Date.UTC().Format("2006-01-02T15:04:05Z"), r.Seed, oneLine(r.Command))
	host := ""
	for _, r := range results {
		if err != nil {
			return err
		}
		if r.Skipped != "" {
			continue
		}
		text := ""
		if config := benchConfig(r.Host); config != host {
			host = config
			text = "\n" + config + "\n"
		}
		_, err = io.WriteString(w, text+benchLines(r))
	}
	return err
}

// benchConfig writes the configuration lines of a machine, with the keys that go test uses.
func benchConfig(h harness.Host) string {
	goos, goarch, _ := strings.Cut(h.OS, "/")
	return fmt.Sprintf("goos: %s\ngoarch: %s\ncpu: %s\n", oneLine(goos), oneLine(goarch), oneLine(h.CPU))
}

// benchLines turns one trial into benchmark lines.
func benchLines(r harness.Result) string {
	var b strings.Builder
	name := fmt.Sprintf("variant=%s/workload=%s/n=%s/p=%s", benchEscape(r.Variant), benchEscape(r.Workload),
		strings.ReplaceAll(size(r.N), ",", ""), strconv.FormatFloat(r.P, 'f', -1, 64))
	for _, t := range r.Timings {
		if t.Ops > 0 && finite(t.MedianNS) && finite(t.FloorNS) {
			fmt.Fprintf(&b, "Benchmark%s/%s/op=%s %d %v ns/op %v floor-ns/op\n", benchName(t.Op), name, benchEscape(t.Op),
				t.Ops, t.MedianNS, t.FloorNS)
		}
	}
	facts := ""
	for _, v := range []struct {
		value *float64
		unit  string
	}{{r.FPR, "fpr"}, {r.BitsPerKey, "bits/key"}, {r.HeapBitsPerKey, "heap-bits/key"}} {
		if v.value != nil && finite(*v.value) {
			facts += fmt.Sprintf(" %v %s", *v.value, v.unit)
		}
	}
	if facts != "" {
		fmt.Fprintf(&b, "BenchmarkFilter/%s/op=all 1%s\n", name, facts)
	}
	return b.String()
}

// benchName names the benchmark of a kind of operation.
func benchName(op string) string {
	switch op {
	case "add":
		return "Add"
	case "remove":
		return "Remove"
	case "seal":
		return "Seal"
	}
	return "Lookup"
}

// benchEscape writes a value so that it stays one part of a benchmark's name.
func benchEscape(value string) string {
	var b strings.Builder
	for _, c := range []byte(value) {
		if c <= ' ' || c == '/' || c == '%' || c == 0x7F {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// oneLine keeps a value from breaking the line it stands on.
func oneLine(text string) string {
	return strings.Join(strings.Fields(text), " ")
}
