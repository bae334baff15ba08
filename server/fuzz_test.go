package server

import (
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/dynalite-go/dynalite/engine"
)

const fuzzTable = `{"TableName":"abc","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"},` +
	`{"AttributeName":"b","AttributeType":"N"},{"AttributeName":"c","AttributeType":"B"}],` +
	`"KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}],` +
	`"BillingMode":"PAY_PER_REQUEST","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},` +
	`"LocalSecondaryIndexes":[{"IndexName":"lsi","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},` +
	`{"AttributeName":"c","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}],` +
	`"GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[{"AttributeName":"c","KeyType":"HASH"}],` +
	`"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["d"]}}]}`

const fuzzPut = `{"TableName":"abc","Item":{"a":{"S":"x"},"b":{"N":"1"},"c":{"B":"AAE="},"d":{"M":{"e":{"L":[{"NULL":true}]}}},` +
	`"s":{"SS":["p","q"]}},"ReturnConsumedCapacity":"INDEXES"}`

// FuzzOperations sends two arbitrary bodies to arbitrary operations. Whatever they hold, the answer is a success or a
// client's error in well-formed JSON, and the database stays whole.
func FuzzOperations(f *testing.F) {
	names := make([]string, 0, len(operations))
	for target := range operations {
		names = append(names, target)
	}
	slices.Sort(names)
	for _, seed := range []struct{ op, body string }{
		{"CreateTable", fuzzTable},
		{"PutItem", fuzzPut},
		{"UpdateItem", `{"TableName":"abc","Key":{"a":{"S":"x"},"b":{"N":"1"}},"UpdateExpression":"SET #d.e[0] = :v, f = if_not_exists(f, :n) + :n REMOVE c ADD g :n DELETE s :s","ExpressionAttributeNames":{"#d":"d"},"ExpressionAttributeValues":{":v":{"S":"y"},":n":{"N":"1"},":s":{"SS":["p"]}},"ReturnValues":"UPDATED_NEW"}`},
		{"UpdateItem", `{"TableName":"abc","Key":{"a":{"S":"x"},"b":{"N":"1"}},"AttributeUpdates":{"d":{"Action":"ADD","Value":{"N":"1"}}},"Expected":{"c":{"Exists":false}}}`},
		{"GetItem", `{"TableName":"abc","Key":{"a":{"S":"x"},"b":{"N":"1"}},"ProjectionExpression":"a, d.e[0]"}`},
		{"DeleteItem", `{"TableName":"abc","Key":{"a":{"S":"x"},"b":{"N":"1"}},"ConditionExpression":"size(c) > :n AND (contains(s, :v) OR NOT attribute_exists(d))","ExpressionAttributeValues":{":n":{"N":"0"},":v":{"S":"p"}}}`},
		{"Query", `{"TableName":"abc","KeyConditionExpression":"a = :a AND b BETWEEN :l AND :h","FilterExpression":"d <> :a","ExpressionAttributeValues":{":a":{"S":"x"},":l":{"N":"0"},":h":{"N":"1e3"}},"Limit":1,"ScanIndexForward":false}`},
		{"Query", `{"TableName":"abc","IndexName":"gsi","KeyConditions":{"c":{"ComparisonOperator":"EQ","AttributeValueList":[{"B":"AAE="}]}},"Select":"COUNT"}`},
		{"Scan", `{"TableName":"abc","IndexName":"lsi","Segment":0,"TotalSegments":2,"ExclusiveStartKey":{"a":{"S":"x"},"b":{"N":"1"},"c":{"B":"AAE="}}}`},
		{"BatchGetItem", `{"RequestItems":{"abc":{"Keys":[{"a":{"S":"x"},"b":{"N":"1"}}]}}}`},
		{"BatchWriteItem", `{"RequestItems":{"abc":[{"DeleteRequest":{"Key":{"a":{"S":"x"},"b":{"N":"1"}}}}]}}`},
		{"TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"abc","Key":{"a":{"S":"x"},"b":{"N":"1"}}}}]}`},
		{"TransactWriteItems", `{"ClientRequestToken":"t","TransactItems":[{"ConditionCheck":{"TableName":"abc","Key":{"a":{"S":"x"},"b":{"N":"2"}},"ConditionExpression":"attribute_not_exists(a)"}},{"Put":{"TableName":"abc","Item":{"a":{"S":"z"},"b":{"N":"3"}}}}]}`},
		{"UpdateTable", `{"TableName":"abc","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"gsi"}}]}`},
		{"DeleteTable", `{"TableName":"abc"}`},
		{"TagResource", `{"ResourceArn":"arn:aws:dynamodb:eu-west-1:123456789012:table/abc","Tags":[{"Key":"k","Value":"v"}]}`},
		{"UpdateTimeToLive", `{"TableName":"abc","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"d"}}`},
	} {
		f.Add(uint8(slices.Index(names, targetData+seed.op)), seed.body, uint8(slices.Index(names, targetData+"Scan")), `{"TableName":"abc"}`)
	}
	f.Add(uint8(slices.Index(names, targetStreams+"ListStreams")), `{"TableName":"abc"}`, uint8(0), "\xff{")

	f.Fuzz(func(t *testing.T, op1 uint8, body1 string, op2 uint8, body2 string) {
		e := engine.New(engine.Options{})
		h := New(Config{Source: Fixed(e), Region: "us-east-1", Account: "123456789012"})
		send := func(target, body string) {
			r := signed("", body)
			r.Header.Set("X-Amz-Target", target)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			reply := w.Body.String()
			if w.Code != 200 && w.Code != 400 {
				t.Fatalf("%s %q: %d %s", target, body, w.Code, reply)
			}
			empty := reply == "" && w.Code == 200 && strings.HasSuffix(target, "agResource")
			if !empty && !json.Valid([]byte(reply)) {
				t.Fatalf("%s %q: reply isn't JSON: %q", target, body, reply)
			}
		}
		send(targetData+"CreateTable", fuzzTable)
		send(targetData+"PutItem", fuzzPut)
		send(names[int(op1)%len(names)], body1)
		send(names[int(op2)%len(names)], body2)
		if err := e.CheckInvariants(); err != nil {
			t.Fatalf("after %q and %q: %v", body1, body2, err)
		}
	})
}

// FuzzFront sends arbitrary headers and bodies. The answer is never the server's own failure, but for content
// encodings, which the service answers so.
func FuzzFront(f *testing.F) {
	f.Add("POST", "/", "DynamoDB_20120810.ListTables", signature, "application/json", "", "{}")
	f.Add("POST", "/?X-Amz-Algorithm=%zz&X-Amz-Date", "x", "AWS4-HMAC-SHA256 Credential=a/b/c/d/e,SignedHeaders=,Signature", "application/x-amz-json-1.0;", "gzip", "{")
	f.Add("OPTIONS", "//a/../b", "", "", "", "deflate", "")
	h := New(Config{Source: Fixed(engine.New(engine.Options{})), Region: "us-east-1", Account: "123456789012"})
	f.Fuzz(func(t *testing.T, method, query, target, auth, contentType, encoding, body string) {
		r := httptest.NewRequest("POST", "/", strings.NewReader(body))
		r.Method, r.URL.RawQuery = method, query
		r.Header["X-Amz-Target"] = []string{target}
		r.Header["Authorization"] = []string{auth}
		r.Header["Content-Type"] = []string{contentType}
		r.Header["Content-Encoding"] = []string{encoding}
		r.Header["X-Amz-Date"] = []string{"d"}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code >= 500 && encoding == "" {
			t.Fatalf("%d %s", w.Code, w.Body.String())
		}
	})
}
