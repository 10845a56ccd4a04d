package reports

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg/recorder"
	"pgregory.net/rapid"
)

// bitsAfter writes the table with bit 0 first.
func bitsAfter(s Step) string { return s.record()[3] }

func TestWorkedExample(t *testing.T) {
	const both = "1:apple 3:banana 6:apple+banana 12:apple 14:banana"
	want := []struct {
		do, key, table, by string
		maybe, held, wrong bool
		answer             string
	}{
		{"add", "apple", "0100001000001000", "1:apple 6:apple 12:apple", false, false, false,
			"sets bits 1, 6 and 12"},
		{"add", "banana", "0101001000001010", both, false, false, false,
			"sets bits 3 and 14; bit 6 is set already"},
		{"ask", "kiwi", "0101001000001010", both, false, false, false,
			"absent: bit 7 is 0"},
		{"ask", "mango", "0101001000001010", both, true, false, true,
			"maybe, and wrong: 1 by apple, 6 by apple and banana, 14 by banana"},
		{"delete", "banana", "0100000000001000", "1:apple 12:apple", false, false, false,
			"clears bits 3, 6 and 14; 6 was also set by apple"},
		{"ask", "apple", "0100000000001000", "1:apple 12:apple", false, true, true,
			"absent, and wrong: bit 6 is 0, so apple is lost"},
	}
	positions := map[string][]int{"apple": {1, 6, 12}, "banana": {3, 6, 14}, "kiwi": {1, 7, 12}, "mango": {1, 6, 14}}
	steps := WorkedExample()
	if len(steps) != len(want) {
		t.Fatalf("%d steps, want %d", len(steps), len(want))
	}
	for i, s := range steps {
		w := want[i]
		if s.Do != w.do || s.Key != w.key || !slices.Equal(s.At, positions[w.key]) {
			t.Errorf("step %d: %s %s at %v, want %s %s at %v", i+1, s.Do, s.Key, s.At, w.do, w.key, positions[w.key])
		}
		if bitsAfter(s) != w.table || s.record()[4] != w.by {
			t.Errorf("step %d: table %s set by %s, want %s set by %s", i+1, bitsAfter(s), s.record()[4], w.table, w.by)
		}
		if s.Maybe() != w.maybe || s.Held != w.held || s.Wrong() != w.wrong {
			t.Errorf("step %d: maybe %v, held %v, wrong %v; want %v, %v, %v", i+1, s.Maybe(), s.Held, s.Wrong(), w.maybe, w.held, w.wrong)
		}
		if s.Answer() != w.answer {
			t.Errorf("step %d: %q, want %q", i+1, s.Answer(), w.answer)
		}
	}
}

// TestBit6Alone clears nothing but the shared bit: that is enough to lose both keys.
func TestBit6Alone(t *testing.T) {
	f := handFilter{held: map[string][]int{}}
	f.add("apple", []int{1, 6, 12})
	f.add("banana", []int{3, 6, 14})
	for key, at := range f.held {
		if s := f.ask(key, at); !s.Maybe() || s.Wrong() || s.Verdict() != "maybe" {
			t.Errorf("before: %s is %q", key, s.Verdict())
		}
	}
	f.remove("", []int{6})
	for key, at := range f.held {
		s := f.ask(key, at)
		if !s.Wrong() || !slices.Equal(s.Zeros, []int{6}) {
			t.Errorf("after: %s is %q because of bits %v", key, s.Verdict(), s.Zeros)
		}
	}
}

// TestTableIsABloomFilter adds any keys: all are found, and an answer of absent is always right.
func TestTableIsABloomFilter(t *testing.T) {
	positions := rapid.SliceOfNDistinct(rapid.IntRange(0, workedBits-1), 3, 3, rapid.ID[int])
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(positions, 0, 6).Draw(t, "keys")
		f := handFilter{held: map[string][]int{}}
		for i, at := range keys {
			f.add(string(rune('a'+i)), at)
		}
		for key, at := range f.held {
			if s := f.ask(key, at); !s.Maybe() {
				t.Fatalf("%s at %v is absent", key, at)
			}
		}
		s := f.ask("stranger", positions.Draw(t, "stranger"))
		if !s.Maybe() && s.Wrong() {
			t.Fatalf("a stranger is wrongly absent: %+v", s)
		}
		for i, set := range f.set {
			if set != (len(f.by[i]) > 0) {
				t.Fatalf("bit %d is %v, set by %v", i, set, f.by[i])
			}
		}
	})
}

func TestWorkedText(t *testing.T) {
	text := WorkedText(WorkedExample())
	for _, want := range []string{
		"ask kiwi        0  [A]  0   B   0   0  AB  [0]  0   0   0   0  [A]  0   B   0\n    absent: bit 7 is 0\n",
		"ask mango       0  [A]  0   B   0   0 [AB]  0   0   0   0   0   A   0  [B]  0\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); len(line) > 78 || strings.TrimRight(line, " ") != line {
			t.Errorf("a line of %d columns, or one that ends in a space: %q", len(line), line)
		}
	}
}

// TestWorkedPictureFits draws the picture: every text lies on the page, and none is cut short.
func TestWorkedPictureFits(t *testing.T) {
	d := WorkedPicture(WorkedExample())
	var c recorder.Canvas
	d.Draw(&c, pageW, pageH)
	words := ""
	for _, action := range c.Actions {
		s, ok := action.(*recorder.FillString)
		if !ok {
			continue
		}
		face := fonts.Lookup(s.Font, s.Size)
		if left, right := s.Point.X, s.Point.X+face.Width(s.String); left < margin || right > pageW-margin+0.01 {
			t.Errorf("%q lies at %v to %v on a page of %v", s.String, left, right, pageW)
		}
		words += s.String + " "
	}
	for _, s := range d.Steps {
		if !strings.Contains(words, s.Verdict()) || !strings.Contains(words, s.Why()) {
			t.Errorf("the picture does not say %q in whole", s.Answer())
		}
	}
	var csv bytes.Buffer
	if err := d.WriteCSV(&csv); err != nil || strings.Count(csv.String(), "\n") != 1+len(d.Steps) {
		t.Errorf("%v, CSV:\n%s", err, csv.String())
	}
}
