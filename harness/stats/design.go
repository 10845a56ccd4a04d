package stats

// RareRate is the rate below which a case is designed for fewer false positives, a fraction.
const RareRate = 0.001

// Design returns how many false positives the trials of a case together should expect when its
// model predicts rate, and the tolerance of its verdict, a share of the model: 25,000 and 3 %, or
// 5,000 and 6 % where false positives are rarer than RareRate.
//
// Four standard errors of that many are 2.5 % and 5.7 % of the model, which leaves room for 29 % of the
// variance to lie between instances, or 11 %. The tolerance hangs on the rate and not on the
// events seen, or gathering more of them could turn an agreement into a doubt.
func Design(rate float64) (events, tolerance float64) {
	if rate < RareRate {
		return 5_000, 0.06
	}
	return 25_000, 0.03
}
