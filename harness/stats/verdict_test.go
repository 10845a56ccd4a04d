package stats

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// alike returns trials of equal size that show ratio times the model's false positives, rounded.
func alike(trials int, strangers uint64, rate, sd, ratio float64) []Trial {
	var out []Trial
	for range trials {
		out = append(out, Trial{
			Strangers: strangers, FalsePositives: uint64(math.Round(ratio * rate * float64(strangers))),
			Instance: math.NaN(), ModelFPR: rate, ModelSD: sd,
		})
	}
	return out
}

func TestJudgeVerdicts(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name   string
		trials []Trial
		want   Verdict
		why    string
	}{
		{"25,000 events", alike(10, 250_000, 0.01, 0, 1), Agrees, "2.5 %"},
		{"5,000 events of a rare rate", alike(10, 5_000_000, 0.0001, 0, 1), Agrees, "at most 6 %"},
		{"5,000 events of a common rate", alike(10, 50_000, 0.01, 0, 1), Underpowered, "more than 3 %"},
		{"a tenth of the work", alike(10, 25_000, 0.01, 0, 1), Underpowered, "strangers would settle it"},
		{"a tenth of the work, rare", alike(10, 500_000, 0.0001, 0, 1), Underpowered, "more than 6 %"},
		{"2.4 % off, short of 4 standard errors", alike(10, 250_000, 0.01, 0, 1.024), Agrees, ""},
		{"3.998 standard errors", []Trial{{Strangers: 2_500_000, FalsePositives: 25_629, Instance: nan, ModelFPR: 0.01}}, Agrees, ""},
		{"4.004 standard errors", []Trial{{Strangers: 2_500_000, FalsePositives: 25_630, Instance: nan, ModelFPR: 0.01}}, Above, ""},
		{"5,121 events of a rate of 0.1 %", alike(10, 512_093, 0.001, 0, 1), Underpowered, "more than 3 %"},
		{"2.6 % above", alike(10, 250_000, 0.01, 0, 1.026), Above, "1.026 times"},
		{"2.6 % below", alike(10, 250_000, 0.01, 0, 0.974), Below, "0.974 times"},
		{"30 % above with a tenth of the work", alike(10, 25_000, 0.01, 0, 1.3), Above, ""},
		{"instances that differ", alike(10, 250_000, 0.01, 0.00039, 1), Underpowered, "35 such trials"},
		{"instances that differ, enough of them", alike(60, 62_500, 0.01, 0.00039, 1), Agrees, ""},
		{"4 % above among instances that differ", alike(10, 250_000, 0.01, 0.00039, 1.04), Underpowered, ""},
		{"exact", alike(10, 100_000, 0, 0, 1), Exact, "1000000 strangers"},
		{"exact with a false positive", []Trial{{Strangers: 1000, FalsePositives: 1, Instance: nan}}, Above, "none can be"},
		{"always maybe", alike(10, 10_000, 1, 0, 1), Agrees, ""},
		{"always maybe but once", []Trial{{Strangers: 1000, FalsePositives: 999, Instance: nan, ModelFPR: 1}}, Below, ""},
		{"no strangers", alike(10, 0, 0.01, 0, 1), NotJudged, "no strangers"},
		{"no trials", nil, NotJudged, "no strangers"},
		{"no model", []Trial{{Strangers: 1000, Instance: nan, ModelFPR: nan}}, NotJudged, "no model"},
		{"one chance hit", []Trial{{Strangers: 1000, FalsePositives: 1, Instance: nan, ModelFPR: 1e-5}}, Underpowered, ""},
		{"far more than chance", []Trial{{Strangers: 1000, FalsePositives: 4, Instance: nan, ModelFPR: 1e-5}}, Above, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := Judge(c.trials)
			if j.Verdict != c.want || !strings.Contains(j.Why, c.why) || j.Why == "" {
				t.Errorf("%+v, want %q because of %q", j, c.want, c.why)
			}
			for _, x := range []float64{j.Z, j.Ratio, j.RelSE, j.InstanceZ, j.Dispersion, j.DispersionP} {
				if math.IsInf(x, 0) {
					t.Errorf("%+v is not finite", j)
				}
			}
		})
	}
}

func TestJudgeNumbers(t *testing.T) {
	trials := alike(2, 10_000, 0.01, 0.001, 1)
	trials[0].FalsePositives, trials[0].Instance = 130, 0.012
	trials[1].FalsePositives, trials[1].Instance = 90, 0.009
	j := Judge(trials)
	se := math.Sqrt(2 * (10_000*0.01*0.99 + 100)) // each trial: binomial 99, between instances 10^2
	own0, own1 := 10_000*0.012*0.988, 10_000*0.009*0.991
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"z", j.Z, 20 / se}, {"ratio", j.Ratio, 1.1}, {"relative se", j.RelSE, se / 200},
		{"instance z", j.InstanceZ, 10 / math.Sqrt(own0+own1)},
		{"dispersion", j.Dispersion, 100 / own0},
		{"its p", j.DispersionP, math.Exp(-50 / own0)}, // chi2 on two degrees of freedom
		{"margin", j.Margin(), 0.1 + 1.6448536269514722*se/200},
	} {
		if relative(c.got, c.want) > 1e-12 {
			t.Errorf("%s = %.15g, want %.15g", c.name, c.got, c.want)
		}
	}
	none := Judge(alike(2, 10_000, 0.01, 0, 1))
	if !math.IsNaN(none.InstanceZ) || !math.IsNaN(none.Dispersion) || !math.IsNaN(none.DispersionP) {
		t.Errorf("no instance predicts, and yet %+v", none)
	}
}

// The instances' own predictors see what the spread between instances hides from the pooled z.
func TestJudgeAgainstOwnPredictors(t *testing.T) {
	rates := []float64{0.0095, 0.0098, 0.01, 0.0102, 0.0105}
	signs := []float64{1, -1, 1, -1, 0}
	build := func(shown func(i int) float64) []Trial {
		trials := alike(5, 500_000, 0.01, 0.0004, 1)
		for i := range trials {
			trials[i].Instance = rates[i]
			trials[i].FalsePositives = uint64(500_000 * shown(i))
		}
		return trials
	}
	for _, c := range []struct {
		name string
		give []Trial
		want Verdict
		why  string
	}{
		{"as predicted", build(func(i int) float64 { return rates[i] }), Underpowered, ""},
		{"3.2 % above what each predicts", build(func(i int) float64 { return 1.032 * rates[i] }), Above, "own predictors say"},
		{"3.2 % below what each predicts", build(func(i int) float64 { return 0.968 * rates[i] }), Below, "own predictors say"},
		{"4.4 standard errors from what each predicts", build(func(i int) float64 { return 1.0277 * rates[i] }), Underpowered, ""},
		{"4.6 standard errors from what each predicts", build(func(i int) float64 { return 1.029 * rates[i] }), Above, "1.029 times those, z = 4.59"},
		{"scatter at p = 4e-6", build(func(i int) float64 { return rates[i] * (1 + 0.0404*signs[i]) }), Underpowered, ""},
		{"scatter at p = 5e-7", build(func(i int) float64 { return rates[i] * (1 + 0.0434*signs[i]) }), Below, "scatter more"},
		{"shuffled", build(func(i int) float64 { return rates[4-i] + 2e-5 }), Above, "scatter more"},
		{"10 % above model and predictors", build(func(i int) float64 { return 1.1 * rates[i] }), Above, "nor as the instances"},
		{"10 % above the model, as predicted", func() []Trial {
			trials := alike(5, 500_000, 0.01, 0.0001, 1.1)
			for i := range trials {
				trials[i].Instance = 0.011
			}
			return trials
		}(), Above, "as the instances themselves predict"},
	} {
		if j := Judge(c.give); j.Verdict != c.want || !strings.Contains(j.Why, c.why) {
			t.Errorf("%s: %+v, want %q because of %q", c.name, j, c.want, c.why)
		}
	}
}

// What an underpowered case asks for must settle it, and 3 % less must not.
func TestNeedSettles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := math.Exp(-rapid.Float64Range(1, 14).Draw(t, "-ln rate"))
		strangers := max(100, uint64(rapid.Float64Range(0.01, 0.9).Draw(t, "share")*2500/rate))
		sd := rate * rapid.SampledFrom([]float64{0, 0.001, 0.01, 0.05, 0.3}).Draw(t, "relative sd")
		settled := func(trials int, strangers uint64) bool {
			_, tolerance := Design(rate)
			e := gather(alike(trials, strangers, rate, sd, 1))
			return 4*math.Sqrt(e.binomial+e.between)/e.expected <= tolerance
		}
		j := Judge(alike(10, strangers, rate, sd, 1))
		if j.Verdict != Underpowered {
			if !settled(10, strangers) {
				t.Fatalf("%+v without the evidence", j)
			}
			return
		}
		each := (j.Need + 9) / 10
		switch {
		case (j.Need > 0) == (j.NeedTrials > 0):
			t.Fatalf("%+v asks for both or nothing", j)
		case j.Need > 0:
			if !settled(10, each) || settled(10, each*97/100) {
				t.Fatalf("%d strangers of each do not just settle it: %+v", each, j)
			}
		default:
			if n := int(j.NeedTrials); !settled(n, strangers) || n > 33 && settled(n*97/100, strangers) {
				t.Fatalf("%d trials do not just settle it: %+v", n, j)
			}
		}
	})
}

// More evidence that shows the same never turns an agreement into a doubt.
func TestEvidenceIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.SampledFrom([]float64{0.1, 0.01, 0.001, 0.0009, 0.0001}).Draw(t, "rate")
		sd := rate * rapid.Float64Range(0, 0.03).Draw(t, "relative sd")
		strangers := uint64(rapid.Float64Range(300, 3000).Draw(t, "events") / rate)
		more := uint64(rapid.Float64Range(1, 4).Draw(t, "factor") * float64(strangers))
		if Judge(alike(10, strangers, rate, sd, 1)).Verdict == Agrees {
			if j := Judge(alike(10, more, rate, sd, 1)); j.Verdict != Agrees {
				t.Fatalf("%d strangers a trial agree, %d do not: %+v", strangers, more, j)
			}
		}
	})
}
