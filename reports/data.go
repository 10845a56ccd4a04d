package reports

import (
	"encoding/csv"
	"io"
)

// Data is everything a picture shows, with nothing left to work out: drawing it needs no results.
type Data struct {
	Name            string // of its files
	Figure          string // the figure it is
	Workload        string
	Shows           string
	Title, Subtitle string
	Footer          []string
	Key             []KeyItem
	Rows            []string // variants from the top; empty where both axes are numbers
	Stacked         bool     // the plots lie above each other
	Plots           []Plot
	Steps           []Step          // of the worked example, instead of plots
	Looks           map[string]Look // by variant
	CSV             [][]string      // the header first
}

// A Plot is a panel with its series, ranges and ticks worked out.
type Plot struct {
	Title          string
	Width          float64
	XLabel, YLabel string
	X, Y           Scale
	Upright        bool
	Series         []Series
	Columns        []TextColumn
}

// A TextColumn is text beside the rows, one cell each.
type TextColumn struct {
	Head  string
	Cells []string
}

// A Series is points drawn alike. Its colour and glyph are those of its variant; without one it is
// drawn in ink.
type Series struct {
	Variant string
	Mark    Mark
	Label   string // written at its last point
	Points  []Point
}

// A Mark is how the points of a series are drawn.
type Mark string

// The marks. In a figure of rows, Y counts rows from the top.
const (
	Dot    Mark = "dot"    // measured
	Hollow Mark = "hollow" // measured another way
	Tick   Mark = "tick"   // a formula's value: a stroke across the row
	Curve  Mark = "curve"  // a formula: a line through the points
	Dashed Mark = "dashed" // another formula: a dashed line through the points
	Rule   Mark = "rule"   // a value that holds for the whole panel
	Post   Mark = "post"   // a value of X that holds for the whole panel of numbers
	Band   Mark = "band"   // a range from Lo to Hi
	Block  Mark = "block"  // a bar from Lo to Hi
	Rest   Mark = "rest"   // a grey bar from Lo to Hi
)

// A Point is one measured or predicted value.
type Point struct {
	X, Y, Lo, Hi float64 // Lo and Hi lie along the panel's bars
	Bar          bool    // whether Lo and Hi are known
	Bound        bool    // X, or Y where bars stand upright, is an upper bound: nothing was seen
}

// A KeyItem explains a mark.
type KeyItem struct {
	Mark    Mark
	Variant string
	Bound   bool
	Text    string
}

// WriteCSV writes the numbers behind the picture.
func (d Data) WriteCSV(w io.Writer) error {
	return csv.NewWriter(w).WriteAll(d.CSV)
}
