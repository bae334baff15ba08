package lambdastream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dynalite-go/dynalite/api"
)

// BatchItemFailuresError is the failure of a batch whose response names a record that isn't in it.
type BatchItemFailuresError struct{ ItemIdentifier string }

// Error names the identifier.
func (e *BatchItemFailuresError) Error() string {
	return fmt.Sprintf("lambdastream: the response names item %q, which is not in the batch", e.ItemIdentifier)
}

// errReported is the failure of a batch whose response names failures of items.
var errReported = errors.New("lambdastream: the handler reported a failure of an item")

// settle takes note of the outcome of a call.
func (l *shardLoop) settle(r result) {
	ln := r.lane
	if ln.call != r.call {
		return // it was given up, and the batch is tried again already
	}
	ln.call = nil
	b := r.call.batch
	if b == nil {
		l.told(r.err)
		return
	}
	b.calls++
	b.err, b.functionError = r.err, ""
	done := len(b.records)
	switch {
	case r.err != nil:
		b.functionError, done = "Unhandled", 0
	case l.consumer.config.report:
		done, b.err = checkpoint(b.records, r.failed)
	}
	if done > 0 {
		l.consumer.counts.batches.Add(1)
		l.consumer.counts.records.Add(int64(done))
		if done < len(b.records) {
			// What is left is a batch of its own: it has all of its retries (recorded in 2025).
			*b = batch{records: b.records, bytes: b.bytes, opened: b.opened, err: b.err}
		}
		ln.cut(done)
	}
	if b.err != nil {
		l.fail(ln, b, done > 0)
	}
}

// checkpoint returns how many records are done, going by the response: those before the first that it names. When
// it names one that isn't there, or none by a name, the whole batch has failed.
func checkpoint(records []api.Record, failed []string) (done int, err error) {
	done = len(records)
	for _, id := range failed {
		i, ok := slices.BinarySearchFunc(records, id, bySequence)
		if !ok {
			return 0, &BatchItemFailuresError{id}
		}
		done, err = min(done, i), errReported
	}
	return done, err
}

// bySequence orders records by number. Numbers have no leading zeros.
func bySequence(rec api.Record, id string) int {
	return cmp.Or(cmp.Compare(len(rec.SequenceNumber), len(id)), strings.Compare(rec.SequenceNumber, id))
}

// fail decides what becomes of the lane's first batch, which failed. divided says that its first part is done.
func (l *shardLoop) fail(ln *lane, b *batch, divided bool) {
	c, log := &l.consumer.config, l.consumer.log
	l.consumer.counts.failures.Add(1)
	args := []any{"shard", l.id, "records", len(b.records), "from", b.records[0].SequenceNumber, "error", b.err}
	var panicked *PanicError
	if errors.As(b.err, &panicked) {
		log.Error("the handler panicked", "shard", l.id, "panic", panicked.Value, "stack", string(panicked.Stack))
	}
	switch {
	case divided:
		// Part of the batch is done, so this is no retry of what is left. It waits all the same.
		log.Info("batch failed in part, the rest is tried again", args...)
		ln.notBefore = l.consumer.clock.Now().Add(c.delay(1))
	case c.bisect && len(b.records) > 1:
		log.Info("batch failed and is divided", args...)
		ln.bisect()
	case c.retries >= 0 && b.retries >= c.retries:
		ln.pop()
		l.discard(ln, b, RetryAttemptsExhausted)
	default:
		b.retries++
		wait := c.delay(b.retries)
		log.Info("batch failed and is tried again", append(args, "retry", b.retries, "in", wait)...)
		ln.notBefore = l.consumer.clock.Now().Add(wait)
	}
}

// discardExpired discards the records at the start of the lane's first batch that are too old. It reports whether
// there were any.
func (l *shardLoop) discardExpired(ln *lane, b *batch, now time.Time) bool {
	n := 0
	for n < len(b.records) && now.Sub(b.records[n].ApproximateCreationDateTime) > l.consumer.config.maxAge {
		n++
	}
	if n == 0 {
		return false
	}
	old := *b
	old.records = b.records[:n:n]
	ln.cut(n)
	l.discard(ln, &old, RecordAgeExceeded)
	return true
}

// discard gives up a batch that the lane no longer has, and says so.
func (l *shardLoop) discard(ln *lane, b *batch, why Condition) {
	ln.notBefore = time.Time{}
	l.consumer.counts.discarded.Add(int64(len(b.records)))
	f := l.newFailure(b, why, l.consumer.clock.Now())
	l.consumer.log.Warn("changes skipped", "why", string(why), "shard", l.id, "records", f.BatchSize,
		"from", f.StartSequenceNumber, "to", f.EndSequenceNumber, "calls", b.calls, "error", b.err)
	if l.consumer.config.onFailure == nil {
		return
	}
	l.call(ln, nil, func(context.Context) ([]string, error) {
		l.consumer.config.onFailure(f)
		return nil, nil
	})
}

// told takes note of a call of OnFailure that has ended. It is not repeated, as little as Lambda's message is.
func (l *shardLoop) told(err error) {
	if err != nil {
		l.consumer.log.Error("the function for failures failed", "shard", l.id, "error", err)
	}
}
