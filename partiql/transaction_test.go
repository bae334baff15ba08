package partiql

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
)

func transaction(token string, texts ...string) *api.ExecuteTransactionInput {
	in := &api.ExecuteTransactionInput{
		ClientRequestToken:     api.String{Value: token, Set: token != ""},
		ReturnConsumedCapacity: api.Some("INDEXES"),
	}
	for _, text := range texts {
		in.TransactStatements = append(in.TransactStatements, api.ParameterizedStatement{Statement: api.Some(text)})
	}
	return in
}

func (db *database) transact(in *api.ExecuteTransactionInput) (*api.ExecuteTransactionOutput, error) {
	return db.ExecuteTransaction(db.Context(), db.region, scope, in)
}

// TestTransactionRefused holds the messages of behaviours/09 §9.9.
func TestTransactionRefused(t *testing.T) {
	db := newDatabase(t)
	db.put("h", `{"pk":"a"}`)
	const prefix = "Validation failed in TransactStatements["
	const keyed = "Select statements within ExecuteTransaction must specify the primary key in the where clause."
	for _, tt := range []struct {
		texts []string
		want  string
	}{
		{[]string{`SELECT * FROM h WHERE`}, prefix + "0]: " + notWellFormed + "Unexpected term"},
		{[]string{`SELECT * FROM h WHERE pk = 'a'`, `SELECT * FROM h WHERE`}, prefix + "1]: " + notWellFormed + "Unexpected term"},
		{[]string{`SELECT * FROM h WHERE pk = 'a' AND attribute_exists(ss)`}, prefix + "0]: " + keyed},
		{[]string{`SELECT * FROM h`}, prefix + "0]: " + keyed},
		{[]string{`SELECT * FROM h WHERE n = 1`}, prefix + "0]: " + keyed},
		{[]string{`SELECT * FROM x."gsi-all" WHERE gsiPk = 'x'`}, prefix + "0]: Reads on indices are not supported within transactions."},
		{[]string{`UPDATE h SET data = 'v' WHERE pk = 'x' RETURNING ALL NEW *`}, prefix + "0]: RETURNING clause is not supported in ExecuteTransaction."},
		{[]string{`DELETE FROM h WHERE pk = 'x' RETURNING MODIFIED NEW *`}, prefix + "0]: RETURNING clause is not supported in ExecuteTransaction."},
		{[]string{`EXISTS(SELECT * FROM h WHERE pk = 'a')`, `UPDATE h SET z = 1 WHERE pk = 'b'`},
			prefix + "0]: EXISTS() must contain a single item read with additional condition"},
		{[]string{`EXISTS(SELECT * FROM h WHERE n = 1)`}, prefix + "0]: EXISTS() must contain a single item read with additional condition"},
		{[]string{`SELECT COUNT(*) FROM h`}, prefix + "0]: Unexpected path component at 1:8:5"},
		{[]string{`UPDATE h SET z = 1`}, prefix + "0]: " + wholeKeys},
		{[]string{`SELECT * FROM h WHERE pk = 'a'`, `DELETE FROM h WHERE pk = 'b'`},
			"ExecuteTransaction API does not support both read and write operations in the same request."},
		{[]string{`SELECT * FROM h WHERE pk = 'a'`, `EXISTS(SELECT * FROM h WHERE pk = 'b' AND n = 1)`},
			"ExecuteTransaction API does not support both read and write operations in the same request."},
		{[]string{`SELECT * FROM h WHERE pk = 'a'`, `SELECT n FROM h WHERE pk = 'a'`}, "Transaction request cannot include multiple operations on one item"},
		{[]string{`DELETE FROM h WHERE pk = 'b'`, `INSERT INTO h VALUE {'pk': 'b'}`}, "Transaction request cannot include multiple operations on one item"},
	} {
		_, err := db.transact(transaction("", tt.texts...))
		wantError(t, strings.Join(tt.texts, "; "), err, api.CodeValidation, tt.want)
	}
	for _, text := range []string{`SELECT * FROM nowhere WHERE pk = 'a'`, `DELETE FROM nowhere WHERE pk = 'a'`, `INSERT INTO nowhere VALUE {'pk': 'a'}`} {
		_, err := db.transact(transaction("", text))
		wantError(t, text, err, api.CodeResourceNotFound, notFound)
	}
}

// TestTransactionParameters: faults of parameters stand without a prefix.
func TestTransactionParameters(t *testing.T) {
	db := newDatabase(t)
	for _, tt := range []struct {
		values []string
		want   string
	}{
		{[]string{`{"S":"x"}`, `{"N":"1e99999999999"}`}, noNumber + ": 1e99999999999"},
		{[]string{deep(40, `{"S":"x"}`), `{"N":"abc"}`}, nesting},
	} {
		in := transaction("", `UPDATE c SET x = ? SET y = ? WHERE pk = 'a' AND sk = '1'`)
		in.TransactStatements[0].Parameters = params(t, tt.values...)
		_, err := db.transact(in)
		wantError(t, tt.want, err, api.CodeValidation, tt.want)
	}
	in := transaction("", `INSERT INTO h VALUE {'pk': 'a', 'x': ?}`)
	in.TransactStatements[0].Parameters = params(t, `{"S":"`+strings.Repeat("x", 409_600)+`"}`)
	_, err := db.transact(in)
	wantError(t, "size", err, api.CodeValidation, "Item size has exceeded the maximum allowed size")

	var texts []string
	for range 12 {
		texts = append(texts, `INSERT INTO h VALUE {'pk': ?, 'x': ?}`)
	}
	in = transaction("", texts...)
	for i := range in.TransactStatements {
		in.TransactStatements[i].Parameters = params(t, letters(26)[i], `{"S":"`+strings.Repeat("x", 400_000)+`"}`)
	}
	_, err = db.transact(in)
	wantError(t, "payload", err, api.CodeValidation, "Transaction payload size cannot exceed 4MB. Payload Size: : …")
}

func TestTransactionReads(t *testing.T) {
	db := newDatabase(t)
	db.put("h", `{"pk":"a","m":{"n":1},"big":"`+strings.Repeat("x", 5000)+`"}`, `{"pk":"b"}`)
	out, err := db.transact(transaction("token", `SELECT m.n FROM h WHERE pk = 'a'`, `SELECT * FROM h WHERE pk = 'absent'`,
		`SELECT * FROM h WHERE pk = 'b'`, `SELECT nope FROM h WHERE pk = 'c'`))
	if err != nil {
		t.Fatal(err)
	}
	wantRows(t, "responses", texts(out.Responses), []string{`{"n":{"N":"1"}}`, `{}`, `{"pk":{"S":"b"}}`, `{}`})
	if out.Responses[1].Item != nil || out.Responses[3].Item != nil {
		t.Error("an item where there is none")
	}
	want := []api.ConsumedCapacity{{TableName: "h", CapacityUnits: 10, ReadCapacityUnits: api.SomeFloat(10),
		Table: &api.Capacity{CapacityUnits: 10, ReadCapacityUnits: api.SomeFloat(10)}}}
	if diff := cmp.Diff(want, out.ConsumedCapacity); diff != "" {
		t.Error(diff)
	}
}

func TestTransactionWrites(t *testing.T) {
	db := newDatabase(t)
	db.put("h", `{"pk":"u","a":5}`, `{"pk":"d"}`, `{"pk":"e","n":1}`, `{"pk":"f","ss":{"SS":["a"]}}`)
	out, err := db.transact(transaction("",
		`INSERT INTO h VALUE {'pk': 'i'}`,
		`UPDATE h SET z = 1 WHERE pk = 'u' AND attribute_exists(a)`,
		`FROM h WHERE pk = 'f' SET ss = set_add(ss, <<'t'>>)`,
		`DELETE FROM h WHERE pk = 'd'`,
		`EXISTS(SELECT * FROM h WHERE pk = 'e' AND n = 1)`))
	if err != nil {
		t.Fatal(err)
	}
	if out.Responses == nil || len(out.Responses) != 0 {
		t.Errorf("responses %v", out.Responses)
	}
	for key, want := range map[string]string{
		"i": `{"pk":{"S":"i"}}`, "u": `{"a":{"N":"5"},"pk":{"S":"u"},"z":{"N":"1"}}`, "d": "{}",
		"f": `{"pk":{"S":"f"},"ss":{"SS":["a","t"]}}`,
	} {
		if got := db.get("h", `{"pk":"`+key+`"}`); got != want {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
	if got := out.ConsumedCapacity[0]; got.WriteCapacityUnits != api.SomeFloat(10) || got.TableName != "h" {
		t.Errorf("capacity %v", got)
	}
}

// TestCancelled holds the reasons of behaviours/09 §9.9, and that nothing is
// applied.
func TestCancelled(t *testing.T) {
	db := newDatabase(t)
	db.put("h", `{"pk":"a","n":1}`)
	db.put("c", `{"pk":"a","sk":"b"}`)
	in := transaction("", `INSERT INTO h VALUE {'pk': 'new'}`, `INSERT INTO h VALUE {'pk': 'a', 'n': 2}`,
		`UPDATE h SET n = 1 WHERE pk = 'absent'`, `DELETE FROM c WHERE pk = 'a' AND sk = 'b' AND n = 1`,
		`EXISTS(SELECT * FROM h WHERE pk = 'x' AND n = 1)`)
	in.TransactStatements[3].ReturnValuesOnConditionCheckFailure = api.Some("ALL_OLD")
	_, err := db.transact(in)
	wantError(t, "cancelled", err, api.CodeTransactionCanceled, "Transaction cancelled, please refer cancellation reasons for "+
		"specific reasons [None, DuplicateItem, ConditionalCheckFailed, ConditionalCheckFailed, ConditionalCheckFailed]")
	failed := api.CancellationReason{Code: "ConditionalCheckFailed", Message: conditionFailed}
	withItem := failed
	withItem.Item = itemOf(t, `{"pk":{"S":"a"},"sk":{"S":"b"}}`)
	want := []api.CancellationReason{
		{Code: "None"}, {Code: "DuplicateItem", Message: "Duplicate primary key exists in table"}, failed, withItem, failed,
	}
	if diff := cmp.Diff(want, asError(err).Reasons); diff != "" {
		t.Error(diff)
	}
	if got := db.get("h", `{"pk":"new"}`); got != "{}" {
		t.Errorf("applied %s", got)
	}

	_, err = db.transact(transaction("", `UPDATE h SET n = nope + 1 WHERE pk = 'a'`))
	wantError(t, "update", err, api.CodeTransactionCanceled, "Transaction cancelled, please refer cancellation reasons for specific reasons [ValidationError]")
}

// TestIdempotency holds behaviours/08 §8.5: ten minutes, apart from
// TransactWriteItems.
func TestIdempotency(t *testing.T) {
	db := newDatabase(t)
	db.put("h", `{"pk":"a","n":0}`)
	const text = `UPDATE h SET n = n + 1 WHERE pk = 'a'`
	count := func() string {
		v, _ := itemOf(t, db.get("h", `{"pk":"a"}`)).Lookup("n")
		return v.NumberText()
	}
	first, err := db.transact(transaction("token", text))
	if err != nil {
		t.Fatal(err)
	}
	if c := first.ConsumedCapacity[0]; c.WriteCapacityUnits != api.SomeFloat(2) || c.ReadCapacityUnits.Set {
		t.Errorf("first call: %v", c)
	}
	in := transaction("token", text)
	replay, err := db.transact(in)
	if err != nil {
		t.Fatal(err)
	}
	if c := replay.ConsumedCapacity[0]; c.ReadCapacityUnits != api.SomeFloat(2) || c.WriteCapacityUnits.Set {
		t.Errorf("replay: %v", c)
	}
	in.ReturnConsumedCapacity = api.Some("NONE")
	if _, err := db.transact(in); err != nil {
		t.Error(err)
	}
	if got := count(); got != "1" {
		t.Errorf("after replays n is %s", got)
	}
	_, err = db.transact(transaction("token", `UPDATE h SET n = n + 2 WHERE pk = 'a'`))
	wantError(t, "another request", err, api.CodeIdempotentParameterMismatch, "…")

	native := &engine.TransactWrite{Token: "token", Actions: []engine.TransactAction{
		{Kind: engine.ActionPut, Table: "h", Item: itemOf(t, `{"pk":"b"}`)},
	}}
	if _, err := db.region.TransactWrite(t.Context(), native); err != nil {
		t.Errorf("native transaction with the same token: %v", err)
	}

	db.clock.Advance(10*time.Minute + time.Second)
	if _, err := db.transact(transaction("token", text)); err != nil {
		t.Error(err)
	}
	if got := count(); got != "2" {
		t.Errorf("after ten minutes n is %s", got)
	}
}
