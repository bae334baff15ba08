package engine

import (
	"testing"

	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine/internal/store"
	"github.com/dynalite-go/dynalite/expr"
)

// testIndex describes a secondary index of a test table.
type testIndex struct {
	name    string
	key     KeySchema
	all     bool
	nonKey  []string
	isLocal bool
}

// newTestEngine returns an empty engine, whose invariants are checked at the
// end of the test.
func newTestEngine(t testing.TB, opts Options) *Engine {
	t.Helper()
	e := New(opts)
	t.Cleanup(func() {
		if err := e.CheckInvariants(); err != nil {
			t.Errorf("invariants: %v", err)
		}
	})
	return e
}

func testRegion(e *Engine) *Region { return e.Region("123456789012", "us-east-1") }

// addTable puts a table into a region without going through CreateTable.
func addTable(r *Region, name string, key KeySchema, parts int, indexes ...testIndex) *Table {
	locals := 0
	for _, ix := range indexes {
		if ix.isLocal {
			locals++
		}
	}
	t := newTable(r, name, key, parts, locals)
	for _, x := range indexes {
		if x.isLocal {
			t.locals = append(t.locals, newIndex(x.name, x.key, key, x.all, x.nonKey, len(t.locals)))
			continue
		}
		ix := newIndex(x.name, x.key, key, x.all, x.nonKey, -1)
		ix.ring, ix.parts = newPartitions(store.ClassGlobal, t.number, parts, 0)
		t.globals = append(t.globals, ix)
	}
	t.indexesChanged()
	r.mu.Lock()
	r.tables[name] = t
	r.mu.Unlock()
	return t
}

func hashKey(name string, typ attr.Type) KeySchema {
	return KeySchema{Hash: []KeyAttribute{{name, typ}}}
}

func hashRange(hash string, hashType attr.Type, rng string, rangeType attr.Type) KeySchema {
	return KeySchema{Hash: []KeyAttribute{{hash, hashType}}, Range: []KeyAttribute{{rng, rangeType}}}
}

// item parses DynamoDB JSON.
func item(t testing.TB, text string) *attr.Item {
	t.Helper()
	it, err := attr.ParseItem(text)
	if err != nil {
		t.Fatalf("item %s: %v", text, err)
	}
	return it
}

// value parses one attribute value in DynamoDB JSON.
func value(t testing.TB, text string) attr.Value {
	t.Helper()
	v, err := attr.ParseValue(text)
	if err != nil {
		t.Fatalf("value %s: %v", text, err)
	}
	return v
}

// placeholders makes the maps of a request from :name, JSON pairs.
func placeholders(t testing.TB, pairs ...string) *expr.Placeholders {
	t.Helper()
	var values []expr.NamedValue
	for i := 0; i < len(pairs); i += 2 {
		values = append(values, expr.NamedValue{Placeholder: pairs[i], Value: value(t, pairs[i+1])})
	}
	return expr.NewPlaceholders(nil, values)
}

func keyCondition(t testing.TB, text string, pairs ...string) *expr.KeyCondition {
	t.Helper()
	c, err := (*expr.Cache)(nil).KeyCondition(text, placeholders(t, pairs...))
	if err != nil {
		t.Fatalf("key condition %s: %v", text, err)
	}
	return c
}

func update(t testing.TB, text string, pairs ...string) *expr.Update {
	t.Helper()
	u, err := (*expr.Cache)(nil).Update(text, placeholders(t, pairs...))
	if err != nil {
		t.Fatalf("update %s: %v", text, err)
	}
	return u
}
