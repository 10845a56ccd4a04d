package reports

import (
	"image"
	"image/color"
	"testing"
)

func TestPaletteKeepsAreas(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 40, 40))
	for y := range 40 {
		for x := range 40 {
			img.Set(x, y, tones[y/5].mark)
		}
		img.Set(0, y, color.RGBA{uint8(6 * y), uint8(6 * y), uint8(6 * y), 0xFF})
	}
	got := withPalette(img)
	if got == nil {
		t.Fatal("no palette for a few colours")
	}
	for y := range 40 {
		if r, want := got.At(20, y), color.RGBAModel.Convert(tones[y/5].mark); r != want {
			t.Errorf("line %d is %v, want %v", y, r, want)
		}
		a, b := img.RGBAAt(0, y), got.At(0, y).(color.RGBA)
		if off := int(a.R) - int(b.R); off <= -shades || off >= shades {
			t.Errorf("grey %d became %d", a.R, b.R)
		}
	}
}

func TestPaletteRefusesManyColours(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 32, 32))
	for y := range 32 {
		for x := range 32 {
			img.Set(x, y, color.RGBA{uint8(8 * x), uint8(8 * y), uint8(4 * (x + y)), 0xFF})
		}
	}
	if withPalette(img) != nil {
		t.Error("a palette for more colours than it holds")
	}
}
