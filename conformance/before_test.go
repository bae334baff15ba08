package conformance

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func trafficOf(t testing.TB, lines ...string) *Traffic {
	t.Helper()
	traffic, err := ReadTraffic("t.jsonl", strings.NewReader(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return traffic
}

// exchange is a line of traffic.
func exchangeText(operation, request, response string) string {
	status := "200"
	if strings.HasPrefix(response, `{"__type"`) {
		status = "400"
	}
	return `{"op":"` + operation + `","request":` + request + `,"status":` + status + `,"response":` + response + `}`
}

func TestBefore(t *testing.T) {
	const (
		made    = `{"TableName":"t","KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}]}`
		missing = `{"__type":"x#ResourceNotFoundException","message":"no"}`
		get     = `{"TableName":"t","Key":{"k":{"S":"a"}}}`
		onePK   = `CreateTable {"TableName":"t","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}]}`
	)
	put := func(item string) string { return `PutItem {"TableName":"t","Item":` + item + `}` }
	for _, tt := range []struct {
		name  string
		lines []string
		want  []string // requests that are assumed
		notes string
	}{
		{name: "the traffic makes the table", lines: []string{exchangeText("CreateTable", made, `{}`), exchangeText("GetItem", get, `{}`)}},
		{name: "no table", lines: []string{exchangeText("GetItem", get, missing), exchangeText("CreateTable", made, `{}`)}},
		{
			name: "asked about while it was made",
			lines: []string{
				`{"assumed":true,` + exchangeText("DescribeTable", `{"TableName":"t"}`, `{"Table":{"KeySchema":[]}}`)[1:], exchangeText("CreateTable", made, `{}`),
			},
		},
		{name: "one key", lines: []string{exchangeText("GetItem", get, `{}`)}, want: []string{onePK}, notes: "guessed from its use: k"},
		{
			name: "there, deleted and made again",
			lines: []string{
				exchangeText("GetItem", get, `{"Item":{"k":{"S":"a"}}}`), exchangeText("DeleteTable", `{"TableName":"t"}`, `{"TableDescription":{}}`),
				exchangeText("CreateTable", made, `{}`), exchangeText("GetItem", `{"TableName":"t","Key":{"k":{"S":"b"}}}`, `{"Item":{"k":{"S":"b"}}}`),
			},
			want: []string{onePK, put(`{"k":{"S":"a"}}`)}, notes: "guessed",
		},
		{name: "made in vain", lines: []string{exchangeText("CreateTable", made, `{"__type":"x#ResourceInUseException"}`)}, want: []string{"CreateTable " + made}},
		{
			name: "described",
			lines: []string{
				exchangeText("GetItem", get, `{}`),
				exchangeText("DescribeTable", `{"TableName":"t"}`, `{"Table":{"TableName":"t","TableStatus":"ACTIVE","ItemCount":7,"AttributeDefinitions":[],"KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],`+
					`"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2,"NumberOfDecreasesToday":0},"GlobalSecondaryIndexes":[{"IndexName":"i","IndexStatus":"ACTIVE","KeySchema":[],"Projection":{"ProjectionType":"ALL"},"ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4}}]}}`),
			},
			want: []string{`CreateTable {"TableName":"t","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],"BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2},` +
				`"GlobalSecondaryIndexes":[{"IndexName":"i","KeySchema":[],"Projection":{"ProjectionType":"ALL"},"ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4}}]}`},
		},
		{
			name: "read before written",
			lines: []string{
				exchangeText("GetItem", get, `{"Item":{"k":{"S":"a"},"v":{"N":"1"}}}`),
				exchangeText("PutItem", `{"TableName":"t","Item":{"k":{"S":"b"}}}`, `{}`),
				exchangeText("GetItem", `{"TableName":"t","Key":{"k":{"S":"b"}}}`, `{"Item":{"k":{"S":"b"}}}`),
				exchangeText("DeleteItem", `{"TableName":"t","Key":{"k":{"S":"c"}},"ReturnValues":"ALL_OLD"}`, `{"Attributes":{"k":{"S":"c"},"v":{"N":"2"}}}`),
				exchangeText("UpdateItem", `{"TableName":"t","Key":{"k":{"S":"d"}},"ReturnValues":"UPDATED_OLD"}`, `{"Attributes":{"v":{"N":"3"}}}`),
				exchangeText("PutItem", `{"TableName":"t","Item":{"k":{"S":"e"}}}`, `{"__type":"x#ConditionalCheckFailedException","Item":{"k":{"S":"e"},"v":{"N":"4"}}}`),
				exchangeText("PutItem", `{"TableName":"t","Item":{"k":{"S":"f"}}}`, `{"__type":"x#ValidationException"}`),
				exchangeText("GetItem", `{"TableName":"t","Key":{"k":{"S":"f"}}}`, `{"Item":{"k":{"S":"f"},"v":{"N":"5"}}}`),
			},
			want: []string{onePK, put(`{"k":{"S":"a"},"v":{"N":"1"}}`), put(`{"k":{"S":"c"},"v":{"N":"2"}}`), put(`{"k":{"S":"d"},"v":{"N":"3"}}`),
				put(`{"k":{"S":"e"},"v":{"N":"4"}}`), put(`{"k":{"S":"f"},"v":{"N":"5"}}`)},
			notes: "guessed",
		},
		{
			name: "parts, then the whole",
			lines: []string{
				exchangeText("GetItem", `{"TableName":"t","Key":{"k":{"S":"a"}},"ProjectionExpression":"k, x"}`, `{"Item":{"k":{"S":"a"},"x":{"S":"1"}}}`),
				exchangeText("Query", `{"TableName":"t","IndexName":"i"}`, `{"Items":[{"k":{"S":"a"},"y":{"S":"2"}},{"k":{"S":"b"},"y":{"S":"3"}},{"y":{"S":"no key"}}]}`),
				exchangeText("Scan", `{"TableName":"t"}`, `{"Items":[{"k":{"S":"b"},"y":{"S":"3"},"z":{"S":"4"}}]}`),
			},
			want: []string{onePK, put(`{"k":{"S":"a"},"x":{"S":"1"},"y":{"S":"2"}}`), put(`{"k":{"S":"b"},"y":{"S":"3"},"z":{"S":"4"}}`)}, notes: "guessed",
		},
		{
			name: "several tables at once",
			lines: []string{
				exchangeText("BatchGetItem", `{"RequestItems":{"t":{"Keys":[{"k":{"S":"a"}}]}}}`, `{"Responses":{"t":[{"k":{"S":"a"},"v":{"N":"1"}}]},"UnprocessedKeys":{}}`),
				exchangeText("TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"t","Key":{"k":{"S":"b"}}}},{"Get":{"TableName":"t","Key":{"k":{"S":"c"}}}}]}`, `{"Responses":[{},{"Item":{"k":{"S":"c"}}}]}`),
				exchangeText("TransactWriteItems", `{"TransactItems":[{"Update":{"TableName":"t","Key":{"k":{"S":"d"}}}}]}`, `{"__type":"x#TransactionCanceledException","CancellationReasons":[{"Code":"ConditionalCheckFailed","Item":{"k":{"S":"d"}}}]}`),
				exchangeText("BatchWriteItem", `{"RequestItems":{"t":[{"DeleteRequest":{"Key":{"k":{"S":"e"}}}},{"PutRequest":{"Item":{"k":{"S":"f"}}}}]}}`, `{}`),
				exchangeText("TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"t","Item":{"k":{"S":"g"}}}},{"ConditionCheck":{"TableName":"t","Key":{"k":{"S":"h"}}}}]}`, `{}`),
				exchangeText("Scan", `{"TableName":"t"}`, `{"Items":[{"k":{"S":"f"}},{"k":{"S":"g"}},{"k":{"S":"h"}}]}`),
			},
			want: []string{onePK, put(`{"k":{"S":"a"},"v":{"N":"1"}}`), put(`{"k":{"S":"c"}}`), put(`{"k":{"S":"d"}}`), put(`{"k":{"S":"h"}}`)}, notes: "guessed",
		},
		{
			name: "numbers by value",
			lines: []string{
				exchangeText("PutItem", `{"TableName":"t","Item":{"n":{"N":"1.0"}}}`, `{}`),
				exchangeText("GetItem", `{"TableName":"t","Key":{"n":{"N":"1"}}}`, `{"Item":{"n":{"N":"1"}}}`),
			},
			want: []string{`CreateTable {"TableName":"t","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"n","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"n","AttributeType":"N"}]}`}, notes: "guessed",
		},
		{
			name: "statements",
			lines: []string{
				exchangeText("GetItem", get, `{}`),
				exchangeText("ExecuteStatement", `{"Statement":"SELECT * FROM t"}`, `{"Items":[{"k":{"S":"a"}}]}`),
				exchangeText("ExecuteStatement", `{"Statement":"INSERT INTO t VALUE {'k': 'b'}"}`, `{"Items":[]}`),
				exchangeText("ExecuteStatement", `{"Statement":"SELECT * FROM t"}`, `{"Items":[{"k":{"S":"b"}}]}`),
			},
			want: []string{onePK, put(`{"k":{"S":"a"}}`)}, notes: "guessed",
		},
		{
			name: "two key attributes and an index, by their use",
			lines: []string{
				exchangeText("GetItem", `{"TableName":"t","Key":{"s":{"N":"1"},"p":{"S":"a"}}}`, `{}`),
				exchangeText("Query", `{"TableName":"t","KeyConditionExpression":"#p = :p and begins_with(s,:s)","ExpressionAttributeNames":{"#p":"p"},"ExpressionAttributeValues":{":p":{"S":"a"},":s":{"N":"1"}}}`, `{"Items":[]}`),
				exchangeText("Query", `{"TableName":"t","IndexName":"iii","KeyConditionExpression":"g=:g AND h BETWEEN :a AND :b","ExpressionAttributeValues":{":g":{"B":"YQ=="},":a":{"N":"1"},":b":{"N":"2"}}}`, `{"Items":[]}`),
			},
			want: []string{`CreateTable {"TableName":"t","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],` +
				`"GlobalSecondaryIndexes":[{"IndexName":"iii","KeySchema":[{"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"h","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}],` +
				`"AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},{"AttributeName":"s","AttributeType":"N"},{"AttributeName":"g","AttributeType":"B"},{"AttributeName":"h","AttributeType":"N"}]}`},
			notes: "guessed from its use: p, s",
		},
		{name: "a key that doesn't show", lines: []string{exchangeText("PutItem", `{"TableName":"t","Item":{"k":{"S":"a"}}}`, `{}`)}, notes: "describe it with --table"},
		{name: "two attributes, and nothing tells them apart", lines: []string{exchangeText("GetItem", `{"TableName":"t","Key":{"a":{"S":"1"},"b":{"S":"1"}}}`, `{}`)}, notes: "describe it with --table"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// Names of tables have three characters.
			for i := range tt.lines {
				tt.lines[i] = strings.NewReplacer(`"TableName":"t"`, `"TableName":"ttt"`, `{"t":`, `{"ttt":`, " t\"", " ttt\"", " t ", " ttt ").Replace(tt.lines[i])
			}
			assumed, notes := before(turnsOf(trafficOf(t, tt.lines...)), nil)
			var got []string
			for _, e := range assumed {
				got = append(got, strings.ReplaceAll(e.Operation+" "+string(e.Request), `"TableName":"ttt"`, `"TableName":"t"`))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if all := strings.Join(notes, "; "); (tt.notes == "") != (all == "") || !strings.Contains(all, tt.notes) {
				t.Errorf("notes %q, want %q", all, tt.notes)
			}
		})
	}
}

func TestDependencies(t *testing.T) {
	create := func(name string) string {
		return exchangeText("CreateTable", `{"TableName":"`+name+`","KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]}`, `{"TableDescription":{"LatestStreamArn":"arn:aws:dynamodb:us-east-1:123456789012:table/`+name+`/stream/1"}}`)
	}
	put := func(key string) string {
		return exchangeText("PutItem", `{"TableName":"ttt","Item":{"k":{"S":"`+key+`"}}}`, `{}`)
	}
	update := func(key string) string {
		return exchangeText("UpdateItem", `{"TableName":"ttt","Key":{"k":{"S":"`+key+`"}}}`, `{}`)
	}
	get := exchangeText("GetItem", `{"TableName":"ttt","Key":{"k":{"S":"a"}}}`, `{}`)
	for _, tt := range []struct {
		name  string
		lines []string
		want  string // positions of those kept
	}{
		{"an item", []string{create("ttt"), create("other"), put("a"), put("b"), update("a"), update("b"), get, get}, "0 2 4"},
		{"an item written over", []string{create("ttt"), put("a"), update("a"), put("a"), update("a"), get}, "0 3 4"},
		{"a condition on another item", []string{create("ttt"), put("b"), exchangeText("TransactWriteItems",
			`{"TransactItems":[{"Update":{"TableName":"ttt","Key":{"k":{"S":"a"}}}},{"ConditionCheck":{"TableName":"ttt","Key":{"k":{"S":"b"}}}}]}`, `{}`), put("c"), get}, "0 1 2"},
		{"a failed write", []string{create("ttt"), exchangeText("PutItem", `{"TableName":"ttt","Item":{"k":{"S":"a"}}}`, `{"__type":"x#ConditionalCheckFailedException"}`), get}, "0"},
		{"the whole table", []string{create("ttt"), put("a"), put("b"), exchangeText("Scan", `{"TableName":"ttt"}`, `{}`)}, "0 1 2"},
		{"statements", []string{create("ttt"), put("b"), exchangeText("ExecuteStatement", `{"Statement":"SELECT * FROM ttt"}`, `{}`),
			exchangeText("ExecuteStatement", `{"Statement":"INSERT INTO ttt VALUE {'k':'b'}"}`, `{}`), get}, "0 1 3"},
		{"ids", []string{create("ttt"), create("other"), put("a"),
			exchangeText("DescribeStream", `{"StreamArn":"arn:aws:dynamodb:us-east-1:123456789012:table/ttt/stream/1"}`, `{"StreamDescription":{"Shards":[{"ShardId":"shard-1"}]}}`),
			exchangeText("GetShardIterator", `{"StreamArn":"arn:aws:dynamodb:us-east-1:123456789012:table/ttt/stream/1","ShardId":"shard-1"}`, `{"ShardIterator":"iterator-1"}`),
			exchangeText("GetRecords", `{"ShardIterator":"iterator-1"}`, `{}`)}, "0 2 3 4"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			turns := turnsOf(trafficOf(t, tt.lines...))
			kept := dependencies(turns)
			var got []string
			for i, turn := range turns {
				if kept[turn] {
					got = append(got, string(rune('0'+i)))
				}
			}
			if all := strings.Join(got, " "); all != tt.want {
				t.Errorf("kept %s, want %s", all, tt.want)
			}
		})
	}
}

// FuzzCaseOf: whatever traffic says, a case of it is well formed, or there is none.
func FuzzCaseOf(f *testing.F) {
	f.Add(exchangeText("CreateTable", `{"TableName":"ttt","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}]}`, `{}`) +
		"\n" + exchangeText("PutItem", `{"TableName":"ttt","Item":{"k":{"S":"${a}"}}}`, `{"__type":"x#Y","message":"a\nb"}`))
	f.Add(exchangeText("BatchGetItem", `{"RequestItems":{"ttt":{"Keys":[{"k":{"S":"a"}}]}}}`, `{"Responses":{"ttt":[{"k":{"S":"a"}}]}}`))
	f.Add(exchangeText("TransactWriteItems", `{"ClientRequestToken":"x","TransactItems":[{"Put":{"TableName":"ttt","Item":{"k":{"S":"a"}}}}]}`, `{}`))
	f.Add(`{"http":"GET /","status":200,"responseText":"healthy"}` + "\n" + exchangeText("GetShardIterator", `{"StreamArn":"arn:aws:dynamodb:us-east-1:123456789012:table/ttt/stream/1"}`, `{"ShardIterator":"abcd"}`))
	f.Fuzz(func(t *testing.T, text string) {
		traffic, err := ReadTraffic("f", strings.NewReader(text))
		if err != nil {
			return
		}
		s, _, err := CaseOf(traffic, CaseConfig{Name: "f"})
		if err != nil {
			return
		}
		if _, err := Parse("f.txt", Format(s)); err != nil {
			t.Error(err)
		}
		if turns := turnsOf(traffic); len(turns) > 0 {
			dependencies(turns)
		}
	})
}
