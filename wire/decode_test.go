package wire

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
)

// byText compares items and values by their canonical text.
var byText = cmp.Options{
	cmp.Comparer(func(a, b *attr.Item) bool {
		return (a == nil) == (b == nil) && (a == nil || a.Text() == b.Text())
	}),
	cmp.Comparer(func(a, b attr.Value) bool { return a.Text() == b.Text() }),
	cmp.Comparer(func(a, b *attr.Fault) bool {
		return (a == nil) == (b == nil) && (a == nil || a.Error() == b.Error())
	}),
}

func itemOf(t testing.TB, text string) api.Item {
	t.Helper()
	it, err := attr.ParseItem(text)
	if err != nil {
		t.Fatal(err)
	}
	return api.SomeItem(it)
}

func valueOf(t testing.TB, text string) api.Value {
	t.Helper()
	v, err := attr.ParseValue(text)
	if err != nil {
		t.Fatal(err)
	}
	return api.Value{Value: v, Set: true}
}

func decoded[T any](t *testing.T, decode func(string, *T) error, body string) *T {
	t.Helper()
	in := new(T)
	if err := decode(body, in); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return in
}

func TestDecodeItems(t *testing.T) {
	key := itemOf(t, `{"pk":{"S":"a"}}`)
	s, n := valueOf(t, `{"S":"x"}`), valueOf(t, `{"N":"100"}`)
	check := func(name string, want, got any) {
		t.Helper()
		if diff := cmp.Diff(want, got, byText); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}

	check("GetItem", &api.GetItemInput{
		TableName: api.Some("t"), Key: key, AttributesToGet: []string{"a", "b"}, ConsistentRead: api.SomeBool(true),
		ReturnConsumedCapacity: api.Some("TOTAL"), ProjectionExpression: api.Some("#a"),
		ExpressionAttributeNames: []api.Name{{Placeholder: "#a", Target: "a\"b"}},
	}, decoded(t, DecodeGetItem, `{"ExpressionAttributeNames":{"#a":"a\"b"},"TableName":"t","Key":{"pk":{"S":"a"}},
		"AttributesToGet":["a","b"],"ConsistentRead":true,"ReturnConsumedCapacity":"TOTAL","ProjectionExpression":"#a","Other":{}}`))

	check("PutItem", &api.PutItemInput{
		TableName: api.Some("t"), Item: key, ConditionalOperator: api.Some("AND"), ReturnValues: api.Some("NONE"),
		ReturnItemCollectionMetrics: api.Some("SIZE"), ConditionExpression: api.Some(""),
		ReturnValuesOnConditionCheckFailure: api.Some("ALL_OLD"),
		Expected: []api.NamedExpected{
			{Name: "b", ExpectedAttributeValue: api.ExpectedAttributeValue{Exists: api.SomeBool(false)}},
			{Name: "a", ExpectedAttributeValue: api.ExpectedAttributeValue{
				Value: s, ComparisonOperator: api.Some("EQ"), AttributeValueList: []api.Value{s, n}}},
		},
		ExpressionAttributeValues: []api.NamedValue{{Name: ":v", Value: n.Value}, {Name: ":a", Value: s.Value}},
		ExpressionAttributeNames:  []api.Name{},
	}, decoded(t, DecodePutItem, `{"TableName":"t","Item":{"pk":{"S":"a"}},"ConditionalOperator":"AND","ReturnValues":"NONE",
		"ReturnItemCollectionMetrics":"SIZE","ConditionExpression":"","ReturnValuesOnConditionCheckFailure":"ALL_OLD",
		"Expected":{"b":{"Exists":false},"a":{"Value":{"S":"x"},"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"},{"N":"1e2"}]}},
		"ExpressionAttributeValues":{":v":{"N":"1E2"},":a":{"S":"x"}},"ExpressionAttributeNames":{}}`))

	check("UpdateItem", &api.UpdateItemInput{
		TableName: api.Some("t"), Key: key, UpdateExpression: api.Some("SET a = :v"),
		AttributeUpdates: []api.NamedUpdate{
			{Name: "x", AttributeValueUpdate: api.AttributeValueUpdate{Action: api.Some("DELETE")}},
			{Name: "y", AttributeValueUpdate: api.AttributeValueUpdate{Value: s}},
		},
	}, decoded(t, DecodeUpdateItem, `{"TableName":"t","Key":{"pk":{"S":"a"}},"UpdateExpression":"SET a = :v",
		"AttributeUpdates":{"x":{"Action":"DELETE"},"y":{"Value":{"S":"x"}}}}`))

	check("DeleteItem", &api.DeleteItemInput{TableName: api.Some("t"), Key: key, ReturnValues: api.Some("ALL_OLD")},
		decoded(t, DecodeDeleteItem, `{"TableName":"t","Key":{"pk":{"S":"a"}},"ReturnValues":"ALL_OLD"}`))

	condition := []api.NamedCondition{{Name: "pk", Condition: api.Condition{
		ComparisonOperator: api.Some("EQ"), AttributeValueList: []api.Value{s}}}}
	check("Query", &api.QueryInput{
		TableName: api.Some("t"), IndexName: api.Some("idx"), Limit: api.SomeInt(5), ScanIndexForward: api.SomeBool(false),
		KeyConditions: condition, QueryFilter: []api.NamedCondition{}, ExclusiveStartKey: key,
		KeyConditionExpression: api.Some("a"), FilterExpression: api.Some("b"), Select: api.Some("COUNT"),
	}, decoded(t, DecodeQuery, `{"TableName":"t","IndexName":"idx","Limit":5.7,"ScanIndexForward":"no",
		"KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}},"QueryFilter":{},
		"ExclusiveStartKey":{"pk":{"S":"a"}},"KeyConditionExpression":"a","FilterExpression":"b","Select":"COUNT"}`))

	check("Scan", &api.ScanInput{TableName: api.Some("t"), ScanFilter: condition, TotalSegments: api.SomeInt(4), Segment: api.SomeInt(0)},
		decoded(t, DecodeScan, `{"TableName":"t","TotalSegments":4,"Segment":0,
		"ScanFilter":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}}}`))
}

func TestDecodeFaults(t *testing.T) {
	in := decoded(t, DecodePutItem, `{"Item":{"a":{"NULL":false}},"ExpressionAttributeValues":{":v":{"SS":[]},":w":{"S":""}}}`)
	if !in.Item.Set || in.Item.Fault == nil || in.Item.Item != nil {
		t.Errorf("item: %+v", in.Item)
	}
	if v := in.ExpressionAttributeValues; len(v) != 2 || v[0].Fault == nil || v[1].Fault != nil {
		t.Errorf("values: %+v", v)
	}
	get := decoded(t, DecodeBatchGetItem, `{"RequestItems":{"t":{"Keys":[{"a":{"N":"x"}},{"a":{"N":"1"}}]}}}`)
	if k := get.RequestItems[0].Keys; k[0].Fault == nil || k[1].Fault != nil {
		t.Errorf("keys: %+v", k)
	}
}

func TestDecodeBatches(t *testing.T) {
	a, b := itemOf(t, `{"pk":{"S":"a"}}`), itemOf(t, `{"pk":{"S":"b"}}`)
	get := decoded(t, DecodeBatchGetItem, `{"RequestItems":{"t":{"Keys":[{"pk":{"S":"a"}},{"pk":{"S":"b"}}],"ConsistentRead":true,
		"ExpressionAttributeNames":{"#a":"b"}},"u":{"Keys":[],"AttributesToGet":["x"]}},"ReturnConsumedCapacity":"NONE"}`)
	if diff := cmp.Diff(&api.BatchGetItemInput{
		RequestItems: []api.TableKeys{
			{Table: "t", KeysAndAttributes: api.KeysAndAttributes{Keys: []api.Item{a, b}, ConsistentRead: api.SomeBool(true),
				ExpressionAttributeNames: []api.Name{{Placeholder: "#a", Target: "b"}}}},
			{Table: "u", KeysAndAttributes: api.KeysAndAttributes{Keys: []api.Item{}, AttributesToGet: []string{"x"}}},
		},
		ReturnConsumedCapacity: api.Some("NONE"),
	}, get, byText); diff != "" {
		t.Error(diff)
	}
	write := decoded(t, DecodeBatchWriteItem, `{"RequestItems":{"t":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"b"}}}}]}}`)
	if diff := cmp.Diff(&api.BatchWriteItemInput{RequestItems: []api.TableWrites{{Table: "t", Requests: []api.WriteRequest{
		{PutRequest: &api.PutRequest{Item: a}}, {DeleteRequest: &api.DeleteRequest{Key: b}},
	}}}}, write, byText); diff != "" {
		t.Error(diff)
	}
	tx := decoded(t, DecodeTransactWriteItems, `{"ClientRequestToken":"k","TransactItems":[
		{"Put":{"TableName":"t","Item":{"pk":{"S":"a"}}}},{"Update":{"TableName":"t","Key":{"pk":{"S":"b"}},"UpdateExpression":"SET a = :v",
		"ExpressionAttributeValues":{":v":{"S":"x"}}}},{"Delete":{"TableName":"t","Key":{"pk":{"S":"b"}}}},
		{"ConditionCheck":{"TableName":"t","Key":{"pk":{"S":"b"}},"ConditionExpression":"c","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}}]}`)
	if diff := cmp.Diff(&api.TransactWriteItemsInput{ClientRequestToken: api.Some("k"), TransactItems: []api.TransactWriteItem{
		{Put: &api.Put{TableName: api.Some("t"), Item: a}},
		{Update: &api.Update{TableName: api.Some("t"), Key: b, UpdateExpression: api.Some("SET a = :v"),
			ExpressionAttributeValues: []api.NamedValue{{Name: ":v", Value: valueOf(t, `{"S":"x"}`).Value}}}},
		{Delete: &api.Delete{TableName: api.Some("t"), Key: b}},
		{ConditionCheck: &api.ConditionCheck{TableName: api.Some("t"), Key: b, ConditionExpression: api.Some("c"),
			ReturnValuesOnConditionCheckFailure: api.Some("ALL_OLD")}},
	}}, tx, byText); diff != "" {
		t.Error(diff)
	}
	read := decoded(t, DecodeTransactGetItems, `{"TransactItems":[{"Get":{"TableName":"t","Key":{"pk":{"S":"a"}},"ProjectionExpression":"p"}}]}`)
	if diff := cmp.Diff(&api.TransactGetItemsInput{TransactItems: []api.TransactGetItem{
		{Get: &api.Get{TableName: api.Some("t"), Key: a, ProjectionExpression: api.Some("p")}},
	}}, read, byText); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeTables(t *testing.T) {
	in := decoded(t, DecodeCreateTable, `{"TableName":"abc","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2},
		"LocalSecondaryIndexes":[],"GlobalSecondaryIndexes":[{"IndexName":"idx","KeySchema":[],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]},
		"OnDemandThroughput":{"MaxReadRequestUnits":-1}}],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"},
		"SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"k"},"Tags":[{"Key":"k","Value":""}],"DeletionProtectionEnabled":true,
		"WarmThroughput":{"ReadUnitsPerSecond":3},"ResourcePolicy":"{}","GlobalTableSourceArn":"x"}`)
	want := &api.CreateTableInput{
		TableName:             api.Some("abc"),
		AttributeDefinitions:  []api.AttributeDefinition{{AttributeName: api.Some("a"), AttributeType: api.Some("S")}},
		KeySchema:             []api.KeySchemaElement{{AttributeName: api.Some("a"), KeyType: api.Some("HASH")}},
		BillingMode:           api.Some("PROVISIONED"),
		ProvisionedThroughput: &api.ProvisionedThroughput{ReadCapacityUnits: api.SomeInt(1), WriteCapacityUnits: api.SomeInt(2)},
		LocalSecondaryIndexes: []api.LocalSecondaryIndex{},
		GlobalSecondaryIndexes: []api.GlobalSecondaryIndex{{IndexName: api.Some("idx"), KeySchema: []api.KeySchemaElement{},
			Projection:         &api.Projection{ProjectionType: api.Some("INCLUDE"), NonKeyAttributes: []string{"x"}},
			OnDemandThroughput: &api.OnDemandThroughput{MaxReadRequestUnits: api.SomeInt(-1)}}},
		StreamSpecification:       &api.StreamSpecification{StreamEnabled: api.SomeBool(true), StreamViewType: api.Some("KEYS_ONLY")},
		SSESpecification:          &api.SSESpecification{Enabled: api.SomeBool(true), SSEType: api.Some("KMS"), KMSMasterKeyID: api.Some("k")},
		Tags:                      []api.Tag{{Key: api.Some("k"), Value: api.Some("")}},
		DeletionProtectionEnabled: api.SomeBool(true),
		WarmThroughput:            &api.WarmThroughput{ReadUnitsPerSecond: api.SomeInt(3)},
		ResourcePolicy:            api.Some("{}"),
		GlobalTableSourceARN:      api.Some("x"),
	}
	if diff := cmp.Diff(want, in); diff != "" {
		t.Error(diff)
	}
	it := decoded(t, DecodeGetShardIterator, `{"StreamArn":"a","Timestamp":1791316726.48}`)
	if want := time.Date(2026, 10, 6, 19, 58, 46, 480e6, time.UTC); !it.Timestamp.Value.Equal(want) || !it.Timestamp.Set {
		t.Errorf("got %v, want %v", it.Timestamp.Value, want)
	}
}

// TestDecodeReuse decodes two requests into one input, as the server does.
func TestDecodeReuse(t *testing.T) {
	var in api.PutItemInput
	if err := DecodePutItem(`{"ReturnValues":"NONE","ExpressionAttributeNames":{"#a":"x","#b":"y"},"ExpressionAttributeValues":{":v":{"S":"x"}}}`, &in); err != nil {
		t.Fatal(err)
	}
	names := &in.ExpressionAttributeNames[0]
	in.Reset()
	if err := DecodePutItem(`{"ExpressionAttributeNames":{"#c":"z"}}`, &in); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]api.Name{{Placeholder: "#c", Target: "z"}}, in.ExpressionAttributeNames); diff != "" {
		t.Error(diff)
	}
	if names != &in.ExpressionAttributeNames[0] {
		t.Error("storage is not reused")
	}
	if in.ReturnValues.Set || in.ExpressionAttributeValues != nil {
		t.Error("members of the first request are left")
	}
}
