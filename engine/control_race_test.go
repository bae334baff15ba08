package engine

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
)

// TestOneCreates: of many that create a table at once, one succeeds, and each generation of the table is whole.
func TestOneCreates(t *testing.T) {
	r := testRegion(newTestEngine(t, Options{}))
	ctx := t.Context()
	for range 20 {
		var created, deleted atomic.Int64
		var wg sync.WaitGroup
		each := func(f func() error, count *atomic.Int64, code string) {
			for range 4 {
				wg.Go(func() {
					err := f()
					var fault *api.Error
					switch {
					case err == nil:
						count.Add(1)
					case !errors.As(err, &fault) || fault.Code != code:
						t.Errorf("got %v, want %s", err, code)
					}
				})
			}
		}
		each(func() error { _, err := r.CreateTable(ctx, hashTable("Orders")); return err }, &created, "ResourceInUseException")
		wg.Wait()
		each(func() error { _, err := r.DescribeTable(ctx, &DescribeTable{"Orders"}); return err }, new(atomic.Int64), "ResourceNotFoundException")
		each(func() error {
			_, err := r.Put(ctx, &Put{Table: "Orders", Item: attr.NewItem(attr.Field{Name: "pk", Value: attr.String("a")})})
			return err
		}, new(atomic.Int64), "ResourceNotFoundException")
		each(func() error { _, err := r.DeleteTable(ctx, &DeleteTable{"Orders"}); return err }, &deleted, "ResourceNotFoundException")
		wg.Wait()
		if created.Load() != 1 || deleted.Load() != 1 {
			// A second deletion may see the table while the first one
			// takes it out of the catalog; it must not succeed.
			t.Errorf("%d created, %d deleted", created.Load(), deleted.Load())
		}
	}
}

// TestIndexesComeAndGo while items are written: the index holds what the table holds.
func TestIndexesComeAndGo(t *testing.T) {
	r := testRegion(newTestEngine(t, Options{}))
	ctx := t.Context()
	if _, err := r.CreateTable(ctx, hashTable("Orders")); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for w := range 3 {
		wg.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				it := attr.NewItem(
					attr.Field{Name: "pk", Value: attr.String(fmt.Sprint(w, i%50))},
					attr.Field{Name: "x", Value: attr.Int(int64(i % 5))},
				)
				if _, err := r.Put(ctx, &Put{Table: "Orders", Item: it}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 20 {
		for _, change := range []IndexUpdate{*newGlobal("new", "x", attr.N), {Name: "new", Delete: true}, *newGlobal("new", "x", attr.N), {Name: "new", Delete: true}} {
			if _, err := r.UpdateTable(ctx, &UpdateTable{Table: "Orders", Indexes: []IndexUpdate{change}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := r.UpdateTable(ctx, &UpdateTable{Table: "Orders", Indexes: []IndexUpdate{*newGlobal("last", "x", attr.N)}}); err != nil {
		t.Fatal(err)
	}
	close(stop)
	wg.Wait()
	out, err := r.DescribeTable(ctx, &DescribeTable{"Orders"})
	if err != nil {
		t.Fatal(err)
	}
	if d := out.Table; d.GlobalSecondaryIndexes[0].ItemCount != d.ItemCount {
		t.Errorf("%d entries for %d items", d.GlobalSecondaryIndexes[0].ItemCount, d.ItemCount)
	}
}
