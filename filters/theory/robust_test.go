package theory_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"filterlab/filters/theory"
)

// rates are the FPR formulas as functions of a size in bits and the keys held.
var rates = map[string]func(m, n float64) float64{
	"BloomClassicFPR":      func(m, n float64) float64 { return theory.BloomClassicFPR(m, 7, n) },
	"BloomMeanFillFPR":     func(m, n float64) float64 { return theory.BloomMeanFillFPR(m, 7, n) },
	"BloomSecondOrderFPR":  func(m, n float64) float64 { return theory.BloomSecondOrderFPR(m, 7, n) },
	"BloomExactFPR":        func(m, n float64) float64 { return theory.BloomExactFPR(math.Floor(m), 7, n) },
	"BloomExactDistinct":   func(m, n float64) float64 { return theory.BloomExactDistinctFPR(math.Floor(m), 7, n) },
	"BloomFPR":             func(m, n float64) float64 { return theory.BloomFPR(m, 7, n) },
	"DoubleHashFPR":        func(m, n float64) float64 { return theory.DoubleHashFPR(theory.DoubleHash, max(64, m), 7, n) },
	"PartitionedFPR":       func(m, n float64) float64 { return theory.PartitionedFPR(m/7, 7, n) },
	"PartitionedClassic":   func(m, n float64) float64 { return theory.PartitionedClassicFPR(m/7, 7, n) },
	"BlockedFPR putze":     func(m, n float64) float64 { return theory.BlockedFPR(theory.BlockMean, 512, 7, m/n) },
	"BlockedFinite exact":  func(m, n float64) float64 { return theory.BlockedFiniteFPR(theory.BlockExact, 128, 7, m/128, n) },
	"BlockedFinite dist.":  func(m, n float64) float64 { return theory.BlockedFiniteFPR(theory.BlockDistinct, 64, 7, m/64, n) },
	"BlockedFinite large":  func(m, n float64) float64 { return theory.BlockedFiniteFPR(theory.BlockExact, 4096, 7, m/4096, n) },
	"SBBFFPR":              func(m, n float64) float64 { return theory.SBBFFPR(m / n) },
	"SBBFFiniteFPR":        func(m, n float64) float64 { return theory.SBBFFiniteFPR(m/256, n) },
	"RocksDBBlockedFPR":    func(m, n float64) float64 { return theory.RocksDBBlockedFPR(512, 7, m/n) },
	"CuckooFPR":            func(m, n float64) float64 { return theory.CuckooFPR(255, m/32, n) },
	"CuckooFiniteFPR":      func(m, n float64) float64 { return theory.CuckooFiniteFPR(theory.TagZeroToOne, 8, m/32, n) },
	"CuckooLoadFPR":        func(m, n float64) float64 { return theory.CuckooLoadFPR(theory.TagFull, 8, 4, n/m*8) },
	"HashWidthFloor":       func(m, n float64) float64 { return theory.HashWidthFloor(math.Log2(m), n) },
	"CountingOverflow":     func(m, n float64) float64 { return theory.CountingOverflow(m/4, 7, n, 16) },
	"CountingOverflow 2^8": func(m, n float64) float64 { return theory.CountingOverflowPoisson(m/8, 7, n, 256) },
}

func TestRatesAreRates(t *testing.T) {
	for name, f := range rates {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				m := math.Exp(rapid.Float64Range(math.Log(2), math.Log(1e11)).Draw(t, "log m"))
				n := math.Floor(math.Exp(rapid.Float64Range(0, math.Log(1e10)).Draw(t, "log n")))
				few, many := f(m, n), f(m, math.Ceil(n*1.1))
				if !(few >= 0 && many <= 1) {
					t.Fatalf("f(%v, %v) = %v, f at 1.1 n = %v: want rates", m, n, few, many)
				}
				if few > many*(1+1e-9)+1e-300 {
					t.Fatalf("f(%v, %v) = %v falls to %v with more keys", m, n, few, many)
				}
			})
			if empty := f(1e6, 0); empty != 0 {
				t.Errorf("empty: %v, want 0", empty)
			}
			if full := f(1e6, 1e9); !within(full, 1, 1e-6) {
				t.Errorf("1e9 keys in 1e6 bits: %v, want 1", full)
			}
		})
	}
}

// others return everything that is not a rate, for the same arguments.
func others(m, n float64) map[string]float64 {
	fill, sd := theory.BloomFill(m, 7, n)
	guess, _ := theory.BloomEstimateN(m, 7, fill*m)
	lost, emptied := theory.CountingBlindDeletesFNR(m, 7, n, n)
	load, overfull := theory.CuckooOverfullClasses(255, 4, m/32, n)
	distinct, repeated := theory.DistinctDraws(m, n)
	collisions := theory.CollideHashes(math.Log2(m), n)
	extra, _ := theory.DoubleHashExtra(theory.DoubleNonzero, math.Floor(m), 7, n)
	return map[string]float64{
		"fill": fill, "fill sd": sd, "estimate": guess, "fnr": lost, "emptied": emptied, "class load": load, "overfull": overfull,
		"distinct": distinct, "repeated": repeated, "lost": collisions.Lost, "none": collisions.None, "extra": extra,
		"instance sd":    theory.BloomInstanceSD(m, 7, n),
		"partitioned sd": theory.PartitionedInstanceSD(m/7, 7, n),
		"blocked sd":     theory.BlockedInstanceSD(theory.BlockExact, 256, 7, m/256, n),
		"sbbf sd":        theory.SBBFInstanceSD(m/256, n),
		"cuckoo sd":      theory.CuckooInstanceSD(255, m/32, n),
		"cuckoo loss":    theory.CuckooWrongDeleteLoss(255, m/32, n),
		"counting loss":  theory.CountingWrongDeleteLoss(m, 7, n),
		"blind loss":     theory.CountingBlindDeleteLoss(m, 7, n),
		"one":            theory.CountingOneGivenNonzero(m, 7, n),
		"partitioned":    theory.PartitionedExcess(math.Floor(m/7), 7, n),
		"overhead":       theory.Overhead(m, theory.BloomClassicFPR(m, 7, n)),
	}
}

func TestNoNaN(t *testing.T) {
	for _, m := range []float64{0, 1, 2, 7, 64, 1000, 1e6, 1e10, 1e13} {
		for _, n := range []float64{0, 1, 2, 100, 1e6, 1e9} {
			for name, x := range others(m, n) {
				if math.IsNaN(x) || (math.IsInf(x, 0) && name != "overhead" && name != "estimate") {
					t.Errorf("%s at m=%v, n=%v is %v", name, m, n, x)
				}
			}
			for name, f := range rates {
				if x := f(m, n); math.IsNaN(x) && !(m == 0 && n == 0) { // 0/0 bits per key is the caller's
					t.Errorf("%s at m=%v, n=%v is NaN", name, m, n)
				}
			}
		}
	}
}

// A figure asks for hundreds of these, so none may take long, however full the filter.
func TestFormulasAreCheap(t *testing.T) {
	start := time.Now()
	const rounds = 3
	for range rounds {
		for _, n := range []float64{1e3, 1e6, 1e9} {
			others(1e9, n)
			for _, f := range rates {
				f(1e9, n)
				f(1e6, n)
			}
		}
	}
	theory.CacheAttackedHit(1e9, 1, 1e6, 0.5)
	theory.CacheAttackedHit(1e9, 0.5, 1e8, 0)
	calls := rounds * 3 * (len(rates)*2 + 1)
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("%d calls took %v", calls, took)
	}
}
