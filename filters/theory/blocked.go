package theory

import "math"

// BlockModel names what is assumed inside a block of a blocked Bloom filter.
type BlockModel string

const (
	// BlockMean takes the expected fill of the block, (1-(1-1/B)^(ki))^k: the model of Putze et al.
	BlockMean BlockModel = "putze"
	// BlockExact draws the k bits of a key with replacement.
	BlockExact BlockModel = "exact"
	// BlockDistinct draws k distinct bits for a key.
	BlockDistinct BlockModel = "distinct"
)

// BlockedFPR returns the expected FPR of a large blocked Bloom filter, the mean over Poisson block
// loads i of the FPR of a block that holds i keys.
//
// blockBits B, k hash functions, bitsPerKey: the mean load of a block is B/bitsPerKey. Putze,
// Sanders & Singler 2007/2009 eq. 3. The inner FPR comes from the distribution of bits set, in sums of
// positive terms only.
func BlockedFPR(model BlockModel, blockBits, k, bitsPerKey float64) float64 {
	if !(bitsPerKey > 0) {
		return 1
	}
	load := blockBits / bitsPerKey
	t := newBlockTable(model, int(blockBits), int(k), load)
	return t.poissonMean(load)
}

// BlockedFiniteFPR returns the expected FPR of a blocked Bloom filter, with binomial block loads.
//
// blockBits B, k hash functions, number of blocks, n keys held. As BlockedFPR, for a finite filter.
func BlockedFiniteFPR(model BlockModel, blockBits, k, blocks, n float64) float64 {
	if n <= 0 {
		return 0
	}
	if blocks < 1 {
		return 1
	}
	return newBlockTable(model, int(blockBits), int(k), n/blocks).binomialMean(n, blocks)
}

// BlockedInstanceSD returns the standard deviation of the FPR between instances of a blocked Bloom
// filter, sqrt((Var f - load (dE/dload)^2)/blocks).
//
// Symbols as in BlockedFiniteFPR; f is a block's own FPR, E its mean, the variance over the load of a
// block and over the bits its keys set. Own derivation: Poisson loads, corrected for the fixed number
// of keys; leading order in 1/blocks.
func BlockedInstanceSD(model BlockModel, blockBits, k, blocks, n float64) float64 {
	if n <= 0 || blocks < 1 {
		return 0
	}
	return newBlockTable(model, int(blockBits), int(k), n/blocks).instanceSD(n/blocks, blocks)
}

// BlockedBits returns the least bits per key at which a blocked Bloom filter reaches FPR p, and the
// number of hash functions that does it.
//
// blockBits B, 0 < p < 1. Inversion of BlockedFPR (BlockExact) for each k.
func BlockedBits(blockBits, p float64) (bitsPerKey float64, k int) {
	bitsPerKey = math.Inf(1)
	for try := 1; try <= int(math.Ceil(-math.Log2(p)))+1; try++ {
		// twice the load of an unblocked filter with as many probes: more than a block can take
		most := 2 * BloomCapacity(blockBits, float64(try), p)
		t := newBlockTable(BlockExact, int(blockBits), try, most)
		load := root(0, most, p, t.poissonMean)
		if b := blockBits / load; b < bitsPerKey {
			bitsPerKey, k = b, try
		}
	}
	return bitsPerKey, k
}

// LanesFiniteFPR returns the expected FPR of a blocked Bloom filter with 8 lanes of width bits to a
// block and one bit a lane: the mean over binomial loads i of (1-(1-1/width)^i)^8.
//
// width in bits, number of blocks, n keys held. Putze et al. 2007.
func LanesFiniteFPR(width, blocks, n float64) float64 {
	if n <= 0 {
		return 0
	}
	if blocks < 1 {
		return 1
	}
	return laneTable(width, n/blocks).binomialMean(n, blocks)
}

// LanesInstanceSD returns the standard deviation of the FPR between instances of the filter of
// LanesFiniteFPR. Formula as BlockedInstanceSD.
func LanesInstanceSD(width, blocks, n float64) float64 {
	if n <= 0 || blocks < 1 {
		return 0
	}
	return laneTable(width, n/blocks).instanceSD(n/blocks, blocks)
}

// SBBFFPR returns the expected FPR of a large split block Bloom filter, with 8 lanes of 32 bits to a
// block and one bit a lane: the mean over Poisson loads i of (1-(31/32)^i)^8.
//
// The mean load is 256/bitsPerKey. Putze et al. 2007; Apache Parquet and Impala.
func SBBFFPR(bitsPerKey float64) float64 {
	if !(bitsPerKey > 0) {
		return 1
	}
	return laneTable(32, 256/bitsPerKey).poissonMean(256 / bitsPerKey)
}

// SBBFFiniteFPR returns the expected FPR of a split block Bloom filter of a number of blocks that
// holds n keys, with binomial block loads. Otherwise as SBBFFPR.
func SBBFFiniteFPR(blocks, n float64) float64 { return LanesFiniteFPR(32, blocks, n) }

// SBBFInstanceSD returns the standard deviation of the FPR between instances of a split block Bloom
// filter of a number of blocks that holds n keys. Formula as BlockedInstanceSD.
func SBBFInstanceSD(blocks, n float64) float64 { return LanesInstanceSD(32, blocks, n) }

// SBBFBits returns the bits per key at which SBBFFPR is p, 0 < p < 1.
func SBBFBits(p float64) float64 {
	most := 2 * 256 / SBBFParquetBits(p)
	t := laneTable(32, most)
	return 256 / root(0, most, p, t.poissonMean)
}

// SBBFParquetFPR returns the FPR that Parquet writers size by, (1-e^(-8/bitsPerKey))^8. It ignores
// that blocks are loaded unevenly and so is too low: 0.60 % for 0.94 % at 10.67 bits per key.
func SBBFParquetFPR(bitsPerKey float64) float64 { return BloomClassicFPR(bitsPerKey, 8, 1) }

// SBBFParquetBits returns the bits per key at which SBBFParquetFPR is p, -8/ln(1-p^(1/8)).
func SBBFParquetBits(p float64) float64 { return 1 / BloomCapacity(1, 8, p) }

// RocksDBBlockedFPR returns the estimate RocksDB makes of the FPR of a blocked Bloom filter: the mean
// of the classic FPR in blocks one standard deviation above and below the mean load.
//
// Symbols as in BlockedFPR. facebook/rocksdb util/bloom_impl.h, CacheLocalFpRate.
func RocksDBBlockedFPR(blockBits, k, bitsPerKey float64) float64 {
	if !(bitsPerKey > 0) {
		return 1
	}
	load := blockBits / bitsPerKey
	sd := math.Sqrt(load)
	return (BloomClassicFPR(blockBits, k, load+sd) + BloomClassicFPR(blockBits, k, load-sd)) / 2
}
