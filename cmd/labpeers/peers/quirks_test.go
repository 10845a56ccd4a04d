package peers

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/FastFilter/xorfilter"
	"github.com/dgraph-io/ristretto/v2/z"
	holiman "github.com/holiman/bloomfilter/v2"
	"github.com/parquet-go/parquet-go/bloom"

	"filterlab/filters"
)

// randomKey renders random key i into buf.
func randomKey(i uint64, buf *[8]byte) []byte { return counterKey(filters.Mix(i), buf) }

// counterKey renders the number i into buf.
func counterKey(i uint64, buf *[8]byte) []byte {
	binary.LittleEndian.PutUint64(buf[:], i)
	return buf[:]
}

func loaded(t *testing.T, v filters.Variant, knobs map[string]string, p filters.Params, key func(uint64, *[8]byte) []byte) filters.Filter {
	t.Helper()
	b := bind(t, v, knobs)
	f, err := b.New(b.Params(p.N, p.P, p.Seed))
	if err != nil {
		t.Fatal(err)
	}
	var buf [8]byte
	for i := range p.N {
		f.Add(key(p.Seed<<40+i, &buf))
	}
	if s, ok := f.(filters.Sealer); ok {
		if err := s.Seal(); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// rate returns the share of count strangers that answer maybe.
func rate(f filters.Filter, seed, n, count uint64, key func(uint64, *[8]byte) []byte) float64 {
	var buf [8]byte
	hits := 0.0
	for i := range count {
		if f.Contains(key(seed<<40+n+i, &buf)) {
			hits++
		}
	}
	return hits / float64(count)
}

func TestPowerOfTwoTablesMissSmallTargets(t *testing.T) {
	const n, p, instances, asked = 50, 1e-4, 60, 20_000
	for _, v := range []filters.Variant{BBloom(), Ristretto()} {
		fpr := 0.0
		for i := range uint64(instances) {
			params := filters.Params{N: n, P: p, Seed: i + 1}
			fpr += rate(loaded(t, v, nil, params, randomKey), i+1, n, asked, randomKey) / instances
		}
		t.Logf("%s at n = %d, p = %g: FPR %.2e, %.1f times the target", v.Name, n, p, fpr, fpr/p)
		if fpr < 9*p || fpr > 15*p {
			t.Errorf("%s: FPR %.3g, want 9 to 15 times %g", v.Name, fpr, p)
		}
		m, err := bind(t, v, nil).Model(filters.Params{N: 1100, P: 0.01})
		if err != nil || m.Bits != 16384 { // 10,544 bits asked for
			t.Errorf("%s: %d bits at n = 1100 (%v), want 16384", v.Name, m.Bits, err)
		}
	}
}

// TestPebbleHasAFloor: one key in 512 has a step of 0 in its line and sets one bit, whatever k.
func TestPebbleHasAFloor(t *testing.T) {
	const n, asked = 100_000, 1_000_000
	fpr := func(bits string) float64 {
		f := loaded(t, Pebble(), map[string]string{"bits": bits}, filters.Params{N: n, P: 0.01, Seed: 1}, randomKey)
		return rate(f, 1, n, asked, randomKey)
	}
	twenty, forty := fpr("20"), fpr("40")
	t.Logf("pebble at n = %d: FPR %.3g at 20 bits a key, %.3g at 40", n, twenty, forty)
	if math.Abs(twenty/2.6e-3-1) > 0.1 || forty < 0.85*twenty {
		t.Errorf("FPR %.3g at 20 bits a key and %.3g at 40, want 2.6e-3 and hardly less", twenty, forty)
	}
}

func TestBoomCountersAreDecrementedAfterSaturation(t *testing.T) {
	f := loaded(t, BoomCounting(), nil, filters.Params{N: 100, P: 0.01, Seed: 1}, randomKey)
	key := []byte("twenty times")
	for range 20 {
		f.Add(key)
	}
	removed := 0
	for range 20 {
		if f.(filters.Remover).Remove(key) {
			removed++
		}
	}
	t.Logf("added 20 times, denied after %d removes", removed)
	if removed > 18 || f.Contains(key) {
		t.Errorf("%d of 20 removes found the key: want it lost before", removed)
	}
}

func TestBoomScalableNeverGrowsItsStages(t *testing.T) {
	const n = 50_000
	f := loaded(t, BoomScalable(), map[string]string{"hint": "0.01"}, filters.Params{N: n, P: 0.01, Seed: 1}, randomKey)
	s := f.(*boomScalable)
	t.Logf("%d keys, hint %d: %d stages, %.1f bits a key", n, s.plan.hint, s.stage+1, float64(s.SizeBits())/n)
	if s.stage < 90 || s.table.Capacity() == 0 {
		t.Errorf("%d stages for 100 times the hint, want about 100", s.stage+1)
	}
}

// bigEndian renders the number i into buf as databases order keys.
func bigEndian(i uint64, buf *[8]byte) []byte {
	binary.BigEndian.PutUint64(buf[:], i)
	return buf[:]
}

// TestWeakHashesFailOnCounters: FNV-1 ends in an exclusive or with the last byte, and the hash of
// pebble mixes the last four bytes once.
func TestWeakHashesFailOnCounters(t *testing.T) {
	for _, c := range []struct {
		variant filters.Variant
		n       uint64
		least   float64 // of the FPR over the model's
	}{{BoomClassic(), 1000, 2}, {BoomPartitioned(), 1000, 3}, {Pebble(), 100_000, 10}} {
		b := bind(t, c.variant, nil)
		m, err := b.Model(b.Params(c.n, 0.01, 0))
		if err != nil {
			t.Fatal(err)
		}
		f := loaded(t, c.variant, nil, filters.Params{N: c.n, P: 0.01}, bigEndian)
		times := rate(f, 0, c.n, 300_000, bigEndian) / m.FPR(c.n)
		t.Logf("%s on %d big-endian counters: %.1f times the model's FPR", c.variant.Name, c.n, times)
		if times < c.least || times > 20 {
			t.Errorf("%s: %.3g times the model's FPR, want %g or more", c.variant.Name, times, c.least)
		}
	}
}

// TestRawNumbersInHashInFilters: packages that take a hash take a number as it is. Of the numbers
// below 2n, half are held and the others are asked for.
func TestRawNumbersInHashInFilters(t *testing.T) {
	const n = 10_000
	ristretto := z.NewBloomFilter(n, 0.01)
	blocks := make(bloom.SplitBlockFilter, bloom.NumSplitBlocksOf(n, 11))
	other, err := holiman.NewOptimal(n, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	held := func(i uint64) bool { return filters.Mix(i)%2 == 0 }
	asked := 0.0
	for i := range uint64(2 * n) {
		if !held(i) {
			asked++
			continue
		}
		ristretto.Add(i)
		blocks.Insert(i)
		other.AddHash(i)
	}
	for _, c := range []struct {
		name   string
		has    func(uint64) bool
		lo, hi float64
	}{{"ristretto", ristretto.Has, 0.08, 0.15}, {"parquet", blocks.Check, 1, 1}, {"holiman", other.ContainsHash, 0.003, 0.012}} {
		hits := 0.0
		for i := range uint64(2 * n) {
			if !held(i) && c.has(i) {
				hits++
			}
		}
		t.Logf("%s on raw numbers: FPR %.3g %% at p = 1 %%", c.name, 100*hits/asked)
		if fpr := hits / asked; fpr < c.lo || fpr > c.hi {
			t.Errorf("%s: FPR %.3g, want %g to %g", c.name, fpr, c.lo, c.hi)
		}
	}
}

func TestXorReordersItsInput(t *testing.T) {
	keys := []uint64{5, 3, 3, 9, 5, 1}
	given := slices.Clone(keys)
	if _, err := xorfilter.Populate(given); err != nil {
		t.Fatal(err)
	}
	if slices.Equal(keys, given) {
		t.Errorf("keys with duplicates are left as they were: the doc says otherwise")
	}
}

func TestBoomCuckooIsHuge(t *testing.T) {
	b := bind(t, BoomCuckoo(), nil)
	for _, p := range []float64{0.5, 0.01, 3e-6, 1e-6, 1e-12} {
		for _, n := range []uint64{4, 100, 1000, 1025} {
			params := b.Params(n, p, 0)
			m, err := b.Model(params)
			if err != nil {
				t.Fatal(err)
			}
			f, err := b.New(params)
			if err != nil {
				t.Fatal(err)
			}
			if f.SizeBits() != m.Bits || p > 2.5e-6 && m.Bits/n < 7000 {
				t.Errorf("n = %d, p = %g: %d bits, the model says %d", n, p, f.SizeBits(), m.Bits)
			}
		}
	}
	if _, err := b.New(b.Params(1, 1e-6, 0)); err == nil {
		t.Error("n = 1 at p = 1e-6 is no error, and makes no bucket")
	}
}

func TestRoaring32Size(t *testing.T) {
	for n, want := range map[uint64]float64{1000: 80, 1_000_000: 21} {
		f := loaded(t, Roaring32(), nil, filters.Params{N: n, P: 0.01, Seed: 1}, randomKey)
		if got := float64(f.SizeBits()) / float64(n); math.Abs(got/want-1) > 0.05 {
			t.Errorf("%d keys take %.1f bits each, want %g", n, got, want)
		}
	}
}
