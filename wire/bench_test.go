package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dynalite-go/dynalite/api"
)

const (
	getBody = `{"TableName":"orders","Key":{"pk":{"S":"customer#0001234"},"sk":{"S":"order#2026-11-30"}},` +
		`"ConsistentRead":true,"ReturnConsumedCapacity":"TOTAL"}`
	queryBody = `{"TableName":"orders","IndexName":"by-date","KeyConditionExpression":"#pk = :pk AND begins_with(#sk, :sk)",` +
		`"FilterExpression":"#total > :min","ExpressionAttributeNames":{"#pk":"pk","#sk":"sk","#total":"total"},` +
		`"ExpressionAttributeValues":{":pk":{"S":"customer#0001234"},":sk":{"S":"order#2026"},":min":{"N":"100"}},` +
		`"Limit":20,"ScanIndexForward":false}`
	updateBody = `{"TableName":"orders","Key":{"pk":{"S":"customer#0001234"},"sk":{"S":"order#2026-11-30"}},` +
		`"UpdateExpression":"SET #n = #n + :one, #s = :s","ConditionExpression":"attribute_exists(pk)",` +
		`"ExpressionAttributeNames":{"#n":"count","#s":"status"},"ExpressionAttributeValues":{":one":{"N":"1"},":s":{"S":"SHIPPED"}},` +
		`"ReturnValues":"ALL_NEW"}`
)

// benchItem is an item of 10 attributes and about 1 KB of text.
func benchItem() string {
	var b strings.Builder
	b.WriteString(`{"pk":{"S":"customer#0001234"},"sk":{"S":"order#2026-11-30"},"total":{"N":"199.95"},"paid":{"BOOL":true},` +
		`"tags":{"SS":["a","b","c"]},"lines":{"L":[{"M":{"sku":{"S":"abc-1"},"n":{"N":"2"}}},{"M":{"sku":{"S":"abc-2"},"n":{"N":"1"}}}]}`)
	for i := range 4 {
		fmt.Fprintf(&b, `,"text%d":{"S":"%s"}`, i, strings.Repeat("x", 160))
	}
	b.WriteString(`}`)
	return b.String()
}

func putBody() string {
	return `{"TableName":"orders","Item":` + benchItem() + `,"ConditionExpression":"attribute_not_exists(#pk)",` +
		`"ExpressionAttributeNames":{"#pk":"pk"},"ReturnValues":"NONE"}`
}

func benchDecode[T any](b *testing.B, body string, decode func(string, *T) error, check func(*T) []api.Violation, reset func(*T)) {
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	var in T
	for b.Loop() {
		reset(&in)
		if err := decode(body, &in); err != nil {
			b.Fatal(err)
		}
		if vs := check(&in); vs != nil {
			b.Fatal(vs)
		}
	}
}

func BenchmarkDecodeGetItem(b *testing.B) {
	benchDecode(b, getBody, DecodeGetItem, CheckGetItem, (*api.GetItemInput).Reset)
}

func BenchmarkDecodePutItem(b *testing.B) {
	benchDecode(b, putBody(), DecodePutItem, CheckPutItem, (*api.PutItemInput).Reset)
}

func BenchmarkDecodeUpdateItem(b *testing.B) {
	benchDecode(b, updateBody, DecodeUpdateItem, CheckUpdateItem, (*api.UpdateItemInput).Reset)
}

func BenchmarkDecodeQuery(b *testing.B) {
	benchDecode(b, queryBody, DecodeQuery, CheckQuery, (*api.QueryInput).Reset)
}

func BenchmarkCheckPutItem(b *testing.B) {
	var in api.PutItemInput
	if err := DecodePutItem(putBody(), &in); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		CheckPutItem(&in)
	}
}

func BenchmarkAppendPage(b *testing.B) {
	item := itemOf(b, benchItem()).Item
	out := &api.QueryOutput{Count: 20, ScannedCount: 20, LastEvaluatedKey: itemOf(b, `{"pk":{"S":"a"}}`).Item,
		ConsumedCapacity: &api.ConsumedCapacity{TableName: "orders", CapacityUnits: 2.5}}
	for range 20 {
		out.Items = append(out.Items, api.View{Item: item})
	}
	dst := AppendQuery(nil, out)
	b.ReportAllocs()
	b.SetBytes(int64(len(dst)))
	for b.Loop() {
		dst = AppendQuery(dst[:0], out)
	}
}

func BenchmarkAppendError(b *testing.B) {
	err := api.ConditionFailed(nil)
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = AppendError(dst[:0], err, api.Profile{})
	}
}

// TestAllocations holds what decoding a request may allocate: three objects per item or key, one per value of an
// expression, nothing for the rest.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("pools are not reliable under the race detector")
	}
	run := func(name string, want float64, f func()) {
		t.Helper()
		f()
		if got := testing.AllocsPerRun(100, f); got > want {
			t.Errorf("%s: %v allocations, want at most %v", name, got, want)
		}
	}
	var get api.GetItemInput
	run("GetItem", 3, func() { get.Reset(); _ = DecodeGetItem(getBody, &get); CheckGetItem(&get) })
	var put api.PutItemInput
	body := putBody()
	run("PutItem", 3, func() { put.Reset(); _ = DecodePutItem(body, &put); CheckPutItem(&put) })
	var update api.UpdateItemInput
	run("UpdateItem", 5, func() { update.Reset(); _ = DecodeUpdateItem(updateBody, &update); CheckUpdateItem(&update) })
	var query api.QueryInput
	run("Query", 3, func() { query.Reset(); _ = DecodeQuery(queryBody, &query); CheckQuery(&query) })
}
