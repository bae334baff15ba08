// Package store holds the rows of tables and indexes.
//
// A Partition owns one range of the hash space. Its rows stand in B-trees
// ordered by hash position, then partition key, then sort key, so that an item
// collection is a contiguous run of rows in sort-key order and a walk over a
// tree is a scan in hash order. Rows are immutable: whoever changes an item
// puts a new row in its place, and whoever holds a row may read it without a
// lock.
//
// Locks: a Partition's trees are guarded by its own lock, which the caller
// takes (Lock, RLock) around the calls it wants to be one step. When several
// partitions are locked together they are locked in ascending order of table,
// then of hash range; see package engine for the whole order.
package store

import (
	"strings"
	"sync"

	"github.com/google/btree"

	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/hashring"
)

// Row is one item of a table, or one entry of an index.
type Row struct {
	// PK and SK are the keys in their order-preserving form. SK is empty on
	// a table without a sort key. In an index SK ends with the table's key,
	// so that equal index keys stay apart. Where a collection can have
	// several rows they share their PK (Tree.CollectionKey).
	PK, SK string
	// Item is the whole item, also in an index: what an index does not
	// project is left out when it is read.
	Item *attr.Item
	// Size is what a read of the row counts, in bytes: the item, or its
	// projected part in an index.
	Size int32
	// Sum is the checksum of Item where it is kept, else 0.
	Sum uint32
}

// cell is what the tree stores: the hash position beside the row, so that
// most comparisons need not follow the pointer.
type cell struct {
	pos hashring.Position
	row *Row
}

func less(a, b cell) bool {
	if a.pos != b.pos {
		return a.pos < b.pos
	}
	if c := strings.Compare(a.row.PK, b.row.PK); c != 0 {
		return c < 0
	}
	return a.row.SK < b.row.SK
}

// degree is the B-tree's. Larger nodes walk faster and cost more to copy
// after a Clone; 32 copies about 1 KB a level (BenchmarkTree).
const degree = 32

// Tree is an ordered set of rows. It is not safe for concurrent use: the lock
// of its partition guards it.
type Tree struct {
	cells *btree.BTreeG[cell]
	bytes int64
}

// NewTree returns an empty tree.
func NewTree() *Tree {
	return &Tree{cells: btree.NewG(degree, less)}
}

// probes lends the rows that searches compare with. The tree's comparison
// function makes its arguments escape, so a local variable would be allocated
// on each search.
var probes = sync.Pool{New: func() any { return new(Row) }}

// Len is the number of rows.
func (t *Tree) Len() int { return t.cells.Len() }

// Bytes is the sum of the rows' sizes.
func (t *Tree) Bytes() int64 { return t.bytes }

// Get is the row with this key, or nil.
func (t *Tree) Get(pos hashring.Position, pk, sk string) *Row {
	probe := probes.Get().(*Row)
	probe.PK, probe.SK = pk, sk
	found, _ := t.cells.Get(cell{pos, probe})
	*probe = Row{}
	probes.Put(probe)
	return found.row
}

// CollectionKey is the partition key as the rows of its item collection hold
// it. All of them share one string: comparing strings that are the same memory
// does not read it, and it outlives each single item of the collection.
func (t *Tree) CollectionKey(pos hashring.Position, pk string) string {
	var shared string
	t.Collection(pos, pk, Span{}, false, func(r *Row) bool {
		shared = r.PK
		return false
	})
	if shared == "" {
		return strings.Clone(pk)
	}
	return shared
}

// Put stores row in place of the one with the same key and returns that one,
// or nil.
func (t *Tree) Put(pos hashring.Position, row *Row) *Row {
	old, _ := t.cells.ReplaceOrInsert(cell{pos, row})
	t.bytes += int64(row.Size)
	if old.row != nil {
		t.bytes -= int64(old.row.Size)
	}
	return old.row
}

// Delete removes and returns the row with the key of row, or returns nil.
func (t *Tree) Delete(pos hashring.Position, row *Row) *Row {
	old, _ := t.cells.Delete(cell{pos, row})
	if old.row != nil {
		t.bytes -= int64(old.row.Size)
	}
	return old.row
}

// Clone returns a copy that shares all nodes until either side writes. It
// changes the tree it is called on, so it needs the write lock.
func (t *Tree) Clone() *Tree {
	return &Tree{cells: t.cells.Clone(), bytes: t.bytes}
}

// Span is a run of sort keys inside one item collection: from Low on, up to
// but not including High. An empty High means no upper end.
type Span struct {
	Low, High string
}

// Collection calls fn for the rows of one item collection inside span,
// ascending or descending by sort key, until fn returns false.
func (t *Tree) Collection(pos hashring.Position, pk string, span Span, descending bool, fn func(*Row) bool) {
	if descending {
		t.descend(pos, pk, span, fn)
		return
	}
	t.cells.AscendGreaterOrEqual(cell{pos, &Row{PK: pk, SK: span.Low}}, func(c cell) bool {
		if c.pos != pos || c.row.PK != pk {
			return false
		}
		pk = c.row.PK // the shared string; see CollectionKey
		return (span.High == "" || c.row.SK < span.High) && fn(c.row)
	})
}

func (t *Tree) descend(pos hashring.Position, pk string, span Span, fn func(*Row) bool) {
	pivot := &Row{PK: pk, SK: span.High}
	if span.High == "" {
		pivot.PK = pk + "\x00" // the first key that can follow pk
	}
	t.cells.DescendLessOrEqual(cell{pos, pivot}, func(c cell) bool {
		if c.row.PK == pivot.PK && c.row.SK == pivot.SK {
			return true // the span ends before its High
		}
		if c.pos != pos || c.row.PK != pk {
			return false
		}
		pk = c.row.PK // the shared string; see CollectionKey
		return c.row.SK >= span.Low && fn(c.row)
	})
}

// Cursor is a place between rows: Scan goes on with the first row at or
// after it.
type Cursor struct {
	Pos    hashring.Position
	PK, SK string
}

// After is the place right behind a row.
func After(pos hashring.Position, pk, sk string) Cursor {
	return Cursor{pos, pk, sk + "\x00"}
}

// Scan calls fn for the rows from the cursor to the position last, in order,
// until fn returns false.
func (t *Tree) Scan(from Cursor, last hashring.Position, fn func(pos hashring.Position, row *Row) bool) {
	t.cells.AscendGreaterOrEqual(cell{from.Pos, &Row{PK: from.PK, SK: from.SK}}, func(c cell) bool {
		return c.pos <= last && fn(c.pos, c.row)
	})
}
