package store

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"testing"

	"github.com/google/btree"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dynalite-go/dynalite/hashring"
)

// id names a row in tests.
func id(r *Row) string { return r.PK + "/" + r.SK }

func put(t *Tree, pk, sk string, size int) {
	t.Put(hashring.Hash(pk), &Row{PK: pk, SK: sk, Size: int32(size)})
}

func collect(tree *Tree, pk string, span Span, descending bool) []string {
	var got []string
	tree.Collection(hashring.Hash(pk), pk, span, descending, func(r *Row) bool {
		got = append(got, r.SK)
		return true
	})
	return got
}

func TestCollectionSpans(t *testing.T) {
	t.Parallel()
	tree := NewTree()
	for _, sk := range []string{"", "a", "ab", "b", "b\x00", "c"} {
		put(tree, "p", sk, 1)
	}
	put(tree, "p\x00", "a", 1)
	put(tree, "q", "a", 1)
	for _, tt := range []struct {
		name string
		span Span
		want []string
	}{
		{"everything", Span{}, []string{"", "a", "ab", "b", "b\x00", "c"}},
		{"from", Span{Low: "b"}, []string{"b", "b\x00", "c"}},
		{"up to", Span{High: "b"}, []string{"", "a", "ab"}},
		{"between", Span{Low: "a", High: "b\x00"}, []string{"a", "ab", "b"}},
		{"nothing", Span{Low: "d"}, nil},
		{"inverted", Span{Low: "\x01", High: "\x00"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, collect(tree, "p", tt.span, false)); diff != "" {
				t.Errorf("ascending (-want +got):\n%s", diff)
			}
			want := slices.Clone(tt.want)
			slices.Reverse(want)
			if diff := cmp.Diff(want, collect(tree, "p", tt.span, true)); diff != "" {
				t.Errorf("descending (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTreeAgainstAMap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tree := NewTree()
		model := map[string]*Row{}
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			row := &Row{
				PK:   rapid.StringMatching("[ab]{0,2}").Draw(t, "pk"),
				SK:   rapid.StringMatching("[ab]{0,2}").Draw(t, "sk"),
				Size: rapid.Int32Range(1, 9).Draw(t, "size"),
			}
			pos := hashring.Hash(row.PK)
			var old *Row
			if rapid.Bool().Draw(t, "delete") {
				old = tree.Delete(pos, row)
				if old != model[id(row)] {
					t.Fatalf("Delete(%s) = %v, want %v", id(row), old, model[id(row)])
				}
				delete(model, id(row))
				continue
			}
			if old = tree.Put(pos, row); old != model[id(row)] {
				t.Fatalf("Put(%s) = %v, want %v", id(row), old, model[id(row)])
			}
			model[id(row)] = row
		}
		bytes := int64(0)
		var want []*Row
		for _, row := range model {
			if got := tree.Get(hashring.Hash(row.PK), row.PK, row.SK); got != row {
				t.Fatalf("Get(%s) = %v, want %v", id(row), got, row)
			}
			bytes += int64(row.Size)
			want = append(want, row)
		}
		if tree.Bytes() != bytes || tree.Len() != len(model) {
			t.Fatalf("%d rows of %d bytes, want %d of %d", tree.Len(), tree.Bytes(), len(model), bytes)
		}
		sort.Slice(want, func(i, j int) bool {
			return less(cell{hashring.Hash(want[i].PK), want[i]}, cell{hashring.Hash(want[j].PK), want[j]})
		})
		var got []*Row
		tree.Scan(Cursor{}, hashring.Whole().Last, func(_ hashring.Position, r *Row) bool {
			got = append(got, r)
			return true
		})
		if !slices.Equal(want, got) {
			t.Fatalf("Scan gave %v, want %v", got, want)
		}
	})
}

func TestScanGoesOnAfterARow(t *testing.T) {
	t.Parallel()
	tree := NewTree()
	for i := range 50 {
		put(tree, strconv.Itoa(i/5), strconv.Itoa(i%5), 1)
	}
	var all, paged []string
	tree.Scan(Cursor{}, hashring.Whole().Last, func(_ hashring.Position, r *Row) bool {
		all = append(all, id(r))
		return true
	})
	for from := (Cursor{}); ; {
		n := 0
		tree.Scan(from, hashring.Whole().Last, func(pos hashring.Position, r *Row) bool {
			paged = append(paged, id(r))
			from = After(pos, r.PK, r.SK)
			n++
			return n < 7
		})
		if n < 7 {
			break
		}
	}
	if diff := cmp.Diff(all, paged); diff != "" {
		t.Errorf("pages of a scan (-whole +paged):\n%s", diff)
	}
}

func TestCloneIsIndependent(t *testing.T) {
	t.Parallel()
	p := NewPartition(ClassBase, 1, hashring.Whole(), 1)
	put(p.Items, "a", "1", 3)
	p.Grow(hashring.Hash("a"), "a", 3)
	c := p.Clone(ClassBase, 1)
	put(p.Items, "a", "2", 4)
	p.Grow(hashring.Hash("a"), "a", 4)
	put(c.Items, "b", "1", 5)
	if diff := cmp.Diff([]string{"1", "2"}, collect(p.Items, "a", Span{}, false)); diff != "" {
		t.Errorf("original (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"1"}, collect(c.Items, "a", Span{}, false)); diff != "" {
		t.Errorf("clone (-want +got):\n%s", diff)
	}
	if got := collect(p.Items, "b", Span{}, false); got != nil {
		t.Errorf("the original shows %v, written to the clone", got)
	}
	if p, c := p.CollectionBytes(hashring.Hash("a"), "a"), c.CollectionBytes(hashring.Hash("a"), "a"); p != 7 || c != 3 {
		t.Errorf("collection sizes %d and %d, want 7 and 3", p, c)
	}
}

// BenchmarkTree compares with a bare tree of byte-string keys, which the
// engine's targets refer to.
func BenchmarkTree(b *testing.B) {
	for _, n := range []int{1_000, 100_000, 1_000_000} {
		tree := NewTree()
		bare := btree.NewG(degree, func(a, b string) bool { return a < b })
		keys := make([]string, n)
		for i := range keys {
			keys[i] = fmt.Sprintf("USER#%015d", i*2654435761%1_000_000_007)
			put(tree, keys[i], "", 1)
			bare.ReplaceOrInsert(keys[i])
		}
		next := 0
		key := func() string {
			next = (next + 7919) % n
			return keys[next]
		}
		b.Run(fmt.Sprintf("Get/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				k := key()
				tree.Get(hashring.Hash(k), k, "")
			}
		})
		b.Run(fmt.Sprintf("GetBare/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				bare.Get(key())
			}
		})
		b.Run(fmt.Sprintf("Put/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				k := key()
				tree.Put(hashring.Hash(k), &Row{PK: k})
			}
		})
		b.Run(fmt.Sprintf("PutBare/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				bare.ReplaceOrInsert(key())
			}
		})
	}
}
