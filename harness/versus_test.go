package harness

import (
	"context"
	"errors"
	"testing"
	"time"

	"filterlab/filters"
	"filterlab/filters/classic"
	"filterlab/filters/spec"
	"filterlab/workloads"
)

// slow is a filter that waits in every operation.
type slow struct{ filters.Filter }

func (s slow) Contains(key []byte) bool {
	for start := time.Now(); time.Since(start) < 200*time.Nanosecond; {
	}
	return s.Filter.Contains(key)
}

// forgetful denies all it holds.
type forgetful struct{ filters.Filter }

func (forgetful) Contains([]byte) bool { return false }

func versus(t *testing.T, own, peer func(filters.Filter) filters.Filter) Versus {
	t.Helper()
	const n = 50_000
	w, err := workloads.Parse(t.Context(), "random-ids", n, workloads.ReplayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	fresh := func() filters.Filter {
		v := classic.Variant()
		values, err := spec.Resolve("classic", v.Knobs, nil)
		if err != nil {
			t.Fatal(err)
		}
		f, err := v.New(filters.Params{N: n, P: 0.01, Seed: 1, Knobs: values})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	return Versus{Own: own(fresh()), Peer: peer(fresh()), Workload: w, Seed: 1, Lookups: 100_000}
}

func asIs(f filters.Filter) filters.Filter { return f }

func TestVersusFindsTheSlowerOne(t *testing.T) {
	ratios, err := versus(t, asIs, func(f filters.Filter) filters.Filter { return slow{f} }).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(ratios) != 3 || ratios[0].Op != "add" || ratios[1].Op != "member" || ratios[2].Op != "stranger" {
		t.Fatalf("ops of %+v, want add, member, stranger", ratios)
	}
	for _, r := range ratios[1:] {
		if r.Lo == nil || *r.Lo > r.Ratio || *r.Hi < r.Ratio || r.Ratio > 0.6 || r.OwnNS >= r.PeerNS {
			t.Errorf("%+v: want a ratio well below 1 within its interval", r)
		}
	}
}

func TestVersusRefusesAFilterThatDenies(t *testing.T) {
	_, err := versus(t, func(f filters.Filter) filters.Filter { return forgetful{f} }, asIs).Run(t.Context())
	if err == nil {
		t.Error("a filter that denies its members is no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := versus(t, asIs, asIs).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
