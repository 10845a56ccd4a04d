package harness_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"testing"

	"filterlab/filters"
	"filterlab/filters/catalog"
)

// A fieldCase is a question from a public tracker, in our own words, and the test of its answer. The
// input that it was reported with is in docs/field-cases.md.
type fieldCase struct {
	name, from string
	test       func(t *testing.T)
}

func TestFieldCases(t *testing.T) {
	for _, c := range []fieldCase{
		{"case-1", "bits-and-blooms/bloom#49", collapsedGenerator},
		{"case-4", "ben-manes/caffeine#85", flatOverN},
		{"case-8", "apache/spark#50933", narrowIndex},
		{"case-10", "google/guava#3952", overfilled},
		{"case-12", "holiman/bloomfilter#4", correlatedProbes},
		{"case-16", "armon/bloomd#35", awkwardKeys},
		{"case-39", "seiflotfy/cuckoofilter#42", refusedInsert},
		{"case-40", "seiflotfy/cuckoofilter#50", massDelete},
		{"case-42", "RedisBloom/redisbloom-py#50", alreadyThere},
		{"case-44", "redis/docs#1909", wrongDeletes},
		{"case-45", "kristoff-it/redis-cuckoofilter#4", sameKey},
		{"case-46", "FastFilter/fastfilter_java#16", counterCeiling},
		{"case-48", "ceejbot/xx-bloom#4", twoAlarms},
		{"case-51", "glitzflitz/pyxorfilter#13", duplicates},
		{"case-52", "redisson/redisson#6197", rebuilt},
		{"case-60", "storj/storj#6686", residue},
		{"case-62", "influxdata/influxdb#8857", changedHash},
		{"case-63", "squid-cache/squid#2254", flippedBytes},
		{"case-67", "syndtr/goleveldb#271", noAbsentLookups},
		{"case-68", "feldera/feldera#5439", savedByShare},
		{"case-69", "elastic/elasticsearch#93044", singleHash},
		{"case-70", "apache/lucene#11900", memoryOfSingleHash},
		{"case-71", "apache/cassandra#600", twoRates},
		{"case-77", "paradigmxyz/reth#21377", bothEnds},
		{"case-82", "seiflotfy/cuckoofilter#38", replayed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(t)
		})
	}
}

// about fails unless got is want to within a share tol, on both sides.
func about(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Abs(want)) {
		t.Errorf("%s: %.6g, want %.6g to %g %%", what, got, want, 100*tol)
	}
}

// within fails unless a count is as expected to within 4 standard deviations, on both sides.
func within(t *testing.T, what string, got, want, sd float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 4*sd) {
		t.Errorf("%s: %.6g, want %.6g +- %.3g", what, got, want, 4*sd)
	}
}

// rate fails unless hits among asked are as many as the probability says.
func rate(t *testing.T, what string, hits, asked, p float64) {
	t.Helper()
	within(t, what, hits, asked*p, math.Sqrt(asked*p*(1-p)))
}

// reduced returns full, or a tenth of it under -short.
func reduced(full uint64) uint64 {
	if testing.Short() {
		return full / 10
	}
	return full
}

func parse(t *testing.T, text string) filters.Bound {
	t.Helper()
	b, err := catalog.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func build(t *testing.T, b filters.Bound, n uint64, p float64, seed uint64) filters.Filter {
	t.Helper()
	f, err := b.New(b.Params(n, p, seed))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func seal(t *testing.T, f filters.Filter) {
	t.Helper()
	if s, ok := f.(filters.Sealer); ok {
		if err := s.Seal(); err != nil {
			t.Fatal(err)
		}
	}
}

// stored builds a filter that holds keys 0 to n-1 of a key seed.
func stored(t *testing.T, b filters.Bound, n uint64, p float64, seed, keySeed uint64) filters.Filter {
	t.Helper()
	f := build(t, b, n, p, seed)
	load(f, keySeed, 0, n)
	seal(t, f)
	return f
}

func appendKey(buf []byte, keySeed, i uint64) []byte {
	return binary.BigEndian.AppendUint64(buf[:0], filters.Mix(filters.Mix(keySeed)^i))
}

// load adds keys from to to-1 and returns how many were accepted.
func load(f filters.Filter, keySeed, from, to uint64) (accepted float64) {
	buf := make([]byte, 0, 8)
	for i := from; i < to; i++ {
		if buf = appendKey(buf, keySeed, i); f.Add(buf) {
			accepted++
		}
	}
	return accepted
}

// maybes returns how many of keys from to to-1 answer maybe.
func maybes(f filters.Filter, keySeed, from, to uint64) (hits float64) {
	buf := make([]byte, 0, 8)
	for i := from; i < to; i++ {
		if buf = appendKey(buf, keySeed, i); f.Contains(buf) {
			hits++
		}
	}
	return hits
}

// strangers is where keys begin that nothing stores.
const strangers = 1 << 40

// asBits returns the p at which our own Bloom filters take so many bits a key.
func asBits(bitsPerKey float64) float64 { return math.Exp(-bitsPerKey * math.Ln2 * math.Ln2) }

// reload saves a filter and loads it again.
func reload(t *testing.T, b filters.Bound, f filters.Filter, h filters.Header) filters.Filter {
	t.Helper()
	again, _, err := filters.Load(bytes.NewReader(save(t, b, f, h)), catalog.Parse)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

func save(t *testing.T, b filters.Bound, f filters.Filter, h filters.Header) []byte {
	t.Helper()
	h.Spec = b.String()
	var file bytes.Buffer
	if err := filters.Save(&file, h, f); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// savable reports whether filters can be saved.
func savable(f filters.Filter) bool {
	_, writes := f.(io.WriterTo)
	_, reads := f.(io.ReaderFrom)
	return writes && reads
}

// everyVariant runs do for each variant of the catalogue with its defaults.
func everyVariant(t *testing.T, do func(t *testing.T, b filters.Bound)) {
	t.Helper()
	all, err := catalog.ParseList("all")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range all {
		t.Run(b.String(), func(t *testing.T) { do(t, b) })
	}
}
