package engine

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine/internal/store"
)

// readUnits is what a strongly consistent read of so many bytes costs, in
// read units of 4 KB (limits.md §8). A missing item costs one.
func readUnits(bytes int) float64 { return float64(max(1, (bytes+4095)/4096)) }

// writeUnits is what a write of so many bytes costs, in write units of 1 KB.
func writeUnits(bytes int) float64 { return float64(max(1, (bytes+1023)/1024)) }

// consistency is the factor of a read: an eventually consistent one costs
// half.
func consistency(strong bool) float64 {
	if strong {
		return 1
	}
	return 0.5
}

// usage collects what an operation consumed on one table, in capacity units:
// on the table itself and on each index that was charged.
type usage struct {
	table  float64
	locals []api.IndexCapacity
	global []api.IndexCapacity
}

func (u *usage) addIndex(ix *index, units float64) {
	list := &u.locals
	if ix.global() {
		list = &u.global
	}
	for i := range *list {
		if (*list)[i].Index == ix.name {
			(*list)[i].CapacityUnits += units
			return
		}
	}
	*list = append(*list, api.IndexCapacity{Index: ix.name, Capacity: api.Capacity{CapacityUnits: units}})
}

func (u *usage) total() float64 {
	sum := u.table
	for _, c := range u.locals {
		sum += c.CapacityUnits
	}
	for _, c := range u.global {
		sum += c.CapacityUnits
	}
	return sum
}

// report is the ConsumedCapacity member in the form that was asked for
// (behaviours/07 §7.5).
func (u *usage) report(table string, mode api.CapacityMode) *api.ConsumedCapacity {
	switch mode {
	case api.CapacityTotal:
		return &api.ConsumedCapacity{TableName: table, CapacityUnits: u.total()}
	case api.CapacityIndexes:
		return &api.ConsumedCapacity{
			TableName:              table,
			CapacityUnits:          u.total(),
			Table:                  &api.Capacity{CapacityUnits: u.table},
			LocalSecondaryIndexes:  u.locals,
			GlobalSecondaryIndexes: u.global,
		}
	}
	return nil
}

// tableCapacity reports an operation that touched the table alone.
func (t *Table) tableCapacity(mode api.CapacityMode, units float64) *api.ConsumedCapacity {
	u := usage{table: units}
	return u.report(t.name, mode)
}

// writeCapacity reports one write. The caller holds the table's lock.
func (t *Table) writeCapacity(mode api.CapacityMode, c *change) *api.ConsumedCapacity {
	if mode == api.CapacityNone {
		return nil
	}
	var u usage
	t.chargeWrite(&u, c, 1)
	return u.report(t.name, mode)
}

// chargeWrite adds the cost of one write (behaviours/07 §7.7): the larger
// image on the table, factor times, and the change of the entry on each index.
func (t *Table) chargeWrite(u *usage, c *change, factor float64) {
	u.table += factor * writeUnits(max(itemOf(c.old).Size(), itemOf(c.new).Size()))
	for _, ix := range t.locals {
		t.chargeIndex(u, ix, c)
	}
	for _, ix := range t.globals {
		t.chargeIndex(u, ix, c)
	}
}

func (t *Table) chargeIndex(u *usage, ix *index, c *change) {
	if c.old == c.new {
		return
	}
	var old, new *store.Row
	if c.old != nil {
		old, _ = ix.entry(c.old, c.key.pos)
	}
	if c.new != nil {
		new, _ = ix.entry(c.new, c.key.pos)
	}
	switch {
	case old == nil && new == nil:
	case old == nil:
		u.addIndex(ix, writeUnits(int(new.Size)))
	case new == nil:
		u.addIndex(ix, writeUnits(int(old.Size)))
	case old.PK != new.PK || old.SK != new.SK:
		u.addIndex(ix, writeUnits(int(old.Size))+writeUnits(int(new.Size)))
	case !sameEntry(ix, old.Item, new.Item):
		u.addIndex(ix, writeUnits(int(max(old.Size, new.Size))))
	}
}

// sameEntry reports whether two items look the same in an index. Set members
// in another order make no difference.
func sameEntry(ix *index, a, b *attr.Item) bool {
	if ix.projection == nil {
		return attr.EqualItems(a, b)
	}
	return attr.EqualItems(ix.projection.Apply(a), ix.projection.Apply(b))
}

// transactional is report for a transaction, which tells read and write units
// apart (behaviours/07 §7.5).
func (u *usage) transactional(table string, mode api.CapacityMode, write bool) *api.ConsumedCapacity {
	c := u.report(table, mode)
	if c == nil {
		return nil
	}
	split := func(total float64) (read, wrote api.Float) {
		if write {
			return api.Float{}, api.SomeFloat(total)
		}
		return api.SomeFloat(total), api.Float{}
	}
	c.ReadCapacityUnits, c.WriteCapacityUnits = split(c.CapacityUnits)
	if c.Table != nil {
		c.Table.ReadCapacityUnits, c.Table.WriteCapacityUnits = split(c.Table.CapacityUnits)
	}
	for _, list := range [][]api.IndexCapacity{c.LocalSecondaryIndexes, c.GlobalSecondaryIndexes} {
		for i := range list {
			list[i].ReadCapacityUnits, list[i].WriteCapacityUnits = split(list[i].CapacityUnits)
		}
	}
	return c
}
