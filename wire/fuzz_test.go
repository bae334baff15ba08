package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/internal/coral"
)

// seeds are requests that reach most of the tables.
var seeds = []string{
	`{}`, `[]`, `{"TableName":"t"}`, `{"TableName":1,"Key":{"a":{"S":"x"}},"Unknown":[1,{"a":null}]}`,
	`{"TableName":"t","Item":{"a":{"L":[{"N":"1"},{"M":{"b":{"SS":["x","y"]}}},{"B":"AA=="},{"BOOL":true},{"NULL":true}]}},` +
		`"Expected":{"a":{"Value":{"S":"x"},"Exists":"yes"}},"ExpressionAttributeNames":{"#a":"\u00e9"},"ExpressionAttributeValues":{":v":{"N":"1e2"}}}`,
	`{"Key":{"a":{"S":"x"}},"AttributeUpdates":{"b":{"Action":"ADD","Value":{"NS":["1","2"]}}},"ReturnValues":"ALL_NEW"}`,
	`{"KeyConditions":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}},"Limit":1.5,"Select":"COUNT","ScanIndexForward":"no"}`,
	`{"ScanFilter":{"a":{"ComparisonOperator":"NULL"}},"TotalSegments":4,"Segment":3,"ExclusiveStartKey":{"a":{"B":"AAAA"}}}`,
	`{"RequestItems":{"t":{"Keys":[{"a":{"S":"x"}},{"a":{"S":5}}],"AttributesToGet":["a"],"ConsistentRead":true}}}`,
	`{"RequestItems":{"t":[{"PutRequest":{"Item":{"a":{"S":"x"}}}},{"DeleteRequest":{"Key":{}}}]}}`,
	`{"TransactItems":[{"Put":{"TableName":"t","Item":{}}},{"ConditionCheck":{"Key":{},"ConditionExpression":"a"}},{"Update":{}},{"Delete":null}],"ClientRequestToken":"k"}`,
	`{"TransactItems":[{"Get":{"Key":{"a":{"S":"x"}},"TableName":"t"}}],"ReturnConsumedCapacity":"TOTAL"}`,
	`{"Statement":"SELECT","Parameters":[{"S":"x"}],"Statements":[{"Statement":"a"}],"TransactStatements":[{}]}`,
	`{"AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],` +
		`"GlobalSecondaryIndexes":[{"IndexName":"i","KeySchema":[],"Projection":{"ProjectionType":"ALL","NonKeyAttributes":["x"]}}],"BillingMode":"x"}`,
	`{"TableName":"a","TableName":"b"}`, `{"TableName":"a"`, `{"Limit":1e999}`,
}

// fuzzDecoder checks what every decoder promises of every text: it does not panic, it accepts only what is JSON, and
// it calls a text malformed only when it is, or repeats a name.
func fuzzDecoder(f *testing.F, op string) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		e, err := checkFuncs[op](body)
		var syntax *coral.SyntaxError
		switch malformed := errors.As(err, &syntax); {
		case !malformed && !json.Valid([]byte(body)):
			t.Fatalf("accepted %q: %v", body, err)
		case malformed && plain([]byte(body)):
			t.Fatalf("refused %q: %v", body, err)
		}
		if e != nil {
			for _, p := range []api.Profile{{}, {Current: true}, {Current: true, Envelope: true}} {
				if text := AppendError(nil, e, p); !json.Valid(text) {
					t.Fatalf("%q: error %q is not JSON", body, text)
				}
			}
		}
	})
}

// plain tells whether text is an object that encoding/json accepts and that has none of what the service's parser
// refuses beyond it: bytes that are not UTF-8, half surrogates, deep nesting, repeated names.
func plain(text []byte) bool {
	if !json.Valid(text) || bytes.IndexByte(text, '\\') >= 0 || !validUTF8(text) {
		return false
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	first, err := d.Token()
	return err == nil && first == json.Delim('{') && unique(d, '{', 1)
}

func validUTF8(text []byte) bool { return bytes.Equal(text, bytes.ToValidUTF8(text, nil)) }

// unique reads to the end of an open container and tells whether no object in it repeats a name.
func unique(d *json.Decoder, open json.Delim, depth int) bool {
	if depth > 900 {
		return false
	}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			name, _ := d.Token()
			if key, _ := name.(string); seen[key] {
				return false
			} else {
				seen[key] = true
			}
		}
		token, err := d.Token()
		if err != nil {
			return false
		}
		if inner, ok := token.(json.Delim); ok && !unique(d, inner, depth+1) {
			return false
		}
	}
	_, err := d.Token()
	return err == nil
}

func FuzzDecodeGetItem(f *testing.F)            { fuzzDecoder(f, "GetItem") }
func FuzzDecodePutItem(f *testing.F)            { fuzzDecoder(f, "PutItem") }
func FuzzDecodeUpdateItem(f *testing.F)         { fuzzDecoder(f, "UpdateItem") }
func FuzzDecodeDeleteItem(f *testing.F)         { fuzzDecoder(f, "DeleteItem") }
func FuzzDecodeQuery(f *testing.F)              { fuzzDecoder(f, "Query") }
func FuzzDecodeScan(f *testing.F)               { fuzzDecoder(f, "Scan") }
func FuzzDecodeBatchGetItem(f *testing.F)       { fuzzDecoder(f, "BatchGetItem") }
func FuzzDecodeBatchWriteItem(f *testing.F)     { fuzzDecoder(f, "BatchWriteItem") }
func FuzzDecodeTransactGetItems(f *testing.F)   { fuzzDecoder(f, "TransactGetItems") }
func FuzzDecodeTransactWriteItems(f *testing.F) { fuzzDecoder(f, "TransactWriteItems") }
func FuzzDecodeCreateTable(f *testing.F)        { fuzzDecoder(f, "CreateTable") }
func FuzzDecodeUpdateTable(f *testing.F)        { fuzzDecoder(f, "UpdateTable") }
func FuzzDecodeExecuteStatement(f *testing.F)   { fuzzDecoder(f, "ExecuteStatement") }

// FuzzAppendString checks that what is printed is read back.
func FuzzAppendString(f *testing.F) {
	f.Add("a\"b\\c\x00\xff\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		var back string
		if err := json.Unmarshal(appendString(nil, s), &back); err != nil {
			t.Fatal(err)
		}
		if want := string(bytes.ToValidUTF8([]byte(s), []byte("\uFFFD"))); back != want {
			t.Fatalf("%q came back as %q", s, back)
		}
	})
}
