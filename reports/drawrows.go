package reports

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// key explains the marks in one or more lines and returns the y below them.
func (p pen) key(d Data, a area) vg.Length {
	const step = 14
	x, y := a.left, a.top-step-2
	for _, item := range d.Key {
		sample := item.sampleWidth()
		width := sample + cellFace.width(item.Text) + 16
		if x > a.left && x+width > a.right+16 {
			x, y = a.left, y-step
		}
		p.sample(d, item, area{x, y - 1, x + sample - 5, y + 8})
		p.text(cellFace, ink, x+sample, y, 0, item.Text)
		x += width
	}
	return y - 4
}

// sampleWidth is the room for the mark and the space after it.
func (k KeyItem) sampleWidth() vg.Length {
	switch {
	case k.Bound:
		return 29
	case k.Mark == "":
		return 0
	case k.Mark == Dot || k.Mark == Hollow:
		return 14
	case k.Mark == Tick:
		return 11
	}
	return 25
}

// sample draws a mark as the key shows it.
func (p pen) sample(d Data, item KeyItem, a area) {
	mid := vg.Point{X: (a.left + a.right) / 2, Y: (a.bottom + a.top) / 2}
	look, named := d.Looks[item.Variant]
	if !named {
		look = Look{Tone: 7, Glyph: circle}
	}
	left, right := vg.Point{X: a.left, Y: mid.Y}, vg.Point{X: a.right, Y: mid.Y}
	switch {
	case item.Bound:
		p.arrow(grey, vg.Point{X: a.right, Y: mid.Y})
	case item.Mark == Dot || item.Mark == Hollow:
		p.glyph(look, mid, item.Mark == Hollow)
	case item.Mark == Tick:
		p.line(ink, 1.6, nil, vg.Point{X: mid.X, Y: a.bottom - 1}, vg.Point{X: mid.X, Y: a.top + 1})
	case item.Mark == Rule || item.Mark == Curve:
		p.line(grey, 1.3, nil, left, right)
	case item.Mark == Dashed:
		p.line(grey, 1.3, []vg.Length{4, 2}, left, right)
	case item.Mark == Band:
		p.fill(bandTone, a)
	case item.Mark == Block:
		p.fill(tones[look.Tone].mark, a)
	case item.Mark == Rest:
		p.fill(restTone, a)
	}
}

// rows draws panels that share rows, one row a case, named at the left.
func (p pen) rows(d Data, a area) {
	gutter := vg.Length(0)
	for _, name := range d.Rows {
		gutter = max(gutter, labelFace.width(name))
	}
	gutter = min(gutter, 0.3*a.width()) + 8
	heads := 1
	widths := d.panelWidths(a.width() - gutter)
	for i, plot := range d.Plots {
		heads = max(heads, len(headFace.wrap(plot.Title, widths[i]-plot.columnsWidth(), 2)))
	}
	body := area{a.left + gutter, a.bottom + 30, a.right, a.top - vg.Length(heads)*12.5 - 5}
	height := body.height() / vg.Length(len(d.Rows))
	for i, name := range d.Rows {
		y := body.top - (vg.Length(i)+0.5)*height
		text := color.Color(ink)
		if look, ok := d.Looks[name]; ok {
			text = tones[look.Tone].text
		}
		p.text(labelFace, text, body.left-8, y-3.3, 1, labelFace.clip(name, gutter-8))
	}
	left := body.left
	for i, plot := range d.Plots {
		panel := area{left, body.bottom, left + widths[i], body.top}
		title := headFace.wrap(plot.Title, widths[i]-plot.columnsWidth(), 2)
		p.lines(headFace, ink, area{left, 0, panel.right, body.top + 4 + vg.Length(len(title))*12.5}, title, 12.5)
		p.rowPanel(d, plot, panel, height)
		left = panel.right + gap
	}
}

// panelWidths shares the width among the panels, each with its columns of text.
func (d Data) panelWidths(width vg.Length) []vg.Length {
	free, parts := width-gap*vg.Length(len(d.Plots)-1), 0.0
	for _, plot := range d.Plots {
		free -= plot.columnsWidth()
		parts += plot.Width
	}
	var out []vg.Length
	for _, plot := range d.Plots {
		out = append(out, plot.columnsWidth()+free*vg.Length(plot.Width/parts))
	}
	return out
}

func (t TextColumn) width() vg.Length {
	w := cellFace.width(t.Head)
	for _, cell := range t.Cells {
		w = max(w, cellFace.width(cell))
	}
	return w + 8
}

func (p Plot) columnsWidth() vg.Length {
	w := vg.Length(0)
	for _, col := range p.Columns {
		w += col.width()
	}
	return w
}

// rowPanel draws one panel over the rows: its axis, its series and its columns of text.
func (p pen) rowPanel(d Data, plot Plot, panel area, height vg.Length) {
	data := panel
	data.right -= plot.columnsWidth()
	for i := range d.Rows {
		y := data.top - (vg.Length(i)+0.5)*height
		p.line(grid, 0.7, nil, vg.Point{X: data.left, Y: y}, vg.Point{X: data.right, Y: y})
	}
	p.xAxis(plot, data)
	offset := vg.Length(0)
	for _, s := range plot.Series {
		if s.Mark == Hollow {
			offset = min(4.5, height/5)
		}
	}
	for _, s := range plot.Series {
		for _, pt := range s.Points {
			y := data.top - (vg.Length(pt.Y)+0.5)*height
			switch s.Mark {
			case Dot:
				y += offset
			case Hollow:
				y -= offset
			}
			p.rowMark(d, plot, s, pt, data, y, height, offset)
		}
	}
	x := data.right
	for _, col := range plot.Columns {
		x += col.width()
		p.text(cellFace, grey, x, data.top+4, 1, col.Head)
		for i, cell := range col.Cells {
			p.text(cellFace, ink, x, data.top-(vg.Length(i)+0.5)*height-3, 1, cell)
		}
	}
}

func (p pen) rowMark(d Data, plot Plot, s Series, pt Point, data area, y, height, offset vg.Length) {
	look, named := d.Looks[s.Variant]
	mark := color.Color(ink)
	if named {
		mark = tones[look.Tone].mark
	}
	x := data.x(plot.X, pt.X)
	bar := area{data.x(plot.X, pt.Lo), y - 0.32*height, data.x(plot.X, pt.Hi), y + 0.32*height}
	switch s.Mark {
	case Rule:
		p.line(grey, 1.1, nil, vg.Point{X: x, Y: data.bottom}, vg.Point{X: x, Y: data.top})
	case Band:
		p.fill(bandTone, bar)
	case Block:
		p.fill(mark, bar)
	case Rest:
		p.fill(restTone, bar)
	case Tick:
		reach := min(8.5+offset, 0.46*height)
		p.line(ink, 1.6, nil, vg.Point{X: x, Y: y - reach}, vg.Point{X: x, Y: y + reach})
	case Dot, Hollow:
		if pt.Bound {
			p.arrow(mark, vg.Point{X: x, Y: y})
			return
		}
		if pt.Bar {
			p.whisker(mark, vg.Point{X: bar.left, Y: y}, vg.Point{X: bar.right, Y: y})
		}
		p.glyph(look, vg.Point{X: x, Y: y}, s.Mark == Hollow)
	}
}

// xAxis draws grid lines, labels on as many ticks as have room, and the label below.
func (p pen) xAxis(plot Plot, a area) {
	every := labelEvery(plot.X, a)
	for i, t := range plot.X.Ticks {
		x := a.x(plot.X, t.At)
		line := a.x(plot.X, t.At+plot.X.lineShift())
		p.line(grid, 0.7, nil, vg.Point{X: line, Y: a.bottom}, vg.Point{X: line, Y: a.top})
		if i%every == 0 {
			p.text(tickFace, ink, x, a.bottom-11, 0.5, t.Label)
		}
	}
	p.line(grey, 0.8, nil, vg.Point{X: a.left, Y: a.bottom}, vg.Point{X: a.right, Y: a.bottom})
	label := axisFace.clip(plot.XLabel, a.width()+60)
	p.text(axisFace, ink, (a.left+a.right)/2, a.bottom-24, 0.5, label)
}

// labelEvery returns the least stride at which the labels of ticks do not touch.
func labelEvery(s Scale, a area) int {
	const space = 5
	for every := 1; every < len(s.Ticks); every++ {
		fits, end := true, vg.Length(-1e9)
		for i := 0; i < len(s.Ticks); i += every {
			x, half := a.x(s, s.Ticks[i].At), tickFace.width(s.Ticks[i].Label)/2
			fits = fits && x-half >= end+space
			end = x + half
		}
		if fits {
			return every
		}
	}
	return max(1, len(s.Ticks))
}
