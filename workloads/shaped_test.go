package workloads

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSequencesAsWritten(t *testing.T) {
	for shape, want := range map[string][3]string{ // number 123, the next one at stride 1000, number 10^13
		"decimal": {"123", "123000", "10000000000000"},
		"user":    {"user123", "user123000", "user10000000000000"},
		"zeros":   {"000000000123", "000000123000", "10000000000000"},
		"spaces":  {"123             ", "123000          ", "10000000000000  "},
		"be":      {"\x00\x00\x00\x00\x00\x00\x00\x7b", "\x00\x00\x00\x00\x00\x01\xe0\x78", "\x00\x00\x09\x18\x4e\x72\xa0\x00"},
		"le":      {"\x7b\x00\x00\x00\x00\x00\x00\x00", "\x78\xe0\x01\x00\x00\x00\x00\x00", "\x00\xa0\x72\x4e\x18\x09\x00\x00"},
		"uuid1": {"d0c3c07b-e6a4-11f0-b3a1-0242ac110002", "d0c5a078-e6a4-11f0-b3a1-0242ac110002",
			"1f366000-efbd-11f0-b3a1-0242ac110002"},
	} {
		s := sequence(slices.Index(sequenceNames, shape))
		one, thousand := newNumbered(1, s, 1), newNumbered(1, s, 1000)
		var got [3]string
		got[0] = string(one.key(123))
		got[1] = string(thousand.key(123))
		got[2] = string(one.key(1e13))
		if got != want {
			t.Errorf("%s: numbers 123, 123000 and 10^13 are written %q, want %q", shape, got, want)
		}
	}
}

// TestOrderedUUID: the time and the counter of a version 7 UUID follow from the number alone, so
// that keys are in order and none comes twice; the rest is drawn by the seed.
func TestOrderedUUID(t *testing.T) {
	pattern := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	for i, want := range map[uint64]string{0: "019b76da-a800-7000-", 63: "019b76da-a800-703f-", 64: "019b76da-a801-7000-"} {
		a, b := string(newNumbered(1, uuid7Keys, 1).key(i)), string(newNumbered(2, uuid7Keys, 1).key(i))
		if !pattern.MatchString(a) || !strings.HasPrefix(a, want) || a[:19] != b[:19] || a == b {
			t.Errorf("number %d is %s with seed 1 and %s with seed 2, want %s...", i, a, b, want)
		}
	}
	k := newNumbered(7, uuid7Keys, 1)
	last := ""
	for i := range uint64(10_000) {
		if key := string(k.key(i)); key <= last {
			t.Fatalf("number %d is %s, after %s", i, key, last)
		} else {
			last = key
		}
	}
}

// TestSequencesAreOneToOne draws pairs of numbers, near each other and far apart.
func TestSequencesAreOneToOne(t *testing.T) {
	for s, name := range sequenceNames {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			stride, most := rapid.Uint64Range(1, maxStride).Draw(t, "stride"), uint64(2*maxN)
			if sequence(s) == ipv4Keys {
				most = addresses - 1
			}
			k := newNumbered(1, sequence(s), stride)
			a := rapid.Uint64Max(most/stride).Draw(t, "a")
			b := min(most/stride, rapid.OneOf(rapid.Uint64Max(most/stride), rapid.Just(a+1), rapid.Just(a*10)).Draw(t, "b"))
			if first := string(k.key(a)); a != b && first == string(k.key(b)) {
				t.Fatalf("%d and %d are both written %q", a, b, first)
			}
		}))
	}
}

// TestShapedKeys holds the workload against an exact set, in every shape.
func TestShapedKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := fmt.Sprintf("shaped-keys:shape=%s,stride=%d", rapid.SampledFrom(sequenceNames).Draw(t, "shape"),
			rapid.Uint64Range(1, 5000).Draw(t, "stride"))
		w, err := Parse(t.Context(), text, rapid.Uint64Range(1, 400).Draw(t, "n"), ReplayOptions{})
		if err != nil {
			t.Fatal(err)
		}
		checkWorkload(t, w, rapid.Uint64().Draw(t, "seed"), NeverSeen)
	})
	w := mustParse(t, "shaped-keys:shape=user", 3)
	if got := collect(t, w.Lookup(1, Mix{Strangers: 2, SkipStrangers: 1})); got[0].key != "user4" || got[1].key != "user5" {
		t.Errorf("the second and third stranger after user0..user2 are %v", got)
	}
	for _, shape := range sequenceNames {
		w := mustParse(t, "shaped-keys:shape="+shape, 50)
		if same := slices.Equal(collect(t, w.Load(1)), collect(t, w.Load(2))); same != w.Fixed {
			t.Errorf("%s: seeds 1 and 2 load the same keys: %v; the workload says %v", shape, same, w.Fixed)
		}
	}
	for text, want := range map[string]string{
		"shaped-keys:stride=1024":            "n = 10000000000000 in steps of 1024",
		"shaped-keys:shape=ipv4":             "leaves no stranger among 2^32 addresses",
		"shaped-keys:shape=ipv4,stride=4096": "",
	} {
		n := uint64(1e13)
		if want == "" {
			n = 1 << 19
		}
		if w, err := Parse(t.Context(), text, n, ReplayOptions{}); want != "" {
			checkInputError(t, text, err, want)
		} else if got := collect(t, w.Lookup(1, Mix{Strangers: 10, SkipStrangers: 1<<19 - 4})); err != nil || w.Strangers != 1<<19 || len(got) != 4 {
			t.Errorf("%s: %d strangers on offer, the last %d of them asked, %v", text, w.Strangers, len(got), err)
		}
	}
}

// TestShapesNeedNoMemory runs the start of a stream over 10^9 keys and counts allocations.
func TestShapesNeedNoMemory(t *testing.T) {
	for _, shape := range sequenceNames {
		w := mustParse(t, "shaped-keys:shape="+shape, 1e9)
		allocs := testing.AllocsPerRun(1, func() {
			left := 10_000
			for range w.Lookup(1, Mix{Members: 1e9, Strangers: 1e9}) {
				if left--; left == 0 {
					break
				}
			}
		})
		if allocs > 15 {
			t.Errorf("%s: 10,000 lookups make %g allocations", shape, allocs)
		}
	}
}
