package reports

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"filterlab/filters/theory"
	"filterlab/harness/evenness"
)

// occupancyFigure is the picture of the imbalance: how full each range of the table is, for the good
// hash and, below it on the same keys, for the hash whose bits lie least evenly; then the least even
// of the other weak hashes.
func occupancyFigure(s HashStudy) (sheet, bool) {
	shown := s.uneven()
	if len(shown) < 2 {
		return sheet{}, false
	}
	worst := shown[1]
	out := sheet{tall: 100 + vg.Length(len(shown))*84}
	out.Data = Data{
		Name: "hash-occupancy", Figure: "hash-occupancy", Workload: "hash",
		Shows: "How full each range of a filter's table is, for the good hash and for hashes whose bits pile up.",
		Title: fmt.Sprintf("Given %s, %s spreads its bits evenly over the table and %s piles them up",
			shapeWords(worst.Workload), s.hashOf(shown[0]), s.hashOf(worst)),
		Subtitle: fmt.Sprintf("fill ratio in %s ranges of the table, from its first bit to its last · n = %s, p = %s, one filter each · bars start at what an ideal hash gives; dashed: 4 standard deviations · scales differ",
			count(uint64(worst.DF)), count(worst.N), percent(worst.Target)),
		Footer: footer(s.Results),
		CSV:    s.occupancyCSV(shown),
	}
	out.body = func(p pen, box area) {
		height := (box.height() - 12) / vg.Length(len(shown))
		for i, row := range shown {
			top := box.top - vg.Length(i)*height
			p.occupancy(s, row, area{box.left, top - height, box.right, top}, i == len(shown)-1)
		}
	}
	return out, true
}

func (s HashStudy) hashOf(row evenness.Row) string { return s.Hashes[s.indexHash(row.Variant)].Name }

// uneven picks what the picture shows: the good hash on the keys of the worst combination, that
// combination, and of each other hash with uneven bits its worst one, three in all at most. How uneven
// is told by the spread alone, since a table with hardly a bit set has nothing to show.
func (s HashStudy) uneven() []evenness.Row {
	worst := map[int]evenness.Row{}
	var order []int
	for _, row := range s.Tables {
		hash := s.indexHash(row.Variant)
		if hash < 1 || s.indexShape(row.Workload) < 0 || row.Adjusted >= evenLevel {
			continue
		}
		if old, ok := worst[hash]; !ok || row.Spread > old.Spread {
			worst[hash] = row
		}
		if !slices.Contains(order, hash) {
			order = append(order, hash)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case worst[a].Spread > worst[b].Spread:
			return -1
		case worst[a].Spread < worst[b].Spread:
			return 1
		}
		return 0
	})
	if len(order) == 0 {
		return nil
	}
	good, ok := s.table(0, s.indexShape(worst[order[0]].Workload))
	if !ok {
		return nil
	}
	out := []evenness.Row{good}
	const most = 3
	for _, hash := range order[:min(most, len(order))] {
		out = append(out, worst[hash])
	}
	return out
}

func (s HashStudy) occupancyCSV(rows []evenness.Row) [][]string {
	out := [][]string{{"hash", "shape", "variant", "workload", "n", "p", "range", "bits", "ones", "fill", "expected_fill", "sd"}}
	for _, r := range rows {
		for i := range r.Bits {
			out = append(out, []string{s.hashOf(r), shapeLabel(r.Workload), r.Variant, r.Workload, fmt.Sprint(r.N), plain(r.Target),
				fmt.Sprint(i), fmt.Sprint(r.Bits[i]), fmt.Sprint(r.Ones[i]), plain(float64(r.Ones[i]) / float64(r.Bits[i])),
				plain(r.Expected), plain(rangeSD(r, i))})
		}
	}
	return out
}

// occupancy draws one table: its name and test, and a bar for each range from the fill ratio expected
// to the one seen.
func (p pen) occupancy(s HashStudy, r evenness.Row, a area, last bool) {
	body := area{a.left + 34, a.bottom + 14, a.right, a.top - 20}
	title, tone := s.hashOf(r)+", "+shapeWords(r.Workload), tones[1]
	if r.Adjusted >= evenLevel {
		tone = tones[0]
	}
	p.text(headFace, tone.text, a.left, a.top-12, 0, title)
	p.text(cellFace, ink, a.left+headFace.width(title)+10, a.top-12, 0, testText(r))
	scale, sd := fillScale(r), rangeSD(r, 0)
	for _, t := range scale.Ticks {
		y := body.y(scale, t.At)
		p.line(grid, 0.7, nil, vg.Point{X: body.left, Y: y}, vg.Point{X: body.right, Y: y})
		p.text(tickFace, ink, body.left-5, y-3, 1, t.Label)
	}
	step, base := body.width()/vg.Length(len(r.Bits)), body.y(scale, r.Expected)
	for i := range r.Bits {
		left, level := body.left+vg.Length(i)*step, body.y(scale, float64(r.Ones[i])/float64(r.Bits[i]))
		p.fill(tone.mark, area{left, min(base, level), left + step + 0.1, max(base, level)})
	}
	for _, x := range []float64{-4, 0, 4} {
		y, width, dash := body.y(scale, r.Expected+x*sd), vg.Length(0.7), []vg.Length{2, 2}
		if x == 0 {
			dash = nil
		}
		p.line(ink, width, dash, vg.Point{X: body.left, Y: y}, vg.Point{X: body.right, Y: y})
	}
	if !last {
		return
	}
	for i := range 5 {
		x := body.left + body.width()*vg.Length(i)/4
		p.text(tickFace, ink, x, body.bottom-11, float64(i)/4, fmt.Sprintf("%d %%", 25*i))
	}
	p.text(axisFace, ink, (body.left+body.right)/2, body.bottom-24, 0.5, "position in the table")
}

// fillScale reaches from the lowest to the highest fill ratio of a range, at least 8 standard
// deviations to either side of the one expected.
func fillScale(r evenness.Row) Scale {
	const least = 8
	lo, hi := r.Expected-least*rangeSD(r, 0), r.Expected+least*rangeSD(r, 0)
	for i := range r.Bits {
		f := float64(r.Ones[i]) / float64(r.Bits[i])
		lo, hi = min(lo, f), max(hi, f)
	}
	lo, hi = max(0, lo), min(1, hi)
	scale := Scale{Min: lo, Max: hi}
	for _, y := range []float64{lo, r.Expected, hi} {
		scale.Ticks = append(scale.Ticks, AxisTick{y, fmt.Sprintf("%.0f %%", 100*y)})
	}
	return scale
}

// testText tells the test of a table.
func testText(r evenness.Row) string {
	p := "p < 1e-99"
	if r.Adjusted >= 1e-99 {
		p = "p = " + digits(r.Adjusted, 2)
	}
	return fmt.Sprintf("%s of the bits set, expected %s · chi-square %s on %d, %s", precise(r.Fill), precise(r.Expected), count(uint64(math.Round(r.Chi2))), r.DF, p)
}

// rangeSD returns the standard deviation of the fill ratio of range i under an ideal hash: that of the
// range's share of the bits, and that of the whole.
func rangeSD(r evenness.Row, i int) float64 {
	mean, sd := theory.BloomFill(float64(sum(r.Bits)), float64(r.K), float64(r.Keys))
	share := 1 - float64(r.Bits[i])/float64(sum(r.Bits))
	return math.Sqrt(mean*(1-mean)*share/float64(r.Bits[i]) + sd*sd)
}

func sum(xs []uint64) (total uint64) {
	for _, x := range xs {
		total += x
	}
	return total
}
