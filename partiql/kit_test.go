package partiql

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/clock"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/internal/coral"
	"github.com/dynalite-go/dynalite/request"
)

// database is a database with the tables of these tests.
type database struct {
	testing.TB
	*Executor
	region *engine.Region
	clock  *clock.Manual
}

var scope = request.Scope{Account: "123456789012", Region: "us-east-1"}

func newDatabase(t testing.TB) *database {
	t.Helper()
	c := clock.NewManual(time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC))
	e := engine.New(engine.Options{Clock: c, Partitions: 3})
	db := &database{t, New(0), e.Region(scope.Account, scope.Region), c}
	db.table("h", keys("pk S"))
	db.table("n", keys("pk N"))
	db.table("c", keys("pk S", "sk S"))
	db.table("cn", keys("pk S", "sk N"))
	db.tableOf(&engine.CreateTable{
		Table: "x", Key: keys("pk S", "sk S"), OnDemand: true,
		Definitions: attributes("pk S", "sk S", "gsiPk S", "gsiPk2 S", "lsiSk S", "lsiSk2 S", "lsiSk3 S"),
		Globals: []engine.IndexSpec{
			{Name: "gsi-all", Key: keys("gsiPk S"), Projection: api.ProjectAll},
			{Name: "gsi-inc", Key: keys("gsiPk2 S"), Projection: api.ProjectInclude, NonKey: []string{"projattr"}},
			{Name: "gsi-keys", Key: keys("gsiPk2 S"), Projection: api.ProjectKeysOnly},
			{Name: "multi", Key: engine.KeySchema{Hash: attributes("lsiSk S", "lsiSk2 S"), Range: attributes("lsiSk3 S")},
				Projection: api.ProjectAll},
		},
		Locals: []engine.IndexSpec{
			{Name: "lsi-all", Key: keys("pk S", "lsiSk S"), Projection: api.ProjectAll},
			{Name: "lsi-keys", Key: keys("pk S", "lsiSk2 S"), Projection: api.ProjectKeysOnly},
			{Name: "lsi-inc", Key: keys("pk S", "lsiSk3 S"), Projection: api.ProjectInclude, NonKey: []string{"projattr"}},
		},
	})
	return db
}

// keys makes a key schema of "name type" pairs.
func keys(hash string, sort ...string) engine.KeySchema {
	return engine.KeySchema{Hash: attributes(hash), Range: attributes(sort...)}
}

func attributes(pairs ...string) []engine.KeyAttribute {
	var list []engine.KeyAttribute
	for _, pair := range pairs {
		name, typ, _ := strings.Cut(pair, " ")
		list = append(list, engine.KeyAttribute{Name: name, Type: typeNamed(typ)})
	}
	return list
}

func (db *database) table(name string, key engine.KeySchema) {
	db.Helper()
	db.tableOf(&engine.CreateTable{
		Table: name, Key: key, OnDemand: true, Definitions: append(append([]engine.KeyAttribute{}, key.Hash...), key.Range...),
	})
}

func (db *database) tableOf(cmd *engine.CreateTable) {
	db.Helper()
	if _, err := db.region.CreateTable(db.Context(), cmd); err != nil {
		db.Fatal(err)
	}
}

// put stores items in short form: {"pk": "a", "n": 1}.
func (db *database) put(table string, items ...string) {
	db.Helper()
	for _, text := range items {
		if _, err := db.region.Put(db.Context(), &engine.Put{Table: table, Item: itemOf(db, text)}); err != nil {
			db.Fatalf("put %s: %v", text, err)
		}
	}
}

// get is the stored item in DynamoDB JSON, "{}" for none.
func (db *database) get(table, key string) string {
	db.Helper()
	out, err := db.region.Get(db.Context(), &engine.Get{Table: table, Key: itemOf(db, key)})
	if err != nil {
		db.Fatalf("get %s: %v", key, err)
	}
	return out.Item.Item.Text()
}

// itemOf reads an item in DynamoDB JSON, or in plain JSON when its first
// value is no object.
func itemOf(t testing.TB, text string) *attr.Item {
	t.Helper()
	if item, err := attr.ParseItem(text); err == nil {
		return item
	}
	var plain map[string]any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&plain); err != nil {
		t.Fatalf("item %s: %v", text, err)
	}
	item, err := attr.ParseItem(string(marshal(plain)))
	if err != nil {
		t.Fatalf("item %s: %v", text, err)
	}
	return item
}

// marshal writes a plain JSON object as DynamoDB JSON.
func marshal(plain map[string]any) []byte {
	out := map[string]any{}
	for name, v := range plain {
		out[name] = typed(v)
	}
	b, _ := json.Marshal(out)
	return b
}

func typed(v any) any {
	switch v := v.(type) {
	case string:
		return map[string]any{"S": v}
	case json.Number:
		return map[string]any{"N": v.String()}
	case bool:
		return map[string]any{"BOOL": v}
	case nil:
		return map[string]any{"NULL": true}
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = typed(v[i])
		}
		return map[string]any{"L": list}
	case map[string]any:
		if len(v) == 1 {
			for name := range v {
				if typeNamed(name) != 0 {
					return v
				}
			}
		}
		m := map[string]any{}
		for name := range v {
			m[name] = typed(v[name])
		}
		return map[string]any{"M": m}
	}
	return v
}

// params decodes values in DynamoDB JSON as a request would.
func params(t testing.TB, texts ...string) []api.Value {
	t.Helper()
	var list []api.Value
	for _, text := range texts {
		c := coral.New(text)
		var d attr.Decoder
		v, fault, err := d.Value(&c)
		if err != nil {
			t.Fatalf("value %s: %v", text, err)
		}
		list = append(list, api.Value{Value: v, Fault: fault, Set: true})
	}
	return list
}

// input is an ExecuteStatement request.
func (db *database) input(text string, values ...string) *api.ExecuteStatementInput {
	db.Helper()
	return &api.ExecuteStatementInput{Statement: api.Some(text), Parameters: params(db, values...)}
}

func (db *database) exec(in *api.ExecuteStatementInput) (*api.ExecuteStatementOutput, error) {
	return db.ExecuteStatement(db.Context(), db.region, scope, in)
}

// rows runs a statement that succeeds and returns its rows as DynamoDB JSON.
func (db *database) rows(text string, values ...string) []string {
	db.Helper()
	out, err := db.exec(db.input(text, values...))
	if err != nil {
		db.Fatalf("%s: %v", text, err)
	}
	return texts(out.Items)
}

func texts(views []api.View) []string {
	list := make([]string, len(views))
	for i, v := range views {
		list[i] = string(v.Projection.Append(nil, v.Item))
	}
	return list
}

// values are the values of one attribute in the rows of a statement, which
// may have several pages.
func (db *database) values(name, text string, parameters ...string) []string {
	db.Helper()
	list := []string{}
	in := db.input(text, parameters...)
	for range 1000 {
		out, err := db.exec(in)
		if err != nil {
			db.Fatalf("%s: %v", text, err)
		}
		for _, v := range out.Items {
			list = append(list, plainText(v, name))
		}
		if out.NextToken == "" {
			return list
		}
		in.NextToken = api.Some(out.NextToken)
	}
	db.Fatalf("%s: no last page", text)
	return nil
}

func plainText(v api.View, name string) string {
	value, _ := v.Projection.Apply(v.Item).Lookup(name)
	switch value.Type() {
	case attr.S:
		return value.Str()
	case attr.N:
		return value.NumberText()
	}
	return value.Text()
}

// wantError checks the code and text of an error; a text that ends in … is a
// prefix.
func wantError(t testing.TB, what string, err error, code, text string) {
	t.Helper()
	var e *api.Error
	if !errors.As(err, &e) {
		t.Errorf("%s: %v, want %s: %s", what, err, code, text)
		return
	}
	got := e.Error()
	if prefix, ok := strings.CutSuffix(text, "…"); ok && strings.HasPrefix(got, prefix) {
		got = text
	}
	if e.Code != code || got != text {
		t.Errorf("%s:\n got %s: %s\nwant %s: %s", what, e.Code, e.Error(), code, text)
	}
}

func wantRows(t testing.TB, what string, got, want []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
