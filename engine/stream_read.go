package engine

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
	"time"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine/internal/store"
	"github.com/dynalite-go/dynalite/internal/lockrank"
)

// ListStreams asks for the streams of a region, or of one table.
type ListStreams struct {
	Table string // "": all
	Limit int    // 1 to 100
	Start string // ExclusiveStartStreamArn, "": from the beginning
}

// DescribeStream asks for a stream and its shards.
type DescribeStream struct {
	ARN        string
	Limit      int    // shards, 1 to 100
	StartShard string // ExclusiveStartShardId, "": from the beginning
	ChildrenOf string // show only the children of this shard, "": all shards
}

// IteratorType says where an iterator starts.
type IteratorType string

// The iterator types (streams.md §5).
const (
	TrimHorizon         IteratorType = "TRIM_HORIZON"
	Latest              IteratorType = "LATEST"
	AtSequenceNumber    IteratorType = "AT_SEQUENCE_NUMBER"
	AfterSequenceNumber IteratorType = "AFTER_SEQUENCE_NUMBER"
	AtTimestamp         IteratorType = "AT_TIMESTAMP"
)

// GetShardIterator asks for a place in a shard.
type GetShardIterator struct {
	ARN, Shard string
	Type       IteratorType
	Sequence   string    // of AtSequenceNumber and AfterSequenceNumber
	Timestamp  time.Time // of AtTimestamp
}

// GetRecords reads on from an iterator.
type GetRecords struct {
	Iterator string
	Limit    int // 1 to 1,000
}

// maxRecordsBytes is the most that one GetRecords returns, in bytes of
// SizeBytes. The record that crosses the line is still returned.
const maxRecordsBytes = 1 << 20

// streams holds the streams of a region, those of deleted tables too.
type streams struct {
	mu   lockrank.Mutex
	list []*changeLog // guarded by mu; by ARN
	last uint64       // guarded by mu; number of the youngest stream
	// added is closed when a stream is added. It is nil while nobody waits.
	added chan struct{} // guarded by mu
}

func (s *streams) init() { s.mu.SetRank(store.ClassLeaf, 1) }

func (s *streams) add(log *changeLog) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, _ := s.search(log.arn)
	s.list = slices.Insert(s.list, i, log)
	if log.number == 0 {
		log.number = s.last + 1
	}
	s.last = max(s.last, log.number)
	if s.added != nil {
		close(s.added)
		s.added = nil
	}
}

// search finds the place of an ARN. The caller holds mu.
func (s *streams) search(arn string) (i int, found bool) {
	return slices.BinarySearchFunc(s.list, arn, func(l *changeLog, arn string) int { return strings.Compare(l.arn, arn) })
}

// find returns the stream with an ARN, nil if there is none or it aged out.
func (s *streams) find(arn string, now time.Time) *changeLog {
	s.mu.Lock()
	i, found := s.search(arn)
	var log *changeLog
	if found {
		log = s.list[i]
	}
	s.mu.Unlock()
	if log == nil || log.gone(now) {
		return nil
	}
	return log
}

// all returns the streams by ARN, without those that aged out.
func (s *streams) all(now time.Time) []*changeLog {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = slices.DeleteFunc(s.list, func(l *changeLog) bool { return l.gone(now) })
	return slices.Clone(s.list)
}

// latest returns the label of the youngest stream of a table's name, "" if
// there is none. It may belong to a deleted table.
func (s *streams) latest(table string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	label := ""
	for _, log := range s.list {
		if log.table == table {
			label = max(label, log.label)
		}
	}
	return label
}

// stream finds a stream by its ARN. What has expired in its table is removed
// first, so that a reader of the stream sees it go.
func (r *Region) stream(arn string, now time.Time) (*changeLog, *api.Error) {
	log := r.streams.find(arn, now)
	if log == nil {
		return nil, api.ResourceNotFound("Requested resource not found: Stream: " + arn + " not found")
	}
	if t, _ := r.table(log.table); t != nil {
		t.mu.RUnlock()
	}
	return log, nil
}

// ListStreams lists streams by ARN. The streams that were switched off in the
// last day are among them.
func (r *Region) ListStreams(ctx context.Context, cmd *ListStreams) (*api.ListStreamsOutput, error) {
	out := &api.ListStreamsOutput{Streams: []api.StreamSummary{}}
	for _, log := range r.streams.all(r.engine.clock.Now()) {
		if log.arn <= cmd.Start || cmd.Table != "" && log.table != cmd.Table {
			continue
		}
		if len(out.Streams) == cmd.Limit {
			out.LastEvaluatedStreamARN = out.Streams[cmd.Limit-1].StreamARN
			break
		}
		out.Streams = append(out.Streams, api.StreamSummary{StreamARN: log.arn, TableName: log.table, StreamLabel: log.label})
	}
	return out, nil
}

// DescribeStream shows a stream and a page of its shards, in order of their
// ids. An unknown StartShard is no error; nothing follows it.
func (r *Region) DescribeStream(ctx context.Context, cmd *DescribeStream) (*api.DescribeStreamOutput, error) {
	now := r.engine.clock.Now()
	log, err := r.stream(cmd.ARN, now)
	if err != nil {
		return nil, err
	}
	log.mu.Lock()
	defer log.mu.Unlock()
	log.refresh(now)
	d := &api.StreamDescription{
		StreamARN:               log.arn,
		StreamLabel:             log.label,
		StreamStatus:            "ENABLED",
		StreamViewType:          log.view,
		CreationRequestDateTime: log.created,
		TableName:               log.table,
		KeySchema:               describeKey(log.key),
		Shards:                  []api.Shard{},
	}
	if log.closed {
		d.StreamStatus = "DISABLED"
	}
	shards := slices.SortedFunc(slices.Values(log.shards), func(a, b *shard) int { return strings.Compare(a.id, b.id) })
	if cmd.StartShard != "" && log.shard(cmd.StartShard) == nil {
		shards = nil // nothing follows an unknown shard (behaviours/10 §10.5)
	}
	for _, sh := range shards {
		if sh.id <= cmd.StartShard || cmd.ChildrenOf != "" && sh.parent != cmd.ChildrenOf {
			continue
		}
		if len(d.Shards) == cmd.Limit {
			d.LastEvaluatedShardID = d.Shards[cmd.Limit-1].ShardID
			break
		}
		d.Shards = append(d.Shards, sh.describe())
	}
	return &api.DescribeStreamOutput{StreamDescription: d}, nil
}

func (sh *shard) describe() api.Shard {
	d := api.Shard{ShardID: sh.id, ParentShardID: sh.parent, StartingSequenceNumber: sequenceNumber(sh.start)}
	if !sh.open() {
		d.EndingSequenceNumber = sequenceNumber(sh.end)
	}
	return d
}

// GetShardIterator makes an iterator, which is good for a quarter of an hour.
func (r *Region) GetShardIterator(ctx context.Context, cmd *GetShardIterator) (*api.GetShardIteratorOutput, error) {
	now := r.engine.clock.Now()
	log, err := r.stream(cmd.ARN, now)
	if err != nil {
		return nil, err
	}
	log.mu.Lock()
	defer log.mu.Unlock()
	log.refresh(now)
	sh := log.shard(cmd.Shard)
	if sh == nil {
		return nil, errNoShard
	}
	seq, err := sh.startAt(cmd, log.next, now)
	if err != nil {
		return nil, err
	}
	return &api.GetShardIteratorOutput{ShardIterator: iterator{arn: log.arn, shard: sh.id, seq: seq, issued: now}.token()}, nil
}

// startAt is the number of the first record that an iterator is to show. next
// is the number that comes next in the stream.
func (sh *shard) startAt(cmd *GetShardIterator, next uint64, now time.Time) (uint64, *api.Error) {
	switch cmd.Type {
	case Latest:
		return next, nil
	case AtSequenceNumber, AfterSequenceNumber:
		seq, ok := parseSequence(cmd.Sequence)
		if !ok {
			return 0, api.Validation("Invalid SequenceNumber: " + cmd.Sequence)
		}
		if seq <= sh.start {
			return sh.trimmed, nil
		}
		if seq < sh.trimmed {
			return 0, errTrimmed(cmd.Sequence)
		}
		if cmd.Type == AfterSequenceNumber {
			seq++
		}
		return seq, nil
	case AtTimestamp:
		if cmd.Timestamp.After(now) {
			return 0, api.Validation("Timestamp must not be in the future")
		}
		at := cmd.Timestamp.UnixNano()
		// Records are compared in full precision, although the API shows
		// their times in whole seconds.
		recs, _ := sh.records.read(sh.records.find(func(r *record) bool { return r.at >= at }), 1)
		if len(recs) == 0 {
			return next, nil
		}
		return recs[0].seq, nil
	}
	return sh.trimmed, nil // TrimHorizon
}

func errTrimmed(seq string) *api.Error {
	return &api.Error{Code: api.CodeTrimmedDataAccess,
		Message: "The operation attempted to read past the oldest stream record in a shard: sequence number " + seq + " was trimmed"}
}

// GetRecords reads the records from an iterator on. The cost is that of the
// records returned, wherever the iterator stands.
func (r *Region) GetRecords(ctx context.Context, cmd *GetRecords) (*api.GetRecordsOutput, error) {
	it, ok := parseIterator(cmd.Iterator)
	if !ok {
		return nil, errIterator
	}
	now := r.engine.clock.Now()
	log, err := r.stream(it.arn, now)
	if err != nil {
		return nil, err
	}
	if now.Sub(it.issued) > iteratorLife {
		return nil, errExpired
	}
	recs, more, err := log.read(it, cmd.Limit, now)
	if err != nil {
		return nil, err
	}
	// Records are exported without a lock, so that writers need not wait.
	out := &api.GetRecordsOutput{Records: make([]api.Record, 0, len(recs))}
	bytes := int64(0)
	for i := range recs {
		if bytes >= maxRecordsBytes {
			more = true
			break
		}
		rec := log.export(&recs[i])
		out.Records = append(out.Records, rec)
		bytes += rec.SizeBytes
		it.seq = recs[i].seq + 1
	}
	if more {
		it.issued = now
		out.NextShardIterator = it.token()
	}
	return out, nil
}

// read copies up to limit records from an iterator on. more is true unless
// they reach the end of a closed shard.
func (s *changeLog) read(it iterator, limit int, now time.Time) (recs []record, more bool, err *api.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refresh(now)
	sh := s.shard(it.shard)
	if sh == nil {
		return nil, false, errNoShard
	}
	if it.seq < sh.trimmed {
		return nil, false, errTrimmed(sequenceNumber(it.seq))
	}
	recs, more = sh.read(it.seq, limit)
	return recs, more, nil
}

// read copies up to limit records with at least this number. more is true
// unless they reach the end of a closed shard. The caller holds the stream's
// lock.
func (sh *shard) read(seq uint64, limit int) (recs []record, more bool) {
	recs, more = sh.records.read(sh.records.from(seq), limit)
	return recs, sh.open() || more
}

var (
	errIterator = api.Validation("Invalid ShardIterator")
	errNoShard  = api.ResourceNotFound("Requested resource not found: Shard does not exist")
	errExpired  = &api.Error{Code: api.CodeExpiredIterator, Message: "Iterator expired"}
)

// iterator is a place in a shard: before the first record with at least this
// number. Its token is self-contained, so it needs no memory here and survives
// a fork.
type iterator struct {
	arn    string
	shard  string
	seq    uint64
	issued time.Time
}

// token is the form of the service: the stream, a version, and the place.
func (it iterator) token() string {
	buf := binary.BigEndian.AppendUint64(nil, it.seq)
	buf = binary.BigEndian.AppendUint64(buf, uint64(it.issued.UnixMilli()))
	buf = append(buf, it.shard...)
	buf = binary.BigEndian.AppendUint32(buf, crc32.ChecksumIEEE(append([]byte(it.arn), buf...)))
	return it.arn + "|1|" + base64.StdEncoding.EncodeToString(buf)
}

func parseIterator(token string) (it iterator, ok bool) {
	arn, place, ok := strings.Cut(token, "|1|")
	if !ok {
		return it, false
	}
	buf, err := base64.StdEncoding.DecodeString(place)
	if err != nil || len(buf) < 20 {
		return it, false
	}
	body, sum := buf[:len(buf)-4], binary.BigEndian.Uint32(buf[len(buf)-4:])
	if crc32.ChecksumIEEE(append([]byte(arn), body...)) != sum {
		return it, false
	}
	return iterator{
		arn:    arn,
		seq:    binary.BigEndian.Uint64(body),
		issued: time.UnixMilli(int64(binary.BigEndian.Uint64(body[8:]))),
		shard:  string(body[16:]),
	}, true
}
