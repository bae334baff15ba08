package engine

import (
	"fmt"

	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine/internal/store"
	"github.com/dynalite-go/dynalite/hashring"
)

// CheckInvariants compares everything that the engine keeps twice, and returns
// an error for the first difference: rows stand in order in the partition that
// owns them under the key of their item, sizes add up, and every index holds
// just the entries that its table's items call for. It is for tests, and walks
// all data; nothing else may run meanwhile.
func (e *Engine) CheckInvariants() error {
	for _, r := range e.regions {
		for _, t := range r.tables {
			if err := t.checkInvariants(); err != nil {
				return fmt.Errorf("table %s: %w", t.name, err)
			}
		}
	}
	return nil
}

func (t *Table) checkInvariants() error {
	if len(t.parts) != t.ring.Len() {
		return fmt.Errorf("%d partitions for a ring of %d", len(t.parts), t.ring.Len())
	}
	want := map[*index]map[entryKey]*store.Row{}
	for _, ix := range t.locals {
		want[ix] = map[entryKey]*store.Row{}
	}
	for _, ix := range t.globals {
		want[ix] = map[entryKey]*store.Row{}
	}
	for i, p := range t.parts {
		if p.Range != t.ring.Range(i) {
			return fmt.Errorf("partition %d owns %v, the ring says %v", i, p.Range, t.ring.Range(i))
		}
		if err := t.checkPartition(p, want); err != nil {
			return fmt.Errorf("partition %d: %w", i, err)
		}
	}
	for ix, entries := range want {
		if err := ix.checkEntries(t.parts, entries); err != nil {
			return fmt.Errorf("index %s: %w", ix.name, err)
		}
	}
	return nil
}

type entryKey struct {
	pos    hashring.Position
	pk, sk string
}

// checkPartition checks the items of a partition and notes the index entries
// that they call for.
func (t *Table) checkPartition(p *store.Partition, want map[*index]map[entryKey]*store.Row) (err error) {
	sizes := map[entryKey]int64{}
	bytes := int64(0)
	p.Items.Scan(store.Cursor{}, hashring.Whole().Last, func(pos hashring.Position, row *store.Row) bool {
		if err = t.checkRow(p, pos, row); err != nil {
			return false
		}
		bytes += int64(row.Size)
		collection := entryKey{pos: pos, pk: row.PK}
		sizes[collection] += int64(row.Size)
		for ix, entries := range want {
			entry, at := ix.entry(row, pos)
			if entry == nil {
				continue
			}
			entries[entryKey{at, entry.PK, entry.SK}] = entry
			if !ix.global() {
				sizes[collection] += int64(entry.Size)
			}
		}
		return true
	})
	if err != nil {
		return err
	}
	if bytes != p.Items.Bytes() {
		return fmt.Errorf("items add up to %d bytes, %d are counted", bytes, p.Items.Bytes())
	}
	if len(t.locals) == 0 {
		return nil
	}
	for c, n := range sizes {
		if got := p.CollectionBytes(c.pos, c.pk); got != n {
			return fmt.Errorf("item collection %q adds up to %d bytes, %d are counted", c.pk, n, got)
		}
	}
	return nil
}

func (t *Table) checkRow(p *store.Partition, pos hashring.Position, row *store.Row) error {
	key, fault := t.keyOfItem(row.Item)
	switch {
	case fault != nil:
		return fmt.Errorf("item %s: %w", row.Item, fault.err)
	case key.pos != pos || key.pk != row.PK || key.sk != row.SK:
		return fmt.Errorf("item %s stands under the key %q, %q", row.Item, row.PK, row.SK)
	case !p.Range.Contains(pos):
		return fmt.Errorf("item %s at %#x is outside %v", row.Item, pos, p.Range)
	case int(row.Size) != row.Item.Size():
		return fmt.Errorf("item %s of %d bytes counts %d", row.Item, row.Item.Size(), row.Size)
	case row.Sum != 0 && row.Sum != row.Item.Sum():
		return fmt.Errorf("item %s has the checksum of another", row.Item)
	}
	parsed, err := attr.ParseItem(row.Item.Text())
	if err != nil {
		return fmt.Errorf("item %s: %w", row.Item, err)
	}
	if parsed.Text() != row.Item.Text() || parsed.Size() != row.Item.Size() {
		return fmt.Errorf("item %s is not canonical: %s", row.Item, parsed)
	}
	return nil
}

// checkEntries compares the entries of an index with the wanted ones.
func (ix *index) checkEntries(base []*store.Partition, want map[entryKey]*store.Row) (err error) {
	parts := ix.parts
	if !ix.global() {
		parts = base
	}
	for _, p := range parts {
		tree := p.Items
		if !ix.global() {
			tree = p.Locals[ix.local]
		}
		bytes := int64(0)
		tree.Scan(store.Cursor{}, hashring.Whole().Last, func(pos hashring.Position, row *store.Row) bool {
			key := entryKey{pos, row.PK, row.SK}
			w := want[key]
			switch {
			case w == nil:
				err = fmt.Errorf("entry %q, %q of %s contradicts the table", row.PK, row.SK, row.Item)
			case w.Item != row.Item:
				err = fmt.Errorf("entry %q, %q shows %s, the table holds %s", row.PK, row.SK, row.Item, w.Item)
			case w.Size != row.Size:
				err = fmt.Errorf("entry %q, %q counts %d bytes, want %d", row.PK, row.SK, row.Size, w.Size)
			case !p.Range.Contains(pos):
				err = fmt.Errorf("entry %q, %q at %#x is outside %v", row.PK, row.SK, pos, p.Range)
			}
			delete(want, key)
			bytes += int64(row.Size)
			return err == nil
		})
		if err != nil {
			return err
		}
		if bytes != tree.Bytes() {
			return fmt.Errorf("entries add up to %d bytes, %d are counted", bytes, tree.Bytes())
		}
	}
	for key := range want {
		return fmt.Errorf("no entry %q, %q", key.pk, key.sk)
	}
	return nil
}
