package theory_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"filterlab/filters/theory"
)

// TestSharded throws keys at shards and bits, and holds the mean FPR and its spread between instances
// against the formulas; at 1,024 keys a shard, where the formula changes, its two forms meet.
func TestSharded(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct{ words, k, shards, n, instances int }{
		{1, 7, 16, 50, 20000}, {2, 4, 3, 40, 20000}, {8, 7, 16, 700, 3000}, {20, 7, 4, 500, 4000}, {170, 7, 4, 4200, 600},
	} {
		var sum, squares float64
		for range c.instances {
			fpr := shardedInstance(rng, c.words, c.k, c.shards, c.n)
			sum += fpr
			squares += fpr * fpr
		}
		of := float64(c.instances)
		mean := sum / of
		sd := math.Sqrt((squares/of - mean*mean) * of / (of - 1))
		m, k, shards, n := float64(64*c.words), float64(c.k), float64(c.shards), float64(c.n)
		wantMean, wantSD := theory.ShardedFPR(m, k, shards, n), theory.ShardedInstanceSD(m, k, shards, n)
		t.Logf("%+v: FPR %.5g, want %.5g; sd %.4g, want %.4g", c, mean, wantMean, sd, wantSD)
		if math.Abs(mean-wantMean) > 4*sd/math.Sqrt(of) {
			t.Errorf("%+v: FPR %g, by the formula %g, standard error %.2g", c, mean, wantMean, sd/math.Sqrt(of))
		}
		if math.Abs(sd/wantSD-1) > 0.12 {
			t.Errorf("%+v: standard deviation %g, by the formula %g", c, sd, wantSD)
		}
	}
	below, above := theory.ShardedFPR(9856, 7, 16, 16384), theory.ShardedFPR(9856, 7, 16, 16384.001)
	if math.Abs(below/above-1) > 2e-4 {
		t.Errorf("1,024 keys a shard: %g by the mixture, %g to second order", below, above)
	}
}

func shardedInstance(rng *rand.Rand, words, k, shards, n int) (fpr float64) {
	ones := make([]int, shards)
	set := make([]bool, shards*words*64)
	for range n {
		s := rng.IntN(shards)
		for range k {
			if i := s*words*64 + rng.IntN(words*64); !set[i] {
				set[i] = true
				ones[s]++
			}
		}
	}
	for _, x := range ones {
		fpr += math.Pow(float64(x)/float64(64*words), float64(k)) / float64(shards)
	}
	return fpr
}
