package reports

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// numbers draws a panel whose two axes are numbers. Labels stand at the right end of lines, and
// beside the points where there are no lines of a variant.
func (p pen) numbers(d Data, plot Plot, a area) {
	left, right := plot.gutters()
	p.panel(d, plot, a, left, right)
}

// gutters returns the room that a panel of numbers needs for its ticks and for labels at line ends.
func (p Plot) gutters() (left, right vg.Length) {
	for _, t := range p.Y.Ticks {
		left = max(left, tickFace.width(t.Label))
	}
	for _, s := range p.endLabels() {
		right = max(right, labelFace.width(s.Label)+18)
	}
	right = min(right, 0.36*pageW)
	return left, right
}

// panel draws a panel of numbers with room at its sides.
func (p pen) panel(d Data, plot Plot, a area, left, right vg.Length) {
	ends := plot.endLabels()
	data := area{a.left + left + 6, a.bottom + 30, a.right - right, a.top - 20}
	p.text(axisFace, ink, a.left, a.top-11, 0, plot.YLabel)
	p.xAxis(plot, data)
	for _, t := range plot.Y.Ticks {
		y := data.y(plot.Y, t.At)
		p.line(grid, 0.7, nil, vg.Point{X: data.left, Y: y}, vg.Point{X: data.right, Y: y})
		p.text(tickFace, ink, data.left-6, y-3, 1, t.Label)
	}
	for _, s := range plot.Series {
		p.lineMarks(d, plot, s, data)
	}
	for _, s := range plot.Series {
		p.pointMarks(d, plot, s, data)
	}
	if len(ends) > 0 {
		p.labelEnds(d, plot, ends, data, right)
		return
	}
	p.labelPoints(d, plot, data)
}

// endLabels returns the labelled lines, if any of them belongs to a variant.
func (p Plot) endLabels() []Series {
	var out []Series
	named := false
	for _, s := range p.Series {
		if line := s.Mark == Curve || s.Mark == Dashed; line && s.Label != "" && len(s.Points) > 0 {
			out = append(out, s)
			named = named || s.Mark == Curve && s.Variant != ""
		}
	}
	if !named {
		return nil
	}
	return out
}

func (d Data) tone(variant string) tone {
	if look, ok := d.Looks[variant]; ok {
		return tones[look.Tone]
	}
	return tone{grey, grey}
}

func (p pen) lineMarks(d Data, plot Plot, s Series, data area) {
	var dash []vg.Length
	switch s.Mark {
	case Curve:
		if look, ok := d.Looks[s.Variant]; ok {
			dash = look.dash()
		}
	case Dashed:
		dash = []vg.Length{4, 3}
	case Rule:
		for _, pt := range s.Points {
			y := data.y(plot.Y, pt.Y)
			p.line(grey, 1.1, nil, vg.Point{X: data.left, Y: y}, vg.Point{X: data.right, Y: y})
		}
		return
	case Post:
		p.posts(plot, s, data)
		return
	default:
		return
	}
	p.line(d.tone(s.Variant).mark, 1.4, dash, clipped(s.Points, plot, data)...)
}

// clipped turns points into positions and leaves out those beyond the panel.
func clipped(points []Point, plot Plot, data area) []vg.Point {
	var out []vg.Point
	for _, pt := range points {
		at := vg.Point{X: data.x(plot.X, pt.X), Y: data.y(plot.Y, pt.Y)}
		if at.X >= data.left-0.5 && at.X <= data.right+0.5 && at.Y >= data.bottom-0.5 && at.Y <= data.top+0.5 {
			out = append(out, at)
		}
	}
	return out
}

func (p pen) pointMarks(d Data, plot Plot, s Series, data area) {
	if s.Mark != Dot && s.Mark != Hollow {
		return
	}
	mark := d.tone(s.Variant).mark
	for _, pt := range s.Points {
		at := vg.Point{X: data.x(plot.X, pt.X), Y: data.y(plot.Y, pt.Y)}
		if pt.Bound && plot.Upright {
			p.arrowDown(mark, at)
		} else if pt.Bound {
			p.arrow(mark, at)
		}
		if pt.Bar {
			a, b := vg.Point{X: data.x(plot.X, pt.Lo), Y: at.Y}, vg.Point{X: data.x(plot.X, pt.Hi), Y: at.Y}
			if plot.Upright {
				a, b = vg.Point{X: at.X, Y: data.y(plot.Y, pt.Lo)}, vg.Point{X: at.X, Y: data.y(plot.Y, pt.Hi)}
			}
			p.whisker(mark, a, b)
		}
		p.glyph(d.Looks[s.Variant], at, s.Mark == Hollow)
	}
}

// labelEnds writes the labels of lines into the room at their right ends, moved apart where they would
// touch.
func (p pen) labelEnds(d Data, plot Plot, ends []Series, data area, room vg.Length) {
	var want []vg.Length
	for _, s := range ends {
		want = append(want, data.y(plot.Y, s.Points[len(s.Points)-1].Y))
	}
	for i, y := range spread(want, 12, data.bottom+4, data.top-4) {
		s := ends[i]
		t := d.tone(s.Variant)
		from := vg.Point{X: data.right + 1, Y: want[i]}
		end := data.x(plot.X, s.Points[len(s.Points)-1].X)
		p.line(t.mark, 0.8, []vg.Length{1, 3}, vg.Point{X: end, Y: want[i]}, from)
		p.line(t.mark, 0.8, nil, from, vg.Point{X: data.right + 11, Y: y})
		p.text(labelFace, t.text, data.right+14, y-3.3, 0, labelFace.clip(s.Label, room-14))
	}
}

// labelPoints writes the labels of series beside their last points, clear of each other.
func (p pen) labelPoints(d Data, plot Plot, data area) {
	pl := placer{bounds: data}
	for _, s := range plot.Series {
		if s.Mark == Curve || s.Mark == Dashed {
			pl.crossed = append(pl.crossed, along(clipped(s.Points, plot, data))...)
			continue
		}
		for _, pt := range s.Points {
			at := vg.Point{X: data.x(plot.X, pt.X), Y: data.y(plot.Y, pt.Y)}
			pl.taken = append(pl.taken, area{at.X - 6, at.Y - 6, at.X + 6, at.Y + 6})
			if pt.Bar && !plot.Upright {
				pl.taken = append(pl.taken, area{data.x(plot.X, pt.Lo), at.Y - 3, data.x(plot.X, pt.Hi), at.Y + 3})
			}
			if pt.Bound {
				pl.taken = append(pl.taken, area{at.X - 26, at.Y - 5, at.X, at.Y + 5})
			}
		}
	}
	for _, c := range clusters(plot, data) {
		p.labelBeside(d, &pl, c)
	}
}

// A cluster is the series whose labelled points lie on top of each other. The label of a line may
// stand at any of several spots.
type cluster struct {
	spots  []vg.Point
	series []Series
}

// clusters finds where labels belong: at the last point of measured series, anywhere along lines. The
// lines come last, since they can give way.
func clusters(plot Plot, data area) []cluster {
	const near = 7
	var out, lines []cluster
	for _, s := range plot.Series {
		pts := clipped(s.Points, plot, data)
		if s.Label == "" || s.Mark == Post || len(pts) == 0 {
			continue
		}
		if s.Mark == Curve || s.Mark == Dashed {
			c := cluster{series: []Series{s}}
			for part := 1; part <= 8; part++ {
				c.spots = append(c.spots, pts[part*(len(pts)-1)/10])
			}
			lines = append(lines, c)
			continue
		}
		at := pts[len(pts)-1]
		i := slices.IndexFunc(out, func(c cluster) bool {
			away := c.spots[0].Sub(at)
			return away.X*away.X+away.Y*away.Y < near*near
		})
		if i < 0 {
			out = append(out, cluster{spots: []vg.Point{at}})
			i = len(out) - 1
		}
		out[i].series = append(out[i].series, s)
	}
	return append(out, lines...)
}

// labelBeside writes a cluster's labels near its points, with a line to them when they had to go far.
func (p pen) labelBeside(d Data, pl *placer, c cluster) {
	const step = 11.5
	width := vg.Length(0)
	for _, s := range c.series {
		width = max(width, labelFace.width(s.Label))
	}
	box, spot := pl.place(c.spots, width, step*vg.Length(len(c.series)))
	near := vg.Point{X: max(box.left, min(spot.X, box.right)), Y: max(box.bottom, min(spot.Y, box.top))}
	away := near.Sub(spot)
	if far := math.Hypot(float64(away.X), float64(away.Y)); far > 12 {
		from := spot.Add(away.Scale(vg.Length(6 / far)))
		p.line(grey, 0.7, nil, from, near)
		pl.crossed = append(pl.crossed, along([]vg.Point{from, near})...)
	}
	for i, s := range c.series {
		x, align := box.left, 0.0
		if box.right < spot.X {
			x, align = box.right, 1
		}
		p.text(labelFace, d.tone(s.Variant).text, x, box.top-vg.Length(i+1)*step+2.6, align, s.Label)
	}
}

// along covers a line with small squares.
func along(line []vg.Point) []area {
	var out []area
	const steps = 4
	for i := 1; i < len(line); i++ {
		for j := range steps {
			f := vg.Length(j) / steps
			x := line[i-1].X + f*(line[i].X-line[i-1].X)
			y := line[i-1].Y + f*(line[i].Y-line[i-1].Y)
			out = append(out, area{x - 2, y - 2, x + 2, y + 2})
		}
	}
	return out
}
