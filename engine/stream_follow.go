package engine

import (
	"slices"
	"time"

	"github.com/dynalite-go/dynalite/api"
)

// LiveStream is a stream as a reader in the same process holds it. It has no
// tokens that expire, and tells when there is more to read.
type LiveStream struct {
	region *Region
	log    *changeLog
}

// LiveStream returns a stream of a table, nil when there is none: the newest
// one, or the one that followed after when that is given. added is closed when
// the region gets another stream, whichever table it belongs to.
func (r *Region) LiveStream(table string, after *LiveStream) (s *LiveStream, added <-chan struct{}) {
	list, added := r.streams.watch(r.engine.clock.Now())
	var found *changeLog
	for _, log := range list {
		if log.table != table || after != nil && log.number <= after.log.number {
			continue
		}
		// Without after the youngest is wanted, else the oldest of those left.
		if found == nil || (after == nil) == (log.number > found.number) {
			found = log
		}
	}
	if found == nil {
		return nil, added
	}
	return &LiveStream{r, found}, added
}

// watch is all with a channel that is closed when a stream is added.
func (s *streams) watch(now time.Time) ([]*changeLog, <-chan struct{}) {
	s.mu.Lock()
	if s.added == nil {
		s.added = make(chan struct{})
	}
	added := s.added
	s.mu.Unlock()
	return s.all(now), added
}

// ARN is the ARN of the stream.
func (s *LiveStream) ARN() string { return s.log.arn }

// Shards lists the shards in the order in which they were made, and reports
// whether the stream is still open.
func (s *LiveStream) Shards() (shards []api.Shard, open bool) {
	log := s.log
	log.mu.Lock()
	defer log.mu.Unlock()
	log.refresh(s.region.engine.clock.Now())
	for _, sh := range log.shards {
		shards = append(shards, sh.describe())
	}
	return shards, !log.closed
}

// Follower reads one shard.
type Follower struct {
	stream *LiveStream
	shard  *shard
	next   uint64 // number of the first record that is to be read
}

// Follow returns a follower that stands where an iterator would. Errors are
// those of GetShardIterator.
func (s *LiveStream) Follow(shard string, from IteratorType, timestamp time.Time) (*Follower, error) {
	log, now := s.log, s.region.engine.clock.Now()
	log.mu.Lock()
	defer log.mu.Unlock()
	sh := log.shard(shard)
	if sh == nil {
		return nil, errNoShard
	}
	log.refreshShard(sh, now)
	next, err := sh.startAt(&GetShardIterator{Type: from, Timestamp: timestamp}, log.next, now)
	if err != nil {
		return nil, err
	}
	return &Follower{s, sh, next}, nil
}

// ShardPage is what a follower read.
type ShardPage struct {
	Records []api.Record
	// End is true when the shard is closed and there is nothing left.
	End bool
	// LostFrom and LostTo are the first and the last number of what was
	// trimmed before it could be read, "" when nothing was.
	LostFrom, LostTo string
}

// Read returns up to limit records, as far as they are there, and moves on. It
// costs what the records cost.
func (f *Follower) Read(limit int) ShardPage {
	var page ShardPage
	recs, more := f.read(limit, &page)
	page.End = !more
	if len(recs) > 0 {
		page.Records = make([]api.Record, len(recs))
	}
	for i := range recs {
		page.Records[i] = f.stream.log.export(&recs[i])
	}
	return page
}

func (f *Follower) read(limit int, page *ShardPage) (recs []record, more bool) {
	log := f.stream.log
	log.mu.Lock()
	defer log.mu.Unlock()
	log.refreshShard(f.shard, f.stream.region.engine.clock.Now())
	if f.next < f.shard.trimmed {
		page.LostFrom, page.LostTo = sequenceNumber(f.next), sequenceNumber(f.shard.trimmed-1)
		f.next = f.shard.trimmed
	}
	recs, more = f.shard.read(f.next, limit)
	if n := len(recs); n > 0 {
		f.next = recs[n-1].seq + 1
	}
	return recs, more
}

// More returns a channel that is closed as soon as Read has something new to
// tell: a record, or the end of the shard.
func (f *Follower) More() <-chan struct{} {
	log := f.stream.log
	log.mu.Lock()
	defer log.mu.Unlock()
	if sh := f.shard; sh.open() && !sh.records.has(f.next) {
		if sh.wake == nil {
			sh.wake = make(chan struct{})
		}
		return sh.wake
	}
	ready := make(chan struct{})
	close(ready)
	return ready
}

// Children are the ids of the shards that follow the one that is read. There
// are none while it is open, and at the end of the stream.
func (f *Follower) Children() (ids []string) {
	log := f.stream.log
	log.mu.Lock()
	defer log.mu.Unlock()
	for _, sh := range slices.Backward(log.shards) {
		if sh == f.shard {
			break // children are made later
		}
		if sh.parent == f.shard.id {
			ids = append(ids, sh.id)
		}
	}
	return ids
}

// Expire removes what has expired in a table, as every operation on the table
// does, and returns when the next item does; ok is false when none will.
func (r *Region) Expire(table string) (next time.Time, ok bool) {
	t, err := r.table(table)
	if err != nil {
		return next, false
	}
	defer t.mu.RUnlock()
	due := t.nextDue.Load()
	if due == never {
		return next, false
	}
	// An item goes after its second, not in it.
	return time.Unix(due, 0).Add(r.engine.opts.TTLDelay + 1), true
}
