package sharded

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"testing"

	"filterlab/filters"
	"filterlab/filters/filtertest"
	"filterlab/filters/theory"
)

func TestConformance(t *testing.T) {
	filtertest.RunAll(t, Variant(), "", "shards=1", "shards=3,by=prefix,sep=/")
}

func bind(t testing.TB, knobs ...string) filters.Bound {
	t.Helper()
	given := map[string]string{}
	for i := 0; i < len(knobs); i += 2 {
		given[knobs[i]] = knobs[i+1]
	}
	b, err := Variant().Bind(given)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func build(t testing.TB, n uint64, p float64, seed uint64, knobs ...string) *Filter {
	t.Helper()
	b := bind(t, knobs...)
	f, err := b.New(b.Params(n, p, seed))
	if err != nil {
		t.Fatal(err)
	}
	return f.(*Filter)
}

// TestShape: the shards meet p, and one word less would not.
func TestShape(t *testing.T) {
	for _, shards := range []string{"1", "2", "16", "300"} {
		for _, n := range []uint64{1, 50, 3000, 1e6, 1e9} {
			for _, p := range []float64{0.9, 0.01, 1e-6} {
				words, k, s, err := shape(bind(t, "shards", shards).Params(n, p, 1))
				if err != nil {
					t.Fatal(err)
				}
				fpr := func(words uint64) float64 {
					return theory.ShardedFPR(64*float64(words), float64(k), float64(s), float64(n))
				}
				least, err := filters.TableWords(theory.SizeBloom(float64(n)/float64(s), p).Bits)
				if err != nil {
					t.Fatal(err)
				}
				if fpr(words) > p || words > least && fpr(words-1) <= p {
					t.Errorf("shards=%s, n=%d, p=%g: %d words give %g, one less %g", shards, n, p, words, fpr(words), fpr(words-1))
				}
			}
		}
	}
}

// TestCost holds what the comment at shape says of the bits that shards take beyond one filter's.
func TestCost(t *testing.T) {
	for n, want := range map[uint64]float64{1e6: 0.0009, 1e3: 0.07} {
		words, k, s, err := shape(bind(t).Params(n, 0.01, 1))
		if err != nil {
			t.Fatal(err)
		}
		one := theory.SizeBloom(float64(n), 0.01).Bits
		if more := float64(64*words*s)/one - 1; math.Abs(more/want-1) > 0.1 {
			t.Errorf("n=%d, k=%d: %.4f %% more bits, want about %.2f %%", n, k, 100*more, 100*want)
		}
	}
}

// TestLose: a lost shard answers maybe to every key, the others as before; the FPR is what Lose
// says, by the bits and by count; and a file keeps it.
func TestLose(t *testing.T) {
	const n, asked, lost = 20000, 200000, 3
	f, whole := build(t, n, 0.01, 5), build(t, n, 0.01, 5)
	key := func(i uint64) []byte { return fmt.Appendf(nil, "key-%d", i) }
	for i := range uint64(n) {
		f.Add(key(i))
		whole.Add(key(i))
	}
	before := f.InstanceFPR()
	for _, i := range []int{0, 7, 15} {
		f.Lose(i)
	}
	kept := 0.0
	for i := range whole.shards {
		if i != 0 && i != 7 && i != 15 {
			kept += whole.shards[i].FPR() / (16 - lost)
		}
	}
	want := lost/16. + (1-lost/16.)*kept
	if got := f.InstanceFPR(); math.Abs(got/want-1) > 1e-12 || math.Abs(got-(lost/16.+(1-lost/16.)*before)) > 1e-3 {
		t.Errorf("FPR %g by the bits, want %g", got, want)
	}
	maybes := 0
	for i := range uint64(n + asked) {
		k := key(i)
		s := f.Shard(k)
		if gone := s == 0 || s == 7 || s == 15; f.Contains(k) != (gone || whole.Contains(k)) {
			t.Fatalf("key %d of shard %d answers %v, and %v with all shards", i, s, f.Contains(k), whole.Contains(k))
		}
		if i >= n && f.Contains(k) {
			maybes++
		}
	}
	if se := math.Sqrt(want * (1 - want) / asked); math.Abs(float64(maybes)/asked-want) > 4*se {
		t.Errorf("%d of %d strangers answer maybe, want %.1f %%", maybes, asked, 100*want)
	}
	if notes := f.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "3 of 16 shards are lost") || !strings.Contains(notes[0], "18.75 %") {
		t.Errorf("notes %q", notes)
	}
	var file bytes.Buffer
	if _, err := f.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	again := build(t, n, 0.01, 5)
	if _, err := again.ReadFrom(&file); err != nil || again.InstanceFPR() != f.InstanceFPR() {
		t.Errorf("loaded: FPR %g, want %g, %v", again.InstanceFPR(), f.InstanceFPR(), err)
	}
}

// TestPrefix: keys with one prefix share a shard, keys without the separator are spread, and one
// tenant that holds most keys is told of.
func TestPrefix(t *testing.T) {
	f := build(t, 10000, 0.01, 1, "by", "prefix")
	used := map[int]bool{}
	for tenant := range 200 {
		shard := f.Shard(fmt.Appendf(nil, "tenant%d:0", tenant))
		used[shard] = true
		for i := range 20 {
			if got := f.Shard(fmt.Appendf(nil, "tenant%d:%d:x", tenant, i)); got != shard {
				t.Fatalf("tenant %d is in shards %d and %d", tenant, shard, got)
			}
		}
	}
	bare := map[int]bool{}
	for i := range 200 {
		bare[f.Shard(fmt.Appendf(nil, "user%d", i))] = true
	}
	if len(used) != 16 || len(bare) != 16 {
		t.Errorf("200 prefixes use %d shards, 200 keys without one %d; want 16", len(used), len(bare))
	}
	for i := range 10000 {
		f.Add(fmt.Appendf(nil, "tenant%d:%d", i%200, i))
	}
	if notes := f.Notes(); len(notes) > 0 {
		t.Errorf("even prefixes: %q", notes)
	}
	for i := range 2000 {
		f.Add(fmt.Appendf(nil, "large:%d", i))
	}
	if notes := f.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "prefixes are uneven") {
		t.Errorf("one large tenant: %q", notes)
	}
}

func TestSepKnob(t *testing.T) {
	for sep, ok := range map[string]bool{":": true, "/": true, "=": true, ",": false, "": false, "::": false, " ": false, "ä": false, "\n": false} {
		if _, err := Variant().Bind(map[string]string{"by": "prefix", "sep": sep}); (err == nil) != ok {
			t.Errorf("sep=%q: %v", sep, err)
		}
	}
}

func TestTooLarge(t *testing.T) {
	for _, n := range []uint64{2e11, math.MaxUint64} {
		params := bind(t).Params(n, 0.01, 1)
		_, err := bind(t).New(params)
		_, modelErr := bind(t).Model(params)
		if err == nil || modelErr == nil || !strings.Contains(err.Error(), "GB") {
			t.Errorf("n=%d: New says %v, Model %v", n, err, modelErr)
		}
	}
}

func TestAllocs(t *testing.T) {
	for _, by := range []string{"hash", "prefix"} {
		f, key := build(t, 1000, 0.01, 1, "by", by), []byte("tenant:user123")
		if n := testing.AllocsPerRun(100, func() { f.Add(key); f.Contains(key) }); n != 0 {
			t.Errorf("by=%s: Add and Contains allocate %g times", by, n)
		}
	}
}

// TestBatch: many keys at once get the answers that each gets alone, whatever their number, and what
// lies beyond them is left alone.
func TestBatch(t *testing.T) {
	for _, p := range []float64{0.7, 0.2, 0.001} { // k = 1, 2, 10
		f := build(t, 300, p, 1)
		keys := make([][]byte, 300)
		for i := range keys {
			keys[i] = fmt.Appendf(nil, "user%d", i)
			if i%3 == 0 {
				f.Add(keys[i])
			}
		}
		for _, n := range []int{0, 1, 63, 64, 65, 300} {
			held := make([]bool, 301)
			for i := range held {
				held[i] = i%2 == 0
			}
			f.ContainsBatch(keys[:n], held)
			for i, got := range held {
				want := i%2 == 0
				if i < n {
					want = f.Contains(keys[i])
				}
				if got != want {
					t.Fatalf("p=%g, %d keys: number %d answers %v, alone %v", p, n, i, got, want)
				}
			}
		}
		if n := testing.AllocsPerRun(20, func() { f.ContainsBatch(keys, make([]bool, 300)) }); n > 0 {
			t.Errorf("ContainsBatch allocates %g times", n)
		}
	}
}

// TestFormat: the payload of version 1 of the file format does not move.
func TestFormat(t *testing.T) {
	f := build(t, 10, 0.1, 42, "shards", "2")
	for i := range 5 {
		f.Add(fmt.Appendf(nil, "user%d", i))
	}
	var file bytes.Buffer
	if _, err := f.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	const want = "40040000004848000010010145000202"
	if got := hex.EncodeToString(file.Bytes()); got != want {
		t.Errorf("payload %s, want %s", got, want)
	}
}
