package partiql

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
)

func (db *database) batch(capacity string, texts ...string) (*api.BatchExecuteStatementOutput, error) {
	in := &api.BatchExecuteStatementInput{ReturnConsumedCapacity: api.Some(capacity)}
	for _, text := range texts {
		in.Statements = append(in.Statements, api.BatchStatementRequest{Statement: api.Some(text)})
	}
	return db.BatchExecuteStatement(db.Context(), db.region, scope, in)
}

// batchText is a response in short form.
func batchText(r api.BatchStatementResponse) string {
	switch {
	case r.Error != nil:
		return r.TableName + "! " + r.Error.Code + ": " + r.Error.Message
	case r.Item.Item == nil:
		return r.TableName
	}
	return r.TableName + " " + texts([]api.View{r.Item})[0]
}

// TestBatch holds the responses of behaviours/09 §9.8.
func TestBatch(t *testing.T) {
	db := newDatabase(t)
	db.put("h", `{"pk":"a","n":1}`, `{"pk":"b"}`, `{"pk":"d"}`)
	const needsKey = "! ValidationError: Select statements within BatchExecuteStatement must specify the primary key in the where clause."
	for _, tt := range []struct{ text, want string }{
		{`SELECT * FROM h WHERE pk = 'b'`, `h {"pk":{"S":"b"}}`},
		{`SELECT n FROM h WHERE pk = 'a'`, `h {"n":{"N":"1"}}`},
		{`SELECT * FROM h WHERE pk = 'absent'`, `h`},
		{`SLECT * FROM h WHERE pk = 'a'`, "! ValidationError: " + notWellFormed + "Expected data manipulation"},
		{`SELECT * FROM h WHERE`, "! ValidationError: " + notWellFormed + "Unexpected term"},
		{`SELECT * FROM nowhere WHERE pk = 'x'`, "! ResourceNotFound: " + notFound},
		{`SELECT * FROM nowhere WHERE x = 'x'`, "! ResourceNotFound: " + notFound},
		{`SELECT * FROM h WHERE n = 1`, needsKey},
		{`SELECT * FROM h`, needsKey},
		{`SELECT * FROM c WHERE pk = 'a'`, needsKey},
		{`SELECT * FROM h WHERE pk = 'a' AND attribute_exists(n)`, needsKey},
		{`SELECT * FROM h WHERE pk IN ('a', 'b')`, needsKey},
		{`SELECT * FROM x."gsi-all" WHERE gsiPk = 'x'`, needsKey},
		{`SELECT * FROM x."gsi-all" WHERE pk = 'p' AND sk = 's1' AND gsiPk = 'x'`, needsKey},
		{`SELECT * FROM x."multi" WHERE lsiSk = 'a' AND lsiSk2 = 'x' AND lsiSk3 = 'm'`, "! ValidationError: " + errMultiAttribute.Message},
		{`SELECT COUNT(*) FROM h`, "! ValidationError: Unexpected path component at 1:8:5"},

		{`INSERT INTO h VALUE {'pk': 'new'}`, "h"},
		{`INSERT INTO h VALUE {'pk': 'a'}`, "h! DuplicateItem: Duplicate primary key exists in table"},
		{`UPDATE h SET n = 2 WHERE pk = 'a' RETURNING ALL NEW *`, `h {"n":{"N":"2"},"pk":{"S":"a"}}`},
		{`UPDATE h SET n = 3 WHERE pk = 'a' RETURNING MODIFIED NEW *`, `h {"n":{"N":"3"}}`},
		{`UPDATE h REMOVE n WHERE pk = 'a' RETURNING MODIFIED NEW *`, `h`},
		{`UPDATE h SET n = 2 WHERE pk = 'a' AND n = 7`, "h! ConditionalCheckFailed: " + conditionFailed},
		{`UPDATE h SET n = 2 WHERE pk = 'absent'`, "h! ConditionalCheckFailed: " + conditionFailed},
		{`UPDATE h SET n = 2`, "! ValidationError: " + wholeKeys},
		{`DELETE FROM h WHERE pk = 'b' RETURNING ALL OLD *`, `h {"pk":{"S":"b"}}`},
		{`DELETE FROM h WHERE pk = 'd' RETURNING MODIFIED OLD *`,
			"! ValidationError: Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements."},
		{`EXISTS(SELECT * FROM h WHERE pk = 'd' AND n = 1)`, "! ValidationError: EXISTS is accepted only among the writes of an ExecuteTransaction."},
	} {
		out, err := db.batch("NONE", tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if got := batchText(out.Responses[0]); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// TestBatchTogether: one member's failure leaves the others alone.
func TestBatchTogether(t *testing.T) {
	db := newDatabase(t)
	db.put("h", `{"pk":"a"}`)
	out, err := db.batch("NONE", `SLECT * FROM h WHERE pk = 'a'`, `SELECT * FROM h WHERE pk = 'a'`, `SELECT * FROM nowhere WHERE pk = 'a'`)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{batchText(out.Responses[0]), batchText(out.Responses[1]), batchText(out.Responses[2])}
	want := []string{"! ValidationError: " + notWellFormed + "Expected data manipulation", `h {"pk":{"S":"a"}}`, "! ResourceNotFound: " + notFound}
	wantRows(t, "responses", got, want)
}

func TestBatchRefused(t *testing.T) {
	db := newDatabase(t)
	for _, tt := range []struct {
		texts []string
		want  string
	}{
		{[]string{`SELECT * FROM h WHERE pk = 'a'`, `INSERT INTO h VALUE {'pk': 'b'}`},
			"Read and write requests together in the same batch is not supported."},
		{[]string{`SELECT * FROM h WHERE pk = 'a'`, `SELECT n FROM h WHERE pk = 'a'`}, "Provided list of item keys contains duplicates"},
		{[]string{`SELECT * FROM n WHERE pk = 1`, `SELECT * FROM n WHERE pk = 1.0`}, "Provided list of item keys contains duplicates"},
		{[]string{`INSERT INTO c VALUE {'sk': 'b', 'pk': 'a'}`, `DELETE FROM c WHERE pk = 'a' AND sk = 'b'`}, "Provided list of item keys contains duplicates"},
		{[]string{`UPDATE h SET n = 1 WHERE pk = 'a'`, `UPDATE h SET m = 1 WHERE pk = 'a' AND n = 1`}, "Provided list of item keys contains duplicates"},
	} {
		_, err := db.batch("NONE", tt.texts...)
		wantError(t, strings.Join(tt.texts, "; "), err, api.CodeValidation, tt.want)
	}
	// Members that can't be parsed count for neither rule.
	if _, err := db.batch("NONE", `SELECT * FROM h WHERE pk = 'a'`, `INSERT INTO h`); err != nil {
		t.Error(err)
	}
	if _, err := db.batch("NONE", `SELECT * FROM h WHERE pk = 'a'`, `SELECT * FROM nowhere WHERE pk = 'a'`, `SELECT * FROM nowhere WHERE pk = 'a'`); err != nil {
		t.Error(err)
	}
}

func TestBatchParameters(t *testing.T) {
	db := newDatabase(t)
	for value, want := range map[string]string{
		`{"N":"1e99999999999"}`:   noNumber + ": 1e99999999999",
		deep(40, `{"S":"x"}`):     nesting,
		`{"M":{"a":{"N":"abc"}}}`: noNumber + ": abc",
	} {
		out, err := db.BatchExecuteStatement(t.Context(), db.region, scope, &api.BatchExecuteStatementInput{
			Statements: []api.BatchStatementRequest{{
				Statement: api.Some(`SELECT * FROM c WHERE pk = 'a' AND sk = 's' AND n = ?`), Parameters: params(t, value),
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := batchText(out.Responses[0]); got != "! ValidationError: "+want {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
}

// TestBatchCapacity holds the last row of behaviours/07 §7.8.
func TestBatchCapacity(t *testing.T) {
	db := newDatabase(t)
	big := strings.Repeat("x", 2500)
	db.put("h", `{"pk":"a","data":"`+big+`"}`, `{"pk":"b"}`)
	db.put("x", `{"pk":"a","sk":"b","gsiPk":"g"}`)
	in := &api.BatchExecuteStatementInput{ReturnConsumedCapacity: api.Some("TOTAL")}
	for _, consistent := range []bool{true, false} {
		pk := map[bool]string{true: "a", false: "b"}[consistent]
		in.Statements = append(in.Statements, api.BatchStatementRequest{
			Statement: api.Some(`SELECT * FROM h WHERE pk = '` + pk + `'`), ConsistentRead: api.SomeBool(consistent),
		})
	}
	out, err := db.BatchExecuteStatement(t.Context(), db.region, scope, in)
	if err != nil {
		t.Fatal(err)
	}
	want := []api.ConsumedCapacity{{TableName: "h", CapacityUnits: 1.5}}
	if diff := cmp.Diff(want, out.ConsumedCapacity); diff != "" {
		t.Errorf("reads: %s", diff)
	}

	for _, tt := range []struct {
		texts []string
		want  []api.ConsumedCapacity
	}{
		{[]string{`UPDATE h SET n = 1 WHERE pk = 'b'`, `UPDATE h SET n = 1 WHERE pk = 'a' AND n = 9`, `DELETE FROM c WHERE pk = 'a' AND sk = 'b' AND n = 1`},
			[]api.ConsumedCapacity{{TableName: "h", CapacityUnits: 4, Table: &api.Capacity{CapacityUnits: 4}}}},
		{[]string{`INSERT INTO h VALUE {'pk': 'b', 'data': '` + big + `'}`, `INSERT INTO h VALUE {'pk': 'c'}`},
			[]api.ConsumedCapacity{{TableName: "h", CapacityUnits: 4, Table: &api.Capacity{CapacityUnits: 4}}}},
		{[]string{`INSERT INTO h VALUE {'pk': 'a'}`, `SLECT`}, nil},
		{[]string{`UPDATE x SET n = 1 WHERE pk = 'a' AND sk = 'b'`},
			[]api.ConsumedCapacity{{TableName: "x", CapacityUnits: 2, Table: &api.Capacity{CapacityUnits: 1},
				GlobalSecondaryIndexes: []api.IndexCapacity{{Index: "gsi-all", Capacity: api.Capacity{CapacityUnits: 1}}}}}},
	} {
		out, err := db.batch("INDEXES", tt.texts...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, out.ConsumedCapacity); diff != "" {
			t.Errorf("%s: %s", tt.texts, diff)
		}
	}
}
