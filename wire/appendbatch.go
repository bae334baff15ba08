package wire

import "github.com/dynalite-go/dynalite/api"

// AppendBatchGetItem prints the reply of BatchGetItem.
func AppendBatchGetItem(dst []byte, out *api.BatchGetItemOutput) []byte {
	o := begin(dst)
	optList(&o, "ConsumedCapacity", out.ConsumedCapacity, appendConsumed)
	o.key("Responses")
	m := begin(o.dst)
	for i := range out.Responses {
		m.entry(out.Responses[i].Table)
		m.dst = appendViews(m.dst, out.Responses[i].Items)
	}
	o.dst = m.end()
	o.key("UnprocessedKeys")
	o.dst = appendTableKeys(o.dst, out.UnprocessedKeys)
	return o.end()
}

// appendTableKeys prints keys in request form.
func appendTableKeys(dst []byte, list []api.TableKeys) []byte {
	m := begin(dst)
	for i := range list {
		m.entry(list[i].Table)
		m.dst = appendKeysAndAttributes(m.dst, &list[i].KeysAndAttributes)
	}
	return m.end()
}

func appendKeysAndAttributes(dst []byte, k *api.KeysAndAttributes) []byte {
	o := begin(dst)
	if k.Keys != nil {
		o.key("Keys")
		o.dst = appendList(o.dst, k.Keys, appendKey)
	}
	if k.AttributesToGet != nil {
		o.key("AttributesToGet")
		o.dst = appendStrings(o.dst, k.AttributesToGet)
	}
	o.optBool("ConsistentRead", k.ConsistentRead)
	o.optString("ProjectionExpression", k.ProjectionExpression)
	if k.ExpressionAttributeNames != nil {
		o.key("ExpressionAttributeNames")
		m := begin(o.dst)
		for _, n := range k.ExpressionAttributeNames {
			m.entry(n.Placeholder)
			m.dst = appendString(m.dst, n.Target)
		}
		o.dst = m.end()
	}
	return o.end()
}

// appendKey prints an item of a request; one with a faulty value, which only error texts echo, as an empty object.
func appendKey(dst []byte, it *api.Item) []byte {
	if it.Item == nil {
		return append(dst, "{}"...)
	}
	return it.Item.AppendJSON(dst)
}

// AppendBatchWriteItem prints the reply of BatchWriteItem.
func AppendBatchWriteItem(dst []byte, out *api.BatchWriteItemOutput) []byte {
	o := begin(dst)
	optList(&o, "ConsumedCapacity", out.ConsumedCapacity, appendConsumed)
	appendTableMetrics(&o, out.ItemCollectionMetrics)
	o.key("UnprocessedItems")
	m := begin(o.dst)
	for i := range out.UnprocessedItems {
		m.entry(out.UnprocessedItems[i].Table)
		m.dst = appendList(m.dst, out.UnprocessedItems[i].Requests, appendWriteRequest)
	}
	o.dst = m.end()
	return o.end()
}

func appendWriteRequest(dst []byte, r *api.WriteRequest) []byte {
	o := begin(dst)
	if r.DeleteRequest != nil {
		o.key("DeleteRequest")
		p := begin(o.dst)
		p.key("Key")
		p.dst = appendKey(p.dst, &r.DeleteRequest.Key)
		o.dst = p.end()
	}
	if r.PutRequest != nil {
		o.key("PutRequest")
		p := begin(o.dst)
		p.key("Item")
		p.dst = appendKey(p.dst, &r.PutRequest.Item)
		o.dst = p.end()
	}
	return o.end()
}

// appendTableMetrics prints ItemCollectionMetrics of a batch or transaction, unless no table has any.
func appendTableMetrics(o *object, list []api.TableMetrics) {
	if len(list) == 0 {
		return
	}
	o.key("ItemCollectionMetrics")
	m := begin(o.dst)
	for i := range list {
		m.entry(list[i].Table)
		m.dst = appendList(m.dst, list[i].Metrics, appendMetrics)
	}
	o.dst = m.end()
}

// AppendTransactGetItems prints the reply of TransactGetItems.
func AppendTransactGetItems(dst []byte, out *api.TransactGetItemsOutput) []byte {
	o := begin(dst)
	optList(&o, "ConsumedCapacity", out.ConsumedCapacity, appendConsumed)
	o.key("Responses")
	o.dst = appendList(o.dst, out.Responses, appendResponse)
	return o.end()
}

// appendResponse prints one positional answer: an empty object when there is no item, or nothing of it is projected
// (behaviours/08 §8.6).
func appendResponse(dst []byte, v *api.View) []byte {
	o := begin(dst)
	o.optView("Item", *v)
	return o.end()
}

// AppendTransactWriteItems prints the reply of TransactWriteItems.
func AppendTransactWriteItems(dst []byte, out *api.TransactWriteItemsOutput) []byte {
	o := begin(dst)
	optList(&o, "ConsumedCapacity", out.ConsumedCapacity, appendConsumed)
	appendTableMetrics(&o, out.ItemCollectionMetrics)
	return o.end()
}
