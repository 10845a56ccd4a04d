package theory_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"filterlab/filters/theory"
)

// A filter of one block is a Bloom filter of its bits.
func TestOneBlockIsABloomFilter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := float64(rapid.IntRange(8, 600).Draw(t, "bits"))
		k := float64(rapid.IntRange(1, 8).Draw(t, "k"))
		n := float64(rapid.IntRange(1, 150).Draw(t, "n"))
		for _, c := range []struct {
			model theory.BlockModel
			want  float64
		}{
			{theory.BlockExact, theory.BloomExactFPR(bits, k, n)},
			{theory.BlockDistinct, theory.BloomExactDistinctFPR(bits, k, n)},
			{theory.BlockMean, theory.BloomMeanFillFPR(bits, k, n)},
		} {
			if got := theory.BlockedFiniteFPR(c.model, bits, k, 1, n); !within(got, c.want, 1e-9) {
				t.Fatalf("%s: %v, want %v", c.model, got, c.want)
			}
		}
		if got, want := theory.SBBFFiniteFPR(1, n), theory.PartitionedFPR(32, 8, n); !within(got, want, 1e-12) {
			t.Fatalf("split block: %v, want %v", got, want)
		}
	})
}

// Beyond 1,024 bits a block is taken to second order; there the two must meet.
func TestLargeBlocksMeetExactOnes(t *testing.T) {
	exact := theory.BlockedFiniteFPR(theory.BlockExact, 1024, 7, 1, 107)
	next := theory.BlockedFiniteFPR(theory.BlockExact, 1025, 7, 1, 107)
	expect(t, "1025 bits, second order", next, theory.BloomExactFPR(1025, 7, 107), 1e-5)
	expect(t, "1024 bits", exact, theory.BloomExactFPR(1024, 7, 107), 1e-9)
}

// The spread between instances of blocked filters, simulated: mean over blocks of (ones/B)^k.
func TestBlockedInstanceSD(t *testing.T) {
	const bits, k, blocks, n, instances = 64, 4, 100, 640, 4000
	rng := rand.New(rand.NewPCG(1, 2))
	var sum, squares float64
	for range instances {
		var table [blocks]uint64
		for range n {
			at := rng.IntN(blocks)
			for range k {
				table[at] |= 1 << rng.IntN(bits)
			}
		}
		fpr := 0.0
		for _, word := range table {
			ones := 0.0
			for ; word > 0; word &= word - 1 {
				ones++
			}
			fpr += theory.BloomFillFPR(bits, k, ones) / blocks
		}
		sum += fpr / instances
		squares += fpr * fpr / instances
	}
	sd := math.Sqrt(squares - sum*sum)
	want := theory.BlockedFiniteFPR(theory.BlockExact, bits, k, blocks, n)
	if se := sd / math.Sqrt(instances); math.Abs(sum-want) > 4*se {
		t.Errorf("mean FPR %v, want %v±%v", sum, want, se)
	}
	expect(t, "sd between instances", sd, theory.BlockedInstanceSD(theory.BlockExact, bits, k, blocks, n), 0.06)
}

func TestBlockedClaims(t *testing.T) {
	expect(t, "blocked, 10 bits per key, exact", theory.BlockedFPR(theory.BlockExact, 512, 6, 10), 0.009665, 1e-4)
	expect(t, "blocked, 10 bits per key, Putze", theory.BlockedFPR(theory.BlockMean, 512, 6, 10), 0.009576, 1e-4)
	expect(t, "split block, 10.67 bits per key", theory.SBBFFPR(32.0/3), 0.00942, 1e-3)
	expect(t, "the same by the Parquet formula", theory.SBBFParquetFPR(32.0/3), 0.0060, 2e-3)
}

func TestBitsForFPRInvert(t *testing.T) {
	for _, p := range []float64{0.5, 0.2, 0.03, 1e-3, 1e-5} {
		expect(t, "SBBFFPR(SBBFBits(p))", theory.SBBFFPR(theory.SBBFBits(p)), p, 1e-9)
		bits, k := theory.BlockedBits(256, p)
		expect(t, "BlockedFPR(BlockedBits(p))", theory.BlockedFPR(theory.BlockExact, 256, float64(k), bits), p, 1e-9)
		for _, other := range []int{k - 1, k + 1} {
			if other > 0 && theory.BlockedFPR(theory.BlockExact, 256, float64(other), bits) < p {
				t.Errorf("p=%v: k=%d beats k=%d at %v bits per key", p, other, k, bits)
			}
		}
	}
}

func TestPartitionedAgainstEnumeration(t *testing.T) {
	const s, k, n = 4, 3, 3
	var ways, fill, fill2 float64
	enumerate(s, n, func(occupied int) {
		ways++
		fill += float64(occupied) / s
		fill2 += float64(occupied*occupied) / (s * s)
	})
	mean := math.Pow(fill/ways, k)
	expect(t, "PartitionedFPR", theory.PartitionedFPR(s, k, n), mean, 1e-12)
	expect(t, "PartitionedInstanceSD", theory.PartitionedInstanceSD(s, k, n), math.Sqrt(math.Pow(fill2/ways, k)-mean*mean), 1e-9)
	expect(t, "PartitionedExcess", theory.PartitionedExcess(s, k, n), mean/theory.BloomExactFPR(s*k, k, n)-1, 1e-9)
}

func TestCountingTails(t *testing.T) {
	const m, k, n = 50, 4, 30
	for j := range 12 { // exact rational binomial tail
		below := new(big.Rat)
		for i := range j {
			term := new(big.Rat).SetInt(new(big.Int).Binomial(k*n, int64(i)))
			for trial := range k * n {
				if trial < i {
					term.Mul(term, big.NewRat(1, m))
				} else {
					term.Mul(term, big.NewRat(m-1, m))
				}
			}
			below.Add(below, term)
		}
		want, _ := new(big.Rat).Sub(big.NewRat(1, 1), below).Float64()
		expect(t, "CountingOverflow", theory.CountingOverflow(m, k, n, float64(j)), want, 1e-10)
	}
	expect(t, "Fan's constant", theory.CountingOverflowBound(1, 1, math.Ln2, 16), 1.3677e-15, 1e-4)
	expect(t, "k ln 2 members per wrong delete", theory.CountingWrongDeleteLoss(14426951, 10, 1e6), 10*math.Ln2, 1e-4)
	if fnr, _ := theory.CountingBlindDeletesFNR(9586, 7, 1000, 100); !within(fnr, 0.22, 0.01) {
		t.Errorf("100 blind deletes lose %v of 1000 members, want 22 %%", fnr)
	}
	exact, _ := theory.CountingBlindDeletesFNR(100, 1, 1e5, 1e5)
	normal, _ := theory.CountingBlindDeletesFNR(100, 1, 1e5+1, 1e5+1)
	expect(t, "blind deletes, normal approximation", normal, exact, 0.01)
}

func TestCuckoo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := float64(rapid.IntRange(4, 16).Draw(t, "f"))
		buckets := math.Exp2(float64(rapid.IntRange(2, 20).Draw(t, "log buckets")))
		load := rapid.Float64Range(0.01, 0.98).Draw(t, "load")
		n := math.Round(load * 4 * buckets)
		tags := math.Exp2(f) - 1
		fpr := theory.CuckooFPR(tags, buckets, n)
		if finite := theory.CuckooFiniteFPR(theory.TagUniformNonzero, f, buckets, n); !within(fpr, finite, 1e-9) {
			t.Fatalf("CuckooFPR %v, CuckooFiniteFPR %v", fpr, finite)
		}
		if chain := theory.RedisCuckooFPR([]float64{n}, []float64{buckets}); f == 8 && !within(chain, fpr, 0.01) {
			t.Fatalf("RedisCuckooFPR %v, CuckooFPR %v", chain, fpr)
		}
		if loss := theory.CuckooWrongDeleteLoss(tags, buckets, n); loss > 1 {
			t.Fatalf("%v members per wrong delete, want at most 1", loss)
		}
	})
	if a, b := theory.SimulateCuckooFirstFailure(8, 4, 256, 500, 1), theory.SimulateCuckooFirstFailure(8, 4, 256, 500, 1); a != b {
		t.Errorf("one seed gives %v and %v", a, b)
	}
	for _, b := range []float64{2, 3, 4, 8} {
		simulated, threshold := theory.SimulateCuckooFirstFailure(16, int(b), 4096, 500, 7), theory.CuckooThreshold(b)
		if simulated > threshold || simulated < threshold-0.05 {
			t.Errorf("b=%v: first failure at load %v, want a little under %v", b, simulated, threshold)
		}
	}
	expect(t, "relative instance sd at 1,024 buckets", theory.CuckooInstanceSD(255, 1024, 3891)/theory.CuckooFPR(255, 1024, 3891), 0.002, 0.05)
}

func TestBounds(t *testing.T) {
	for total := range 40 {
		for n := 1; n <= total; n++ {
			ways, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(total), int64(n))).Float64()
			if got := theory.LowerBoundExact(float64(total), float64(n)) * float64(n); math.Abs(got-math.Log2(ways)) > 1e-9 {
				t.Fatalf("log2 C(%d,%d) = %v, want %v", total, n, got, math.Log2(ways))
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.Float64Range(1e-6, 0.5).Draw(t, "p")
		n := rapid.Float64Range(1, 1e8).Draw(t, "n")
		finite, static, dynamic := theory.LowerBoundFinite(1e12, n, p), theory.LowerBound(p), theory.LowerBoundDynamic(n, p)
		if finite > static+1e-9 || dynamic > theory.LowerBoundDynamicLimit(p)+1e-9 {
			t.Fatalf("finite universe %v, static %v, dynamic %v", finite, static, dynamic)
		}
		s := theory.SizeBloom(n, p)
		if !within(theory.Overhead(s.BitsPerKey, p), 1/math.Ln2-1, 1e-9) {
			t.Fatalf("overhead of an ideal Bloom filter is %v, want 44.3 %%", theory.Overhead(s.BitsPerKey, p))
		}
	})
}

func TestStaticSizes(t *testing.T) {
	for _, arity := range []int{3, 4} {
		for _, n := range []uint64{0, 1, 2, 3, 17, 1000, 123457, 1e9} {
			if l := theory.SizeFuse(n, arity); l.Slots < n || l.Slots != (l.SegmentCount+uint64(arity)-1)*l.SegmentLength {
				t.Errorf("fuse layout of %d keys: %+v", n, l)
			}
		}
	}
	last := uint64(0)
	for n := uint64(1); n < 1<<31; n += n/7 + 1 {
		slots := theory.RibbonSlots(n)
		if slots < last || slots < n || slots%128 != 0 || (n > 1e5 && float64(slots) > 1.09*float64(n)) {
			t.Fatalf("%d ribbon slots for %d keys, %d for fewer", slots, n, last)
		}
		last = slots
	}
	for _, p := range []float64{0.4, 0.1, 0.01, 1e-3} {
		if bits := theory.RibbonBitsPerSlot(p); bits < theory.LowerBound(p) || bits > theory.LowerBound(p)+0.1 {
			t.Errorf("%v bits a ribbon slot for p=%v", bits, p)
		}
	}
}

func TestRedisExamples(t *testing.T) {
	if c := theory.GrowRedisChain(100, 0.01, 2, 100); c.InfoSize != 240 || c.Filters != 1 {
		t.Errorf("BF.INFO Size %d in %d filters, want 240 in one", c.InfoSize, c.Filters)
	}
	if r := theory.SizeRedisCuckoo(1000, 2, 1, 1); r.Size != 1080 {
		t.Errorf("CF.INFO Size %d, want 1080", r.Size)
	}
	chain := theory.GrowRedisChain(1000, 0.01, 2, 1e6)
	if chain.Filters != 10 || chain.Probes != 125 || chain.InfoSize != 2888568 {
		t.Errorf("1e6 keys from a capacity of 1000: %+v", chain)
	}
	if endless := theory.GrowRedisChain(1, 0.01, 1, 1e6); endless.Filters > 1074 {
		t.Errorf("a chain of %d links", endless.Filters)
	}
}

func TestCostAndCache(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, f := rapid.Float64Range(0.01, 0.99).Draw(t, "q"), rapid.Float64Range(1e-6, 0.9).Draw(t, "f")
		if back := theory.FPRFromWrongAmongMaybe(q, theory.WrongAmongMaybe(q, f)); !within(back, f, 1e-6) {
			t.Fatalf("FPR %v comes back as %v", f, back)
		}
		even := theory.GuardBreakEven(f, 1, 100)
		if cost := theory.GuardCost(even, f, 1, 100); !within(cost, 100, 1e-9) {
			t.Fatalf("a lookup at break-even costs %v, want 100 as without a filter", cost)
		}
		if got := theory.MixedLatency(1-q, 10, 30); !within(got, q*10+(1-q)*30, 1e-12) {
			t.Fatalf("mixed latency %v", got)
		}
		fill, k := rapid.Float64Range(0, 0.999).Draw(t, "fill"), rapid.IntRange(1, 30).Draw(t, "k")
		if got := theory.ExpectedProbes(fill, k); !within(got, (1-math.Pow(fill, float64(k)))/(1-fill), 1e-9) {
			t.Fatalf("expected probes %v", got)
		}
	})
	if got := theory.ExpectedProbes(1, 7); got != 7 {
		t.Errorf("a full filter takes %v probes, want 7", got)
	}
	k, least := theory.OptimalHashes(5, 1000)
	for _, other := range []float64{k - 0.5, k + 0.5} {
		if cost := other*5 + 1000*math.Exp2(-other); cost <= least {
			t.Errorf("k=%v costs %v, the optimum %v costs %v", other, cost, k, least)
		}
	}
	_, hit := theory.CacheCheHit(1e5, 0, 1000)
	expect(t, "Zipf 0 is uniform", hit, theory.CacheUniformHit(1000, 1e5), 1e-6)
	_, quiet := theory.CacheAttackedHit(1e4, 1, 1000, 0.5*0.01)
	_, attacked := theory.CacheAttackedHit(1e4, 1, 1000, 0.5)
	if !(attacked < quiet && quiet < 0.6757) {
		t.Errorf("hit rate %v under attack, %v behind a filter", attacked, quiet)
	}
	if _, all := theory.CacheCheHit(100, 1, 100); all != 1 {
		t.Errorf("hit rate %v with room for all keys, want 1", all)
	}
}

func TestRoaring(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		card := float64(rapid.IntRange(1, 65536).Draw(t, "card"))
		c := theory.SizeRoaringContainer(card, theory.RoaringRuns(card))
		if c.Best != min(c.Plain, c.Run) || (c.Kind == "run") != (c.Run < c.Plain) {
			t.Fatalf("container %+v", c)
		}
		wins := card > arrayLimit && c.Kind == "run"
		if density := card / 65536; wins != (density > theory.RoaringRunCrossover()) && math.Abs(density-theory.RoaringRunCrossover()) > 1e-4 {
			t.Fatalf("density %v: %s", density, c.Kind)
		}
	})
	if bytes, containers := theory.RoaringUniform(math.Exp2(32)); containers != 65536 || bytes != 8+65536*(8+8192) {
		t.Errorf("all 32-bit keys: %v bytes in %v containers", bytes, containers)
	}
}

// arrayLimit is the number of values up to which a container is an array.
const arrayLimit = 4096
