package engine

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine/internal/store"
	"github.com/dynalite-go/dynalite/hashring"
)

// index is a secondary index. All its fields but those of the global part are
// fixed at its creation; the lock of its table guards the rest.
type index struct {
	name string
	key  KeySchema
	// projection shows what the index holds of an item; nil means all of it.
	projection *attr.Projection
	// projected names the attributes of projection, key attributes of table
	// and index included. Nil means all.
	projected map[string]bool

	// local is the number of a local index among the table's, which is also
	// the number of its tree in each partition; -1 for a global one.
	local int

	// Of a global index only.
	ring     *hashring.Ring
	parts    []*store.Partition
	settings indexSettings
}

// newIndex returns an index on a table with the given key. nonKey holds the
// attributes of an INCLUDE projection; all means that everything is projected.
// local is the number of a local index, or -1.
func newIndex(name string, key, table KeySchema, all bool, nonKey []string, local int) *index {
	ix := &index{name: name, key: key, local: local}
	if all {
		return ix
	}
	ix.projected = map[string]bool{}
	var names []string
	add := func(name string) bool {
		if !ix.projected[name] {
			ix.projected[name] = true
			names = append(names, name)
		}
		return true
	}
	table.all(func(k KeyAttribute) bool { return add(k.Name) })
	key.all(func(k KeyAttribute) bool { return add(k.Name) })
	for _, n := range nonKey {
		add(n)
	}
	ix.projection = attr.TopLevel(names...)
	return ix
}

func (ix *index) global() bool { return ix.local < 0 }

// projects reports whether the index holds the attribute.
func (ix *index) projects(name string) bool {
	return ix.projected == nil || ix.projected[name]
}

// fits reports whether an item has a place in the index: it has every key
// attribute, of the right type, neither empty nor too long. New writes that
// don't fit are refused; items that are older than the index may not.
func (ix *index) fits(item *attr.Item) bool {
	fit := func(k KeyAttribute, max int) bool {
		v, ok := item.Lookup(k.Name)
		if !ok || v.Type() != k.Type {
			return false
		}
		n := attr.KeyBytes(v)
		return 0 < n && n <= max
	}
	for _, k := range ix.key.Hash {
		if !fit(k, api.MaxHashKeyBytes) {
			return false
		}
	}
	for _, k := range ix.key.Range {
		if !fit(k, api.MaxRangeKeyBytes) {
			return false
		}
	}
	return true
}

// size is the size of an item's entry, in bytes.
func (ix *index) size(item *attr.Item) int {
	if ix.projection == nil {
		return item.Size()
	}
	return ix.projection.Size(item)
}

// entry is the row that stands in the index for an item, with its position. It
// is nil when the item does not fit. base is the item's row in the table.
func (ix *index) entry(base *store.Row, basePos hashring.Position) (*store.Row, hashring.Position) {
	if !ix.fits(base.Item) {
		return nil, 0
	}
	row := &store.Row{Item: base.Item, Size: int32(ix.size(base.Item))}
	sk := make([]byte, 0, 64)
	for _, k := range ix.key.Range {
		v, _ := base.Item.Lookup(k.Name)
		sk = attr.AppendTuple(sk, attr.Key(v))
	}
	pos := basePos
	if ix.global() {
		row.PK = ix.partitionKey(base.Item)
		pos = hashring.Hash(row.PK)
		sk = attr.AppendTuple(sk, base.PK)
	} else {
		row.PK = base.PK
	}
	row.SK = string(append(sk, base.SK...))
	return row, pos
}

// partitionKey is the encoded partition key of an item that has all key
// attributes of a global index.
func (ix *index) partitionKey(item *attr.Item) string {
	if len(ix.key.Hash) == 1 {
		v, _ := item.Lookup(ix.key.Hash[0].Name)
		return attr.Key(v)
	}
	var pk []byte
	for _, k := range ix.key.Hash {
		v, _ := item.Lookup(k.Name)
		pk = attr.AppendTuple(pk, attr.Key(v))
	}
	return string(pk)
}

// partition is the partition of a global index that owns a position.
func (ix *index) partition(pos hashring.Position) *store.Partition {
	return ix.parts[ix.ring.Locate(pos)]
}

// totals counts the entries and their bytes. The caller holds the lock of the
// table, whose partitions are given; the partition locks are taken here.
func (ix *index) totals(base []*store.Partition) (count, bytes int64) {
	parts := ix.parts
	if !ix.global() {
		parts = base
	}
	for _, p := range parts {
		p.RLock()
		tree := p.Items
		if !ix.global() {
			tree = p.Locals[ix.local]
		}
		count += int64(tree.Len())
		bytes += tree.Bytes()
		p.RUnlock()
	}
	return count, bytes
}

// change replaces the entry of an old row by that of a new one; either may be
// nil. The base partition's write lock is held. delta is by how many bytes a
// local index grew; a global index counts for itself.
func (ix *index) change(base *store.Partition, pos hashring.Position, old, new *store.Row) (delta int64) {
	var oldEntry, newEntry *store.Row
	var oldPos, newPos hashring.Position
	if old != nil {
		oldEntry, oldPos = ix.entry(old, pos)
	}
	if new != nil {
		newEntry, newPos = ix.entry(new, pos)
	}
	if oldEntry != nil && newEntry != nil && oldPos == newPos && oldEntry.PK == newEntry.PK && oldEntry.SK == newEntry.SK {
		ix.put(base, newPos, newEntry)
		return int64(newEntry.Size - oldEntry.Size)
	}
	if oldEntry != nil {
		ix.remove(base, oldPos, oldEntry)
		delta -= int64(oldEntry.Size)
	}
	if newEntry != nil {
		ix.put(base, newPos, newEntry)
		delta += int64(newEntry.Size)
	}
	return delta
}

func (ix *index) put(base *store.Partition, pos hashring.Position, row *store.Row) {
	if !ix.global() {
		base.Locals[ix.local].Put(pos, row)
		return
	}
	p := ix.partition(pos)
	p.Lock()
	row.PK = p.Items.CollectionKey(pos, row.PK)
	p.Items.Put(pos, row)
	p.Unlock()
}

func (ix *index) remove(base *store.Partition, pos hashring.Position, row *store.Row) {
	if !ix.global() {
		base.Locals[ix.local].Delete(pos, row)
		return
	}
	p := ix.partition(pos)
	p.Lock()
	p.Items.Delete(pos, row)
	p.Unlock()
}
