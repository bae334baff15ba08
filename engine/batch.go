package engine

import (
	"context"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
)

// BatchGet is BatchGetItem as a command.
type BatchGet struct {
	Tables   []BatchGetTable // in the order of the request
	Capacity api.CapacityMode
}

// BatchGetTable is what BatchGet reads from one table.
type BatchGetTable struct {
	Table      string
	Keys       []*attr.Item
	Projection *expr.Projection
	Consistent bool
	// Request is the API's form, of which the reply returns what was not
	// read.
	Request *api.TableKeys
}

// BatchWrite is BatchWriteItem as a command.
type BatchWrite struct {
	Tables   []BatchWriteTable // in the order of the request
	Capacity api.CapacityMode
	Metrics  bool
}

// BatchWriteTable is what BatchWrite does to one table.
type BatchWriteTable struct {
	Table    string
	Requests []BatchWriteRequest
}

// BatchWriteRequest is a put or a deletion; exactly one of the two is set.
type BatchWriteRequest struct {
	Put    *attr.Item
	Delete *attr.Item
}

var errDuplicateKeys = api.Validation("Provided list of item keys contains duplicates")

// lockTables finds tables and locks each of them once for reading, in lock
// order. The result has the order of names. The caller calls unlock in any
// case.
func (r *Region) lockTables(names func(yield func(string) bool)) (tables []*Table, unlock func(), err *api.Error) {
	unlock = func() {}
	r.mu.RLock()
	for name := range names {
		t := r.tables[name]
		if t == nil {
			r.mu.RUnlock()
			return nil, unlock, errNoTable
		}
		tables = append(tables, t)
	}
	r.mu.RUnlock()
	locked := distinct(tables)
	for _, t := range locked {
		t.mu.RLock()
	}
	unlock = func() {
		for _, t := range locked {
			t.mu.RUnlock()
		}
	}
	for _, t := range locked {
		if !t.servesItems(r.engine) {
			return nil, unlock, errNoTable
		}
		t.expireDue()
	}
	return tables, unlock, nil
}

// distinct returns the tables without repeats, in lock order.
func distinct(tables []*Table) []*Table {
	out := make([]*Table, 0, len(tables))
	for _, t := range tables {
		i := len(out)
		for i > 0 && out[i-1].number > t.number {
			i--
		}
		if i > 0 && out[i-1] == t {
			continue
		}
		out = append(out, nil)
		copy(out[i+1:], out[i:])
		out[i] = t
	}
	return out
}

// keySet finds repeated keys of one table.
type keySet map[[2]string]struct{}

// add reports whether the key is new.
func (s keySet) add(key primaryKey) bool {
	k := [2]string{key.pk, key.sk}
	if _, seen := s[k]; seen {
		return false
	}
	s[k] = struct{}{}
	return true
}

// BatchGet reads up to 100 items. Items of a reply over 16 MB are left
// unprocessed (behaviours/08 §8.1).
func (r *Region) BatchGet(ctx context.Context, cmd *BatchGet) (*api.BatchGetItemOutput, error) {
	tables, unlock, err := r.lockTables(func(yield func(string) bool) {
		for i := range cmd.Tables {
			if !yield(cmd.Tables[i].Table) {
				return
			}
		}
	})
	defer unlock()
	if err != nil {
		return nil, err
	}
	keys := make([][]primaryKey, len(tables))
	for i, t := range tables {
		if keys[i], err = t.batchKeys(&cmd.Tables[i]); err != nil {
			return nil, err
		}
	}
	out := &api.BatchGetItemOutput{Responses: make([]api.TableItems, 0, len(tables))}
	room := api.MaxBatchReplyBytes
	for i, t := range tables {
		req := &cmd.Tables[i]
		reply := api.TableItems{Table: replyName(req.Request, req.Table), Items: make([]api.View, 0, len(keys[i]))}
		units := 0.0
		for n, key := range keys[i] {
			item := t.read(key)
			if item != nil && item.Size() > room {
				rest := *req.Request
				rest.Keys = rest.Keys[n:]
				out.UnprocessedKeys = append(out.UnprocessedKeys, rest)
				break
			}
			units += consistency(req.Consistent) * readUnits(item.Size())
			if item != nil {
				room -= item.Size()
				reply.Items = append(reply.Items, view(item, req.Projection))
			}
		}
		out.Responses = append(out.Responses, reply)
		if c := t.tableCapacity(cmd.Capacity, units); c != nil {
			out.ConsumedCapacity = append(out.ConsumedCapacity, *c)
		}
	}
	return out, nil
}

// replyName is the key of a table in a reply: the name or ARN that the request
// used.
func replyName(request *api.TableKeys, name string) string {
	if request != nil {
		return request.Table
	}
	return name
}

func (t *Table) batchKeys(req *BatchGetTable) ([]primaryKey, *api.Error) {
	keys := make([]primaryKey, len(req.Keys))
	seen := make(keySet, len(req.Keys))
	for i, item := range req.Keys {
		key, fault := t.keyOfKey(item)
		if fault != nil {
			return nil, fault.err
		}
		if !seen.add(key) {
			return nil, errDuplicateKeys
		}
		keys[i] = key
	}
	return keys, t.checkProjection(req.Projection)
}

// BatchWrite puts and deletes up to 25 items. Everything is checked before
// anything is written; each write is by itself (behaviours/08 §8.2).
func (r *Region) BatchWrite(ctx context.Context, cmd *BatchWrite) (*api.BatchWriteItemOutput, error) {
	tables, unlock, err := r.lockTables(func(yield func(string) bool) {
		for i := range cmd.Tables {
			if !yield(cmd.Tables[i].Table) {
				return
			}
		}
	})
	defer unlock()
	if err != nil {
		return nil, err
	}
	keys := make([][]primaryKey, len(tables))
	for i, t := range tables {
		if keys[i], err = t.checkBatch(cmd.Tables[i].Requests); err != nil {
			return nil, err
		}
	}
	out := &api.BatchWriteItemOutput{}
	for i, t := range tables {
		if err := t.writeBatch(&cmd.Tables[i], keys[i], cmd, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// checkBatch checks keys, index keys and duplicates of one table.
func (t *Table) checkBatch(requests []BatchWriteRequest) ([]primaryKey, *api.Error) {
	keys := make([]primaryKey, len(requests))
	seen := make(keySet, len(requests))
	for i, req := range requests {
		key, err := t.batchKey(req)
		if err != nil {
			return nil, err
		}
		if !seen.add(key) {
			return nil, errDuplicateKeys
		}
		keys[i] = key
	}
	return keys, nil
}

func (t *Table) batchKey(req BatchWriteRequest) (primaryKey, *api.Error) {
	if req.Put == nil {
		key, fault := t.keyOfKey(req.Delete)
		if fault != nil {
			return key, fault.err
		}
		return key, nil
	}
	for k := range t.key.all {
		// A batch answers a missing or wrong-typed key as if it were a Key.
		if v, ok := req.Put.Lookup(k.Name); !ok || v.Type() != k.Type {
			return primaryKey{}, errKeySchema
		}
	}
	key, fault := t.keyOfItem(req.Put)
	if fault == nil {
		fault = t.checkIndexKeys(req.Put)
	}
	if fault != nil {
		return key, fault.err
	}
	return key, nil
}

// writeBatch writes the checked requests of one table. Only a full item
// collection can stop it; what was written before stays.
func (t *Table) writeBatch(req *BatchWriteTable, keys []primaryKey, cmd *BatchWrite, out *api.BatchWriteItemOutput) *api.Error {
	var used usage
	var metrics []api.ItemCollectionMetrics
	for i, w := range req.Requests {
		var c change
		var err *api.Error
		if w.Put != nil {
			c, err = t.put(keys[i], w.Put)
		} else {
			c, err = t.write(keys[i], nil, false, func(*attr.Item) (*attr.Item, *api.Error) { return nil, nil })
		}
		if err != nil {
			return err
		}
		if cmd.Capacity != api.CapacityNone {
			t.chargeWrite(&used, &c, 1)
		}
		if m := t.collectionMetrics(cmd.Metrics, &c); m != nil {
			metrics = append(metrics, *m)
		}
	}
	if c := used.report(t.name, cmd.Capacity); c != nil {
		out.ConsumedCapacity = append(out.ConsumedCapacity, *c)
	}
	if metrics != nil {
		out.ItemCollectionMetrics = append(out.ItemCollectionMetrics, api.TableMetrics{Table: t.name, Metrics: metrics})
	}
	return nil
}
