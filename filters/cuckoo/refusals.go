package cuckoo

import "math"

// refusals keeps account of what refused inserts have done, in expectation.
type refusals struct {
	refused uint64  // keys refused
	strays  float64 // fingerprints of refused keys that are in the table
	dropped float64 // fingerprints of accepted keys that no longer are
}

// refuse accounts for a refused key in a table of stored fingerprints: its fingerprint came in, and
// one of all of them went out, each as likely.
func (r *refusals) refuse(stored float64) {
	all := stored + 1
	strays := r.strays + 1
	r.dropped += (all - strays) / all
	r.strays = strays - strays/all
}

// forgive accounts for a key that was to be removed and has no fingerprint left. It must have been
// dropped, if any was.
func (r *refusals) forgive() { r.dropped = max(0, r.dropped-1) }

// plausible reports whether the account can be one: no more strays or drops than refused keys.
func (r *refusals) plausible() bool {
	most := float64(r.refused) * (1 + 1e-9)
	for _, x := range []float64{r.strays, r.dropped} {
		if math.IsNaN(x) || x < 0 || x > most {
			return false
		}
	}
	return true
}
