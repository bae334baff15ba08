package lambdastream

import (
	"context"
	"sync"
	"time"

	"github.com/dynalite-go/dynalite/clock"
)

// tasks are the goroutines of a consumer, one for each shard and one that looks for streams. It knows which of them
// have nothing to do, so that a test can wait for that.
type tasks struct {
	mu      sync.Mutex
	all     map[*task]struct{} // guarded by mu
	changed chan struct{}      // guarded by mu; closed when a task comes to rest or ends; nil while nobody waits
}

// task is one goroutine. It is added before it starts, by one that is not at rest.
type task struct {
	set *tasks
	// poke wakes the task, to look at the clock again.
	poke chan struct{}
	rest rest // guarded by set.mu
}

// rest is what a task waits for. The zero value is that of a task that works.
type rest struct {
	resting bool
	until   time.Time          // zero: for ever
	backlog bool               // there are records that it will deliver later
	wakes   [3]<-chan struct{} // closed when there is something to do; nil ones never are
}

// over reports whether there is something to do at a time, although the task may not know yet.
func (r *rest) over(now time.Time) bool {
	if !r.until.IsZero() && !now.Before(r.until) {
		return true
	}
	for _, c := range r.wakes {
		select {
		case <-c:
			return true
		default:
		}
	}
	return false
}

func (s *tasks) add() *task {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[*task]struct{}{}
	}
	t := &task{set: s, poke: make(chan struct{}, 1)}
	s.all[t] = struct{}{}
	return t
}

func (t *task) end() {
	t.set.mu.Lock()
	defer t.set.mu.Unlock()
	delete(t.set.all, t)
	t.set.tell()
}

// setRest says that the task waits, or with the zero rest that it works again.
func (t *task) setRest(r rest) {
	t.set.mu.Lock()
	defer t.set.mu.Unlock()
	t.rest = r
	if r.resting {
		t.set.tell()
	}
}

func (s *tasks) tell() {
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

// wait returns when all tasks are at rest, and with drained when they also have no backlog.
func (s *tasks) wait(ctx context.Context, c clock.Clock, drained bool) error {
	for {
		changed := s.busy(c, drained)
		if changed == nil {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// busy returns nil when all tasks are at rest, else a channel that is closed when that may have changed.
func (s *tasks) busy(c clock.Clock, drained bool) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, busy := c.Now(), false
	for t := range s.all {
		switch {
		case !t.rest.resting:
			busy = true
		case t.rest.over(now):
			// Its timer may have been set for a moment too late, when the clock was moved meanwhile.
			busy = true
			select {
			case t.poke <- struct{}{}:
			default:
			}
		case drained && t.rest.backlog:
			busy = true
		}
	}
	if !busy {
		return nil
	}
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	return s.changed
}
