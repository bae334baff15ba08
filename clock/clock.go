// Package clock is the emulator's only source of time.
//
// Everything that waits or expires (idempotency tokens, table states, time to
// live, stream retention) asks a Clock, so that a test which owns the clock
// owns all of it. Real reads package time; inside a testing/synctest bubble
// that is the bubble's fake time. Manual moves only when told to.
//
// This package is part of the project's stable API.
package clock

import (
	"sync"
	"time"
)

// Clock tells the time and wakes who waits for it. Implementations are safe
// for concurrent use.
type Clock interface {
	// Now is the current time.
	Now() time.Time
	// NewTimer returns a timer that fires once, d from now. A d of zero or
	// less fires at once.
	NewTimer(d time.Duration) Timer
}

// Timer fires once on C.
type Timer interface {
	// C delivers the time at which the timer fired.
	C() <-chan time.Time
	// Stop keeps the timer from firing. It reports whether it did: false
	// means that the timer had fired or was stopped before.
	Stop() bool
}

// Real is the clock of package time.
func Real() Clock { return realClock{} }

type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

func (realClock) NewTimer(d time.Duration) Timer { return realTimer{time.NewTimer(d)} }

type realTimer struct{ t *time.Timer }

func (t realTimer) C() <-chan time.Time { return t.t.C }
func (t realTimer) Stop() bool          { return t.t.Stop() }

// Manual is a clock that stands still until Advance or Set moves it.
type Manual struct {
	mu     sync.Mutex
	now    time.Time             // guarded by mu
	timers map[*manualTimer]bool // guarded by mu; those that have not fired
}

// NewManual returns a clock that reads start.
func NewManual(start time.Time) *Manual {
	return &Manual{now: start, timers: map[*manualTimer]bool{}}
}

// Now is the time the clock was last set to.
func (m *Manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// Advance moves the clock by d and fires the timers that are due, earliest
// first. A negative d is ignored: time does not run backwards.
func (m *Manual) Advance(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.setLocked(m.now.Add(d))
}

// Set moves the clock to t, which must not lie before Now; an earlier t is
// ignored.
func (m *Manual) Set(t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.setLocked(t)
}

func (m *Manual) setLocked(t time.Time) {
	if t.Before(m.now) {
		return
	}
	m.now = t
	for {
		var next *manualTimer
		for timer := range m.timers {
			if !timer.at.After(t) && (next == nil || timer.at.Before(next.at)) {
				next = timer
			}
		}
		if next == nil {
			return
		}
		delete(m.timers, next)
		next.c <- next.at
	}
}

// NewTimer returns a timer that fires when the clock has moved by d.
func (m *Manual) NewTimer(d time.Duration) Timer {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := &manualTimer{clock: m, at: m.now.Add(d), c: make(chan time.Time, 1)}
	if d <= 0 {
		t.c <- m.now
		return t
	}
	m.timers[t] = true
	return t
}

// Waiters is the number of timers that have not fired yet. A test uses it to
// know that a goroutine has begun to wait.
func (m *Manual) Waiters() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.timers)
}

type manualTimer struct {
	clock *Manual
	at    time.Time
	c     chan time.Time
}

func (t *manualTimer) C() <-chan time.Time { return t.c }

func (t *manualTimer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	pending := t.clock.timers[t]
	delete(t.clock.timers, t)
	return pending
}
