package attr

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func mustItem(t testing.TB, text string) *Item {
	t.Helper()
	it, err := ParseItem(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return it
}

func mustPath(t testing.TB, text string) Path {
	t.Helper()
	p, err := ParsePath(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// parseEdits reads edits, one a line: path=value sets, path alone removes.
func parseEdits(text string) ([]Edit, error) {
	var edits []Edit
	for line := range strings.Lines(text) {
		name, value, set := strings.Cut(strings.TrimSpace(line), "=")
		p, err := ParsePath(name)
		if err != nil {
			return nil, err
		}
		var v Value
		if set {
			if v, err = ParseValue(value); err != nil {
				return nil, err
			}
		}
		edits = append(edits, Edit{p, v})
	}
	return edits, nil
}

func TestEdit(t *testing.T) {
	const list = `{"l":{"L":[{"S":"0"},{"S":"1"},{"S":"2"}]}}`
	const nest = `{"m":{"M":{"x":{"N":"1"},"y":{"M":{"z":{"S":"deep"}}}}},"s":{"S":"t"}}`
	tests := []struct {
		name, item, edits, want string
		err                     error
	}{
		{"nothing", nest, "", nest, nil},
		{"set", `{"a":{"S":"x"},"b":{"S":"y"}}`, `a={"N":"10"}`, `{"a":{"N":"10"},"b":{"S":"y"}}`, nil},
		{"new in the order of the edits", `{"a":{"S":"x"}}`, "z={\"N\":\"1\"}\nb={\"N\":\"2\"}", `{"a":{"S":"x"},"z":{"N":"1"},"b":{"N":"2"}}`, nil},
		{"remove first", `{"a":{"S":"x"},"b":{"S":"y"}}`, `a`, `{"b":{"S":"y"}}`, nil},
		{"remove last", `{"a":{"S":"x"},"b":{"S":"y"}}`, `b`, `{"a":{"S":"x"}}`, nil},
		{"remove all", `{"a":{"S":"x"}}`, `a`, `{}`, nil},
		{"remove missing", `{"a":{"S":"x"}}`, `b`, `{"a":{"S":"x"}}`, nil},
		{"nested", nest, `m.x={"S":"new"}`, `{"m":{"M":{"x":{"S":"new"},"y":{"M":{"z":{"S":"deep"}}}}},"s":{"S":"t"}}`, nil},
		{"nested new", nest, `m.y.w={"S":"new"}`, `{"m":{"M":{"x":{"N":"1"},"y":{"M":{"z":{"S":"deep"},"w":{"S":"new"}}}}},"s":{"S":"t"}}`, nil},
		{"two in one map", nest, "m.n={\"S\":\"\"}\nm.x\ns", `{"m":{"M":{"y":{"M":{"z":{"S":"deep"}}},"n":{"S":""}}}}`, nil},
		{"last member", nest, "m.y.z", `{"m":{"M":{"x":{"N":"1"},"y":{"M":{}}}},"s":{"S":"t"}}`, nil},
		{"remove missing member", nest, "m.q", nest, nil},
		{"parent missing", nest, `q.x={"S":""}`, "", ErrPath},
		{"parent missing on removal", nest, `q.x`, "", ErrPath},
		{"grandparent missing", nest, `m.q.x`, "", ErrPath},
		{"parent is a scalar", nest, `s.x={"S":""}`, "", ErrPath},
		{"parent is a map", nest, `m[0]={"S":""}`, "", ErrPath},
		{"removal from a map by index", nest, `m[0]`, "", ErrPath},
		{"parent is a list", list, `l.x={"S":""}`, "", ErrPath},
		{"conflict", nest, "m.x={\"S\":\"\"}\nm[1]={\"S\":\"\"}", "", ErrPath},
		{"same path", nest, "m.x={\"S\":\"\"}\nm.x", "", ErrOverlap},
		{"ancestor", nest, "m={\"S\":\"\"}\nm.x", "", ErrOverlap},
		{"same new path", nest, "q={\"S\":\"\"}\nq={\"S\":\"\"}", "", ErrOverlap},
		{"same new position", list, "l[7]={\"S\":\"\"}\nl[7]={\"S\":\"\"}", "", ErrOverlap},
		{"element", list, `l[1]={"N":"1"}`, `{"l":{"L":[{"S":"0"},{"N":"1"},{"S":"2"}]}}`, nil},
		{"past the end, ascending", list, "l[9]={\"S\":\"9\"}\nl[5]={\"S\":\"5\"}\nl[3]={\"S\":\"3\"}",
			`{"l":{"L":[{"S":"0"},{"S":"1"},{"S":"2"},{"S":"3"},{"S":"5"},{"S":"9"}]}}`, nil},
		{"numbers are the old ones", list, "l[1]\nl[3]={\"S\":\"3\"}", `{"l":{"L":[{"S":"0"},{"S":"2"},{"S":"3"}]}}`, nil},
		{"remove and set", list, "l[2]={\"S\":\"two\"}\nl[0]", `{"l":{"L":[{"S":"1"},{"S":"two"}]}}`, nil},
		{"remove past the end", list, "l[17]", list, nil},
		{"remove all elements", list, "l[0]\nl[2]\nl[1]", `{"l":{"L":[]}}`, nil},
		{"below an element past the end", list, `l[3].x={"S":""}`, "", ErrPath},
		{"below an element", `{"l":{"L":[{"M":{"a":{"N":"1"}}},{"L":[{"N":"2"}]}]}}`, "l[0].b={\"N\":\"3\"}\nl[1][0]\nl[1][1]={\"N\":\"4\"}",
			`{"l":{"L":[{"M":{"a":{"N":"1"},"b":{"N":"3"}}},{"L":[{"N":"4"}]}]}}`, nil},
		{"escapes", `{"q\"":{"S":"a\nb"}}`, "q\"={\"S\":\"\\\"\"}\nb\\={\"S\":\"\"}", `{"q\"":{"S":"\""},"b\\":{"S":""}}`, nil},
		{"no item, set", "", "a={\"S\":\"x\"}\nb.c\nd", `{"a":{"S":"x"}}`, nil},
		{"no item, removals", "", "b.c\nd", "", nil},
		{"no item, nested set", "", `b.c={"S":""}`, "", ErrPath},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var it *Item
			if tt.item != "" {
				it = mustItem(t, tt.item)
			}
			edits, err := parseEdits(tt.edits)
			if err != nil {
				t.Fatal(err)
			}
			got, err := it.Edit(edits)
			if !errors.Is(err, tt.err) {
				t.Fatalf("got error %v, want %v", err, tt.err)
			}
			if tt.want == "" {
				if got != nil {
					t.Errorf("got %s, want no item", got)
				}
				return
			}
			if got.Text() != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			checkItem(t, got)
			if tt.item != "" && it.Text() != tt.item {
				t.Errorf("the item itself changed: %s", it)
			}
		})
	}
}

func TestEditFaults(t *testing.T) {
	it := mustItem(t, `{"a":{"L":[]}}`)
	deep, err := ParseValue(nested(31, `{"S":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		edit Edit
		want FaultKind
	}{
		"too deep":  {Edit{mustPath(t, "a[0]"), deep}, FaultDepth},
		"no name":   {Edit{NamePath(""), Null()}, FaultName},
		"long name": {Edit{NamePath(strings.Repeat("x", MaxNameBytes+1)), Null()}, FaultName},
	} {
		_, err := it.Edit([]Edit{tt.edit})
		var fault *Fault
		if !errors.As(err, &fault) || fault.Kind != tt.want {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if got, err := it.Edit([]Edit{{NamePath("b"), deep}}); err != nil || got.Depth() != MaxDepth {
		t.Errorf("the deepest value was refused: %v", err)
	}
	for _, p := range []Path{nil, {IndexElem(0)}} {
		if _, err := it.Edit([]Edit{{p, Null()}}); !errors.Is(err, ErrPath) {
			t.Errorf("%v: got %v", p, err)
		}
	}
}

// TestEditMemory sees that an edited item holds no spare memory worth having.
func TestEditMemory(t *testing.T) {
	it := NewItem(Named("big", String(strings.Repeat("x", 1000))), Named("n", Int(1)))
	got, err := it.Edit([]Edit{{Path: NamePath("big")}})
	if err != nil {
		t.Fatal(err)
	}
	if cap(got.attrs) != len(got.attrs) || len(got.attrs) != 1 {
		t.Errorf("room for %d attributes, %d used", cap(got.attrs), len(got.attrs))
	}
}

// cell is a node of the model that FuzzEdit compares with: a tree that edits
// mark, and that is written out afterwards.
type cell struct {
	value   Value // of a leaf
	kind    Type  // M or L for the others; the item itself is an M
	names   []string
	kids    []*cell
	gone    bool
	appends map[int]Value
	added   []Field
}

func newCell(v Value) *cell {
	c := &cell{value: v, kind: v.Type(), appends: map[int]Value{}}
	for name, m := range v.Members() {
		c.names = append(c.names, name)
		c.kids = append(c.kids, newCell(m))
	}
	if c.kind == L {
		for e := range v.Elements() {
			c.kids = append(c.kids, newCell(e))
		}
	}
	return c
}

func (c *cell) kid(e Elem) (*cell, bool) {
	if e.IsIndex() {
		if c.kind != L {
			return nil, false
		}
		if e.Index() < len(c.kids) {
			return c.kids[e.Index()], true
		}
		return nil, true
	}
	if c.kind != M {
		return nil, false
	}
	if i := slices.Index(c.names, e.Name()); i >= 0 {
		return c.kids[i], true
	}
	return nil, true
}

func (c *cell) edit(edit Edit) error {
	for i, step := range edit.Path {
		kid, ok := c.kid(step)
		last := i == len(edit.Path)-1
		switch {
		case !ok, kid == nil && !last:
			return ErrPath
		case !last:
			c = kid
		case edit.Value.IsZero():
			if kid != nil {
				kid.gone = true
			}
		case kid != nil:
			*kid = *newCell(edit.Value)
		case step.IsIndex():
			c.appends[step.Index()] = edit.Value
		default:
			c.added = append(c.added, Named(step.Name(), edit.Value))
		}
	}
	return nil
}

func (c *cell) build() Value {
	switch c.kind {
	case M:
		var fields []Field
		for i, kid := range c.kids {
			if !kid.gone {
				fields = append(fields, Named(c.names[i], kid.build()))
			}
		}
		return Map(append(fields, c.added...)...)
	case L:
		var elements []Value
		for _, kid := range c.kids {
			if !kid.gone {
				elements = append(elements, kid.build())
			}
		}
		var indexes []int
		for i := range c.appends {
			indexes = append(indexes, i)
		}
		slices.Sort(indexes)
		for _, i := range indexes {
			elements = append(elements, c.appends[i])
		}
		return List(elements...)
	}
	return c.value
}

func FuzzEdit(f *testing.F) {
	edits := []string{
		"a={\"S\":\"new\"}\nz={\"N\":\"1\"}", "a[1]\na[0]={\"S\":\"x\"}\na[7]={\"S\":\"7\"}\na[5]={\"S\":\"5\"}", "m.x\nm.y.z={\"L\":[]}\nm.new={\"M\":{}}",
		"d[0].e\nb", "\xff={\"S\":\"\"}", "a[3][0]={\"S\":\"\"}\na[3][4]={\"S\":\"\"}\na[2]", "a\na", "a.b",
	}
	for i, item := range fuzzItems {
		f.Add(item, edits[i%len(edits)])
		f.Add(item, edits[(i+3)%len(edits)])
	}
	f.Fuzz(func(t *testing.T, itemText, editText string) {
		it, err := ParseItem(itemText)
		if err != nil {
			return
		}
		edits, err := parseEdits(editText)
		if err != nil {
			return
		}
		got, err := it.Edit(edits)
		overlap := false
		for i := range edits {
			for j := range i {
				overlap = overlap || Overlaps(edits[i].Path, edits[j].Path)
			}
		}
		if overlap {
			if err == nil {
				t.Fatalf("%s\n%s\noverlapping edits are accepted: %s", it, editText, got)
			}
			return
		}
		var fault *Fault
		if errors.As(err, &fault) {
			return
		}
		model := newCell(Value{`{"M":` + it.Text() + `}`})
		var modelErr error
		for _, edit := range edits {
			modelErr = firstError(modelErr, model.edit(edit))
		}
		if !errors.Is(err, modelErr) {
			t.Fatalf("%s\n%s\ngot error %v, want %v", it, editText, err, modelErr)
		}
		if err != nil {
			return
		}
		checkItem(t, got)
		if want := model.build(); `{"M":`+got.Text()+`}` != want.Text() {
			t.Fatalf("%s\n%s\ngot  %s\nwant %s", it, editText, got, want)
		}
	})
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
