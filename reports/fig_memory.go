package reports

import (
	"fmt"
	"math"
)

var memoryFigure = Figure{
	Name:  "memory",
	Shows: "Bits per key held, of the filter's own table and as measured growth of the heap, beside what its formula predicts.",
	Keep: func(c Case) bool {
		bits, ok := c.BitsPerKey()
		heap, hasHeap := c.HeapPerKey()
		return !c.Yardstick() && (ok && bits > 0 || hasHeap && heap > 0)
	},
	Title: memoryTitle,
	Rows:  true,
	Panels: []Panel{{
		Width: 1,
		X:     Axis{Label: "bits per key held, log scale", Log: true},
		Theory: func(cases []Case) []Series {
			return []Series{{Mark: Tick, Points: modelSizes(cases)}}
		},
		Series: func(cases []Case) []Series {
			return append(eachCase(cases, positive(Case.BitsPerKey)), eachAs(cases, Hollow, positive(Case.HeapPerKey))...)
		},
		Columns: []Column{
			{"table", func(c Case) string { return fixedOr(c.BitsPerKey()) }},
			{"heap", func(c Case) string { return fixedOr(c.HeapPerKey()) }},
			{"formula", func(c Case) string {
				if bits, ok := c.ModelPerKey(); ok {
					return fixed(bits)
				}
				return "by keys"
			}},
			{"heap in all", func(c Case) string { return heapWhole(c) }},
		},
	}},
	Key: func(cases []Case) []KeyItem {
		return []KeyItem{{Mark: Dot, Text: "the filter's own table"}, {Mark: Hollow, Text: "growth of the heap, measured"},
			{Mark: Tick, Text: "formula (none where the size depends on the keys)"}}
	},
	CSV: func(cases []Case) [][]string {
		out := [][]string{{"variant", "workload", "n", "p", "held", "bits_per_key", "heap_bits_per_key", "model_bits_per_key"}}
		for _, c := range cases {
			out = append(out, append(caseCells(c), fmt.Sprint(c.Held()), optional(c.BitsPerKey()), optional(c.HeapPerKey()), optional(c.ModelPerKey())))
		}
		return out
	},
}

// positive makes points of a measurement that a log axis can show.
func positive(value func(Case) (float64, bool)) func(Case) (Point, bool) {
	return func(c Case) (Point, bool) {
		x, ok := value(c)
		return Point{X: x}, ok && x > 0
	}
}

func modelSizes(cases []Case) []Point {
	var out []Point
	for i, c := range cases {
		if bits, ok := c.ModelPerKey(); ok && bits > 0 {
			out = append(out, Point{X: bits, Y: float64(i)})
		}
	}
	return out
}

// heapWhole writes the measured growth of the heap in bytes.
func heapWhole(c Case) string {
	bits, ok := c.HeapPerKey()
	if !ok {
		return ""
	}
	return byteSize(bits * float64(c.Held()) / 8)
}

// footprint is the heap per key where it was measured, else the table.
func footprint(c Case) (float64, bool) {
	if heap, ok := c.HeapPerKey(); ok && heap > 0 {
		return heap, true
	}
	return c.BitsPerKey()
}

// memoryTitle names the smallest, ties within 1 % together, and the largest.
func memoryTitle(cases []Case) string {
	large, least, most := "", math.Inf(1), math.Inf(-1)
	for _, c := range cases {
		bits, ok := footprint(c)
		if !ok || bits <= 0 {
			continue
		}
		least = math.Min(least, bits)
		if bits > most {
			large, most = c.Variant, bits
		}
	}
	var small []string
	for _, c := range cases {
		if bits, ok := footprint(c); ok && bits > 0 && bits < 1.01*least {
			small = append(small, c.Variant)
		}
	}
	switch {
	case most < 1.01*least:
		return fmt.Sprintf("%s takes %s bits a key", list(small, 4), fixed(least))
	case len(small) == 1:
		return fmt.Sprintf("%s is the smallest at %s bits a key; %s takes %s bits, %s times as much",
			small[0], fixed(least), large, fixed(most), fewer(most/least))
	}
	return fmt.Sprintf("%s are the smallest at %s bits a key; %s takes %s bits, %s times as much",
		list(small, 4), fixed(least), large, fixed(most), fewer(most/least))
}
