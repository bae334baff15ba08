package dynalite

import (
	"log/slog"
	"sync"

	"github.com/dynalite-go/dynalite/clock"
	"github.com/dynalite-go/dynalite/engine"
)

// InRegion runs fn on the part of the database that belongs to an account in a region; "" stands for the database's
// own. It is for packages in the same process that go on where the API ends, such as lambdastream. The database can't
// be closed or restored while fn runs, and what fn got must be forgotten when Replaced tells so.
//
// Package engine is not part of the project's stable API. The error is that of fn, or ErrClosed.
func (db *DB) InRegion(account, region string, fn func(*engine.Region) error) error {
	if account == "" {
		account = db.config.account
	}
	if region == "" {
		region = db.config.region
	}
	s := source{db}
	e := s.Acquire()
	if e == nil {
		return ErrClosed
	}
	defer s.Release()
	return fn(e.Region(account, region))
}

// Replaced returns a channel that is closed when the content of the database is replaced, by Restore or Reset, and
// when the database is closed.
func (db *DB) Replaced() <-chan struct{} { return db.replacement.wait() }

// Clock returns the database's only source of time.
func (db *DB) Clock() clock.Clock { return db.config.clock }

// Logger returns the database's logger; it drops everything when the database has none.
func (db *DB) Logger() *slog.Logger {
	if db.config.logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return db.config.logger
}

// replacement tells who asks when the content of a database is replaced. The channel is made by who waits, so that it
// belongs to the synctest bubble of the waiter.
type replacement struct {
	mu    sync.Mutex
	next  chan struct{} // guarded by mu; nil while nobody waits
	final bool          // guarded by mu; the database is closed
}

func (r *replacement) wait() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next == nil {
		r.next = make(chan struct{})
		if r.final {
			close(r.next)
		}
	}
	return r.next
}

// tell wakes who waits. After the final time nobody waits any more.
func (r *replacement) tell(final bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next != nil && !r.final {
		close(r.next)
		if !final {
			r.next = nil
		}
	}
	r.final = r.final || final
}
