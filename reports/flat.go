package reports

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"filterlab/harness/stats"
)

// What can be said of the FPR of a variant over n, at fixed bits per key.
const (
	flat     = "flat"          // within a margin of its mean at every n, and its trend too
	grows    = "grows"         // a trend upwards, more than 4 standard errors
	falls    = "falls"         // a trend downwards, alike
	uneven   = "uneven"        // no trend, but the points scatter more than chance has it
	open     = "open"          // neither is shown: too few false positives
	unfixed  = "unfixed size"  // the bits per key differ, so that there is no question
	fewSizes = "too few sizes" // no trend to speak of
)

// A Flatness is the test of the FPR of one variant against n.
//
// Tables are rounded up to whole words, which is 3 % of a table for 1,000 keys. So each FPR is first
// brought to the bits per key of the largest n, by ln FPR in proportion to the bits, as it is for Bloom
// filters and fingerprints alike. ln FPR is then fitted by a line over ln n, each point weighted by its variance: that of the count,
// (1-f)/hits, and that between instances, (sd/f)^2/trials. The margin is 5 %, or 10 % for an FPR
// below 0.1 %, as for verdicts.
type Flatness struct {
	Variant      string
	BitsPerKey   float64
	Mean         float64 // FPR over all n
	Change       float64 // of the FPR from the least to the largest n by the line, a share
	ChangeLo, Hi float64 // its interval of 95 %
	Z            float64 // of the slope
	Worst        float64 // distance of a point from the mean, a share, with its interval of 95 %
	ChanceP      float64 // of the scatter about the mean, by chi-square
	Verdict      string
}

// A sized is one point: ln n, ln FPR and the variance of that.
type sized struct{ x, y, variance float64 }

// flatness tests the course of a variant over n.
func flatness(co course) Flatness {
	f := Flatness{Variant: co.variant, Verdict: fewSizes}
	var points []sized
	least, most := math.Inf(1), 0.0
	for _, c := range co.cases {
		fpr := c.FPR()
		if bits, ok := c.BitsPerKey(); ok {
			least, most = min(least, bits), max(most, bits)
		}
		if fpr.Hits == 0 || fpr.Share >= 1 {
			continue
		}
		between := c.InstanceSpread() / 1.96
		points = append(points, sized{math.Log(float64(c.N)), math.Log(co.evenly(c)), (1-fpr.Share)/float64(fpr.Hits) + between*between})
	}
	f.BitsPerKey = least
	const sameSize = 1.03
	switch {
	case len(points) < 3:
		return f
	case most > sameSize*least:
		f.Verdict = unfixed
		return f
	}
	f.fit(points)
	f.judge()
	return f
}

// evenly returns the FPR that a case would have at the bits per key of the largest n.
func (co course) evenly(c Case) float64 {
	bits, ok := c.BitsPerKey()
	last, okLast := co.last().BitsPerKey()
	if !ok || !okLast || bits <= 0 {
		return c.FPR().Share
	}
	return math.Pow(c.FPR().Share, last/bits)
}

// fit fills in mean, line and scatter.
func (f *Flatness) fit(points []sized) {
	var w, wx, wy, wxx, wxy float64
	lo, hi := points[0].x, points[0].x
	for _, p := range points {
		weight := 1 / p.variance
		w, wx, wy = w+weight, wx+weight*p.x, wy+weight*p.y
		wxx, wxy = wxx+weight*p.x*p.x, wxy+weight*p.x*p.y
		lo, hi = min(lo, p.x), max(hi, p.x)
	}
	mean := wy / w
	f.Mean = math.Exp(mean)
	spread := wxx - wx*wx/w
	slope, se := (wxy-wx*wy/w)/spread, math.Sqrt(1/spread)
	f.Z = slope / se
	f.Change = math.Expm1(slope * (hi - lo))
	f.ChangeLo, f.Hi = math.Expm1((slope-1.96*se)*(hi-lo)), math.Expm1((slope+1.96*se)*(hi-lo))
	chi2 := 0.0
	for _, p := range points {
		off := p.y - mean
		chi2 += off * off / p.variance
		f.Worst = max(f.Worst, math.Expm1(math.Abs(off)+1.96*math.Sqrt(p.variance)))
	}
	f.ChanceP = distuv.ChiSquared{K: float64(len(points) - 1)}.Survival(chi2)
}

func (f *Flatness) judge() {
	const certain, chance = 4, 6.3e-5 // 4 standard errors either way
	margin := 0.05
	if f.Mean < stats.RareRate {
		margin = 0.1
	}
	switch {
	case f.Hi < margin && f.ChangeLo > -margin && f.Worst < margin:
		f.Verdict = flat
	case f.Z > certain:
		f.Verdict = grows
	case f.Z < -certain:
		f.Verdict = falls
	case f.ChanceP < chance:
		f.Verdict = uneven
	default:
		f.Verdict = open
	}
}

// text says what is not flat.
func (f Flatness) text() string {
	switch f.Verdict {
	case grows, falls:
		return fmt.Sprintf("%s is not flat: its FPR %s by %s from the least n to the largest (z = %.0f)", f.Variant, f.Verdict,
			digits(100*math.Abs(f.Change), 2)+" %", f.Z)
	case uneven:
		return fmt.Sprintf("%s is not flat: its FPR strays by up to %s from its mean", f.Variant, digits(100*f.Worst, 2)+" %")
	case open:
		return f.Variant + " needs more strangers"
	case unfixed:
		return f.Variant + " has other bits per key at other n"
	}
	return f.Variant + " ran at too few n"
}
