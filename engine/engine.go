package engine

import (
	"strings"
	"sync/atomic"
	"time"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/clock"
	"github.com/dynalite-go/dynalite/engine/internal/store"
	"github.com/dynalite-go/dynalite/internal/lockrank"
)

// Options configures an Engine. The zero value is a database that answers at
// once and forgets nothing.
type Options struct {
	// Clock tells the time. Nil means clock.Real.
	Clock clock.Clock
	// CreateDelay is how long tables and indexes stay in a transitional
	// status (CREATING, UPDATING, DELETING). With zero, the next request
	// after the one that caused it finds the final status.
	CreateDelay time.Duration
	// TTLDelay is how long expired items stay before they are removed.
	TTLDelay time.Duration
	// Partitions is the number of partitions of a new table or global
	// secondary index. Zero derives it from the table's capacity, as the
	// service does (limits.md §7.1).
	Partitions int
	// CollectionBytes is the most that one item collection of a table with
	// local secondary indexes may hold, in bytes. Zero means the service's
	// 10 GB.
	CollectionBytes int64
}

// maxCollectionBytes is the service's limit (limits.md §3).
const maxCollectionBytes = 10 << 30

// Engine is one database. It is safe for concurrent use.
type Engine struct {
	opts       Options
	clock      clock.Clock
	lastNumber atomic.Uint64 // number of the newest table

	mu      lockrank.RWMutex
	regions map[regionName]*Region // guarded by mu
}

type regionName struct{ account, region string }

// New returns an empty database.
func New(opts Options) *Engine {
	if opts.Clock == nil {
		opts.Clock = clock.Real()
	}
	if opts.CollectionBytes == 0 {
		opts.CollectionBytes = maxCollectionBytes
	}
	e := &Engine{opts: opts, clock: opts.Clock, regions: map[regionName]*Region{}}
	e.mu.SetRank(store.ClassEngine, 0)
	return e
}

// Region is the part of the database that belongs to one account in one
// region. It comes into being when it is first asked for.
func (e *Engine) Region(account, region string) *Region {
	name := regionName{account, region}
	e.mu.RLock()
	r := e.regions[name]
	e.mu.RUnlock()
	if r != nil {
		return r
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if r := e.regions[name]; r != nil {
		return r
	}
	// The names may be parts of a request, which must not be kept alive.
	name = regionName{strings.Clone(account), strings.Clone(region)}
	r = newRegion(e, name)
	e.regions[name] = r
	return r
}

// Region is one account's DynamoDB in one region. It is safe for concurrent
// use.
type Region struct {
	engine  *Engine
	account string
	name    string
	tokens  tokens
	streams streams

	mu     lockrank.RWMutex
	tables map[string]*Table // guarded by mu
}

func newRegion(e *Engine, name regionName) *Region {
	r := &Region{engine: e, account: name.account, name: name.region, tables: map[string]*Table{}}
	r.mu.SetRank(store.ClassCatalog, 0)
	r.tokens.init()
	r.streams.init()
	return r
}

// table is the table an operation on items works on, locked for reading. The
// caller unlocks it.
func (r *Region) table(name string) (*Table, *api.Error) {
	r.mu.RLock()
	t := r.tables[name]
	r.mu.RUnlock()
	if t == nil {
		return nil, errNoTable
	}
	t.mu.RLock()
	if !t.servesItems(r.engine) {
		t.mu.RUnlock()
		return nil, errNoTable
	}
	t.expireDue()
	return t, nil
}

// errNoTable is the answer of operations on items for a table that does not
// exist, is being created or is being deleted (behaviours/01 §1.7).
var errNoTable = api.ResourceNotFound("Requested resource not found")
