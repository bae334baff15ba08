package engine

import (
	"context"
	"time"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine/internal/store"
	"github.com/dynalite-go/dynalite/expr"
)

// Put is PutItem as a command.
type Put struct {
	Table     string
	Item      *attr.Item
	Condition *expr.Predicate // nil: none
	ReturnOld bool            // return the replaced item
	// ReturnOnFailure asks for the stored item when the condition fails.
	ReturnOnFailure bool
	Capacity        api.CapacityMode
	Metrics         bool // return item collection metrics
}

// Delete is DeleteItem as a command.
type Delete struct {
	Table           string
	Key             *attr.Item
	Condition       *expr.Predicate
	ReturnOld       bool
	ReturnOnFailure bool
	Capacity        api.CapacityMode
	Metrics         bool
}

// Update is UpdateItem as a command.
type Update struct {
	Table           string
	Key             *attr.Item
	Update          *expr.Update // nil: none given
	Condition       *expr.Predicate
	Return          api.ReturnValues
	ReturnOnFailure bool
	Capacity        api.CapacityMode
	Metrics         bool
}

// change is one item's way from old to new; old or new may be nil.
type change struct {
	key      primaryKey
	part     *store.Partition
	old, new *store.Row
	expired  bool // removed by time to live
}

// Put stores an item, replacing the one with the same key.
func (r *Region) Put(ctx context.Context, cmd *Put) (*api.PutItemOutput, error) {
	t, err := r.table(cmd.Table)
	if err != nil {
		return nil, err
	}
	defer t.mu.RUnlock()
	key, fault := t.keyOfItem(cmd.Item)
	if fault == nil {
		fault = t.checkIndexKeys(cmd.Item)
	}
	if fault != nil {
		return nil, fault.err
	}
	if err := t.checkCondition(cmd.Condition); err != nil {
		return nil, err
	}
	var c change
	if cmd.Condition == nil {
		c, err = t.put(key, cmd.Item)
	} else {
		c, err = t.write(key, cmd.Condition, cmd.ReturnOnFailure, func(*attr.Item) (*attr.Item, *api.Error) {
			return cmd.Item, nil
		})
	}
	if err != nil {
		return nil, err
	}
	out := &api.PutItemOutput{
		ConsumedCapacity:      t.writeCapacity(cmd.Capacity, &c),
		ItemCollectionMetrics: t.collectionMetrics(cmd.Metrics, &c),
	}
	if cmd.ReturnOld {
		out.Attributes.Item = itemOf(c.old)
	}
	return out, nil
}

// Delete removes an item. That there is none is no error.
func (r *Region) Delete(ctx context.Context, cmd *Delete) (*api.DeleteItemOutput, error) {
	t, err := r.table(cmd.Table)
	if err != nil {
		return nil, err
	}
	defer t.mu.RUnlock()
	key, fault := t.keyOfKey(cmd.Key)
	if fault != nil {
		return nil, fault.err
	}
	if err := t.checkCondition(cmd.Condition); err != nil {
		return nil, err
	}
	c, err := t.write(key, cmd.Condition, cmd.ReturnOnFailure, func(*attr.Item) (*attr.Item, *api.Error) {
		return nil, nil
	})
	if err != nil {
		return nil, err
	}
	out := &api.DeleteItemOutput{
		ConsumedCapacity:      t.writeCapacity(cmd.Capacity, &c),
		ItemCollectionMetrics: t.collectionMetrics(cmd.Metrics, &c),
	}
	if cmd.ReturnOld {
		out.Attributes.Item = itemOf(c.old)
	}
	return out, nil
}

// Update changes an item, and creates it when there is none.
func (r *Region) Update(ctx context.Context, cmd *Update) (*api.UpdateItemOutput, error) {
	t, err := r.table(cmd.Table)
	if err != nil {
		return nil, err
	}
	defer t.mu.RUnlock()
	key, fault := t.keyOfKey(cmd.Key)
	if fault != nil {
		return nil, fault.err
	}
	if err := t.checkUpdate(cmd.Update); err != nil {
		return nil, err
	}
	if err := t.checkCondition(cmd.Condition); err != nil {
		return nil, err
	}
	c, err := t.write(key, cmd.Condition, cmd.ReturnOnFailure, func(old *attr.Item) (*attr.Item, *api.Error) {
		return t.updated(old, cmd.Key, cmd.Update)
	})
	if err != nil {
		return nil, err
	}
	return &api.UpdateItemOutput{
		Attributes:            updateView(cmd, &c),
		ConsumedCapacity:      t.writeCapacity(cmd.Capacity, &c),
		ItemCollectionMetrics: t.collectionMetrics(cmd.Metrics, &c),
	}, nil
}

// updated applies an update to an item, which may be nil, and checks the
// result (behaviours/07 §7.1, steps 6 and 7). It returns nil when the update
// creates nothing.
func (t *Table) updated(old, key *attr.Item, u *expr.Update) (*attr.Item, *api.Error) {
	if u == nil {
		if old == nil {
			return key, nil
		}
		return old, nil
	}
	item, err := u.Apply(old, key)
	if err != nil {
		return nil, api.Validation(err.Error())
	}
	if item == nil {
		return nil, nil
	}
	if err := t.checkUpdatedKeys(old, item); err != nil {
		return nil, err
	}
	if t.tooLarge(item) {
		return nil, api.Validation("Item size to update has exceeded the maximum allowed size")
	}
	return item, nil
}

// updateView picks what UpdateItem returns (behaviours/07 §7.2).
func updateView(cmd *Update, c *change) api.View {
	item := itemOf(c.new)
	switch cmd.Return {
	case api.ReturnAllNew:
		return api.View{Item: item}
	case api.ReturnAllOld:
		return api.View{Item: itemOf(c.old)}
	case api.ReturnUpdatedOld:
		item = itemOf(c.old)
	case api.ReturnUpdatedNew:
	default:
		return api.View{}
	}
	if item == nil || cmd.Update == nil {
		return api.View{}
	}
	return api.View{Item: item, Projection: cmd.Update.Touched()}
}

// put stores an item whatever was there. Where nothing can refuse the write and
// collections are single items it takes one search in place of two.
func (t *Table) put(key primaryKey, item *attr.Item) (change, *api.Error) {
	if len(t.locals) > 0 || len(t.key.Range) > 0 {
		return t.write(key, nil, false, func(*attr.Item) (*attr.Item, *api.Error) { return item, nil })
	}
	c := change{key: key, part: t.partition(key.pos)}
	c.new = t.row(key.pk, "", item)
	c.part.Lock()
	defer c.part.Unlock()
	c.old = c.part.Items.Put(key.pos, c.new)
	t.derive(&c, t.commitTime(&c))
	return c, nil
}

// write runs one conditional write under the lock of the item's partition.
// next makes the new item from the stored one; nil in and out stands for no
// item. Nothing changes when it fails.
func (t *Table) write(key primaryKey, cond *expr.Predicate, returnItem bool, next func(*attr.Item) (*attr.Item, *api.Error)) (change, *api.Error) {
	c := change{key: key, part: t.partition(key.pos)}
	c.part.Lock()
	defer c.part.Unlock()
	c.old = findRow(c.part, key)
	if cond != nil && !cond.Eval(itemOf(c.old)) {
		return c, conditionFailed(itemOf(c.old), returnItem)
	}
	item, err := next(itemOf(c.old))
	if err != nil {
		return c, err
	}
	t.plan(&c, item)
	if err := t.checkCollection(&c); err != nil {
		return c, err
	}
	t.commit(&c)
	return c, nil
}

func conditionFailed(item *attr.Item, returnItem bool) *api.Error {
	if !returnItem {
		item = nil
	}
	return api.ConditionFailed(item)
}

// plan sets the row that an item will stand in.
func (t *Table) plan(c *change, item *attr.Item) {
	switch {
	case item == nil:
	case c.old != nil && c.old.Item == item:
		c.new = c.old
	default:
		// The strings of a key may be parts of its source's text. A row must
		// keep only its own item alive.
		key := c.key
		if key.source != item {
			for i := range t.key.Len() {
				k, _ := t.keyAttribute(i)
				v, _ := item.Lookup(k.Name)
				key.set(i, v)
			}
		}
		if len(t.key.Range) > 0 {
			key.pk = t.sharedKey(c)
		}
		c.new = t.row(key.pk, key.sk, item)
	}
}

// sharedKey is the partition key as the item collection of a change holds it.
func (t *Table) sharedKey(c *change) string {
	if c.old != nil {
		return c.old.PK
	}
	return c.part.Items.CollectionKey(c.key.pos, c.key.pk)
}

// checkCollection refuses a change that lets an item collection grow over its
// limit (behaviours/07 §7.4). The caller holds the partition's lock.
func (t *Table) checkCollection(c *change) *api.Error {
	if len(t.locals) == 0 || c.new == nil {
		return nil
	}
	delta := int64(c.new.Size)
	if c.old != nil {
		delta -= int64(c.old.Size)
	}
	if delta <= 0 {
		return nil
	}
	if c.part.CollectionBytes(c.key.pos, c.key.pk)+delta > t.region.engine.opts.CollectionBytes {
		return errCollectionSize
	}
	return nil
}

// The text is the documentation's; the limit is out of reach in recordings.
var errCollectionSize = &api.Error{Code: "ItemCollectionSizeLimitExceededException", Message: "Collection size exceeded."}

// commit makes a planned change: rows and index entries. It cannot fail. The
// caller holds the partition's write lock.
func (t *Table) commit(c *change) {
	if c.old != c.new {
		t.commitAt(c, t.commitTime(c))
	}
}

// commitTime is the time of a change, where it matters.
func (t *Table) commitTime(c *change) time.Time {
	if t.log == nil && c.part.Expiring == nil {
		return time.Time{}
	}
	return t.region.engine.clock.Now()
}

// commitAt is commit at a given time, which matters to tables with a stream or
// with time to live only.
func (t *Table) commitAt(c *change, now time.Time) {
	if c.new != nil {
		c.part.Items.Put(c.key.pos, c.new)
	} else {
		c.part.Items.Delete(c.key.pos, c.old)
	}
	t.derive(c, now)
}

// derive brings all that follows from a changed row up to date: index entries,
// sizes, expiry, stream.
func (t *Table) derive(c *change, now time.Time) {
	delta := int64(0)
	if c.old != nil {
		delta -= int64(c.old.Size)
	}
	if c.new != nil {
		delta += int64(c.new.Size)
	}
	for _, ix := range t.locals {
		delta += ix.change(c.part, c.key.pos, c.old, c.new)
	}
	if len(t.locals) > 0 {
		c.part.Grow(c.key.pos, c.key.pk, delta)
	}
	for _, ix := range t.globals {
		ix.change(c.part, c.key.pos, c.old, c.new)
	}
	if c.part.Expiring != nil {
		t.moveExpiry(c, now)
	}
	if t.log != nil && differ(c.old, c.new) {
		t.log.append(c.key.pos, itemOf(c.old), itemOf(c.new), c.expired, now)
	}
}

// maxSummed is the size of items, in bytes, up to which a checksum costs less
// than to fetch an item from memory.
const maxSummed = 2_048

// row is the row that an item stands in.
func (t *Table) row(pk, sk string, item *attr.Item) *store.Row {
	row := &store.Row{PK: pk, SK: sk, Item: item, Size: int32(item.Size())}
	if t.log != nil && row.Size <= maxSummed {
		row.Sum = item.Sum()
	}
	return row
}

// differ reports whether a change leaves a record in a stream. Sizes and
// checksums mostly tell, so that the old item need not be read: to fetch it
// from memory would cost more than the record itself.
func differ(old, new *store.Row) bool {
	if old == nil || new == nil || old.Size != new.Size {
		return true
	}
	if old.Sum != 0 && new.Sum != 0 && old.Sum != new.Sum {
		return true
	}
	return !attr.EqualItems(old.Item, new.Item)
}

// collectionMetrics describes the item collection of a change (behaviours/07
// §7.4): only on request, and only on a table with local indexes.
func (t *Table) collectionMetrics(wanted bool, c *change) *api.ItemCollectionMetrics {
	if !wanted || len(t.locals) == 0 {
		return nil
	}
	c.part.RLock()
	bytes := c.part.CollectionBytes(c.key.pos, c.key.pk)
	c.part.RUnlock()
	const gigabyte = 1 << 30
	hash := t.key.Hash[0]
	value, _ := c.key.source.Lookup(hash.Name)
	low := float64(bytes / gigabyte)
	return &api.ItemCollectionMetrics{
		ItemCollectionKey:   attr.NewItem(attr.Field{Name: hash.Name, Value: value}),
		SizeEstimateRangeGB: [2]float64{low, low + 1},
	}
}
