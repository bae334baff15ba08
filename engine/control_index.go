package engine

import (
	"slices"
	"strings"
	"time"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/clock"
	"github.com/dynalite-go/dynalite/engine/internal/store"
	"github.com/dynalite-go/dynalite/hashring"
)

// IndexSpec describes a secondary index that is to be created.
type IndexSpec struct {
	Name       string
	Key        KeySchema
	Projection string   // ALL, KEYS_ONLY or INCLUDE
	NonKey     []string // of INCLUDE

	// Of a global index only.
	Throughput Units // zero on an on-demand table
	Ceilings   api.OnDemandThroughput
	Warm       api.WarmThroughput
}

// indexSettings is what an index is besides its name, its key and its entries.
// A local index has the first two fields only.
type indexSettings struct {
	projection string   // ProjectionType
	nonKey     []string // NonKeyAttributes, in order; never changed

	throughput throughput
	next       throughput // comes when the index is UPDATING no more
	raise      Units      // what warm is raised to at that time
	ceilings   Units
	warm       warmth

	status string    // "" when the index is ACTIVE
	until  time.Time // end of status, zero when it is ACTIVE
	// backfillFrom is when the backfill of an index added by UpdateTable
	// begins. It is zero for indexes that came with their table.
	backfillFrom time.Time
	backfilling  bool
}

// clone copies the settings. What they point to never changes.
func (x *indexSettings) clone() indexSettings { return *x }

func (x *indexSettings) settle(now time.Time) {
	x.warm.settle(now)
	if x.until.IsZero() {
		return
	}
	if now.Before(x.until) {
		x.backfilling = !x.backfillFrom.IsZero() && !now.Before(x.backfillFrom)
		return
	}
	if x.status == api.StatusUpdating {
		x.throughput = x.next
		x.warm.Units = x.warm.Units.raise(x.raise)
	}
	x.status, x.until, x.backfillFrom, x.backfilling = "", time.Time{}, time.Time{}, false
}

// readable reports whether Query and Scan may read the index: it is not being
// backfilled. The caller holds the table's lock.
func (ix *index) readable(c clock.Clock) bool {
	x := &ix.settings
	return x.status != api.StatusCreating || !c.Now().Before(x.until)
}

// droppedIndex is what is left of a global index while it is DELETING. To
// reads and writes it is gone.
type droppedIndex struct {
	position    int // among the table's global indexes
	description api.GlobalSecondaryIndexDescription
}

// addLocals and addGlobal make an index of a table from its specification.
// The caller owns the table alone or holds mu for writing, and calls
// indexesChanged afterwards.
func (t *Table) addLocals(specs []IndexSpec) {
	for i := range specs {
		t.locals = append(t.locals, t.makeIndex(&specs[i], len(t.locals)))
	}
}

func (t *Table) addGlobal(spec *IndexSpec, onDemand bool) *index {
	ix := t.makeIndex(spec, -1)
	parts := t.region.partitions(onDemand, spec.Throughput)
	ix.ring, ix.parts = newPartitions(store.ClassGlobal, t.number, parts, 0)
	x := &ix.settings
	x.throughput.Units = spec.Throughput
	x.ceilings = mergeCeilings(Units{}, spec.Ceilings)
	base := spec.Throughput
	if onDemand {
		base = warmDefault
	}
	warm := warmUnits(spec.Warm)
	x.warm.Units, x.warm.asked = base.raise(warm), !warm.isZero()
	t.globals = append(t.globals, ix)
	return ix
}

func (t *Table) makeIndex(spec *IndexSpec, local int) *index {
	// Names of requests are parts of the body, which must not be kept alive.
	nonKey := make([]string, len(spec.NonKey))
	for i, n := range spec.NonKey {
		nonKey[i] = strings.Clone(n)
	}
	slices.Sort(nonKey)
	ix := newIndex(strings.Clone(spec.Name), t.intern(spec.Key), t.key, spec.Projection == api.ProjectAll, nonKey, local)
	ix.settings.projection = strings.Clone(spec.Projection)
	ix.settings.nonKey = nonKey
	return ix
}

// intern returns a key schema whose names are those of the table's
// definitions. The caller has put them there.
func (t *Table) intern(key KeySchema) KeySchema { return internKey(t.settings.definitions, key) }

func internKey(definitions []KeyAttribute, key KeySchema) KeySchema {
	list := func(from []KeyAttribute) []KeyAttribute {
		if len(from) == 0 {
			return nil
		}
		to := make([]KeyAttribute, len(from))
		for i, k := range from {
			to[i] = k
			if d := definition(definitions, k.Name); d != nil {
				to[i] = *d
			}
		}
		return to
	}
	return KeySchema{Hash: list(key.Hash), Range: list(key.Range)}
}

func definition(definitions []KeyAttribute, name string) *KeyAttribute {
	for i := range definitions {
		if definitions[i].Name == name {
			return &definitions[i]
		}
	}
	return nil
}

// define adds the key attributes of a new index to the definitions.
func (t *Table) define(key KeySchema) {
	defs := slices.Clone(t.settings.definitions)
	for k := range key.all {
		if definition(defs, k.Name) == nil {
			defs = append(defs, KeyAttribute{strings.Clone(k.Name), k.Type})
		}
	}
	sortDefinitions(defs)
	t.settings.definitions = defs
}

// pruneDefinitions forgets the attributes that no key uses any more.
func (t *Table) pruneDefinitions() {
	t.settings.definitions = slices.DeleteFunc(slices.Clone(t.settings.definitions), func(d KeyAttribute) bool {
		if t.key.has(d.Name) {
			return false
		}
		for _, ix := range t.locals {
			if ix.key.has(d.Name) {
				return false
			}
		}
		for _, ix := range t.globals {
			if ix.key.has(d.Name) {
				return false
			}
		}
		return true
	})
}

func sortDefinitions(defs []KeyAttribute) {
	slices.SortFunc(defs, func(a, b KeyAttribute) int { return strings.Compare(a.Name, b.Name) })
}

// backfill enters the items of the table into a new index. Items that cannot
// be indexed are left out without a word (behaviours/02 §2.3). The caller
// holds mu for writing.
func (t *Table) backfill(ix *index) {
	for _, p := range t.parts {
		p.RLock()
		p.Items.Scan(store.Cursor{}, p.Range.Last, func(pos hashring.Position, row *store.Row) bool {
			if entry, at := ix.entry(row, pos); entry != nil {
				ix.put(p, at, entry)
			}
			return true
		})
		p.RUnlock()
	}
}
