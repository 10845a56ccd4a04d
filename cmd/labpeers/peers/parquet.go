package peers

import (
	"math"

	"github.com/parquet-go/parquet-go/bloom"

	"filterlab/filters"
	"filterlab/filters/spec"
	"filterlab/filters/theory"
)

// A parquetFilter is the split block Bloom filter of parquet-go, behind the XXH64 hash that the
// Parquet format asks for.
type parquetFilter struct{ blocks bloom.SplitBlockFilter }

var _ filters.Filter = parquetFilter{}

func (f parquetFilter) Add(key []byte) bool {
	f.blocks.Insert(bloom.XXH64{}.Sum64(key))
	return true
}

func (f parquetFilter) Contains(key []byte) bool { return f.blocks.Check(bloom.XXH64{}.Sum64(key)) }

// SizeBits returns 256 bits a block.
func (f parquetFilter) SizeBits() uint64 { return 256 * uint64(len(f.blocks)) }

// Parquet describes the filter: parquet, with knob bits.
func Parquet() filters.Variant {
	return filters.Variant{
		Name: "parquet",
		Doc: "split block Bloom filter of parquet-go/parquet-go/bloom, in assembly, behind XXH64: sized by whole bits a key and not by p; " +
			"takes hashes, and raw sequential numbers make every lookup a maybe",
		Knobs: []spec.Knob{
			spec.Real("bits", "bits a key; 0: the least whole number that meets p", "0", 0, 200),
		},
		Concurrent: true,
		New: func(p filters.Params) (filters.Filter, error) {
			blocks, err := parquetBlocks(p)
			if err != nil {
				return nil, err
			}
			return parquetFilter{make(bloom.SplitBlockFilter, blocks)}, nil
		},
		Model: parquetModel,
	}
}

// maxParquetBlocks is the most blocks that the package addresses: an int32.
const maxParquetBlocks = math.MaxInt32

func parquetBlocks(p filters.Params) (uint64, error) {
	if err := checkSize(p); err != nil {
		return 0, err
	}
	bits := p.Knobs.Float("bits")
	n := float64(p.N)
	for auto := bits == 0; auto; auto = sbbf(max(1, math.Ceil(bits*n/256)), n) > p.P {
		bits++
	}
	blocks := max(1, math.Ceil(bits*n/256))
	if blocks > maxParquetBlocks {
		return 0, tooMany("parquet", p.N, uint64(maxParquetBlocks*256/bits))
	}
	return uint64(blocks), nil
}

// sbbf returns the FPR of a number of blocks that hold n keys, with the keys that meet in the block
// and in the 32 bits of hash which choose its bits.
func sbbf(blocks, n float64) float64 {
	return theory.WithHashFloor(theory.SBBFFiniteFPR(blocks, n), theory.HashWidthFloor(32+math.Log2(blocks), n))
}

func parquetModel(p filters.Params) (filters.Model, error) {
	blocks, err := parquetBlocks(p)
	if err != nil {
		return filters.Model{}, err
	}
	b := float64(blocks)
	return filters.Model{
		Formula: "mean of (1-(31/32)^i)^8 over binomial block loads i",
		Source:  "Putze, Sanders & Singler 2007; Apache Parquet, BloomFilter.md; and keys that agree in 32 bits",
		Bits:    256 * blocks,
		K:       8,
		FPR:     func(n uint64) float64 { return sbbf(b, float64(n)) },
		SD:      func(n uint64) float64 { return theory.SBBFInstanceSD(b, float64(n)) },
	}, nil
}
