package cuckoo

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"filterlab/filters"
	"filterlab/filters/filtertest"
)

func TestOwnConformance(t *testing.T) {
	filtertest.RunAll(t, OwnVariant(), "", "f=8", "f=12", "f=16")
}

func ownParams(t testing.TB, width string, n uint64, p float64) filters.Params {
	t.Helper()
	b, err := OwnVariant().Bind(map[string]string{"f": width})
	if err != nil {
		t.Fatal(err)
	}
	return b.Params(n, p, n)
}

func mustOwn(t testing.TB, width string, n uint64) *Own {
	t.Helper()
	f, err := newOwn(ownParams(t, width, n, 0.01))
	if err != nil {
		t.Fatal(err)
	}
	return f.(*Own)
}

// widthKnobs are the values of knob f.
var widthKnobs = []string{"8", "12", "16"}

// TestRefusedChangesNothing: a refused key leaves the filter as it was, and every accepted one is there.
func TestRefusedChangesNothing(t *testing.T) {
	for _, c := range []struct {
		n, instances uint64
	}{{1, 300}, {5, 300}, {20, 300}, {300, 100}, {3000, 10}} { // 3000: more buckets than a search visits
		for _, width := range widthKnobs {
			for seed := range c.instances {
				f := mustOwn(t, width, c.n)
				var buf [8]byte
				var accepted []uint64
				refused := 0
				for i := uint64(0); refused < 20; i++ {
					before, victim := bytes.Clone(f.table), f.victim
					if f.Add(testKey(seed, 2*i, &buf)) {
						accepted = append(accepted, i)
						continue
					}
					refused++
					if !bytes.Equal(before, f.table) || victim != f.victim || f.held != uint64(len(accepted)) {
						t.Fatalf("n=%d, f=%s, seed %d: refusal %d changed the filter", c.n, width, seed, refused)
					}
				}
				if n := missing(f, seed, accepted); n > 0 || f.held != f.count() {
					t.Fatalf("n=%d, f=%s, seed %d: %g of %d accepted keys answer no, %d counted",
						c.n, width, seed, n, len(accepted), f.count())
				}
			}
		}
	}
}

// TestOwnFieldCases are complaints about cuckoo filters in public.
func TestOwnFieldCases(t *testing.T) {
	t.Run("case-39", func(t *testing.T) { // a refused insert loses a stored key
		for seed := range uint64(3) {
			f := mustOwn(t, "8", 10_000)
			accepted := offer(f, seed, 11_000)
			if n := missing(f, seed, accepted); n > 0 || len(accepted) < 10_000 {
				t.Errorf("%d keys accepted, %g lost; want 10,000 at least, none", len(accepted), n)
			}
		}
	})
	t.Run("case-40", func(t *testing.T) { // 160 of 15,000 missing after mass delete and re-insert
		const part = 15_000
		f := mustOwn(t, "8", 2*part)
		var buf [8]byte
		each := func(from uint64, do func(key []byte) bool) (failed int) {
			for i := range uint64(part) {
				if !do(testKey(1, 2*(from+i), &buf)) {
					failed++
				}
			}
			return failed
		}
		failed := each(0, f.Add) + each(part, f.Add) + each(0, f.Remove) + each(2*part, f.Add)
		if failed += each(part, f.Contains) + each(2*part, f.Contains); failed > 0 {
			t.Errorf("%d adds, removes or lookups of members failed", failed)
		}
	})
	t.Run("case-45", testSameKey)
}

// testSameKey: a key fits eight times, four where its buckets are one, and no more however full the
// filter is; the copies cost no other key its place.
func testSameKey(t *testing.T) {
	for _, n := range []uint64{3, 10, 1000} {
		for seed := range uint64(40) {
			f := mustOwn(t, "8", n)
			held := offer(f, seed, seed%4*n/2) // empty, half full, full, 3/2 n
			key := []byte("again and again")
			most, added := f.locate(filters.Hash(key, f.seed)).capacity(), 0
			for range 3 * most {
				if f.Add(key) {
					added++
				}
			}
			if added > most || added < most && seed%4 == 0 {
				t.Errorf("n=%d, %d other keys: %d copies accepted, want %d", n, len(held), added, most)
			}
			if m := missing(f, seed, held); m > 0 {
				t.Errorf("n=%d: %g of %d other keys lost", n, m, len(held))
			}
			for range added {
				if !f.Remove(key) {
					t.Errorf("n=%d: Remove of a copy that was added reports false", n)
				}
			}
		}
	}
}

// TestOwnChurn adds and removes at random at the brim, where the victim slot comes and goes.
func TestOwnChurn(t *testing.T) {
	victims := 0
	for seed := range uint64(12) {
		f := mustOwn(t, widthKnobs[seed%3], 60)
		rng := rand.New(rand.NewPCG(seed, 0))
		copies, held := map[uint64]int{}, uint64(0)
		var buf [8]byte
		for step := range 3000 {
			i := rng.Uint64N(90)
			key := testKey(seed, 2*i, &buf)
			if rng.IntN(100) < 55 {
				if f.Add(key) {
					copies[i]++
					held++
				}
			} else if copies[i] > 0 {
				if !f.Remove(key) {
					t.Fatalf("seed %d, step %d: Remove of key %d, held %d times, reports false", seed, step, i, copies[i])
				}
				copies[i]--
				held--
			}
			if f.victim.fingerprint != 0 {
				victims++
			}
			for i, n := range copies {
				if step%5 == 0 && n > 0 && !f.Contains(testKey(seed, 2*i, &buf)) {
					t.Fatalf("seed %d, step %d: key %d, held %d times, answers no", seed, step, i, n)
				}
			}
		}
		if f.held != held || f.count() != held {
			t.Errorf("seed %d: %d keys held, %d counted; want %d", seed, f.held, f.count(), held)
		}
	}
	if victims == 0 {
		t.Error("the victim slot was never in use: the test is too tame")
	}
}

// TestReproducible: the same keys in the same order give the same table and the same refusals.
func TestReproducible(t *testing.T) {
	f, g := mustOwn(t, "12", 2000), mustOwn(t, "12", 2000)
	if !slices.Equal(offer(f, 1, 4000), offer(g, 1, 4000)) || !bytes.Equal(f.table, g.table) || f.victim != g.victim {
		t.Error("two filters with the same keys differ")
	}
}

// TestOther: a fingerprint's buckets name each other, and exactly one is its own other.
func TestOther(t *testing.T) {
	for _, m := range []uint64{1, 3, 5, 101, 1023} {
		f := &Own{m: m, lanes: newLanes(8)}
		for v := uint64(1); v <= f.lanes.mask; v++ {
			alone := 0
			for i := range m {
				j := f.other(v, i)
				if j >= m || f.other(v, j) != i {
					t.Fatalf("m=%d: the other of bucket %d is %d, and of that %d", m, i, j, f.other(v, j))
				}
				if i == j {
					alone++
				}
			}
			if alone != 1 {
				t.Fatalf("m=%d, fingerprint %d: %d buckets are their own other, want 1", m, v, alone)
			}
		}
	}
}

// TestLanes holds the comparison of four slots at once against one at a time, whatever lies above.
func TestLanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, bits := range widths {
		l := newLanes(bits)
		for range 200_000 {
			v := rng.Uint64N(3)
			word, want, count := uint64(0), -1, 0
			for slot := range bucketSlots {
				x := []uint64{v, v ^ 1, 0, 1, l.mask, rng.Uint64() & l.mask}[rng.IntN(6)]
				word |= x << (bits * uint64(slot))
				if x != v {
					continue
				}
				if count++; want < 0 {
					want = slot * int(bits)
				}
			}
			if bits < 16 {
				word |= rng.Uint64() << (4 * bits)
			}
			at, ok := l.find(word, v)
			if ok != (want >= 0) || ok && at != want || l.count(word, v) != count {
				t.Fatalf("f=%d: %d in %x at %d, %v, %d times; want %d, %d times", bits, v, word, at, ok, l.count(word, v), want, count)
			}
		}
	}
}

func TestOwnBatch(t *testing.T) {
	f := mustOwn(t, "8", 1000)
	offer(f, 1, 1400)
	var keys [][]byte
	for i := range uint64(1000) {
		keys = append(keys, slices.Clone(testKey(1, i, new([8]byte))))
	}
	for _, n := range []int{0, 1, batch - 1, batch, batch + 1, 1000} {
		held := make([]bool, n+1)
		held[n] = true
		f.ContainsBatch(keys[:n], held)
		for i, key := range keys[:n] {
			if held[i] != f.Contains(key) {
				t.Fatalf("batch of %d: key %d answers %v, alone %v", n, i, held[i], f.Contains(key))
			}
		}
		if !held[n] {
			t.Fatalf("batch of %d: the answer beyond the last key was changed", n)
		}
	}
}

func TestOwnAllocatesNothing(t *testing.T) {
	f := mustOwn(t, "8", 1000)
	keys, held := make([][]byte, 100), make([]bool, 100)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "user%d", i)
	}
	var buf [8]byte
	i := uint64(0)
	if n := testing.AllocsPerRun(3000, func() {
		f.Add(testKey(1, i, &buf))
		f.Remove(testKey(1, i/2, &buf))
		f.Add(testKey(2, i, &buf))
		f.ContainsBatch(keys, held)
		i++
	}); n != 0 {
		t.Errorf("%g allocations in two Adds, a Remove and a batch", n)
	}
}
