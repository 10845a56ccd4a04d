package cuckoo

import (
	"fmt"
	"math"
	"strconv"

	"filterlab/filters"
	"filterlab/filters/spec"
)

const (
	// ownLoad is the highest load factor at which n keys are placed.
	ownLoad = 0.95
	// ownRoom is how many square roots of the slots a table keeps free at the least, so that n keys
	// fit a small one too: a test counts refusals.
	ownRoom = 2
)

// widths are the fingerprints that there are, in bits.
var widths = []uint64{8, 12, 16}

// OwnVariant describes our own filter: cuckoo-own, with knob f.
func OwnVariant() filters.Variant {
	return filters.Variant{
		Name: "cuckoo-own",
		Doc:  "cuckoo filter of our own: any odd number of buckets, can remove, and a refused key costs no other",
		Knobs: []spec.Knob{
			spec.Choice("f", "bits of a fingerprint; auto: the fewest that meet p", "auto", "8", "12", "16"),
		},
		Seeded: true, Concurrent: true,
		New:   newOwn,
		Model: ownModel,
	}
}

func newOwn(p filters.Params) (filters.Filter, error) {
	s, err := ownShapeOf(p)
	if err != nil {
		return nil, err
	}
	return &Own{
		table: make([]byte, s.bytes()), m: s.buckets, seed: p.Seed,
		lanes: newLanes(s.f), search: newSearch(s.buckets),
	}, nil
}

// An ownShape is the bits of a fingerprint and the number of buckets.
type ownShape struct{ f, buckets uint64 }

// ownShapeOf returns the shape for p: the least odd number of buckets whose slots hold n keys at a
// load of ownLoad and with ownRoom, and the narrowest fingerprint whose FPR then is at most p, or
// the widest.
func ownShapeOf(p filters.Params) (s ownShape, err error) {
	if err := p.Check(); err != nil {
		return s, err
	}
	n := float64(p.N)
	root := (ownRoom + math.Sqrt(ownRoom*ownRoom+4*n)) / 2 // of slots - ownRoom sqrt(slots) = n
	slots := max(n/ownLoad, root*root)
	if p.N <= bucketSlots {
		slots = bucketSlots
	}
	s.buckets = uint64(math.Ceil(slots/bucketSlots)) | 1
	if s.f, err = strconv.ParseUint(p.Knobs["f"], 10, 64); err != nil {
		for _, s.f = range widths {
			if s.population().fpr(n) <= p.P {
				break
			}
		}
	}
	_, err = filters.TableWords(slots * float64(s.f))
	return s, err
}

// bytes returns the length of the table: a bucket is read as the 8 bytes from its first.
func (s ownShape) bytes() uint64 { return (s.buckets-1)*s.f/2 + 8 }

func (s ownShape) population() population {
	m := float64(s.buckets)
	return population{float64(uint64(1)<<s.f - 1), m, 1 / m}
}

func ownModel(p filters.Params) (filters.Model, error) {
	s, err := ownShapeOf(p)
	if err != nil {
		return filters.Model{}, err
	}
	table, slots := s.population(), float64(bucketSlots*s.buckets)
	held := func(n uint64) float64 { return min(float64(n), slots+1) } // the victim slot is one more
	source := fmt.Sprintf("Fan, Andersen, Kaminsky & Mitzenmacher 2014, for %d fingerprints of %d bits, equally likely", 1<<s.f-1, s.f)
	if fpr := table.fpr(held(p.N)); fpr > p.P {
		source += fmt.Sprintf("; %d bits give %.3g at n keys and miss p", s.f, fpr)
	}
	return filters.Model{
		Formula:   "(1-1/m) (1-(1-2/(Fm))^n) + (1/m) (1-(1-1/(Fm))^n), F = 2^f-1, m buckets; about 1-(1-1/F)^(8 load)",
		Source:    source,
		Bits:      8 * s.bytes(),
		FPR:       func(n uint64) float64 { return table.fpr(held(n)) },
		SD:        func(n uint64) float64 { return table.sd(held(n)) },
		Occupancy: func(n uint64) float64 { return min(1, held(n)/slots) },
		Lost:      table.lost,
		FPRAfter:  table.fprAfter,
	}, nil
}
