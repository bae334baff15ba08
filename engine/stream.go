package engine

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine/internal/store"
	"github.com/dynalite-go/dynalite/hashring"
	"github.com/dynalite-go/dynalite/internal/lockrank"
)

// How long things of a stream last (limits.md §9).
const (
	recordLife   = 24 * time.Hour
	iteratorLife = 15 * time.Minute
	shardLife    = 4 * time.Hour // then a shard is closed and goes on in a child
)

// record is one committed change. old and new are the item before and after;
// one of them may be nil.
type record struct {
	seq      uint64
	at       int64 // nanoseconds of the epoch
	old, new *attr.Item
	ttl      bool // removed by time to live
}

// changeLog is a stream: the changes of one table, from the moment it was switched on to
// the moment it was switched off. It outlives its table.
type changeLog struct {
	region  *Region
	table   string
	arn     string
	label   string
	view    string // api.ViewNewImage, …
	key     KeySchema
	created time.Time
	number  uint64 // of the streams of a region, by age; set when it becomes one of them

	mu     lockrank.Mutex
	shards []*shard // guarded by mu; in the order in which they were made
	next   uint64   // guarded by mu; the next sequence number
	closed bool     // guarded by mu; the stream was switched off
}

// shard is a run of a stream's records that belong to one partition. A closed
// shard gets no more records.
type shard struct {
	id, parent string
	owner      hashring.Range // of the partition
	rolls      int64          // nanoseconds of the epoch, when it goes on in a child
	closedAt   time.Time      // zero while open
	start, end uint64         // sequence numbers; end is meant only when closed
	trimmed    uint64         // records before this number are gone
	records    recordLog

	// wake is closed at the next record and when the shard is closed. It is
	// nil while nobody waits.
	wake chan struct{}
}

func (s *shard) open() bool { return s.closedAt.IsZero() }

// newChangeLog returns the stream that a table's settings describe, with an
// open shard for each partition.
func newChangeLog(t *Table, now time.Time) *changeLog {
	x := &t.settings.stream
	s := &changeLog{region: t.region, table: t.name, arn: t.settings.arn + "/stream/" + x.label, label: x.label, view: x.view,
		key: t.key, created: now, next: 1}
	s.mu.SetRank(store.ClassLeaf, 2)
	for _, p := range t.parts {
		s.openShard("", p.Range, now)
	}
	return s
}

// openShard adds a shard. The caller holds mu, or owns the stream alone.
func (s *changeLog) openShard(parent string, owner hashring.Range, now time.Time) *shard {
	// The documented form: epoch milliseconds in 20 digits, then 8
	// hexadecimal digits that tell shards of one moment apart.
	sum := md5.Sum([]byte(s.arn + strconv.Itoa(len(s.shards)) + strconv.FormatUint(s.next, 10)))
	sh := &shard{
		id:     fmt.Sprintf("shardId-%020d-%s", now.UnixMilli(), hex.EncodeToString(sum[:4])),
		parent: parent, owner: owner, rolls: now.Add(shardLife).UnixNano(), start: s.next, trimmed: s.next,
	}
	s.next++
	s.shards = append(s.shards, sh)
	return sh
}

func (s *changeLog) closeShard(sh *shard, now time.Time) {
	sh.closedAt, sh.end = now, s.next
	s.next++
	sh.rouse()
}

// rouse wakes who waits for the shard to go on. The caller holds the stream's
// lock.
func (sh *shard) rouse() {
	if sh.wake != nil {
		close(sh.wake)
		sh.wake = nil
	}
}

// append records a change of an item at a hash position. The caller holds the
// write lock of the item's partition, so the records of one item are in the
// order of its changes.
func (s *changeLog) append(pos hashring.Position, old, new *attr.Item, ttl bool, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	sh := s.owner(pos)
	if sh == nil {
		return
	}
	at := now.UnixNano()
	if at >= sh.rolls {
		s.closeShard(sh, now)
		sh = s.openShard(sh.id, sh.owner, now)
	}
	if sh.records.full() {
		sh.trim(now)
	}
	sh.records.add(record{seq: s.next, at: at, old: old, new: new, ttl: ttl})
	s.next++
	sh.rouse()
}

// owner finds the open shard of a hash position. The youngest shards stand
// last. The caller holds mu.
func (s *changeLog) owner(pos hashring.Position) *shard {
	for i := len(s.shards) - 1; i >= 0; i-- {
		if sh := s.shards[i]; sh.open() && sh.owner.Contains(pos) {
			return sh
		}
	}
	return nil
}

// trim forgets records that are older than a day.
func (sh *shard) trim(now time.Time) {
	limit := now.Add(-recordLife).UnixNano()
	for sh.records.len() > 0 && sh.records.first().at < limit {
		sh.trimmed = sh.records.first().seq + 1
		sh.records.dropFirst()
	}
}

// refresh brings the shards to the present: those that are old enough are
// rolled, those whose last record is a day old are forgotten. The caller holds
// mu.
func (s *changeLog) refresh(now time.Time) {
	for _, sh := range slices.Clone(s.shards) {
		s.refreshShard(sh, now)
	}
	s.shards = slices.DeleteFunc(s.shards, func(sh *shard) bool {
		return !sh.open() && sh.records.len() == 0 && now.Sub(sh.closedAt) >= recordLife
	})
}

// refreshShard is refresh for one shard.
func (s *changeLog) refreshShard(sh *shard, now time.Time) {
	if sh.open() && !s.closed && now.UnixNano() >= sh.rolls {
		s.closeShard(sh, now)
		s.openShard(sh.id, sh.owner, now)
	}
	sh.trim(now)
}

// roll closes every open shard and goes on in a child of each.
func (s *changeLog) roll(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sh := range slices.Clone(s.shards) {
		if sh.open() {
			s.closeShard(sh, now)
			s.openShard(sh.id, sh.owner, now)
		}
	}
}

// split closes the shard of a partition and goes on in one child for each of
// the partition's halves. The caller holds the table's lock for writing.
func (s *changeLog) split(low, high hashring.Range, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sh := range slices.Clone(s.shards) {
		if sh.open() && sh.owner.Contains(low.First) {
			s.closeShard(sh, now)
			s.openShard(sh.id, low, now)
			s.openShard(sh.id, high, now)
		}
	}
}

// close ends the stream. Its records stay readable for a day.
func (s *changeLog) close(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refresh(now)
	for _, sh := range s.shards {
		if sh.open() {
			s.closeShard(sh, now)
		}
	}
	s.closed = true
}

// gone reports whether a closed stream is past its life.
func (s *changeLog) gone(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		return false
	}
	s.refresh(now)
	return len(s.shards) == 0
}

// shard finds a shard by its id. The caller holds mu.
func (s *changeLog) shard(id string) *shard {
	for _, sh := range s.shards {
		if sh.id == id {
			return sh
		}
	}
	return nil
}

// sequenceBase makes sequence numbers 21 digits long, the least that the API
// allows, and never begin with a zero.
const sequenceBase = "1"

func sequenceNumber(seq uint64) string {
	var digits [20]byte
	text := strconv.AppendUint(digits[:0], seq, 10)
	return sequenceBase + "00000000000000000000"[len(text):] + string(text)
}

// parseSequence is the number of a text, which need not be one of ours: texts
// are compared as integers.
func parseSequence(text string) (seq uint64, ok bool) {
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	switch {
	case len(text) == 21 && text[:1] == sequenceBase:
		n, err := strconv.ParseUint(text[1:], 10, 64)
		if err != nil {
			return 1<<64 - 1, true
		}
		return n, true
	case len(text) < 21:
		return 0, text != ""
	default:
		return 1<<64 - 1, true
	}
}

// export turns a record into its form in the API (streams.md §3).
func (s *changeLog) export(r *record) api.Record {
	item, name := r.new, "MODIFY"
	switch {
	case r.old == nil:
		name = "INSERT"
	case r.new == nil:
		item, name = r.old, "REMOVE"
	}
	sum := md5.Sum([]byte(s.arn + "/" + strconv.FormatUint(r.seq, 10)))
	out := api.Record{
		EventID:      hex.EncodeToString(sum[:]),
		EventName:    name,
		EventVersion: "1.1",
		EventSource:  "aws:dynamodb",
		AWSRegion:    s.region.name,
		// Whole seconds, rounded down, as the service shows them.
		ApproximateCreationDateTime: time.Unix(0, r.at).UTC().Truncate(time.Second),
		Keys:                        projectSchema(item, s.key),
		SequenceNumber:              sequenceNumber(r.seq),
		StreamViewType:              s.view,
	}
	if s.view == api.ViewNewImage || s.view == api.ViewBoth {
		out.NewImage = r.new
	}
	if s.view == api.ViewOldImage || s.view == api.ViewBoth {
		out.OldImage = r.old
	}
	out.SizeBytes = int64(out.Keys.Size() + out.NewImage.Size() + out.OldImage.Size())
	if r.ttl {
		out.UserIdentity = &api.Identity{PrincipalID: "dynamodb.amazonaws.com", Type: "Service"}
	}
	return out
}

// fork copies a stream into another region. Records are shared.
func (s *changeLog) fork(r *Region) *changeLog {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := &changeLog{region: r, table: s.table, arn: s.arn, label: s.label, view: s.view, key: s.key, created: s.created,
		number: s.number, next: s.next, closed: s.closed}
	f.mu.SetRank(store.ClassLeaf, 2)
	for _, sh := range s.shards {
		c := *sh
		c.records, c.wake = sh.records.fork(), nil
		f.shards = append(f.shards, &c)
	}
	return f
}
