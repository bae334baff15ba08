package request_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/request"
	"github.com/dynalite-go/dynalite/wire"
)

var scope = request.Scope{Account: "000000000000", Region: "us-east-1"}

const prefix = "One or more parameter values were invalid: "

// createTable runs a CreateTable body through decoding and the checks of this package. Member constraints are left out.
func createTable(t *testing.T, body string) (*engine.CreateTable, error) {
	t.Helper()
	var in api.CreateTableInput
	if err := wire.DecodeCreateTable(body, &in); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return new(request.Compiler).CreateTable(&in, scope)
}

func updateTable(t *testing.T, body string) (*engine.UpdateTable, error) {
	t.Helper()
	var in api.UpdateTableInput
	if err := wire.DecodeUpdateTable(body, &in); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return new(request.Compiler).UpdateTable(&in, scope)
}

func messageOf(err error) string {
	if err == nil {
		return ""
	}
	var fault *api.Error
	if !errors.As(err, &fault) {
		return "not a service error: " + err.Error()
	}
	if fault.Code != api.CodeValidation {
		return fault.Code + ": " + fault.Message
	}
	return fault.Message
}

// Parts of CreateTable bodies.

func defs(pairs ...string) string {
	var out []string
	for _, p := range pairs {
		name, typ, _ := strings.Cut(p, ":")
		out = append(out, fmt.Sprintf(`{"AttributeName":%q,"AttributeType":%q}`, name, typ))
	}
	return `"AttributeDefinitions":[` + strings.Join(out, ",") + `]`
}

func key(pairs ...string) string {
	var out []string
	for _, p := range pairs {
		name, typ, _ := strings.Cut(p, ":")
		out = append(out, fmt.Sprintf(`{"AttributeName":%q,"KeyType":%q}`, name, map[string]string{"H": "HASH", "R": "RANGE"}[typ]))
	}
	return `"KeySchema":[` + strings.Join(out, ",") + `]`
}

const (
	onDemand    = `"BillingMode":"PAY_PER_REQUEST"`
	provisioned = `"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}`
	all         = `"Projection":{"ProjectionType":"ALL"}`
)

// body joins the members of a request.
func body(members ...string) string {
	return `{"TableName":"abc",` + strings.Join(members, ",") + `}`
}

// simple is a table with the key a, on demand.
func simple(members ...string) string {
	return body(append([]string{defs("a:S"), key("a:H"), onDemand}, members...)...)
}

// withLocal is a table with the keys a and b and local indexes.
func withLocal(indexes ...string) string {
	return body(defs("a:S", "b:S"), key("a:H", "b:R"), onDemand, `"LocalSecondaryIndexes":[`+strings.Join(indexes, ",")+`]`)
}

func withGlobal(indexes ...string) string {
	return body(defs("a:S", "b:S"), key("a:H", "b:R"), onDemand, `"GlobalSecondaryIndexes":[`+strings.Join(indexes, ",")+`]`)
}

func index(name string, members ...string) string {
	return `{"IndexName":"` + name + `",` + strings.Join(members, ",") + `}`
}

func repeat(n int, f func(i int) string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

// TestCreateTableErrors goes through behaviours/02 §2.1, stage C, row by row. Rows after 22 have the texts that were
// measured in October 2026.
func TestCreateTableErrors(t *testing.T) {
	eight := defs("a:S", "b:S", "h1:S", "h2:S", "h3:S", "h4:S", "h5:S", "r1:S", "r2:S", "r3:S", "r4:S", "r5:S")
	wide := func(keys ...string) string {
		// A local index takes all definitions, so that none is unused.
		used := index("use", key("h1:H", "h2:H", "h3:H", "h4:H", "r1:R", "r2:R", "r3:R", "r4:R"), all)
		last := index("us2", key("h5:H", "r5:R"), all)
		return body(eight, key("a:H", "b:R"), onDemand, `"GlobalSecondaryIndexes":[`+used+`,`+last+`,`+
			index("abc", key(keys...), all)+`]`)
	}
	for _, test := range []struct{ name, body, want string }{
		{"1 units on demand", simple(provisioned),
			prefix + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"},
		{"2 no units", body(defs("a:S"), key("a:H")),
			prefix + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"},
		{"2 no units, said so", body(defs("a:S"), key("a:H"), `"BillingMode":"PROVISIONED"`),
			prefix + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"},
		{"3 read units", body(defs("a:S"), key("a:H"), `"ProvisionedThroughput":{"ReadCapacityUnits":1000000000001,"WriteCapacityUnits":1000000000001}`),
			"Given value 1000000000001 for ReadCapacityUnits is out of bounds"},
		{"3 write units", body(defs("a:S"), key("a:H"), `"ProvisionedThroughput":{"ReadCapacityUnits":1000000000000,"WriteCapacityUnits":1000000000001}`),
			"Given value 1000000000001 for WriteCapacityUnits is out of bounds"},
		{"4 ceilings on a provisioned table", body(defs("a:S"), key("a:H"), provisioned, `"OnDemandThroughput":{"MaxWriteRequestUnits":0}`),
			prefix + "MaxWriteRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED."},
		{"4 ceiling too low", simple(`"OnDemandThroughput":{"MaxReadRequestUnits":-1,"MaxWriteRequestUnits":0}`),
			prefix + "Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range"},
		{"4 empty ceilings", simple(`"OnDemandThroughput":{}`), ""},
		{"4 warm throughput on demand", simple(`"WarmThroughput":{"ReadUnitsPerSecond":11999}`),
			prefix + "Requested ReadUnitsPerSecond for WarmThroughput for table is lower than initial throughput for OnDemand. " +
				"See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial"},
		{"4 warm throughput provisioned", body(defs("a:S"), key("a:H"), `"ProvisionedThroughput":{"ReadCapacityUnits":10,"WriteCapacityUnits":10}`,
			`"WarmThroughput":{"ReadUnitsPerSecond":5,"WriteUnitsPerSecond":5}`),
			prefix + "Requested ReadUnitsPerSecond for WarmThroughput for table is lower than ReadCapacityUnits of ProvisionedThroughput"},
		{"5 same key, one definition", body(defs("a:S"), key("a:H", "a:R"), onDemand),
			"Invalid KeySchema: Some index key attribute have no definition"},
		{"5 no definitions", body(defs(), key("a:H"), onDemand), "Invalid KeySchema: Some index key attribute have no definition"},
		{"6 undefined", body(defs("a:S", "b:S"), key("k:H"), onDemand),
			prefix + "Some index key attributes are not defined in AttributeDefinitions. Keys: [k], AttributeDefinitions: [a, b]"},
		{"7 same name", body(defs("a:S", "b:S"), key("a:H", "a:R"), onDemand),
			"Both the Hash Key and the Range Key element in the KeySchema have the same name"},
		{"8 first", body(defs("a:S", "b:S"), key("a:R", "b:H"), onDemand), "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{"8 second", body(defs("a:S", "b:S"), key("a:H", "b:H"), onDemand), "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"},
		{"9 unused", body(defs("a:S", "b:S"), key("a:H"), onDemand),
			prefix + "Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions"},
		{"10 local", simple(`"LocalSecondaryIndexes":[]`), prefix + "List of LocalSecondaryIndexes is empty"},
		{"10 global", simple(`"GlobalSecondaryIndexes":[]`), prefix + "List of GlobalSecondaryIndexes is empty"},
		{"11", body(defs("pk:S", "lsiSk:S"), key("pk:H"), onDemand, `"LocalSecondaryIndexes":[`+index("lsi1", key("pk:H", "lsiSk:R"), all)+`]`),
			prefix + "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex"},
		{"12 undefined", withLocal(index("abc", key("a:H", "c:R"), all)),
			prefix + "Some index key attributes are not defined in AttributeDefinitions. Keys: [a, c], AttributeDefinitions: [a, b]"},
		{"12 same name", withLocal(index("abc", key("a:H", "a:R"), `"Projection":{}`)),
			"Both the Hash Key and the Range Key element in the KeySchema have the same name"},
		{"12 first", withLocal(index("abc", key("a:R"), `"Projection":{}`)), "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{"12 second", withLocal(index("abc", key("a:H", "b:H"), `"Projection":{}`)), "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"},
		{"13", withLocal(index("abc", key("b:H"), `"Projection":{}`)), prefix + "Index KeySchema does not have a range key for index: abc"},
		{"14", withLocal(index("abc", key("b:H", "a:R"), `"Projection":{}`)),
			prefix + "Index KeySchema does not have the same leading hash key as table KeySchema for index: abc. index hash key: b, table hash key: a"},
		{"15 local", withLocal(index("abc", key("a:H", "b:R"), `"Projection":{"NonKeyAttributes":["a"]}`)), prefix + "Unknown ProjectionType: null"},
		{"15 global", withGlobal(index("abc", key("b:H"), `"Projection":{}`)), prefix + "Unknown ProjectionType: null"},
		{"16 all", withLocal(index("abc", key("a:H", "b:R"), `"Projection":{"ProjectionType":"ALL","NonKeyAttributes":["a"]}`)),
			prefix + "ProjectionType is ALL, but NonKeyAttributes is specified"},
		{"16 keys only", withGlobal(index("abc", key("a:H"), `"Projection":{"ProjectionType":"KEYS_ONLY","NonKeyAttributes":["a"]}`)),
			prefix + "ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified"},
		{"17 local", withLocal(index("abc", key("a:H", "b:R"), `"Projection":{"ProjectionType":"INCLUDE"}`)),
			prefix + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"},
		{"17 global", withGlobal(index("abc", key("a:H"), `"Projection":{"ProjectionType":"INCLUDE"}`)),
			prefix + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"},
		{"17 twice", withGlobal(index("abc", key("a:H"), `"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x","y","x"]}`)),
			prefix + "Duplicate element in NonKeyAttributes: x"},
		{"18 local", withLocal(index("abc", key("a:H", "b:R"), all), index("abc", key("a:H", "b:R"), all)), prefix + "Duplicate index name: abc"},
		{"18 both", body(defs("a:S", "b:S"), key("a:H", "b:R"), onDemand, `"LocalSecondaryIndexes":[`+index("dup", key("a:H", "b:R"), all)+`]`,
			`"GlobalSecondaryIndexes":[`+index("dup", key("b:H"), all)+`]`), prefix + "Duplicate index name: dup"},
		{"19", withLocal(repeat(6, func(i int) string { return index(fmt.Sprint("ix", i), key("a:H", "b:R"), all) })...),
			prefix + "Number of LocalSecondaryIndexes exceeds per-table limit of 5"},
		{"20 undefined", withGlobal(index("abc", key("a:H", "c:R"), `"Projection":{}`)),
			prefix + "Some index key attributes are not defined in AttributeDefinitions. Keys: [a, c], AttributeDefinitions: [a, b]"},
		{"20 same name", withGlobal(index("abc", key("a:H", "a:R"), `"Projection":{}`)),
			"Both the Hash Key and the Range Key element in the KeySchema have the same name"},
		{"20 first", withGlobal(index("abc", key("a:R"), `"Projection":{}`)), "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{"20 throughput", withGlobal(index("abc", key("a:H"), all, provisioned)),
			prefix + "ProvisionedThroughput should not be specified for index: abc when BillingMode is PAY_PER_REQUEST"},
		{"20 no throughput", body(defs("a:S", "b:S"), key("a:H", "b:R"), provisioned, `"GlobalSecondaryIndexes":[`+index("abc", key("a:H"), all)+`]`),
			prefix + "ProvisionedThroughput is not specified for index: abc"},
		{"20 ceilings", body(defs("a:S", "b:S"), key("a:H", "b:R"), provisioned, `"GlobalSecondaryIndexes":[`+
			index("abc", key("a:H"), all, provisioned, `"OnDemandThroughput":{"MaxReadRequestUnits":10}`)+`]`),
			prefix + "MaxReadRequestUnits for OnDemandThroughput for index: abc cannot be specified when table BillingMode is PROVISIONED."},
		{"20 ceiling too low", withGlobal(index("abc", key("a:H"), all, `"OnDemandThroughput":{"MaxReadRequestUnits":0}`)),
			prefix + "Requested MaxReadRequestUnits for OnDemandThroughput for index : abc is outside of valid range"},
		{"20 four and four", wide("h1:H", "h2:H", "h3:H", "h4:H", "r1:R", "r2:R", "r3:R", "r4:R"), ""},
		{"20 two hashes", withGlobal(index("abc", key("a:H", "b:H"), all)), ""},
		{"20 five hashes", wide("h1:H", "h2:H", "h3:H", "h4:H", "h5:H"),
			prefix + "The KeySchema exceeds the maximum allowed number of HASH key attributes"},
		{"20 five ranges", wide("h1:H", "r1:R", "r2:R", "r3:R", "r4:R", "r5:R"),
			prefix + "The KeySchema exceeds the maximum allowed number of RANGE key attributes"},
		{"20 hash after range", wide("h1:H", "r1:R", "h2:H"), prefix + "All HASH key attributes must precede RANGE key attributes in the KeySchema"},
		{"20 repeated", wide("h1:H", "h2:H", "h1:H"), "The KeySchema contains multiple key attributes with the same name"},
		{"21", withGlobal(repeat(21, func(i int) string { return index(fmt.Sprint("ix", i), key("b:H"), all) })...),
			prefix + "GlobalSecondaryIndex count exceeds the per-table limit of 20"},
		{"21 twenty", withGlobal(repeat(20, func(i int) string { return index(fmt.Sprint("ix", i), key("b:H"), all) })...), ""},
		{"22", body(defs("user:S", "id:S", "created_at:N"), key("id:H"), onDemand, `"GlobalSecondaryIndexes":[`+index("abc", key("user:H"), all)+`]`),
			prefix + "Some AttributeDefinitions are not used. AttributeDefinitions: [created_at, id, user], keys used: [id, user]"},
		{"23", body(defs("a:S", "a:S"), key("a:H"), onDemand), "Attribute Name is duplicated: a"},
		{"23 another type", body(defs("a:S", "a:N"), key("a:H"), onDemand), "Attribute Name is duplicated: a"},
		{"25", simple(`"StreamSpecification":{"StreamEnabled":false,"StreamViewType":"NEW_IMAGE"}`),
			prefix + "Table is being created with a stream disabled, UpdateViewType should not be specified"},
		{"26", simple(`"StreamSpecification":{"StreamEnabled":true}`),
			prefix + "Table is being created with a stream enabled, UpdateViewType is required"},
		{"27", withGlobal(repeat(6, func(i int) string {
			names := repeat(17, func(j int) string { return fmt.Sprintf(`"x%d"`, j) })
			return index(fmt.Sprint("ix", i), key("b:H"), `"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":[`+strings.Join(names, ",")+`]}`)
		})...), prefix + "Number of NonKeyAttributes exceeds per-table limit of 100"},
		{"28 encryption off with type", simple(`"SSESpecification":{"Enabled":false,"SSEType":"KMS","KMSMasterKeyId":"x"}`),
			prefix + "SSEType can not be specified if Enabled is false"},
		{"28 encryption off with key", simple(`"SSESpecification":{"Enabled":false,"KMSMasterKeyId":"x"}`),
			prefix + "KMSMasterKeyId can not be specified if Enabled is false"},
		{"28 AES256", simple(`"SSESpecification":{"Enabled":true,"SSEType":"AES256"}`), prefix + "SSEType AES256 is not supported"},
		{"28 key without type", simple(`"SSESpecification":{"Enabled":true,"KMSMasterKeyId":"alias/x"}`),
			prefix + "SSEType KMS is required if KMSMasterKeyId is specified"},
		{"28 no tags", simple(`"Tags":[]`), ""},
		{"28 tags", simple(`"Tags":[` + strings.Join(repeat(51, func(i int) string { return fmt.Sprintf(`{"Key":"k%d","Value":""}`, i) }), ",") + `]`),
			"Number of Tags exceed the current limit for the provided ResourceArn"},
		{"28 tag", simple(`"Tags":[{"Key":"aws:foo","Value":""}]`), "Tag Key cannot be prefixed with aws:, Key: aws:foo"},
		{"policy", simple(`"ResourcePolicy":"` + strings.Repeat("x", 20481) + `"`), prefix + "Maximum policy size of 20480 bytes exceeded"},
		{"foreign ARN", `{"TableName":"arn:aws:dynamodb:eu-west-1:000000000000:table/abc",` + simple()[len(`{"TableName":"abc",`):],
			"1 validation error detected: Invalid AWS region in 'arn:aws:dynamodb:eu-west-1:000000000000:table/abc'"},
	} {
		_, err := createTable(t, test.body)
		if got := messageOf(err); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

func TestCreateTable(t *testing.T) {
	cmd, err := createTable(t, `{"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders",`+strings.Join([]string{
		defs("pk:S", "sk:N", "b:B", "c:S"), key("pk:H", "sk:R"), onDemand,
		`"LocalSecondaryIndexes":[` + index("local", key("pk:H", "b:R"), `"Projection":{"ProjectionType":"KEYS_ONLY"}`) + `]`,
		`"GlobalSecondaryIndexes":[` + index("global", key("b:H", "c:H", "sk:R"),
			`"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]}`, `"OnDemandThroughput":{"MaxReadRequestUnits":7}`,
			`"WarmThroughput":{"WriteUnitsPerSecond":5000}`) + `]`,
		`"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}`,
		`"SSESpecification":{"SSEType":"KMS","KMSMasterKeyId":"k"}`,
		`"TableClass":"STANDARD"`, `"DeletionProtectionEnabled":true`, `"Tags":[{"Key":"k","Value":"v"}]`,
	}, ",")+`}`)
	if err != nil {
		t.Fatal(err)
	}
	pk, sk, b, c := engine.KeyAttribute{Name: "pk", Type: attr.S}, engine.KeyAttribute{Name: "sk", Type: attr.N},
		engine.KeyAttribute{Name: "b", Type: attr.B}, engine.KeyAttribute{Name: "c", Type: attr.S}
	want := &engine.CreateTable{
		Table:       "Orders",
		Key:         engine.KeySchema{Hash: []engine.KeyAttribute{pk}, Range: []engine.KeyAttribute{sk}},
		Definitions: []engine.KeyAttribute{pk, sk, b, c},
		OnDemand:    true,
		Locals: []engine.IndexSpec{{
			Name: "local", Projection: "KEYS_ONLY",
			Key: engine.KeySchema{Hash: []engine.KeyAttribute{pk}, Range: []engine.KeyAttribute{b}},
		}},
		Globals: []engine.IndexSpec{{
			Name: "global", Projection: "INCLUDE", NonKey: []string{"x"},
			Key:      engine.KeySchema{Hash: []engine.KeyAttribute{b, c}, Range: []engine.KeyAttribute{sk}},
			Ceilings: api.OnDemandThroughput{MaxReadRequestUnits: api.SomeInt(7)},
			Warm:     api.WarmThroughput{WriteUnitsPerSecond: api.SomeInt(5000)},
		}},
		StreamView: "KEYS_ONLY",
		Encryption: engine.Encryption{Enabled: true, Key: "k"},
		Class:      "STANDARD",
		Protected:  true,
		Tags:       []api.Tag{{Key: api.Some("k"), Value: api.Some("v")}},
	}
	if diff := cmp.Diff(want, cmd); diff != "" {
		t.Error(diff)
	}
}

// TestUpdateTableErrors goes through behaviours/02 §2.4, step 3, and api-surface §6.2.
func TestUpdateTableErrors(t *testing.T) {
	const (
		nothing = "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, " +
			"ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, " +
			"OnDemandThroughput, WarmThroughput or TableClass is required"
		sse     = `"SSESpecification":{"Enabled":true}`
		class   = `"TableClass":"STANDARD"`
		protect = `"DeletionProtectionEnabled":true`
		warm    = `"WarmThroughput":{"ReadUnitsPerSecond":13000}`
		ceiling = `"OnDemandThroughput":{"MaxReadRequestUnits":5}`
		stream  = `"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}`
	)
	updates := func(elements ...string) string {
		return `"GlobalSecondaryIndexUpdates":[` + strings.Join(elements, ",") + `]`
	}
	create := func(name string, members ...string) string {
		return `{"Create":` + index(name, append(members, key("b:H"), all)...) + `}`
	}
	remove := func(name string) string { return `{"Delete":{"IndexName":"` + name + `"}}` }
	change := func(name string) string { return `{"Update":{"IndexName":"` + name + `",` + provisioned + `}}` }
	for _, test := range []struct{ name, body, want string }{
		{"units with on-demand", body(onDemand, provisioned), prefix + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"},
		{"units out of bounds", body(`"ProvisionedThroughput":{"ReadCapacityUnits":1000000000001,"WriteCapacityUnits":1000000000001}`),
			"Given value 1000000000001 for ReadCapacityUnits is out of bounds"},
		{"nothing", `{"TableName":"abc"}`, nothing},
		{"no index updates", body(updates()), nothing},
		{"definitions alone", body(defs("a:S")), nothing},
		{"witness alone", body(`"GlobalTableWitnessUpdates":[{}]`), nothing},
		{"consistency alone", body(`"MultiRegionConsistency":"STRONG"`), strings.ReplaceAll(nothing, "MultiRegionConsistency, ", "")},
		{"empty ceilings", body(`"OnDemandThroughput":{}`), nothing},
		{"empty warm throughput", body(`"WarmThroughput":{}`), nothing},
		{"empty structures beside a change", body(`"OnDemandThroughput":{}`, `"WarmThroughput":{}`, protect), ""},
		{"empty list beside a change", body(updates(), protect), prefix + "List of GlobalSecondaryIndexUpdates is empty"},
		{"empty list beside ceilings", body(updates(), ceiling), prefix + "List of GlobalSecondaryIndexUpdates is empty"},
		{"class alone", body(class), ""},
		{"protection alone", body(protect), ""},
		{"ceilings alone", body(ceiling), ""},
		{"warm alone", body(warm), ""},
		{"encryption and class", body(sse, class, protect, warm), prefix + "Server-Side Encryption modification must be the only operation in the request"},
		{"class and protection", body(class, protect, warm), prefix + "TableClass modification must be the only operation in the request"},
		{"protection and warm", body(protect, warm), prefix + "DeletionProtection modification must be the only operation in the request"},
		{"protection and ceilings", body(protect, ceiling), prefix + "DeletionProtection modification must be the only operation in the request"},
		{"protection and billing", body(protect, onDemand), prefix + "DeletionProtection modification must be the only operation in the request"},
		{"warm and stream", body(warm, stream), prefix + "WarmThroughput must be the only operation in the request"},
		{"warm and ceilings", body(warm, ceiling), prefix + "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"},
		{"warm and index", body(defs("b:S"), warm, updates(create("abc"))),
			prefix + "Create global secondary index cannot be specified when updating WarmThroughput"},
		{"ceilings and stream", body(ceiling, stream), prefix + "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"},
		{"ceilings and billing", body(ceiling, onDemand), ""},
		{"stream and units", body(stream, provisioned), prefix + "You cannot modify stream status while updating table IOPS"},
		{"stream and provisioned", body(stream, `"BillingMode":"PROVISIONED"`, provisioned), prefix + "You cannot modify stream status while updating table IOPS"},
		{"stream and on-demand", body(stream, onDemand), ""},
		{"index and units", body(defs("b:S"), updates(create("abc")), provisioned), prefix + "You cannot create or delete index while updating table IOPS"},
		{"index gone and units", body(updates(remove("abc")), provisioned), prefix + "You cannot create or delete index while updating table IOPS"},
		{"index and stream", body(updates(remove("abc")), stream), prefix + "You cannot create or delete index while changing stream status"},
		{"index and encryption", body(updates(remove("abc")), sse), prefix + "Server-Side Encryption modification must be the only operation in the request"},
		{"index and on-demand", body(defs("b:S"), updates(create("abc")), onDemand), ""},
		{"index and other index's units", body(defs("b:S"), updates(create("abc"), change("abd"))), ""},
		{"several index changes with units", body(updates(change("abc"), change("abd")), `"BillingMode":"PROVISIONED"`, provisioned), ""},
		{"provisioned without units", body(`"BillingMode":"PROVISIONED"`), prefix + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED"},
		{"no action", body(updates(`{}`)), prefix + "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, " +
			"GlobalSecondaryIndexUpdate.Delete must not be null"},
		{"two actions", body(updates(`{"Delete":{"IndexName":"abc"},"Update":{"IndexName":"abd"}}`)),
			prefix + "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object"},
		{"same index", body(updates(remove("abc"), change("abc"))),
			prefix + "Only one global secondary index update per index is allowed simultaneously. Index: abc"},
		{"no definitions", body(updates(create("abc"))), prefix + "Some index key attributes are not defined in AttributeDefinitions. Keys: [b], AttributeDefinitions: []"},
		{"undefined", body(defs("a:S"), updates(create("abc"))),
			prefix + "Some index key attributes are not defined in AttributeDefinitions. Keys: [b], AttributeDefinitions: [a]"},
		{"unused definition", body(defs("a:S", "b:S"), updates(create("abc"))), ""},
		{"new index's key", body(defs("b:S", "c:S", "d:S"), updates(`{"Create":`+index("abc", key("b:H", "c:R", "d:H"), all)+`}`)),
			prefix + "All HASH key attributes must precede RANGE key attributes in the KeySchema"},
		{"new index's projection", body(defs("b:S"), updates(`{"Create":`+index("abc", key("b:H"), `"Projection":{"ProjectionType":"INCLUDE"}`)+`}`)),
			prefix + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"},
		{"empty warm throughput of an index", body(updates(`{"Update":{"IndexName":"abc","WarmThroughput":{}}}`)),
			prefix + "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for index: abc"},
		{"stream without view", body(`"StreamSpecification":{"StreamEnabled":true}`), prefix + "If stream is being enabled then UpdateViewType is required"},
		{"stream off with view", body(`"StreamSpecification":{"StreamEnabled":false,"StreamViewType":"NEW_IMAGE"}`),
			prefix + "If stream is being disabled, then UpdateViewType must not be specified"},
		{"encryption", body(`"SSESpecification":{"Enabled":false,"SSEType":"KMS"}`), prefix + "SSEType can not be specified if Enabled is false"},
	} {
		_, err := updateTable(t, test.body)
		if got := messageOf(err); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

func TestTagErrors(t *testing.T) {
	const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/abc"
	tag := func(key, value string) []api.Tag { return []api.Tag{{Key: api.Some(key), Value: api.Some(value)}} }
	long := strings.Repeat("ж", 129)
	for _, test := range []struct {
		arn  string
		tags []api.Tag
		want string
	}{
		{"", tag("k", "v"), prefix + "ARNs must start with 'arn:': "},
		{"abc", tag("k", "v"), prefix + "ARNs must start with 'arn:': abc"},
		{"arn:aws", nil, "Invalid TableArn: Invalid ResourceArn provided as input arn:aws"},
		{"arn:aws:s3:::bucket", nil, "Invalid TableArn: Invalid ResourceArn provided as input arn:aws:s3:::bucket"},
		{"arn:aws:dynamodb:us-east-1:000000000000:table/ab", nil,
			"Invalid TableArn: Invalid ResourceArn provided as input arn:aws:dynamodb:us-east-1:000000000000:table/ab"},
		{"arn:aws:dynamodb:eu-west-1:000000000000:table/abc", tag("k", "v"),
			"Invalid TableArn: Invalid ResourceArn provided as input arn:aws:dynamodb:eu-west-1:000000000000:table/abc"},
		{arn + "/index/abc", tag("k", "v"),
			prefix + "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " + arn + "/index/abc"},
		{arn + "/backup/0170-ab", tag("k", "v"), "Invalid TableArn: Invalid ResourceArn provided as input " + arn + "/backup/0170-ab"},
		{arn, []api.Tag{}, "Atleast one Tag needs to be provided as Input."},
		{arn, tag("", "v"), "The Tag Key provided is invalid, Key: "},
		{arn, []api.Tag{{Value: api.Some("v")}}, "The Tag Key provided is invalid, Key: null"},
		{arn, []api.Tag{{Key: api.Some("k")}}, "The Tag Value provided is invalid, Value: null"},
		{arn, tag(long, ""), "The Tag Key provided is invalid, Key: " + long},
		{arn, tag(long[:256], ""), ""},
		{arn, tag("k", strings.Repeat("v", 257)), "The Tag Value provided is invalid, Value: " + strings.Repeat("v", 257)},
		{arn, tag("bad#char", ""), "The Tag Key provided is invalid, Key: bad#char"},
		{arn, tag("k", "100%"), "The Tag Value provided is invalid, Value: 100%"},
		{arn, tag("k", "a+b-c=d.e_f:g/h@i ключ 表"), ""},
		{arn, tag("AWS:foo", ""), "Tag Key cannot be prefixed with aws:, Key: AWS:foo"},
		{arn, tag("myaws:foo", ""), ""},
		{arn, append(tag("dup", "1"), tag("dup", "2")...), "Duplicate Tag Keys provided as input: Duplicate Tag Key found dup"},
	} {
		_, err := new(request.Compiler).TagResource(&api.TagResourceInput{ResourceARN: api.Some(test.arn), Tags: test.tags}, scope)
		if got := messageOf(err); got != test.want {
			t.Errorf("%s %v:\n got %s\nwant %s", test.arn, test.tags, got, test.want)
		}
	}
	if _, err := new(request.Compiler).ListTagsOfResource(&api.ListTagsOfResourceInput{}, scope); messageOf(err) != "Invalid TableArn" {
		t.Errorf("no ARN: %v", err)
	}
	foreign := api.Some("arn:aws:dynamodb:us-east-1:111111111111:table/abc")
	_, err := new(request.Compiler).ListTagsOfResource(&api.ListTagsOfResourceInput{ResourceARN: foreign}, scope)
	if got := messageOf(err); !strings.HasPrefix(got, "AccessDeniedException: ") {
		t.Errorf("foreign ARN: %s", got)
	}
}

func TestUntagErrors(t *testing.T) {
	const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/abc"
	for _, test := range []struct {
		keys []string
		want string
	}{
		{[]string{}, "Atleast one Tag Key needs to be provided as Input."},
		{[]string{""}, "The Tag Key provided is invalid, Key: "},
		{[]string{"aws:foo"}, "Tag Key cannot be prefixed with aws:, Key: aws:foo"},
		{repeat(51, func(i int) string { return fmt.Sprint("k", i) }), "Number of Tags exceed the current limit for the provided ResourceArn"},
		{[]string{"k", "k"}, ""},
	} {
		_, err := new(request.Compiler).UntagResource(&api.UntagResourceInput{ResourceARN: api.Some(arn), TagKeys: test.keys}, scope)
		if got := messageOf(err); got != test.want {
			t.Errorf("%v:\n got %s\nwant %s", test.keys, got, test.want)
		}
	}
}

// TestControlSurvivesBrokenInput: what broke its member constraints gives an error or a harmless command.
func TestControlSurvivesBrokenInput(t *testing.T) {
	for _, b := range []string{
		`{}`, `{"KeySchema":[]}`, body(onDemand, `"KeySchema":[]`, `"AttributeDefinitions":[]`),
		body(onDemand, defs("a:S"), `"KeySchema":[{}]`), withLocal(`{}`), withGlobal(`{}`), withLocal(index("x", `"KeySchema":[]`)),
		body(onDemand, defs("a:S"), key("a:H", "a:R", "a:R")), simple(`"StreamSpecification":{}`, `"SSESpecification":{}`, `"Tags":[{}]`),
	} {
		_, _ = createTable(t, b)
	}
	for _, b := range []string{
		`{}`, body(`"GlobalSecondaryIndexUpdates":[{"Create":{}}]`), body(`"GlobalSecondaryIndexUpdates":[{"Update":{}},{"Delete":{}}]`),
		body(defs("a:S"), `"GlobalSecondaryIndexUpdates":[{"Create":{"KeySchema":[]}}]`),
	} {
		_, _ = updateTable(t, b)
	}
}
