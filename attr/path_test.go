package attr

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParsePath(t *testing.T) {
	for text, want := range map[string]string{
		"a": "[a]", "a.b": "[a, b]", "a[0].b": "[a, [0], b]", "a[3][12]": "[a, [3], [12]]", "#x-y z": "[#x-y z]",
	} {
		if got := mustPath(t, text).String(); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"", ".", "a.", "[0]", "a[", "a[x]", "a[-1]", "a[]", "a[1", "a[1]b", "a[99999999999]"} {
		if p, err := ParsePath(text); err == nil {
			t.Errorf("%q: got %s", text, p)
		}
	}
}

func TestOverlapsAndConflicts(t *testing.T) {
	tests := []struct {
		a, b               string
		overlaps, conflict bool
	}{
		{"a", "a", true, false}, {"a", "a.b", true, false}, {"a[1].c", "a[1]", true, false}, {"a", "b", false, false},
		{"a.b", "a.c", false, false}, {"a[0]", "a[1]", false, false}, {"a.b", "a[1]", false, true},
		{"a.b.c", "a[1]", false, true}, {"x.b", "a[1]", false, false}, {"a.b[0]", "a.b.c", false, true}, {"a.b", "ab", false, false},
	}
	for _, tt := range tests {
		a, b := mustPath(t, tt.a), mustPath(t, tt.b)
		for range 2 {
			if Overlaps(a, b) != tt.overlaps || Conflicts(a, b) != tt.conflict {
				t.Errorf("%s and %s: overlaps %t, conflicts %t", a, b, Overlaps(a, b), Conflicts(a, b))
			}
			a, b = b, a
		}
	}
}

func TestResolve(t *testing.T) {
	it := mustItem(t, `{"a":{"L":[{"S":"zero"},{"M":{"b.c":{"N":"1"},"q\"":{"BOOL":true}}}]},"s":{"S":"x"},"n":{"NULL":true}}`)
	tests := []struct {
		path Path
		want string
	}{
		{NamePath("s"), `{"S":"x"}`},
		{NamePath("n"), `{"NULL":true}`},
		{NamePath("x"), ""},
		{mustPath(t, "a[0]"), `{"S":"zero"}`},
		{mustPath(t, "a[2]"), ""},
		{Path{NameElem("a"), IndexElem(-1)}, ""},
		{mustPath(t, "a.b"), ""},
		{mustPath(t, "s.x"), ""},
		{mustPath(t, "s[0]"), ""},
		{Path{NameElem("a"), IndexElem(1), NameElem("b.c")}, `{"N":"1"}`},
		{Path{NameElem("a"), IndexElem(1), NameElem(`q"`)}, `{"BOOL":true}`},
		{Path{IndexElem(0)}, ""},
		{nil, ""},
	}
	for _, tt := range tests {
		v, ok := tt.path.Resolve(it)
		if v.Text() != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: got %s, %t, want %s", tt.path, v, ok, tt.want)
		}
		if _, ok := tt.path.Resolve(nil); ok {
			t.Errorf("%s: found in no item", tt.path)
		}
	}
	deep := mustPath(t, "a[1].x")
	if n := testing.AllocsPerRun(100, func() { deep.Resolve(it) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestProjection(t *testing.T) {
	item := `{"pk":{"S":"k"},"l":{"L":[{"S":"0"},{"S":"1"},{"S":"2"},{"M":{"a":{"N":"1"},"b":{"N":"2"},"c":{"L":[{"N":"5"}]}}}]},` +
		`"m":{"M":{"x":{"S":"X"},"y":{"M":{"z":{"S":"Z"},"w":{"S":"W"}}}}},"s":{"S":"t"}}`
	tests := []struct {
		name  string
		paths []string
		want  string
	}{
		{"none", nil, `{}`},
		{"top-level, item order", []string{"s", "pk"}, `{"pk":{"S":"k"},"s":{"S":"t"}}`},
		{"all", []string{"s", "pk", "m", "l"}, item},
		{"missing", []string{"q", "pkk", "p"}, `{}`},
		{"one nested", []string{"m.x"}, `{"m":{"M":{"x":{"S":"X"}}}}`},
		{"merged", []string{"m.y.z", "s", "m.x", "m.y.w"}, `{"m":{"M":{"x":{"S":"X"},"y":{"M":{"z":{"S":"Z"},"w":{"S":"W"}}}}},"s":{"S":"t"}}`},
		{"elements close up in order", []string{"l[2]", "l[0]"}, `{"l":{"L":[{"S":"0"},{"S":"2"}]}}`},
		{"paths under one element", []string{"l[3].c[0]", "l[1]", "l[3].a"},
			`{"l":{"L":[{"S":"1"},{"M":{"a":{"N":"1"},"c":{"L":[{"N":"5"}]}}}]}}`},
		{"no empty shells", []string{"l[9]", "l[0].x", "l[3].q", "l[3].c[4]", "m.q", "m.y.q", "m.x.y", "m[0]", "s.x", "s[0]", "q.r"}, `{}`},
		{"shell beside a match", []string{"l[0].x", "l[1]", "m.y.q", "m.x"}, `{"l":{"L":[{"S":"1"}]},"m":{"M":{"x":{"S":"X"}}}}`},
		{"name and index", []string{"m.x", "m[0]", "l.x", "l[0]"}, `{"l":{"L":[{"S":"0"}]},"m":{"M":{"x":{"S":"X"}}}}`},
		{"ancestor wins", []string{"m.y.z", "m.y"}, `{"m":{"M":{"y":{"M":{"z":{"S":"Z"},"w":{"S":"W"}}}}}}`},
	}
	it := mustItem(t, item)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var paths []Path
			for _, p := range tt.paths {
				paths = append(paths, mustPath(t, p))
			}
			checkProjection(t, NewProjection(paths), it, tt.want)
		})
	}
	checkProjection(t, nil, it, item)
	checkProjection(t, TopLevel("pk", "s", "pk"), it, `{"pk":{"S":"k"},"s":{"S":"t"}}`)
	if got := TopLevel("pk", "l", "m", "s").Apply(it); got != it {
		t.Error("the whole item was copied")
	}
	if got := string(TopLevel("a").Append(nil, nil)); got != "{}" {
		t.Errorf("no item: got %s", got)
	}
	if TopLevel("a").Apply(nil) != nil || TopLevel("a").Size(nil) != 0 {
		t.Error("something came of no item")
	}
	quoted := mustItem(t, `{"a\"b":{"S":"\n"}}`)
	checkProjection(t, TopLevel(`a"b`), quoted, quoted.Text())
}

func checkProjection(t *testing.T, p *Projection, it *Item, want string) {
	t.Helper()
	if got := string(p.Append([]byte("x"), it)); got != "x"+want {
		t.Errorf("Append: got %s, want %s", got[1:], want)
	}
	applied := p.Apply(it)
	if want == "{}" {
		if applied != nil {
			t.Errorf("Apply: got %s, want no item", applied)
		}
	} else {
		if applied.Text() != want {
			t.Errorf("Apply: got %s, want %s", applied, want)
		}
		checkItem(t, applied)
	}
	if got := p.Size(it); got != applied.Size() {
		t.Errorf("Size: got %d, want %d", got, applied.Size())
	}
}

func FuzzProjection(f *testing.F) {
	for i, item := range fuzzItems {
		f.Add(item, []string{"a", "a[1]\na[0]", "m.x\nd[0].M.e", "m.y.z\nm.y\nc", "a.b\na[2]", "q"}[i])
	}
	f.Fuzz(func(t *testing.T, itemText, pathText string) {
		it, err := ParseItem(itemText)
		if err != nil {
			return
		}
		edits, err := parseEdits(pathText)
		if err != nil {
			return
		}
		var paths []Path
		found := false
		for _, e := range edits {
			paths = append(paths, e.Path)
			_, ok := e.Path.Resolve(it)
			found = found || ok
		}
		p := NewProjection(paths)
		got := p.Apply(it)
		if found != (got != nil) {
			t.Fatalf("%s\n%s\ngot %s", it, pathText, got)
		}
		checkItem(t, got)
		if text := string(p.Append(nil, it)); text != got.Text() || p.Size(it) != got.Size() {
			t.Fatalf("%s\n%s\nApply %s, size %d; Append %s, size %d", it, pathText, got, got.Size(), text, p.Size(it))
		}
	})
}

func TestPathEqual(t *testing.T) {
	if diff := cmp.Diff(mustPath(t, "a[0].b"), Path{NameElem("a"), IndexElem(0), NameElem("b")}); diff != "" {
		t.Error(diff)
	}
	if mustPath(t, "a").Equal(mustPath(t, "a.b")) {
		t.Error("a path equals its extension")
	}
}
