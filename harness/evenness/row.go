package evenness

import (
	"context"
	"fmt"

	"filterlab/filters"
	"filterlab/harness/stats"
	"filterlab/workloads"
)

// A Row is the table that one variant made of the keys of one workload, and what the test says of it.
type Row struct {
	Variant    string  `json:"variant"`
	Workload   string  `json:"workload"`
	N          uint64  `json:"n"`
	Target     float64 `json:"p"`
	KeySeed    uint64  `json:"key_seed"`
	FilterSeed uint64  `json:"filter_seed"`
	Table
	Test
	Adjusted float64 `json:"p_holm"` // the p-value adjusted for all rows of the run
}

// ranger is a filter that counts the bits set in ranges of its table.
type ranger interface {
	Ranges(count int) (bits, ones []uint64)
}

// Observe fills a filter with the workload's keys and tests so many ranges of its table. The variant
// must be a Bloom filter that counts bits by ranges.
func Observe(ctx context.Context, v filters.Bound, w workloads.Workload, p float64, keySeed, filterSeed uint64, ranges int) (Row, error) {
	row := Row{Variant: v.String(), Workload: w.Name, N: w.N, Target: p, KeySeed: keySeed, FilterSeed: filterSeed}
	params := v.Params(w.N, p, filterSeed)
	model, err := v.Model(params)
	if err != nil {
		return row, err
	}
	f, err := v.New(params)
	if err != nil {
		return row, err
	}
	counts, ok := f.(ranger)
	if !ok {
		return row, fmt.Errorf("variant %s does not count its bits by ranges", v)
	}
	for op, err := range w.Load(keySeed) {
		if err != nil {
			return row, err
		}
		f.Add(op.Key)
	}
	row.Table = Table{K: model.K, Keys: w.Members}
	row.Bits, row.Ones = counts.Ranges(ranges)
	row.Test = row.Table.Test()
	return row, ctx.Err()
}

// Adjust fills in the p-values adjusted for the number of rows.
func Adjust(rows []Row) {
	p := make([]float64, len(rows))
	for i, r := range rows {
		p[i] = r.P
	}
	for i, x := range stats.Holm(p) {
		rows[i].Adjusted = x
	}
}
