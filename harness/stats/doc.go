// Package stats holds the statistics of the lab: intervals, tests, sample sizes, medians, and the
// verdict of a case against its model. Rates, levels and powers are fractions 0..1 throughout.
package stats
