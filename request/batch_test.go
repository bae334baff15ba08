package request

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
)

const tableARN = "arn:aws:dynamodb:us-east-1:000000000000:table/"

// keys is one table's part of a BatchGetItem.
func keys(table string, keys ...string) api.TableKeys {
	t := api.TableKeys{Table: table}
	for _, k := range keys {
		t.Keys = append(t.Keys, item(k))
	}
	return t
}

func numberedKeys(table string, from, to int) api.TableKeys {
	t := api.TableKeys{Table: table}
	for i := from; i < to; i++ {
		t.Keys = append(t.Keys, item(fmt.Sprintf(`{"pk":{"N":"%d"}}`, i)))
	}
	return t
}

func TestBatchGetErrors(t *testing.T) {
	with := func(t api.TableKeys, change func(*api.TableKeys)) api.TableKeys {
		change(&t)
		return t
	}
	const duplicates = "Provided list of item keys contains duplicates"
	a := keys("T", `{"pk":{"S":"a"}}`)
	tests := []struct {
		name   string
		tables []api.TableKeys
		want   texts
	}{
		{"none", nil, texts{}},
		{"no keys", []api.TableKeys{{Table: "T"}}, texts{}},
		{"100 keys", []api.TableKeys{numberedKeys("T", 0, 60), numberedKeys("U", 0, 40)}, texts{}},
		{"101 keys", []api.TableKeys{numberedKeys("T", 0, 60), numberedKeys("U", 0, 41)},
			plain("Too many items requested for the BatchGetItem call")},
		{"value", []api.TableKeys{keys("T", `{"pk":{"N":""}}`)}, texts{
			classic: "The parameter cannot be converted to a numeric value",
			current: "The parameter cannot be converted to a numeric value: ", env: true}},
		{"mixed", []api.TableKeys{with(a, func(t *api.TableKeys) {
			t.AttributesToGet, t.ProjectionExpression = []string{"a"}, some("")
		})}, mixed("AttributesToGet", "ProjectionExpression")},
		{"mixed across tables", []api.TableKeys{
			with(a, func(t *api.TableKeys) { t.AttributesToGet = []string{"a"} }),
			with(a, func(t *api.TableKeys) { t.Table, t.ProjectionExpression = "U", some("a") }),
		}, mixed("AttributesToGet", "ProjectionExpression")},
		{"duplicate attribute", []api.TableKeys{with(a, func(t *api.TableKeys) { t.AttributesToGet = []string{"a", "a"} })},
			plain(omitted + "Duplicate value in attribute name: a")},
		{"lone names", []api.TableKeys{with(a, func(t *api.TableKeys) { t.ExpressionAttributeNames = names("#a", "a") })},
			enveloped("ExpressionAttributeNames can only be specified when using expressions")},
		{"projection", []api.TableKeys{with(a, func(t *api.TableKeys) { t.ProjectionExpression = some("") })},
			enveloped("Invalid ProjectionExpression: The expression can not be empty;")},
		{"unused", []api.TableKeys{with(a, func(t *api.TableKeys) {
			t.ProjectionExpression, t.ExpressionAttributeNames = some("a"), names("#a", "a")
		})}, enveloped("Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}")},

		{"same key", []api.TableKeys{keys("T", `{"pk":{"S":"a"}}`, `{"pk":{"S":"b"}}`, `{"pk":{"S":"a"}}`)}, plain(duplicates)},
		{"same number", []api.TableKeys{keys("T", `{"pk":{"N":"1"}}`, `{"pk":{"N":"1.0"}}`)}, plain(duplicates)},
		{"same key, other order", []api.TableKeys{keys("T", `{"pk":{"S":"a"},"sk":{"S":"b"}}`, `{"sk":{"S":"b"},"pk":{"S":"a"}}`)}, plain(duplicates)},
		{"members exchanged", []api.TableKeys{keys("T", `{"pk":{"S":"a"},"sk":{"S":"b"}}`, `{"sk":{"S":"a"},"pk":{"S":"b"}}`)}, texts{}},
		{"other type", []api.TableKeys{keys("T", `{"pk":{"N":"1"}}`, `{"pk":{"S":"1"}}`)}, texts{}},
		{"other table", []api.TableKeys{keys("T", `{"pk":{"S":"a"}}`), keys("U", `{"pk":{"S":"a"}}`)}, texts{}},
		{"same table by its ARN", []api.TableKeys{keys("T", `{"pk":{"S":"a"}}`), keys(tableARN+"T", `{"pk":{"S":"a"}}`)}, plain(duplicates)},

		// One before the other (behaviours/08 §8.1).
		{"first table before second", []api.TableKeys{keys("T", `{"pk":{}}`), with(a, func(t *api.TableKeys) {
			t.AttributesToGet, t.ProjectionExpression = []string{"a"}, some("")
		})}, plain(emptyValue)},
		{"projection before key", []api.TableKeys{with(keys("T", `{"pk":{}}`), func(t *api.TableKeys) { t.ProjectionExpression = some("") })},
			enveloped("Invalid ProjectionExpression: The expression can not be empty;")},
		{"across tables before count", []api.TableKeys{
			with(numberedKeys("T", 0, 100), func(t *api.TableKeys) { t.AttributesToGet = []string{"a"} }),
			with(a, func(t *api.TableKeys) { t.Table, t.ProjectionExpression = "U", some("a") }),
		}, mixed("AttributesToGet", "ProjectionExpression")},
		{"count before duplicates", []api.TableKeys{numberedKeys("T", 0, 100), numberedKeys(tableARN+"T", 0, 1)},
			plain("Too many items requested for the BatchGetItem call")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := single.BatchGet(&api.BatchGetItemInput{RequestItems: test.tables}, scope)
			wantError(t, err, test.want)
		})
	}
}

func TestBatchGet(t *testing.T) {
	in := &api.BatchGetItemInput{RequestItems: []api.TableKeys{keys(tableARN+"T", `{"pk":{"S":"a"}}`, `{"pk":{"S":"b"}}`), keys("U")},
		ReturnConsumedCapacity: some("TOTAL")}
	in.RequestItems[0].ConsistentRead = api.SomeBool(true)
	in.RequestItems[0].ProjectionExpression = some("a")
	cmd, err := single.BatchGet(in, scope)
	if err != nil {
		t.Fatal(err)
	}
	first, second := cmd.Tables[0], cmd.Tables[1]
	if first.Table != "T" || len(first.Keys) != 2 || !first.Consistent || first.Request != &in.RequestItems[0] ||
		!cmp.Equal(paths(first.Projection), []string{"[a]"}) || second.Table != "U" || second.Consistent ||
		second.Projection != nil || cmd.Capacity != api.CapacityTotal {
		t.Errorf("wrong command %+v", cmd)
	}
}

func putOf(text string) api.WriteRequest {
	return api.WriteRequest{PutRequest: &api.PutRequest{Item: item(text)}}
}

func deleteOf(text string) api.WriteRequest {
	return api.WriteRequest{DeleteRequest: &api.DeleteRequest{Key: item(text)}}
}

func TestBatchWriteErrors(t *testing.T) {
	const (
		tooMany = "Too many items requested for the BatchWriteItem call"
		notOne  = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
	)
	many := func(n int) []api.WriteRequest {
		var list []api.WriteRequest
		for i := range n {
			list = append(list, putOf(fmt.Sprintf(`{"pk":{"N":"%d"}}`, i)))
		}
		return list
	}
	large := api.WriteRequest{PutRequest: &api.PutRequest{Item: sized(409601)}}
	twice := putOf(`{"pk":{"S":"a"}}`)
	twice.DeleteRequest = deleteOf(`{"pk":{"S":"a"}}`).DeleteRequest
	tests := []struct {
		name   string
		tables []api.TableWrites
		want   texts
	}{
		{"none", nil, texts{}},
		{"25", []api.TableWrites{{Table: "T", Requests: many(20)}, {Table: "U", Requests: many(5)}}, texts{}},
		{"26", []api.TableWrites{{Table: "T", Requests: many(20)}, {Table: "U", Requests: many(6)}}, plain(tooMany)},
		{"neither", []api.TableWrites{{Table: "T", Requests: []api.WriteRequest{{}}}}, plain(notOne)},
		{"both", []api.TableWrites{{Table: "T", Requests: []api.WriteRequest{twice}}}, plain(notOne)},
		{"value of a put", []api.TableWrites{{Table: "T", Requests: []api.WriteRequest{putOf(`{"pk":{"NULL":false}}`)}}},
			enveloped(omitted + "Null attribute value types must have the value of true")},
		{"value of a key", []api.TableWrites{{Table: "T", Requests: []api.WriteRequest{deleteOf(`{"pk":{}}`)}}}, plain(emptyValue)},
		{"deep", []api.TableWrites{{Table: "T", Requests: []api.WriteRequest{putOf(`{"pk":` + nested(32) + `}`)}}},
			enveloped("Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit")},
		{"large", []api.TableWrites{{Table: "T", Requests: []api.WriteRequest{large}}}, plain("Item size has exceeded the maximum allowed size")},

		{"neither before values", []api.TableWrites{{Table: "T", Requests: []api.WriteRequest{putOf(`{"pk":{}}`), {}}}}, plain(notOne)},
		{"first table before second", []api.TableWrites{{Table: "T", Requests: []api.WriteRequest{large}},
			{Table: "U", Requests: []api.WriteRequest{{}}}}, plain("Item size has exceeded the maximum allowed size")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := single.BatchWrite(&api.BatchWriteItemInput{RequestItems: test.tables}, scope)
			wantError(t, err, test.want)
		})
	}
}

func TestBatchWrite(t *testing.T) {
	cmd, err := single.BatchWrite(&api.BatchWriteItemInput{
		RequestItems: []api.TableWrites{
			{Table: "T", Requests: []api.WriteRequest{putOf(`{"pk":{"S":"a"}}`), deleteOf(`{"pk":{"S":"b"}}`)}},
			{Table: "U"},
			{Table: tableARN + "T", Requests: []api.WriteRequest{putOf(`{"pk":{"S":"c"}}`)}},
		},
		ReturnConsumedCapacity:      some("INDEXES"),
		ReturnItemCollectionMetrics: some("SIZE"),
	}, scope)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, table := range cmd.Tables {
		got = append(got, table.Table)
		for _, r := range table.Requests {
			if r.Put != nil {
				got = append(got, "put "+r.Put.Text())
			}
			if r.Delete != nil {
				got = append(got, "delete "+r.Delete.Text())
			}
		}
	}
	want := []string{"T", `put {"pk":{"S":"a"}}`, `delete {"pk":{"S":"b"}}`, `put {"pk":{"S":"c"}}`, "U"}
	if diff := cmp.Diff(want, got); diff != "" || cmd.Capacity != api.CapacityIndexes || !cmd.Metrics {
		t.Errorf("command %+v (-want +got):\n%s", cmd, diff)
	}
}
