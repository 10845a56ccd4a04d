package harness_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"testing"

	"filterlab/counting"
	"filterlab/filters"
	"filterlab/filters/catalog"
	"filterlab/filters/theory"
	"filterlab/harness"
)

// awkwardKeys: bytes that a line protocol cannot carry are keys like any other, saved or not.
func awkwardKeys(t *testing.T) {
	keys := [][]byte{{}, []byte("a\nb"), []byte("a\r\nb\n"), {0}, []byte("a\x00b"), []byte("a"), {0xff}, []byte("\xff\xfe\n\x00"),
		bytes.Repeat([]byte("k"), 64<<10)}
	everyVariant(t, func(t *testing.T, b filters.Bound) {
		f := build(t, b, 100, 1e-6, 1)
		for _, key := range keys {
			if !f.Add(key) {
				t.Errorf("key of %d bytes refused", len(key))
			}
		}
		seal(t, f)
		check := func(f filters.Filter, when string) {
			for _, key := range keys {
				if !f.Contains(key) {
					t.Errorf("%s: a stored key of %d bytes, %.10q, is new again", when, len(key), key)
				}
			}
		}
		check(f, "built")
		if savable(f) {
			check(reload(t, b, f, filters.Header{N: 100, P: 1e-6, Seed: 1, Held: uint64(len(keys))}), "loaded")
		}
	})
}

// refusedInsert: the package stores a key that it refuses and throws another out; the lab counts both,
// predicts the loss and says so.
func refusedInsert(t *testing.T) {
	const n = 1 << 17 // a power of two: every slot is to be used
	d := harness.Design{Seed: 1, Trials: 2, MaxStrangers: 10_000}
	rows := measure(t, d, harness.Case{Variant: parse(t, "cuckoo:load=1"), Workload: workload(t, "random-ids", n), P: 0.01})[0]
	lost, predicted := 0.0, 0.0
	for _, r := range rows {
		if r.Rejected == 0 || !r.Provoked || r.LostPredicted == nil || !strings.Contains(strings.Join(r.Warnings, " "), "threw out") {
			t.Fatalf("%d refused, provoked %v, %q", r.Rejected, r.Provoked, r.Warnings)
		}
		about(t, "lost for each refused", *r.LostPredicted/float64(r.Rejected), 0.96, 0.05)
		lost, predicted = lost+float64(r.FalseNegatives), predicted+*r.LostPredicted
	}
	// 3 % of those thrown out answer maybe by chance; the prediction is up to 2 % too high.
	within(t, "keys lost", lost, 0.99*predicted, math.Sqrt(0.05*predicted)+0.005*predicted)
}

// massDelete: 30,000 keys in, 15,000 out, 15,000 others in; nothing that is stored may be missing.
func massDelete(t *testing.T) {
	removers := 0
	everyVariant(t, func(t *testing.T, b filters.Bound) {
		const half = 15_000
		f := build(t, b, 2*half, 0.01, 1)
		remover, ok := f.(filters.Remover)
		if !ok {
			return
		}
		removers++
		accepted := load(f, 1, 0, half) + load(f, 1, half, 2*half)
		seal(t, f)
		for i := range uint64(half) {
			remover.Remove(appendKey(nil, 1, i))
		}
		accepted += load(f, 1, 2*half, 3*half)
		seal(t, f)
		if held := maybes(f, 1, half, 3*half); accepted != 3*half || held != 2*half {
			t.Errorf("%.0f of 45,000 accepted, %.0f of 30,000 found", accepted, held)
		}
	})
	if removers < 3 {
		t.Errorf("%d variants can remove, want counting, cuckoo and map at least", removers)
	}
}

// alreadyThere: a new key answers "already there" when another has its fingerprint and pair of buckets.
// 2^24 buckets and 255 fingerprints make 2.1e9 such classes. The first million keys are simulated.
// Counting pairs of keys that meet, n^2 over twice the classes, says 93,497 for 20 million: 0.3 % too many.
func alreadyThere(t *testing.T) {
	const classes = 255 << 24 / 2
	for n, want := range map[float64]float64{1e6: 234, 1e7: 23_374, 2e7: 93_207} {
		_, repeated := theory.DistinctDraws(classes, n)
		about(t, fmt.Sprintf("already there of %g", n), n*repeated, want, 0.002)
		about(t, "pairs that meet", n*n/(2*classes), want, 0.004)
	}
	seen, hits := map[uint64]bool{}, 0.0
	for i := range uint64(1_000_000) {
		class := filters.Reduce(filters.Mix(i), classes)
		if seen[class] {
			hits++
		}
		seen[class] = true
	}
	within(t, "already there in a simulation", hits, 234, math.Sqrt(234))
}

// wrongDeletes: deletes of keys never added take members along, 0.985 for each that hits in a full
// cuckoo filter and 4.75 in a counting one of seven hash functions.
func wrongDeletes(t *testing.T) {
	about(t, "members a wrong delete takes, counting", theory.CountingWrongDeleteLoss(9.585e6, 7, 1e6), 4.75, 0.005)
	about(t, "members a wrong delete takes, cuckoo", theory.CuckooWrongDeleteLoss(255, 1<<20, 0.95*4*(1<<20)), 0.985, 0.001)
	w := workload(t, "deletes:share=0,add=0,wrong=0.05", 200_000)
	d := harness.Design{Seed: 1, Trials: int(reduced(20)), MaxStrangers: 10_000}
	for _, variant := range []struct {
		name string
		each float64 // members lost by a delete that hits
	}{{"counting", 4.75}, {"cuckoo", 0.985}} {
		lost, predicted := 0.0, 0.0
		for _, r := range measure(t, d, harness.Case{Variant: parse(t, variant.name), Workload: w, P: 0.01})[0] {
			if !r.Provoked {
				t.Errorf("%s: %d wrong deletes do not excuse %d false negatives", variant.name, r.WrongDeletes, r.FalseNegatives)
			}
			lost, predicted = lost+float64(r.FalseNegatives), predicted+*r.LostPredicted
		}
		within(t, variant.name+" members lost", lost, predicted, math.Sqrt(predicted*(1+variant.each)))
	}
}

// sameKey: a cuckoo filter of 4 slots a bucket takes the same key eight times, however empty it is.
func sameKey(t *testing.T) {
	f := build(t, parse(t, "cuckoo"), 10_000, 0.01, 1)
	for i := range 9 {
		if accepted := f.Add([]byte("again and again")); accepted != (i < 8) {
			t.Errorf("copy %d accepted: %v", i+1, accepted)
		}
	}
}

// counterCeiling: a key added 40 times and removed 39 times is still there, which counters that wrap or
// fall from their ceiling forget. At the design load distinct keys bring a counter to 16 with
// probability 7.1e-17; the often quoted 1.4e-15 is an upper bound.
func counterCeiling(t *testing.T) {
	for name, c := range map[string]struct {
		variant filters.Variant
		want    bool
	}{
		"counting": {counting.Variant(), true},
		"sticky":   {countersVariant(false, false), true},
		"wraps":    {countersVariant(true, true), false},
		"falls":    {countersVariant(false, true), false},
	} {
		f := build(t, bind(t, c.variant), 1_000, 0.01, 1)
		key := []byte("hot")
		for range 40 {
			f.Add(key)
		}
		for range 39 {
			f.(filters.Remover).Remove(key)
		}
		if f.Contains(key) != c.want {
			t.Errorf("%s: there after 40 adds and 39 removes: %v", name, !c.want)
		}
	}
	about(t, "P(counter reaches 16)", theory.CountingOverflowPoisson(1, 1, math.Ln2, 16), 7.07e-17, 0.002)
	about(t, "Fan's bound", theory.CountingOverflowBound(1, 1, math.Ln2, 16), 1.368e-15, 0.002)
}

// twoAlarms: 133 times its keys show in the fill ratio and in the counters at their ceiling.
func twoAlarms(t *testing.T) {
	f := build(t, parse(t, "counting"), 75, 0.01, 1).(*counting.Filter)
	load(f, 1, 0, 75)
	if f.Occupancy() > 0.6 || f.Saturated() > 0 || f.Notes() != nil {
		t.Errorf("at its capacity: fill ratio %g, %d counters at the ceiling, %q", f.Occupancy(), f.Saturated(), f.Notes())
	}
	load(f, 1, 75, 10_001)
	if f.Occupancy() < 0.999 || 4*f.Saturated() != f.SizeBits() || len(f.Notes()) != 1 {
		t.Errorf("at 133 times: fill ratio %g, %d counters at the ceiling of %d, %q", f.Occupancy(), f.Saturated(), f.SizeBits()/4, f.Notes())
	}
}

// duplicates: the same key twice in a build loses nothing, in those least that are built at once.
func duplicates(t *testing.T) {
	words := []string{"bloom", "cuckoo", "xor", "fuse", "xor", "ribbon", "quotient"}
	everyVariant(t, func(t *testing.T, b filters.Bound) {
		f := build(t, b, 1_000, 0.01, 1)
		for _, w := range words {
			f.Add([]byte(w))
		}
		for range 3 {
			load(f, 1, 0, 300)
		}
		seal(t, f)
		for _, w := range words {
			if !f.Contains([]byte(w)) {
				t.Errorf("%q is absent", w)
			}
		}
		if held := maybes(f, 1, 0, 300); held != 300 {
			t.Errorf("%.0f of 300 keys are found", held)
		}
	})
}

// changedHash: a file says its format version and its variant, and a mismatch is refused. The file
// below was written with the hash of format version 1: another hash under that version would read it
// and deny its keys.
func changedHash(t *testing.T) {
	const golden = "666c61620d0a1a0a010007000a000000000000007b14ae47e17a843f05000000000000000a00000000000000" +
		"1000000000000000636c617373696370190c53d726f1e20325df3423cf9a272bdf00c1f40a0088ac45892cb2d913f6"
	b := parse(t, "classic")
	h := filters.Header{N: 10, P: 0.01, Seed: 5, Held: 10}
	now := save(t, b, stored(t, b, 10, 0.01, 5, 9), h)
	if hex.EncodeToString(now) != golden {
		t.Errorf("the format or the hash has changed, so its version must: %x", now)
	}
	data, err := hex.DecodeString(golden)
	if err != nil {
		t.Fatal(err)
	}
	f, got, err := filters.Load(bytes.NewReader(data), catalog.Parse)
	if err != nil {
		t.Fatal(err)
	}
	if got.N != 10 || got.Seed != 5 || maybes(f, 9, 0, 10) != 10 {
		t.Errorf("header %+v, %.0f of 10 keys found", got, maybes(f, 9, 0, 10))
	}
	binary.LittleEndian.PutUint16(data[8:], 2)
	if _, _, err := filters.Load(bytes.NewReader(data), catalog.Parse); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("version 2: error %v", err)
	}
}

// flippedBytes: a file damaged in any byte is refused, and so is one that is cut short.
func flippedBytes(t *testing.T) {
	saved := 0
	everyVariant(t, func(t *testing.T, b filters.Bound) {
		f := stored(t, b, 20, 0.01, 1, 1)
		if !savable(f) {
			return
		}
		saved++
		file := save(t, b, f, filters.Header{N: 20, P: 0.01, Seed: 1, Held: 20})
		step := max(1, len(file)/2_000)
		for at := 0; at < len(file); at += step {
			file[at] ^= 0x10
			if _, _, err := filters.Load(bytes.NewReader(file), catalog.Parse); err == nil {
				t.Errorf("byte %d of %d flipped, and the file is read", at, len(file))
			}
			file[at] ^= 0x10
			if _, _, err := filters.Load(bytes.NewReader(file[:at]), catalog.Parse); err == nil {
				t.Errorf("%d of %d bytes are read", at, len(file))
			}
		}
	})
	if saved < 4 {
		t.Errorf("%d variants can be saved", saved)
	}
}
