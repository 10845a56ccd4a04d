package stats

// What an equivalence test can say.
const (
	Agree        = "AGREE"        // within the margin, even where it differs significantly
	Disagree     = "DISAGREE"     // outside the margin
	Inconclusive = "INCONCLUSIVE" // neither is shown
)

// An Equivalence is the answer to "is the rate within a margin of the predicted one", with what it
// rests on. All are rates but P and Verdict.
type Equivalence struct {
	InnerLo, InnerHi   float64 // the interval at confidence 1-2 alpha, which must lie inside the margin
	OuterLo, OuterHi   float64 // the interval at confidence 1-alpha, which must lie outside
	MarginLo, MarginHi float64
	P                  float64 // of no difference, two-sided exact
	Verdict            string
}

// TostBinom tests by two one-sided tests at level alpha whether x hits in n tries show a rate within
// (1 +- margin)p, with exact intervals. Schuirmann 1987.
//
// A p-value that is not small never shows agreement; here it takes an interval inside the margin.
func TostBinom(x, n uint64, p, margin, alpha float64) Equivalence {
	e := Equivalence{MarginLo: (1 - margin) * p, MarginHi: (1 + margin) * p, P: BinomialP(x, n, p)}
	e.InnerLo, e.InnerHi = ClopperPearson(x, n, 1-2*alpha)
	e.OuterLo, e.OuterHi = ClopperPearson(x, n, 1-alpha)
	switch {
	case e.InnerLo >= e.MarginLo && e.InnerHi <= e.MarginHi:
		e.Verdict = Agree
	case e.OuterLo > e.MarginHi || e.OuterHi < e.MarginLo:
		e.Verdict = Disagree
	default:
		e.Verdict = Inconclusive
	}
	return e
}
