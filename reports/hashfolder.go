package reports

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"filterlab/harness/files"
)

// tablesName is the file of the study's bits by ranges, one JSON line a combination.
const tablesName = "occupancy.jsonl"

// WriteHashFolder writes results.jsonl, occupancy.jsonl, summary.md and the pictures with their CSV
// into a new folder beside dir, and then puts it in the place of dir as a whole. An error leaves dir
// as it was.
func WriteHashFolder(dir string, s HashStudy) error {
	return install(dir, func(temp string) error {
		put := func(name string, write func(io.Writer) error) error {
			if err := files.Replace(filepath.Join(temp, name), write); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		}
		if err := put(recordName, func(w io.Writer) error { return WriteResults(w, s.Results) }); err != nil {
			return err
		}
		if err := put(tablesName, s.writeTables); err != nil {
			return err
		}
		pictures := s.pictures()
		for _, pic := range pictures {
			if err := put(pic.Name+".png", pic.WritePNG); err != nil {
				return err
			}
			if err := put(pic.Name+".csv", pic.WriteCSV); err != nil {
				return err
			}
		}
		return put("summary.md", func(w io.Writer) error {
			_, err := io.WriteString(w, s.summary(pictures))
			return err
		})
	})
}

func (s HashStudy) pictures() []sheet {
	var out []sheet
	for _, figure := range []func(HashStudy) (sheet, bool){hashFigure, occupancyFigure} {
		if pic, ok := figure(s); ok {
			out = append(out, pic)
		}
	}
	return out
}

func (s HashStudy) writeTables(w io.Writer) error {
	enc := json.NewEncoder(w)
	for _, row := range s.Tables {
		if err := enc.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

// summary is the page of the folder in Markdown.
func (s HashStudy) summary(pictures []sheet) string {
	var b strings.Builder
	b.WriteString("# Filter lab: hashes on key shapes\n\n" + ran(s.Results) + "## Findings\n\n")
	for _, sentence := range s.findings() {
		b.WriteString("- " + escape(sentence) + "\n")
	}
	b.WriteString("\n## Tables\n\n```\n" + s.tablesText() + "```\n\n")
	b.WriteString("The formula is that of a standard Bloom filter under an ideal hash, for every row. A weak hash that has no seed in practice " +
		"is measured without one, in one instance on fixed keys; the others in several. The chi-square holds the bits set in equal ranges of the table, " +
		"and in all of it, against the variance of classic occupancy.\n\n## Hashes\n\n")
	for _, d := range s.Hashes {
		b.WriteString("- " + escape(d.Name) + ": " + escape(d.Doc) + "\n")
	}
	b.WriteString("\n## Shapes of keys\n\n| shape | workload | such as |\n|---|---|---|\n")
	for _, d := range s.Shapes {
		fmt.Fprintf(&b, "| %s | `%s` | %s |\n", escape(shapeLabel(d.Name)), d.Name, escape(d.Doc))
	}
	b.WriteString("\n## Pictures\n\n")
	for _, pic := range pictures {
		fmt.Fprintf(&b, "**%s**\n\n![%s](%s.png)\n\n%s Numbers: [%s.csv](%s.csv)\n\n", escape(pic.Title), escape(pic.Title), pic.Name, pic.Shows, pic.Name, pic.Name)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
