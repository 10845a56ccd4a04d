package fuse

import (
	"fmt"
	"math"
	"strconv"

	"filterlab/filters"
	"filterlab/filters/spec"
	"filterlab/filters/theory"
)

// Variant describes the filter: fuse, with knob f.
func Variant() filters.Variant {
	return filters.Variant{
		Name: "fuse",
		Doc:  "binary fuse filter of FastFilter/xorfilter: built once from all its keys, takes none after that",
		Knobs: []spec.Knob{
			spec.Choice("f", "bits of a fingerprint; auto: 8 where they meet p, else 16", "auto", "8", "16"),
		},
		Seeded: true, Concurrent: true,
		New:   newFilter,
		Model: model,
	}
}

func newFilter(p filters.Params) (filters.Filter, error) {
	l, err := shape(p)
	switch {
	case err != nil:
		return nil, err
	case l.width == 8:
		return &Filter8{builder[uint8]{seed: p.Seed, planned: p.N}}, nil
	}
	return &Filter16{builder[uint16]{seed: p.Seed, planned: p.N}}, nil
}

// A layout is that of a table, and the bits of its fingerprints.
type layout struct {
	theory.FuseLayout
	width uint64
}

func (l layout) bits() uint64 { return l.width * l.Slots }

// check refuses tables whose length in bytes the package would not count right: it does so in 32 bits.
func (l layout) check() error {
	if bytes := l.bits() / 8; bytes > math.MaxUint32 {
		return fmt.Errorf("fuse: the table would take %.4g GB, and the package makes none beyond %.4g GB: lower n",
			float64(bytes)/1e9, math.MaxUint32/1e9)
	}
	return nil
}

// shape returns the layout for n keys and the fingerprint that p or the knob asks for.
func shape(p filters.Params) (l layout, err error) {
	if err := p.Check(); err != nil {
		return l, err
	}
	if l.width, err = strconv.ParseUint(p.Knobs["f"], 10, 64); err != nil {
		l.width = 8
		if theory.FingerprintFPR(8) > p.P {
			l.width = 16
		}
	}
	const most = math.MaxUint32 // keys; a key takes more than a byte
	l.FuseLayout = theory.SizeFuse(min(p.N, most), 3)
	return l, l.check()
}

func model(p filters.Params) (filters.Model, error) {
	l, err := shape(p)
	if err != nil {
		return filters.Model{}, err
	}
	fpr := theory.FingerprintFPR(float64(l.width))
	source := "Graf & Lemire 2022, 3-wise; layout as FastFilter/xorfilter makes it; whole 64-bit hashes that meet left aside"
	if fpr > p.P {
		source += fmt.Sprintf("; %d bits give %.3g and miss p", l.width, fpr)
	}
	return filters.Model{
		Formula: "2^-f",
		Source:  source,
		Bits:    l.bits(),
		FPR:     func(uint64) float64 { return fpr },
		SD:      func(uint64) float64 { return 0 },
	}, nil
}
