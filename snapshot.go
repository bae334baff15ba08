package dynalite

import (
	"errors"

	"github.com/dynalite-go/dynalite/engine"
)

// ErrClosed is the error of operations on a closed database.
var ErrClosed = errors.New("dynalite: the database is closed")

// Snapshot is the content of a database at one moment. It can be restored any number of times, also into other
// databases, and stays what it is.
type Snapshot struct{ engine *engine.Engine }

// Snapshot keeps the content of the database. It shares the data with the database until either changes, so its cost
// depends on the number of tables and partitions and not on that of items.
func (db *DB) Snapshot() *Snapshot { return &Snapshot{db.fork()} }

// Restore replaces the content of the database by that of a snapshot. It waits for the requests that run; those that
// come later see only the snapshot. The clock stays where it is.
func (db *DB) Restore(s *Snapshot) error { return db.replace(s.engine.Fork()) }

// Reset empties the database. It waits for the requests that run. The clock stays where it is.
func (db *DB) Reset() error { return db.replace(engine.New(db.config.engine())) }

// Fork returns an independent database with the same content and options, which the test closes when it ends. With a
// nil tb the caller closes it. The two share data until either side writes, and they share the clock. Listeners are
// not copied.
func (db *DB) Fork(tb TB) *DB {
	c := db.config
	if tb != nil {
		tb.Helper()
	}
	f := newDB(c, db.fork())
	if tb != nil {
		f.closeWith(tb)
	}
	return f
}

// fork copies the engine between two requests.
func (db *DB) fork() *engine.Engine {
	db.mu.RLock()
	defer db.mu.RUnlock()
	return db.engine.Fork()
}

// replace puts another engine in place.
func (db *DB) replace(e *engine.Engine) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return ErrClosed
	}
	db.engine = e
	db.replacement.tell(false)
	return nil
}
