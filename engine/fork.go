package engine

import (
	"maps"
	"slices"

	"github.com/dynalite-go/dynalite/engine/internal/store"
)

// Fork returns an independent database with the same regions, tables and
// items. The two share their data until either side writes, so a fork costs a
// few allocations for each table and partition, whatever they hold. Within one
// region it is a snapshot between two operations.
func (e *Engine) Fork() *Engine {
	f := New(e.opts)
	f.lastNumber.Store(e.lastNumber.Load())
	e.mu.RLock()
	regions := slices.Collect(maps.Values(e.regions))
	e.mu.RUnlock()
	for _, r := range regions {
		f.regions[regionName{r.account, r.name}] = r.fork(f)
	}
	return f
}

// fork copies a region into another engine. It waits until no operation is
// under way, so that it sees none of them half done.
func (r *Region) fork(e *Engine) *Region {
	f := newRegion(e, regionName{r.account, r.name})
	r.mu.Lock()
	defer r.mu.Unlock()
	tables := slices.SortedFunc(maps.Values(r.tables), func(a, b *Table) int { return compare(a.number, b.number) })
	for _, t := range tables {
		t.mu.Lock()
		defer t.mu.Unlock()
	}
	now := r.engine.clock.Now()
	for _, t := range tables {
		if !t.settings.gone(now) {
			f.tables[t.name] = t.fork(f)
		}
	}
	r.tokens.clone(&f.tokens)
	for _, log := range r.streams.all(now) {
		copied := log.fork(f)
		f.streams.add(copied)
		if t := r.tables[log.table]; t != nil && t.log == log {
			f.tables[log.table].log = copied
		}
	}
	return f
}

// fork copies a table into another region. The caller holds mu for writing.
func (t *Table) fork(r *Region) *Table {
	f := &Table{region: r, name: t.name, number: t.number, key: t.key, ring: t.ring, settings: t.settings.clone()}
	f.mu.SetRank(store.ClassTable, f.number)
	f.parts = clonePartitions(t.parts, store.ClassBase, f.number)
	f.expires = t.expires
	f.nextDue.Store(t.nextDue.Load())
	for _, ix := range t.locals {
		f.locals = append(f.locals, ix.fork(f.number))
	}
	for _, ix := range t.globals {
		f.globals = append(f.globals, ix.fork(f.number))
	}
	f.indexesChanged()
	return f
}

func (ix *index) fork(table uint64) *index {
	f := *ix
	f.settings = ix.settings.clone()
	f.parts = clonePartitions(ix.parts, store.ClassGlobal, table)
	return &f
}

func clonePartitions(parts []*store.Partition, class int, table uint64) []*store.Partition {
	var out []*store.Partition
	for _, p := range parts {
		out = append(out, p.Clone(class, table))
	}
	return out
}
