package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Verdict is the answer to an ask, and whether it is wrong; empty for other steps.
func (s Step) Verdict() string {
	word := "absent"
	switch {
	case s.Do != "ask":
		return ""
	case s.Maybe():
		word = "maybe"
	}
	if s.Wrong() {
		word += ", and wrong"
	}
	return word
}

// Why tells what the step does to the table, or why the filter answers as it does.
func (s Step) Why() string {
	switch {
	case s.Do == "add" && len(s.Old) > 0:
		fresh := slices.DeleteFunc(slices.Clone(s.At), func(i int) bool { return slices.Contains(s.Old, i) })
		return fmt.Sprintf("sets %s; %s is set already", bits(fresh), bits(s.Old))
	case s.Do == "add":
		return "sets " + bits(s.At)
	case s.Do == "delete":
		why := "clears " + bits(s.At)
		for _, i := range s.At {
			if keys := s.Loses[i]; len(keys) > 0 {
				why += fmt.Sprintf("; %d was also set by %s", i, list(keys, len(keys)))
			}
		}
		return why
	case s.Maybe():
		var parts []string
		for _, i := range s.At {
			parts = append(parts, fmt.Sprintf("%d by %s", i, list(s.By[i], len(s.By[i]))))
		}
		return strings.Join(parts, ", ")
	case s.Wrong():
		return fmt.Sprintf("%s is 0, so %s is lost", bits(s.Zeros), s.Key)
	}
	return bits(s.Zeros) + " is 0"
}

// Answer is the verdict, if there is one, and the reason.
func (s Step) Answer() string {
	if v := s.Verdict(); v != "" {
		return v + ": " + s.Why()
	}
	return s.Why()
}

// bits names bits: bit 7; bits 3 and 14.
func bits(at []int) string {
	var words []string
	for _, i := range at {
		words = append(words, strconv.Itoa(i))
	}
	if len(at) == 1 {
		return "bit " + words[0]
	}
	return "bits " + list(words, len(words))
}

// setters lists the keys that were added, in their order.
func setters(steps []Step) []string {
	var out []string
	for _, s := range steps {
		if s.Do == "add" {
			out = append(out, s.Key)
		}
	}
	return out
}

// letter is how a cell of the table names the key that set it.
func letter(key string) string { return strings.ToUpper(key[:1]) }

// WorkedText writes the steps as a table for a terminal, at most 78 columns wide.
func WorkedText(steps []Step) string {
	var b strings.Builder
	fmt.Fprintf(&b, "A Bloom filter by hand: m = %d bits, k = %d bits a key.\n", workedBits, len(steps[0].At))
	for _, key := range setters(steps) {
		fmt.Fprintf(&b, "%s: set by %s. ", letter(key), key)
	}
	fmt.Fprintf(&b, "0: not set. [ ]: a bit of the row's key.\n\n%-14s", "")
	for i := range workedBits {
		fmt.Fprintf(&b, "%3d", i)
		if i < workedBits-1 {
			b.WriteByte(' ')
		}
	}
	for _, s := range steps {
		line := fmt.Sprintf("%-14s", s.Do+" "+s.Key)
		for i := range workedBits {
			line += s.cell(i)
		}
		fmt.Fprintf(&b, "\n%s\n    %s\n", strings.TrimRight(line, " "), s.Answer())
	}
	return b.String()
}

// cell is a bit of the table in four columns of text.
func (s Step) cell(i int) string {
	text := ""
	for _, key := range s.By[i] {
		text += letter(key)
	}
	if !s.Set[i] {
		text = "0"
	}
	if slices.Contains(s.At, i) {
		return fmt.Sprintf("%4s", "["+text+"]")
	}
	return fmt.Sprintf("%3s ", text)
}

// WorkedPicture is the picture of the steps.
func WorkedPicture(steps []Step) Data {
	d := Data{
		Name:  "worked-example",
		Shows: "A Bloom filter of 16 bits, step by step: a right answer, a false positive, and a key lost by a delete.",
		Title: workedTitle(steps),
		Subtitle: fmt.Sprintf("m = %d bits, k = %d bits a key. Each row is the table after one step; the number of a bit stands above its cell.",
			workedBits, len(steps[0].At)),
		Footer: []string{
			"Nothing is measured and nothing is random: the positions are chosen by hand in the place of hashes, so every machine draws the same picture.",
			"lab example",
		},
		Steps: steps,
		CSV:   [][]string{{"step", "do", "key", "positions", "bits_after", "set_by", "answer", "held", "why"}},
	}
	for i, s := range steps {
		d.CSV = append(d.CSV, append([]string{strconv.Itoa(i + 1)}, s.record()...))
	}
	return d
}

// record is the step's line of the CSV without its number; bits_after starts with bit 0.
func (s Step) record() []string {
	var at, by []string
	for _, i := range s.At {
		at = append(at, strconv.Itoa(i))
	}
	table := ""
	for i, set := range s.Set {
		if !set {
			table += "0"
			continue
		}
		table += "1"
		by = append(by, fmt.Sprintf("%d:%s", i, strings.Join(s.By[i], "+")))
	}
	answer, held := "", ""
	if s.Do == "ask" {
		answer, _, _ = strings.Cut(s.Verdict(), ",")
		held = strconv.FormatBool(s.Held)
	}
	return []string{s.Do, s.Key, strings.Join(at, " "), table, strings.Join(by, " "), answer, held, s.Why()}
}

// workedTitle states what goes wrong in the steps.
func workedTitle(steps []Step) string {
	var parts []string
	deleted := ""
	for _, s := range steps {
		switch {
		case s.Do == "delete":
			deleted = s.Key
		case s.Wrong() && s.Maybe():
			parts = append(parts, fmt.Sprintf("%s, never added, seems to be there", s.Key))
		case s.Wrong():
			parts = append(parts, fmt.Sprintf("deleting %s by clearing its bits loses %s", deleted, s.Key))
		}
	}
	return "Bits are shared: " + strings.Join(parts, ", and ")
}
