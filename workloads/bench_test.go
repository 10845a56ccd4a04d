package workloads

import (
	"fmt"
	"testing"
)

// BenchmarkOp is the cost of making one op, in nanoseconds and allocations.
func BenchmarkOp(b *testing.B) {
	const endless = 1 << 60
	mixes := []struct {
		name string
		mix  Mix
	}{
		{"each", Mix{Members: endless, Each: true}},
		{"members", Mix{Members: endless}},
		{"strangers", Mix{Strangers: endless}},
		{"half", Mix{Members: endless, Strangers: endless}},
	}
	for _, name := range []string{"random-ids", "random-ids:shape=raw", "random-ids:shape=uuid", "random-ids:shape=url", "skewed-keys", "deletes"} {
		for _, n := range []uint64{1e6, 1e8, 1e9} {
			w := mustParse(b, name, n)
			for _, m := range mixes {
				b.Run(fmt.Sprintf("workload=%s/n=%.0e/mix=%s", name, float64(n), m.name), func(b *testing.B) {
					b.ReportAllocs()
					sum := byte(0)
					for left := b.N; left > 0; { // a stream of each member once may end before
						for op := range w.Lookup(1, m.mix) {
							sum += op.Key[0]
							if left--; left == 0 {
								break
							}
						}
					}
					_ = sum
				})
			}
		}
	}
}

// BenchmarkLoad is the cost of making one op of the load, in nanoseconds.
func BenchmarkLoad(b *testing.B) {
	for _, name := range []string{"random-ids", "random-ids:dup=0.5"} {
		b.Run("workload="+name, func(b *testing.B) {
			w := mustParse(b, name, 1e9)
			b.ReportAllocs()
			left := b.N
			for range w.Load(1) {
				if left--; left == 0 {
					break
				}
			}
		})
	}
}
