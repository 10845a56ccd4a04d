package reports

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// A sheet is a picture that draws its own body under the usual head and above the usual footer.
type sheet struct {
	Data
	tall vg.Length // height of the page
	body func(p pen, box area)
}

// WritePNG draws the picture.
func (s sheet) WritePNG(w io.Writer) error {
	canvas := vgimg.NewWith(vgimg.UseWH(pageW, s.tall), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(white))
	s.Draw(canvas, pageW, s.tall)
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}

// Draw draws the picture on a canvas of the given size.
func (s sheet) Draw(c vg.Canvas, w, h vg.Length) {
	s.Data.Draw(c, w, h)
	head := 16*vg.Length(len(titleFace.wrap(s.Title, w-2*margin, 2))) + 12.5*vg.Length(len(subFace.wrap(s.Subtitle, w-2*margin, 2)))
	s.body(pen{c}, area{margin, margin + 9.5*vg.Length(len(s.Footer)) - 4, w - margin, h - margin + 6 - head})
}

// calm is the ground of cells that have nothing against the formula.
var calm = rgb(0xF3F3F3)

// heatSpan is the ratio at which the colours of the heat map are full.
const heatSpan = 100

// hashFigure is the heat map of observed over formula, hashes down and shapes across, one panel for
// each n and p.
func hashFigure(s HashStudy) (sheet, bool) {
	grids := s.grids()
	if len(grids) == 0 {
		return sheet{}, false
	}
	const row, rest = 17, 158
	out := sheet{tall: rest + vg.Length(len(grids))*(row*vg.Length(len(s.Hashes))+40)}
	out.Data = Data{
		Name: "hash-shapes", Figure: "hash-shapes", Workload: "hash",
		Shows:  "Observed FPR over the formula's for every hash on every shape of keys.",
		Title:  s.heatTitle(grids),
		Footer: footer(s.Results),
		CSV:    s.heatCSV(grids),
		Subtitle: "observed / formula: 1.00 is what an ideal hash shows on any keys · " +
			"in colour: the verdict is above or below; in grey: nothing against the formula",
	}
	out.body = func(p pen, box area) {
		p.heatKey(box)
		box.top -= 38
		box.bottom = p.shapeNotes(box)
		height := box.height() / vg.Length(len(grids))
		for i, g := range grids {
			top := box.top - vg.Length(i)*height
			p.heat(s, g, area{box.left, top - height, box.right, top})
		}
	}
	return out, true
}

func (s HashStudy) heatTitle(grids []hashGrid) string {
	var free []string
	for hash := 1; hash < len(s.Hashes); hash++ {
		if len(s.flagged(grids, hash)) == 0 {
			free = append(free, s.Hashes[hash].Name)
		}
	}
	if s.partial() {
		return "Hashes on shapes of keys, as far as the run got"
	}
	good := s.Hashes[0].Name + " keeps its formula on every shape of keys"
	if off := s.offAt(grids, 0); len(off) > 0 {
		good = s.Hashes[0].Name + " misses its formula: " + list(off, 2)
	}
	switch {
	case len(free) > 0:
		return good + "; not caught here: " + list(free, 5)
	case len(s.Hashes) == 1:
		return good
	}
	return fmt.Sprintf("%s; each of the %d weak hashes is caught on some", good, len(s.Hashes)-1)
}

func (s HashStudy) heatCSV(grids []hashGrid) [][]string {
	out := [][]string{{"hash", "shape", "variant", "workload", "n", "p", "observed_over_model", "ratio_lo", "ratio_hi", "strangers", "false_positives", "verdict"}}
	for _, g := range grids {
		for hash := range s.Hashes {
			for shape, label := range s.labels() {
				c := g.Cells[hash][shape]
				if !c.Known {
					continue
				}
				ratio, lo, hi, _ := c.Ratio()
				verdict, _ := c.Verdict()
				fpr := c.FPR()
				out = append(out, append([]string{s.Hashes[hash].Name, label}, append(caseCells(c.Case), plain(ratio), plain(lo), plain(hi),
					fmt.Sprint(fpr.Of), fmt.Sprint(fpr.Hits), verdict)...))
			}
		}
	}
	return out
}

// heat draws one panel: its n and p, the shapes above, a row a hash.
func (p pen) heat(s HashStudy, g hashGrid, a area) {
	const gutter, head = 62, 26
	p.text(headFace, ink, a.left, a.top-10, 0, g.title())
	body := area{a.left + gutter, a.bottom + 12, a.right, a.top - head - 2}
	w, h := body.width()/vg.Length(len(s.Shapes)), body.height()/vg.Length(len(s.Hashes))
	for shape, label := range s.labels() {
		at := body.left + (vg.Length(shape)+0.5)*w
		face, name := tickFace, strings.Replace(label, " x", "×", 1)
		if face.width(name) > w {
			face = footerFace
		}
		p.text(face, ink, at, body.top+4, 0.5, face.clip(name, w+4))
	}
	for hash, d := range s.Hashes {
		top := body.top - vg.Length(hash)*h
		p.text(labelFace, ink, body.left-7, top-h/2-3.3, 1, d.Name)
		for shape := range s.Shapes {
			left := body.left + vg.Length(shape)*w
			p.heatCell(g.Cells[hash][shape], area{left + 0.75, top - h + 0.75, left + w - 0.75, top - 0.75})
		}
	}
}

func (p pen) heatCell(c hashCell, a area) {
	if !c.Known {
		return
	}
	text, x, y := shortRatio(c.Over), (a.left+a.right)/2, (a.bottom+a.top)/2-3.3
	if !c.flagged() {
		p.fill(calm, a)
		p.text(cellFace, grey, x, y, 0.5, text)
		return
	}
	tint, dark := heatTone(c.Over)
	pencil := color.Color(ink)
	if dark {
		pencil = white
	}
	p.fill(tint, a)
	p.text(labelFace, pencil, x-4, y, 0.5, text)
	p.verdictMark(c, pencil, vg.Point{X: x + labelFace.width(text)/2 + 2, Y: y + 3})
}

// verdictMark draws a small triangle: up where the FPR is above the formula, down where below.
func (p pen) verdictMark(c hashCell, pencil color.Color, at vg.Point) {
	shape := up
	if verdict, _ := c.Verdict(); verdict == "below" {
		shape = down
	}
	p.shape(pencil, shape, at, 2.3)
}

// shapeNotes explains the names of the shapes at the foot of an area and returns the y above.
func (p pen) shapeNotes(a area) vg.Length {
	lines := []string{
		"decimal: 123 · dec×1024: every 1024th · user: user123 · zeros: 000000000123 · spaces: 123, padded to 16 characters",
		"be, le: counters of 8 bytes, big- and little-endian · le×4096: addresses of pages · uuid1, uuid7: UUIDs in order of time · ipv4: 4 bytes, drawn at random",
		"uuid4: random UUIDs · random: 8 random bytes, the control · members are the first n in that order, strangers those that follow",
	}
	for i, line := range lines {
		p.text(footerFace, ink, a.left, a.bottom+2+10*vg.Length(len(lines)-1-i), 0, footerFace.clip(line, a.width()))
	}
	return a.bottom + 10*vg.Length(len(lines)) + 2
}

// heatTone returns the colour of a ratio, from blue over white at 1 to vermillion, by its logarithm;
// dark when text on it must be white.
func heatTone(ratio float64) (tint color.Color, dark bool) {
	x := math.Log(math.Max(ratio, 1e-9)) / math.Log(heatSpan)
	x = math.Max(-1, math.Min(1, x))
	full := color.RGBA{0xD5, 0x5E, 0x00, 0xFF}
	if x < 0 {
		full = color.RGBA{0x00, 0x72, 0xB2, 0xFF}
	}
	s := math.Abs(x)
	mix := func(c uint8) uint8 { return uint8(math.Round(255 + s*(float64(c)-255))) }
	return color.RGBA{mix(full.R), mix(full.G), mix(full.B), 0xFF}, s > 0.75
}

// heatKey draws the scale of the colours.
func (p pen) heatKey(a area) {
	const width, steps, height = 190, 60, 9
	left, bottom := a.left+62, a.top-13-height
	at := func(ratio float64) vg.Length {
		return left + width*vg.Length(0.5+0.5*math.Log(ratio)/math.Log(heatSpan))
	}
	for i := range steps {
		ratio := math.Pow(heatSpan, 2*(float64(i)+0.5)/steps-1)
		tint, _ := heatTone(ratio)
		p.fill(tint, area{left + vg.Length(i)*width/steps, bottom, left + vg.Length(i+1)*width/steps + 0.3, bottom + height})
	}
	for _, t := range []struct {
		ratio float64
		text  string
	}{{0.01, "1/100 or less"}, {0.1, "1/10"}, {1, "1"}, {10, "10"}, {100, "100 or more"}} {
		p.line(grey, 0.6, nil, vg.Point{X: at(t.ratio), Y: bottom - 2}, vg.Point{X: at(t.ratio), Y: bottom + height})
		p.text(footerFace, ink, at(t.ratio), bottom-10, 0.5, t.text)
	}
}
