package theory

import "math"

// blockTable holds the moments of the FPR of a block for each number of keys in it, 0, 1, ...; beyond
// its end the block is full.
type blockTable struct{ mean, square []float64 }

func newTable(end int) blockTable { return blockTable{make([]float64, end), make([]float64, end)} }

// over returns a moment as a function of the keys in the block.
func over(moment []float64) func(i int) float64 {
	return func(i int) float64 {
		if i < len(moment) {
			return moment[i]
		}
		return 1
	}
}

// full reports whether practically every block of that mean load lies beyond the table's end.
func (t blockTable) full(load float64) bool { return load-40*math.Sqrt(load) > float64(len(t.mean)) }

func (t blockTable) poissonMean(load float64) float64 {
	if t.full(load) {
		return 1
	}
	return clamp(poisson(load).mean(over(t.mean)))
}

func (t blockTable) binomialMean(n, blocks float64) float64 {
	if t.full(n / blocks) {
		return 1
	}
	return clamp(binomial(n, 1/blocks).mean(over(t.mean)))
}

func (t blockTable) instanceSD(load, blocks float64) float64 {
	if t.full(load) {
		return 0
	}
	d, at := poisson(load), over(t.mean)
	mean := d.mean(at)
	slope := d.mean(func(i int) float64 { return at(i) * (float64(i) - load) }) / load
	variance := d.mean(over(t.square)) - mean*mean
	return math.Sqrt(max(0, variance-load*slope*slope) / blocks)
}

// tableEnd returns how many keys a table must cover for blocks of that mean load: up to where the
// Poisson weight is nil, or to where cells of one kind, each hit by rate of the cells' number a key,
// are all set but for e^-40 of them.
func tableEnd(load, cells, rate float64) int {
	return int(min(load+12*math.Sqrt(load)+60, (math.Log(cells)+40)/rate)) + 1
}

// laneTable is the table of a block of 8 lanes of width bits.
func laneTable(width, load float64) blockTable {
	t := newTable(tableEnd(load, width, 1/width))
	for i := range t.mean {
		fill := hit(width, float64(i))
		t.mean[i] = math.Pow(fill, 8)
		t.square[i] = math.Pow(fill*fill+occupancyVar(width, float64(i))/(width*width), 8)
	}
	return t
}

// largestExactBlock is the size in bits up to which the distribution of bits set is followed; it takes
// bits^2 steps, and the second-order form is within 1e-5 beyond.
const largestExactBlock = 1024

// newBlockTable builds the table of a block of that many bits under a model.
func newBlockTable(model BlockModel, bits, k int, load float64) blockTable {
	if bits < 1 || k < 1 || (model == BlockDistinct && k > bits) {
		return blockTable{}
	}
	t := newTable(tableEnd(load, float64(bits), float64(k)/float64(bits)))
	switch {
	case model == BlockMean:
		for i := range t.mean {
			t.mean[i] = math.Pow(hit(float64(bits), float64(k*i)), float64(k))
			t.square[i] = t.mean[i] * t.mean[i]
		}
	case bits > largestExactBlock:
		for i := range t.mean {
			sd := BloomInstanceSDDelta(float64(bits), float64(k), float64(i))
			t.mean[i] = BloomSecondOrderFPR(float64(bits), float64(k), float64(i))
			t.square[i] = t.mean[i]*t.mean[i] + sd*sd
		}
	case model == BlockDistinct:
		fillDistinct(t, bits, k)
	default:
		fillExact(t, bits, k)
	}
	return t
}

// fillExact follows the distribution of bits set throw by throw.
func fillExact(t blockTable, bits, k int) {
	cells := float64(bits)
	all := make([]float64, bits+1) // chance that k probes all find one of x bits
	for x := range all {
		all[x] = math.Pow(float64(x)/cells, float64(k))
	}
	chance := make([]float64, bits+1)
	chance[0] = 1
	for i := range t.mean {
		for x, p := range chance {
			t.mean[i] += p * all[x]
			t.square[i] += p * all[x] * all[x]
		}
		for throw := range k {
			for x := min(bits, k*i+throw+1); x >= 1; x-- {
				chance[x] = chance[x]*(float64(x)/cells) + chance[x-1]*(float64(bits-x+1)/cells)
			}
			chance[0] = 0
		}
	}
}

// fillDistinct follows the distribution of bits set key by key, k distinct bits a key.
func fillDistinct(t blockTable, bits, k int) {
	logAll := log2Choose(float64(bits), float64(k))
	pick := func(total, n int) float64 { // C(total,n)/C(bits,k), 0 where n of total cannot be had
		if n > total {
			return math.Inf(-1)
		}
		return log2Choose(float64(total), float64(n))
	}
	add := make([][]float64, bits+1) // add[x][d]: chance that a key sets d of the bits-x clear ones
	for x := range add {
		add[x] = make([]float64, k+1)
		for d := range add[x] {
			add[x][d] = math.Exp2(pick(bits-x, d) + pick(x, k-d) - logAll)
		}
	}
	chance, next := make([]float64, bits+1), make([]float64, bits+1)
	chance[0] = 1
	for i := range t.mean {
		clear(next)
		for x, p := range chance {
			if p == 0 {
				continue
			}
			t.mean[i] += p * add[x][0]
			t.square[i] += p * add[x][0] * add[x][0]
			for d := 0; d <= k && x+d <= bits; d++ {
				next[x+d] += p * add[x][d]
			}
		}
		chance, next = next, chance
	}
}
