package engine

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine/internal/store"
	"github.com/dynalite-go/dynalite/hashring"
	"github.com/dynalite-go/dynalite/internal/lockrank"
)

// KeyAttribute is one attribute of a key schema.
type KeyAttribute struct {
	Name string
	Type attr.Type // S, N or B
}

// KeySchema is the key of a table or an index. A table has one partition key
// and at most one sort key; a global secondary index has up to four of each.
type KeySchema struct {
	Hash  []KeyAttribute
	Range []KeyAttribute
}

// all calls fn for each attribute, partition key first.
func (s KeySchema) all(fn func(KeyAttribute) bool) {
	for _, k := range s.Hash {
		if !fn(k) {
			return
		}
	}
	for _, k := range s.Range {
		if !fn(k) {
			return
		}
	}
}

// has reports whether the attribute is part of the key.
func (s KeySchema) has(name string) bool {
	for k := range s.all {
		if k.Name == name {
			return true
		}
	}
	return false
}

// Len is the number of key attributes.
func (s KeySchema) Len() int { return len(s.Hash) + len(s.Range) }

// Table is one table with its indexes and its data.
//
// The fields up to mu never change. The schema of a table is fixed at its
// creation; its settings, indexes and ring are guarded by mu, its rows by the
// locks of the partitions.
type Table struct {
	region *Region
	name   string
	number uint64 // unique in an engine; orders locks
	key    KeySchema

	mu       lockrank.RWMutex
	ring     *hashring.Ring     // guarded by mu
	parts    []*store.Partition // guarded by mu; one for each range of ring
	locals   []*index           // guarded by mu
	globals  []*index           // guarded by mu, in order of creation
	checks   []indexKeyCheck    // guarded by mu; derived from the indexes
	settings settings           // guarded by mu; see control.go
	log      *changeLog         // guarded by mu; nil while no stream is on
	expires  string             // guarded by mu; the time to live attribute, "" for none

	// nextDue is the second of the epoch after which the first item expires,
	// or an earlier one; never when nothing does.
	nextDue atomic.Int64
}

// newTable returns a table without indexes and settings. parts is the number
// of partitions.
func newTable(r *Region, name string, key KeySchema, parts, locals int) *Table {
	t := &Table{region: r, name: name, number: r.engine.lastNumber.Add(1), key: key}
	t.mu.SetRank(store.ClassTable, t.number)
	t.nextDue.Store(never)
	t.ring, t.parts = newPartitions(store.ClassBase, t.number, parts, locals)
	return t
}

func newPartitions(class int, number uint64, n, locals int) (*hashring.Ring, []*store.Partition) {
	ring := hashring.NewRing(n)
	parts := make([]*store.Partition, ring.Len())
	for i := range parts {
		parts[i] = store.NewPartition(class, number, ring.Range(i), locals)
	}
	return ring, parts
}

// index finds a secondary index by name. The caller holds mu.
func (t *Table) index(name string) *index {
	for _, ix := range t.locals {
		if ix.name == name {
			return ix
		}
	}
	for _, ix := range t.globals {
		if ix.name == name {
			return ix
		}
	}
	return nil
}

// partition is the partition that owns a position. The caller holds mu.
func (t *Table) partition(pos hashring.Position) *store.Partition {
	return t.parts[t.ring.Locate(pos)]
}

// indexKeyCheck is one attribute that must have a certain type because an
// index is keyed by it.
type indexKeyCheck struct {
	index  string
	key    KeyAttribute
	global bool
	hash   bool // limited to 2,048 bytes, else to 1,024
}

// indexesChanged derives what depends on the set of indexes. The caller holds
// mu for writing, or owns the table alone.
func (t *Table) indexesChanged() {
	t.checks = t.checks[:0:0]
	// Of several indexes keyed by one attribute the first by name is the one
	// that errors name; global ones come first (behaviours/03 §3.4).
	for _, indexes := range [][]*index{t.globals, t.locals} {
		sorted := slices.Clone(indexes)
		slices.SortFunc(sorted, func(a, b *index) int { return strings.Compare(a.name, b.name) })
		for _, ix := range sorted {
			for _, k := range ix.key.Hash {
				if !t.key.has(k.Name) {
					t.checks = append(t.checks, indexKeyCheck{ix.name, k, ix.global(), true})
				}
			}
			for _, k := range ix.key.Range {
				if !t.key.has(k.Name) {
					t.checks = append(t.checks, indexKeyCheck{ix.name, k, ix.global(), false})
				}
			}
		}
	}
}

// itemCount and itemBytes add up the partitions. The caller holds mu, and the
// partition locks are taken one after the other.
func (t *Table) itemTotals() (count, bytes int64) {
	for _, p := range t.parts {
		p.RLock()
		count += int64(p.Items.Len())
		bytes += p.Items.Bytes()
		p.RUnlock()
	}
	return count, bytes
}

// servesItems reports whether operations on items find the table: it is
// neither being created nor deleted. The caller holds mu.
func (t *Table) servesItems(e *Engine) bool {
	if t.settings.until.IsZero() {
		return true
	}
	return t.settings.serves(e.clock.Now())
}
