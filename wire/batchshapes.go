package wire

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/internal/coral"
)

var keysAndAttributes = newShape("KeysAndAttributes", []member[api.KeysAndAttributes]{
	items("Keys", func(in *api.KeysAndAttributes) *[]api.Item { return &in.Keys },
		required(), minLength(1).quiet(), maxLength(api.MaxBatchGetKeys).quiet().always()),
	attributesToGet(func(in *api.KeysAndAttributes) *[]string { return &in.AttributesToGet }),
	flag("ConsistentRead", func(in *api.KeysAndAttributes) *api.Bool { return &in.ConsistentRead }),
	text("ProjectionExpression", func(in *api.KeysAndAttributes) *api.String { return &in.ProjectionExpression }),
	names(func(in *api.KeysAndAttributes) *[]api.Name { return &in.ExpressionAttributeNames }, nil),
})

var batchGetItem = newShape("BatchGetItemInput", []member[api.BatchGetItemInput]{
	tableKeysMember(func(in *api.BatchGetItemInput) *[]api.TableKeys { return &in.RequestItems }),
	batchGetCapacity(),
}, "ReturnConsumedCapacity", "RequestItems")

// tableKeysMember is RequestItems of BatchGetItem.
func tableKeysMember(at func(*api.BatchGetItemInput) *[]api.TableKeys) member[api.BatchGetItemInput] {
	return entries(requestItems, keysAndAttributes, at, func(n *api.TableKeys) (*string, *api.KeysAndAttributes) {
		return &n.Table, &n.KeysAndAttributes
	}, required(), minLength(1).quiet().instead(requestItemsMissing+"BatchGetItem").at(stageLate, stageMain))
}

const requestItems = "RequestItems"

// batchGetCapacity is ReturnConsumedCapacity of BatchGetItem. The keys of RequestItems, which are table names, are
// reported before it and its entries after it (behaviours/01 §1.5). A bad name makes the service echo the map as JSON.
func batchGetCapacity() member[api.BatchGetItemInput] {
	m := text("ReturnConsumedCapacity", func(in *api.BatchGetItemInput) *api.String { return &in.ReturnConsumedCapacity },
		capacityEnum())
	keys, inner := tableKeys(), m.check
	m.check = func(w *walker, in *api.BatchGetItemInput) {
		for _, t := range in.RequestItems {
			if !keys.match(t.Table) {
				w.push(step{name: requestItems})
				w.fail(&keys, func(dst []byte) []byte { return append(appendTableKeys(append(dst, '\''), in.RequestItems), '\'') })
				w.pop()
				break
			}
		}
		inner(w, in)
	}
	return m
}

// requestItemsMissing is the classic answer to an empty RequestItems, for the operation whose name follows. It is no
// constraint there and comes after all of them.
const requestItemsMissing = "The requestItems parameter is required for "

var putRequest = newShape("PutRequest", []member[api.PutRequest]{
	item("Item", func(in *api.PutRequest) *api.Item { return &in.Item }, required()),
})

var deleteRequest = newShape("DeleteRequest", []member[api.DeleteRequest]{
	item("Key", func(in *api.DeleteRequest) *api.Item { return &in.Key }, required()),
})

var writeRequest = newShape("WriteRequest", []member[api.WriteRequest]{
	structure("PutRequest", putRequest, func(in *api.WriteRequest) **api.PutRequest { return &in.PutRequest }),
	structure("DeleteRequest", deleteRequest, func(in *api.WriteRequest) **api.DeleteRequest { return &in.DeleteRequest }),
})

var batchWriteItem = newShape("BatchWriteItemInput", []member[api.BatchWriteItemInput]{
	tableWritesMember(func(in *api.BatchWriteItemInput) *[]api.TableWrites { return &in.RequestItems }),
	text("ReturnConsumedCapacity", func(in *api.BatchWriteItemInput) *api.String { return &in.ReturnConsumedCapacity },
		capacityEnum()),
	text("ReturnItemCollectionMetrics",
		func(in *api.BatchWriteItemInput) *api.String { return &in.ReturnItemCollectionMetrics }, metricsEnum()),
}, "ReturnConsumedCapacity", "ReturnItemCollectionMetrics", "RequestItems")

// tableWritesMember is RequestItems of BatchWriteItem, a map of lists. Bad enumerations are reported alone, without
// what is wrong in the map (behaviours/01 §1.5), so the map's rules are of a later stage.
func tableWritesMember(at func(*api.BatchWriteItemInput) *[]api.TableWrites) member[api.BatchWriteItemInput] {
	const name = "RequestItems"
	rules := []rule{
		required(),
		minLength(1).quiet().instead(requestItemsMissing+"BatchWriteItem").at(stageLate, stageMain),
	}
	keys, lists := tableKeys().at(stageLate, stageLate), listValues(api.MaxBatchWrites).at(stageLate, stageLate)
	return member[api.BatchWriteItemInput]{
		name: name,
		decode: func(d *decoder, in *api.BatchWriteItemInput) error {
			if err := d.c.ExpectMap("java.util.List<" + coral.Package + "WriteRequest>"); err != nil {
				return err
			}
			out, err := readTableWrites(d)
			*at(in) = out
			return err
		},
		check: func(w *walker, in *api.BatchWriteItemInput) {
			l := *at(in)
			dump := func(dst []byte) []byte { return dumpTableWrites(dst, l) }
			w.collection(name, l != nil, len(l), rules, dump)
			w.push(step{name: name})
			checkTables(w, l, &keys, &lists, dump)
			for _, t := range l {
				w.push(step{kind: toEntry, name: t.Table})
				for i := range t.Requests {
					w.push(step{kind: toElement, n: i + 1})
					writeRequest.check(w, &t.Requests[i])
					w.pop()
				}
				w.pop()
			}
			w.pop()
		},
		dump: func(dst []byte, in *api.BatchWriteItemInput) []byte { return dumpTableWrites(dst, *at(in)) },
	}
}

func readTableWrites(d *decoder) ([]api.TableWrites, error) {
	if err := d.c.BeginObject(); err != nil {
		return nil, err
	}
	out := []api.TableWrites{}
	var seen keySet
	for {
		key, ok, err := d.nextKey()
		if err != nil || !ok {
			return out, err
		}
		if !seen.add(key, len(out), func(i int) string { return out[i].Table }) {
			return out, d.twice()
		}
		if err := d.c.ExpectNestedList(); err != nil {
			return out, err
		}
		requests, err := readStructures(d, writeRequest)
		if err != nil {
			return out, err
		}
		out = append(out, api.TableWrites{Table: key, Requests: requests})
	}
}

// checkTables reports bad table names, then lists of a wrong length, each once for the whole map.
func checkTables(w *walker, l []api.TableWrites, keys, lists *rule, dump func([]byte) []byte) {
	quoted := func(dst []byte) []byte { return append(dump(append(dst, '\'')), '\'') }
	for _, t := range l {
		if !keys.match(t.Table) {
			w.fail(keys, quoted)
			break
		}
	}
	for _, t := range l {
		if n := int64(len(t.Requests)); n < 1 || n > lists.n {
			w.fail(lists, quoted)
			break
		}
	}
}

// dumpTableWrites prints {table=[WriteRequest(…), …], …}.
func dumpTableWrites(dst []byte, l []api.TableWrites) []byte {
	if l == nil {
		return append(dst, "null"...)
	}
	dst = dumpEach(append(dst, '{'), len(l), func(dst []byte, i int) []byte {
		return dumpList(append(append(dst, l[i].Table...), '='), writeRequest, l[i].Requests)
	})
	return append(dst, '}')
}

// DecodeBatchGetItem reads the body of a BatchGetItem request. Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeBatchGetItem(text string, in *api.BatchGetItemInput) error {
	return decodeBody(text, batchGetItem, in)
}

// CheckBatchGetItem returns the member constraints that a BatchGetItem request breaks.
func CheckBatchGetItem(in *api.BatchGetItemInput) []api.Violation {
	return checkInput(batchGetItem, in)
}

// DecodeBatchWriteItem reads the body of a BatchWriteItem request. Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeBatchWriteItem(text string, in *api.BatchWriteItemInput) error {
	return decodeBody(text, batchWriteItem, in)
}

// CheckBatchWriteItem returns the member constraints that a BatchWriteItem request breaks.
func CheckBatchWriteItem(in *api.BatchWriteItemInput) []api.Violation {
	return checkInput(batchWriteItem, in)
}
