package expr

import (
	"slices"
	"testing"

	"github.com/dynalite-go/dynalite/attr"
)

func FuzzCondition(f *testing.F) {
	for _, text := range []string{
		"a = :v AND (b.c[1] <> :w OR NOT begins_with(#n, :x))", "size(a) BETWEEN :v AND (b)", "a IN (:v, b, size(c))",
		"((a)) = b", "NOT NOT attribute_exists(a)", "attribute_type(a, :t) AND contains(:v, b)", "!!! INVALID !!!", "(a).b[0] = c", "a = a",
	} {
		f.Add(text, fuzzItem)
	}
	f.Fuzz(func(t *testing.T, text, itemText string) {
		checkTree(t, Condition, text)
		pred, err := (*Cache)(nil).Condition(Condition, text, placeholdersOf(text))
		checkFault(t, text, err)
		if err != nil {
			return
		}
		negated := Not(pred)
		for _, it := range fuzzItems(t, itemText) {
			if pred.Eval(it) == negated.Eval(it) {
				t.Errorf("%s and its negation agree on %v", text, it)
			}
		}
	})
}

func FuzzKeyCondition(f *testing.F) {
	for _, text := range []string{"a = :v AND b BETWEEN :v AND :w", ":v <= #n AND begins_with(b, :x)", "a = :v OR b.c = d", "size(a) > :v"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkTree(t, KeyConditionKind, text)
		k, err := (*Cache)(nil).KeyCondition(text, placeholdersOf(text))
		checkFault(t, text, err)
		if err != nil {
			return
		}
		for _, c := range k.Clauses {
			if c.Name == "" || c.N < 1 || c.N > 2 || c.Values[0].IsZero() || (c.N == 2) != (c.Op == Between) {
				t.Errorf("clause %+v of %s", c, text)
			}
		}
	})
}

func FuzzUpdate(f *testing.F) {
	for _, text := range []string{
		"SET a = b + :v, m.x[0] = list_append(if_not_exists(l, :l), :m) REMOVE l[1], #n", "ADD a :v, ss :w DELETE ns :x", "SET a = ((b)-(:v))",
		"SET l[9] = :v, l[7] = a REMOVE l[0], m.a", "remove a set b = if_not_exists(c, if_not_exists(d, :v))",
	} {
		f.Add(text, fuzzItem)
	}
	f.Fuzz(func(t *testing.T, text, itemText string) {
		checkTree(t, UpdateKind, text)
		u, err := (*Cache)(nil).Update(text, placeholdersOf(text))
		checkFault(t, text, err)
		if err != nil {
			return
		}
		key := item(t, `{"pk":{"S":"k"}}`)
		for _, it := range fuzzItems(t, itemText) {
			before := it.Text()
			got, err := u.Apply(it, key)
			checkFault(t, text, err)
			if it.Text() != before {
				t.Errorf("%s changed the old item %s to %s", text, before, it)
			}
			if err != nil || got == nil {
				continue
			}
			if again, err := attr.ParseItem(got.Text()); err != nil || again.Text() != got.Text() || again.Size() != got.Size() {
				t.Errorf("%s made %v of %v: %v, %v", text, got, it, again, err)
			}
		}
	})
}

func FuzzProjection(f *testing.F) {
	for _, text := range []string{"a, b.c[1], #n", "a.b, a.c, a.d[0].e", "a, a[1]", "l[2], l[0], m.#n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkTree(t, ProjectionKind, text)
		p, err := (*Cache)(nil).Projection(text, placeholdersOf(text))
		checkFault(t, text, err)
		if err != nil {
			return
		}
		for _, it := range fuzzItems(t, fuzzItem) {
			part := p.Apply(it)
			if again := p.Apply(part); part != nil && !part.Equal(again) && len(p.Paths) == 1 && len(p.Paths[0]) == 1 {
				t.Errorf("%s of %v is %v, and of that %v", text, it, part, again)
			}
		}
	})
}

// checkTree requires that a tree prints as a text that makes the same tree.
func checkTree(t *testing.T, kind Kind, text string) {
	tr, err := parse(kind, text)
	if err != nil {
		return
	}
	printed := treeString(tr.root)
	if len(printed) > MaxExpressionBytes {
		return
	}
	again, err := parse(kind, printed)
	if err != nil {
		t.Fatalf("%q printed as %q: %v", text, printed, err)
	}
	if !sameTree(tr.root, again.root) || tr.operators != again.operators || again.doubled.end > 0 {
		t.Errorf("%q printed as %q, which is another tree", text, printed)
	}
}

// checkFault requires that a fault has a text and a range within the
// expression.
func checkFault(t *testing.T, text string, err error) {
	if err == nil {
		return
	}
	e := err.(*Error)
	if e.Msg == "" || e.Current() == "" || e.Pos < 0 || e.End < e.Pos || e.End > len(text) {
		t.Errorf("%q: fault %+v", text, e)
	}
}

// sameTree compares trees but for their positions.
func sameTree(a, b node) bool {
	switch a := a.(type) {
	case *pathNode:
		b, ok := b.(*pathNode)
		return ok && slices.EqualFunc(a.parts, b.parts, func(x, y part) bool {
			return x.kind == y.kind && x.text == y.text && x.index == y.index
		})
	case *valueNode:
		b, ok := b.(*valueNode)
		return ok && a.name == b.name
	case *callNode:
		b, ok := b.(*callNode)
		return ok && a.name == b.name && slices.EqualFunc(a.operands, b.operands, sameTree)
	case *compareNode:
		b, ok := b.(*compareNode)
		return ok && a.op == b.op && sameTree(a.left, b.left) && sameTree(a.right, b.right)
	case *arithNode:
		b, ok := b.(*arithNode)
		return ok && a.op == b.op && sameTree(a.left, b.left) && sameTree(a.right, b.right)
	case *betweenNode:
		b, ok := b.(*betweenNode)
		return ok && sameTree(a.x, b.x) && sameTree(a.lo, b.lo) && sameTree(a.hi, b.hi)
	case *inNode:
		b, ok := b.(*inNode)
		return ok && sameTree(a.x, b.x) && slices.EqualFunc(a.list, b.list, sameTree)
	case *logicNode:
		b, ok := b.(*logicNode)
		return ok && a.op == b.op && slices.EqualFunc(a.conds, b.conds, sameTree)
	case *notNode:
		b, ok := b.(*notNode)
		return ok && sameTree(a.cond, b.cond)
	case *projectionNode:
		b, ok := b.(*projectionNode)
		return ok && slices.EqualFunc(a.paths, b.paths, func(x, y *pathNode) bool { return sameTree(x, y) })
	case *updateNode:
		b, ok := b.(*updateNode)
		return ok && slices.EqualFunc(a.sections, b.sections, sameSection)
	case nil:
		return b == nil
	}
	return false
}

func sameSection(a, b section) bool {
	return a.keyword == b.keyword && slices.EqualFunc(a.actions, b.actions, func(x, y action) bool {
		return sameTree(x.target, y.target) && sameTree(x.value, y.value)
	})
}

var fuzzNames = []string{"a", "m", "l", "x.y", `q"\`, "ss"}

var fuzzValues = []string{
	`{"S":"a"}`, `{"N":"1"}`, `{"N":"-2.5"}`, `{"B":"YQ=="}`, `{"SS":["a","b"]}`, `{"NS":["1"]}`, `{"BS":["YQ=="]}`,
	`{"M":{"a":{"N":"1"}}}`, `{"L":[{"S":"a"},{"N":"1"}]}`, `{"BOOL":true}`, `{"NULL":true}`, `{"S":"SS"}`, `{"S":""}`,
}

// placeholdersOf defines all placeholders of a text; their last byte chooses
// what they stand for.
func placeholdersOf(text string) *Placeholders {
	var names []Name
	var values []NamedValue
	lx := lexer{text: text}
	for tok := lx.next(); tok.kind != tokEOF; tok = lx.next() {
		key := text[tok.pos:tok.end]
		choice := int(key[len(key)-1])
		switch {
		case tok.kind == tokNameRef && !slices.ContainsFunc(names, func(n Name) bool { return n.Placeholder == key }):
			names = append(names, Name{key, fuzzNames[choice%len(fuzzNames)]})
		case tok.kind == tokValue && !slices.ContainsFunc(values, func(v NamedValue) bool { return v.Placeholder == key }):
			v, err := attr.ParseValue(fuzzValues[choice%len(fuzzValues)])
			if err != nil {
				panic(err)
			}
			values = append(values, NamedValue{key, v})
		}
	}
	return NewPlaceholders(names, values)
}

const fuzzItem = `{"a":{"N":"1"},"b":{"S":"SS"},"l":{"L":[{"S":"a"},{"L":[]},{"M":{"a":{"N":"1"}}}]},
	"m":{"M":{"a":{"S":"a"},"x":{"L":[{"N":"3"}]}}},"ss":{"SS":["a","c"]}}`

// fuzzItems are items to evaluate on: the given one, if it is one, and some
// more.
func fuzzItems(t testing.TB, text string) []*attr.Item {
	items := []*attr.Item{
		nil,
		item(t, `{"a":{"S":"a"},"b":{"NULL":true},"c":{"B":"YQ=="},"l":{"N":"2"},"m":{"L":[{"BOOL":true}]},"x.y":{"N":"-9"},"q\"\\":{"M":{}},"ns":{"NS":["1","2"]}}`),
	}
	if it, err := attr.ParseItem(text); err == nil {
		items = append(items, it)
	}
	return items
}
