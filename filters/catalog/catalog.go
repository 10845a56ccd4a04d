// Package catalog is the table of all filter variants, and reads the specs that name them.
package catalog

import (
	"slices"

	"filterlab/counting"
	"filterlab/filters"
	"filterlab/filters/blocked"
	"filterlab/filters/bloom"
	"filterlab/filters/classic"
	"filterlab/filters/cuckoo"
	"filterlab/filters/exact"
	"filterlab/filters/fuse"
	"filterlab/filters/partitioned"
	"filterlab/filters/scalable"
	"filterlab/filters/sharded"
	"filterlab/filters/spec"
	"filterlab/filters/split"
)

// A List is variants in the order in which they are run and drawn, each with a name of its own.
type List []filters.Variant

// All returns every variant of the lab.
func All() List {
	return List{
		bloom.Variant(),
		counting.Variant(),
		cuckoo.Variant(),
		exact.RoaringVariant(),
		partitioned.Variant(),
		classic.Variant(),
		blocked.Variant(),
		scalable.Variant(),
		split.Variant(),
		sharded.Variant(),
		cuckoo.OwnVariant(),
		fuse.Variant(),
		exact.MapVariant(),
		exact.NullVariant(),
	}
}

// Names returns the names of all variants of the lab, in the order of All.
func Names() []string { return All().Names() }

// Names returns the names of the variants, in order.
func (l List) Names() []string {
	var names []string
	for _, v := range l {
		names = append(names, v.Name)
	}
	return names
}

// Defaults returns the names of the variants that are run when none is named: one of each kind that
// a review compares, and the yardsticks.
func Defaults() []string {
	return []string{"bloom", "counting", "cuckoo", "roaring", "partitioned", "classic", "map", "null"}
}

// Parse returns the variant of the lab that a spec such as "bloom" or "counting:bits=4" names, with
// its knobs.
func Parse(text string) (filters.Bound, error) { return All().Parse(text) }

// Parse returns the variant of the list that a spec names, with its knobs.
func (l List) Parse(text string) (filters.Bound, error) {
	name, given, err := spec.Parse(text)
	if err != nil {
		return filters.Bound{}, err
	}
	for _, v := range l {
		if v.Name == name {
			return v.Bind(given)
		}
	}
	return filters.Bound{}, spec.Unknown("no variant", name, l.Names())
}

// ParseList returns the variants of the lab that a comma-separated list of specs names; see
// List.ParseList.
func ParseList(list string) ([]filters.Bound, error) { return All().ParseList(list) }

// ParseList returns the variants that a comma-separated list of specs names; "all" stands for every
// variant of l with its default knobs, "default" for those of Defaults. A variant named twice with
// the same knobs is returned once, where it came first.
func (l List) ParseList(list string) ([]filters.Bound, error) {
	var out []filters.Bound
	for _, text := range spec.Split(list) {
		texts := []string{text}
		switch text {
		case "all":
			texts = l.Names()
		case "default":
			texts = Defaults()
		}
		for _, text := range texts {
			b, err := l.Parse(text)
			if err != nil {
				return nil, err
			}
			same := func(other filters.Bound) bool { return other.String() == b.String() }
			if !slices.ContainsFunc(out, same) {
				out = append(out, b)
			}
		}
	}
	return out, nil
}
