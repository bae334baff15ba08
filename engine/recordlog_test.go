package engine

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRecordLog holds logs and their forks against plain slices.
func TestRecordLog(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	type pair struct {
		log  recordLog
		want []record
	}
	pairs := []*pair{{}}
	seq := uint64(0)
	for range 30_000 {
		p := pairs[random.IntN(len(pairs))]
		switch n := random.IntN(100); {
		case n < 80:
			seq += 1 + random.Uint64N(3)
			r := record{seq: seq, at: int64(seq / 4)}
			p.log.add(r)
			p.want = append(p.want, r)
		case n < 95:
			if len(p.want) > 0 {
				if *p.log.first() != p.want[0] {
					t.Fatalf("the first record is %+v, want %+v", *p.log.first(), p.want[0])
				}
				p.log.dropFirst()
				p.want = p.want[1:]
			}
		case n < 96 && len(pairs) < 5:
			pairs = append(pairs, &pair{p.log.fork(), slices.Clone(p.want)})
		default:
			checkLog(t, &p.log, p.want, seq, random)
		}
	}
	for _, p := range pairs {
		checkLog(t, &p.log, p.want, seq, random)
	}
}

func checkLog(t *testing.T, l *recordLog, want []record, seq uint64, random *rand.Rand) {
	t.Helper()
	if l.len() != len(want) {
		t.Fatalf("%d records, want %d", l.len(), len(want))
	}
	from := random.Uint64N(seq + 2)
	at := slices.IndexFunc(want, func(r record) bool { return r.seq >= from })
	if at < 0 {
		at = len(want)
	}
	if l.has(from) != (at < len(want)) {
		t.Fatalf("has(%d) is %v", from, l.has(from))
	}
	limit := random.IntN(2_000)
	got, more := l.read(l.from(from), limit)
	rest := want[at:]
	if !slices.Equal(got, rest[:min(limit, len(rest))]) || more != (limit < len(rest)) {
		t.Fatalf("%d of %d records from %d, more %v, of %d", len(got), limit, from, more, len(rest))
	}
}

// TestRecordTimesNeverGoBack sets the clock back between records.
func TestRecordTimesNeverGoBack(t *testing.T) {
	t.Parallel()
	var l recordLog
	for i := range 3 * minChunk {
		l.add(record{seq: uint64(i), at: int64(100 - i)})
	}
	recs, _ := l.read(l.from(0), 3*minChunk)
	for _, r := range recs {
		if r.at != 100 {
			t.Fatalf("record %d is of %d, want 100", r.seq, r.at)
		}
	}
}
