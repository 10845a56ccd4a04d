package workloads

import (
	"iter"
	"strconv"

	"filterlab/filters/spec"
)

// evenTraffic is the share of members in the traffic of skewed-keys and of deletes: half, as in random-ids.
const evenTraffic = 0.5

// skewedKeys is the set user0..user{n-1}, asked for with Zipf popularity; strangers are the next
// numbers after the last user. Which user is how popular is drawn by the seed, independently of
// the order in which users are added: otherwise a filter that grows in stages would be asked for
// its first stage most of the time.
func skewedKeys() Definition {
	return Definition{
		Name: "skewed-keys",
		Doc:  "user0, user1, ... with Zipf popularity, probed with the next numbers after the last user",
		Knobs: []spec.Knob{
			spec.Real("s", "Zipf exponent: the user of rank r is asked for in proportion to r^-s", "0.99", 0, 4),
		},
		Make: func(n uint64, v spec.Values) (Workload, error) {
			law := newZipf(n, v.Float("s"))
			return Workload{
				N:       n,
				Members: n,
				Present: evenTraffic,
				Fixed:   true,
				Load: func(uint64) iter.Seq2[Op, error] {
					return func(yield func(Op, error) bool) {
						buf := make([]byte, 0, 32)
						for i := range n {
							buf = appendUser(buf, i)
							if !yield(Op{buf, Add, NeverSeen}, nil) {
								return
							}
						}
					}
				},
				Lookup: func(seed uint64, mix Mix) iter.Seq2[Op, error] {
					return skewedLookups(seed, law, mix)
				},
			}, nil
		},
	}
}

func skewedLookups(seed uint64, law zipf, mix Mix) iter.Seq2[Op, error] {
	mix.Deleted = 0
	if mix.Each {
		mix.Members = min(mix.Members, law.n)
	}
	return lookups(seed, mix, NeverSeen, func(order uint64) source {
		each := newPicker(derive(order, forMembers), law.n, true)
		user := newPermutation(derive(seed, forPopularity), law.n)
		r := rng{derive(order, forPopularity)}
		next, buf := law.n+mix.SkipStrangers, make([]byte, 0, 32)
		return func(c class) []byte {
			switch {
			case c == strangers:
				next++
				buf = appendUser(buf, next-1)
			case mix.Each:
				buf = appendUser(buf, each.pick())
			default:
				buf = appendUser(buf, user.at(law.rank(&r)-1))
			}
			return buf
		}
	})
}

// appendUser writes the key of user i over buf.
func appendUser(buf []byte, i uint64) []byte {
	return strconv.AppendUint(append(buf[:0], "user"...), i, 10)
}
