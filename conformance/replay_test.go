package conformance_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/conformance"
)

// shopping is a conversation with much of the API in it. Table was-there and its items exist before.
func shopping(t *testing.T, direct, url string) {
	t.Helper()
	say := func(url, operation, body string) string {
		_, answer := ask(t, url, operation, body)
		return answer
	}
	say(direct, "CreateTable", `{"TableName": "was-there", "BillingMode": "PAY_PER_REQUEST",
		"KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}, {"AttributeName": "s", "KeyType": "RANGE"}],
		"AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}, {"AttributeName": "s", "AttributeType": "N"}, {"AttributeName": "g", "AttributeType": "S"}],
		"GlobalSecondaryIndexes": [{"IndexName": "byG", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}]}`)
	for i := range 5 {
		say(direct, "PutItem", fmt.Sprintf(`{"TableName": "was-there", "Item": {"p": {"S": "user#1"}, "s": {"N": "%d"}, "g": {"S": "x"}, "v": {"S": "before %d"}}}`, i, i))
	}
	say(url, "CreateTable", `{"TableName": "orders", "BillingMode": "PAY_PER_REQUEST", "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"},
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}`)
	description := say(url, "DescribeTable", `{"TableName": "orders"}`)
	say(url, "PutItem", `{"TableName": "orders", "Item": {"pk": {"S": "a"}, "v": {"N": "1"}}, "ReturnConsumedCapacity": "TOTAL"}`)
	say(url, "UpdateItem", `{"TableName": "orders", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET w = :w", "ExpressionAttributeValues": {":w": {"S": "hello"}}, "ReturnValues": "ALL_NEW"}`)
	say(url, "GetItem", `{"TableName": "was-there", "Key": {"p": {"S": "user#1"}, "s": {"N": "2.0"}}}`)
	say(url, "Query", `{"TableName": "was-there", "KeyConditionExpression": "p = :p AND s BETWEEN :a AND :b", "ExpressionAttributeValues": {":p": {"S": "user#1"}, ":a": {"N": "1"}, ":b": {"N": "3"}}}`)
	say(url, "Query", `{"TableName": "was-there", "IndexName": "byG", "KeyConditionExpression": "g = :g", "ExpressionAttributeValues": {":g": {"S": "x"}}, "Select": "COUNT"}`)
	say(url, "DeleteItem", `{"TableName": "was-there", "Key": {"p": {"S": "user#1"}, "s": {"N": "4"}}, "ReturnValues": "ALL_OLD"}`)
	say(url, "PutItem", `{"TableName": "was-there", "Item": {"p": {"S": "user#1"}, "s": {"N": "0"}}, "ConditionExpression": "attribute_not_exists(p)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}`)
	say(url, "BatchWriteItem", `{"RequestItems": {"orders": [{"PutRequest": {"Item": {"pk": {"S": "b"}}}}], "was-there": [{"PutRequest": {"Item": {"p": {"S": "user#2"}, "s": {"N": "1"}}}}]}}`)
	say(url, "BatchGetItem", `{"RequestItems": {"orders": {"Keys": [{"pk": {"S": "a"}}, {"pk": {"S": "b"}}]}, "was-there": {"Keys": [{"p": {"S": "user#2"}, "s": {"N": "1"}}]}}}`)
	token := `{"ClientRequestToken": "token-1", "TransactItems": [{"Put": {"TableName": "orders", "Item": {"pk": {"S": "t"}}}}, {"ConditionCheck": {"TableName": "was-there", "Key": {"p": {"S": "user#1"}, "s": {"N": "1"}}, "ConditionExpression": "attribute_exists(p)"}}]}`
	say(url, "TransactWriteItems", token)
	say(url, "TransactWriteItems", token)
	say(url, "TransactGetItems", `{"TransactItems": [{"Get": {"TableName": "orders", "Key": {"pk": {"S": "t"}}}}]}`)
	say(url, "ExecuteStatement", `{"Statement": "SELECT * FROM orders WHERE pk = 'a'"}`)
	say(url, "ExecuteStatement", `{"Statement": "INSERT INTO \"orders\" VALUE {'pk': 'p', 'n': 17}"}`)
	say(url, "Scan", `{"TableName": "orders"}`)
	say(url, "GetItem", `{"TableName": "orders", "Key": {"pk": {"N": "1"}}}`)
	say(url, "GetItem", `{"TableName": "nowhere", "Key": {"pk": {"S": "a"}}}`)
	say(url, "ListTables", `{}`)
	arn := between(description, `"LatestStreamArn":"`, `"`)
	shard := between(say(url, "DescribeStream", `{"StreamArn": "`+arn+`"}`), `"ShardId":"`, `"`)
	iterator := between(say(url, "GetShardIterator", `{"StreamArn": "`+arn+`", "ShardId": "`+shard+`", "ShardIteratorType": "TRIM_HORIZON"}`), `"ShardIterator":"`, `"`)
	if answer := say(url, "GetRecords", `{"ShardIterator": "`+iterator+`"}`); !strings.Contains(answer, "NewImage") {
		t.Errorf("GetRecords: %s", answer)
	}
	say(url, "UpdateTable", `{"TableName": "orders", "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "v", "AttributeType": "N"}],
		"GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "byV", "KeySchema": [{"AttributeName": "v", "KeyType": "HASH"}], "Projection": {"ProjectionType": "KEYS_ONLY"}}}]}`)
	say(url, "Query", `{"TableName": "orders", "IndexName": "byV", "KeyConditionExpression": "v = :v", "ExpressionAttributeValues": {":v": {"N": "1"}}}`)
	say(url, "TagResource", `{"ResourceArn": "`+between(description, `"TableArn":"`, `"`)+`", "Tags": [{"Key": "team", "Value": "shop"}]}`)
	say(url, "ListTagsOfResource", `{"ResourceArn": "`+between(description, `"TableArn":"`, `"`)+`"}`)
	say(url, "DeleteTable", `{"TableName": "orders"}`)
	say(url, "DescribeTable", `{"TableName": "orders"}`)
}

func between(s, before, after string) string {
	_, s, _ = strings.Cut(s, before)
	s, _, _ = strings.Cut(s, after)
	return s
}

// captureOf captures a conversation.
func captureOf(t *testing.T, c conformance.ProxyConfig, converse func(t *testing.T, direct, url string), opts ...dynalite.Option) *conformance.Traffic {
	t.Helper()
	c.Target = served(t, append(opts, dynalite.WithPartitions(1))...) // one shard
	p := record(t, c)
	converse(t, c.Target, p.url)
	traffic, stats := p.end(t)
	if stats.Lost+stats.Partial > 0 {
		for _, e := range traffic.Exchanges {
			t.Logf("%s %s", e.Operation, e.Fault)
		}
		t.Fatalf("%+v", stats)
	}
	return traffic
}

func replayText(t *testing.T, target conformance.Target, traffic *conformance.Traffic, options ...conformance.ReplayOption) (*conformance.Replayed, string) {
	t.Helper()
	r, err := conformance.Replay(t.Context(), target, traffic, options...)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	return r, b.String()
}

// TestReplay: traffic replays on a fresh database in another account and region, also where it had to guess what was
// there before.
func TestReplay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]conformance.ProxyConfig{
		"described": {},
		"guessed":   {Quiet: true},
		"masked":    {Mask: conformance.NewMask("", conformance.NumbersHidden)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			traffic := captureOf(t, c, shopping)
			url := served(t, dynalite.WithRegion("ap-southeast-2"), dynalite.WithAccount("999999999999"), dynalite.WithPartitions(1))
			r, text := replayText(t, conformance.Endpoint(url), traffic)
			passed, differing, broken, skipped := r.Count()
			if r.Failed() || passed != 29 || differing+broken > 0 || skipped > 0 {
				t.Errorf("%d passed, %d skipped\n%s", passed, skipped, text)
			}
			if _, tables := ask(t, url, "ListTables", "{}"); !strings.Contains(tables, `"TableNames":[]`) {
				t.Errorf("left behind: %s", tables)
			}
		})
	}
}

// TestReplayDiffers: another wording shows, and so does a lie.
func TestReplayDiffers(t *testing.T) {
	t.Parallel()
	traffic := captureOf(t, conformance.ProxyConfig{}, func(t *testing.T, _, url string) {
		ask(t, url, "CreateTable", createOrders)
		ask(t, url, "PutItem", `{"TableName": "orders", "Item": {"pk": {"S": "a"}, "x": {"SS": []}}}`)
		ask(t, url, "PutItem", `{"TableName": "orders", "Item": {"pk": {"S": "a"}, "v": {"N": "17"}}}`)
		ask(t, url, "GetItem", `{"TableName": "orders", "Key": {"pk": {"S": "a"}}}`)
	})
	r, text := replayText(t, conformance.Endpoint(served(t, dynalite.WithWording(dynalite.ClassicWording))), traffic)
	if _, differing, _, _ := r.Count(); differing != 1 || !r.Failed() || !strings.Contains(text, ": PutItem orders: differs\nsent: PutItem {") ||
		!strings.Contains(text, "(-want +got)") || !strings.Contains(text, "validation error detected") {
		t.Errorf("%s", text)
	}
	liar := conformance.InProcess(spoiled{dynalite.Start(t).Transport(), "GetItem", `"17"`, `"18"`})
	r, text = replayText(t, liar, traffic)
	if _, differing, _, _ := r.Count(); differing != 1 || !strings.Contains(text, `GetItem orders: differs`) {
		t.Errorf("%s", text)
	}
	// The same two compared with each other.
	r, text = replayText(t, liar, traffic, conformance.ComparedWith(conformance.InProcess(dynalite.Start(t).Transport())))
	if _, differing, _, _ := r.Count(); differing != 1 || !strings.Contains(text, `GetItem orders: differs`) {
		t.Errorf("%s", text)
	}
	var js bytes.Buffer
	if err := r.WriteJUnit(&js); err != nil || !strings.Contains(js.String(), "<failure") {
		t.Errorf("%v %s", err, js.String())
	}
}

// TestReplayInPlace: existing tables and items are used and stay.
func TestReplayInPlace(t *testing.T) {
	t.Parallel()
	url := served(t)
	ask(t, url, "CreateTable", createOrders)
	p := record(t, conformance.ProxyConfig{Target: url})
	ask(t, p.url, "PutItem", `{"TableName": "orders", "Item": {"pk": {"S": "a"}}}`)
	traffic, _ := p.end(t)
	ask(t, url, "DeleteItem", `{"TableName": "orders", "Key": {"pk": {"S": "a"}}}`)
	if r, text := replayText(t, conformance.Endpoint(url), traffic, conformance.InPlace()); r.Failed() {
		t.Error(text)
	}
	if _, answer := ask(t, url, "GetItem", `{"TableName": "orders", "Key": {"pk": {"S": "a"}}}`); !strings.Contains(answer, "Item") {
		t.Errorf("the item isn't there: %s", answer)
	}
}

// TestReplayOfUnknownTables: what the traffic doesn't show can be told.
func TestReplayOfUnknownTables(t *testing.T) {
	t.Parallel()
	text := `{"op":"GetItem","request":{"TableName":"orders","Key":{"pk":{"S":"a"},"sk":{"N":"1"}}},"status":200,"response":{"Item":{"pk":{"S":"a"},"sk":{"N":"1"},"v":{"S":"x"}}}}`
	traffic, err := conformance.ReadTraffic("t.jsonl", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	target := conformance.InProcess(dynalite.Start(t).Transport())
	if r, text := replayText(t, target, traffic); r.Failed() || !strings.Contains(text, "doesn't show its key") || !strings.Contains(text, "1 skipped") {
		t.Error(text)
	}
	if r, text := replayText(t, target, traffic, conformance.WithTables("orders pk S, sk N")); r.Failed() || !strings.Contains(text, "1 answered alike") {
		t.Error(text)
	}
	if _, err := conformance.Replay(t.Context(), target, traffic, conformance.WithTables("orders pk X")); err == nil || !strings.Contains(err.Error(), "want a name and S, N or B") {
		t.Errorf("error %v", err)
	}
}

// TestReplaySkips: what can't be repeated isn't sent, and said to be left out.
func TestReplaySkips(t *testing.T) {
	t.Parallel()
	text := strings.Join([]string{
		`{"op":"CreateTable","request":` + createOrders + `,"status":200,"response":{"TableDescription":{"TableStatus":"CREATING"}}}`,
		`{"op":"PutItem","request":{"TableName":"orders","Item":{"pk":{"S":"a"}}},"fault":"no answer: EOF"}`,
		`{"op":"PutItem","request":{"TableName":"orders","Item":{"pk":{"S":"a"}}},"status":400,"response":{"__type":"x#ProvisionedThroughputExceededException"}}`,
		`{"op":"PutItem","request":{"TableName":"orders","Item":{"pk":{"S":"a"}}},"status":500,"responseText":"oops"}`,
		`{"op":"PutItem","request":{"TableName":"orders","Item":{"pk":{"S":"a"}}},"status":400,"response":{"__type":"x#InvalidSignatureException"}}`,
		`{"op":"PutItem","request":{"TableName":"orders","Item":{"pk":{"S":"a"}}},"status":400,"response":{"__type":"x#TransactionConflictException"}}`,
		`{"op":"PutItem","status":200,"response":{},"fault":"the request of 99 bytes is too long to keep","requestLost":true}`,
		`{"op":"GetItem","request":{"TableName":"orders","Key":{"pk":{"S":"a"}}},"status":200,"response":{}}`,
		`{"op":"PutItem","request":{"TableName":"orders","Item":{"pk":{"S":"a"}}},"status":200,"responseText":"{","fault":"the answer broke off after 1 bytes"}`,
		`{"op":"GetItem","request":{"TableName":"orders","Key":{"pk":{"S":"a"}}},"status":200,"response":{"Item":{"pk":{"S":"a"}}}}`,
	}, "\n")
	traffic, err := conformance.ReadTraffic("t.jsonl", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r, told := replayText(t, conformance.InProcess(dynalite.Start(t).Transport()), traffic)
	passed, differing, broken, skipped := r.Count()
	if passed != 2 || differing != 1 || broken != 0 || skipped != 7 { // CreateTable's answer is made up
		t.Errorf("%d %d %d %d\n%s", passed, differing, broken, skipped, told)
	}
	for _, why := range []string{"no answer: EOF", "busy: HTTP 400 Prov", "busy: HTTP 500", "signatures are not captured", "met another request", "not captured: the request of", "sent, not compared"} {
		if !strings.Contains(told, why) {
			t.Errorf("no %q in\n%s", why, told)
		}
	}
}

// TestReplayOfBadEndpoints: none hangs, each is told, and an endpoint that says nothing is given up.
func TestReplayOfBadEndpoints(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, operation := range []string{"Html", "Truncates", "Closes", "Html", "Hangs", "Hangs", "Hangs", "Hangs"} {
		lines = append(lines, `{"op":"`+operation+`","request":{},"status":200,"response":{}}`)
	}
	traffic, err := conformance.ReadTraffic("t.jsonl", strings.NewReader(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	r, text := replayText(t, conformance.Endpoint(badly(t)), traffic, conformance.RequestTimeout(50*time.Millisecond))
	var outcomes []string
	for _, res := range r.Results {
		outcomes = append(outcomes, res.Outcome.String())
	}
	if got := strings.Join(outcomes, " "); got != "differs broken broken differs broken broken broken skipped" {
		t.Errorf("%s\n%s", got, text)
	}
	for _, told := range []string{"<html>no</html>", "broke off after 10 bytes", "EOF", "deadline exceeded within 50ms", "the endpoint was given up"} {
		if !strings.Contains(text, told) {
			t.Errorf("no %q in\n%s", told, text)
		}
	}

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	shop := captureOf(t, conformance.ProxyConfig{}, shopping)
	r, text = replayText(t, conformance.Endpoint("http://"+l.Addr().String()), shop)
	if passed, _, broken, _ := r.Count(); passed != 0 || broken != 1 || len(r.CleanUp) > 0 || !strings.Contains(text, "connection refused") {
		t.Errorf("%s", text)
	}
}

// TestReplayInterrupted: no tables stay behind.
func TestReplayInterrupted(t *testing.T) {
	t.Parallel()
	traffic := captureOf(t, conformance.ProxyConfig{}, shopping)
	db := dynalite.Start(t)
	ctx, cancel := context.WithCancel(t.Context())
	count := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if count++; count == 20 {
			cancel()
		}
		db.Handler().ServeHTTP(w, r)
	}))
	defer server.Close()
	r, err := conformance.Replay(ctx, conformance.Endpoint(server.URL), traffic)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Interrupted || !r.Failed() || len(r.Results) > 15 {
		t.Errorf("%+v", r.Report)
	}
	if _, tables := ask(t, server.URL, "ListTables", "{}"); !strings.Contains(tables, `"TableNames":[]`) {
		t.Errorf("left behind: %s", tables)
	}
}
