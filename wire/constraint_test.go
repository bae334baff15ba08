package wire

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
)

func checkFunc[T any](decode func(string, *T) error, check func(*T) []api.Violation) func(string) (*api.Error, error) {
	return func(body string) (*api.Error, error) {
		var in T
		if err := decode(body, &in); err != nil {
			return nil, err
		}
		return api.Constraints(check(&in)), nil
	}
}

var checkFuncs = map[string]func(string) (*api.Error, error){
	"GetItem":               checkFunc(DecodeGetItem, CheckGetItem),
	"PutItem":               checkFunc(DecodePutItem, CheckPutItem),
	"UpdateItem":            checkFunc(DecodeUpdateItem, CheckUpdateItem),
	"DeleteItem":            checkFunc(DecodeDeleteItem, CheckDeleteItem),
	"Query":                 checkFunc(DecodeQuery, CheckQuery),
	"Scan":                  checkFunc(DecodeScan, CheckScan),
	"BatchGetItem":          checkFunc(DecodeBatchGetItem, CheckBatchGetItem),
	"BatchWriteItem":        checkFunc(DecodeBatchWriteItem, CheckBatchWriteItem),
	"TransactGetItems":      checkFunc(DecodeTransactGetItems, CheckTransactGetItems),
	"TransactWriteItems":    checkFunc(DecodeTransactWriteItems, CheckTransactWriteItems),
	"ExecuteStatement":      checkFunc(DecodeExecuteStatement, CheckExecuteStatement),
	"BatchExecuteStatement": checkFunc(DecodeBatchExecuteStatement, CheckBatchExecuteStatement),
	"ExecuteTransaction":    checkFunc(DecodeExecuteTransaction, CheckExecuteTransaction),
	"CreateTable":           checkFunc(DecodeCreateTable, CheckCreateTable),
	"UpdateTable":           checkFunc(DecodeUpdateTable, CheckUpdateTable),
	"DescribeTable":         checkFunc(DecodeDescribeTable, CheckDescribeTable),
	"DeleteTable":           checkFunc(DecodeDeleteTable, CheckDeleteTable),
	"ListTables":            checkFunc(DecodeListTables, CheckListTables),
	"DescribeLimits":        checkFunc(DecodeDescribeLimits, CheckDescribeLimits),
	"DescribeEndpoints":     checkFunc(DecodeDescribeEndpoints, CheckDescribeEndpoints),
	"UpdateTimeToLive":      checkFunc(DecodeUpdateTimeToLive, CheckUpdateTimeToLive),
	"DescribeTimeToLive":    checkFunc(DecodeDescribeTimeToLive, CheckDescribeTimeToLive),
	"TagResource":           checkFunc(DecodeTagResource, CheckTagResource),
	"UntagResource":         checkFunc(DecodeUntagResource, CheckUntagResource),
	"ListTagsOfResource":    checkFunc(DecodeListTagsOfResource, CheckListTagsOfResource),
	"ListStreams":           checkFunc(DecodeListStreams, CheckListStreams),
	"DescribeStream":        checkFunc(DecodeDescribeStream, CheckDescribeStream),
	"GetShardIterator":      checkFunc(DecodeGetShardIterator, CheckGetShardIterator),
	"GetRecords":            checkFunc(DecodeGetRecords, CheckGetRecords),
}

// message is the text of the constraint error of a request, "" when it breaks none.
func message(t *testing.T, op, body string, w api.Wording) string {
	t.Helper()
	e, err := checkFuncs[op](body)
	if err != nil {
		t.Fatalf("%s %s: %v", op, body, err)
	}
	if e == nil {
		return ""
	}
	return e.Text(api.ProfileOf(op, w))
}

// Parts of entries.
const (
	failed  = " failed to satisfy constraint: "
	notNull = failed + "Member must not be null"
	pattern = failed + "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
	rcc     = "Value 'hi' at 'returnConsumedCapacity'" + failed + "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"
	ricm    = "Value 'hi' at 'returnItemCollectionMetrics'" + failed + "Member must satisfy enum value set: [SIZE, NONE]"
	rv      = "Value 'hi' at 'returnValues'" + failed + "Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"
	rvNew   = "Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]"
	co      = "Value 'hi' at 'conditionalOperator'" + failed + "Member must satisfy enum value set: [OR, AND]"
	coNew   = "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]"
	sel     = "Value 'hi' at 'select'" + failed + "Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]"
	empty   = "Value '' at 'tableName'" + failed + "Member must have length greater than or equal to 1"
	noEcho  = "Value at 'TableName'" + failed + "Member must have length greater than or equal to 1"
	lengthy = failed + "Member must have length less than or equal to "
	short   = failed + "Member must have length greater than or equal to "
	low     = failed + "Member must have value greater than or equal to "
	high    = failed + "Member must have value less than or equal to "
	mapKeys = failed + "Map keys must satisfy constraint: [Member must have length less than or equal to 255, " +
		"Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"
	mapValue = failed + "Map value must satisfy constraint: [Member must have length less than or equal to 25, " +
		"Member must have length greater than or equal to 1]"
	lengthRule = "TableName must be at least 3 characters long and at most 255 characters long"
)

// errs makes a constraint message of entries.
func errs(entries ...string) string {
	if len(entries) == 1 {
		return "1 validation error detected: " + entries[0]
	}
	return strconv.Itoa(len(entries)) + " validation errors detected: " + strings.Join(entries, "; ")
}

func null(path string) string { return "Value null at '" + path + "'" + notNull }

var name256 = strings.Repeat("a", 256)

// TestConstraints holds the recorded strings of behaviours/01 §1.5, 02 and 08. current is "=" where both wordings
// agree.
func TestConstraints(t *testing.T) {
	const same = "="
	tests := []struct{ op, body, classic, current string }{
		// Table names of the item operations.
		{"PutItem", `{"Item":{}}`, errs(null("tableName")), same},
		{"PutItem", `{"TableName":"","Item":{}}`, errs(empty), errs(noEcho)},
		{"UpdateItem", `{"TableName":"","Key":{}}`, errs(empty), errs(noEcho)},
		{"DeleteItem", `{"TableName":"","Key":{}}`, errs(empty), errs(noEcho)},
		{"GetItem", `{"TableName":"a","Key":{}}`, "", same},
		{"PutItem", `{"TableName":"` + name256 + `","Item":{}}`, errs("Value '" + name256 + "' at 'tableName'" + lengthy + "255"), same},
		{"PutItem", `{"TableName":"bad table!@#","Item":{}}`, errs("Value 'bad table!@#' at 'tableName'" + pattern), same},
		{"PutItem", `{"TableName":"arn:aws:dynamodb:us-east-1:123456789012:table/t","Item":{}}`, "", same},
		{"Scan", `{}`, errs(null("tableName")), same},
		{"Scan", `{"TableName":""}`, errs(empty), same},

		// Reporting together and stopping early.
		{"PutItem", `{"TableName":"","ReturnValues":"hi","Item":{}}`, errs(empty, rv), errs(noEcho)},
		{"PutItem", `{"TableName":"x!","ReturnValues":"hi","Item":{}}`, errs("Value 'x!' at 'tableName'"+pattern, rv),
			errs("Value 'x!' at 'tableName'" + pattern)},
		{"PutItem", `{"TableName":"t","Item":{},"ReturnItemCollectionMetrics":"hi","ReturnValues":"hi","ReturnConsumedCapacity":"hi"}`,
			errs(rcc, rv, ricm), errs(rcc, rvNew, ricm)},
		{"DeleteItem", `{"TableName":"t","Key":{},"ReturnItemCollectionMetrics":"hi","ReturnValues":"hi","ReturnConsumedCapacity":"hi"}`,
			errs(rcc, rv, ricm), errs(rcc, rvNew, ricm)},
		{"UpdateItem", `{"TableName":"t","Key":{},"ReturnItemCollectionMetrics":"hi","ReturnValues":"hi","ReturnConsumedCapacity":"hi"}`,
			errs(rcc, ricm, rv), errs(rvNew)},
		{"UpdateItem", `{"TableName":"","ReturnConsumedCapacity":"hi","ReturnValues":"hi"}`, errs(rcc, empty, rv, null("key")), same},
		{"UpdateItem", `{"TableName":""}`, errs(empty, null("key")), same},
		{"UpdateItem", `{"TableName":"t","ConditionalOperator":"hi"}`, errs(co, null("key")), same},
		{"PutItem", `{}`, errs(null("tableName"), null("item")), same},
		{"PutItem", `{"TableName":"t","Item":{},"ConditionalOperator":"hi"}`, errs(co), errs(coNew)},
		{"PutItem", `{"TableName":"t","Item":{},"ReturnValues":"none"}`,
			errs(strings.Replace(rv, "hi", "none", 1)), errs(rvNew)},
		{"PutItem", `{"TableName":"t","Item":{},"ReturnValuesOnConditionCheckFailure":"hi"}`,
			errs("Value 'hi' at 'returnValuesOnConditionCheckFailure'" + failed + "Member must satisfy enum value set: [ALL_OLD, NONE]"), same},

		// Legacy members.
		{"GetItem", `{"TableName":"t","Key":{},"AttributesToGet":[]}`, errs("Value '[]' at 'attributesToGet'" + short + "1"),
			errs("Value at 'AttributesToGet'" + short + "1")},
		{"Scan", `{"TableName":"t","ScanFilter":{"a":{}}}`, errs(null("scanFilter.a.member.comparisonOperator")), same},
		{"PutItem", `{"TableName":"t","Item":{},"Expected":{"a":{"ComparisonOperator":"hi"}}}`,
			errs("Value 'hi' at 'expected.a.member.comparisonOperator'" + failed + "Member must satisfy enum value set: " +
				"[IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]"), same},
		{"UpdateItem", `{"TableName":"t","Key":{},"AttributeUpdates":{"X":{"Action":"hi"}}}`,
			errs("Value 'hi' at 'attributeUpdates.X.member.action'" + failed + "Member must satisfy enum value set: [ADD, PUT, DELETE]"), same},

		// Query and Scan.
		{"Query", `{"TableName":"t","Limit":0}`, errs("Value at 'Limit'" + low + "1"), same},
		{"Scan", `{"TableName":"t","Limit":0}`, errs("Value '0' at 'limit'" + low + "1"), same},
		{"Query", `{"TableName":"t","Select":"hi","ReturnConsumedCapacity":"hi"}`, errs(sel, rcc), same},
		{"Query", `{"TableName":"t","Select":"hi","ConditionalOperator":"hi"}`, errs(sel, co), coNew},
		{"Query", `{"TableName":"t","IndexName":"h;"}`, errs("Value 'h;' at 'indexName'"+pattern, "Value 'h;' at 'indexName'"+short+"3"), same},
		{"Scan", `{"TableName":"t","TotalSegments":0,"Segment":-1,"Select":"hi","IndexName":"abc","ReturnConsumedCapacity":"hi"}`,
			errs(sel, "Value '0' at 'totalSegments'"+low+"1", rcc, "Value '-1' at 'segment'"+low+"0"), same},
		{"Scan", `{"TableName":"t","TotalSegments":1000001,"Segment":1000000}`,
			errs("Value '1000001' at 'totalSegments'"+high+"1000000", "Value '1000000' at 'segment'"+high+"999999"), same},

		// BatchGetItem.
		{"BatchGetItem", `{}`, errs(null("requestItems")), same},
		{"BatchGetItem", `{"RequestItems":{}}`, "The requestItems parameter is required for BatchGetItem",
			errs("Value at 'RequestItems'" + short + "1")},
		{"BatchGetItem", `{"RequestItems":{"abc":{}}}`, errs(null("requestItems.abc.member.keys")), same},
		{"BatchGetItem", `{"RequestItems":{"abc":{"Keys":[]}}}`, errs("Value '[]' at 'requestItems.abc.member.keys'" + short + "1"),
			errs("Value at 'RequestItems.abc.member.Keys'" + short + "1")},
		{"BatchGetItem", `{"RequestItems":{"abc":{"Keys":[` + strings.Repeat(`{},`, 100) + `{}]}}}`,
			errs("Value at 'RequestItems.abc.member.Keys'" + lengthy + "100"), same},
		{"BatchGetItem", `{"RequestItems":{"bad!name":{"Keys":[{"pk":{"S":"a"}}]}}}`,
			errs(`Value '{"bad!name":{"Keys":[{"pk":{"S":"a"}}]}}' at 'requestItems'` + mapKeys), same},
		{"BatchGetItem", `{"ReturnConsumedCapacity":"hi","RequestItems":{"a!b":{"Keys":[{}]}}}`,
			errs(`Value '{"a!b":{"Keys":[{}]}}' at 'requestItems'`+mapKeys, rcc), same},

		// BatchWriteItem.
		{"BatchWriteItem", `{}`, errs(null("requestItems")), same},
		{"BatchWriteItem", `{"RequestItems":{}}`, "The requestItems parameter is required for BatchWriteItem", same},
		{"BatchWriteItem", `{"RequestItems":{"abc":[]}}`, errs("Value '{abc=[]}' at 'requestItems'" + mapValue), same},
		{"BatchWriteItem", `{"RequestItems":{"a":[]}}`,
			errs("Value '{a=[]}' at 'requestItems'"+mapKeys, "Value '{a=[]}' at 'requestItems'"+mapValue), same},
		{"BatchWriteItem", `{"RequestItems":{"aa;":[{"PutRequest":{"Item":{}}}]},"ReturnConsumedCapacity":"hi","ReturnItemCollectionMetrics":"hi"}`,
			errs(rcc, ricm), same},
		{"BatchWriteItem", `{"RequestItems":{"abc":[{"PutRequest":{},"DeleteRequest":{}}]}}`,
			errs(null("requestItems.abc.member.1.member.putRequest.item"), null("requestItems.abc.member.1.member.deleteRequest.key")), same},
		{"BatchWriteItem", `{"RequestItems":{"abc":[{}]}}`, "", same},

		// Transactions.
		{"TransactWriteItems", `{"TransactItems":[]}`, errs("Value '[]' at 'transactItems'" + short + "1"), same},
		{"TransactGetItems", `{"TransactItems":[]}`, errs("Value '[]' at 'transactItems'" + short + "1"), same},
		{"TransactGetItems", `{"TransactItems":[{}]}`, errs(null("transactItems.1.member.get")), same},
		{"TransactWriteItems", `{"TransactItems":[{"ConditionCheck":{"Key":{},"TableName":"t"}}]}`,
			errs(null("transactItems.1.member.conditionCheck.conditionExpression")), same},
		{"TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"t"}},{"Update":{"TableName":"t","Key":{}}}]}`,
			errs(null("transactItems.1.member.put.item"), null("transactItems.2.member.update.updateExpression")), same},
		{"TransactWriteItems", `{"TransactItems":[{}],"ClientRequestToken":"` + name256[:37] + `","ReturnConsumedCapacity":"hi","ReturnItemCollectionMetrics":"hi"}`,
			errs("Value '"+name256[:37]+"' at 'clientRequestToken'"+lengthy+"36", rcc, ricm), same},
		{"TransactWriteItems", `{"TransactItems":[{}],"ClientRequestToken":""}`, errs("Value '' at 'clientRequestToken'" + short + "1"), same},

		// CreateTable.
		{"CreateTable", `{}`, "The parameter 'TableName' is required but was not present in the request", same},
		{"CreateTable", `{"TableName":"ab","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}]}`,
			errs("Value 'ab' at 'tableName'" + short + "3"), same},
		{"CreateTable", `{"TableName":"abc;"}`, errs(null("attributeDefinitions"), "Value 'abc;' at 'tableName'"+pattern, null("keySchema")), same},
		{"CreateTable", `{"TableName":"abc","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},` +
			`{"AttributeName":"sk","KeyType":"RANGE"},{"AttributeName":"x","KeyType":"RANGE"}]}`,
			errs("Value '[KeySchemaElement(attributeName=pk, keyType=HASH), KeySchemaElement(attributeName=sk, keyType=RANGE), " +
				"KeySchemaElement(attributeName=x, keyType=RANGE)]' at 'keySchema'" + lengthy + "2"), same},
		{"CreateTable", `{"TableName":"abc","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"pk","KeyType":"INVALID"}]}`,
			errs("Value 'INVALID' at 'keySchema.1.member.keyType'" + failed + "Member must satisfy enum value set: [HASH, RANGE]"), same},
		{"CreateTable", `{"TableName":"abc","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"INVALID"},{}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`,
			errs("Value 'INVALID' at 'attributeDefinitions.1.member.attributeType'"+failed+"Member must satisfy enum value set: [B, N, S]",
				null("attributeDefinitions.2.member.attributeName"), null("attributeDefinitions.2.member.attributeType")), same},
		{"CreateTable", `{"TableName":"abc","AttributeDefinitions":[],"KeySchema":[],"ProvisionedThroughput":{"ReadCapacityUnits":-1,"WriteCapacityUnits":-1},"BillingMode":"A"}`,
			errs("Value 'A' at 'billingMode'"+failed+"Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]",
				"Value '-1' at 'provisionedThroughput.writeCapacityUnits'"+low+"1",
				"Value '-1' at 'provisionedThroughput.readCapacityUnits'"+low+"1", "Value '[]' at 'keySchema'"+short+"1"), same},
		{"CreateTable", `{"TableName":"abc","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],` +
			`"LocalSecondaryIndexes":[{"IndexName":"h;","KeySchema":[],"Projection":{}}],"GlobalSecondaryIndexes":[{"IndexName":"a","Projection":{"NonKeyAttributes":[],"ProjectionType":"x"}}]}`,
			errs("Value 'a' at 'globalSecondaryIndexes.1.member.indexName'"+short+"3", null("globalSecondaryIndexes.1.member.keySchema"),
				"Value 'x' at 'globalSecondaryIndexes.1.member.projection.projectionType'"+failed+"Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]",
				"Value '[]' at 'globalSecondaryIndexes.1.member.projection.nonKeyAttributes'"+short+"1",
				"Value 'h;' at 'localSecondaryIndexes.1.member.indexName'"+pattern,
				"Value 'h;' at 'localSecondaryIndexes.1.member.indexName'"+short+"3",
				"Value '[]' at 'localSecondaryIndexes.1.member.keySchema'"+short+"1"), same},
		{"CreateTable", `{"TableName":"abc","AttributeDefinitions":[{"AttributeName":"` + name256 + `","AttributeType":"S"}],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}]}`,
			errs("Value '" + name256 + "' at 'attributeDefinitions.1.member.attributeName'" + lengthy + "255"), same},
		{"CreateTable", `{"TableName":"abc","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"TableClass":"x"}`,
			errs("Value 'x' at 'tableClass'" + failed + "Member must satisfy enum value set: [STANDARD, STANDARD_INFREQUENT_ACCESS]"), same},

		// The other operations on tables.
		{"DescribeTable", `{}`, "The parameter 'TableName' is required but was not present in the request", same},
		{"DeleteTable", `{"TableName":""}`, lengthRule, same},
		{"UpdateTable", `{"TableName":"a;","ProvisionedThroughput":{}}`, lengthRule, same},
		{"DescribeTimeToLive", `{"TableName":"` + name256 + `"}`, lengthRule, same},
		{"DescribeTable", `{"TableName":"abc;"}`, errs("Value 'abc;' at 'tableName'" + pattern), same},
		{"UpdateTable", `{"TableName":"abc","ProvisionedThroughput":{}}`,
			errs(null("provisionedThroughput.writeCapacityUnits"), null("provisionedThroughput.readCapacityUnits")), same},
		{"UpdateTable", `{"TableName":"abc","GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"a","ProvisionedThroughput":{}}},` +
			`{"Update":{"IndexName":"abc;","ProvisionedThroughput":{"ReadCapacityUnits":1000000000001,"WriteCapacityUnits":0}}},{"Create":{}},{"Delete":{}}]}`,
			errs("Value 'a' at 'globalSecondaryIndexUpdates.1.member.update.indexName'"+short+"3",
				null("globalSecondaryIndexUpdates.1.member.update.provisionedThroughput.writeCapacityUnits"),
				null("globalSecondaryIndexUpdates.1.member.update.provisionedThroughput.readCapacityUnits"),
				"Value 'abc;' at 'globalSecondaryIndexUpdates.2.member.update.indexName'"+pattern,
				"Value '0' at 'globalSecondaryIndexUpdates.2.member.update.provisionedThroughput.writeCapacityUnits'"+low+"1",
				null("globalSecondaryIndexUpdates.3.member.create.indexName"),
				null("globalSecondaryIndexUpdates.3.member.create.keySchema"),
				null("globalSecondaryIndexUpdates.3.member.create.projection"),
				null("globalSecondaryIndexUpdates.4.member.delete.indexName")), same},
		{"ListTables", `{"Limit":101}`, errs("Value '101' at 'limit'" + high + "100"), same},
		{"ListTables", `{"ExclusiveStartTableName":"a;","Limit":0}`, errs("Value '0' at 'limit'"+low+"1",
			"Value 'a;' at 'exclusiveStartTableName'"+pattern, "Value 'a;' at 'exclusiveStartTableName'"+short+"3"), same},
		{"UpdateTimeToLive", `{"TableName":"abc","TimeToLiveSpecification":{"AttributeName":"","Enabled":true}}`,
			errs("Value '' at 'timeToLiveSpecification.attributeName'" + short + "1"), same},
		{"UpdateTimeToLive", `{"TableName":"abc"}`, errs(null("timeToLiveSpecification")), same},
		{"TagResource", `{}`, "Invalid TableArn", same},
		{"TagResource", `{"ResourceArn":"arn:aws:dynamodb:us-east-1:1:table/t"}`, errs(null("tags")), same},
		{"UntagResource", `{"ResourceArn":"arn:aws:dynamodb:us-east-1:1:table/t"}`, errs(null("tagKeys")), same},

		// PartiQL and streams.
		{"ExecuteStatement", `{"Statement":"","Parameters":[],"Limit":0,"ReturnConsumedCapacity":"hi"}`,
			errs("Value '' at 'statement'"+short+"1", "Value '[]' at 'parameters'"+short+"1", rcc, "Value '0' at 'limit'"+low+"1"), same},
		{"BatchExecuteStatement", `{"Statements":[]}`, errs("Value '[]' at 'statements'" + short + "1"), same},
		{"GetRecords", `{"ShardIterator":"x","Limit":1001}`, errs("Value '1001' at 'limit'" + high + "1000"), same},
		{"DescribeStream", `{"StreamArn":"arn:aws:dynamodb:us-west-2:123456789012:table/T/stream/x","ShardFilter":{"Type":"CHILD_SHARDS","ShardId":"s"}}`,
			errs("Value 's' at 'shardFilter.shardId'" + short + "28"), same},
	}
	for _, tt := range tests {
		want := map[api.Wording]string{api.WordingClassic: tt.classic, api.WordingCurrent: tt.current}
		if tt.current == same {
			want[api.WordingCurrent] = tt.classic
		}
		for w, text := range want {
			if diff := cmp.Diff(text, message(t, tt.op, tt.body, w)); diff != "" {
				t.Errorf("%s, %s, %.200s:\n%s", w, tt.op, tt.body, diff)
			}
		}
	}
}

// TestEchoes holds the messages whose echo is only known by its form.
func TestEchoes(t *testing.T) {
	puts := strings.Repeat(`{"PutRequest":{"Item":{"pk":{"S":"x"},"l":{"L":[{"N":"1"},{"NULL":true}]},"m":{"M":{"b":{"BOOL":false}}},"s":{"SS":["a","b"]}}}},`, 25) +
		`{"DeleteRequest":{"Key":{"pk":{"B":"AA=="}}}}`
	writes := strings.Repeat(`{"Put":{"TableName":"t","Item":{"pk":{"S":"x"}}}},`, 100) + `{"Delete":{"TableName":"t","Key":{}}}`
	gets := strings.Repeat(`{"Get":{"TableName":"t","Key":{"pk":{"S":"x"}}}},`, 100) + `{}`
	tests := []struct{ op, body, want string }{
		{"BatchWriteItem", `{"RequestItems":{"abc":[` + puts + `]}}`,
			`^1 validation error detected: Value '\{abc=\[WriteRequest\(putRequest=PutRequest\(item=\{pk=AttributeValue\(s=x, n=null, b=null, .+\]\}' at 'requestItems' ` +
				`failed to satisfy constraint: Map value must satisfy constraint: \[Member must have length less than or equal to 25, ` +
				`Member must have length greater than or equal to 1\]$`},
		{"TransactWriteItems", `{"TransactItems":[` + writes + `]}`,
			`^1 validation error detected: Value '\[TransactWriteItem\(conditionCheck=null, put=Put\(.+\]' at 'transactItems' ` +
				`failed to satisfy constraint: Member must have length less than or equal to 100$`},
		{"TransactGetItems", `{"TransactItems":[` + strings.TrimSuffix(gets, `{}`) + `{"Get":{"TableName":"t","Key":{}}}]}`,
			`^1 validation error detected: Value '\[TransactGetItem\(get=Get\(.+\]' at 'transactItems' ` +
				`failed to satisfy constraint: Member must have length less than or equal to 100$`},
	}
	for _, tt := range tests {
		got := message(t, tt.op, tt.body, api.WordingClassic)
		if !regexp.MustCompile(tt.want).MatchString(got) {
			t.Errorf("%s: %s\ndoes not match %s", tt.op, got, tt.want)
		}
		if len(got) > 4*dumpBudget {
			t.Errorf("%s: message of %d bytes", tt.op, len(got))
		}
	}
}

// TestManyViolations checks that at most ten are printed, and that a bad request cannot make more than a few.
func TestManyViolations(t *testing.T) {
	body := `{"TableName":"abc","AttributeDefinitions":[` + strings.Repeat(`{},`, 1000) + `{}]}`
	got := message(t, "CreateTable", body, api.WordingCurrent)
	if n := strings.Count(got, "; ") + 1; n != 10 || !strings.HasPrefix(got, "10 validation errors detected: ") {
		t.Errorf("%d entries in %.80s", n, got)
	}
}

// TestOperations checks that every operation has a decoder and a check.
func TestOperations(t *testing.T) {
	for op := range decodeFuncs {
		if _, ok := checkFuncs[op]; !ok {
			t.Errorf("%s has no check", op)
		}
	}
	if len(decodeFuncs) != len(checkFuncs) {
		t.Errorf("%d decoders, %d checks", len(decodeFuncs), len(checkFuncs))
	}
}
