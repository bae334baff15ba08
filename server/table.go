package server

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/request"
	"github.com/dynalite-go/dynalite/wire"
)

// Prefixes of X-Amz-Target. The one of 2011 is refused.
const (
	targetData    = "DynamoDB_20120810."
	targetStreams = "DynamoDBStreams_20120810."
)

// The two halves that most operations need: request compiles, engine runs.
type (
	compiler = *request.Compiler
	region   = *engine.Region
)

// operations holds every operation by its target. What isn't here is answered as the service answers an operation
// that it doesn't know.
var operations = targets(map[string][]*operation{
	targetData: {
		op("GetItem", wire.DecodeGetItem, wire.CheckGetItem, compiler.Get, region.Get, wire.AppendGetItem),
		op("PutItem", wire.DecodePutItem, wire.CheckPutItem, compiler.Put, region.Put, wire.AppendPutItem),
		op("UpdateItem", wire.DecodeUpdateItem, wire.CheckUpdateItem, compiler.Update, region.Update, wire.AppendUpdateItem),
		op("DeleteItem", wire.DecodeDeleteItem, wire.CheckDeleteItem, compiler.Delete, region.Delete, wire.AppendDeleteItem),
		op("Query", wire.DecodeQuery, wire.CheckQuery, compiler.Query, region.Query, wire.AppendQuery),
		op("Scan", wire.DecodeScan, wire.CheckScan, compiler.Scan, region.Scan, wire.AppendScan),
		op("BatchGetItem", wire.DecodeBatchGetItem, wire.CheckBatchGetItem, compiler.BatchGet, region.BatchGet, wire.AppendBatchGetItem),
		op("BatchWriteItem", wire.DecodeBatchWriteItem, wire.CheckBatchWriteItem, compiler.BatchWrite, region.BatchWrite, wire.AppendBatchWriteItem),
		op("TransactGetItems", wire.DecodeTransactGetItems, wire.CheckTransactGetItems, compiler.TransactGet, region.TransactGet, wire.AppendTransactGetItems),
		op("TransactWriteItems", wire.DecodeTransactWriteItems, wire.CheckTransactWriteItems, compiler.TransactWrite, region.TransactWrite, wire.AppendTransactWriteItems),

		statement("ExecuteStatement", wire.DecodeExecuteStatement, wire.CheckExecuteStatement, statements.ExecuteStatement, wire.AppendExecuteStatement),
		statement("BatchExecuteStatement", wire.DecodeBatchExecuteStatement, wire.CheckBatchExecuteStatement, statements.BatchExecuteStatement, wire.AppendBatchExecuteStatement),
		statement("ExecuteTransaction", wire.DecodeExecuteTransaction, wire.CheckExecuteTransaction, statements.ExecuteTransaction, wire.AppendExecuteTransaction),

		op("CreateTable", wire.DecodeCreateTable, wire.CheckCreateTable, compiler.CreateTable, region.CreateTable, wire.AppendCreateTable),
		op("UpdateTable", wire.DecodeUpdateTable, wire.CheckUpdateTable, compiler.UpdateTable, region.UpdateTable, wire.AppendUpdateTable),
		op("DeleteTable", wire.DecodeDeleteTable, wire.CheckDeleteTable, compiler.DeleteTable, region.DeleteTable, wire.AppendDeleteTable),
		op("DescribeTable", wire.DecodeDescribeTable, wire.CheckDescribeTable, compiler.DescribeTable, region.DescribeTable, wire.AppendDescribeTable),
		op("ListTables", wire.DecodeListTables, wire.CheckListTables, compiler.ListTables, region.ListTables, wire.AppendListTables),
		op("UpdateTimeToLive", wire.DecodeUpdateTimeToLive, wire.CheckUpdateTimeToLive, compiler.UpdateTimeToLive, region.UpdateTimeToLive, wire.AppendUpdateTimeToLive),
		op("DescribeContinuousBackups", wire.DecodeDescribeContinuousBackups, wire.CheckDescribeContinuousBackups, compiler.DescribeContinuousBackups, region.DescribeContinuousBackups, wire.AppendDescribeContinuousBackups),
		op("DescribeTimeToLive", wire.DecodeDescribeTimeToLive, wire.CheckDescribeTimeToLive, compiler.DescribeTimeToLive, region.DescribeTimeToLive, wire.AppendDescribeTimeToLive),
		op("TagResource", wire.DecodeTagResource, wire.CheckTagResource, compiler.TagResource, region.TagResource, wire.AppendTagResource),
		op("UntagResource", wire.DecodeUntagResource, wire.CheckUntagResource, compiler.UntagResource, region.UntagResource, wire.AppendUntagResource),
		op("ListTagsOfResource", wire.DecodeListTagsOfResource, wire.CheckListTagsOfResource, compiler.ListTagsOfResource, region.ListTagsOfResource, wire.AppendListTagsOfResource),
		op("DescribeLimits", wire.DecodeDescribeLimits, wire.CheckDescribeLimits, compiler.DescribeLimits, region.DescribeLimits, wire.AppendDescribeLimits),
		{"DescribeEndpoints", describeEndpoints},
	},
	targetStreams: {
		op("ListStreams", wire.DecodeListStreams, wire.CheckListStreams, compiler.ListStreams, region.ListStreams, wire.AppendListStreams),
		op("DescribeStream", wire.DecodeDescribeStream, wire.CheckDescribeStream, compiler.DescribeStream, region.DescribeStream, wire.AppendDescribeStream),
		op("GetShardIterator", wire.DecodeGetShardIterator, wire.CheckGetShardIterator, compiler.GetShardIterator, region.GetShardIterator, wire.AppendGetShardIterator),
		op("GetRecords", wire.DecodeGetRecords, wire.CheckGetRecords, compiler.GetRecords, region.GetRecords, wire.AppendGetRecords),
	},
})

// describeEndpoints answers with the address that the caller used, which only the front end knows.
func describeEndpoints(c *call) ([]byte, error) {
	var in api.DescribeEndpointsInput
	if err := wire.DecodeDescribeEndpoints(c.body, &in); err != nil {
		return nil, err
	}
	out, err := c.region.DescribeEndpoints(c.ctx, &engine.DescribeEndpoints{Address: c.host})
	if err != nil {
		return nil, err
	}
	return wire.AppendDescribeEndpoints(c.dst, out), nil
}

// targets builds the table. Two operations for one target are a mistake in this file.
func targets(byPrefix map[string][]*operation) map[string]*operation {
	table := map[string]*operation{}
	for prefix, ops := range byPrefix {
		for _, op := range ops {
			target := prefix + op.name
			if table[target] != nil {
				panic("server: two operations for " + target)
			}
			table[target] = op
		}
	}
	return table
}
