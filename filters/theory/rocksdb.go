package theory

import "math"

// RocksDBBloom is the full filter RocksDB makes for a table file (FastLocalBloom).
type RocksDBBloom struct {
	Millibits int
	Bytes     uint64 // blocks of 64 bytes and 5 of metadata
	Hashes    int
	Estimate  float64 // FPR as RocksDB estimates it at the bits per key asked for
}

// SizeRocksDBBloom returns the filter RocksDB makes for n keys at bitsPerKey.
//
// bitsPerKey 0.001..100. facebook/rocksdb table/block_based/filter_policy.cc and util/bloom_impl.h:
// 64 ceil(ceil(n millibits/8000)/64) + 5 bytes.
func SizeRocksDBBloom(n uint64, bitsPerKey float64) RocksDBBloom {
	milli := int(min(100, max(0.001, bitsPerKey))*1000 + 0.500001)
	data := math.Ceil(float64(n) * float64(milli) / 8000)
	b := RocksDBBloom{Millibits: milli, Bytes: 64*uint64(math.Ceil(data/64)) + 5, Hashes: rocksDBProbes(milli)}
	b.Estimate = RocksDBBlockedFPR(512, float64(b.Hashes), bitsPerKey)
	return b
}

// rocksDBProbes is FastLocalBloomImpl::ChooseNumProbes: fewer probes than (m/n) ln 2, since blocks
// are loaded unevenly.
func rocksDBProbes(milli int) int {
	upTo := [...]int{2080, 3580, 5100, 6640, 8300, 10070, 11720, 14001, 16050, 18300, 22001, 25501}
	for i, most := range upTo {
		if milli <= most {
			return i + 1
		}
	}
	if milli > 50000 {
		return 24
	}
	return (milli-1)/2000 - 1
}
