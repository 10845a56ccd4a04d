package reports

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// stackH is the height of a page of panels above each other.
const stackH = 6 * vg.Inch

// shareX gives panels above each other the X of the last, whose points may lie beside their true X.
func (d *Data) shareX() {
	if !d.Stacked || len(d.Plots) == 0 {
		return
	}
	last := d.Plots[len(d.Plots)-1].X
	for i := range d.Plots {
		d.Plots[i].X = last
	}
}

// stack draws panels of numbers above each other, the first one larger, with their sides in line.
func (p pen) stack(d Data, box area) {
	const first = 1.4 // times the height of another
	left, right := vg.Length(0), vg.Length(0)
	for _, plot := range d.Plots {
		l, r := plot.gutters()
		left, right = max(left, l), max(right, r)
	}
	unit := box.height() / vg.Length(first+float64(len(d.Plots)-1))
	top := box.top
	for i, plot := range d.Plots {
		height := unit
		if i == 0 {
			height *= first
		}
		p.panel(d, plot, area{box.left, top - height, box.right, top}, left, right)
		top -= height
	}
}

// posts draws upright lines through the whole panel, named beside their upper ends.
func (p pen) posts(plot Plot, s Series, data area) {
	for _, pt := range s.Points {
		x := data.x(plot.X, pt.X)
		p.line(grey, 1.1, []vg.Length{2, 2}, vg.Point{X: x, Y: data.bottom}, vg.Point{X: x, Y: data.top})
		p.text(cellFace, grey, x+5, data.top-10, 0, s.Label)
	}
}

// arrowDown draws an arrow down from pt: the value is at most this.
func (p pen) arrowDown(ink color.Color, pt vg.Point) {
	const length, head = 20, 3
	end := vg.Point{X: pt.X, Y: pt.Y - length}
	p.line(ink, 1.4, nil, pt, end)
	p.polygon(ink, vg.Point{X: end.X, Y: end.Y - 4}, vg.Point{X: end.X + head, Y: end.Y + 2}, vg.Point{X: end.X - head, Y: end.Y + 2})
}
