package engine

import "sort"

// recordLog holds the records of a shard, ascending by number. It grows chunk
// by chunk, so that an append never moves what is there, and a fork shares the
// chunks that are full.
//
// The zero recordLog is empty. What guards the shard guards it.
type recordLog struct {
	chunks [][]record // none is empty
	gone   int        // records at the beginning of the first chunk that were dropped
	count  int
}

// Chunks begin small, because most shards stay small, and double up to a size
// at which their number doesn't matter.
const (
	minChunk = 16
	maxChunk = 1024
)

// len is the number of records.
func (l *recordLog) len() int { return l.count }

// full reports whether the next record begins a chunk.
func (l *recordLog) full() bool {
	last := len(l.chunks) - 1
	return last < 0 || len(l.chunks[last]) == cap(l.chunks[last])
}

// add appends a record. Times never go back, whatever the clock does, so that
// they can be searched.
func (l *recordLog) add(r record) {
	last := len(l.chunks) - 1
	if l.full() {
		size := minChunk
		if last >= 0 {
			size = min(2*cap(l.chunks[last]), maxChunk)
		}
		l.chunks = append(l.chunks, make([]record, 0, size))
		last++
	}
	c := l.chunks[last]
	if n := len(c); n > 0 {
		r.at = max(r.at, c[n-1].at)
	} else if last > 0 {
		before := l.chunks[last-1]
		r.at = max(r.at, before[len(before)-1].at)
	}
	l.chunks[last] = append(c, r)
	l.count++
}

// first is the oldest record. There must be one.
func (l *recordLog) first() *record { return &l.chunks[0][l.gone] }

// dropFirst forgets the oldest record. A chunk's memory goes when its last
// record does.
func (l *recordLog) dropFirst() {
	l.gone++
	l.count--
	switch {
	case l.count == 0:
		*l = recordLog{}
	case l.gone == len(l.chunks[0]):
		l.chunks[0] = nil
		l.chunks, l.gone = l.chunks[1:], 0
	}
}

// recordPlace is a position in a recordLog.
type recordPlace struct{ chunk, at int }

// find is the place of the first record for which reached is true. Once true,
// reached must stay true for all later records.
func (l *recordLog) find(reached func(*record) bool) recordPlace {
	chunk := sort.Search(len(l.chunks), func(i int) bool {
		c := l.chunks[i]
		return reached(&c[len(c)-1])
	})
	if chunk == len(l.chunks) {
		return recordPlace{chunk: chunk}
	}
	from := 0
	if chunk == 0 {
		from = l.gone
	}
	c := l.chunks[chunk][from:]
	return recordPlace{chunk, from + sort.Search(len(c), func(i int) bool { return reached(&c[i]) })}
}

// from is the place of the first record with at least a number.
func (l *recordLog) from(seq uint64) recordPlace {
	return l.find(func(r *record) bool { return r.seq >= seq })
}

// has reports whether there is a record with at least a number.
func (l *recordLog) has(seq uint64) bool {
	if l.count == 0 {
		return false
	}
	last := l.chunks[len(l.chunks)-1]
	return last[len(last)-1].seq >= seq
}

// read copies up to limit records from a place on. more is true when others
// follow.
func (l *recordLog) read(p recordPlace, limit int) (recs []record, more bool) {
	for ; p.chunk < len(l.chunks); p = (recordPlace{chunk: p.chunk + 1}) {
		rest := l.chunks[p.chunk][p.at:]
		if n := limit - len(recs); n < len(rest) {
			return append(recs, rest[:n]...), true
		}
		recs = append(recs, rest...)
	}
	return recs, false
}

// fork is a copy that shares records. Both may grow.
func (l *recordLog) fork() recordLog {
	f := recordLog{chunks: make([][]record, len(l.chunks)), gone: l.gone, count: l.count}
	copy(f.chunks, l.chunks)
	if last := len(f.chunks) - 1; last >= 0 {
		// Without room at its end, the next record begins a chunk.
		f.chunks[last] = f.chunks[last][:len(f.chunks[last]):len(f.chunks[last])]
	}
	return f
}
