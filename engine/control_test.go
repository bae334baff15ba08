package engine

import (
	"errors"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/clock"
)

const testARN = "arn:aws:dynamodb:us-east-1:123456789012:table/"

var start = time.Date(2026, 11, 14, 12, 0, 0, 1_000_000, time.UTC)

// plane is a database for control-plane tests, with a clock that stands still.
type plane struct {
	*testing.T
	*Region
	clock *clock.Manual
}

func newPlane(t *testing.T, delay time.Duration) *plane {
	t.Helper()
	c := clock.NewManual(start)
	return &plane{t, testRegion(newTestEngine(t, Options{Clock: c, CreateDelay: delay})), c}
}

// create makes a table and returns the reply.
func (p *plane) create(cmd *CreateTable) *api.TableDescription {
	p.Helper()
	out, err := p.CreateTable(p.Context(), cmd)
	if err != nil {
		p.Fatalf("create %s: %v", cmd.Table, err)
	}
	return out.TableDescription
}

func (p *plane) update(cmd *UpdateTable) *api.TableDescription {
	p.Helper()
	out, err := p.UpdateTable(p.Context(), cmd)
	if err != nil {
		p.Fatalf("update: %v", err)
	}
	return out.TableDescription
}

func (p *plane) describe(table string) *api.TableDescription {
	p.Helper()
	out, err := p.DescribeTable(p.Context(), &DescribeTable{Table: table})
	if err != nil {
		p.Fatalf("describe: %v", err)
	}
	return out.Table
}

func (p *plane) put(table, text string) {
	p.Helper()
	if _, err := p.Put(p.Context(), &Put{Table: table, Item: item(p, text)}); err != nil {
		p.Fatalf("put %s: %v", text, err)
	}
}

// fails checks the code and the text of an error; "" stands for none.
func (p *plane) fails(what string, err error, code, text string) {
	p.Helper()
	var fault *api.Error
	switch {
	case err == nil && code == "":
	case !errors.As(err, &fault):
		p.Errorf("%s: got error %v, want %s %s", what, err, code, text)
	case fault.Code != code || fault.Message != text:
		p.Errorf("%s:\n got %s %s\nwant %s %s", what, fault.Code, fault.Message, code, text)
	}
}

// Tables of the tests: key pk, S; on demand, or with 5 and 5 units.

func hashTable(name string) *CreateTable {
	return &CreateTable{
		Table: name, Key: hashKey("pk", attr.S), Definitions: []KeyAttribute{{"pk", attr.S}}, OnDemand: true,
	}
}

func unitsTable(name string) *CreateTable {
	cmd := hashTable(name)
	cmd.OnDemand, cmd.Throughput = false, Units{5, 5}
	return cmd
}

// indexedTable has the global indexes one, on g1, and two, on g2.
func indexedTable(name string, onDemand bool) *CreateTable {
	cmd := hashTable(name)
	units := Units{5, 5}
	if onDemand {
		units = Units{}
	}
	cmd.OnDemand, cmd.Throughput = onDemand, units
	cmd.Definitions = []KeyAttribute{{"pk", attr.S}, {"g2", attr.N}, {"g1", attr.S}}
	cmd.Globals = []IndexSpec{
		{Name: "one", Key: hashKey("g1", attr.S), Projection: "ALL", Throughput: units},
		{Name: "two", Key: hashKey("g2", attr.N), Projection: "KEYS_ONLY", Throughput: units},
	}
	return cmd
}

func newGlobal(name, attribute string, typ attr.Type) *IndexUpdate {
	return &IndexUpdate{Name: name, Create: &IndexSpec{Name: name, Key: hashKey(attribute, typ), Projection: "ALL"}}
}

var anyUUID = cmp.FilterPath(func(path cmp.Path) bool { return path.Last().String() == ".TableID" },
	cmp.Comparer(func(a, b string) bool { return isUUID(a) && isUUID(b) }))

func isUUID(s string) bool {
	return s == "uuid" || regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(s)
}

func (p *plane) same(what string, want, got any) {
	p.Helper()
	if diff := cmp.Diff(want, got, anyUUID); diff != "" {
		p.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func definitionsOf(pairs ...string) []api.AttributeDefinition {
	var out []api.AttributeDefinition
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, api.AttributeDefinition{AttributeName: api.Some(pairs[i]), AttributeType: api.Some(pairs[i+1])})
	}
	return out
}

func schemaOf(pairs ...string) []api.KeySchemaElement {
	var out []api.KeySchemaElement
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, api.KeySchemaElement{AttributeName: api.Some(pairs[i]), KeyType: api.Some(pairs[i+1])})
	}
	return out
}

func unitsOf(read, write int64) *api.ProvisionedThroughputDescription {
	return &api.ProvisionedThroughputDescription{ReadCapacityUnits: read, WriteCapacityUnits: write}
}

func warmOf(read, write int64, status string) *api.WarmThroughputDescription {
	return &api.WarmThroughputDescription{ReadUnitsPerSecond: read, WriteUnitsPerSecond: write, Status: status}
}

func TestCreateOnDemand(t *testing.T) {
	p := newPlane(t, 0)
	got := p.create(hashTable("Orders"))
	want := &api.TableDescription{
		AttributeDefinitions:  definitionsOf("pk", "S"),
		TableName:             "Orders",
		KeySchema:             schemaOf("pk", "HASH"),
		TableStatus:           "CREATING",
		CreationDateTime:      start,
		ProvisionedThroughput: unitsOf(0, 0),
		TableARN:              testARN + "Orders",
		TableID:               "uuid",
		BillingModeSummary:    &api.BillingModeSummary{BillingMode: "PAY_PER_REQUEST"},
	}
	p.same("reply", want, got)

	want.TableStatus = "ACTIVE"
	want.BillingModeSummary.LastUpdateToPayPerRequestDateTime = start
	want.WarmThroughput = warmOf(12000, 4000, "ACTIVE")
	p.same("description", want, p.describe("Orders"))
	if id := p.describe("Orders").TableID; id != got.TableID {
		t.Errorf("table id changed from %s to %s", got.TableID, id)
	}

	p.put("Orders", `{"pk":{"S":"a"},"n":{"N":"12"}}`)
	want.ItemCount, want.TableSizeBytes = 1, 6
	p.same("description with an item", want, p.describe("Orders"))
}

func TestCreateProvisioned(t *testing.T) {
	p := newPlane(t, 0)
	cmd := indexedTable("Orders", false)
	cmd.Key = hashRange("pk", attr.S, "sk", attr.B)
	cmd.Definitions = append(cmd.Definitions, KeyAttribute{"sk", attr.B}, KeyAttribute{"l", attr.S})
	cmd.Locals = []IndexSpec{{Name: "local", Key: hashRange("pk", attr.S, "l", attr.S), Projection: "INCLUDE", NonKey: []string{"z", "a"}}}
	cmd.Warm = api.WarmThroughput{ReadUnitsPerSecond: api.SomeInt(100)}
	cmd.Class, cmd.Protected = "STANDARD_INFREQUENT_ACCESS", true
	got := p.create(cmd)
	global := func(name, key, projection string) api.GlobalSecondaryIndexDescription {
		return api.GlobalSecondaryIndexDescription{
			IndexName: name, KeySchema: schemaOf(key, "HASH"), Projection: &api.Projection{ProjectionType: api.Some(projection)},
			IndexStatus: "CREATING", ProvisionedThroughput: unitsOf(5, 5), IndexARN: testARN + "Orders/index/" + name,
		}
	}
	want := &api.TableDescription{
		AttributeDefinitions:  definitionsOf("g1", "S", "g2", "N", "l", "S", "pk", "S", "sk", "B"),
		TableName:             "Orders",
		KeySchema:             schemaOf("pk", "HASH", "sk", "RANGE"),
		TableStatus:           "CREATING",
		CreationDateTime:      start,
		ProvisionedThroughput: unitsOf(5, 5),
		TableARN:              testARN + "Orders",
		TableID:               "uuid",
		LocalSecondaryIndexes: []api.LocalSecondaryIndexDescription{{
			IndexName: "local", KeySchema: schemaOf("pk", "HASH", "l", "RANGE"), IndexARN: testARN + "Orders/index/local",
			Projection: &api.Projection{ProjectionType: api.Some("INCLUDE"), NonKeyAttributes: []string{"a", "z"}},
		}},
		GlobalSecondaryIndexes:    []api.GlobalSecondaryIndexDescription{global("one", "g1", "ALL"), global("two", "g2", "KEYS_ONLY")},
		TableClassSummary:         &api.TableClassSummary{TableClass: "STANDARD_INFREQUENT_ACCESS"},
		DeletionProtectionEnabled: true,
		WarmThroughput:            warmOf(100, 5, "UPDATING"),
	}
	p.same("reply", want, got)

	want.TableStatus, want.WarmThroughput.Status = "ACTIVE", "ACTIVE"
	for i := range want.GlobalSecondaryIndexes {
		x := &want.GlobalSecondaryIndexes[i]
		x.IndexStatus, x.WarmThroughput = "ACTIVE", warmOf(5, 5, "ACTIVE")
	}
	p.same("description", want, p.describe("Orders"))

	p.put("Orders", `{"pk":{"S":"a"},"sk":{"B":"AA=="},"l":{"S":"l"},"a":{"S":"a"},"q":{"S":"q"},"g2":{"N":"1"}}`)
	d := p.describe("Orders")
	type counts struct{ Items, Bytes int64 }
	p.same("counts", []counts{{1, 16}, {1, 10}, {0, 0}, {1, 10}}, []counts{
		{d.ItemCount, d.TableSizeBytes},
		{d.LocalSecondaryIndexes[0].ItemCount, d.LocalSecondaryIndexes[0].IndexSizeBytes},
		{d.GlobalSecondaryIndexes[0].ItemCount, d.GlobalSecondaryIndexes[0].IndexSizeBytes},
		{d.GlobalSecondaryIndexes[1].ItemCount, d.GlobalSecondaryIndexes[1].IndexSizeBytes},
	})
}

func TestCreateExtras(t *testing.T) {
	p := newPlane(t, 0)
	cmd := hashTable("Orders")
	cmd.StreamView = "NEW_IMAGE"
	cmd.Ceilings.MaxWriteRequestUnits = api.SomeInt(70)
	cmd.Encryption = Encryption{Enabled: true, Key: "1234"}
	d := p.create(cmd)
	type extras struct {
		Stream   *api.StreamSpecification
		Label    string
		ARN      string
		Ceilings *api.OnDemandThroughput
		SSE      *api.SSEDescription
	}
	want := extras{
		&api.StreamSpecification{StreamEnabled: api.SomeBool(true), StreamViewType: api.Some("NEW_IMAGE")},
		"2026-11-14T12:00:00.001", testARN + "Orders/stream/2026-11-14T12:00:00.001",
		&api.OnDemandThroughput{MaxWriteRequestUnits: api.SomeInt(70)},
		&api.SSEDescription{Status: "ENABLED", SSEType: "KMS", KMSMasterKeyARN: "arn:aws:kms:us-east-1:123456789012:key/1234"},
	}
	p.same("extras", want, extras{d.StreamSpecification, d.LatestStreamLabel, d.LatestStreamARN, d.OnDemandThroughput, d.SSEDescription})
}

func TestCreateErrors(t *testing.T) {
	p := newPlane(t, 0)
	p.create(hashTable("Orders"))
	_, err := p.CreateTable(t.Context(), hashTable("Orders"))
	p.fails("taken", err, "ResourceInUseException", "Table already exists: Orders")

	cmd := unitsTable("Large")
	cmd.Throughput = Units{40001, 1}
	_, err = p.CreateTable(t.Context(), cmd)
	p.fails("units", err, "LimitExceededException", "The requested ReadCapacityUnits, 40001, is above the per table maximum for the account in us-east-1. "+
		"Per table maximum: 40000. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.")
	cmd = hashTable("Large")
	cmd.Ceilings.MaxReadRequestUnits = api.SomeInt(40001)
	_, err = p.CreateTable(t.Context(), cmd)
	p.fails("ceilings", err, "LimitExceededException",
		"Subscriber limit exceeded: Requested MaxReadRequestUnits for OnDemandThroughput for table exceeds TableMaxReadCapacityUnits of the account in region us-east-1")
	if _, err := p.DescribeTable(t.Context(), &DescribeTable{Table: "Large"}); err == nil {
		t.Error("a refused table exists")
	}
}

// TestCreateDelay follows a table through CREATING and DELETING by the clock.
func TestCreateDelay(t *testing.T) {
	p := newPlane(t, 5*time.Second)
	const inUse = "Attempt to change a resource which is still in use: "
	ctx := t.Context()
	id := p.create(indexedTable("Orders", true)).TableID
	p.clock.Advance(4 * time.Second)
	d := p.describe("Orders")
	p.same("creating", []string{"CREATING", "CREATING"}, []string{d.TableStatus, d.GlobalSecondaryIndexes[0].IndexStatus})
	_, err := p.Get(ctx, &Get{Table: "Orders", Key: item(t, `{"pk":{"S":"a"}}`)})
	p.fails("get", err, "ResourceNotFoundException", "Requested resource not found")
	_, err = p.CreateTable(ctx, hashTable("Orders"))
	p.fails("create again", err, "ResourceInUseException", "Table already exists: Orders")
	_, err = p.DeleteTable(ctx, &DeleteTable{"Orders"})
	p.fails("delete", err, "ResourceInUseException", inUse+"Table is being created: Orders")
	_, err = p.UpdateTable(ctx, &UpdateTable{Table: "Orders", Protected: api.SomeBool(true)})
	p.fails("update", err, "ResourceInUseException", inUse+"Table is being created: Orders")
	_, err = p.UpdateTimeToLive(ctx, &UpdateTimeToLive{"Orders", true, "t"})
	p.fails("time to live", err, "ResourceNotFoundException", "Requested resource not found: Table: Orders not found")
	_, err = p.DescribeTimeToLive(ctx, &DescribeTimeToLive{"Orders"})
	p.fails("describe time to live", err, "ValidationException",
		"Cannot describe time to live while table is in CREATING state: Current table state is CREATING")

	p.clock.Advance(time.Second)
	p.put("Orders", `{"pk":{"S":"a"}}`)
	d = p.describe("Orders")
	p.same("active", []string{"ACTIVE", "ACTIVE"}, []string{d.TableStatus, d.GlobalSecondaryIndexes[0].IndexStatus})
	_, err = p.CreateTable(ctx, hashTable("Orders"))
	p.fails("create again", err, "ResourceInUseException", "Table already exists: Orders")

	out, err := p.DeleteTable(ctx, &DeleteTable{"Orders"})
	if err != nil {
		t.Fatal(err)
	}
	want := *d
	want.TableStatus, want.GlobalSecondaryIndexes = "DELETING", nil
	p.same("delete", &want, out.TableDescription)
	p.same("deleting", &want, p.describe("Orders"))
	_, err = p.Get(ctx, &Get{Table: "Orders", Key: item(t, `{"pk":{"S":"a"}}`)})
	p.fails("get", err, "ResourceNotFoundException", "Requested resource not found")
	_, err = p.DeleteTable(ctx, &DeleteTable{"Orders"})
	p.fails("delete again", err, "ResourceInUseException", inUse+"Table is being deleted: Orders")
	_, err = p.UpdateTable(ctx, &UpdateTable{Table: "Orders", Protected: api.SomeBool(true)})
	p.fails("update", err, "ResourceInUseException", inUse+"Table is being deleted: Orders")
	_, err = p.CreateTable(ctx, hashTable("Orders"))
	p.fails("create", err, "ResourceInUseException", "Table already exists: Orders")
	names, _ := p.ListTables(ctx, &ListTables{Limit: 100})
	p.same("list", []string{"Orders"}, names.TableNames)

	p.clock.Advance(5 * time.Second)
	names, _ = p.ListTables(ctx, &ListTables{Limit: 100})
	p.same("list", []string{}, names.TableNames)
	_, err = p.DescribeTable(ctx, &DescribeTable{"Orders"})
	p.fails("describe", err, "ResourceNotFoundException", "Requested resource not found: Table: Orders not found")
	if again := p.create(hashTable("Orders")).TableID; again == id {
		t.Error("the new table has the old one's id")
	}
}

func TestRecreateBeforeAnybodyLooks(t *testing.T) {
	p := newPlane(t, time.Second)
	p.create(hashTable("Orders"))
	p.clock.Advance(time.Second)
	if _, err := p.DeleteTable(t.Context(), &DeleteTable{"Orders"}); err != nil {
		t.Fatal(err)
	}
	p.clock.Advance(time.Second)
	p.create(hashTable("Orders"))
}

func TestDelete(t *testing.T) {
	p := newPlane(t, 0)
	cmd := hashTable("Orders")
	cmd.Protected = true
	p.create(cmd)
	p.put("Orders", `{"pk":{"S":"a"}}`)
	_, err := p.DeleteTable(t.Context(), &DeleteTable{"Orders"})
	p.fails("protected", err, "ValidationException",
		"Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	p.same("unprotected", false, p.update(&UpdateTable{Table: "Orders", Protected: api.SomeBool(false)}).DeletionProtectionEnabled)
	out, err := p.DeleteTable(t.Context(), &DeleteTable{"Orders"})
	if err != nil {
		t.Fatal(err)
	}
	p.same("status and count", []any{"DELETING", int64(1)}, []any{out.TableDescription.TableStatus, out.TableDescription.ItemCount})
	_, err = p.DeleteTable(t.Context(), &DeleteTable{"Orders"})
	p.fails("again", err, "ResourceNotFoundException", "Requested resource not found: Table: Orders not found")
	p.create(hashTable("Orders"))
	p.same("items of the new table", int64(0), p.describe("Orders").ItemCount)
}

// TestDeleteAtTimeZero: a clock that reads the zero time must not make a
// deleted table look alive.
func TestDeleteAtTimeZero(t *testing.T) {
	r := testRegion(New(Options{Clock: clock.NewManual(time.Time{})}))
	if _, err := r.CreateTable(t.Context(), hashTable("Orders")); err != nil {
		t.Fatal(err)
	}
	table := r.tables["Orders"]
	if _, err := r.DeleteTable(t.Context(), &DeleteTable{"Orders"}); err != nil {
		t.Fatal(err)
	}
	if table.servesItems(r.engine) {
		t.Error("a deleted table serves items")
	}
}

func TestListTables(t *testing.T) {
	p := newPlane(t, 0)
	for _, name := range []string{"bbb", "aaa", "Zzz", "ccc"} {
		p.create(hashTable(name))
	}
	for _, test := range []struct {
		start string
		limit int
		want  *api.ListTablesOutput
	}{
		{"", 100, &api.ListTablesOutput{TableNames: []string{"Zzz", "aaa", "bbb", "ccc"}}},
		{"", 4, &api.ListTablesOutput{TableNames: []string{"Zzz", "aaa", "bbb", "ccc"}}},
		{"", 3, &api.ListTablesOutput{TableNames: []string{"Zzz", "aaa", "bbb"}, LastEvaluatedTableName: "bbb"}},
		{"aaa", 1, &api.ListTablesOutput{TableNames: []string{"bbb"}, LastEvaluatedTableName: "bbb"}},
		{"aab", 100, &api.ListTablesOutput{TableNames: []string{"bbb", "ccc"}}},
		{"ddd", 100, &api.ListTablesOutput{TableNames: []string{}}},
	} {
		got, err := p.ListTables(t.Context(), &ListTables{test.start, test.limit})
		if err != nil {
			t.Fatal(err)
		}
		p.same("from "+test.start, test.want, got)
	}
	other, _ := p.engine.Region("123456789012", "eu-west-1").ListTables(t.Context(), &ListTables{Limit: 100})
	p.same("another region", []string{}, other.TableNames)
}

func TestFixedAnswers(t *testing.T) {
	p := newPlane(t, 0)
	limits, _ := p.DescribeLimits(t.Context(), &DescribeLimits{})
	p.same("limits", &api.DescribeLimitsOutput{AccountMaxReadCapacityUnits: 80000, AccountMaxWriteCapacityUnits: 80000,
		TableMaxReadCapacityUnits: 40000, TableMaxWriteCapacityUnits: 40000}, limits)
	endpoints, _ := p.DescribeEndpoints(t.Context(), &DescribeEndpoints{"localhost:8000"})
	p.same("endpoints", &api.DescribeEndpointsOutput{Endpoints: []api.Endpoint{{Address: "localhost:8000", CachePeriodInMinutes: 1440}}}, endpoints)
}

func TestPartitions(t *testing.T) {
	for _, test := range []struct {
		option   int
		onDemand bool
		units    Units
		want     int
	}{
		{0, true, Units{}, 4},
		{0, false, Units{1, 1}, 1},
		{0, false, Units{3000, 0}, 1},
		{0, false, Units{3000, 1}, 2},
		{0, false, Units{1500, 500}, 1},
		{0, false, Units{40000, 40000}, 54},
		{7, true, Units{}, 7},
		{7, false, Units{1, 1}, 7},
		{1 << 30, true, Units{}, maxPartitions},
	} {
		r := testRegion(New(Options{Partitions: test.option}))
		if got := r.partitions(test.onDemand, test.units); got != test.want {
			t.Errorf("option %d, on demand %v, %v: %d partitions, want %d", test.option, test.onDemand, test.units, got, test.want)
		}
	}
}

func TestStreamLabel(t *testing.T) {
	first := streamLabel(start, "")
	p := func(last string) string { return streamLabel(start, last) }
	got := []string{first, p(first), p(p(first)), streamLabel(start.Add(time.Second), p(p(first)))}
	want := []string{"2026-11-14T12:00:00.001", "2026-11-14T12:00:00.002", "2026-11-14T12:00:00.003", "2026-11-14T12:00:01.001"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkCreateTable(b *testing.B) {
	for _, bench := range []struct {
		name string
		cmd  *CreateTable
	}{
		{"plain", hashTable("Orders")},
		{"indexes", indexedTable("Orders", true)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := testRegion(New(Options{}))
				if _, err := r.CreateTable(b.Context(), bench.cmd); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
