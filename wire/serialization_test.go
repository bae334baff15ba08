package wire

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/internal/coral"
)

const (
	startOfStructure = "Start of structure or map found where not expected"
	fieldType        = "Unexpected field type"
	valueType        = "Unexpected value type in payload"
	javaCast         = "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class " +
		"(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')"
	collection = "Unrecognized collection type "
	model      = "com.amazonaws.dynamodb.v20120810."
)

// decodeAny decodes body as a request of op.
func decodeAny(t testing.TB, op, body string) error {
	t.Helper()
	decode, ok := decodeFuncs[op]
	if !ok {
		t.Fatalf("no decoder of %s", op)
	}
	return decode(body)
}

func decodeFunc[T any](decode func(string, *T) error) func(string) error {
	return func(body string) error {
		var in T
		return decode(body, &in)
	}
}

var decodeFuncs = map[string]func(string) error{
	"GetItem":               decodeFunc(DecodeGetItem),
	"PutItem":               decodeFunc(DecodePutItem),
	"UpdateItem":            decodeFunc(DecodeUpdateItem),
	"DeleteItem":            decodeFunc(DecodeDeleteItem),
	"Query":                 decodeFunc(DecodeQuery),
	"Scan":                  decodeFunc(DecodeScan),
	"BatchGetItem":          decodeFunc(DecodeBatchGetItem),
	"BatchWriteItem":        decodeFunc(DecodeBatchWriteItem),
	"TransactGetItems":      decodeFunc(DecodeTransactGetItems),
	"TransactWriteItems":    decodeFunc(DecodeTransactWriteItems),
	"ExecuteStatement":      decodeFunc(DecodeExecuteStatement),
	"BatchExecuteStatement": decodeFunc(DecodeBatchExecuteStatement),
	"ExecuteTransaction":    decodeFunc(DecodeExecuteTransaction),
	"CreateTable":           decodeFunc(DecodeCreateTable),
	"UpdateTable":           decodeFunc(DecodeUpdateTable),
	"DescribeTable":         decodeFunc(DecodeDescribeTable),
	"DeleteTable":           decodeFunc(DecodeDeleteTable),
	"ListTables":            decodeFunc(DecodeListTables),
	"DescribeLimits":        decodeFunc(DecodeDescribeLimits),
	"DescribeEndpoints":     decodeFunc(DecodeDescribeEndpoints),
	"UpdateTimeToLive":      decodeFunc(DecodeUpdateTimeToLive),
	"DescribeTimeToLive":    decodeFunc(DecodeDescribeTimeToLive),
	"TagResource":           decodeFunc(DecodeTagResource),
	"UntagResource":         decodeFunc(DecodeUntagResource),
	"ListTagsOfResource":    decodeFunc(DecodeListTagsOfResource),
	"ListStreams":           decodeFunc(DecodeListStreams),
	"DescribeStream":        decodeFunc(DecodeDescribeStream),
	"GetShardIterator":      decodeFunc(DecodeGetShardIterator),
	"GetRecords":            decodeFunc(DecodeGetRecords),
}

// TestSerializationTypes is the table of behaviours/01 §1.4: each row a kind of member, each column a JSON value.
func TestSerializationTypes(t *testing.T) {
	columns := []string{`true`, `false`, `12`, `1.5`, `"x"`, `["x"]`, `{"x":1}`}
	same := func(texts ...string) []string { return texts }
	scalar := func(class string) []string {
		return same("TRUE_VALUE cannot be converted to "+class, "FALSE_VALUE cannot be converted to "+class,
			"NUMBER_VALUE cannot be converted to "+class, "DECIMAL_VALUE cannot be converted to "+class,
			"STRING_VALUE cannot be converted to "+class, collection+"class java.lang."+class, startOfStructure)
	}
	str := scalar("String")
	str[4] = ""
	boolean := scalar("Boolean")
	boolean[0], boolean[1], boolean[4] = "", "", "Unexpected token received from parser"
	integer, long := scalar("Integer"), scalar("Long")
	integer[2], integer[3], long[2], long[3] = "", "", "", ""
	const notBytes = "only base-64-encoded strings are convertible to bytes"
	blob := same(notBytes, notBytes, notBytes, notBytes,
		"Base64 encoded length is expected a multiple of 4 bytes but found: 1", collection+"class java.nio.ByteBuffer", startOfStructure)
	list := same(fieldType, fieldType, fieldType, fieldType, fieldType, "", startOfStructure)
	mapOf := func(java string) []string {
		return same(fieldType, fieldType, fieldType, fieldType, fieldType, collection+"java.util.Map<java.lang.String, "+java+">", "")
	}
	structure := func(java, scalar string) []string {
		return same(scalar, scalar, scalar, scalar, scalar, collection+"class "+model+java, "")
	}
	nestedMap := same(javaCast, javaCast, javaCast, javaCast, javaCast,
		collection+"java.util.Map<java.lang.String, "+model+"AttributeValue>", "")
	nestedList := same(javaCast, javaCast, javaCast, javaCast, javaCast, "", startOfStructure)

	tests := []struct {
		op, before, after string
		want              []string
	}{
		{"GetItem", `{"TableName":`, `}`, str},
		{"GetItem", `{"ConsistentRead":`, `}`, boolean},
		{"Query", `{"Limit":`, `}`, integer},
		{"CreateTable", `{"ProvisionedThroughput":{"ReadCapacityUnits":`, `}}`, long},
		{"PutItem", `{"Item":{"a":{"B":`, `}}}`, blob},
		{"PutItem", `{"Item":{"a":{"BS":[`, `]}}}`, blob},
		{"PutItem", `{"Item":{"a":{"N":`, `}}}`, str},
		{"PutItem", `{"Item":{"a":{"BOOL":`, `}}}`, boolean},
		{"GetItem", `{"AttributesToGet":`, `}`, list},
		{"Query", `{"KeyConditions":{"a":{"AttributeValueList":`, `}}}`, list},
		{"CreateTable", `{"KeySchema":`, `}`, list},
		{"BatchGetItem", `{"RequestItems":{"t":{"Keys":`, `}}}`, list},
		{"PutItem", `{"Item":`, `}`, mapOf(model + "AttributeValue")},
		{"Query", `{"ExclusiveStartKey":`, `}`, mapOf(model + "AttributeValue")},
		{"PutItem", `{"ExpressionAttributeValues":`, `}`, mapOf(model + "AttributeValue")},
		{"PutItem", `{"ExpressionAttributeNames":`, `}`, mapOf("java.lang.String")},
		{"PutItem", `{"Expected":`, `}`, mapOf(model + "ExpectedAttributeValue")},
		{"UpdateItem", `{"AttributeUpdates":`, `}`, mapOf(model + "AttributeValueUpdate")},
		{"Query", `{"KeyConditions":`, `}`, mapOf(model + "Condition")},
		{"Scan", `{"ScanFilter":`, `}`, mapOf(model + "Condition")},
		{"BatchGetItem", `{"RequestItems":`, `}`, mapOf(model + "KeysAndAttributes")},
		{"BatchWriteItem", `{"RequestItems":`, `}`, mapOf("java.util.List<" + model + "WriteRequest>")},
		{"UpdateItem", `{"AttributeUpdates":{"a":{"Value":`, `}}}`, structure("AttributeValue", fieldType)},
		{"CreateTable", `{"ProvisionedThroughput":`, `}`, structure("ProvisionedThroughput", fieldType)},
		{"CreateTable", `{"LocalSecondaryIndexes":[{"Projection":`, `}]}`, structure("Projection", fieldType)},
		{"PutItem", `{"Item":{"a":`, `}}`, structure("AttributeValue", valueType)},
		{"PutItem", `{"ExpressionAttributeValues":{"a":`, `}}`, structure("AttributeValue", valueType)},
		{"Scan", `{"ScanFilter":{"a":{"AttributeValueList":[`, `]}}}`, structure("AttributeValue", valueType)},
		{"CreateTable", `{"AttributeDefinitions":[`, `]}`, structure("AttributeDefinition", valueType)},
		{"CreateTable", `{"KeySchema":[`, `]}`, structure("KeySchemaElement", valueType)},
		{"CreateTable", `{"LocalSecondaryIndexes":[`, `]}`, structure("LocalSecondaryIndex", valueType)},
		{"CreateTable", `{"GlobalSecondaryIndexes":[`, `]}`, structure("GlobalSecondaryIndex", valueType)},
		{"UpdateTable", `{"GlobalSecondaryIndexUpdates":[`, `]}`, structure("GlobalSecondaryIndexUpdate", valueType)},
		{"TagResource", `{"Tags":[`, `]}`, structure("Tag", valueType)},
		{"PutItem", `{"Expected":{"a":`, `}}`, structure("ExpectedAttributeValue", valueType)},
		{"UpdateItem", `{"AttributeUpdates":{"a":`, `}}`, structure("AttributeValueUpdate", valueType)},
		{"Query", `{"QueryFilter":{"a":`, `}}`, structure("Condition", valueType)},
		{"BatchGetItem", `{"RequestItems":{"t":`, `}}`, structure("KeysAndAttributes", valueType)},
		{"BatchWriteItem", `{"RequestItems":{"t":[`, `]}}`, structure("WriteRequest", valueType)},
		{"BatchGetItem", `{"RequestItems":{"t":{"Keys":[`, `]}}}`, nestedMap},
		{"BatchWriteItem", `{"RequestItems":{"t":`, `}}`, nestedList},
	}
	for _, tt := range tests {
		for i, value := range columns {
			// What is right for the row is right as a container only when its own parts are.
			if tt.want[i] == "" && i > 4 {
				value = [...]string{5: `[]`, 6: `{}`}[i]
			}
			body := tt.before + value + tt.after
			err := decodeAny(t, tt.op, body)
			got := ""
			if err != nil {
				var wrong *coral.TypeError
				if !errors.As(err, &wrong) {
					t.Errorf("%s %s: %v", tt.op, body, err)
					continue
				}
				got = wrong.Message
			}
			if diff := cmp.Diff(tt.want[i], got); diff != "" {
				t.Errorf("%s %s:\n%s", tt.op, body, diff)
			}
		}
	}
}

func TestSerializationValues(t *testing.T) {
	tests := []struct{ op, body, want string }{
		{"GetItem", `{"ConsistentRead":"TRUE"}`, ""},
		{"GetItem", `{"ConsistentRead":"1"}`, ""},
		{"GetItem", `{"ConsistentRead":"yes"}`, ""},
		{"GetItem", `{"ConsistentRead":"No"}`, ""},
		{"GetItem", `{"ConsistentRead":"2"}`, "Unexpected token received from parser"},
		{"Query", `{"Limit":1.9}`, ""},
		{"PutItem", `{"Item":{"a":{"N":123}}}`, "NUMBER_VALUE cannot be converted to String"},
		{"PutItem", `{"Item":{"a":{"B":"abcde"}}}`, "Base64 encoded length is expected a multiple of 4 bytes but found: 5"},
		{"PutItem", `{"Item":{"a":{"B":"=+/="}}}`, "Invalid last non-pad Base64 character dectected"},
		{"GetItem", `{"Key":{"a":{"B":"abc"}}}`, "Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
		{"PutItem", `{"ExpressionAttributeValues":{":v":{"B":"abc"}}}`, "Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
		{"PutItem", `{"TableName":null,"Item":null,"Expected":null}`, ""},
		{"PutItem", `{"tablename":1,"Nonsense":{"a":[1,{}]}}`, ""},
		{"GetItem", `{"AttributesToGet":["a",null,"b"]}`, ""},
		{"GetItem", `{"AttributesToGet":["a",1]}`, "NUMBER_VALUE cannot be converted to String"},
		{"PutItem", `{"ExpressionAttributeNames":{"#a":{}}}`, startOfStructure},
		// Model order decides, wherever the faults stand.
		{"GetItem", `{"ExpressionAttributeNames":1,"ConsistentRead":1,"Key":1,"TableName":true}`, "TRUE_VALUE cannot be converted to String"},
		{"GetItem", `{"ExpressionAttributeNames":1,"ConsistentRead":1,"Key":{"a":{"S":1}}}`, "NUMBER_VALUE cannot be converted to String"},
		{"GetItem", `{"ConsistentRead":1.5,"Key":{"a":{"S":"x"}},"ExpressionAttributeNames":1}`, "DECIMAL_VALUE cannot be converted to Boolean"},
		// Depth first: a fault inside an early member comes before one of a later member.
		{"CreateTable", `{"BillingMode":1,"KeySchema":[{"KeyType":[],"AttributeName":{}}]}`, startOfStructure},
		{"CreateTable", `{"BillingMode":1,"KeySchema":[{"KeyType":[]},{"AttributeName":{}}]}`, collection + "class java.lang.String"},
		{"TransactWriteItems", `{"ReturnConsumedCapacity":1,"TransactItems":[{"Put":{"TableName":true,"Item":5}}]}`, fieldType},
		{"BatchWriteItem", `{"RequestItems":{"t":[{"PutRequest":{"Item":[]},"DeleteRequest":1}]}}`,
			collection + "java.util.Map<java.lang.String, " + model + "AttributeValue>"},
	}
	for _, tt := range tests {
		err := decodeAny(t, tt.op, tt.body)
		got := ""
		if err != nil {
			got = SerializationError(err).Message
			if got == "" {
				t.Errorf("%s %s: %v", tt.op, tt.body, err)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s %s:\n%s", tt.op, tt.body, diff)
		}
	}
}

// TestSyntaxWins checks that malformed JSON anywhere beats a wrong type, and has no message.
func TestSyntaxWins(t *testing.T) {
	for _, body := range []string{
		``, ` `, `x`, `[]`, `"x"`, `12`, `null`, `{`, `{"TableName"}`, `{"TableName":"a",}`, `{"TableName":"a"} x`,
		`{"TableName":1,"Key":{"a":{"S":"b}}`,
		`{"TableName":1,"Unknown":{"a":[1,}}`,
		`{"Key":{"a":{"S":[1,2,}}}}`,
		`{"Key":1,"TableName":"a"`,
		`{"TableName":"a","TableName":"b"}`,
		`{"ExpressionAttributeNames":{"#a":"b","#a":"c"}}`,
		`{"Key":{"a":{"S":"b"},"a":{"S":"c"}}}`,
		"{\"TableName\":\"\xff\"}",
		`{"TableName":'a'}`,
		`{"Unknown":` + strings.Repeat("[", 100000),
	} {
		err := decodeAny(t, "GetItem", body)
		var syntax *coral.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%.60s: got %v, want a syntax error", body, err)
			continue
		}
		if e := SerializationError(err); e.Message != "" || e.Code != api.CodeSerialization {
			t.Errorf("%.60s: got %+v", body, e)
		}
	}
}

// TestManyNames checks that repeated names are found among few and among many.
func TestManyNames(t *testing.T) {
	for _, n := range []int{2, fewKeys, fewKeys + 1, 500} {
		var b strings.Builder
		for i := range n {
			b.WriteString(`"#` + strings.Repeat("a", i) + `":"x",`)
		}
		good := `{"ExpressionAttributeNames":{` + strings.TrimSuffix(b.String(), ",") + `}}`
		if err := decodeAny(t, "PutItem", good); err != nil {
			t.Errorf("%d names: %v", n, err)
		}
		for _, repeat := range []string{`"#"`, `"#` + strings.Repeat("a", n-1) + `"`} {
			bad := `{"ExpressionAttributeNames":{` + b.String() + repeat + `:"y"}}`
			if err := decodeAny(t, "PutItem", bad); err == nil {
				t.Errorf("%d names: repeated name accepted", n)
			}
		}
	}
}
