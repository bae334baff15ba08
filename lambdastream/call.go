package lambdastream

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/dynalite-go/dynalite/api"
)

// deliverFunc hands a batch to the function. failed holds the identifiers of the response's item failures.
type deliverFunc func(ctx context.Context, records []api.Record, streamARN string) (failed []string, err error)

// deliver calls the handler.
func (h Handler) deliver(ctx context.Context, records []api.Record, streamARN string) ([]string, error) {
	response, err := h(ctx, newEvent(records, streamARN))
	if err != nil {
		return nil, err
	}
	var failed []string
	for _, f := range response.BatchItemFailures {
		failed = append(failed, f.ItemIdentifier)
	}
	return failed, nil
}

// ErrTimeout is the failure of a call that took longer than WithTimeout allows, and the cause of its context's end.
var ErrTimeout = errors.New("lambdastream: the call timed out")

// errGoexit is the failure of a handler that ended its goroutine, as testing.T.FailNow does.
var errGoexit = errors.New("lambdastream: the handler ended its goroutine")

// PanicError is the failure of a handler that panicked.
type PanicError struct {
	Value any
	Stack []byte
}

// Error shows the value, without the stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("lambdastream: the handler panicked: %v", e.Value)
}

// Unwrap returns what the handler panicked with, if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// outcome is what came of a call of user code.
type outcome struct {
	failed []string
	err    error
}

// begin calls fn, which runs code of the user, in a goroutine of its own. Whatever happens in there, report is called
// with an outcome: by the call when it ends, and before that when it takes too long.
func (c *Consumer) begin(ctx context.Context, fn func(context.Context) ([]string, error), report func(outcome)) {
	ctx, cancel := context.WithCancelCause(ctx)
	if c.config.timeout > 0 {
		// The timer is set before the call, so that a test whose handler has begun may move the clock.
		timer := c.clock.NewTimer(c.config.timeout)
		c.loops.Go(func() {
			defer timer.Stop()
			select {
			case <-timer.C():
				cancel(ErrTimeout)
				report(outcome{err: ErrTimeout})
			case <-ctx.Done():
			}
		})
	}
	c.calls.begin()
	go func() {
		defer c.calls.end()
		defer cancel(nil)
		out := outcome{err: errGoexit}
		defer func() {
			if v := recover(); v != nil {
				out = outcome{err: &PanicError{v, debug.Stack()}}
			}
			report(out)
		}()
		out.failed, out.err = fn(ctx)
	}()
}

// calls counts the calls of user code that run.
type calls struct {
	mu      sync.Mutex
	running int           // guarded by mu
	none    chan struct{} // guarded by mu; closed when none runs; nil while nobody waits
}

func (c *calls) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running++
}

func (c *calls) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running--
	c.tell()
}

func (c *calls) tell() {
	if c.running == 0 && c.none != nil {
		close(c.none)
		c.none = nil
	}
}

// ended returns a channel that is closed when no call runs.
func (c *calls) ended() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.none == nil {
		c.none = make(chan struct{})
	}
	none := c.none
	c.tell()
	return none
}
