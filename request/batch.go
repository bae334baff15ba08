package request

import (
	"slices"
	"strings"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine"
)

// BatchGet compiles a BatchGetItem. Each table is checked in request order: mixing, duplicates in AttributesToGet,
// names, projection, key values. Then come mixing across tables, the number of keys, and keys that occur twice in a
// table (behaviours/08 §8.1).
func (c *Compiler) BatchGet(in *api.BatchGetItemInput, s Scope) (*engine.BatchGet, error) {
	cmd := &engine.BatchGet{
		Tables:   make([]engine.BatchGetTable, len(in.RequestItems)),
		Capacity: api.ParseCapacityMode(in.ReturnConsumedCapacity),
	}
	across := params{
		legacy:      []param{{name: "AttributesToGet"}},
		expressions: []param{{name: projectionExpression}},
	}
	total := 0
	for i := range in.RequestItems {
		req := &in.RequestItems[i]
		if err := c.batchGetTable(req, s, &cmd.Tables[i]); err != nil {
			return nil, err
		}
		across.legacy[0].set = across.legacy[0].set || req.AttributesToGet != nil
		across.expressions[0].set = across.expressions[0].set || req.ProjectionExpression.Set
		total += len(req.Keys)
	}
	if err := across.mixed(); err != nil {
		return nil, err
	}
	if total > api.MaxBatchGetKeys {
		return nil, errTooManyKeys
	}
	if err := duplicateKeys(cmd.Tables); err != nil {
		return nil, err
	}
	return cmd, nil
}

var (
	errTooManyKeys   = api.Validation("Too many items requested for the BatchGetItem call")
	errTooManyWrites = api.Validation("Too many items requested for the BatchWriteItem call")
	errDuplicateKeys = api.Validation("Provided list of item keys contains duplicates")
)

// batchGetTable compiles what a batch reads from one table.
func (c *Compiler) batchGetTable(req *api.TableKeys, s Scope, table *engine.BatchGetTable) *api.Error {
	name, err := s.Table("BatchGetItem", req.Table)
	if err != nil {
		return err
	}
	mix := params{
		legacy:      []param{{"AttributesToGet", req.AttributesToGet != nil}},
		expressions: []param{{projectionExpression, req.ProjectionExpression.Set}},
		names:       req.ExpressionAttributeNames != nil,
	}
	if err := mix.check(); err != nil {
		return err
	}
	if err := duplicateName(req.AttributesToGet); err != nil {
		return err
	}
	proj, err := c.onlyProjection(req.ProjectionExpression, req.AttributesToGet, req.ExpressionAttributeNames)
	if err != nil {
		return err
	}
	keys := make([]*attr.Item, len(req.Keys))
	for i := range req.Keys {
		if err := valueFault(&req.Keys[i]); err != nil {
			return err
		}
		keys[i] = keyItem(&req.Keys[i])
	}
	*table = engine.BatchGetTable{
		Table:      name,
		Keys:       keys,
		Projection: proj,
		Consistent: req.ConsistentRead.Value,
		Request:    req,
	}
	return nil
}

// duplicateKeys finds a key that a batch reads twice from one table. Keys are compared by their canonical text, so
// that spellings of a number are one; the order of their members does not matter. A table may stand twice in the
// request, once by its name and once by its ARN.
func duplicateKeys(tables []engine.BatchGetTable) *api.Error {
	total := 0
	for i := range tables {
		total += len(tables[i].Keys)
	}
	if total < 2 {
		return nil
	}
	type entry struct{ table, key string }
	seen := make(map[entry]struct{}, total)
	for i := range tables {
		for _, key := range tables[i].Keys {
			e := entry{tables[i].Table, keyText(key)}
			if _, again := seen[e]; again {
				return errDuplicateKeys
			}
			seen[e] = struct{}{}
		}
	}
	return nil
}

// keyText is the text of a key with its members in the order of their names.
func keyText(key *attr.Item) string {
	if sortedNames(key) {
		return key.Text()
	}
	fields := make([]attr.Field, 0, key.Len())
	for name, v := range key.All() {
		fields = append(fields, attr.Field{Name: name, Value: v})
	}
	slices.SortFunc(fields, func(a, b attr.Field) int { return strings.Compare(a.Name, b.Name) })
	return attr.NewItem(fields...).Text()
}

func sortedNames(it *attr.Item) bool {
	last := ""
	for i := range it.Len() {
		name, _ := it.At(i)
		if name < last {
			return false
		}
		last = name
	}
	return true
}

// BatchWrite compiles a BatchWriteItem. Each table is checked in request order: requests that are neither put nor
// deletion, or both; values; item sizes. Then comes the number of requests (behaviours/08 §8.2). Keys that occur
// twice can only be told with the table's schema.
func (c *Compiler) BatchWrite(in *api.BatchWriteItemInput, s Scope) (*engine.BatchWrite, error) {
	cmd := &engine.BatchWrite{
		Tables:   make([]engine.BatchWriteTable, 0, len(in.RequestItems)),
		Capacity: api.ParseCapacityMode(in.ReturnConsumedCapacity),
		Metrics:  isSize(in.ReturnItemCollectionMetrics),
	}
	total := 0
	for i := range in.RequestItems {
		req := &in.RequestItems[i]
		name, err := s.Table("BatchWriteItem", req.Table)
		if err != nil {
			return nil, err
		}
		writes, err := batchWrites(req.Requests)
		if err != nil {
			return nil, err
		}
		if total += len(writes); total > api.MaxBatchWrites {
			continue // only the checks matter now
		}
		// A table may stand twice, once by its name and once by its ARN.
		n := slices.IndexFunc(cmd.Tables, func(t engine.BatchWriteTable) bool { return t.Table == name })
		if n >= 0 {
			cmd.Tables[n].Requests = append(cmd.Tables[n].Requests, writes...)
			continue
		}
		cmd.Tables = append(cmd.Tables, engine.BatchWriteTable{Table: name, Requests: writes})
	}
	if total > api.MaxBatchWrites {
		return nil, errTooManyWrites
	}
	return cmd, nil
}

// errNotOneWrite has the text that the service really uses.
var errNotOneWrite = api.Validation("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")

func batchWrites(requests []api.WriteRequest) ([]engine.BatchWriteRequest, *api.Error) {
	for i := range requests {
		if (requests[i].PutRequest == nil) == (requests[i].DeleteRequest == nil) {
			return nil, errNotOneWrite
		}
	}
	writes := make([]engine.BatchWriteRequest, len(requests))
	for i := range requests {
		if put := requests[i].PutRequest; put != nil {
			if err := valueFault(&put.Item); err != nil {
				return nil, err
			}
			item := keyItem(&put.Item)
			if err := itemSize(item); err != nil {
				return nil, err
			}
			writes[i].Put = item
			continue
		}
		del := requests[i].DeleteRequest
		if err := valueFault(&del.Key); err != nil {
			return nil, err
		}
		writes[i].Delete = keyItem(&del.Key)
	}
	return writes, nil
}
