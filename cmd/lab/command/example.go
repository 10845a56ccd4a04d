package command

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"filterlab/harness/files"
	"filterlab/reports"
)

// exampleCmd works a Bloom filter of 16 bits through by hand.
type exampleCmd struct {
	Out string `help:"Folder for the picture and its CSV; other files in it stay." default:"out/example" placeholder:"DIR"`
}

// Run is the subcommand: it writes the picture and its CSV and prints the steps.
func (c *exampleCmd) Run(e *Env) error {
	steps := reports.WorkedExample()
	picture := reports.WorkedPicture(steps)
	if err := os.MkdirAll(c.Out, 0o755); err != nil {
		return asUsage(err)
	}
	path := filepath.Join(c.Out, picture.Name)
	if err := files.Replace(path+".csv", picture.WriteCSV); err != nil {
		return asUsage(err)
	}
	if err := files.Replace(path+".png", picture.WritePNG); err != nil {
		return asUsage(err)
	}
	fmt.Fprintf(e.ErrOut, "written: %s.png\n", path)
	_, err := io.WriteString(e.Out, reports.WorkedText(steps))
	return err
}
