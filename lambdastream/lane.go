package lambdastream

import (
	"time"

	"github.com/dynalite-go/dynalite/api"
)

// lane is a share of a shard's records, by item, with its own batches. There is one for each unit of the
// parallelization factor. A batch that fails blocks its lane.
type lane struct {
	ready     []*batch // in order; the first one is being delivered, or will be
	forming   *batch   // the last one, which may get more records; nil when there is none
	call      *laneCall
	notBefore time.Time // of the next call
	backlog   int       // records in ready and forming
}

// laneCall is a call that a lane waits for.
type laneCall struct {
	batch *batch // nil: the call only tells of a failure
}

// batch is a run of records that are delivered together.
type batch struct {
	records []api.Record
	bytes   int       // of the event
	opened  time.Time // when the first record was read

	calls         int // of the handler
	retries       int
	err           error  // of the last call
	functionError string // of the last call, as Lambda reports it
}

// add adds a record to the batch that is forming.
func (ln *lane) add(rec *api.Record, now time.Time, batchSize int) {
	bytes := payloadBytes(rec)
	if b := ln.forming; b != nil && b.bytes+bytes > MaxPayloadBytes {
		ln.close()
	}
	b := ln.forming
	if b == nil {
		b = &batch{opened: now}
		ln.forming = b
	}
	b.records = append(b.records, *rec)
	b.bytes += bytes
	ln.backlog++
	if len(b.records) >= batchSize {
		ln.close()
	}
}

// close lets the forming batch get no more records.
func (ln *lane) close() {
	ln.ready = append(ln.ready, ln.forming)
	ln.forming = nil
}

// due returns the batch that is to be delivered now. When there is none it returns the time at which one will be,
// zero if that depends on more records. ended says that no more come.
func (ln *lane) due(now time.Time, c *config, ended bool) (*batch, time.Time) {
	if now.Before(ln.notBefore) {
		return nil, ln.notBefore
	}
	if len(ln.ready) == 0 {
		if ln.forming == nil {
			return nil, time.Time{}
		}
		// A shard's last batch need not wait for the end of its window.
		if end := ln.forming.opened.Add(c.window); !ended && now.Before(end) {
			return nil, end
		}
		ln.close()
	}
	return ln.ready[0], time.Time{}
}

// pop removes the first batch.
func (ln *lane) pop() {
	ln.backlog -= len(ln.ready[0].records)
	ln.ready[0] = nil
	ln.ready = ln.ready[1:]
}

// cut removes the first n records from the first batch, and the batch when nothing is left.
func (ln *lane) cut(n int) {
	b := ln.ready[0]
	if n == len(b.records) {
		ln.pop()
		return
	}
	b.records = b.records[n:]
	ln.backlog -= n
}

// bisect divides the first batch in two. The halves have made as many retries as the whole.
func (ln *lane) bisect() {
	b := ln.ready[0]
	second := *b
	n := (len(b.records) + 1) / 2
	b.records, second.records = b.records[:n:n], b.records[n:]
	ln.ready = append([]*batch{b, &second}, ln.ready[1:]...)
}
