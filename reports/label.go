package reports

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// spread moves positions apart so that neighbours are at least gap from each other and all lie
// between lo and hi if they fit, each as near as that allows to where it wants to be.
func spread(want []vg.Length, gap, lo, hi vg.Length) []vg.Length {
	order := make([]int, len(want))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case want[a] < want[b]:
			return -1
		case want[a] > want[b]:
			return 1
		}
		return 0
	})
	// Runs of touching labels; each is centred on the mean of what its members want.
	type run struct {
		first, n int
		mid      vg.Length
	}
	var runs []run
	place := func(r run) (bottom, top vg.Length) {
		half := gap * vg.Length(r.n-1) / 2
		mid := max(min(r.mid, hi-half), lo+half)
		return mid - half, mid + half
	}
	for i, k := range order {
		runs = append(runs, run{i, 1, want[k]})
		for len(runs) > 1 {
			a, b := runs[len(runs)-2], runs[len(runs)-1]
			_, top := place(a)
			bottom, _ := place(b)
			if bottom-top >= gap-1e-9 {
				break
			}
			n := a.n + b.n
			mid := (a.mid*vg.Length(a.n) + b.mid*vg.Length(b.n)) / vg.Length(n)
			runs = append(runs[:len(runs)-2], run{a.first, n, mid})
		}
	}
	out := make([]vg.Length, len(want))
	for _, r := range runs {
		at, _ := place(r)
		for i := range r.n {
			out[order[r.first+i]] = at + vg.Length(i)*gap
		}
	}
	return out
}

// A placer finds places for labels beside their points, clear of what is there already.
type placer struct {
	bounds  area
	taken   []area // points and labels
	crossed []area // lines, which a label covers only if it must
}

// place returns where a label of the given size goes, the best of places around the spots that it
// may stand at, and which spot that is.
func (pl *placer) place(spots []vg.Point, w, h vg.Length) (best area, spot vg.Point) {
	least := math.Inf(1)
	for _, pt := range spots {
		for _, reach := range []vg.Length{8, 14, 22, 32, 44, 58} {
			for step := range 16 {
				at := pt.Add(polar(2*math.Pi*float64(step)/16, reach))
				box := beside(pt, at, w, h)
				cost := pl.cost(box) + float64(reach)/8 + math.Abs(float64(at.Y-pt.Y))/40
				if at.X < pt.X {
					cost += 0.5 // a reader looks to the right of a point first
				}
				if cost < least {
					best, spot, least = box, pt, cost
				}
			}
		}
	}
	pl.taken = append(pl.taken, best)
	return best, spot
}

// beside lays a box at a spot so that it grows away from the point.
func beside(pt, at vg.Point, w, h vg.Length) area {
	left := at.X
	switch dx := at.X - pt.X; {
	case math.Abs(float64(dx)) < 3:
		left = at.X - w/2
	case dx < 0:
		left = at.X - w
	}
	return area{left, at.Y - h/2, left + w, at.Y + h/2}
}

func (pl *placer) cost(box area) float64 {
	cost := 0.0
	if box.left < pl.bounds.left || box.right > pl.bounds.right || box.bottom < pl.bounds.bottom || box.top > pl.bounds.top {
		cost += 1000
	}
	for _, t := range pl.taken {
		cost += 3 * overlap(box, t)
	}
	for _, l := range pl.crossed {
		cost += 0.5 * overlap(box, l)
	}
	return cost
}

// overlap returns the common surface of two areas, in square points.
func overlap(a, b area) float64 {
	w := min(a.right, b.right) - max(a.left, b.left)
	h := min(a.top, b.top) - max(a.bottom, b.bottom)
	if w <= 0 || h <= 0 {
		return 0
	}
	return float64(w * h)
}
