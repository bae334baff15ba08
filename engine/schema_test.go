package engine

import (
	"errors"
	"testing"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
)

func TestSchema(t *testing.T) {
	r := testRegion(newTestEngine(t, Options{}))
	addTable(r, "t", hashRange("pk", attr.S, "sk", attr.N), 1,
		testIndex{name: "g", key: hashKey("x", attr.S), nonKey: []string{"y"}},
		testIndex{name: "l", key: hashRange("pk", attr.S, "z", attr.S), all: true, isLocal: true})
	s, err := r.Schema("t", "")
	if err != nil || s.Key.Len() != 2 || s.Index != nil {
		t.Errorf("table: %+v, %v", s, err)
	}
	s, err = r.Schema("t", "g")
	if err != nil || s.Index == nil || !s.Index.Global || s.Index.Key.Hash[0].Name != "x" {
		t.Fatalf("global index: %+v, %v", s, err)
	}
	for name, want := range map[string]bool{"pk": true, "sk": true, "x": true, "y": true, "z": false} {
		if got := s.Index.Projects(name); got != want {
			t.Errorf("projects %s: %v", name, got)
		}
	}
	if s, err = r.Schema("t", "l"); err != nil || s.Index == nil || s.Index.Global || !s.Index.Projects("other") {
		t.Errorf("local index: %+v, %v", s, err)
	}
	if s, err = r.Schema("t", "none"); err != nil || s.Index != nil {
		t.Errorf("no index: %+v, %v", s, err)
	}
	var e *api.Error
	if _, err = r.Schema("none", ""); !errors.As(err, &e) || e.Code != api.CodeResourceNotFound {
		t.Errorf("no table: %v", err)
	}
}

// TestFilterOnKeys: a Query takes a filter on its keys only when told to.
func TestFilterOnKeys(t *testing.T) {
	r := testRegion(newTestEngine(t, Options{}))
	addTable(r, "t", hashRange("pk", attr.S, "sk", attr.S), 1)
	for _, sk := range []string{"1", "2"} {
		it := attr.NewItem(attr.Field{Name: "pk", Value: attr.String("a")}, attr.Field{Name: "sk", Value: attr.String(sk)})
		if _, err := r.Put(t.Context(), &Put{Table: "t", Item: it}); err != nil {
			t.Fatal(err)
		}
	}
	cmd := &Query{Table: "t", Filter: expr.Compare(attr.NamePath("sk"), expr.NE, attr.String("1")),
		Key: &expr.KeyCondition{Clauses: []expr.KeyClause{{Name: "pk", Op: expr.EQ, N: 1, Values: [2]attr.Value{attr.String("a")}}}}}
	if _, err := r.Query(t.Context(), cmd); err == nil {
		t.Error("no error for a filter on a key")
	}
	cmd.FilterKeys = true
	if out, err := r.Query(t.Context(), cmd); err != nil || out.Count != 1 {
		t.Errorf("filter on a key: %v, %v", out, err)
	}
}
