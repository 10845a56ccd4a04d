package reports

import (
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const gap, lo, hi = 12, 0, 240
		var want []vg.Length
		for _, x := range rapid.SliceOfN(rapid.Float64Range(lo, hi), 0, 15).Draw(t, "want") {
			want = append(want, vg.Length(x))
		}
		got := spread(want, gap, lo, hi)
		order := make([]int, len(want))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			if got[a] < got[b] {
				return -1
			}
			return 1
		})
		for i, k := range order {
			if got[k] < lo-1e-6 || got[k] > hi+1e-6 {
				t.Fatalf("label at %v, outside %v..%v", got[k], lo, hi)
			}
			if i == 0 {
				continue
			}
			before := order[i-1]
			if got[k]-got[before] < gap-1e-6 {
				t.Fatalf("labels %v and %v touch", got[before], got[k])
			}
			if want[before] > want[k] {
				t.Fatalf("labels changed places: %v and %v", want[before], want[k])
			}
		}
	})
}

func TestSpreadLeavesRoomAlone(t *testing.T) {
	want := []vg.Length{100, 20, 60}
	if got := spread(want, 12, 0, 240); !slices.Equal(got, want) {
		t.Errorf("labels with room were moved to %v from %v", got, want)
	}
}

// TestPlacer puts eight labels around one spot without an overlap.
func TestPlacer(t *testing.T) {
	pl := placer{bounds: area{0, 0, 500, 250}}
	spot := vg.Point{X: 250, Y: 120}
	pl.taken = append(pl.taken, area{spot.X - 6, spot.Y - 6, spot.X + 6, spot.Y + 6})
	var boxes []area
	for range 8 {
		box, _ := pl.place([]vg.Point{spot}, 60, 11)
		boxes = append(boxes, box)
	}
	for i, a := range boxes {
		if a.left < 0 || a.right > 500 || a.bottom < 0 || a.top > 250 {
			t.Errorf("label %d at %v leaves the panel", i, a)
		}
		for j, b := range boxes[:i] {
			if overlap(a, b) > 0 {
				t.Errorf("labels %d and %d overlap: %v and %v", i, j, a, b)
			}
		}
	}
}

func TestLooks(t *testing.T) {
	names := []string{"bloom", "counting", "cuckoo", "roaring", "partitioned", "classic", "map", "null",
		"counting:bits=2", "counting:bits=8", "blocked", "scalable", "split", "fuse", "sharded", "redis"}
	all := looks(names)
	seen := map[Look]string{}
	for _, name := range names {
		if other, twice := seen[all[name]]; twice {
			t.Errorf("%s looks like %s", name, other)
		}
		seen[all[name]] = name
	}
	if all["counting:bits=2"].Tone != all["counting"].Tone {
		t.Error("counting:bits=2 does not have the colour of counting")
	}
	for _, name := range names {
		if alone := looks([]string{name}); alone[name] != all[name] && known[name] == all[name] {
			t.Errorf("%s looks different when it is alone", name)
		}
	}
}

func TestWrap(t *testing.T) {
	text := "The FPR of bloom, counting, cuckoo and two others is what the formula predicts, within 0.8 %"
	lines := titleFace.wrap(text, 536, 2)
	if len(lines) != 2 {
		t.Fatalf("%d lines: %q", len(lines), lines)
	}
	if a, b := titleFace.width(lines[0]), titleFace.width(lines[1]); a > 536 || b > 536 || b < a/2 {
		t.Errorf("lines of %v and %v points are not even: %q", a, b, lines)
	}
	if got := titleFace.wrap(text+text+text, 536, 2); len(got) != 2 || titleFace.width(got[1]) > 536 {
		t.Errorf("too long a title became %q", got)
	}
}
