package lambdastream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/clock"
)

// Handler is a function that Lambda would call. Its context ends when the consumer is closed and when the call takes
// too long. An error or a panic is a failure of the batch. The response counts with WithBatchItemFailures only.
//
// A consumer calls it from several goroutines at once, one for each shard or more with WithParallelization.
type Handler func(ctx context.Context, event events.DynamoDBEvent) (events.DynamoDBEventResponse, error)

// ErrorHandler makes a Handler of a function without a response.
func ErrorHandler(fn func(ctx context.Context, event events.DynamoDBEvent) error) Handler {
	return func(ctx context.Context, event events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
		return events.DynamoDBEventResponse{}, fn(ctx, event)
	}
}

// ErrClosed is the error of Wait and Drain when the consumer is closed, or its database.
var ErrClosed = errors.New("lambdastream: the consumer is closed")

// ErrRunning is the error of Close when calls of the handler don't heed the end of their context.
var ErrRunning = errors.New("lambdastream: calls of the handler go on after the consumer was closed")

// closeGrace is how long Close waits for them, in real time: a clock that stands still must not make it wait for ever.
const closeGrace = 5 * time.Second

// Consumer delivers the changes of one table to one function. It is safe for concurrent use.
type Consumer struct {
	db      *dynalite.DB
	config  config
	deliver deliverFunc
	clock   clock.Clock
	log     *slog.Logger
	release func() // frees what deliver holds

	ctx    context.Context // of everything that the consumer does
	cancel context.CancelFunc
	tasks  tasks
	loops  sync.WaitGroup // goroutines that are no calls
	calls  calls

	counts struct{ batches, records, filtered, failures, discarded, gaps atomic.Int64 }
}

// Stats tells what a consumer has done.
type Stats struct {
	Batches   int64 // calls that succeeded, at least in part
	Records   int64 // records that are done
	Filtered  int64 // records that passed no filter
	Failures  int64 // calls that failed, at least in part
	Discarded int64 // records that were skipped, see WithOnFailure
	Gaps      int64 // times that records had left the stream before they were read
}

// New starts a consumer of a table's stream. The table is a name, or an ARN to say in which account and region; it
// need not be there yet. Changes that are made after New has returned are delivered wherever the consumer starts.
//
// It fails when an option is out of range, with a *FilterError for each wrong filter, and when the database is
// closed. Close the consumer after use.
func New(db *dynalite.DB, table string, handler Handler, opts ...Option) (*Consumer, error) {
	if handler == nil {
		return nil, errors.New("lambdastream: no handler")
	}
	c, err := newConfig(table, opts)
	if err != nil {
		return nil, err
	}
	return start(db, c, handler.deliver, func() {})
}

// Start starts a consumer as New does and closes it when the test ends. What is wrong fails the test.
func Start(tb dynalite.TB, db *dynalite.DB, table string, handler Handler, opts ...Option) *Consumer {
	tb.Helper()
	c, err := New(db, table, handler, opts...)
	if err != nil {
		tb.Fatalf("%v", err)
		return nil
	}
	tb.Cleanup(func() {
		if err := c.Close(); err != nil {
			tb.Logf("%v", err)
		}
	})
	return c
}

func start(db *dynalite.DB, conf config, deliver deliverFunc, release func()) (*Consumer, error) {
	c := &Consumer{db: db, config: conf, deliver: deliver, clock: db.Clock(), log: conf.logger, release: release}
	if c.log == nil {
		c.log = db.Logger()
	}
	c.log = c.log.With("table", conf.table)
	c.ctx, c.cancel = context.WithCancel(context.Background())
	if conf.at.After(c.clock.Now()) {
		return nil, fmt.Errorf("lambdastream: starting timestamp %v lies in the future", conf.at)
	}
	f := &finder{consumer: c, task: c.tasks.add()}
	if err := f.find(); err != nil {
		c.cancel()
		release()
		return nil, fmt.Errorf("lambdastream: %w", err)
	}
	c.loops.Go(f.run)
	return c, nil
}

// Wait waits until everything is delivered that can be delivered now. It does not wait for what only the clock can
// bring: the end of a batching window, the next try of a batch that failed.
//
// The error is that of the context, or ErrClosed.
func (c *Consumer) Wait(ctx context.Context) error { return c.wait(ctx, false) }

// Drain waits until everything is delivered or discarded. Windows and retries take their time; with a manual clock
// somebody else must move it meanwhile. The error is that of Wait.
func (c *Consumer) Drain(ctx context.Context) error { return c.wait(ctx, true) }

func (c *Consumer) wait(ctx context.Context, drained bool) error {
	c.expire()
	both, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer context.AfterFunc(c.ctx, func() { stop(ErrClosed) })()
	if err := c.tasks.wait(both, c.clock, drained); err != nil {
		return err
	}
	if c.ctx.Err() != nil {
		return ErrClosed
	}
	return nil
}

// Close stops the consumer. It cancels the contexts of the calls that run, and waits for them; what they were called
// with counts as not delivered. It returns ErrRunning when they don't end within five seconds.
func (c *Consumer) Close() error {
	c.cancel()
	c.loops.Wait()
	defer c.release()
	timer := clock.Real().NewTimer(closeGrace)
	defer timer.Stop()
	select {
	case <-c.calls.ended():
		return nil
	case <-timer.C():
		return ErrRunning
	}
}

// Stats returns what the consumer has done so far.
func (c *Consumer) Stats() Stats {
	n := &c.counts
	return Stats{
		Batches: n.batches.Load(), Records: n.records.Load(), Filtered: n.filtered.Load(),
		Failures: n.failures.Load(), Discarded: n.discarded.Load(), Gaps: n.gaps.Load(),
	}
}
