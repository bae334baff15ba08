package partiql

import (
	"fmt"
	"testing"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine"
)

// BenchmarkSelect stands beside the engine's GetItem: a SELECT of one key may
// take twice as long when its statement is cached.
func BenchmarkSelect(b *testing.B) {
	db := newDatabase(b)
	const n = 1000
	keys := make([]*attr.Item, n)
	values := make([][]api.Value, n)
	for i := range n {
		pk := fmt.Sprintf("USER#%015d", i*7919%n)
		item := attr.NewItem(attr.Field{Name: "pk", Value: attr.String(pk)}, attr.Field{Name: "v", Value: attr.Int(int64(i))})
		if _, err := db.region.Put(b.Context(), &engine.Put{Table: "h", Item: item}); err != nil {
			b.Fatal(err)
		}
		keys[i] = attr.NewItem(attr.Field{Name: "pk", Value: attr.String(pk)})
		values[i] = []api.Value{{Value: attr.String(pk), Set: true}}
	}
	b.Run("engine", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			out, err := db.region.Get(b.Context(), &engine.Get{Table: "h", Key: keys[i%n]})
			if err != nil || !out.Found {
				b.Fatal(out, err)
			}
		}
	})
	in := &api.ExecuteStatementInput{Statement: api.Some(`SELECT * FROM "h" WHERE pk = ?`)}
	b.Run("key", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			in.Parameters = values[i%n]
			out, err := db.ExecuteStatement(b.Context(), db.region, scope, in)
			if err != nil || len(out.Items) != 1 {
				b.Fatal(out, err)
			}
		}
	})
	filtered := &api.ExecuteStatementInput{Statement: api.Some(`SELECT * FROM "h" WHERE pk = ? AND v >= 0`)}
	b.Run("filtered", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			filtered.Parameters = values[i%n]
			out, err := db.ExecuteStatement(b.Context(), db.region, scope, filtered)
			if err != nil || len(out.Items) != 1 {
				b.Fatal(out, err)
			}
		}
	})
	update := &api.ExecuteStatementInput{Statement: api.Some(`UPDATE "h" SET v = v + 1 WHERE pk = ?`)}
	b.Run("update", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			update.Parameters = values[i%n]
			if _, err := db.ExecuteStatement(b.Context(), db.region, scope, update); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := compile(`SELECT * FROM "Music"."index" WHERE Artist = ? AND begins_with(SongTitle, ?) AND Awards > 3`); err != nil {
			b.Fatal(err)
		}
	}
}
