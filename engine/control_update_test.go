package engine

import (
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
)

const invalid = "One or more parameter values were invalid: "

func some(n int64) api.Int { return api.SomeInt(n) }

// TestUpdateErrors goes through behaviours/02 §2.4, step 6, and api-surface §6.2 for what needs the table. Nothing of
// a refused request may be applied.
func TestUpdateErrors(t *testing.T) {
	p := newPlane(t, 0)
	p.create(indexedTable("demand", true))
	p.create(indexedTable("units", false))
	local := hashTable("local")
	local.Key = hashRange("pk", attr.S, "sk", attr.S)
	local.Definitions = append(local.Definitions, KeyAttribute{"sk", attr.S}, KeyAttribute{"l", attr.N})
	local.Locals = []IndexSpec{{Name: "lsi", Key: hashRange("pk", attr.S, "l", attr.N), Projection: "ALL"}}
	p.create(local)
	full := hashTable("full")
	for i := range 20 {
		full.Globals = append(full.Globals, IndexSpec{Name: "ix" + strconv.Itoa(i), Key: hashKey("pk", attr.S), Projection: "ALL"})
	}
	p.create(full)
	streaming := hashTable("streaming")
	streaming.StreamView = "KEYS_ONLY"
	p.create(streaming)
	sealed := hashTable("sealed")
	sealed.Encryption = Encryption{Enabled: true, Key: "arn:aws:kms:us-east-1:123456789012:key/1"}
	p.create(sealed)

	guide := "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."
	unchanged := func(what, whose, n string) string {
		return "The provisioned throughput for " + what + " will not change. The requested value equals the current value. " +
			"Current ReadCapacityUnits provisioned for " + whose + ": " + n + ". Requested ReadCapacityUnits: " + n + ". " +
			"Current WriteCapacityUnits provisioned for " + whose + ": " + n + ". Requested WriteCapacityUnits: " + n + ". " + guide
	}
	update := func(x IndexUpdate) []IndexUpdate { return []IndexUpdate{x} }
	oneIndex := "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"
	for _, test := range []struct {
		name, code, want string
		cmd              UpdateTable
	}{
		{"no table", "ResourceNotFoundException", "Requested resource not found: Table: none not found", UpdateTable{Table: "none", Class: "STANDARD"}},
		{"units on demand", "", invalid + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
			UpdateTable{Table: "demand", Throughput: Units{1, 1}}},
		{"ceilings with units", "", invalid + "MaxWriteRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED",
			UpdateTable{Table: "units", Ceilings: api.OnDemandThroughput{MaxWriteRequestUnits: some(0)}}},
		{"ceilings while becoming provisioned", "",
			invalid + "MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED",
			UpdateTable{Table: "demand", Billing: "PROVISIONED", Throughput: Units{1, 1}, Ceilings: api.OnDemandThroughput{MaxReadRequestUnits: some(5)}}},
		{"ceiling zero", "", invalid + "Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range",
			UpdateTable{Table: "demand", Ceilings: api.OnDemandThroughput{MaxReadRequestUnits: some(0)}}},
		{"ceiling below -1", "", invalid + "Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range",
			UpdateTable{Table: "demand", Ceilings: api.OnDemandThroughput{MaxReadRequestUnits: some(1), MaxWriteRequestUnits: some(-2)}}},
		{"same units", "", unchanged("the table", "the table", "5"), UpdateTable{Table: "units", Throughput: Units{5, 5}}},
		{"same units and mode", "", unchanged("the table", "the table", "5"), UpdateTable{Table: "units", Billing: "PROVISIONED", Throughput: Units{5, 5}}},
		{"same units of an index", "", unchanged("the index one", "index one", "5"),
			UpdateTable{Table: "units", Indexes: update(IndexUpdate{Name: "one", Throughput: Units{5, 5}})}},
		{"too many units", "LimitExceededException", "The requested WriteCapacityUnits, 40001, is above the per table maximum for the account in " +
			"us-east-1. Per table maximum: 40000. " + guide, UpdateTable{Table: "units", Throughput: Units{5, 40001}}},
		{"too many units of an index", "LimitExceededException", "The requested ReadCapacityUnits for index one, 40001, is above the per index maximum " +
			"for the account in us-east-1. Per index maximum: 40000. " + guide,
			UpdateTable{Table: "units", Indexes: update(IndexUpdate{Name: "one", Throughput: Units{40001, 1}})}},
		{"to units without indexes", "", invalid + "ProvisionedThroughput must be specified for index: one,two",
			UpdateTable{Table: "demand", Billing: "PROVISIONED", Throughput: Units{1, 1}}},
		{"to units without an index", "", invalid + "ProvisionedThroughput must be specified for index: two",
			UpdateTable{Table: "demand", Billing: "PROVISIONED", Throughput: Units{1, 1}, Indexes: update(IndexUpdate{Name: "one", Throughput: Units{1, 1}})}},
		{"unknown index", "ResourceNotFoundException", "Requested resource not found: Index ghost for table units",
			UpdateTable{Table: "units", Indexes: update(IndexUpdate{Name: "ghost", Throughput: Units{1, 1}})}},
		{"unknown index, wild units", "", "This operation cannot be performed with given input values. " +
			"Please contact DynamoDB service team for more info: Action Blocked: IndexUpdate",
			UpdateTable{Table: "units", Indexes: update(IndexUpdate{Name: "ghost", Throughput: Units{1, 1_000_000_000_001}})}},
		{"unknown index beside a known one", "ResourceNotFoundException", "Requested resource not found: Index ghost for table units",
			UpdateTable{Table: "units", Indexes: []IndexUpdate{{Name: "one", Throughput: Units{1, 1}}, {Name: "ghost", Delete: true}}}},
		{"local index changed", "", "Cannot update an index that is not a GlobalSecondaryIndex: lsi",
			UpdateTable{Table: "local", Indexes: update(IndexUpdate{Name: "lsi", Throughput: Units{1, 1}})}},
		{"local index deleted", "", "Cannot delete an index that is not a GlobalSecondaryIndex: lsi",
			UpdateTable{Table: "local", Indexes: update(IndexUpdate{Name: "lsi", Delete: true})}},
		{"local index created", "", "Attempting to create an index which already exists",
			UpdateTable{Table: "local", Indexes: update(*newGlobal("lsi", "pk", attr.S))}},
		{"existing index created", "", "Attempting to create an index which already exists",
			UpdateTable{Table: "demand", Indexes: update(*newGlobal("one", "pk", attr.S))}},
		{"two created", "LimitExceededException", oneIndex,
			UpdateTable{Table: "demand", Indexes: []IndexUpdate{*newGlobal("new", "pk", attr.S), *newGlobal("newer", "pk", attr.S)}}},
		{"two deleted, unknown", "LimitExceededException", oneIndex,
			UpdateTable{Table: "demand", Indexes: []IndexUpdate{{Name: "abc", Delete: true}, {Name: "abd", Delete: true}}}},
		{"twenty-first", "LimitExceededException", "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20",
			UpdateTable{Table: "full", Indexes: update(*newGlobal("new", "pk", attr.S))}},
		{"created without units", "", invalid + "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: new",
			UpdateTable{Table: "units", Indexes: update(*newGlobal("new", "pk", attr.S))}},
		{"created with units on demand", "", invalid + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: new when " +
			"BillingMode is PAY_PER_REQUEST", UpdateTable{Table: "demand", Indexes: update(IndexUpdate{Name: "new",
			Create: &IndexSpec{Name: "new", Key: hashKey("pk", attr.S), Projection: "ALL", Throughput: Units{1, 1}}})}},
		{"created with ceilings beside units", "", invalid + "MaxReadRequestUnits for OnDemandThroughput for index : new cannot be specified when " +
			"the table BillingMode is PROVISIONED", UpdateTable{Table: "units", Indexes: update(IndexUpdate{Name: "new", Create: &IndexSpec{Name: "new",
			Key: hashKey("pk", attr.S), Projection: "ALL", Throughput: Units{1, 1}, Ceilings: api.OnDemandThroughput{MaxReadRequestUnits: some(1)}}})}},
		{"created with little warmth", "", invalid + "Requested WriteUnitsPerSecond for WarmThroughput for index new is lower than initial throughput " +
			"for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial",
			UpdateTable{Table: "demand", Indexes: update(IndexUpdate{Name: "new", Create: &IndexSpec{Name: "new", Key: hashKey("pk", attr.S),
				Projection: "ALL", Warm: api.WarmThroughput{WriteUnitsPerSecond: some(3999)}}})}},
		{"other type than the table's", "", invalid + "Attributes cannot be redefined. Please check that your attribute has the same type as previously " +
			"defined. Existing schema: Schema:[SchemaElement: key{pk:S:HASH}] New schema: Schema:[SchemaElement: key{pk:N:HASH}]",
			UpdateTable{Table: "demand", Indexes: update(*newGlobal("new", "pk", attr.N))}},
		{"other type than an index's", "", invalid + "Attributes cannot be redefined. Please check that your attribute has the same type as previously " +
			"defined. Existing schema: Schema:[SchemaElement: key{g1:S:HASH}] New schema: Schema:[SchemaElement: key{x:S:HASH}, SchemaElement: key{g1:N:RANGE}]",
			UpdateTable{Table: "demand", Indexes: update(IndexUpdate{Name: "new",
				Create: &IndexSpec{Name: "new", Key: hashRange("x", attr.S, "g1", attr.N), Projection: "ALL"}})}},
		{"index units on demand", "", invalid + "The only Updates for index: one when TableThroughputMode is PAY_PER_REQUEST can be to " +
			"OnDemandThroughput, WarmThroughput", UpdateTable{Table: "demand", Indexes: update(IndexUpdate{Name: "one", Throughput: Units{1, 1}})}},
		{"no change of an index on demand", "", invalid + "The only Updates for index: one when TableThroughputMode is PAY_PER_REQUEST can be to " +
			"OnDemandThroughput, WarmThroughput", UpdateTable{Table: "demand", Indexes: update(IndexUpdate{Name: "one"})}},
		{"no change of an index", "", invalid + "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: one",
			UpdateTable{Table: "units", Indexes: update(IndexUpdate{Name: "one"})}},
		{"index ceilings beside units", "", invalid + "MaxReadRequestUnits for OnDemandThroughput for index : one cannot be specified when the table " +
			"BillingMode is PROVISIONED", UpdateTable{Table: "units", Indexes: update(IndexUpdate{Name: "one",
			Ceilings: api.OnDemandThroughput{MaxReadRequestUnits: some(1)}})}},
		{"index ceiling zero", "", invalid + "Requested MaxReadRequestUnits for OnDemandThroughput for index : one is outside of valid range",
			UpdateTable{Table: "demand", Indexes: update(IndexUpdate{Name: "one", Ceilings: api.OnDemandThroughput{MaxReadRequestUnits: some(0)}})}},
		{"less warmth", "", invalid + "Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, " +
			"decreasing WarmThroughput is not supported", UpdateTable{Table: "demand", Warm: api.WarmThroughput{ReadUnitsPerSecond: some(0)}}},
		{"less warmth of an index", "", invalid + "Requested WriteUnitsPerSecond for WarmThroughput for index one is lower than current WarmThroughput, " +
			"decreasing WarmThroughput is not supported",
			UpdateTable{Table: "demand", Indexes: update(IndexUpdate{Name: "one", Warm: api.WarmThroughput{WriteUnitsPerSecond: some(3999)}})}},
		{"stream on again", "", "Table already has an enabled stream: TableName: streaming",
			UpdateTable{Table: "streaming", Stream: &StreamUpdate{true, "NEW_IMAGE"}}},
		{"no stream", "", "Table has no stream to disable: TableName: demand", UpdateTable{Table: "demand", Stream: &StreamUpdate{}}},
		{"no encryption", "", invalid + "Table is already encrypted by default", UpdateTable{Table: "demand", Encryption: &Encryption{}}},
		{"same key", "", invalid + "Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to change Master Key",
			UpdateTable{Table: "sealed", Encryption: &Encryption{true, "arn:aws:kms:us-east-1:123456789012:key/1"}}},
	} {
		if test.code == "" {
			test.code = "ValidationException"
		}
		var before *api.TableDescription
		if test.cmd.Table != "none" {
			before = p.describe(test.cmd.Table)
		}
		_, err := p.UpdateTable(t.Context(), &test.cmd)
		p.fails(test.name, err, test.code, test.want)
		if before != nil {
			p.same(test.name+": the table", before, p.describe(test.cmd.Table))
		}
	}
}

// TestNoChange: some requests change nothing and are accepted.
func TestNoChange(t *testing.T) {
	p := newPlane(t, time.Second)
	p.create(hashTable("Orders"))
	p.clock.Advance(time.Second)
	p.update(&UpdateTable{Table: "Orders", Ceilings: api.OnDemandThroughput{MaxReadRequestUnits: some(7)}})
	before := p.describe("Orders")
	for _, test := range []struct {
		name, status string
		cmd          UpdateTable
	}{
		{"on demand", "UPDATING", UpdateTable{Billing: "PAY_PER_REQUEST"}},
		{"class", "ACTIVE", UpdateTable{Class: "STANDARD"}},
		{"protection", "ACTIVE", UpdateTable{Protected: api.SomeBool(false)}},
		{"ceilings", "ACTIVE", UpdateTable{Ceilings: api.OnDemandThroughput{MaxReadRequestUnits: some(7)}}},
	} {
		test.cmd.Table = "Orders"
		if got := p.update(&test.cmd); got.TableStatus != test.status {
			t.Errorf("%s: status %s, want %s", test.name, got.TableStatus, test.status)
		}
		p.same(test.name, before, p.describe("Orders"))
	}
}

func TestThroughput(t *testing.T) {
	p := newPlane(t, 2*time.Second)
	p.create(unitsTable("Orders"))
	p.clock.Advance(2 * time.Second)
	history := func(d *api.TableDescription) api.ProvisionedThroughputDescription { return *d.ProvisionedThroughput }
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }

	d := p.update(&UpdateTable{Table: "Orders", Throughput: Units{9, 9}})
	want := api.ProvisionedThroughputDescription{LastIncreaseDateTime: at(2), ReadCapacityUnits: 5, WriteCapacityUnits: 5}
	p.same("increase", want, history(d))
	p.same("status", "UPDATING", d.TableStatus)
	p.clock.Advance(2 * time.Second)
	d = p.describe("Orders")
	want = api.ProvisionedThroughputDescription{LastIncreaseDateTime: at(4), ReadCapacityUnits: 9, WriteCapacityUnits: 9}
	p.same("increased", want, history(d))
	p.same("warm", warmOf(9, 9, "ACTIVE"), d.WarmThroughput)
	p.same("billing", (*api.BillingModeSummary)(nil), d.BillingModeSummary)

	want.LastDecreaseDateTime = at(4)
	p.same("decrease", want, history(p.update(&UpdateTable{Table: "Orders", Throughput: Units{9, 1}})))
	p.clock.Advance(2 * time.Second)
	d = p.describe("Orders")
	want = api.ProvisionedThroughputDescription{LastIncreaseDateTime: at(4), LastDecreaseDateTime: at(6),
		NumberOfDecreasesToday: 1, ReadCapacityUnits: 9, WriteCapacityUnits: 1}
	p.same("decreased", want, history(d))
	p.same("warm stays", warmOf(9, 9, "ACTIVE"), d.WarmThroughput)

	p.clock.Advance(12 * time.Hour)
	p.same("next day", int64(0), p.describe("Orders").ProvisionedThroughput.NumberOfDecreasesToday)
	p.update(&UpdateTable{Table: "Orders", Throughput: Units{1, 1}})
	p.clock.Advance(2 * time.Second)
	p.same("decreases next day", int64(1), p.describe("Orders").ProvisionedThroughput.NumberOfDecreasesToday)
}

func TestThroughputAtOnce(t *testing.T) {
	p := newPlane(t, 0)
	p.create(unitsTable("Orders"))
	d := p.update(&UpdateTable{Table: "Orders", Throughput: Units{9, 1}})
	p.same("reply", []any{"UPDATING", int64(5), int64(5)},
		[]any{d.TableStatus, d.ProvisionedThroughput.ReadCapacityUnits, d.ProvisionedThroughput.WriteCapacityUnits})
	d = p.describe("Orders")
	p.same("next", []any{"ACTIVE", int64(9), int64(1), int64(1)}, []any{d.TableStatus, d.ProvisionedThroughput.ReadCapacityUnits,
		d.ProvisionedThroughput.WriteCapacityUnits, d.ProvisionedThroughput.NumberOfDecreasesToday})
}

func TestBillingMode(t *testing.T) {
	p := newPlane(t, time.Second)
	p.create(indexedTable("Orders", false))
	p.clock.Advance(time.Second)
	type shown struct {
		Status  string
		Billing *api.BillingModeSummary
		Units   api.ProvisionedThroughputDescription
		Warm    *api.WarmThroughputDescription
		Index   string
		Of      api.ProvisionedThroughputDescription
		Heat    *api.WarmThroughputDescription
		Ceiling *api.OnDemandThroughput
	}
	show := func(d *api.TableDescription) shown {
		x := d.GlobalSecondaryIndexes[0]
		return shown{d.TableStatus, d.BillingModeSummary, *d.ProvisionedThroughput, d.WarmThroughput,
			x.IndexStatus, *x.ProvisionedThroughput, x.WarmThroughput, d.OnDemandThroughput}
	}
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	ceiling := &api.OnDemandThroughput{MaxReadRequestUnits: some(100)}

	d := p.update(&UpdateTable{Table: "Orders", Billing: "PAY_PER_REQUEST", Ceilings: *ceiling})
	want := shown{
		"UPDATING", &api.BillingModeSummary{BillingMode: "PAY_PER_REQUEST"},
		api.ProvisionedThroughputDescription{LastDecreaseDateTime: at(1)}, warmOf(5, 5, "ACTIVE"),
		"UPDATING", api.ProvisionedThroughputDescription{}, warmOf(5, 5, "ACTIVE"), ceiling,
	}
	p.same("switching to on-demand", want, show(d))
	p.same("the same described", want, show(p.describe("Orders")))
	p.clock.Advance(time.Second)
	onDemandSince := &api.BillingModeSummary{BillingMode: "PAY_PER_REQUEST", LastUpdateToPayPerRequestDateTime: at(2)}
	p.same("on demand", shown{
		"ACTIVE", onDemandSince, api.ProvisionedThroughputDescription{}, warmOf(12000, 4000, "ACTIVE"),
		"ACTIVE", api.ProvisionedThroughputDescription{LastDecreaseDateTime: at(2), NumberOfDecreasesToday: 1}, warmOf(12000, 4000, "ACTIVE"), ceiling,
	}, show(p.describe("Orders")))
	p.update(&UpdateTable{Table: "Orders", Indexes: []IndexUpdate{{Name: "two", Ceilings: *ceiling}}})
	p.clock.Advance(time.Second)

	d = p.update(&UpdateTable{Table: "Orders", Billing: "PROVISIONED", Throughput: Units{3, 3}, Indexes: []IndexUpdate{
		{Name: "one", Throughput: Units{4, 4}}, {Name: "two", Throughput: Units{5, 5}},
	}})
	back := &api.BillingModeSummary{BillingMode: "PROVISIONED", LastUpdateToPayPerRequestDateTime: at(2)}
	want = shown{
		"UPDATING", back, *unitsOf(3, 3), warmOf(12000, 4000, "ACTIVE"), "UPDATING",
		api.ProvisionedThroughputDescription{LastDecreaseDateTime: at(2), NumberOfDecreasesToday: 1, ReadCapacityUnits: 4, WriteCapacityUnits: 4},
		warmOf(12000, 4000, "ACTIVE"), nil,
	}
	p.same("switching back", want, show(d))
	p.clock.Advance(time.Second)
	want.Status, want.Index = "ACTIVE", "ACTIVE"
	d = p.describe("Orders")
	p.same("provisioned", want, show(d))
	p.same("ceilings of the index", (*api.OnDemandThroughput)(nil), d.GlobalSecondaryIndexes[1].OnDemandThroughput)
}

func TestCeilings(t *testing.T) {
	p := newPlane(t, 0)
	p.create(hashTable("Orders"))
	ceilings := func(read, write int64) api.OnDemandThroughput {
		return api.OnDemandThroughput{MaxReadRequestUnits: api.Int{Value: read, Set: read != 0}, MaxWriteRequestUnits: api.Int{Value: write, Set: write != 0}}
	}
	for _, step := range []struct{ sent, reply, after api.OnDemandThroughput }{
		{ceilings(1000, 500), ceilings(1000, 500), ceilings(1000, 500)},
		{ceilings(2000, 0), ceilings(2000, 500), ceilings(2000, 500)},
		{ceilings(-1, 0), ceilings(-1, 500), ceilings(0, 500)},
		{ceilings(0, -1), ceilings(0, -1), ceilings(0, 0)},
		{ceilings(-1, -1), ceilings(-1, -1), ceilings(0, 0)},
		{ceilings(0, 700), ceilings(0, 700), ceilings(0, 700)},
	} {
		d := p.update(&UpdateTable{Table: "Orders", Ceilings: step.sent})
		p.same("status", "ACTIVE", d.TableStatus)
		p.same("reply", step.reply, *d.OnDemandThroughput)
		var after api.OnDemandThroughput
		if o := p.describe("Orders").OnDemandThroughput; o != nil {
			after = *o
		}
		p.same("after", step.after, after)
	}
}

func TestWarmThroughput(t *testing.T) {
	p := newPlane(t, time.Second)
	p.create(indexedTable("Orders", true))
	p.clock.Advance(time.Second)
	d := p.update(&UpdateTable{Table: "Orders", Warm: api.WarmThroughput{ReadUnitsPerSecond: some(13000)}})
	p.same("reply", []any{"ACTIVE", warmOf(12000, 4000, "UPDATING")}, []any{d.TableStatus, d.WarmThroughput})
	d = p.update(&UpdateTable{Table: "Orders", Indexes: []IndexUpdate{{Name: "one", Warm: api.WarmThroughput{WriteUnitsPerSecond: some(5000)}}}})
	p.same("index", []any{"ACTIVE", warmOf(12000, 4000, "UPDATING")},
		[]any{d.GlobalSecondaryIndexes[0].IndexStatus, d.GlobalSecondaryIndexes[0].WarmThroughput})
	p.clock.Advance(time.Second)
	d = p.describe("Orders")
	p.same("later", warmOf(13000, 4000, "ACTIVE"), d.WarmThroughput)
	p.same("index later", warmOf(12000, 5000, "ACTIVE"), d.GlobalSecondaryIndexes[0].WarmThroughput)
}

func TestStreamSpecification(t *testing.T) {
	p := newPlane(t, 0)
	p.create(hashTable("Orders"))
	type shown struct {
		Status, View, Label, ARN string
	}
	show := func(d *api.TableDescription) shown {
		s := shown{Status: d.TableStatus, Label: d.LatestStreamLabel, ARN: strings.TrimPrefix(d.LatestStreamARN, testARN+"Orders/stream/")}
		if d.StreamSpecification != nil {
			s.View = d.StreamSpecification.StreamViewType.Value
		}
		return s
	}
	const first, second = "2026-11-14T12:00:00.001", "2026-11-14T12:00:00.002"
	p.same("on", shown{"UPDATING", "NEW_IMAGE", first, first}, show(p.update(&UpdateTable{Table: "Orders", Stream: &StreamUpdate{true, "NEW_IMAGE"}})))
	p.same("stays on", shown{"ACTIVE", "NEW_IMAGE", first, first}, show(p.describe("Orders")))
	p.same("off", shown{"UPDATING", "", first, first}, show(p.update(&UpdateTable{Table: "Orders", Stream: &StreamUpdate{}})))
	p.same("stays off", shown{"ACTIVE", "", first, first}, show(p.describe("Orders")))
	p.same("on again in the same millisecond", shown{"UPDATING", "KEYS_ONLY", second, second},
		show(p.update(&UpdateTable{Table: "Orders", Stream: &StreamUpdate{true, "KEYS_ONLY"}})))
}

func TestEncryption(t *testing.T) {
	p := newPlane(t, time.Second)
	p.create(hashTable("Orders"))
	p.clock.Advance(time.Second)
	const key = "arn:aws:kms:us-east-1:123456789012:key/"
	state := func(status, arn string) *api.SSEDescription {
		return &api.SSEDescription{Status: status, SSEType: "KMS", KMSMasterKeyARN: arn}
	}
	managed := p.keyARN(&Encryption{Enabled: true})
	if id := strings.TrimPrefix(managed, key); !isUUID(id) || managed != p.keyARN(&Encryption{true, "alias/aws/dynamodb"}) {
		t.Errorf("the managed key is %s", managed)
	}
	steps := []struct {
		cmd           Encryption
		during, after *api.SSEDescription
	}{
		{Encryption{Enabled: true}, state("UPDATING", managed), state("ENABLED", managed)},
		{Encryption{Enabled: true}, state("UPDATING", managed), state("ENABLED", managed)},
		{Encryption{true, "1"}, state("UPDATING", managed), state("ENABLED", key+"1")},
		{Encryption{true, key + "2"}, state("UPDATING", key+"1"), state("ENABLED", key+"2")},
		{Encryption{}, state("UPDATING", key+"2"), nil},
	}
	for _, step := range steps {
		d := p.update(&UpdateTable{Table: "Orders", Encryption: &step.cmd})
		p.same("status", "ACTIVE", d.TableStatus)
		p.same("reply", step.during, d.SSEDescription)
		p.same("during", step.during, p.describe("Orders").SSEDescription)
		_, err := p.UpdateTable(t.Context(), &UpdateTable{Table: "Orders", Encryption: &Encryption{true, "3"}})
		p.fails("at the same time", err, "ResourceInUseException",
			"Attempt to change a resource which is still in use: Server-Side Encryption is still being updated")
		p.clock.Advance(time.Second)
		p.same("after", step.after, p.describe("Orders").SSEDescription)
	}
}

func TestTableClass(t *testing.T) {
	p := newPlane(t, time.Second)
	p.create(hashTable("Orders"))
	p.clock.Advance(time.Second)
	d := p.update(&UpdateTable{Table: "Orders", Class: "STANDARD_INFREQUENT_ACCESS"})
	p.same("reply", []any{"UPDATING", (*api.TableClassSummary)(nil)}, []any{d.TableStatus, d.TableClassSummary})
	p.clock.Advance(time.Second)
	d = p.describe("Orders")
	p.same("later", &api.TableClassSummary{TableClass: "STANDARD_INFREQUENT_ACCESS", LastUpdateDateTime: start.Add(2 * time.Second)}, d.TableClassSummary)
}

func TestTags(t *testing.T) {
	p := newPlane(t, 0)
	p.create(hashTable("Orders"))
	ctx := t.Context()
	arn := testARN + "Orders"
	tags := func(pairs ...string) []api.Tag {
		out := []api.Tag{}
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, api.Tag{Key: api.Some(pairs[i]), Value: api.Some(pairs[i+1])})
		}
		return out
	}
	list := func() []api.Tag {
		out, err := p.ListTagsOfResource(ctx, &ListTagsOfResource{"Orders", arn})
		if err != nil {
			t.Fatal(err)
		}
		return out.Tags
	}
	p.same("none", tags(), list())
	_, err := p.TagResource(ctx, &TagResource{"Orders", arn, tags("b", "1", "a", "")})
	p.fails("tag", err, "", "")
	_, err = p.TagResource(ctx, &TagResource{"Orders", arn, tags("b", "2", "B", "3")})
	p.fails("tag", err, "", "")
	p.same("tagged", tags("B", "3", "a", "", "b", "2"), list())
	_, err = p.UntagResource(ctx, &UntagResource{"Orders", arn, []string{"unknown", "a"}})
	p.fails("untag", err, "", "")
	p.same("untagged", tags("B", "3", "b", "2"), list())

	var many []string
	for i := range 49 {
		many = append(many, "k"+strconv.Itoa(i), "")
	}
	_, err = p.TagResource(ctx, &TagResource{"Orders", arn, tags(many...)})
	p.fails("51 tags", err, "ValidationException", "Number of Tags exceed the current limit for the provided ResourceArn")
	p.same("as before", tags("B", "3", "b", "2"), list())
	_, err = p.TagResource(ctx, &TagResource{"Orders", arn, tags(many[:96]...)})
	p.fails("50 tags", err, "", "")

	ghost := testARN + "ghost"
	const missing = "Requested resource not found: ResourceArn: " + testARN + "ghost not found"
	_, err = p.TagResource(ctx, &TagResource{"ghost", ghost, tags("a", "")})
	p.fails("tag nothing", err, "ResourceNotFoundException", missing)
	_, err = p.UntagResource(ctx, &UntagResource{"ghost", ghost, []string{"a"}})
	p.fails("untag nothing", err, "ResourceNotFoundException", missing)
	_, err = p.ListTagsOfResource(ctx, &ListTagsOfResource{"ghost", ghost})
	p.fails("list nothing", err, "ResourceNotFoundException", missing)
}

func TestTimeToLiveSetting(t *testing.T) {
	p := newPlane(t, time.Second)
	p.create(hashTable("Orders"))
	p.clock.Advance(time.Second)
	ctx := t.Context()
	state := func() []string {
		out, err := p.DescribeTimeToLive(ctx, &DescribeTimeToLive{"Orders"})
		if err != nil {
			t.Fatal(err)
		}
		table, now, _ := p.look("Orders")
		defer table.mu.RUnlock()
		return []string{out.TimeToLiveDescription.TimeToLiveStatus, out.TimeToLiveDescription.AttributeName, table.settings.ttl.expiresBy(now)}
	}
	change := func(on bool, attribute, want string) {
		t.Helper()
		out, err := p.UpdateTimeToLive(ctx, &UpdateTimeToLive{"Orders", on, attribute})
		if want != "" {
			p.fails(attribute, err, "ValidationException", want)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		p.same("reply", &api.TimeToLiveSpecification{Enabled: api.SomeBool(on), AttributeName: api.Some(attribute)}, out.TimeToLiveSpecification)
	}
	p.same("never set", []string{"DISABLED", "", ""}, state())
	change(false, "x", "TimeToLive is already disabled")
	change(true, "pk", "")
	p.same("enabling", []string{"ENABLING", "pk", ""}, state())
	change(true, "pk", "TimeToLive is already enabled")
	change(false, "pk", "Time to live has been modified multiple times within a fixed interval")
	p.clock.Advance(time.Second)
	p.same("enabled", []string{"ENABLED", "pk", "pk"}, state())
	change(true, "pk", "TimeToLive is already enabled")
	change(true, "x", "TimeToLive is active on a different AttributeName: current AttributeName is pk")
	change(false, "x", "TimeToLive is active on a different AttributeName: current AttributeName is pk")
	change(false, "pk", "")
	p.same("disabling", []string{"DISABLING", "pk", "pk"}, state())
	change(false, "pk", "TimeToLive is already disabled")
	change(true, "pk", "Time to live has been modified multiple times within a fixed interval")
	p.clock.Advance(time.Second)
	p.same("disabled", []string{"DISABLED", "", ""}, state())

	const missing = "Requested resource not found: Table: ghost not found"
	_, err := p.UpdateTimeToLive(ctx, &UpdateTimeToLive{"ghost", true, "x"})
	p.fails("missing table", err, "ResourceNotFoundException", missing)
	_, err = p.DescribeTimeToLive(ctx, &DescribeTimeToLive{"ghost"})
	p.fails("missing table", err, "ResourceNotFoundException", missing)
}

// TestNamesAreCopied: nothing of a command may stay in a table, since commands are parts of request bodies.
func TestNamesAreCopied(t *testing.T) {
	p := newPlane(t, 0)
	text := strings.Clone("OrderspkSTANDARDg1onekNEW_IMAGEattr")
	base := uintptr(unsafe.Pointer(unsafe.StringData(text)))
	part := func(from, to int) string { return text[from:to] }
	cmd := &CreateTable{Table: part(0, 6), Key: hashKey(part(6, 8), attr.S), OnDemand: true, Class: part(8, 16), StreamView: part(22, 31),
		Definitions: []KeyAttribute{{part(6, 8), attr.S}, {part(16, 18), attr.S}},
		Globals:     []IndexSpec{{Name: part(18, 21), Key: hashKey(part(16, 18), attr.S), Projection: "INCLUDE", NonKey: []string{part(31, 35)}}},
		Tags:        []api.Tag{{Key: api.Some(part(21, 22)), Value: api.Some("")}},
	}
	p.create(cmd)
	table := p.tables["Orders"]
	for _, kept := range []string{table.name, table.key.Hash[0].Name, table.settings.class, table.settings.stream.view, table.globals[0].name,
		table.globals[0].key.Hash[0].Name, table.globals[0].settings.nonKey[0], table.settings.tags[0].Key.Value, table.settings.definitions[0].Name} {
		if uintptr(unsafe.Pointer(unsafe.StringData(kept)))-base < uintptr(len(text)) {
			t.Errorf("%s is kept as a part of the body", kept)
		}
	}
}
