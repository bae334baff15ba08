package engine

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"testing"

	"github.com/google/btree"

	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
)

// The engine's benchmarks stand beside a bare google/btree over as many keys,
// since the targets are ratios to it: get 2, put 3, a query of 20 items 3.

const million = 1_000_000

func benchKey(i int) string { return fmt.Sprintf("USER#%015d", i*2654435761%1_000_000_007) }

type bareEntry struct {
	key  string
	item *attr.Item
}

func bareTree(n int, it *attr.Item) *btree.BTreeG[bareEntry] {
	tree := btree.NewG(32, func(a, b bareEntry) bool { return a.key < b.key })
	for i := range n {
		tree.ReplaceOrInsert(bareEntry{benchKey(i), it})
	}
	return tree
}

// kilobyte is an item of about 1 KB with ten attributes.
func kilobyte(pk string) *attr.Item {
	fields := []attr.Field{{Name: "pk", Value: attr.String(pk)}}
	for i := range 9 {
		fields = append(fields, attr.Field{Name: "attribute" + strconv.Itoa(i), Value: attr.String(fmt.Sprintf("%0100d", i))})
	}
	return attr.NewItem(fields...)
}

func fill(b *testing.B, r *Region, n int) {
	b.Helper()
	for i := range n {
		it := attr.NewItem(attr.Field{Name: "pk", Value: attr.String(benchKey(i))}, attr.Field{Name: "v", Value: attr.Int(int64(i))})
		if _, err := r.Put(context.Background(), &Put{Table: "bench", Item: it}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	for _, n := range []int{1_000, million} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			r := testRegion(New(Options{}))
			addTable(r, "bench", hashKey("pk", attr.S), 4)
			fill(b, r, n)
			keys := benchKeys(n)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if out, err := r.Get(context.Background(), &Get{Table: "bench", Key: keys[i%len(keys)]}); err != nil || !out.Found {
					b.Fatal(out, err)
				}
			}
		})
		b.Run(strconv.Itoa(n)+"/bare", func(b *testing.B) {
			tree := bareTree(n, kilobyte("x"))
			keys := bareKeys(n)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, ok := tree.Get(keys[i%len(keys)]); !ok {
					b.Fatal("missing")
				}
			}
		})
	}
}

// benchKeys returns keys spread over the table.
func benchKeys(n int) []*attr.Item {
	keys := make([]*attr.Item, min(n, 65_536))
	for i := range keys {
		keys[i] = attr.NewItem(attr.Field{Name: "pk", Value: attr.String(benchKey(i * 7919 % n))})
	}
	return keys
}

func bareKeys(n int) []bareEntry {
	keys := make([]bareEntry, min(n, 65_536))
	for i := range keys {
		keys[i] = bareEntry{key: benchKey(i * 7919 % n)}
	}
	return keys
}

func BenchmarkPut(b *testing.B) {
	for _, n := range []int{1_000, million} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			r := testRegion(New(Options{}))
			addTable(r, "bench", hashKey("pk", attr.S), 4)
			fill(b, r, n)
			keys := benchKeys(n)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := r.Put(context.Background(), &Put{Table: "bench", Item: keys[i%len(keys)]}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(strconv.Itoa(n)+"/bare", func(b *testing.B) {
			tree := bareTree(n, kilobyte("x"))
			keys := bareKeys(n)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				tree.ReplaceOrInsert(keys[i%len(keys)])
			}
		})
	}
}

func BenchmarkQuery20(b *testing.B) {
	const collection = 1000
	for _, n := range []int{collection, million} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			r := testRegion(New(Options{}))
			addTable(r, "bench", hashRange("pk", attr.S, "sk", attr.S), 4)
			for i := range n {
				it := attr.NewItem(attr.Field{Name: "pk", Value: attr.String(benchKey(i / collection))},
					attr.Field{Name: "sk", Value: attr.String(fmt.Sprintf("%06d", i%collection))})
				if _, err := r.Put(context.Background(), &Put{Table: "bench", Item: it}); err != nil {
					b.Fatal(err)
				}
			}
			queries := make([]*Query, 4096)
			for i := range queries {
				queries[i] = &Query{Table: "bench", Limit: 20, Key: &expr.KeyCondition{Clauses: []expr.KeyClause{
					{Name: "pk", Op: expr.EQ, N: 1, Values: [2]attr.Value{attr.String(benchKey(i * 7919 % n / collection))}},
					{Name: "sk", Op: expr.GE, N: 1, Values: [2]attr.Value{attr.String(fmt.Sprintf("%06d", i*31%(collection-20)))}},
				}}}
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if out, err := r.Query(context.Background(), queries[i%len(queries)]); err != nil || out.Count != 20 {
					b.Fatal(out, err)
				}
			}
		})
		b.Run(strconv.Itoa(n)+"/bare", func(b *testing.B) {
			tree := bareTree(n, kilobyte("x"))
			var sorted []bareEntry
			tree.Ascend(func(e bareEntry) bool { sorted = append(sorted, e); return true })
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				at := i * 7919 % (n - 20)
				got := 0
				tree.AscendRange(sorted[at], sorted[at+20], func(bareEntry) bool { got++; return true })
				if got != 20 {
					b.Fatal(got)
				}
			}
		})
	}
}

func BenchmarkFork(b *testing.B) {
	e := New(Options{})
	r := testRegion(e)
	addTable(r, "bench", hashKey("pk", attr.S), 4)
	fill(b, r, million)
	b.ReportAllocs()
	for b.Loop() {
		e.Fork()
	}
}

// BenchmarkHeap reports the live heap of a million items of 1 KB, over their
// bytes as the service counts them. The target is 1.6.
func BenchmarkHeap(b *testing.B) {
	for b.Loop() {
		before := liveHeap()
		e := New(Options{})
		r := testRegion(e)
		t := addTable(r, "bench", hashKey("pk", attr.S), 4)
		for i := range million {
			if _, err := r.Put(context.Background(), &Put{Table: "bench", Item: kilobyte(benchKey(i))}); err != nil {
				b.Fatal(err)
			}
		}
		count, bytes := t.itemTotals()
		b.ReportMetric(float64(liveHeap()-before)/float64(bytes), "heap/item-bytes")
		b.ReportMetric(float64(bytes)/float64(count), "bytes/item")
		runtime.KeepAlive(e)
	}
}

func liveHeap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
