package hashring

import (
	"crypto/md5"
	"encoding/binary"
	"math"
	"math/bits"
)

// Position is a place in the hash space, which runs from 0 to 2^64-1.
type Position uint64

// salt stands before the key's bytes in the hash. Hash is an observation, not
// a documented function: it puts the items of a Scan in the order that was
// seen on the service (behaviours/06 §6.1).
const salt = "Outliers"

// Hash is the position of a partition key. key is its order-preserving form
// as package attr encodes it: UTF-8 for a string, the bytes of a binary, the
// base-100 form of a number.
func Hash(key string) Position {
	var stack [96]byte
	buf := append(stack[:0], salt...)
	buf = append(buf, key...)
	sum := md5.Sum(buf)
	return Position(binary.BigEndian.Uint64(sum[:8]))
}

// Range is a contiguous part of the hash space, both ends included.
type Range struct {
	First, Last Position
}

// Whole is the range that holds every position.
func Whole() Range { return Range{0, math.MaxUint64} }

// Contains reports whether p lies in r.
func (r Range) Contains(p Position) bool { return r.First <= p && p <= r.Last }

// Empty reports whether r holds no position.
func (r Range) Empty() bool { return r.First > r.Last }

// Intersect is the part that r and s have in common. It is Empty when there
// is none.
func (r Range) Intersect(s Range) Range {
	return Range{max(r.First, s.First), min(r.Last, s.Last)}
}

// Split cuts r into two ranges of equal width. ok is false when r is a single
// position, which cannot be cut.
func (r Range) Split() (low, high Range, ok bool) {
	if r.First >= r.Last {
		return r, Range{}, false
	}
	mid := r.First + (r.Last-r.First)/2
	return Range{r.First, mid}, Range{mid + 1, r.Last}, true
}

// buckets is how finely parallel-scan segments divide the hash space. The
// service was seen to cut after the first three hexadecimal digits
// (behaviours/06 §6.1).
const buckets = 4096

// Segment is the range of segment s of n. Segments are disjoint and together
// hold every position; with more than 4,096 segments some are Empty.
func Segment(s, n int) Range {
	if n <= 1 {
		return Whole()
	}
	first := ceilDiv(uint64(s), uint64(n))
	next := ceilDiv(uint64(s)+1, uint64(n))
	if first >= next {
		return Range{1, 0}
	}
	const width = 1 << (64 - 12) // positions in a bucket
	return Range{Position(first * width), Position(next*width - 1)}
}

// ceilDiv is ⌈buckets·s/n⌉.
func ceilDiv(s, n uint64) uint64 { return (buckets*s + n - 1) / n }

// Ring assigns every position to one partition. It is immutable: a split
// makes a new Ring.
type Ring struct {
	firsts []Position // first position of each partition, ascending; firsts[0] is 0
}

// NewRing divides the hash space into n partitions of equal width. An n below
// one counts as one.
func NewRing(n int) *Ring {
	firsts := make([]Position, max(n, 1))
	for i := range firsts {
		// ⌈2^64·i/n⌉ in 128 bits.
		q, rem := bits.Div64(uint64(i), 0, uint64(len(firsts)))
		if rem > 0 {
			q++
		}
		firsts[i] = Position(q)
	}
	return &Ring{firsts}
}

// Len is the number of partitions.
func (r *Ring) Len() int { return len(r.firsts) }

// Range is the range of partition i.
func (r *Ring) Range(i int) Range {
	if i+1 < len(r.firsts) {
		return Range{r.firsts[i], r.firsts[i+1] - 1}
	}
	return Range{r.firsts[i], math.MaxUint64}
}

// Locate is the number of the partition that owns p.
func (r *Ring) Locate(p Position) int {
	lo, hi := 0, len(r.firsts)
	for hi-lo > 1 {
		mid := int(uint(lo+hi) >> 1)
		if r.firsts[mid] <= p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// Split returns a ring in which partition i is two partitions, i and i+1, cut
// in the middle of its range. ok is false when the range is a single position.
func (r *Ring) Split(i int) (_ *Ring, ok bool) {
	_, high, ok := r.Range(i).Split()
	if !ok {
		return r, false
	}
	firsts := make([]Position, 0, len(r.firsts)+1)
	firsts = append(firsts, r.firsts[:i+1]...)
	firsts = append(firsts, high.First)
	firsts = append(firsts, r.firsts[i+1:]...)
	return &Ring{firsts}, true
}
