package reports

import (
	"image/color"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
)

// The measures of a picture of steps.
const (
	stepNames  = vg.Length(76) // width of the names of the steps
	cellPitch  = vg.Length(21) // from cell to cell
	cellWidth  = vg.Length(19)
	cellHeight = vg.Length(20)
)

// steps draws one row a step: its name, the table after it, and the answer in words.
func (p pen) steps(steps []Step, a area) {
	tone := map[string]tone{}
	for i, key := range setters(steps) {
		tone[key] = tones[[]int{0, 4}[i%2]] // blue and orange, apart for every eye and in grey
	}
	a.top = p.stepsKey(setters(steps), tone, a)
	height := a.height() / vg.Length(len(steps))
	for i, s := range steps {
		row := area{a.left, a.top - vg.Length(i+1)*height, a.right, a.top - vg.Length(i)*height}
		p.line(grid, 0.7, nil, vg.Point{X: row.left, Y: row.top}, vg.Point{X: row.right, Y: row.top})
		p.step(s, tone, row)
	}
}

// step draws one row.
func (p pen) step(s Step, tone map[string]tone, row area) {
	mid := (row.bottom + row.top) / 2
	name := color.Color(ink)
	if t, ok := tone[s.Key]; ok {
		name = t.text
	}
	p.text(labelFace, ink, row.left, mid+1, 0, s.Do)
	p.text(labelFace, name, row.left+labelFace.width(s.Do+" "), mid+1, 0, s.Key)
	p.text(cellFace, grey, row.left, mid-11, 0, bits(s.At))
	bottom := mid - (cellHeight+11)/2
	for i := range workedBits {
		left := row.left + stepNames + vg.Length(i)*cellPitch
		box := area{left, bottom, left + cellWidth, bottom + cellHeight}
		asked := slices.Contains(s.At, i)
		p.cell(s.By[i], tone, box, asked)
		face, tint := tickFace, grey
		if asked {
			face, tint = labelFace, ink
		}
		p.text(face, tint, (box.left+box.right)/2, box.top+4, 0.5, strconv.Itoa(i))
	}
	left := row.left + stepNames + workedBits*cellPitch + 10
	p.answer(s, area{left, row.bottom, row.right, row.top})
}

// cell draws a bit: 0, or a part in the colour and with the letter of each key that set it.
func (p pen) cell(by []string, tone map[string]tone, box area, asked bool) {
	face, tint := tickFace, color.Color(grey)
	if asked {
		p.fill(ink, box.grown(1.7))
		face, tint = labelFace, ink
	}
	middle := (box.bottom+box.top)/2 - 3.3
	if len(by) == 0 {
		if !asked {
			p.fill(bandTone, box)
		}
		p.fill(white, box.grown(-0.7))
		p.text(face, tint, (box.left+box.right)/2, middle, 0.5, "0")
	}
	width := box.width() / vg.Length(max(1, len(by)))
	for i, key := range by {
		part := area{box.left + vg.Length(i)*width, box.bottom, box.left + vg.Length(i+1)*width, box.top}
		p.fill(tone[key].mark, part)
		p.text(labelFace, on(tone[key]), (part.left+part.right)/2, middle, 0.5, letter(key))
	}
}

// grown is the area with so much more on every side.
func (a area) grown(by vg.Length) area {
	return area{a.left - by, a.bottom - by, a.right + by, a.top + by}
}

// on is the colour of text that can be read on a mark: white, and ink on a light one.
func on(t tone) color.Color {
	if t == tones[4] {
		return ink
	}
	return white
}

// answer writes the verdict with a tick or a cross before it, and the reason below.
func (p pen) answer(s Step, a area) {
	const step = 11.5
	verdict := s.Verdict()
	why := cellFace.wrap(s.Why(), a.width(), 2)
	lines := len(why)
	if verdict != "" {
		lines++
	}
	y := (a.bottom+a.top)/2 + vg.Length(lines)*step/2 - 8.6
	if verdict != "" {
		tint := tones[2].text
		if s.Wrong() {
			tint = tones[1].text
		}
		p.judgement(tint, s.Wrong(), area{a.left, y - 0.5, a.left + 8, y + 7.5})
		p.text(labelFace, tint, a.left+12, y, 0, verdict)
		y -= step
	}
	for i, line := range why {
		p.text(cellFace, ink, a.left, y-vg.Length(i)*step, 0, line)
	}
}

// judgement draws a cross for wrong and a tick for right.
func (p pen) judgement(ink color.Color, wrong bool, a area) {
	if wrong {
		p.line(ink, 2, nil, vg.Point{X: a.left, Y: a.bottom}, vg.Point{X: a.right, Y: a.top})
		p.line(ink, 2, nil, vg.Point{X: a.left, Y: a.top}, vg.Point{X: a.right, Y: a.bottom})
		return
	}
	p.line(ink, 2, nil, vg.Point{X: a.left, Y: a.bottom + 4}, vg.Point{X: a.left + 3, Y: a.bottom + 1}, vg.Point{X: a.right, Y: a.top})
}

// stepsKey explains the cells and returns the y below.
func (p pen) stepsKey(keys []string, tone map[string]tone, a area) vg.Length {
	const size = 13
	x, y := a.left, a.top-size-4
	item := func(by []string, asked bool, text string) {
		p.cell(by, tone, area{x, y, x + size*1.3, y + size}, asked)
		x += size*1.3 + 6
		p.text(cellFace, ink, x, y+3.2, 0, text)
		x += cellFace.width(text) + 16
	}
	for _, key := range keys {
		item([]string{key}, false, "set by "+key)
	}
	item(keys, false, "shared by both")
	item(nil, false, "not set")
	item(nil, true, "framed: the row's key has this bit")
	return y - 7
}
