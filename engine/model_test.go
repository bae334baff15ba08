package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
)

// The model is a plain map from key to item. Random operations run against
// it and against an engine whose table has every kind of index; what the
// engine reads must be what the model holds, sorted.

const modelTable = "model"

type modelKey struct {
	pk string
	sk int
}

type modelItem struct {
	key  modelKey
	a, b string // index attributes, "" when missing
	n    int    // numeric index attribute, 0 when missing
	text string
}

type model map[modelKey]modelItem

func newModelTable(r *Region, parts int) {
	addTable(r, modelTable, hashRange("pk", attr.S, "sk", attr.N), parts,
		testIndex{name: "local", key: hashRange("pk", attr.S, "a", attr.S), isLocal: true},
		testIndex{name: "globalAll", key: hashKey("a", attr.S), all: true},
		testIndex{name: "globalSome", key: hashRange("b", attr.S, "n", attr.N), nonKey: []string{"text"}},
		testIndex{name: "globalMany", key: KeySchema{
			Hash:  []KeyAttribute{{"a", attr.S}, {"b", attr.S}},
			Range: []KeyAttribute{{"n", attr.N}, {"pk", attr.S}},
		}},
	)
}

func (m modelItem) fields() []attr.Field {
	fields := []attr.Field{
		{Name: "pk", Value: attr.String(m.key.pk)},
		{Name: "sk", Value: attr.Int(int64(m.key.sk))},
	}
	if m.a != "" {
		fields = append(fields, attr.Field{Name: "a", Value: attr.String(m.a)})
	}
	if m.b != "" {
		fields = append(fields, attr.Field{Name: "b", Value: attr.String(m.b)})
	}
	if m.n != 0 {
		fields = append(fields, attr.Field{Name: "n", Value: attr.Int(int64(m.n))})
	}
	return append(fields, attr.Field{Name: "text", Value: attr.String(m.text)})
}

func (m modelItem) item() *attr.Item { return attr.NewItem(m.fields()...) }

func (k modelKey) item() *attr.Item {
	return attr.NewItem(attr.Field{Name: "pk", Value: attr.String(k.pk)}, attr.Field{Name: "sk", Value: attr.Int(int64(k.sk))})
}

func drawKey(t *rapid.T) modelKey {
	return modelKey{rapid.SampledFrom([]string{"p", "q", "p\x00", "é"}).Draw(t, "pk"), rapid.IntRange(-12, 12).Draw(t, "sk")}
}

func drawItem(t *rapid.T) modelItem {
	return modelItem{
		key:  drawKey(t),
		a:    rapid.SampledFrom([]string{"", "x", "xx", "y\x00", "y\x00\x01", "y\xc3\xa9"}).Draw(t, "a"),
		b:    rapid.SampledFrom([]string{"", "x", "z"}).Draw(t, "b"),
		n:    rapid.IntRange(-3, 3).Draw(t, "n"),
		text: rapid.StringMatching("[a-z]{0,8}").Draw(t, "text"),
	}
}

func TestModel(t *testing.T) {
	t.Parallel()
	for _, parts := range []int{1, 3, 64} {
		t.Run(strconv.Itoa(parts), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) { runModel(t, parts) })
		})
	}
}

func runModel(t *rapid.T, parts int) {
	e := New(Options{})
	r := testRegion(e)
	newModelTable(r, parts)
	m := model{}
	for range rapid.IntRange(1, 60).Draw(t, "steps") {
		switch rapid.IntRange(0, 6).Draw(t, "operation") {
		case 0, 1:
			m.put(t, r)
		case 2:
			m.delete(t, r)
		case 3:
			m.update(t, r)
		case 4:
			m.transact(t, r)
		case 5:
			e, r = m.fork(t, e)
		case 6:
			n, err := r.Partitions(context.Background(), modelTable)
			if err == nil {
				err = r.SplitPartition(context.Background(), modelTable, rapid.IntRange(0, n-1).Draw(t, "partition"))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	m.check(t, r)
	if err := e.CheckInvariants(); err != nil {
		t.Fatalf("invariants: %v", err)
	}
}

func (m model) put(t *rapid.T, r *Region) {
	it := drawItem(t)
	old, had := m[it.key]
	out, err := r.Put(context.Background(), &Put{Table: modelTable, Item: it.item(), ReturnOld: true})
	if err != nil {
		t.Fatalf("Put(%s): %v", it.item(), err)
	}
	m.checkOld(t, out.Attributes.Item, old, had)
	m[it.key] = it
}

func (m model) delete(t *rapid.T, r *Region) {
	key := drawKey(t)
	old, had := m[key]
	out, err := r.Delete(context.Background(), &Delete{Table: modelTable, Key: key.item(), ReturnOld: true})
	if err != nil {
		t.Fatalf("Delete(%s): %v", key.item(), err)
	}
	m.checkOld(t, out.Attributes.Item, old, had)
	delete(m, key)
}

func (m model) checkOld(t *rapid.T, got *attr.Item, want modelItem, had bool) {
	if !had {
		if got != nil {
			t.Fatalf("an old item %s where there was none", got)
		}
		return
	}
	if !attr.EqualItems(got, want.item()) {
		t.Fatalf("old item %s, want %s", got, want.item())
	}
}

func setText(t *rapid.T, text string) *expr.Update {
	p := expr.NewPlaceholders([]expr.Name{{Placeholder: "#t", Target: "text"}},
		[]expr.NamedValue{{Placeholder: ":t", Value: attr.String(text)}})
	u, err := (*expr.Cache)(nil).Update("SET #t = :t REMOVE b", p)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func (m model) update(t *rapid.T, r *Region) {
	key, text := drawKey(t), rapid.StringMatching("[a-z]{0,8}").Draw(t, "text")
	_, err := r.Update(context.Background(), &Update{Table: modelTable, Key: key.item(), Update: setText(t, text)})
	if err != nil {
		t.Fatalf("Update(%s): %v", key.item(), err)
	}
	it := m[key]
	it.key, it.text, it.b = key, text, ""
	m[key] = it
}

// transact puts one item and deletes another, under a condition on a third.
func (m model) transact(t *rapid.T, r *Region) {
	it, gone, check := drawItem(t), drawKey(t), drawKey(t)
	if it.key == gone || it.key == check || gone == check {
		return
	}
	p := expr.NewPlaceholders(nil, nil)
	cond, err := (*expr.Cache)(nil).Condition(expr.Condition, "attribute_exists(pk)", p)
	if err != nil {
		t.Fatal(err)
	}
	_, err2 := r.TransactWrite(context.Background(), &TransactWrite{Actions: []TransactAction{
		{Kind: ActionPut, Table: modelTable, Item: it.item()},
		{Kind: ActionDelete, Table: modelTable, Item: gone.item()},
		{Kind: ActionCheck, Table: modelTable, Item: check.item(), Condition: cond},
	}})
	_, exists := m[check]
	if exists != (err2 == nil) {
		t.Fatalf("transaction on %v: %v, and the checked item exists: %v", check, err2, exists)
	}
	if exists {
		m[it.key] = it
		delete(m, gone)
	}
}

// fork goes on in a fork, after checking that a write to the parent does not
// show in it.
func (m model) fork(t *rapid.T, e *Engine) (*Engine, *Region) {
	f := e.Fork()
	it := drawItem(t)
	if _, err := testRegion(e).Put(context.Background(), &Put{Table: modelTable, Item: it.item()}); err != nil {
		t.Fatal(err)
	}
	return f, testRegion(f)
}

// sorted returns the items that match, in the given order.
func (m model) sorted(match func(modelItem) bool, order func(a, b modelItem) int) []string {
	var items []modelItem
	for _, it := range m {
		if match(it) {
			items = append(items, it)
		}
	}
	slices.SortFunc(items, order)
	texts := []string{}
	for _, it := range items {
		texts = append(texts, it.key.String())
	}
	return texts
}

func (k modelKey) String() string { return fmt.Sprintf("%q/%d", k.pk, k.sk) }

func keyOf(it *attr.Item) string {
	pk, _ := it.Lookup("pk")
	sk, _ := it.Lookup("sk")
	n, _ := strconv.Atoi(sk.NumberText())
	return modelKey{pk.Str(), n}.String()
}

func byKey(a, b modelItem) int {
	return cmp.Or(strings.Compare(a.key.pk, b.key.pk), cmp.Compare(a.key.sk, b.key.sk))
}

// check reads everything in every way.
func (m model) check(t *rapid.T, r *Region) {
	for key, it := range m {
		out, err := r.Get(context.Background(), &Get{Table: modelTable, Key: key.item(), Consistent: true})
		if err != nil || !attr.EqualItems(out.Item.Item, it.item()) {
			t.Fatalf("Get(%v) = %v, %v, want %s", key, out, err, it.item())
		}
	}
	pk := rapid.SampledFrom([]string{"p", "q", "p\x00", "é"}).Draw(t, "queried pk")
	low, high := rapid.IntRange(-13, 13).Draw(t, "low"), rapid.IntRange(-13, 13).Draw(t, "high")
	a := rapid.SampledFrom([]string{"x", "xx", "y\x00", "y"}).Draw(t, "queried a")
	num := func(n int) attr.Value { return attr.Int(int64(n)) }
	clause := func(name string, op expr.KeyOp, v ...attr.Value) expr.KeyClause {
		c := expr.KeyClause{Name: name, Op: op, N: len(v)}
		copy(c.Values[:], v)
		return c
	}
	pkIs := clause("pk", expr.EQ, attr.String(pk))
	inPK := func(it modelItem) bool { return it.key.pk == pk }
	byN := func(x, y modelItem) int {
		return cmp.Or(cmp.Compare(x.n, y.n), byKey(x, y))
	}
	m.checkQuery(t, r, "", m.sorted(inPK, byKey), pkIs)
	for op, match := range map[expr.KeyOp]func(modelItem) bool{
		expr.EQ: func(it modelItem) bool { return it.key.sk == low },
		expr.LT: func(it modelItem) bool { return it.key.sk < low },
		expr.LE: func(it modelItem) bool { return it.key.sk <= low },
		expr.GT: func(it modelItem) bool { return it.key.sk > low },
		expr.GE: func(it modelItem) bool { return it.key.sk >= low },
	} {
		want := m.sorted(func(it modelItem) bool { return inPK(it) && match(it) }, byKey)
		m.checkQuery(t, r, "", want, pkIs, clause("sk", op, num(low)))
	}
	m.checkQuery(t, r, "", m.sorted(func(it modelItem) bool { return inPK(it) && low <= it.key.sk && it.key.sk <= high }, byKey),
		pkIs, clause("sk", expr.Between, num(low), num(high)))
	m.checkQuery(t, r, "local", m.sorted(func(it modelItem) bool { return inPK(it) && strings.HasPrefix(it.a, a) }, func(x, y modelItem) int {
		return cmp.Or(strings.Compare(x.a, y.a), byKey(x, y))
	}), pkIs, clause("a", expr.BeginsWith, attr.String(a)))
	m.checkQuery(t, r, "globalAll", m.sorted(func(it modelItem) bool { return it.a == a }, byKey), clause("a", expr.EQ, attr.String(a)))
	m.checkQuery(t, r, "globalSome", m.sorted(func(it modelItem) bool { return it.b == "x" && it.n != 0 && it.n > low }, byN),
		clause("n", expr.GT, num(low)), clause("b", expr.EQ, attr.String("x")))
	m.checkQuery(t, r, "globalMany", m.sorted(func(it modelItem) bool { return it.b == "x" && it.a == a && it.n != 0 }, byN),
		clause("a", expr.EQ, attr.String(a)), clause("b", expr.EQ, attr.String("x")))
	m.checkQuery(t, r, "globalMany", m.sorted(func(it modelItem) bool {
		return it.b == "x" && it.a == a && it.n == low && it.n != 0 && it.key.pk <= pk
	}, byN), clause("a", expr.EQ, attr.String(a)), clause("b", expr.EQ, attr.String("x")),
		clause("n", expr.EQ, num(low)), clause("pk", expr.LE, attr.String(pk)))
	m.checkScans(t, r)
}

// checkQuery compares a query, whole and in pages, forward and backward.
func (m model) checkQuery(t *rapid.T, r *Region, index string, want []string, clauses ...expr.KeyClause) {
	limit := rapid.IntRange(1, 5).Draw(t, "limit")
	for _, backward := range []bool{false, true} {
		for _, limit := range []int{0, limit} {
			var got []string
			for start := (*attr.Item)(nil); ; {
				out, err := r.Query(context.Background(), &Query{Table: modelTable, Index: index, Key: &expr.KeyCondition{Clauses: clauses},
					Backward: backward, Limit: limit, Start: start})
				if err != nil {
					t.Fatalf("Query(%s, %v): %v", index, clauses, err)
				}
				got = append(got, keysOf(out.Items)...)
				if start = out.LastEvaluatedKey; start == nil {
					break
				}
			}
			if backward {
				slices.Reverse(got)
			}
			if !slices.Equal(want, got) {
				t.Fatalf("Query(%s, %v), backward %v, limit %d: got %v, want %v", index, clauses, backward, limit, got, want)
			}
		}
	}
}

func keysOf(views []api.View) []string {
	var keys []string
	for _, v := range views {
		keys = append(keys, keyOf(v.Item))
	}
	return keys
}

// checkScans compares scans of the table and of an index, whole, in pages and
// in segments.
func (m model) checkScans(t *rapid.T, r *Region) {
	limit := rapid.IntRange(1, 7).Draw(t, "scan limit")
	segments := rapid.IntRange(1, 9).Draw(t, "segments")
	for index, match := range map[string]func(modelItem) bool{
		"":           func(modelItem) bool { return true },
		"local":      func(it modelItem) bool { return it.a != "" },
		"globalSome": func(it modelItem) bool { return it.b != "" && it.n != 0 },
	} {
		want := m.sorted(match, byKey)
		for _, cmd := range []Scan{{}, {Limit: limit}, {TotalSegments: segments}, {Limit: limit, TotalSegments: segments}} {
			var got []string
			for s := range max(1, cmd.TotalSegments) {
				scan := cmd
				scan.Table, scan.Index, scan.Segment = modelTable, index, s
				for {
					out, err := r.Scan(context.Background(), &scan)
					if err != nil {
						t.Fatalf("Scan(%+v): %v", scan, err)
					}
					got = append(got, keysOf(out.Items)...)
					if scan.Start = out.LastEvaluatedKey; scan.Start == nil {
						break
					}
				}
			}
			slices.Sort(got)
			sorted := slices.Sorted(slices.Values(want))
			if !slices.Equal(sorted, got) {
				t.Fatalf("Scan(%+v): got %v, want %v", cmd, got, sorted)
			}
		}
	}
}
