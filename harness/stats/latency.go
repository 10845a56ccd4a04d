package stats

import (
	"math"
	"time"
)

// BatchSize returns how many operations must share one pair of clock readings for the clock to add
// at most the share rel to the time of each.
//
// clockNS is the cost of the pair and opNS that of one operation, both in ns: clock/(rel op), rounded up.
func BatchSize(clockNS, opNS, rel float64) int {
	return int(math.Ceil(clockNS / (rel * opNS)))
}

// CorrectOmission returns the latencies with those added that a closed loop left out: requests due
// every interval while one of them stalled would have waited too.
//
// A latency L above the interval I brings L-I, L-2I, ... down to I (Tene, recordCorrectedValue of
// HdrHistogram). An interval of 0 or less adds nothing.
func CorrectOmission(latencies []time.Duration, interval time.Duration) []time.Duration {
	var corrected []time.Duration
	for _, l := range latencies {
		corrected = append(corrected, l)
		if interval <= 0 {
			continue
		}
		for missed := l - interval; missed >= interval; missed -= interval {
			corrected = append(corrected, missed)
		}
	}
	return corrected
}
