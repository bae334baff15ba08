package attr_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/attr"
)

// Many edits and many paths take another way than few. Both must agree.
func TestManyEdits(t *testing.T) {
	t.Parallel()
	var fields []attr.Field
	for i := range 300 {
		fields = append(fields, attr.Named(fmt.Sprintf("old\"%d", i), attr.Int(int64(i))))
	}
	for _, it := range []*attr.Item{nil, attr.NewItem(), attr.NewItem(fields...)} {
		var edits []attr.Edit
		for i := range 200 {
			e := attr.Edit{Path: attr.NamePath(fmt.Sprintf("old\"%d", 3*i)), Value: attr.String(fmt.Sprint("new", i))}
			if i%4 == 0 {
				e.Value = attr.Value{}
			}
			edits = append(edits, e)
		}
		got, err := it.Edit(edits)
		if err != nil {
			t.Fatal(err)
		}
		want := it
		for _, e := range edits {
			if want, err = want.Edit([]attr.Edit{e}); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want.Text(), got.Text()); diff != "" {
			t.Errorf("one by one and all at once (-one +all):\n%s", diff)
		}
		if want.Size() != got.Size() {
			t.Errorf("size %d, want %d", got.Size(), want.Size())
		}
	}
}

func TestManyPaths(t *testing.T) {
	t.Parallel()
	var fields []attr.Field
	var paths []attr.Path
	for i := range 60 {
		name := fmt.Sprint("a", i)
		fields = append(fields, attr.Named(name, attr.Map(attr.Named("x", attr.Int(1)), attr.Named("y", attr.Int(2)))))
		if i%2 == 0 {
			paths = append(paths, attr.Path{attr.NameElem(name), attr.NameElem("x")})
		}
	}
	it := attr.NewItem(fields...)
	got := attr.NewProjection(paths).Apply(it)
	if got.Len() != 30 {
		t.Fatalf("%d attributes, want 30: %s", got.Len(), got)
	}
	for name, v := range got.All() {
		if want := `{"M":{"x":{"N":"1"}}}`; v.Text() != want {
			t.Errorf("%s is %s, want %s", name, v, want)
		}
	}
}
