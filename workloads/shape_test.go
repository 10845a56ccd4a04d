package workloads

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var uuidPattern = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// idOf reads the id back from a key, which shows that no two ids have the same key.
func idOf(s shape, key string) (uint64, error) {
	switch s {
	case rawShape:
		if len(key) != 8 {
			return 0, fmt.Errorf("%q has not 8 bytes", key)
		}
		return binary.BigEndian.Uint64([]byte(key)), nil
	case uuidShape:
		if !uuidPattern.MatchString(key) {
			return 0, fmt.Errorf("%q is no version 4 UUID", key)
		}
		digits := strings.ReplaceAll(key, "-", "")
		id, err := strconv.ParseUint(digits[:12]+digits[13:16], 16, 64)
		variant, _ := strconv.ParseUint(digits[16:18], 16, 8)
		return id<<4 | variant>>2&0xf, err
	case urlShape:
		head, ok := strings.CutPrefix(key, urlHead)
		tail, ok2 := strings.CutSuffix(head, urlTail)
		if !ok || !ok2 {
			return 0, fmt.Errorf("%q has another head or tail", key)
		}
		key = tail
	}
	if len(key) != 16 || strings.ToLower(key) != key {
		return 0, fmt.Errorf("%q has not 16 lowercase digits", key)
	}
	return strconv.ParseUint(key, 16, 64)
}

func TestShapesKeepTheID(t *testing.T) {
	for i, name := range shapeNames {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			id := rapid.Uint64().Draw(t, "id")
			k := newIDs(1, shape(i))
			got, err := idOf(shape(i), string(k.write(id)))
			if err != nil || got != id {
				t.Fatalf("id %#x is written %q, which reads back as %#x, %v", id, k.write(id), got, err)
			}
		}))
	}
}

func TestShapesAsWritten(t *testing.T) {
	for i, want := range []string{
		"0123456789abcdef",
		"\x01\x23\x45\x67\x89\xab\xcd\xef",
		"01234567-89ab-4cde-b",
		"https://www.example.com/items/0123456789abcdef.htm",
	} {
		k := newIDs(1, shape(i))
		if got := string(k.write(0x0123456789abcdef)); !strings.HasPrefix(got, want) || (shape(i) != uuidShape && got != want) {
			t.Errorf("shape %s writes %q, want %q", shapeNames[i], got, want)
		}
	}
}

// TestMemberAndStrangerNeverMeet reads keys back to numbers: members are even, strangers odd.
func TestMemberAndStrangerNeverMeet(t *testing.T) {
	for i, name := range shapeNames {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			seed := rapid.Uint64().Draw(t, "seed")
			k, at := newIDs(seed, shape(i)), rapid.Uint64Max(1<<63-1).Draw(t, "i")
			m, err := idOf(shape(i), string(k.member(at)))
			if err != nil || k.preimage(m) != 2*at {
				t.Fatalf("member %d comes from %d, %v", at, k.preimage(m), err)
			}
			s, err := idOf(shape(i), string(k.stranger(at)))
			if err != nil || k.preimage(s) != 2*at+1 {
				t.Fatalf("stranger %d comes from %d, %v", at, k.preimage(s), err)
			}
		}))
	}
}

// TestUUIDTailsDiffer shows that the part of a UUID that does not hold the id varies with it.
func TestUUIDTailsDiffer(t *testing.T) {
	k, tails := newIDs(1, uuidShape), map[string]bool{}
	for i := range uint64(10_000) {
		tails[string(k.member(i)[24:])] = true
	}
	if len(tails) != 10_000 { // 48 bits: a collision has a probability of 2e-7
		t.Errorf("10,000 UUIDs have %d last groups", len(tails))
	}
}
