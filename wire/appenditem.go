package wire

import "github.com/dynalite-go/dynalite/api"

// AppendGetItem prints the reply of GetItem.
func AppendGetItem(dst []byte, out *api.GetItemOutput) []byte {
	o := begin(dst)
	optStruct(&o, "ConsumedCapacity", out.ConsumedCapacity, appendConsumed)
	if out.Found {
		o.view("Item", out.Item)
	}
	return o.end()
}

// AppendPutItem prints the reply of PutItem.
func AppendPutItem(dst []byte, out *api.PutItemOutput) []byte {
	return appendWrite(dst, out.Attributes, out.ConsumedCapacity, out.ItemCollectionMetrics)
}

// AppendUpdateItem prints the reply of UpdateItem.
func AppendUpdateItem(dst []byte, out *api.UpdateItemOutput) []byte {
	return appendWrite(dst, out.Attributes, out.ConsumedCapacity, out.ItemCollectionMetrics)
}

// AppendDeleteItem prints the reply of DeleteItem.
func AppendDeleteItem(dst []byte, out *api.DeleteItemOutput) []byte {
	return appendWrite(dst, out.Attributes, out.ConsumedCapacity, out.ItemCollectionMetrics)
}

// appendWrite prints the reply that the single-item writes share. Attributes is absent rather than empty
// (behaviours/07 §7.2).
func appendWrite(dst []byte, v api.View, c *api.ConsumedCapacity, m *api.ItemCollectionMetrics) []byte {
	o := begin(dst)
	o.optView("Attributes", v)
	optStruct(&o, "ConsumedCapacity", c, appendConsumed)
	optStruct(&o, "ItemCollectionMetrics", m, appendMetrics)
	return o.end()
}

// AppendQuery prints the reply of Query.
func AppendQuery(dst []byte, out *api.QueryOutput) []byte {
	o := begin(dst)
	optStruct(&o, "ConsumedCapacity", out.ConsumedCapacity, appendConsumed)
	o.long("Count", int64(out.Count))
	if !out.OmitItems {
		o.key("Items")
		o.dst = appendViews(o.dst, out.Items)
	}
	o.optItem("LastEvaluatedKey", out.LastEvaluatedKey)
	o.long("ScannedCount", int64(out.ScannedCount))
	return o.end()
}

// AppendScan prints the reply of Scan.
func AppendScan(dst []byte, out *api.ScanOutput) []byte {
	return AppendQuery(dst, (*api.QueryOutput)(out))
}

func appendMetrics(dst []byte, m *api.ItemCollectionMetrics) []byte {
	o := begin(dst)
	o.optItem("ItemCollectionKey", m.ItemCollectionKey)
	o.key("SizeEstimateRangeGB")
	o.dst = appendDouble(append(o.dst, '['), m.SizeEstimateRangeGB[0])
	o.dst = append(appendDouble(append(o.dst, ','), m.SizeEstimateRangeGB[1]), ']')
	return o.end()
}

// appendConsumed prints ConsumedCapacity. Index maps are absent when empty (behaviours/07 §7.5).
func appendConsumed(dst []byte, c *api.ConsumedCapacity) []byte {
	o := begin(dst)
	o.double("CapacityUnits", c.CapacityUnits)
	appendIndexes(&o, "GlobalSecondaryIndexes", c.GlobalSecondaryIndexes)
	appendIndexes(&o, "LocalSecondaryIndexes", c.LocalSecondaryIndexes)
	o.optFloat("ReadCapacityUnits", c.ReadCapacityUnits)
	optStruct(&o, "Table", c.Table, appendCapacity)
	o.text("TableName", c.TableName)
	if len(c.VectorIndexes) > 0 {
		o.key("VectorIndexes")
		m := begin(o.dst)
		for i := range c.VectorIndexes {
			m.entry(c.VectorIndexes[i].Index)
			m.dst = appendVectorCapacity(m.dst, &c.VectorIndexes[i].VectorCapacity)
		}
		o.dst = m.end()
	}
	o.optFloat("WriteCapacityUnits", c.WriteCapacityUnits)
	return o.end()
}

func appendIndexes(o *object, name string, list []api.IndexCapacity) {
	if len(list) == 0 {
		return
	}
	o.key(name)
	m := begin(o.dst)
	for i := range list {
		m.entry(list[i].Index)
		m.dst = appendCapacity(m.dst, &list[i].Capacity)
	}
	o.dst = m.end()
}

func appendCapacity(dst []byte, c *api.Capacity) []byte {
	o := begin(dst)
	o.double("CapacityUnits", c.CapacityUnits)
	o.optFloat("ReadCapacityUnits", c.ReadCapacityUnits)
	o.optFloat("WriteCapacityUnits", c.WriteCapacityUnits)
	return o.end()
}

func appendVectorCapacity(dst []byte, c *api.VectorCapacity) []byte {
	o := begin(dst)
	o.optFloat("VectorSearchRequestBytes", c.VectorSearchRequestBytes)
	o.optFloat("VectorWriteRequestBytes", c.VectorWriteRequestBytes)
	return o.end()
}
