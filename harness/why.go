package harness

import (
	"fmt"
	"math"
	"strings"

	"filterlab/harness/stats"
)

// why says by how much a case differs from its model, with which prediction, and why that may be.
func (c *cell) why(holm float64, cells int) string {
	if math.IsNaN(c.Z) {
		return c.Why
	}
	by := c.distance()
	switch {
	case !c.off() && c.Verdict == stats.Agrees:
		return fmt.Sprintf("%s, and at most %s %% away with 95 %% confidence", by, short(100*c.Margin()))
	case !c.off() && c.Workload.Fixed && !c.Variant.Seeded:
		return fmt.Sprintf("%s; fixed keys in a filter without a seed make one instance, and its %d strangers are too few to tell",
			by, c.evidence[0].Strangers)
	case !c.off():
		return by + "; " + c.Why
	}
	if cells > 1 {
		by += fmt.Sprintf(", after Holm over %d cells %s", cells, chanceText(holm))
	}
	return by + ": " + strings.Join(c.causes(), "; ")
}

// chanceText words a p-value; what a float64 cannot hold is given as a bound.
func chanceText(p float64) string {
	const least = 1e-300
	if p < least {
		return fmt.Sprintf("p < %.0g", least)
	}
	return fmt.Sprintf("p = %.2g", p)
}

// short prints a number with two digits, and never with an exponent.
func short(x float64) string {
	if math.Abs(x) >= 100 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.2g", x)
}

// distance words the observed FPR against the model's: "3.1 % above the model E[(X/m)^k] (z = 8.2)".
func (c *cell) distance() string {
	by := fmt.Sprintf("%s %% above", short(100*(c.Ratio-1)))
	switch {
	case c.Ratio == 0:
		by = "no false positive, below"
	case c.Ratio >= 2:
		by = fmt.Sprintf("%.3g times", c.Ratio)
	case c.Ratio < 1:
		by = fmt.Sprintf("%s %% below", short(100*(1-c.Ratio)))
	}
	formula, _, _ := strings.Cut(c.model.Formula, ",")
	by += fmt.Sprintf(" the model %s (z = %.3g)", formula, c.Z)
	if c.off() && math.Abs(c.Z) <= stats.FlagZ {
		by = fmt.Sprintf("%s what the instances' own bits predict (z = %.3g), though %s", c.Verdict, c.InstanceZ, by)
	}
	return by
}

// causes says what the filter's own state tells about a difference.
func (c *cell) causes() []string {
	var out []string
	if s := c.size(); s != 1 {
		out = append(out, fmt.Sprintf("the table has %.3g times the bits of the model", s))
	}
	if c.fullnessTells() {
		out = append(out, c.fullnessWhy())
	}
	if why := c.instancesWhy(); why != "" {
		out = append(out, why)
	}
	refused, kept := uint64(0), uint64(0)
	for _, r := range c.rows {
		refused, kept = refused+r.Rejected, kept+r.Held
	}
	if refused > 0 {
		out = append(out, fmt.Sprintf("%d keys were refused and %d are held", refused, kept))
	}
	return out
}

// occupancyName is what the occupancy of the filter is: filters that probe have a fill ratio.
func (c *cell) occupancyName() string {
	if c.model.K > 0 {
		return "fill ratio"
	}
	return "load factor"
}

// fullnessWhy words an occupancy that is not as expected. A filter of fill ratio f has taken
// -ln(1-f) m probes, so the ratio of these logarithms is that of the keys, of the probes a key, or
// of the tables the other way round.
func (c *cell) fullnessWhy() string {
	keys, more := c.full.seen/c.full.want, "more"
	if c.model.K > 0 && c.full.seen < 1 && c.full.want < 1 {
		keys = math.Log1p(-c.full.seen) / math.Log1p(-c.full.want)
	}
	if c.full.seen < c.full.want {
		more = "fewer"
	}
	why := fmt.Sprintf("%s %.4g where %.4g was expected: ", c.occupancyName(), c.full.seen, c.full.want)
	if c.full.seen < c.full.want && c.InstanceZ > stats.FlagZ {
		return why + "keys meet on the same places"
	}
	why += fmt.Sprintf("%s keys than planned (%.3g times)", more, keys)
	if k := c.model.K; k > 0 {
		why += fmt.Sprintf(", or %.3g probes a key and not %d", keys*float64(k), k)
	}
	return why + fmt.Sprintf(", or %.3g times the table", 1/keys)
}

// fullnessTells reports whether the occupancy is off, or off enough to explain half of the difference:
// the FPR goes with fill^k.
func (c *cell) fullnessTells() bool {
	explained := float64(c.model.K) * math.Log(c.full.seen/c.full.want) / math.Log(c.Ratio)
	return c.full.off || c.full.known && explained > 0.5
}

// instancesWhy words how the FPR stands to what the instances predict from their own bits.
func (c *cell) instancesWhy() string {
	full := ""
	if c.full.known && !c.fullnessTells() {
		full = c.occupancyName() + " as expected but "
	}
	switch {
	case math.IsNaN(c.InstanceZ) && !c.full.known:
		return "the filter tells neither how full it is nor what its bits predict, so the cause is open"
	case math.IsNaN(c.InstanceZ) && full == "":
		return ""
	case math.IsNaN(c.InstanceZ):
		return full + "not the FPR: probes are correlated (weak or short hash), or the formula is off"
	case math.Abs(c.InstanceZ) > stats.FlagZ:
		return full + c.notOwnPrediction()
	case c.DispersionP < stats.ScatterP:
		return fmt.Sprintf("the trials scatter about what their own bits predict (chi2, %s): instances differ in what "+
			"their bits do not show, such as a hash that some seeds break", chanceText(c.DispersionP))
	case full == "":
		return "the FPR is what the bits give"
	}
	return c.occupancyName() + " as expected and the FPR is what the bits give: the formula is off, not the filter"
}

// notOwnPrediction words an FPR that is not what the instances predict.
func (c *cell) notOwnPrediction() string {
	own := "fill^k"
	if c.model.K == 0 {
		own = "what the stored fingerprints give"
	}
	why := fmt.Sprintf("the FPR is not %s (z = %.3g): ", own, c.InstanceZ)
	if c.InstanceZ < 0 {
		return why + "lookups ask more than the prediction counts, or it counts too much"
	}
	if bits, ok := c.hashBits(); ok {
		return why + fmt.Sprintf("probes are correlated (weak or short hash; one of %.1f bits would do it)", bits)
	}
	return why + "probes are correlated (weak or short hash)"
}

// hashBits returns the width of a hash that would explain the false positives beyond the instances'
// own prediction f: 2^-h n keys meet a stranger's whole hash, so h = log2(n (1-f) / excess).
func (c *cell) hashBits() (h float64, ok bool) {
	var hits, asked, own, held float64
	for _, t := range c.evidence {
		q := float64(t.Strangers)
		hits, asked, own = hits+float64(t.FalsePositives), asked+q, own+q*t.Instance
	}
	for _, r := range c.rows {
		held += float64(r.Held) / float64(len(c.rows))
	}
	excess := -math.Log1p(-(hits - own) / (asked - own))
	h = math.Log2(held / excess)
	return h, h > 1 && h < 64
}
