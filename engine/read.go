package engine

import (
	"context"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
)

// Get is GetItem as a command.
type Get struct {
	Table      string
	Key        *attr.Item
	Projection *expr.Projection // nil: the whole item
	Consistent bool
	Capacity   api.CapacityMode
}

// Get reads one item by its primary key.
func (r *Region) Get(ctx context.Context, cmd *Get) (*api.GetItemOutput, error) {
	t, err := r.table(cmd.Table)
	if err != nil {
		return nil, err
	}
	defer t.mu.RUnlock()
	key, fault := t.keyOfKey(cmd.Key)
	if fault != nil {
		return nil, fault.err
	}
	if err := t.checkProjection(cmd.Projection); err != nil {
		return nil, err
	}
	item := t.read(key)
	out := &api.GetItemOutput{Found: item != nil}
	if item != nil {
		out.Item = view(item, cmd.Projection)
	}
	if cmd.Capacity != api.CapacityNone {
		out.ConsumedCapacity = t.tableCapacity(cmd.Capacity, consistency(cmd.Consistent)*readUnits(item.Size()))
	}
	return out, nil
}

// read is the stored item of a key, or nil.
func (t *Table) read(key primaryKey) *attr.Item {
	p := t.partition(key.pos)
	p.RLock()
	row := findRow(p, key)
	p.RUnlock()
	return itemOf(row)
}

func view(item *attr.Item, projection *expr.Projection) api.View {
	if projection == nil {
		return api.View{Item: item}
	}
	return api.View{Item: item, Projection: projection.Projection}
}
