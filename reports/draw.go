package reports

import (
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// The page: 8 by 5 inches at 200 dots an inch, taller where there are many rows.
const (
	dpi      = 200
	pageW    = 8 * vg.Inch
	pageH    = 5 * vg.Inch
	margin   = vg.Length(20)
	leastRow = vg.Length(19) // height of a row
	gap      = vg.Length(20) // between panels
)

// WritePNG draws the picture.
func (d Data) WritePNG(w io.Writer) error { return d.writePNG(w, dpi) }

// writePNG draws the picture with so many dots an inch.
func (d Data) writePNG(w io.Writer, dots int) error {
	height := d.height()
	canvas := vgimg.NewWith(vgimg.UseWH(pageW, height), vgimg.UseDPI(dots), vgimg.UseBackgroundColor(white))
	d.Draw(canvas, pageW, height)
	return writeImage(w, canvas.Image())
}

// height is that of the page: more than usual where there are many rows or labels above each other.
func (d Data) height() vg.Length {
	if d.Stacked {
		return stackH
	}
	rows := len(d.Rows)
	for _, plot := range d.Plots {
		rows = max(rows, len(plot.endLabels()))
	}
	return pageH + vg.Length(max(0, rows-11))*leastRow
}

// Draw draws the picture on a canvas of the given size.
func (d Data) Draw(c vg.Canvas, w, h vg.Length) {
	p := pen{c}
	box := area{margin, margin, w - margin, h - margin + 10}
	y := p.lines(titleFace, ink, box, titleFace.wrap(d.Title, w-2*margin, 2), 16)
	box.top = y - 1
	box.top = p.lines(subFace, grey, box, subFace.wrap(d.Subtitle, w-2*margin, 2), 12.5)
	for i, line := range d.Footer {
		at := margin - 8 + vg.Length(len(d.Footer)-1-i)*9.5
		p.text(footerFace, grey, margin, at, 0, footerFace.clip(line, w-2*margin))
	}
	box.bottom += vg.Length(len(d.Footer))*9.5 - 4
	if len(d.Key) > 0 {
		box.top = p.key(d, box)
	}
	box.top -= 3
	if len(d.Steps) > 0 {
		p.steps(d.Steps, box)
		return
	}
	if len(d.Rows) > 0 {
		p.rows(d, box)
		return
	}
	if d.Stacked {
		p.stack(d, box)
		return
	}
	for i, plot := range d.Plots {
		width := (box.width() + gap) / vg.Length(len(d.Plots))
		left := box.left + vg.Length(i)*width
		p.numbers(d, plot, area{left, box.bottom, left + width - gap, box.top})
	}
}

// An area is a rectangle on the page, in points from the bottom left.
type area struct{ left, bottom, right, top vg.Length }

func (a area) width() vg.Length  { return a.right - a.left }
func (a area) height() vg.Length { return a.top - a.bottom }

// x and y return where a value lies in the area.
func (a area) x(s Scale, v float64) vg.Length { return a.left + a.width()*vg.Length(s.at(v)) }
func (a area) y(s Scale, v float64) vg.Length { return a.bottom + a.height()*vg.Length(s.at(v)) }

// A pen draws primitives on a canvas.
type pen struct{ c vg.Canvas }

// text writes a line with its baseline at y; align is 0 for starting at x, 0.5 centred, 1 ending.
func (p pen) text(t typeface, ink color.Color, x, y vg.Length, align float64, text string) {
	if text == "" {
		return
	}
	face := t.face()
	p.c.SetColor(ink)
	p.c.FillString(face, vg.Point{X: x - vg.Length(align)*face.Width(text), Y: y}, text)
}

// lines writes lines from the top of an area down and returns the y below them.
func (p pen) lines(t typeface, ink color.Color, a area, lines []string, step vg.Length) vg.Length {
	y := a.top
	for _, line := range lines {
		y -= step
		p.text(t, ink, a.left, y, 0, line)
	}
	return y
}

// line strokes a polyline.
func (p pen) line(ink color.Color, width vg.Length, dash []vg.Length, pts ...vg.Point) {
	if len(pts) < 2 {
		return
	}
	p.c.SetColor(ink)
	p.c.SetLineWidth(width)
	p.c.SetLineDash(dash, 0)
	var path vg.Path
	path.Move(pts[0])
	for _, pt := range pts[1:] {
		path.Line(pt)
	}
	p.c.Stroke(path)
	p.c.SetLineDash(nil, 0)
}

// fill fills a rectangle.
func (p pen) fill(ink color.Color, a area) {
	p.polygon(ink, vg.Point{X: a.left, Y: a.bottom}, vg.Point{X: a.right, Y: a.bottom},
		vg.Point{X: a.right, Y: a.top}, vg.Point{X: a.left, Y: a.top})
}

func (p pen) polygon(ink color.Color, pts ...vg.Point) {
	p.c.SetColor(ink)
	p.c.Fill(closed(pts))
}

func closed(pts []vg.Point) vg.Path {
	var path vg.Path
	path.Move(pts[0])
	for _, pt := range pts[1:] {
		path.Line(pt)
	}
	path.Close()
	return path
}

// arrow draws an arrow to the left from pt: the value is at most this.
func (p pen) arrow(ink color.Color, pt vg.Point) {
	const length, head = 20, 3
	end := vg.Point{X: pt.X - length, Y: pt.Y}
	p.line(ink, 1.4, nil, pt, end)
	p.polygon(ink, vg.Point{X: end.X - 4, Y: end.Y}, vg.Point{X: end.X + 2, Y: end.Y + head}, vg.Point{X: end.X + 2, Y: end.Y - head})
	p.line(ink, 1.6, nil, vg.Point{X: pt.X, Y: pt.Y - 4}, vg.Point{X: pt.X, Y: pt.Y + 4})
}

// whisker draws a bar from a to b with short ends across it.
func (p pen) whisker(ink color.Color, a, b vg.Point) {
	const end = 2.5
	p.line(ink, 1.2, nil, a, b)
	across := vg.Point{Y: end}
	if a.X == b.X {
		across = vg.Point{X: end}
	}
	for _, pt := range []vg.Point{a, b} {
		p.line(ink, 1.2, nil, pt.Sub(across), pt.Add(across))
	}
}

// glyph draws a variant's glyph with a white halo; hollow leaves its inside white.
func (p pen) glyph(l Look, pt vg.Point, hollow bool) {
	const radius, halo = 3.8, 1.3
	mark := tones[l.Tone].mark
	if l.Glyph == plus || l.Glyph == cross {
		turn := 0.0
		if l.Glyph == cross {
			turn = math.Pi / 4
		}
		for _, stroke := range []struct {
			ink   color.Color
			width vg.Length
			reach vg.Length
		}{{white, 4.2, radius + halo}, {mark, strokeWidth(hollow), radius + 0.4}} {
			for _, a := range []float64{turn, turn + math.Pi/2} {
				arm := polar(a, stroke.reach)
				p.line(stroke.ink, stroke.width, nil, pt.Sub(arm), pt.Add(arm))
			}
		}
		return
	}
	p.shape(white, l.Glyph, pt, radius+halo)
	p.shape(mark, l.Glyph, pt, radius)
	if hollow {
		p.shape(white, l.Glyph, pt, radius-1.4)
	}
}

func strokeWidth(hollow bool) vg.Length {
	if hollow {
		return 1
	}
	return 2.2
}

// shape fills a circle or a regular polygon, scaled so that all weigh about the same.
func (p pen) shape(ink color.Color, glyph int, pt vg.Point, radius vg.Length) {
	if glyph == circle {
		var path vg.Path
		path.Move(vg.Point{X: pt.X + radius, Y: pt.Y})
		path.Arc(pt, radius, 0, 2*math.Pi)
		path.Close()
		p.c.SetColor(ink)
		p.c.Fill(path)
		return
	}
	form := map[int]struct {
		corners int
		start   float64
		scale   vg.Length
	}{
		square: {4, math.Pi / 4, 1.25}, diamond: {4, 0, 1.3}, up: {3, math.Pi / 2, 1.4},
		down: {3, -math.Pi / 2, 1.4}, pentagon: {5, math.Pi / 2, 1.15},
	}[glyph]
	var pts []vg.Point
	for i := range form.corners {
		pts = append(pts, pt.Add(polar(form.start+2*math.Pi*float64(i)/float64(form.corners), radius*form.scale)))
	}
	p.polygon(ink, pts...)
}

func polar(angle float64, radius vg.Length) vg.Point {
	return vg.Point{X: radius * vg.Length(math.Cos(angle)), Y: radius * vg.Length(math.Sin(angle))}
}
