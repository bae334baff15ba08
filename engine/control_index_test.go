package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
)

// query counts the entries of an index for one partition key.
func (p *plane) query(table, index, keyCond string, value string) (int, error) {
	p.Helper()
	out, err := p.Query(p.Context(), &Query{Table: table, Index: index, Key: keyCondition(p, keyCond, ":v", value)})
	if err != nil {
		return 0, err
	}
	return out.Count, nil
}

func names(d *api.TableDescription) (definitions, indexes []string) {
	for _, x := range d.AttributeDefinitions {
		definitions = append(definitions, x.AttributeName.Value+":"+x.AttributeType.Value)
	}
	for i := range d.GlobalSecondaryIndexes {
		x := &d.GlobalSecondaryIndexes[i]
		s := x.IndexName + " " + x.IndexStatus
		if x.Backfilling.Set {
			s += fmt.Sprint(" backfilling ", x.Backfilling.Value)
		}
		indexes = append(indexes, s)
	}
	return definitions, indexes
}

// TestAddIndex follows a new index by the clock: resource allocation, backfill, ACTIVE.
func TestAddIndex(t *testing.T) {
	p := newPlane(t, time.Second)
	p.create(indexedTable("Orders", true))
	p.clock.Advance(time.Second)
	p.put("Orders", `{"pk":{"S":"a"},"n":{"N":"1"}}`)
	p.put("Orders", `{"pk":{"S":"b"},"n":{"N":"1"}}`)
	p.put("Orders", `{"pk":{"S":"c"},"n":{"S":"1"}}`)
	p.put("Orders", `{"pk":{"S":"d"}}`)

	check := func(what string, d *api.TableDescription, status string, definitions, indexes []string, entries int64) {
		t.Helper()
		defs, ixs := names(d)
		p.same(what, []any{status, definitions, indexes}, []any{d.TableStatus, defs, ixs})
		p.same(what+": entries", entries, d.GlobalSecondaryIndexes[2].ItemCount)
	}
	defs := []string{"g1:S", "g2:N", "n:N", "pk:S"}
	list := func(status string) []string { return []string{"one ACTIVE", "two ACTIVE", "new " + status} }
	d := p.update(&UpdateTable{Table: "Orders", Indexes: []IndexUpdate{*newGlobal("new", "n", attr.N)}})
	check("reply", d, "UPDATING", defs, list("CREATING backfilling false"), 0)
	check("allocation", p.describe("Orders"), "UPDATING", defs, list("CREATING backfilling false"), 0)
	_, err := p.query("Orders", "new", "n = :v", `{"N":"1"}`)
	p.fails("query", err, "ValidationException", "Cannot read from backfilling global secondary index: new")
	_, err = p.Put(t.Context(), &Put{Table: "Orders", Item: item(t, `{"pk":{"S":"e"},"n":{"S":"x"}}`)})
	p.fails("wrong type", err, "ValidationException", invalid+"Type mismatch for Index Key n Expected: N Actual: S IndexName: new")
	p.put("Orders", `{"pk":{"S":"e"},"n":{"N":"1"}}`)

	p.clock.Advance(time.Second)
	check("backfill", p.describe("Orders"), "ACTIVE", defs, list("CREATING backfilling true"), 0)
	_, err = p.query("Orders", "new", "n = :v", `{"N":"1"}`)
	p.fails("query", err, "ValidationException", "Cannot read from backfilling global secondary index: new")
	p.clock.Advance(time.Second)
	n, err := p.query("Orders", "new", "n = :v", `{"N":"1"}`)
	if err != nil || n != 3 {
		t.Errorf("the index has %d entries, error %v", n, err)
	}
	check("done", p.describe("Orders"), "ACTIVE", defs, list("ACTIVE"), 3)
}

func TestDeleteIndex(t *testing.T) {
	p := newPlane(t, time.Second)
	p.create(indexedTable("Orders", true))
	p.clock.Advance(time.Second)
	p.put("Orders", `{"pk":{"S":"a"},"g1":{"S":"x"},"g2":{"N":"1"}}`)
	d := p.update(&UpdateTable{Table: "Orders", Indexes: []IndexUpdate{{Name: "one", Delete: true}}})
	check := func(what string, d *api.TableDescription, status string, definitions, indexes []string) {
		t.Helper()
		defs, ixs := names(d)
		p.same(what, []any{status, definitions, indexes}, []any{d.TableStatus, defs, ixs})
	}
	all := []string{"g1:S", "g2:N", "pk:S"}
	check("reply", d, "UPDATING", all, []string{"one DELETING", "two ACTIVE"})
	check("deleting", p.describe("Orders"), "UPDATING", all, []string{"one DELETING", "two ACTIVE"})
	_, err := p.query("Orders", "one", "g1 = :v", `{"S":"x"}`)
	p.fails("query", err, "ValidationException", "The table does not have the specified index: one")
	p.put("Orders", `{"pk":{"S":"b"},"g1":{"N":"1"}}`) // no longer a key
	p.clock.Advance(time.Second)
	check("deleted", p.describe("Orders"), "ACTIVE", []string{"g2:N", "pk:S"}, []string{"two ACTIVE"})

	// The name is free again, with another key type.
	p.update(&UpdateTable{Table: "Orders", Indexes: []IndexUpdate{*newGlobal("one", "g1", attr.N)}})
	p.clock.Advance(2 * time.Second)
	check("again", p.describe("Orders"), "ACTIVE", []string{"g1:N", "g2:N", "pk:S"}, []string{"two ACTIVE", "one ACTIVE"})
	if n, err := p.query("Orders", "one", "g1 = :v", `{"N":"1"}`); err != nil || n != 1 {
		t.Errorf("%d entries, error %v", n, err)
	}
}

func TestIndexesAtOnce(t *testing.T) {
	p := newPlane(t, 0)
	p.create(hashTable("Orders"))
	p.put("Orders", `{"pk":{"S":"a"},"x":{"S":"1"},"y":{"S":"2"}}`)
	create := &IndexSpec{Name: "new", Projection: "ALL", Key: KeySchema{
		Hash:  []KeyAttribute{{"x", attr.S}, {"y", attr.S}},
		Range: []KeyAttribute{{"pk", attr.S}},
	}}
	d := p.update(&UpdateTable{Table: "Orders", Indexes: []IndexUpdate{{Name: "new", Create: create}}})
	_, indexes := names(d)
	p.same("reply", []any{"UPDATING", []string{"new CREATING backfilling false"}, schemaOf("x", "HASH", "y", "HASH", "pk", "RANGE")},
		[]any{d.TableStatus, indexes, d.GlobalSecondaryIndexes[0].KeySchema})
	d = p.describe("Orders")
	defs, indexes := names(d)
	p.same("next", []any{"ACTIVE", []string{"new ACTIVE"}, []string{"pk:S", "x:S", "y:S"}, int64(1)},
		[]any{d.TableStatus, indexes, defs, d.GlobalSecondaryIndexes[0].ItemCount})

	d = p.update(&UpdateTable{Table: "Orders", Indexes: []IndexUpdate{{Name: "new", Delete: true}}})
	defs, indexes = names(d)
	p.same("delete", []any{"UPDATING", []string{"new DELETING"}, []string{"pk:S", "x:S", "y:S"}}, []any{d.TableStatus, indexes, defs})
	d = p.describe("Orders")
	defs, indexes = names(d)
	p.same("deleted", []any{"ACTIVE", []string(nil), []string{"pk:S"}}, []any{d.TableStatus, indexes, defs})
}

// TestBackfillSkips: items that cannot be indexed are left out (behaviours/02 §2.3).
func TestBackfillSkips(t *testing.T) {
	p := newPlane(t, 0)
	p.Region = testRegion(New(Options{Clock: p.clock, Partitions: 3})) // its entries are counted here
	p.create(hashTable("Orders"))
	for i, x := range []string{
		`{"S":"good"}`, `{"S":""}`, `{"N":"1"}`, `{"S":"` + strings.Repeat("x", 2048) + `"}`, `{"S":"` + strings.Repeat("x", 2049) + `"}`, `{"NULL":true}`,
	} {
		p.put("Orders", fmt.Sprintf(`{"pk":{"S":"%d"},"x":%s,"y":{"S":"y"}}`, i, x))
	}
	p.put("Orders", `{"pk":{"S":"without"}}`)
	p.update(&UpdateTable{Table: "Orders", Indexes: []IndexUpdate{*newGlobal("hash", "x", attr.S)}})
	p.update(&UpdateTable{Table: "Orders", Indexes: []IndexUpdate{{Name: "range",
		Create: &IndexSpec{Name: "range", Key: hashRange("y", attr.S, "x", attr.S), Projection: "ALL"}}}})
	d := p.describe("Orders")
	p.same("entries", []int64{2, 1}, []int64{d.GlobalSecondaryIndexes[0].ItemCount, d.GlobalSecondaryIndexes[1].ItemCount})
}

// TestBackfillLarge fills an index from more rows than one partition holds, in both directions of its projection.
func TestBackfillLarge(t *testing.T) {
	p := newPlane(t, 0)
	p.create(hashTable("Orders"))
	for i := range 500 {
		p.put("Orders", fmt.Sprintf(`{"pk":{"S":"%d"},"x":{"N":"%d"},"y":{"S":"y"},"z":{"S":"zzz"}}`, i, i%7))
	}
	p.update(&UpdateTable{Table: "Orders", Indexes: []IndexUpdate{{Name: "new", Create: &IndexSpec{
		Name: "new", Key: hashRange("x", attr.N, "y", attr.S), Projection: "INCLUDE", NonKey: []string{"z"}}}}})
	total := 0
	for i := range 7 {
		n, err := p.query("Orders", "new", "x = :v", fmt.Sprintf(`{"N":"%d"}`, i))
		if err != nil {
			t.Fatal(err)
		}
		total += n
	}
	p.same("entries", 500, total)
}

// TestConflicts starts a change and tries others meanwhile. Each other change has its own sentence.
func TestConflicts(t *testing.T) {
	const label = "2026-11-14T12:00:01.001"
	indexOf := func(x IndexUpdate) *UpdateTable { return &UpdateTable{Indexes: []IndexUpdate{x}} }
	newIndex := func(name string) *UpdateTable { return indexOf(*newGlobal(name, "g1", attr.S)) }
	newUnits := func(name string) *UpdateTable {
		x := newGlobal(name, "g1", attr.S)
		x.Create.Throughput = Units{1, 1}
		return indexOf(*x)
	}
	remove := func(name string) *UpdateTable { return indexOf(IndexUpdate{Name: name, Delete: true}) }
	units := func(name string) *UpdateTable { return indexOf(IndexUpdate{Name: name, Throughput: Units{7, 7}}) }
	throughput := &UpdateTable{Throughput: Units{9, 9}}
	class := &UpdateTable{Class: "STANDARD_INFREQUENT_ACCESS"}
	streamOn := &UpdateTable{Stream: &StreamUpdate{true, "NEW_IMAGE"}}
	toDemand := &UpdateTable{Billing: "PAY_PER_REQUEST"}
	toUnits := &UpdateTable{Billing: "PROVISIONED", Throughput: Units{1, 1}, Indexes: []IndexUpdate{
		{Name: "one", Throughput: Units{1, 1}}, {Name: "two", Throughput: Units{1, 1}}}}
	ceilings := &UpdateTable{Ceilings: api.OnDemandThroughput{MaxReadRequestUnits: some(9)}}
	warm := &UpdateTable{Warm: api.WarmThroughput{ReadUnitsPerSecond: some(20000)}}
	protect := &UpdateTable{Protected: api.SomeBool(true)}
	encrypt := &UpdateTable{Encryption: &Encryption{Enabled: true}}
	const (
		updating = "Table is being updated: T"
		indexing = "Cannot delete table while indexes are being created, updated, or deleted."
		limit    = "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"
	)
	type try struct {
		what string
		cmd  *UpdateTable // nil: DeleteTable
		want string       // "" is accepted
	}
	for _, test := range []struct {
		name     string
		onDemand bool
		first    *UpdateTable
		wait     time.Duration
		tries    []try
	}{
		{"throughput", false, throughput, 0, []try{
			{"throughput", &UpdateTable{Throughput: Units{10, 10}}, "Table is being updated: T"},
			{"billing", toDemand, "Table is being updated: T"},
			{"stream", streamOn, "Can't enable or disable stream while table IOPS are being updated. Table: T"},
			{"class", class, "Can't update table class while table IOPS are being updated. Table: T"},
			{"new index", newUnits("new"), "Can't create or delete indexes while table IOPS are being updated. Table: T"},
			{"delete", nil, updating},
			{"index units", units("one"), ""},
			{"warm", warm, ""},
			{"protection", protect, ""},
			{"encryption", encrypt, ""},
		}},
		{"billing", true, toUnits, 0, []try{
			{"throughput", &UpdateTable{Throughput: Units{2, 2}}, "Table is being updated: T"},
			{"delete", nil, indexing},
			{"index", units("one"), "Index is being updated.  Table: T Index: one"},
		}},
		{"billing, with ceilings", false, toDemand, 0, []try{
			{"ceilings", ceilings, "OnDemandThroughput cannot be updated while BillingMode update is in progress"},
			{"again", toDemand, "Table is being updated: T"},
			{"back", toUnits, "Table is being updated: T"},
		}},
		{"stream", false, streamOn, 0, []try{
			{"throughput", throughput, "Can't change table IOPS when stream status is being updated. Table: T Stream: " + label + " Operation: ENABLE"},
			{"stream", &UpdateTable{Stream: &StreamUpdate{}}, "A stream status change is currently in progress. Table: T Stream: " + label + " Operation: ENABLE"},
			{"class", class, "Can't update table class when stream status is being updated. Table: T Stream: " + label + " Operation: ENABLE"},
			{"index", remove("one"), "Can't create or delete an index when stream status is being updated. Table: T Stream: " + label + " Operation: ENABLE"},
			{"delete", nil, "Cannot delete table while stream is being enabled/disabled."},
		}},
		{"stream, on demand", true, streamOn, 0, []try{
			{"ceilings", ceilings, "OnDemandThroughput cannot be updated while stream status update is in progress"},
		}},
		{"class", false, class, 0, []try{
			{"class", &UpdateTable{Class: "STANDARD_INFREQUENT_ACCESS"}, "Can't update table class when a table class update is in progress. " +
				"Table: T TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS"},
			{"stream", streamOn, "Can't enable or disable stream when a table class update is in progress. " +
				"Table: T TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS"},
			{"index", remove("one"), "Can't create or delete an index when a table class update is in progress. " +
				"Table: T TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS"},
			{"delete", nil, updating},
		}},
		{"index allocation", true, newIndex("new"), 0, []try{
			{"billing", toUnits, "Can't change table IOPS when an index is being created. Table: T Indexes: [new]"},
			{"stream", streamOn, "Can't change stream status when an index is being created. Table: T Indexes: [new]"},
			{"ceilings", ceilings, "OnDemandThroughput cannot be updated while index creation is in progress for indexes: [new]"},
			{"delete it", remove("new"), "Index creation is in resource allocation phase. Retry deletion during backfilling phase or when the index is " +
				"active. Table: T Index: new"},
			{"change it", indexOf(IndexUpdate{Name: "new", Ceilings: api.OnDemandThroughput{MaxReadRequestUnits: some(5)}}),
				"Index is being created but is not backfilling yet.  Table: T Index: new"},
			{"another", newIndex("newer"), limit},
			{"delete another", remove("one"), limit},
			{"change another", indexOf(IndexUpdate{Name: "one", Ceilings: api.OnDemandThroughput{MaxReadRequestUnits: some(5)}}), ""},
			{"delete", nil, indexing},
			{"protection", protect, ""},
		}},
		{"backfill", true, newIndex("new"), time.Second, []try{
			{"another", newIndex("newer"), limit},
			{"delete another", remove("one"), limit},
			{"delete the table", nil, indexing},
			{"ceilings", ceilings, ""},
			{"delete it", remove("new"), ""},
		}},
		{"index deletion", true, remove("one"), 0, []try{
			{"billing", &UpdateTable{Billing: "PROVISIONED", Throughput: Units{1, 1}}, "Can't change table IOPS when an index is being deleted. Table: T Indexes: [one]"},
			{"billing with it", toUnits, "Index is being deleted.  Table: T Index: one"},
			{"same billing", toDemand, ""},
			{"ceilings", ceilings, "OnDemandThroughput cannot be updated while index deletion is in progress for indexes: [one]"},
			{"again", remove("one"), "Index is being deleted.  Table: T Index: one"},
			{"create it", newIndex("one"), "Index is being deleted.  Table: T Index: one"},
			{"another", remove("two"), limit},
			{"delete", nil, indexing},
			{"protection", protect, ""},
		}},
		{"index units", false, units("one"), 0, []try{
			{"again", units("one"), "Index is being updated.  Table: T Index: one"},
			{"another", units("two"), ""},
			{"delete it", remove("one"), "Index is being updated.  Table: T Index: one"},
			{"throughput", throughput, ""},
			{"delete", nil, indexing},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPlane(t, time.Second)
			p.create(indexedTable("T", test.onDemand))
			p.clock.Advance(time.Second)
			run := func(cmd *UpdateTable) error {
				c := *cmd
				c.Table = "T"
				_, err := p.UpdateTable(t.Context(), &c)
				return err
			}
			if err := run(test.first); err != nil {
				t.Fatal(err)
			}
			p.clock.Advance(test.wait)
			for _, try := range test.tries {
				var err error
				if try.cmd == nil {
					_, err = p.DeleteTable(t.Context(), &DeleteTable{"T"})
				} else {
					err = run(try.cmd)
				}
				switch {
				case try.want == "":
					p.fails(try.what, err, "", "")
				case try.want == limit:
					p.fails(try.what, err, "LimitExceededException", limit)
				default:
					p.fails(try.what, err, "ResourceInUseException", "Attempt to change a resource which is still in use: "+try.want)
				}
			}
			p.clock.Advance(time.Minute)
			d := p.describe("T")
			if d.TableStatus != "ACTIVE" {
				t.Errorf("a minute later the table is %s", d.TableStatus)
			}
			for i := range d.GlobalSecondaryIndexes {
				if x := &d.GlobalSecondaryIndexes[i]; x.IndexStatus != "ACTIVE" || x.Backfilling.Set {
					t.Errorf("a minute later index %s is %s", x.IndexName, x.IndexStatus)
				}
			}
		})
	}
}

// TestIndexThroughput: a change of an index leaves its table ACTIVE and shows the old numbers meanwhile.
func TestIndexThroughput(t *testing.T) {
	p := newPlane(t, time.Second)
	p.create(indexedTable("Orders", false))
	p.clock.Advance(time.Second)
	d := p.update(&UpdateTable{Table: "Orders", Indexes: []IndexUpdate{{Name: "one", Throughput: Units{9, 1}}, {Name: "two", Throughput: Units{6, 6}}}})
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	p.same("status", []string{"ACTIVE", "UPDATING", "UPDATING"},
		[]string{d.TableStatus, d.GlobalSecondaryIndexes[0].IndexStatus, d.GlobalSecondaryIndexes[1].IndexStatus})
	p.same("reply", &api.ProvisionedThroughputDescription{LastIncreaseDateTime: at(1), LastDecreaseDateTime: at(1), ReadCapacityUnits: 5, WriteCapacityUnits: 5},
		d.GlobalSecondaryIndexes[0].ProvisionedThroughput)
	p.clock.Advance(time.Second)
	x := p.describe("Orders").GlobalSecondaryIndexes[0]
	p.same("later", &api.ProvisionedThroughputDescription{LastIncreaseDateTime: at(2), LastDecreaseDateTime: at(2), NumberOfDecreasesToday: 1,
		ReadCapacityUnits: 9, WriteCapacityUnits: 1}, x.ProvisionedThroughput)
	p.same("warm", warmOf(9, 5, "ACTIVE"), x.WarmThroughput)
}

// TestForkedSettings: a fork has its own settings and goes on by itself.
func TestForkedSettings(t *testing.T) {
	p := newPlane(t, time.Second)
	p.create(indexedTable("Orders", true))
	p.clock.Advance(time.Second)
	p.update(&UpdateTable{Table: "Orders", Indexes: []IndexUpdate{{Name: "one", Delete: true}}})
	if _, err := p.TagResource(t.Context(), &TagResource{"Orders", "", []api.Tag{{Key: api.Some("k"), Value: api.Some("v")}}}); err != nil {
		t.Fatal(err)
	}
	fork := p.engine.Fork()
	f := &plane{t, testRegion(fork), p.clock}
	if _, err := f.TagResource(t.Context(), &TagResource{"Orders", "", []api.Tag{{Key: api.Some("k"), Value: api.Some("w")}}}); err != nil {
		t.Fatal(err)
	}
	p.clock.Advance(time.Second)
	f.update(&UpdateTable{Table: "Orders", Indexes: []IndexUpdate{*newGlobal("one", "g1", attr.B)}})
	p.clock.Advance(2 * time.Second)
	defs, indexes := names(f.describe("Orders"))
	p.same("fork", [][]string{{"g1:B", "g2:N", "pk:S"}, {"two ACTIVE", "one ACTIVE"}}, [][]string{defs, indexes})
	defs, indexes = names(p.describe("Orders"))
	p.same("origin", [][]string{{"g2:N", "pk:S"}, {"two ACTIVE"}}, [][]string{defs, indexes})
	out, _ := p.ListTagsOfResource(t.Context(), &ListTagsOfResource{"Orders", ""})
	p.same("tag", "v", out.Tags[0].Value.Value)
	if err := fork.CheckInvariants(); err != nil {
		t.Error(err)
	}
}
