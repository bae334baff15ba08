package store

import (
	"strings"

	"github.com/dynalite-go/dynalite/hashring"
	"github.com/dynalite-go/dynalite/internal/lockrank"
)

// Classes of the lock order (package engine). Tables and partitions of base
// tables come before those of global indexes, since a write holds the first
// while it changes the second.
const (
	ClassEngine = 1 + iota
	ClassCatalog
	ClassTable
	ClassBase
	ClassGlobal
	ClassLeaf
)

// Partition is one partition of a table or of a global secondary index.
type Partition struct {
	lockrank.RWMutex

	// Range is the part of the hash space it owns; immutable.
	Range hashring.Range

	// Items holds the rows by primary key; guarded by the lock.
	Items *Tree
	// Locals holds the entries of each local secondary index, in the order
	// of the table's indexes; guarded by the lock.
	Locals []*Tree
	// Expiring holds the rows that expire, by the second of the epoch in
	// place of a hash position; nil without time to live; guarded by the
	// lock.
	Expiring *Tree
	// sizes holds the bytes of each item collection of a table with local
	// indexes; guarded by the lock.
	sizes *Tree
}

// NewPartition returns an empty partition of the given lock class and of the
// table with number owner.
func NewPartition(class int, owner uint64, r hashring.Range, locals int) *Partition {
	p := &Partition{Range: r, Items: NewTree()}
	p.setRank(class, owner)
	if locals > 0 {
		p.sizes = NewTree()
		for range locals {
			p.Locals = append(p.Locals, NewTree())
		}
	}
	return p
}

func (p *Partition) setRank(class int, owner uint64) {
	// By table, then by the first position of the range.
	p.SetRank(class, owner<<32|uint64(p.Range.First)>>32)
}

// Clone returns a partition of the same class and table with the same rows,
// shared until either side writes. The caller holds the write lock, or keeps
// all others out in another way.
func (p *Partition) Clone(class int, owner uint64) *Partition {
	c := &Partition{Range: p.Range, Items: p.Items.Clone()}
	c.setRank(class, owner)
	for _, t := range p.Locals {
		c.Locals = append(c.Locals, t.Clone())
	}
	if p.sizes != nil {
		c.sizes = p.sizes.Clone()
	}
	if p.Expiring != nil {
		c.Expiring = p.Expiring.Clone()
	}
	return c
}

// CollectionBytes is the size of an item collection: its items and their
// entries in local secondary indexes, in bytes. It is kept only where there
// are such indexes. The caller holds the lock.
func (p *Partition) CollectionBytes(pos hashring.Position, pk string) int64 {
	if p.sizes == nil {
		return 0
	}
	if row := p.sizes.Get(pos, pk, ""); row != nil {
		return row.collectionBytes()
	}
	return 0
}

// Grow adds delta bytes, which may be negative, to the size of an item
// collection. A collection of size zero is forgotten. The caller holds the
// write lock.
func (p *Partition) Grow(pos hashring.Position, pk string, delta int64) {
	if p.sizes == nil || delta == 0 {
		return
	}
	size := p.CollectionBytes(pos, pk) + delta
	if size == 0 {
		p.sizes.Delete(pos, &Row{PK: pk})
		return
	}
	// The key of a row may be part of its item's text. A collection outlives
	// its items, so it takes a copy.
	p.sizes.Put(pos, collectionRow(strings.Clone(pk), size))
}

// collectionRow is the entry of an item collection in the tree of their sizes,
// which are larger than those of rows.
func collectionRow(pk string, size int64) *Row {
	return &Row{PK: pk, Size: int32(size >> 32), Sum: uint32(size)}
}

func (r *Row) collectionBytes() int64 { return int64(r.Size)<<32 | int64(r.Sum) }

// Split divides the partition's rows between two partitions of the given
// ranges, which together are its own range. The partition is not to be used
// afterwards. The caller keeps all others out.
func (p *Partition) Split(class int, owner uint64, low, high hashring.Range) (*Partition, *Partition) {
	parts := [2]*Partition{
		NewPartition(class, owner, low, len(p.Locals)),
		NewPartition(class, owner, high, len(p.Locals)),
	}
	side := func(pos hashring.Position) *Partition {
		if low.Contains(pos) {
			return parts[0]
		}
		return parts[1]
	}
	each := func(t *Tree, fn func(hashring.Position, *Row)) {
		if t == nil {
			return
		}
		t.Scan(Cursor{}, hashring.Whole().Last, func(pos hashring.Position, row *Row) bool {
			fn(pos, row)
			return true
		})
	}
	each(p.Items, func(pos hashring.Position, row *Row) { side(pos).Items.Put(pos, row) })
	each(p.sizes, func(pos hashring.Position, row *Row) { side(pos).sizes.Put(pos, row) })
	for i, local := range p.Locals {
		each(local, func(pos hashring.Position, row *Row) { side(pos).Locals[i].Put(pos, row) })
	}
	if p.Expiring != nil {
		parts[0].Expiring, parts[1].Expiring = NewTree(), NewTree()
		// These stand by time, not by hash.
		each(p.Expiring, func(at hashring.Position, row *Row) {
			side(hashring.Hash(row.PK)).Expiring.Put(at, row)
		})
	}
	return parts[0], parts[1]
}
