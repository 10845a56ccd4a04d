package cuckoo

// maxSearch is how many buckets a search for a free slot looks at before it gives up.
const maxSearch = 1024

// A search is the working memory of place.
type search struct {
	queue []node
	seen  [marks / 64]uint64
}

// marks is how many buckets the search tells apart, so that none is in the queue twice: a chain of
// moves that came back to a bucket would tread on its own moves. In larger tables buckets share a
// mark, and a search passes over a few that it has not seen.
const marks = 4 * maxSearch

// A node is a bucket in the queue, reached by moving the fingerprint at a position of another one.
type node struct {
	bucket uint64
	from   int32 // index in the queue; -1: one of the key's own buckets
	at     uint8 // position in that bucket, in bits
}

func newSearch(buckets uint64) search {
	return search{queue: make([]node, 0, min(maxSearch, buckets))}
}

func (s *search) reset() {
	s.queue = s.queue[:0]
	clear(s.seen[:])
}

// push appends a bucket unless the search has seen it, and reports whether it did.
func (s *search) push(h node) bool {
	i, bit := h.bucket%marks/64, uint64(1)<<(h.bucket%64)
	if s.seen[i]&bit != 0 || len(s.queue) == cap(s.queue) {
		return false
	}
	s.seen[i] |= bit
	s.queue = append(s.queue, h)
	return true
}

// place stores the fingerprint of a spot, moving others to their other buckets where it must, and
// reports whether it could. When it could not, nothing has moved; in tables of up to maxSearch
// buckets that means there is no way to place it.
func (f *Own) place(s spot) bool {
	if f.put(s) {
		return true
	}
	q := &f.search
	q.reset()
	q.push(node{bucket: s.first, from: -1})
	q.push(node{bucket: s.second, from: -1})
	for i := 0; i < len(q.queue) && len(q.queue) < cap(q.queue); i++ {
		bucket := q.queue[i].bucket
		word := f.bucket(bucket)
		for at := uint64(0); at < bucketSlots*f.lanes.bits; at += f.lanes.bits {
			next := f.other(word>>at&f.lanes.mask, bucket)
			if !q.push(node{next, int32(i), uint8(at)}) {
				continue
			}
			if free, ok := f.lanes.find(f.bucket(next), 0); ok {
				f.move(len(q.queue)-1, free, s.fingerprint)
				return true
			}
		}
	}
	return false
}

// move carries out the chain of moves that ends at the queue's bucket last, whose slot at position
// free is empty, and puts v in the slot that this frees at its beginning.
func (f *Own) move(last, free int, v uint64) {
	h := f.search.queue[last]
	for ; h.from >= 0; h = f.search.queue[h.from] {
		from := f.bucket(f.search.queue[h.from].bucket)
		f.set(h.bucket, free, from>>h.at&f.lanes.mask)
		free = int(h.at)
	}
	f.set(h.bucket, free, v)
}

// set puts v at a position of bucket i, in place of what is there.
func (f *Own) set(i uint64, at int, v uint64) {
	f.setBucket(i, f.bucket(i)&^(f.lanes.mask<<at)|v<<at)
}
