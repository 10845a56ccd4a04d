package theory

import "math"

// ScalableFPR returns the FPR of a scalable Bloom filter of full stages and two bounds of it.
//
// Stage i has FPR p0 r^i: 1 - prod(1-p0 r^i) <= p0 (1-r^stages)/(1-r) <= p0/(1-r); 0 <= p0 < 1,
// 0 < r < 1. Almeida, Baquero, Preguica & Hutchison 2007.
func ScalableFPR(p0, r float64, stages int) (fpr, sumBound, limitBound float64) {
	log, p := 0.0, p0
	for range stages {
		log += math.Log1p(-p)
		p *= r
	}
	return -math.Expm1(log), p0 * (1 - math.Pow(r, float64(stages))) / (1 - r), p0 / (1 - r)
}

// ScalableSize is the size of a scalable Bloom filter with every stage full.
type ScalableSize struct {
	Capacity, Bits, BitsPerKey float64
	FixedBitsPerKey            float64 // one filter for all the keys at the same bound on the FPR
	Ratio                      float64 // BitsPerKey/FixedBitsPerKey
	Probes                     float64 // probes of a key in no stage, at worst
}

// SizeScalable returns the size of a scalable Bloom filter of full stages: stage i has n0 s^i keys at
// p0 r^i, hence log2(1/(p0 r^i))/ln 2 bits a key.
//
// Almeida et al. 2007, stages at fill 1/2. Free space in the last stage comes on top.
func SizeScalable(n0, s, r, p0 float64, stages int) ScalableSize {
	var z ScalableSize
	keys, p := n0, p0
	for range stages {
		z.Capacity += keys
		z.Bits += keys * -math.Log2(p) / math.Ln2
		z.Probes += math.Ceil(-math.Log2(p))
		keys, p = keys*s, p*r
	}
	z.BitsPerKey = z.Bits / z.Capacity
	z.FixedBitsPerKey = math.Log2((1-r)/p0) / math.Ln2
	z.Ratio = z.BitsPerKey / z.FixedBitsPerKey
	return z
}

// ScalableState is what a scalable Bloom filter is once it holds so many keys.
type ScalableState struct {
	Stages           int
	Bits, BitsPerKey float64 // the free part of the last stage included
	FPR              float64
	AbsentProbes     float64 // expected for a key in no stage, each of which stops at the first clear bit
	MostProbes       float64 // of such a key, at worst
}

// GrowScalable returns the state of a scalable Bloom filter that holds n keys.
//
// Stage i is for n0 s^i keys at p0 r^i and has log2(1/(p0 r^i)) probes and that many bits over ln 2 a
// key; a share x of its keys fills it to 1-2^(-x). Almeida et al. 2007, stages at fill 1/2, whole
// numbers left aside; n0 >= 1, s >= 1, 0 < r < 1. Growth ends after 64 stages.
func GrowScalable(n0, s, r, p0, n float64) ScalableState {
	const most = 64
	var z ScalableState
	log, left, keys, p := 0.0, n, n0, p0
	for z.Stages < most && (left > 0 || z.Stages == 0) {
		k := -math.Log2(p)
		fill := 1 - math.Exp2(-min(1, max(0, left)/keys))
		full := math.Pow(fill, k)
		log += math.Log1p(-full)
		z.Stages++
		z.Bits += keys * k / math.Ln2
		z.AbsentProbes += (1 - full) / (1 - fill)
		z.MostProbes += math.Ceil(k)
		left, keys, p = left-keys, keys*s, p*r
	}
	z.BitsPerKey, z.FPR = z.Bits/n, -math.Expm1(log)
	return z
}

// RedisLink is one Bloom filter of RedisBloom.
type RedisLink struct {
	BitsPerEntry float64
	Hashes       int
	Bytes, Bits  uint64  // of the table; Bits is the modulus of the probes
	FullFPR      float64 // classic FPR at capacity
}

// Overhead of RedisBloom's structs in what BF.INFO reports, in bytes.
const (
	redisChainBytes = 32
	redisLinkBytes  = 64
)

// SizeRedisLink returns the Bloom filter RedisBloom makes for entries keys at an error rate.
//
// error in 0..1 exclusive, already halved where the filter scales. RedisBloom deps/bloom/bloom.c at
// b28c294: bpe = -ln(error)/0.4804..., floor(entries*bpe) bits rounded up to words of 64,
// k = ceil(0.6931... bpe).
func SizeRedisLink(entries uint64, errorRate float64) RedisLink {
	bpe := -math.Log(errorRate) / 0.480453013918201
	bits := max(1, uint64(float64(entries)*bpe))
	words := (bits + 63) / 64
	l := RedisLink{BitsPerEntry: bpe, Hashes: int(math.Ceil(0.693147180559945 * bpe)), Bytes: 8 * words, Bits: 64 * words}
	l.FullFPR = BloomClassicFPR(float64(l.Bits), float64(l.Hashes), float64(entries))
	return l
}

// InfoSize returns the bytes BF.INFO reports for the link as the only one of its filter.
func (l RedisLink) InfoSize() uint64 { return redisChainBytes + redisLinkBytes + l.Bytes }

// RedisChain is a scaling Bloom filter of RedisBloom.
type RedisChain struct {
	Filters    int
	Capacity   uint64
	DataBytes  uint64
	InfoSize   uint64  // bytes, as BF.INFO reports them
	FPR        float64 // 1-prod(1-classic) over the links
	Probes     int     // probes of an absent key, at worst
	FixedBytes uint64  // one link reserved for the same keys at the same error rate, NONSCALING
}

// GrowRedisChain returns the scaling filter RedisBloom has grown once it has counted n keys.
//
// capacity of the first link, error rate, expansion >= 1 of the capacity from link to link; the rate
// starts at half the error and halves each time. A link is added by the first new key past capacity.
// RedisBloom src/sb.c. Growth ends where the error rate underflows, after 1,074 links.
func GrowRedisChain(capacity uint64, errorRate float64, expansion, n uint64) RedisChain {
	c := RedisChain{FixedBytes: SizeRedisLink(n, errorRate).Bytes, InfoSize: redisChainBytes}
	log, left := 0.0, n
	for e := errorRate / 2; e > 0; e /= 2 {
		link := SizeRedisLink(capacity, e)
		held := min(left, capacity)
		left -= held
		log += math.Log1p(-BloomClassicFPR(float64(link.Bits), float64(link.Hashes), float64(held)))
		c.Filters++
		c.Capacity += capacity
		c.DataBytes += link.Bytes
		c.InfoSize += redisLinkBytes + link.Bytes
		c.Probes += link.Hashes
		if left == 0 {
			break
		}
		capacity *= max(1, expansion)
	}
	c.FPR = -math.Expm1(log)
	return c
}
