package counting

import (
	"encoding/binary"
	"math"
	"testing"

	"filterlab/filters"
	"filterlab/filters/theory"
)

// TestLostForFewWrongDeletes: the differential equation starts at FPR * loss per wrong delete.
func TestLostForFewWrongDeletes(t *testing.T) {
	params := bind(t, "").Params(100000, 0.01, 1)
	l, err := shape(params)
	if err != nil {
		t.Fatal(err)
	}
	model, err := bind(t, "").Model(params)
	if err != nil {
		t.Fatal(err)
	}
	const n = 100000
	fm, fk := float64(16*l.words), float64(l.k)
	want := 10 * theory.BloomFPR(fm, fk, n) * theory.CountingWrongDeleteLoss(fm, fk, n)
	if got := model.Lost(filters.Churn{Loaded: n, Wrong: 10}); math.Abs(got/want-1) > 1e-3 {
		t.Errorf("10 wrong deletes lose %g, want %g", got, want)
	}
	for _, c := range []filters.Churn{{}, {Wrong: 5}, {Loaded: n, Deleted: 500}, {Loaded: n, Deleted: n, Wrong: 9}} {
		if got := model.Lost(c); got != 0 {
			t.Errorf("%+v loses %g, want 0", c, got)
		}
	}
	if got := model.Lost(filters.Churn{Loaded: n, Wrong: 1 << 50}); got < 0.99*n || got > n {
		t.Errorf("2^50 wrong deletes lose %g of %d members", got, n)
	}
}

// TestLostInLines: at first a wrong delete takes the members of the one line it hits, and in the end
// all are gone.
func TestLostInLines(t *testing.T) {
	const n = 100000
	for _, setting := range settings[2:] {
		model, err := bind(t, setting).Model(bind(t, setting).Params(n, 0.01, 1))
		if err != nil {
			t.Fatal(err)
		}
		one := model.Lost(filters.Churn{Loaded: n, Wrong: 10}) / 10 / model.FPR(n)
		if one < 2 || one > float64(model.K) {
			t.Errorf("%s: a wrong delete that passes takes %.2f members", setting, one)
		}
		for _, c := range []filters.Churn{{}, {Wrong: 5}, {Loaded: n, Deleted: 500}, {Loaded: n, Deleted: n, Wrong: 9}} {
			if got := model.Lost(c); got != 0 {
				t.Errorf("%s, %+v: loses %g, want 0", setting, c, got)
			}
		}
		if got := model.Lost(filters.Churn{Loaded: n, Wrong: 1 << 50}); got < 0.99*n || got > n {
			t.Errorf("%s: 2^50 wrong deletes lose %g of %d members", setting, got, n)
		}
	}
}

// TestWrongDeletes holds members lost and FPR left against the model on both sides, from a few wrong
// deletes to so many that most members are gone.
func TestWrongDeletes(t *testing.T) {
	const n = 10000
	instances := 12.0
	if testing.Short() {
		instances = 4
	}
	for _, setting := range settings {
		if setting == "bits=8" {
			continue // the same counters as flat ones of 4 bits
		}
		slack := 0.003
		if setting != "" {
			slack = 0.015 // what is taken as independent in a line is not quite
		}
		churns := []filters.Churn{
			{Loaded: n, Deleted: 3000, Added: 1000, Wrong: 10000},
			{Loaded: 2 * n, Wrong: 50000},
			{Loaded: n, Wrong: 1000},
			{Loaded: n, Wrong: 100000},
			{Loaded: n, Wrong: 300000},
		}
		if testing.Short() {
			churns = churns[:2]
		}
		for _, c := range churns {
			model, err := bind(t, setting).Model(bind(t, setting).Params(n, 0.01, 0))
			if err != nil {
				t.Fatal(err)
			}
			var x, xx, predicted float64
			for seed := range uint64(instances) {
				lost, instance := wrongDeletes(t, setting, c, seed)
				x += lost / instances
				xx += lost * lost / instances
				predicted += instance / instances
			}
			se := math.Sqrt(max(0, xx-x*x) / (instances - 1))
			if want := model.Lost(c); math.Abs(x-want) > 5*se+slack*want {
				t.Errorf("%s, %+v: %.1f members lost, the model says %.1f, se %.2g", setting, c, x, want, se)
			}
			if want := model.FPRAfter(c); math.Abs(predicted/want-1) > 0.035 {
				t.Errorf("%s, %+v: the instances predict an FPR of %.5f, the model %.5f", setting, c, predicted, want)
			}
		}
	}
}

func wrongDeletes(t *testing.T, setting string, c filters.Churn, seed uint64) (lost, instanceFPR float64) {
	t.Helper()
	f := build(t, setting, 10000, 0.01, seed)
	buf := make([]byte, 0, 8)
	key := func(i uint64) []byte { return binary.LittleEndian.AppendUint64(buf, filters.Mix(seed<<32+i)) }
	for i := range c.Loaded {
		f.Add(key(i))
	}
	for i := range c.Deleted {
		f.Remove(key(i))
	}
	for i := range c.Added {
		f.Add(key(c.Loaded + i))
	}
	for i := range c.Wrong {
		f.Remove(key(1<<30 + i))
	}
	for i := c.Deleted; i < c.Loaded+c.Added; i++ {
		if !f.Contains(key(i)) {
			lost++
		}
	}
	return lost, f.InstanceFPR()
}
