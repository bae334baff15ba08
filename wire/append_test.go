package wire

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
)

// TestAppend holds the texts of replies.
func TestAppend(t *testing.T) {
	item := itemOf(t, `{"pk":{"S":"a"},"n":{"N":"1"}}`).Item
	key := itemOf(t, `{"pk":{"S":"a"}}`).Item
	whole, part := api.View{Item: item}, api.View{Item: item, Projection: attr.TopLevel("n")}
	nothing := api.View{Item: item, Projection: attr.TopLevel("x")}
	total := &api.ConsumedCapacity{TableName: "t", CapacityUnits: 0.5}
	indexes := api.ConsumedCapacity{
		TableName: "t", CapacityUnits: 3, WriteCapacityUnits: api.SomeFloat(3),
		Table:                  &api.Capacity{CapacityUnits: 1, WriteCapacityUnits: api.SomeFloat(1)},
		GlobalSecondaryIndexes: []api.IndexCapacity{{Index: "g", Capacity: api.Capacity{CapacityUnits: 2}}},
		LocalSecondaryIndexes:  []api.IndexCapacity{{Index: "l", Capacity: api.Capacity{CapacityUnits: 1}}},
		VectorIndexes: []api.IndexVectorCapacity{{Index: "v",
			VectorCapacity: api.VectorCapacity{VectorWriteRequestBytes: api.SomeFloat(1024)}}},
	}
	const indexesText = `{"CapacityUnits":3.0,"GlobalSecondaryIndexes":{"g":{"CapacityUnits":2.0}},` +
		`"LocalSecondaryIndexes":{"l":{"CapacityUnits":1.0}},"Table":{"CapacityUnits":1.0,"WriteCapacityUnits":1.0},` +
		`"TableName":"t","VectorIndexes":{"v":{"VectorWriteRequestBytes":1024.0}},"WriteCapacityUnits":3.0}`
	metrics := &api.ItemCollectionMetrics{ItemCollectionKey: key, SizeEstimateRangeGB: [2]float64{0, 1}}
	const metricsText = `{"ItemCollectionKey":{"pk":{"S":"a"}},"SizeEstimateRangeGB":[0.0,1.0]}`
	at := time.UnixMilli(1791316726275)

	tests := []struct {
		name string
		got  []byte
		want string
	}{
		{"GetItem, missing", AppendGetItem(nil, &api.GetItemOutput{}), `{}`},
		{"GetItem", AppendGetItem(nil, &api.GetItemOutput{Found: true, Item: whole, ConsumedCapacity: total}),
			`{"ConsumedCapacity":{"CapacityUnits":0.5,"TableName":"t"},"Item":{"pk":{"S":"a"},"n":{"N":"1"}}}`},
		{"GetItem, nothing projected", AppendGetItem(nil, &api.GetItemOutput{Found: true, Item: nothing}), `{"Item":{}}`},
		{"PutItem", AppendPutItem(nil, &api.PutItemOutput{}), `{}`},
		{"PutItem, all", AppendPutItem(nil, &api.PutItemOutput{Attributes: whole, ConsumedCapacity: &indexes, ItemCollectionMetrics: metrics}),
			`{"Attributes":{"pk":{"S":"a"},"n":{"N":"1"}},"ConsumedCapacity":` + indexesText + `,"ItemCollectionMetrics":` + metricsText + `}`},
		{"UpdateItem", AppendUpdateItem(nil, &api.UpdateItemOutput{Attributes: part}), `{"Attributes":{"n":{"N":"1"}}}`},
		{"UpdateItem, nothing", AppendUpdateItem(nil, &api.UpdateItemOutput{Attributes: nothing, ConsumedCapacity: total}),
			`{"ConsumedCapacity":{"CapacityUnits":0.5,"TableName":"t"}}`},
		{"DeleteItem", AppendDeleteItem([]byte("x"), &api.DeleteItemOutput{}), `x{}`},
		{"Query", AppendQuery(nil, &api.QueryOutput{Items: []api.View{whole, part, nothing}, Count: 3, ScannedCount: 4, LastEvaluatedKey: key}),
			`{"Count":3,"Items":[{"pk":{"S":"a"},"n":{"N":"1"}},{"n":{"N":"1"}},{}],"LastEvaluatedKey":{"pk":{"S":"a"}},"ScannedCount":4}`},
		{"Query, none", AppendQuery(nil, &api.QueryOutput{}), `{"Count":0,"Items":[],"ScannedCount":0}`},
		{"Scan, count", AppendScan(nil, &api.ScanOutput{OmitItems: true, Count: 2, ScannedCount: 2}), `{"Count":2,"ScannedCount":2}`},
		{"BatchGetItem", AppendBatchGetItem(nil, &api.BatchGetItemOutput{
			Responses: []api.TableItems{{Table: "t", Items: []api.View{whole}}, {Table: "u"}},
			UnprocessedKeys: []api.TableKeys{{Table: "t", KeysAndAttributes: api.KeysAndAttributes{
				Keys: []api.Item{api.SomeItem(key)}, ConsistentRead: api.SomeBool(true), ProjectionExpression: api.Some("#a"),
				ExpressionAttributeNames: []api.Name{{Placeholder: "#a", Target: "n"}}, AttributesToGet: []string{"b"}}}},
			ConsumedCapacity: []api.ConsumedCapacity{*total},
		}), `{"ConsumedCapacity":[{"CapacityUnits":0.5,"TableName":"t"}],"Responses":{"t":[{"pk":{"S":"a"},"n":{"N":"1"}}],"u":[]},` +
			`"UnprocessedKeys":{"t":{"Keys":[{"pk":{"S":"a"}}],"AttributesToGet":["b"],"ConsistentRead":true,"ProjectionExpression":"#a",` +
			`"ExpressionAttributeNames":{"#a":"n"}}}}`},
		{"BatchWriteItem", AppendBatchWriteItem(nil, &api.BatchWriteItemOutput{}), `{"UnprocessedItems":{}}`},
		{"BatchWriteItem, all", AppendBatchWriteItem(nil, &api.BatchWriteItemOutput{
			UnprocessedItems: []api.TableWrites{{Table: "t", Requests: []api.WriteRequest{
				{PutRequest: &api.PutRequest{Item: api.SomeItem(item)}}, {DeleteRequest: &api.DeleteRequest{Key: api.SomeItem(key)}}}}},
			ItemCollectionMetrics: []api.TableMetrics{{Table: "t", Metrics: []api.ItemCollectionMetrics{*metrics}}},
		}), `{"ItemCollectionMetrics":{"t":[` + metricsText + `]},"UnprocessedItems":{"t":[{"PutRequest":{"Item":{"pk":{"S":"a"},"n":{"N":"1"}}}},` +
			`{"DeleteRequest":{"Key":{"pk":{"S":"a"}}}}]}}`},
		{"TransactGetItems", AppendTransactGetItems(nil, &api.TransactGetItemsOutput{Responses: []api.View{whole, {}, nothing}}),
			`{"Responses":[{"Item":{"pk":{"S":"a"},"n":{"N":"1"}}},{},{}]}`},
		{"TransactWriteItems", AppendTransactWriteItems(nil, &api.TransactWriteItemsOutput{}), `{}`},
		{"ExecuteStatement", AppendExecuteStatement(nil, &api.ExecuteStatementOutput{NextToken: "n"}), `{"Items":[],"NextToken":"n"}`},
		{"BatchExecuteStatement", AppendBatchExecuteStatement(nil, &api.BatchExecuteStatementOutput{Responses: []api.BatchStatementResponse{
			{TableName: "t", Item: whole}, {Error: &api.BatchStatementError{Code: "ValidationError", Message: "m"}}}}),
			`{"Responses":[{"Item":{"pk":{"S":"a"},"n":{"N":"1"}},"TableName":"t"},{"Error":{"Code":"ValidationError","Message":"m"}}]}`},
		{"ExecuteTransaction", AppendExecuteTransaction(nil, &api.ExecuteTransactionOutput{}), `{"Responses":[]}`},
		{"ListTables", AppendListTables(nil, &api.ListTablesOutput{TableNames: []string{"a"}, LastEvaluatedTableName: "a"}),
			`{"LastEvaluatedTableName":"a","TableNames":["a"]}`},
		{"DescribeEndpoints", AppendDescribeEndpoints(nil, &api.DescribeEndpointsOutput{Endpoints: []api.Endpoint{{Address: "localhost:8000", CachePeriodInMinutes: 1440}}}),
			`{"Endpoints":[{"Address":"localhost:8000","CachePeriodInMinutes":1440}]}`},
		{"TagResource", AppendTagResource(nil, &api.TagResourceOutput{}), ``},
		{"ListTagsOfResource", AppendListTagsOfResource(nil, &api.ListTagsOfResourceOutput{}), `{"Tags":[]}`},
		{"UpdateTimeToLive", AppendUpdateTimeToLive(nil, &api.UpdateTimeToLiveOutput{TimeToLiveSpecification: &api.TimeToLiveSpecification{
			Enabled: api.SomeBool(true), AttributeName: api.Some("ttl")}}), `{"TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`},
		{"DescribeTimeToLive", AppendDescribeTimeToLive(nil, &api.DescribeTimeToLiveOutput{TimeToLiveDescription: api.TimeToLiveDescription{TimeToLiveStatus: "DISABLED"}}),
			`{"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}}`},
		{"CreateTable", AppendCreateTable(nil, &api.CreateTableOutput{TableDescription: &api.TableDescription{
			TableName: "t", TableStatus: "CREATING", CreationDateTime: at, TableARN: "arn", TableID: "id",
			AttributeDefinitions:  []api.AttributeDefinition{{AttributeName: api.Some("pk"), AttributeType: api.Some("S")}},
			KeySchema:             []api.KeySchemaElement{{AttributeName: api.Some("pk"), KeyType: api.Some("HASH")}},
			BillingModeSummary:    &api.BillingModeSummary{BillingMode: "PAY_PER_REQUEST"},
			ProvisionedThroughput: &api.ProvisionedThroughputDescription{},
			GlobalSecondaryIndexes: []api.GlobalSecondaryIndexDescription{{IndexName: "g", IndexStatus: "CREATING",
				Projection: &api.Projection{ProjectionType: api.Some("INCLUDE"), NonKeyAttributes: []string{"x"}}}},
			LocalSecondaryIndexes: []api.LocalSecondaryIndexDescription{{IndexName: "l"}},
			StreamSpecification:   &api.StreamSpecification{StreamEnabled: api.SomeBool(true), StreamViewType: api.Some("NEW_IMAGE")},
		}}), `{"TableDescription":{"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},` +
			`"CreationDateTime":1791316726.275,"DeletionProtectionEnabled":false,"GlobalSecondaryIndexes":[{"IndexName":"g","IndexSizeBytes":0,` +
			`"IndexStatus":"CREATING","ItemCount":0,"Projection":{"NonKeyAttributes":["x"],"ProjectionType":"INCLUDE"}}],"ItemCount":0,` +
			`"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"LocalSecondaryIndexes":[{"IndexName":"l","IndexSizeBytes":0,"ItemCount":0}],` +
			`"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},` +
			`"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},"TableArn":"arn","TableId":"id","TableName":"t","TableSizeBytes":0,"TableStatus":"CREATING"}}`},
		{"GetRecords", AppendGetRecords(nil, &api.GetRecordsOutput{NextShardIterator: "i", Records: []api.Record{{
			EventID: "e", EventName: "REMOVE", EventVersion: "1.1", EventSource: "aws:dynamodb", AWSRegion: "us-east-1",
			ApproximateCreationDateTime: at, Keys: key, OldImage: item, SequenceNumber: "300", SizeBytes: 9, StreamViewType: "OLD_IMAGE",
			UserIdentity: &api.Identity{PrincipalID: "dynamodb.amazonaws.com", Type: "Service"}}}}),
			`{"NextShardIterator":"i","Records":[{"awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1791316726,"Keys":{"pk":{"S":"a"}},` +
				`"OldImage":{"pk":{"S":"a"},"n":{"N":"1"}},"SequenceNumber":"300","SizeBytes":9,"StreamViewType":"OLD_IMAGE"},"eventID":"e","eventName":"REMOVE",` +
				`"eventSource":"aws:dynamodb","eventVersion":"1.1","userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}}]}`},
		{"GetRecords, none", AppendGetRecords(nil, &api.GetRecordsOutput{}), `{"Records":[]}`},
		{"DescribeStream", AppendDescribeStream(nil, &api.DescribeStreamOutput{StreamDescription: &api.StreamDescription{StreamARN: "a",
			Shards: []api.Shard{{ShardID: "s", StartingSequenceNumber: "1"}}}}),
			`{"StreamDescription":{"Shards":[{"SequenceNumberRange":{"StartingSequenceNumber":"1"},"ShardId":"s"}],"StreamArn":"a"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, string(tt.got)); diff != "" {
				t.Error(diff)
			}
			if tt.want != "" && tt.want[0] == '{' && !json.Valid(tt.got) {
				t.Error("not JSON")
			}
		})
	}
}

// TestAppendError is the table of behaviours/01 §1.3 and wire.md §4.
func TestAppendError(t *testing.T) {
	item := itemOf(t, `{"pk":{"S":"a"}}`).Item
	tests := []struct {
		name string
		err  *api.Error
		want string
	}{
		{"validation", api.Validation(`a "b"`), `{"__type":"com.amazon.coral.validate#ValidationException","message":"a \"b\""}`},
		{"validation, current", api.ValidationBoth("a", "b"),
			`{"__type":"com.amazon.coral.validate#ValidationException","message":"1 validation error detected: b"}`},
		{"malformed", SerializationError(decodeAny(t, "GetItem", "x")), `{"__type":"com.amazon.coral.service#SerializationException"}`},
		{"wrong type", SerializationError(decodeAny(t, "GetItem", `{"TableName":1}`)),
			`{"__type":"com.amazon.coral.service#SerializationException","Message":"NUMBER_VALUE cannot be converted to String"}`},
		{"unknown operation", &api.Error{Code: api.CodeUnknownOperation}, `{"__type":"com.amazon.coral.service#UnknownOperationException"}`},
		{"no token", &api.Error{Code: api.CodeMissingAuthenticationToken, Message: "Request is missing Authentication Token"},
			`{"__type":"com.amazon.coral.service#MissingAuthenticationTokenException","message":"Request is missing Authentication Token"}`},
		{"access denied", &api.Error{Code: api.CodeAccessDenied, Message: "m"},
			`{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"m"}`},
		{"not found", api.ResourceNotFound(""),
			`{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found"}`},
		{"condition", api.ConditionFailed(nil),
			`{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed"}`},
		{"condition with item", api.ConditionFailed(item),
			`{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed","Item":{"pk":{"S":"a"}}}`},
		{"canceled", api.TransactionCanceled([]api.CancellationReason{{Code: "None"},
			{Code: "ConditionalCheckFailed", Message: "The conditional request failed", Item: item}}),
			`{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"Transaction cancelled, please refer cancellation reasons ` +
				`for specific reasons [None, ConditionalCheckFailed]","CancellationReasons":[{"Code":"None"},` +
				`{"Code":"ConditionalCheckFailed","Item":{"pk":{"S":"a"}},"Message":"The conditional request failed"}]}`},
		{"mismatch", &api.Error{Code: api.CodeIdempotentParameterMismatch, Message: "m"},
			`{"__type":"com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException","Message":"m"}`},
		{"throughput", api.Throttled(api.CodeProvisionedThroughputExceeded, "m", api.ThrottlingReason{Reason: "r", Resource: "arn"}),
			`{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"m","ThrottlingReasons":[{"reason":"r","resource":"arn"}]}`},
		{"throttling", api.Throttled(api.CodeThrottling, "m", api.ThrottlingReason{Reason: "r", Resource: "arn"}),
			`{"__type":"com.amazon.coral.availability#ThrottlingException","message":"m","throttlingReasons":[{"reason":"r","resource":"arn"}]}`},
		{"internal", api.Internal(""), `{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":""}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := string(AppendError(nil, tt.err, api.Profile{Current: true, Envelope: true}))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAppendScalars(t *testing.T) {
	for f, want := range map[float64]string{0: "0.0", 1: "1.0", 0.5: "0.5", 1234567: "1234567.0", 1e21: "1000000000000000000000.0"} {
		if got := string(appendDouble(nil, f)); got != want {
			t.Errorf("appendDouble(%v) = %s, want %s", f, got, want)
		}
	}
	for ms, want := range map[int64]string{0: "0", 1791316726275: "1791316726.275", 1791316726480: "1791316726.48", 5: "0.005", 1000: "1", -1500: "-1.5"} {
		if got := string(appendTime(nil, time.UnixMilli(ms))); got != want {
			t.Errorf("appendTime(%d) = %s, want %s", ms, got, want)
		}
	}
	for _, s := range []string{"", "plain", "\x00\x1f\"\\/\n\r\t\u2028é😀", "\xff\xfe"} {
		var back string
		if err := json.Unmarshal(appendString(nil, s), &back); err != nil {
			t.Errorf("%q: %v", s, err)
		} else if want := strings.ToValidUTF8(s, "\uFFFD"); back != want {
			t.Errorf("%q came back as %q", s, back)
		}
	}
}
