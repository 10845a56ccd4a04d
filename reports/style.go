package reports

import (
	"hash/fnv"
	"image/color"
	"math"
	"slices"
	"strings"

	"golang.org/x/image/font"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
)

// Colours of everything that is not a filter.
var (
	ink      = rgb(0x222222)
	grey     = rgb(0x6A6A6A)
	grid     = rgb(0xE6E6E6)
	bandTone = rgb(0xD9D9D9)
	restTone = rgb(0xDDDDDD)
	white    = rgb(0xFFFFFF)
)

// A tone is a colour for marks and its darker companion for text.
type tone struct{ mark, text color.Color }

// tones is the Okabe-Ito palette without its yellow, then ink and grey.
var tones = []tone{
	{rgb(0x0072B2), rgb(0x0072B2)},
	{rgb(0xD55E00), rgb(0xC25600)},
	{rgb(0x009E73), rgb(0x008662)},
	{rgb(0xCC79A7), rgb(0xA36186)},
	{rgb(0xE69F00), rgb(0x9C6C00)},
	{rgb(0x56B4E9), rgb(0x3B7CA1)},
	{ink, ink},
	{rgb(0x8A8A8A), grey},
}

// The glyphs, all of about the same weight.
const (
	circle = iota
	square
	diamond
	up
	down
	pentagon
	plus
	cross
	glyphs // their number
)

// A Look is how a variant is drawn in every picture: indices of its colour and its glyph.
type Look struct{ Tone, Glyph int }

// known gives the built-in variants their looks.
var known = map[string]Look{
	"bloom":       {0, circle},
	"counting":    {1, square},
	"cuckoo":      {2, diamond},
	"roaring":     {3, up},
	"partitioned": {4, down},
	"classic":     {5, pentagon},
	"map":         {6, cross},
	"null":        {7, plus},
}

// looks gives every variant a look of its own, the same whatever else is drawn beside it as long
// as there is room. A variant with knobs keeps the colour of its family.
func looks(variants []string) map[string]Look {
	out, used := map[string]Look{}, map[Look]bool{}
	for _, l := range known {
		used[l] = true
	}
	names := slices.Clone(variants)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if l, ok := known[name]; ok {
			out[name] = l
			continue
		}
		l := freeLook(name, used)
		out[name], used[l] = l, true
	}
	return out
}

// freeLook picks an unused look by the hash of the name; where all are used, it repeats one.
func freeLook(name string, used map[Look]bool) Look {
	h := fnv.New32a()
	h.Write([]byte(name))
	start := int(h.Sum32() % uint32(glyphs*len(tones)))
	family, _, _ := strings.Cut(name, ":")
	base, related := known[family]
	for i := range glyphs * len(tones) {
		at := (start + i) % (glyphs * len(tones))
		l := Look{at % len(tones), at / len(tones)}
		if related && i < glyphs {
			l = Look{base.Tone, (start + i) % glyphs}
		}
		if !used[l] {
			return l
		}
	}
	return Look{start % len(tones), start / len(tones)}
}

// dash returns the dash pattern that goes with a look, so that lines differ without colour.
func (l Look) dash() []vg.Length {
	return [][]vg.Length{nil, {6, 2}, {2, 2}, {8, 2, 2, 2}, {4, 2}, {10, 3}, {1, 2}, {6, 2, 1, 2, 1, 2}}[l.Glyph%glyphs]
}

// A typeface is a size and weight of Liberation Sans.
type typeface struct {
	size vg.Length
	bold bool
}

var (
	titleFace  = typeface{13, true}
	subFace    = typeface{9.5, false}
	headFace   = typeface{10, true}
	axisFace   = typeface{10, false}
	tickFace   = typeface{9, false}
	labelFace  = typeface{9.5, true}
	cellFace   = typeface{9, false}
	footerFace = typeface{7.5, false}
)

var fonts = plotfont.NewCache(liberation.Collection())

func (t typeface) face() plotfont.Face {
	f := plotfont.Font{Typeface: "Liberation", Variant: "Sans"}
	if t.bold {
		f.Weight = font.WeightBold
	}
	return fonts.Lookup(f, t.size)
}

func (t typeface) width(text string) vg.Length {
	face := t.face()
	return face.Width(text)
}

// wrap breaks text into at most max lines no wider than limit; what does not fit ends in "...".
func (t typeface) wrap(text string, limit vg.Length, max int) []string {
	lines := t.fillLines(text, limit)
	for even := limit * 0.95; len(lines) > 1 && len(lines) <= max && even > limit/3; even *= 0.95 {
		shorter := t.fillLines(text, even)
		if len(shorter) > len(lines) {
			break
		}
		lines = shorter // as many lines, of more even length
	}
	if len(lines) > max {
		lines = append(lines[:max-1], strings.Join(lines[max-1:], " "))
	}
	for i := range lines {
		lines[i] = t.clip(lines[i], limit)
	}
	return lines
}

// fillLines breaks text at spaces into lines no wider than limit, each as long as it can be.
func (t typeface) fillLines(text string, limit vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range glued(strings.Fields(text)) {
		next := strings.TrimSpace(line + " " + word)
		if line != "" && t.width(next) > limit {
			lines = append(lines, line)
			next = word
		}
		line = next
	}
	return append(lines, line)
}

// glued keeps a percent sign with its number.
func glued(words []string) []string {
	var out []string
	for _, w := range words {
		if strings.HasPrefix(w, "%") && len(out) > 0 {
			out[len(out)-1] += " " + w
			continue
		}
		out = append(out, w)
	}
	return out
}

// clip shortens text to limit, its end replaced by "...".
func (t typeface) clip(text string, limit vg.Length) string {
	if t.width(text) <= limit {
		return text
	}
	runes := []rune(text)
	for len(runes) > 1 && t.width(string(runes)+"...") > limit {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "..."
}

func rgb(hex uint32) color.Color {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xFF}
}

// finite reports whether x can be drawn and written.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
