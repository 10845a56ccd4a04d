package reports

import (
	"image"
	"image/color"
	"image/png"
	"io"
)

// writeImage writes a picture as PNG, with a palette where that loses next to nothing: the edges of
// letters have many shades, and without them the file is a third of the size.
func writeImage(w io.Writer, img image.Image) error {
	if small := withPalette(img); small != nil {
		img = small
	}
	return png.Encode(w, img)
}

// shades is the number of colours that count as one along each of red, green and blue, of 256.
const shades = 16

// withPalette returns the picture in at most 256 colours, each less than shades off in red, green and
// blue, or nil where they do not suffice. Colours that fill areas stay what they are.
func withPalette(img image.Image) *image.Paletted {
	counts := map[color.RGBA]int{}
	eachRun(img, func(c color.RGBA, _, _, n int) { counts[c] += n })
	best := map[color.RGBA]color.RGBA{} // the most frequent colour of each group
	for c, n := range counts {
		b, ok := best[group(c)]
		if !ok || n > counts[b] || n == counts[b] && less(c, b) {
			best[group(c)] = c
		}
	}
	if len(best) > 256 {
		return nil
	}
	out := image.NewPaletted(img.Bounds(), nil)
	index := map[color.RGBA]uint8{}
	eachRun(img, func(c color.RGBA, x, y, n int) {
		at, ok := index[group(c)]
		if !ok {
			at = uint8(len(out.Palette))
			index[group(c)] = at
			out.Palette = append(out.Palette, best[group(c)])
		}
		start := out.PixOffset(x, y)
		for i := range n {
			out.Pix[start+i] = at
		}
	})
	return out
}

// eachRun calls visit for every longest run of n dots of one colour in a line, from x to the right.
func eachRun(img image.Image, visit func(c color.RGBA, x, y, n int)) {
	bounds := img.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		start, run := bounds.Min.X, rgbaAt(img, bounds.Min.X, y)
		for x := start + 1; x < bounds.Max.X; x++ {
			if c := rgbaAt(img, x, y); c != run {
				visit(run, start, y, x-start)
				start, run = x, c
			}
		}
		visit(run, start, y, bounds.Max.X-start)
	}
}

func rgbaAt(img image.Image, x, y int) color.RGBA {
	if rgba, ok := img.(*image.RGBA); ok {
		return rgba.RGBAAt(x, y)
	}
	return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
}

// group is the same for colours that count as one.
func group(c color.RGBA) color.RGBA {
	return color.RGBA{c.R / shades, c.G / shades, c.B / shades, c.A}
}

func less(a, b color.RGBA) bool {
	if a.R != b.R {
		return a.R < b.R
	}
	if a.G != b.G {
		return a.G < b.G
	}
	return a.B < b.B
}
