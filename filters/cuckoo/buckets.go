package cuckoo

import "github.com/dgryski/go-metro"

const (
	fingerprints = 255  // fingerprint 0 marks an empty slot
	bucketSlots  = 4    // slots of a bucket
	hashSeed     = 1337 // of the package's hash, for keys and for fingerprints
)

// A place is where a key may be stored: its fingerprint, 1..255, and its two buckets.
type place struct {
	fingerprint   byte
	first, second uint64
}

// alone reports whether the two buckets are one.
func (p place) alone() bool { return p.first == p.second }

// locate returns the place of key in a table of slots, as the package computes it.
func locate(key []byte, slots uint64) place {
	hash := metro.Hash64(key, hashSeed)
	mask := slots/bucketSlots - 1
	p := place{fingerprint: byte(hash%fingerprints + 1), first: hash >> 32 & mask}
	p.second = p.first ^ hop(p.fingerprint)&mask
	return p
}

// hop returns what a fingerprint's two buckets differ by (exclusive or), before masking.
func hop(fingerprint byte) uint64 { return metro.Hash64([]byte{fingerprint}, hashSeed) }

// hops holds hop for all fingerprints.
func hops() (out [256]uint64) {
	for v := range out {
		out[v] = hop(byte(v))
	}
	return out
}

// loners returns how many of the 255 fingerprints have two equal buckets in a table of slots: about
// 255 in as many as there are buckets.
func loners(slots uint64) (n int) {
	mask := slots/bucketSlots - 1
	for v := 1; v <= fingerprints; v++ {
		if hop(byte(v))&mask == 0 {
			n++
		}
	}
	return n
}

// positiveShare returns the share of all pairs of fingerprint and first bucket, which random keys
// hit with equal chance, whose fingerprint is in the first or the second bucket of a table.
func positiveShare(table []byte) float64 {
	buckets := uint64(len(table) / bucketSlots)
	hop := hops()
	positive := 0
	for i := range buckets {
		own := table[i*bucketSlots : (i+1)*bucketSlots]
		for j, v := range own {
			if v == 0 || contains(own[:j], v) {
				continue
			}
			positive++ // (v, i) itself
			other := i ^ hop[v]&(buckets-1)
			if !contains(table[other*bucketSlots:(other+1)*bucketSlots], v) {
				positive++ // (v, other), whose second bucket is i
			}
		}
	}
	return float64(positive) / (fingerprints * float64(buckets))
}

func contains(bucket []byte, v byte) bool {
	for _, x := range bucket {
		if x == v {
			return true
		}
	}
	return false
}
