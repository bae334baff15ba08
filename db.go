package dynalite

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/server"
)

// TB is the part of testing.TB that Start and Fork need, so that this package doesn't link package testing.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
}

// DB is one database. It is safe for concurrent use.
type DB struct {
	config  config
	handler *server.Handler

	// mu is held for reading by each request while it runs, so that the engine is replaced between requests only
	// and Close waits for those that run.
	mu     sync.RWMutex
	engine *engine.Engine // guarded by mu
	closed bool           // guarded by mu

	listening   listeners
	replacement replacement
	closing     sync.Once
	closeErr    error // written in closing
}

// New returns an empty database. Close it after use.
//
// It fails when an option is out of range; the error tells all that are.
func New(opts ...Option) (*DB, error) {
	c, err := newConfig(opts)
	if err != nil {
		return nil, err
	}
	return newDB(c, engine.New(c.engine())), nil
}

func newDB(c config, e *engine.Engine) *DB {
	db := &DB{config: c, engine: e}
	db.handler = server.New(server.Config{
		Source:  source{db},
		Region:  c.region,
		Account: c.account,
		Shared:  c.shared,
		Wording: c.wording,
		Secrets: c.lookup(),
		Clock:   c.clock,
		Logger:  c.logger,
	})
	return db
}

// Start returns an empty database for a test, which closes it when it ends. A wrong option fails the test.
func Start(tb TB, opts ...Option) *DB {
	tb.Helper()
	db, err := New(append([]Option{WithLogger(testLogger(tb))}, opts...)...)
	if err != nil {
		tb.Fatalf("%v", err)
		return nil
	}
	db.closeWith(tb)
	return db
}

// closeWith closes the database at the end of a test.
func (db *DB) closeWith(tb TB) {
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Logf("dynalite: closing the database: %v", err)
		}
	})
}

// Close stops the listeners, waits for the requests that run, and ends the database: later requests fail. Calls after
// the first wait for it and return the same error.
//
// Requests that don't end within five seconds are cut off.
func (db *DB) Close() error {
	db.closing.Do(func() {
		db.closeErr = db.listening.close()
		db.mu.Lock()
		defer db.mu.Unlock()
		db.closed = true
		db.replacement.tell(true)
	})
	return db.closeErr
}

// Region returns the region of requests that name none.
func (db *DB) Region() string { return db.config.region }

// Account returns the account of requests whose access key id names none.
func (db *DB) Account() string { return db.config.account }

// Handler returns the database as an http.Handler, to be served by a server of your own. It answers whatever Host a
// request names; see server.GuardHost for one on a loopback address.
func (db *DB) Handler() http.Handler { return db.handler }

// Client returns an HTTP client whose requests, to whatever host, go to the database without a socket.
func (db *DB) Client() *http.Client { return &http.Client{Transport: db.Transport()} }

// Advance moves the database's clock, which must have an Advance method as *clock.Manual does. With any other clock
// it panics: time would not pass, and the test would prove nothing.
func (db *DB) Advance(d time.Duration) {
	manual, ok := db.config.clock.(interface{ Advance(time.Duration) })
	if !ok {
		panic(fmt.Sprintf("dynalite: Advance needs a manual clock, see WithClock; this one is a %T", db.config.clock))
	}
	manual.Advance(d)
}

// source gives the database's engine to its handler.
type source struct{ db *DB }

func (s source) Acquire() *engine.Engine {
	s.db.mu.RLock()
	if s.db.closed {
		s.db.mu.RUnlock()
		return nil
	}
	return s.db.engine
}

func (s source) Release() { s.db.mu.RUnlock() }
