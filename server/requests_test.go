package server

import (
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/clock"
	"github.com/dynalite-go/dynalite/engine"
)

// validRequest is a request that succeeds against the world of newWorld. In its body stand $TABLE for the ARN of Main,
// $STREAM, $SHARD, $SEQUENCE and $ITERATOR for parts of the stream of Main.
type validRequest struct {
	op   string // with the prefix Streams. for operations of the streams service
	body string
}

// target is the X-Amz-Target of the request.
func (r validRequest) target() string {
	if op, ok := strings.CutPrefix(r.op, "Streams."); ok {
		return targetStreams + op
	}
	return targetData + r.op
}

// world are the requests that make the tables which the others work on.
var world = []validRequest{
	{"CreateTable", `{"TableName":"Main","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[
		{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"l","AttributeType":"B"},
		{"AttributeName":"g","AttributeType":"S"},{"AttributeName":"h","AttributeType":"N"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
		"LocalSecondaryIndexes":[{"IndexName":"local","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],
			"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["n"]}}],
		"GlobalSecondaryIndexes":[
			{"IndexName":"global","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}},
			{"IndexName":"many","KeySchema":[{"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"h","KeyType":"HASH"},
				{"AttributeName":"pk","KeyType":"RANGE"},{"AttributeName":"sk","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}],
		"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}`},
	{"CreateTable", `{"TableName":"Other","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5}}`},
	{"CreateTable", `{"TableName":"Numbers","AttributeDefinitions":[{"AttributeName":"n","AttributeType":"N"},{"AttributeName":"b","AttributeType":"B"}],
		"KeySchema":[{"AttributeName":"n","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}],"BillingMode":"PAY_PER_REQUEST"}`},
	{"UpdateTimeToLive", `{"TableName":"Main","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}}`},
	{"TagResource", `{"ResourceArn":"$TABLE","Tags":[{"Key":"a","Value":"b"},{"Key":"empty","Value":""}]}`},
	{"PutItem", `{"TableName":"Main","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"l":{"B":"AAE="},"g":{"S":"x"},"h":{"N":"1"},"n":{"N":"10"},
		"m":{"M":{"x":{"L":[{"N":"1"},{"S":"two"},{"M":{"deep":{"BOOL":true}}}]},"y":{"S":"why"}}},"ss":{"SS":["p","q"]},"ns":{"NS":["1","2.5"]},"bs":{"BS":["AA==","AQ=="]}}}`},
	{"PutItem", `{"TableName":"Main","Item":{"pk":{"S":"a"},"sk":{"N":"2"},"l":{"B":"AAI="},"g":{"S":"x"},"h":{"N":"2"},"text":{"S":"é\"\\\n🚀"},"none":{"NULL":true}}}`},
	{"PutItem", `{"TableName":"Main","Item":{"pk":{"S":"a"},"sk":{"N":"-3.5"},"g":{"S":"y"},"lst":{"L":[{"N":"1"},{"N":"2"},{"N":"3"}]}}}`},
	{"PutItem", `{"TableName":"Main","Item":{"pk":{"S":"b"},"sk":{"N":"1"},"l":{"B":"AAM="},"ttl":{"N":"4000000000"}}}`},
	{"PutItem", `{"TableName":"Other","Item":{"id":{"S":"1"},"units":{"N":"3"}}}`},
	{"PutItem", `{"TableName":"Numbers","Item":{"n":{"N":"1"},"b":{"B":"AA=="},"v":{"S":"one"}}}`},
	{"TransactWriteItems", `{"ClientRequestToken":"known","TransactItems":[{"Put":{"TableName":"Other","Item":{"id":{"S":"2"}}}}]}`},
}

// validRequests has at least one request of every operation, and one of every form of the bigger ones.
var validRequests = []validRequest{
	{"GetItem", `{"TableName":"Main","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"ConsistentRead":true,"ReturnConsumedCapacity":"INDEXES",
		"ProjectionExpression":"#m.x[2].deep, n, m.y","ExpressionAttributeNames":{"#m":"m"}}`},
	{"GetItem", `{"TableName":"Main","Key":{"pk":{"S":"a"},"sk":{"N":"1.0"}},"AttributesToGet":["n","ss"]}`},
	{"GetItem", `{"TableName":"Numbers","Key":{"n":{"N":"1e0"},"b":{"B":"AA=="}}}`},
	{"PutItem", `{"TableName":"Main","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"z"},"new":{"L":[{"M":{}},{"BOOL":false}]},"ttl":{"N":"4e9"}},
		"ConditionExpression":"attribute_exists(pk) AND (#n BETWEEN :lo AND :hi OR contains(ss, :s)) AND NOT begins_with(m.y, :s)",
		"ExpressionAttributeNames":{"#n":"n"},"ExpressionAttributeValues":{":lo":{"N":"1"},":hi":{"N":"1e2"},":s":{"S":"p"}},
		"ReturnValues":"ALL_OLD","ReturnValuesOnConditionCheckFailure":"ALL_OLD","ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE"}`},
	{"PutItem", `{"TableName":"Other","Item":{"id":{"S":"1"}},"Expected":{"units":{"ComparisonOperator":"GE","AttributeValueList":[{"N":"3"}]},
		"gone":{"Exists":false}},"ConditionalOperator":"AND"}`},
	{"PutItem", `{"TableName":"Numbers","Item":{"n":{"N":"1E-130"},"b":{"B":"/w=="},"ns":{"NS":["1","-0.5"]},"bs":{"BS":["AA==",""]},"ss":{"SS":[""]},"null":{"NULL":true}}}`},
	{"UpdateItem", `{"TableName":"Main","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},
		"UpdateExpression":"SET n = n + :one, #m.x[0] = if_not_exists(gone, :one), lst = list_append(:l, m.x), g = :g REMOVE m.y, l ADD ns :ns, cnt :one DELETE ss :ss",
		"ConditionExpression":"size(ss) >= :one AND n IN (:one, :ten) AND attribute_type(m, :t) AND n <> cnt",
		"ExpressionAttributeNames":{"#m":"m"},
		"ExpressionAttributeValues":{":one":{"N":"1"},":ten":{"N":"10"},":l":{"L":[{"S":"x"}]},":g":{"S":"w"},":ns":{"NS":["7"]},":ss":{"SS":["p"]},":t":{"S":"M"}},
		"ReturnValues":"UPDATED_NEW","ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE"}`},
	{"UpdateItem", `{"TableName":"Main","Key":{"pk":{"S":"a"},"sk":{"N":"-3.5"}},"UpdateExpression":"REMOVE lst[1], lst[0] SET lst[9] = :v","ExpressionAttributeValues":{":v":{"S":"end"}},"ReturnValues":"ALL_NEW"}`},
	{"UpdateItem", `{"TableName":"Other","Key":{"id":{"S":"new"}},"AttributeUpdates":{"n":{"Action":"ADD","Value":{"N":"1"}},"s":{"Action":"PUT","Value":{"S":"x"}},"d":{"Action":"DELETE"}},
		"Expected":{"n":{"ComparisonOperator":"NULL"}},"ReturnValues":"ALL_OLD"}`},
	{"UpdateItem", `{"TableName":"Other","Key":{"id":{"S":"bare"}}}`},
	{"DeleteItem", `{"TableName":"Main","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"ConditionExpression":"m.x[1] = :two OR size(m.x) < n","ExpressionAttributeValues":{":two":{"S":"two"}},
		"ReturnValues":"ALL_OLD","ReturnConsumedCapacity":"TOTAL"}`},
	{"DeleteItem", `{"TableName":"Other","Key":{"id":{"S":"1"}},"Expected":{"units":{"Value":{"N":"3"}}}}`},
	{"Query", `{"TableName":"Main","KeyConditionExpression":"pk = :pk AND sk BETWEEN :lo AND :hi","FilterExpression":"attribute_exists(g) AND NOT contains(#t, :x)",
		"ProjectionExpression":"pk, sk, m.x[0]","ExpressionAttributeNames":{"#t":"text"},
		"ExpressionAttributeValues":{":pk":{"S":"a"},":lo":{"N":"-10"},":hi":{"N":"10"},":x":{"S":"zzz"}},"Limit":2,"ScanIndexForward":false,"ConsistentRead":true,"ReturnConsumedCapacity":"INDEXES"}`},
	{"Query", `{"TableName":"Main","IndexName":"many","KeyConditionExpression":"g = :g AND h = :h AND begins_with(pk, :p)",
		"ExpressionAttributeValues":{":g":{"S":"x"},":h":{"N":"1"},":p":{"S":"a"}},"Select":"ALL_PROJECTED_ATTRIBUTES"}`},
	{"Query", `{"TableName":"Main","IndexName":"local","KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]},"l":{"ComparisonOperator":"GT","AttributeValueList":[{"B":"AA=="}]}},
		"QueryFilter":{"n":{"ComparisonOperator":"NOT_NULL"},"g":{"ComparisonOperator":"NE","AttributeValueList":[{"S":"q"}]}},"AttributesToGet":["n","pk"],"ConditionalOperator":"OR"}`},
	{"Query", `{"TableName":"Main","IndexName":"global","KeyConditionExpression":"g = :g","ExpressionAttributeValues":{":g":{"S":"x"}},"Select":"COUNT",
		"ExclusiveStartKey":{"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"x"}}}`},
	{"Scan", `{"TableName":"Main","FilterExpression":"attribute_not_exists(#ttl) OR #ttl > :t","ExpressionAttributeNames":{"#ttl":"ttl"},"ExpressionAttributeValues":{":t":{"N":"1"}},"Limit":3,"Segment":0,"TotalSegments":2,"ReturnConsumedCapacity":"TOTAL"}`},
	{"Scan", `{"TableName":"Main","IndexName":"global","ScanFilter":{"h":{"ComparisonOperator":"IN","AttributeValueList":[{"N":"1"},{"N":"2"}]},"g":{"ComparisonOperator":"BEGINS_WITH","AttributeValueList":[{"S":"x"}]}},
		"ConditionalOperator":"AND","AttributesToGet":["pk"]}`},
	{"Scan", `{"TableName":"Main","ExclusiveStartKey":{"pk":{"S":"a"},"sk":{"N":"1"}},"Select":"SPECIFIC_ATTRIBUTES","ProjectionExpression":"#a","ExpressionAttributeNames":{"#a":"text"},"ConsistentRead":true}`},
	{"BatchGetItem", `{"RequestItems":{"Main":{"Keys":[{"pk":{"S":"a"},"sk":{"N":"1"}},{"pk":{"S":"none"},"sk":{"N":"0"}}],"ConsistentRead":true,
		"ProjectionExpression":"#n, m.y","ExpressionAttributeNames":{"#n":"n"}},"Other":{"Keys":[{"id":{"S":"1"}}]}},"ReturnConsumedCapacity":"TOTAL"}`},
	{"BatchWriteItem", `{"RequestItems":{"Main":[{"PutRequest":{"Item":{"pk":{"S":"c"},"sk":{"N":"1"},"l":{"B":"AA=="}}}},{"DeleteRequest":{"Key":{"pk":{"S":"a"},"sk":{"N":"1"}}}}],
		"Other":[{"DeleteRequest":{"Key":{"id":{"S":"1"}}}}]},"ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE"}`},
	{"TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"Main","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"ProjectionExpression":"#n","ExpressionAttributeNames":{"#n":"n"}}},
		{"Get":{"TableName":"Other","Key":{"id":{"S":"none"}}}}],"ReturnConsumedCapacity":"INDEXES"}`},
	{"TransactWriteItems", `{"ClientRequestToken":"token","ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE","TransactItems":[
		{"Put":{"TableName":"Main","Item":{"pk":{"S":"t"},"sk":{"N":"1"},"g":{"S":"x"}},"ConditionExpression":"attribute_not_exists(pk)"}},
		{"Update":{"TableName":"Other","Key":{"id":{"S":"1"}},"UpdateExpression":"SET #u = #u - :one","ConditionExpression":"#u > :zero",
			"ExpressionAttributeNames":{"#u":"units"},"ExpressionAttributeValues":{":one":{"N":"1"},":zero":{"N":"0"}},"ReturnValuesOnConditionCheckFailure":"ALL_OLD"}},
		{"Delete":{"TableName":"Main","Key":{"pk":{"S":"a"},"sk":{"N":"2"}},"ConditionExpression":"attribute_exists(g)"}},
		{"ConditionCheck":{"TableName":"Main","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"ConditionExpression":"n = :ten","ExpressionAttributeValues":{":ten":{"N":"10"}}}}]}`},
	{"TransactWriteItems", `{"ClientRequestToken":"known","TransactItems":[{"Put":{"TableName":"Other","Item":{"id":{"S":"2"}}}}]}`},

	{"ExecuteStatement", `{"Statement":"SELECT pk, m.x[0] FROM \"Main\".\"global\" WHERE g = ? AND h > 0","Parameters":[{"S":"x"}],"ReturnConsumedCapacity":"TOTAL","Limit":2}`},
	{"ExecuteStatement", `{"Statement":"INSERT INTO Other VALUE {'id': 'new', 'list': [1, 'x', {'a': ?}]}","Parameters":[{"BOOL":true}]}`},
	{"ExecuteStatement", `{"Statement":"UPDATE Main SET n = n + 1 REMOVE m.y WHERE pk = 'a' AND sk = 1 RETURNING ALL NEW *"}`},
	{"ExecuteStatement", `{"Statement":"DELETE FROM Other WHERE id = ? AND units = 3","Parameters":[{"S":"1"}]}`},
	{"BatchExecuteStatement", `{"Statements":[{"Statement":"SELECT * FROM Other WHERE id = '1'"},{"Statement":"SELECT * FROM Main WHERE pk = ? AND sk = ?","Parameters":[{"S":"a"},{"N":"1"}],"ConsistentRead":true}],"ReturnConsumedCapacity":"TOTAL"}`},
	{"BatchExecuteStatement", `{"Statements":[{"Statement":"INSERT INTO Other VALUE {'id': '8'}"},{"Statement":"DELETE FROM Other WHERE id = '1'"}]}`},
	{"ExecuteTransaction", `{"TransactStatements":[{"Statement":"INSERT INTO Other VALUE {'id': '9'}"},{"Statement":"UPDATE Main SET n = ? WHERE pk = 'a' AND sk = 1","Parameters":[{"N":"4"}]}],"ClientRequestToken":"t2","ReturnConsumedCapacity":"INDEXES"}`},
	{"ExecuteTransaction", `{"TransactStatements":[{"Statement":"SELECT * FROM Other WHERE id = '1'"}]}`},

	{"CreateTable", strings.Replace(world[0].body, `"Main"`, `"Made"`, 1)},
	{"CreateTable", `{"TableName":"Made","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"},{"AttributeName":"b","AttributeType":"N"}],
		"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4},
		"GlobalSecondaryIndexes":[{"IndexName":"byB","KeySchema":[{"AttributeName":"b","KeyType":"HASH"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x","y"]},
			"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}],
		"SSESpecification":{"Enabled":true,"SSEType":"KMS"},"Tags":[{"Key":"k","Value":"v"}],"TableClass":"STANDARD_INFREQUENT_ACCESS","DeletionProtectionEnabled":true}`},
	{"CreateTable", `{"TableName":"Made","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"B"}],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST",
		"OnDemandThroughput":{"MaxReadRequestUnits":100,"MaxWriteRequestUnits":200},"WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":5000}}`},
	{"UpdateTable", `{"TableName":"Main","AttributeDefinitions":[{"AttributeName":"text","AttributeType":"S"},{"AttributeName":"n","AttributeType":"N"}],
		"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"late","KeySchema":[{"AttributeName":"text","KeyType":"HASH"},{"AttributeName":"n","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}}]}`},
	{"UpdateTable", `{"TableName":"Main","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"many"}}]}`},
	{"UpdateTable", `{"TableName":"Main","BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":20,"WriteCapacityUnits":10},
		"GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"global","ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":2}}},
			{"Update":{"IndexName":"many","ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":2}}}]}`},
	{"UpdateTable", `{"TableName":"Main","StreamSpecification":{"StreamEnabled":false}}`},
	{"UpdateTable", `{"TableName":"Other","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`},
	{"UpdateTable", `{"TableName":"Other","DeletionProtectionEnabled":true}`},
	{"UpdateTable", `{"TableName":"Other","TableClass":"STANDARD_INFREQUENT_ACCESS"}`},
	{"UpdateTable", `{"TableName":"Other","ProvisionedThroughput":{"ReadCapacityUnits":6,"WriteCapacityUnits":4}}`},
	{"UpdateTable", `{"TableName":"Numbers","OnDemandThroughput":{"MaxReadRequestUnits":10,"MaxWriteRequestUnits":-1}}`},
	{"UpdateTable", `{"TableName":"Numbers","WarmThroughput":{"ReadUnitsPerSecond":20000,"WriteUnitsPerSecond":6000}}`},
	{"DeleteTable", `{"TableName":"Main"}`},
	{"DeleteTable", `{"TableName":"Other"}`},
	{"DescribeTable", `{"TableName":"$TABLE"}`},
	{"ListTables", `{"Limit":2,"ExclusiveStartTableName":"Main"}`},
	{"ListTables", `{}`},
	{"UpdateTimeToLive", `{"TableName":"Other","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"units"}}`},
	{"UpdateTimeToLive", `{"TableName":"Main","TimeToLiveSpecification":{"Enabled":false,"AttributeName":"ttl"}}`},
	{"DescribeTimeToLive", `{"TableName":"Main"}`},
	{"DescribeContinuousBackups", `{"TableName":"Main"}`},
	{"TagResource", `{"ResourceArn":"$TABLE","Tags":[{"Key":"a","Value":"new"},{"Key":"b","Value":"c"}]}`},
	{"UntagResource", `{"ResourceArn":"$TABLE","TagKeys":["a","none"]}`},
	{"ListTagsOfResource", `{"ResourceArn":"$TABLE"}`},
	{"DescribeLimits", `{}`},
	{"DescribeEndpoints", `{}`},

	{"Streams.ListStreams", `{"TableName":"Main","Limit":5}`},
	{"Streams.DescribeStream", `{"StreamArn":"$STREAM","Limit":10,"ExclusiveStartShardId":"$SHARD"}`},
	{"Streams.GetShardIterator", `{"StreamArn":"$STREAM","ShardId":"$SHARD","ShardIteratorType":"AFTER_SEQUENCE_NUMBER","SequenceNumber":"$SEQUENCE"}`},
	{"Streams.GetShardIterator", `{"StreamArn":"$STREAM","ShardId":"$SHARD","ShardIteratorType":"TRIM_HORIZON"}`},
	{"Streams.GetRecords", `{"ShardIterator":"$ITERATOR","Limit":2}`},
}

// tester sends requests to a handler whose engine it can replace.
type tester struct {
	h       *Handler
	classic *Handler // the same with the older error texts
	engine  *engine.Engine
	vars    *strings.Replacer
}

// Acquire and Release make the tester the source of its handler.
func (w *tester) Acquire() *engine.Engine { return w.engine }
func (w *tester) Release()                {}

// answer is what a client sees, without what differs from request to request.
type answer struct {
	status int
	body   string
}

func (w *tester) send(target, body string) answer { return sendTo(w.h, target, body) }

func sendTo(h *Handler, target, body string) answer {
	r := signed("", body)
	r.Header.Set("X-Amz-Target", target)
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return answer{rec.Code, rec.Body.String()}
}

// ask sends a request that must succeed, and decodes the reply.
func (w *tester) ask(t testing.TB, target, body string, reply any) {
	t.Helper()
	got := w.send(target, body)
	if got.status != 200 {
		t.Fatalf("%s %s: %d %s", target, body, got.status, got.body)
	}
	if reply != nil {
		if err := json.Unmarshal([]byte(got.body), reply); err != nil {
			t.Fatalf("%s: %v in %s", target, err, got.body)
		}
	}
}

// newWorld makes the tables. The clock stands still, so that answers don't depend on when they are given.
func newWorld(t testing.TB) *tester {
	t.Helper()
	w := &tester{engine: engine.New(engine.Options{
		Clock: clock.NewManual(time.Date(2026, time.November, 30, 12, 0, 0, 0, time.UTC)), Partitions: 3,
	})}
	w.h = New(Config{Source: w, Region: "eu-west-1", Account: "123456789012"})
	w.classic = New(Config{Source: w, Region: "eu-west-1", Account: "123456789012", Wording: api.WordingClassic})
	const tableARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/Main"
	for _, r := range world {
		w.ask(t, r.target(), strings.ReplaceAll(r.body, "$TABLE", tableARN), nil)
	}
	var stream struct{ Streams []struct{ StreamArn string } }
	w.ask(t, targetStreams+"ListStreams", `{}`, &stream)
	arn := stream.Streams[0].StreamArn
	shard, iterator, sequence := w.someShard(t, arn)
	w.vars = strings.NewReplacer("$TABLE", tableARN, "$STREAM", arn, "$SHARD", shard, "$SEQUENCE", sequence, "$ITERATOR", iterator)
	return w
}

// someShard finds a shard that has records, an iterator at its begin and the number of its first record.
func (w *tester) someShard(t testing.TB, arn string) (shard, iterator, sequence string) {
	t.Helper()
	var stream struct {
		StreamDescription struct{ Shards []struct{ ShardId string } }
	}
	w.ask(t, targetStreams+"DescribeStream", `{"StreamArn":"`+arn+`"}`, &stream)
	for _, s := range stream.StreamDescription.Shards {
		var at struct{ ShardIterator string }
		w.ask(t, targetStreams+"GetShardIterator",
			`{"StreamArn":"`+arn+`","ShardId":"`+s.ShardId+`","ShardIteratorType":"TRIM_HORIZON"}`, &at)
		var got struct {
			Records []struct {
				Dynamodb struct{ SequenceNumber string }
			}
		}
		w.ask(t, targetStreams+"GetRecords", `{"ShardIterator":"`+at.ShardIterator+`"}`, &got)
		if len(got.Records) > 0 {
			return s.ShardId, at.ShardIterator, got.Records[0].Dynamodb.SequenceNumber
		}
	}
	t.Fatal("no shard has records")
	return "", "", ""
}

// state is all that a client can see of the database, as text.
func (w *tester) state(t testing.TB) string {
	t.Helper()
	var all strings.Builder
	see := func(target, body string, reply any) {
		got := w.send(target, body)
		all.WriteString(target + body + got.body + "\n")
		if reply != nil && got.status == 200 {
			if err := json.Unmarshal([]byte(got.body), reply); err != nil {
				t.Fatalf("%s: %v in %s", target, err, got.body)
			}
		}
	}
	var tables struct{ TableNames []string }
	see(targetData+"ListTables", `{}`, &tables)
	for _, name := range tables.TableNames {
		named := `{"TableName":"` + name + `"}`
		see(targetData+"DescribeTable", named, nil)
		see(targetData+"DescribeTimeToLive", named, nil)
		see(targetData+"ListTagsOfResource", `{"ResourceArn":"arn:aws:dynamodb:eu-west-1:123456789012:table/`+name+`"}`, nil)
		see(targetData+"Scan", `{"ConsistentRead":true,"TableName":"`+name+`"}`, nil)
	}
	var streams struct{ Streams []struct{ StreamArn string } }
	see(targetStreams+"ListStreams", `{}`, &streams)
	for _, s := range streams.Streams {
		// The number of the newest record in each shard would do, but only the records tell it.
		var d struct {
			StreamDescription struct{ Shards []struct{ ShardId string } }
		}
		see(targetStreams+"DescribeStream", `{"StreamArn":"`+s.StreamArn+`"}`, &d)
		for _, shard := range d.StreamDescription.Shards {
			var at struct{ ShardIterator string }
			w.ask(t, targetStreams+"GetShardIterator",
				`{"StreamArn":"`+s.StreamArn+`","ShardId":"`+shard.ShardId+`","ShardIteratorType":"TRIM_HORIZON"}`, &at)
			got := w.send(targetStreams+"GetRecords", `{"ShardIterator":"`+at.ShardIterator+`"}`)
			records, _, _ := strings.Cut(got.body, `"NextShardIterator"`)
			all.WriteString(records + "\n")
		}
	}
	return all.String()
}

// TestValidRequests: each of the requests succeeds and keeps the database whole, the writes change it, the reads don't;
// and there is one for every operation. SELECT reads, and the token "known" was used before.
func TestValidRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	base, before := w.engine, w.state(t)
	var missing []string
	for target := range operations {
		if !slices.ContainsFunc(validRequests, func(r validRequest) bool { return r.target() == target }) {
			missing = append(missing, target)
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		t.Errorf("no valid request for %v: add one to validRequests", missing)
	}
	for _, r := range validRequests {
		if operations[r.target()] == nil {
			continue
		}
		w.engine = base.Fork()
		body := w.vars.Replace(r.body)
		got := w.send(r.target(), body)
		if got.status != 200 {
			t.Errorf("%s %s: %d %s", r.op, body, got.status, got.body)
			continue
		}
		if err := w.engine.CheckInvariants(); err != nil {
			t.Errorf("%s %s: %v", r.op, body, err)
		}
		changes := !reads(r.target()) && !strings.Contains(body, "SELECT") && !strings.Contains(body, `"known"`)
		switch after := w.state(t); {
		case changes && after == before:
			t.Errorf("%s %s changed nothing", r.op, body)
		case !changes && after != before:
			t.Errorf("%s %s changed the database:\n%s", r.op, body, firstDifference(before, after))
		}
	}
}

// reads reports whether an operation only reads.
func reads(target string) bool {
	_, op, _ := strings.Cut(target, ".")
	for _, prefix := range []string{"Get", "Query", "Scan", "BatchGet", "TransactGet", "List", "Describe"} {
		if strings.HasPrefix(op, prefix) {
			return true
		}
	}
	return false
}

// firstDifference shows the first line that differs.
func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return "- " + as[i] + "\n+ " + bs[i]
		}
	}
	return "one has more lines"
}
