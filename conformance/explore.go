package conformance

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// Explore sends generated conversations to the runner's two targets, see Against, until their answers differ. It
// returns the shortest conversation found that differs and what it came to, or nil when all agree.
//
// The same seed generates the same conversations. It sets the flags of package rapid, which are global, so only one
// exploration runs at a time.
func (r *Runner) Explore(ctx context.Context, seed uint64, conversations int) (*Script, Result, error) {
	if r.against == nil {
		return nil, Result{}, fmt.Errorf("exploring takes two targets")
	}
	if !flag.Parsed() { // package rapid asks package testing, which wants to have seen a command line
		testing.Init()
		if err := flag.CommandLine.Parse(nil); err != nil {
			return nil, Result{}, err
		}
	}
	for name, value := range map[string]string{
		"rapid.checks":     strconv.Itoa(conversations),
		"rapid.seed":       strconv.FormatUint(seed, 10),
		"rapid.nofailfile": "true",
		"rapid.shrinktime": shrinkTime,
	} {
		if err := flag.Set(name, value); err != nil {
			return nil, Result{}, err
		}
	}
	var script *Script
	var result Result
	var fault error
	tb := &exploration{}
	tb.run(func() {
		rapid.Check(tb, func(t *rapid.T) {
			if ctx.Err() != nil || fault != nil {
				t.Skip("stopped")
			}
			s := Conversations().Draw(t, "conversation")
			s, err := Parse("generated.txt", Format(s))
			if err != nil {
				fault = fmt.Errorf("a generated conversation is malformed: %w", err)
				t.Skip("malformed")
			}
			res, err := r.try(ctx, s)
			switch {
			case err != nil:
				fault = err
			case res.Outcome == Broken:
				fault = fmt.Errorf("%s", res.Detail)
			case res.Outcome == Differs:
				script, result = s, res
				t.Fatalf("differs")
			}
			if r.observe != nil {
				r.observe(Event{File: s.Name, Result: &res, Total: conversations})
			}
		})
	})
	if fault == nil {
		fault = ctx.Err()
	}
	if fault != nil || script == nil {
		return nil, result, fault
	}
	// Shrinking made the conversation simple; steps that don't matter may still be in it.
	return r.shorten(ctx, script, shortenAttempts)
}

// shrinkTime bounds how long a conversation that differs is simplified.
const shrinkTime = "4s"

// shortenAttempts bounds the work on a conversation that differs.
const shortenAttempts = 200

// exploration is what package rapid needs of a test.
type exploration struct {
	mu     sync.Mutex
	failed bool
}

// run calls f so that it may end by FailNow.
func (e *exploration) run(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

func (e *exploration) Helper()               {}
func (e *exploration) Name() string          { return "conversations" }
func (e *exploration) Logf(string, ...any)   {}
func (e *exploration) Log(...any)            {}
func (e *exploration) Skipf(string, ...any)  { e.SkipNow() }
func (e *exploration) Skip(...any)           { e.SkipNow() }
func (e *exploration) SkipNow()              { runtime.Goexit() }
func (e *exploration) Errorf(string, ...any) { e.Fail() }
func (e *exploration) Error(...any)          { e.Fail() }
func (e *exploration) Fatalf(string, ...any) { e.FailNow() }
func (e *exploration) Fatal(...any)          { e.FailNow() }

func (e *exploration) Fail() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failed = true
}

func (e *exploration) FailNow() {
	e.Fail()
	runtime.Goexit()
}

func (e *exploration) Failed() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.failed
}
