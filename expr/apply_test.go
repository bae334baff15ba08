package expr

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/dynalite-go/dynalite/attr"
	"github.com/google/go-cmp/cmp"
)

const (
	missingText  = "The provided expression refers to an attribute that does not exist in the item"
	operandText  = "An operand in the update expression has an incorrect data type"
	badPathText  = "The document path provided in the update expression is invalid for update"
	overflowText = "Number overflow. Attempting to store a number with magnitude larger than supported range"
)

const applyItem = `{"pk":{"S":"k"},"a":{"N":"1"},"b":{"N":"2"},"s":{"S":"text"},"null":{"NULL":true},
	"ss":{"SS":["x","y"]},"ns":{"NS":["1","2"]},"bs":{"BS":["eA=="]},
	"l":{"L":[{"S":"0"},{"S":"1"},{"S":"2"}]},"m":{"M":{"x":{"N":"5"},"nest":{"M":{"deep":{"S":"d"}}},"nums":{"NS":["7"]}}},
	"big":{"N":"9E125"},"tiny":{"N":"1E-130"},"one38":{"N":"12345678901234567890123456789012345678"}}`

func applyEntries(t testing.TB) *Placeholders {
	t.Helper()
	return placeholders(t, "#a=a", "#l=l", "#s=s", "#null=null", "#dot=x.y", "#new=new", "#m=m",
		`:one={"N":"1"}`, `:two={"N":"2"}`, `:half={"N":"0.5"}`, `:big={"N":"9E125"}`, `:seven={"N":"7"}`, `:s={"S":"new"}`,
		`:l={"L":[{"S":"9"}]}`, `:el={"L":[]}`, `:null={"NULL":true}`, `:em={"M":{}}`,
		`:xy={"SS":["y","x"]}`, `:yz={"SS":["y","z"]}`, `:x={"SS":["x"]}`, `:n1={"NS":["1.0"]}`, `:n7={"NS":["7"]}`, `:bz={"BS":["eg=="]}`)
}

// applied is applyItem with changes: fields that are set, and "-name" for
// those that are gone.
func applied(t *testing.T, changes ...string) *attr.Item {
	t.Helper()
	it := item(t, applyItem)
	var edits []attr.Edit
	for _, c := range changes {
		if name, gone := strings.CutPrefix(c, "-"); gone {
			edits = append(edits, attr.Edit{Path: attr.NamePath(name)})
			continue
		}
		name, text, _ := strings.Cut(c, "=")
		edits = append(edits, attr.Edit{Path: attr.NamePath(name), Value: value(t, text)})
	}
	it, err := it.Edit(edits)
	if err != nil {
		t.Fatal(err)
	}
	return it
}

// TestApply goes through behaviours/04 §4.9 for an item that exists.
func TestApply(t *testing.T) {
	tests := []struct {
		text    string
		changes []string // as of applied
		err     string
	}{
		// Reads see the item before the update.
		{"SET a = :seven, b = a", []string{`a={"N":"7"}`, `b={"N":"1"}`}, ""},
		{"SET a = b, b = a", []string{`a={"N":"2"}`, `b={"N":"1"}`}, ""},
		{"REMOVE a SET b = a", []string{"-a", `b={"N":"1"}`}, ""},
		{"SET b = a REMOVE a", []string{`b={"N":"1"}`, "-a"}, ""},
		{"ADD a :one SET b = a", []string{`a={"N":"2"}`, `b={"N":"1"}`}, ""},
		{"SET m.x = :one, a = m.x", []string{`a={"N":"5"}`, `m={"M":{"x":{"N":"1"},"nest":{"M":{"deep":{"S":"d"}}},"nums":{"NS":["7"]}}}`}, ""},
		// SET.
		{"SET #s = :s", []string{`s={"S":"new"}`}, ""},
		{"SET #dot = :s", []string{`x.y={"S":"new"}`}, ""},
		{"SET a = a", nil, ""},
		{"SET new1 = pk", []string{`new1={"S":"k"}`}, ""},
		{"SET new1 = m.nest.deep, new2 = #l[2]", []string{`new1={"S":"d"}`, `new2={"S":"2"}`}, ""},
		{"SET m.nest.deep = :null", []string{`m={"M":{"x":{"N":"5"},"nest":{"M":{"deep":{"NULL":true}}},"nums":{"NS":["7"]}}}`}, ""},
		{"SET m.x = :one, m.y = :s", []string{`m={"M":{"x":{"N":"1"},"nest":{"M":{"deep":{"S":"d"}}},"nums":{"NS":["7"]},"y":{"S":"new"}}}`}, ""},
		{"SET z = z", nil, missingText},
		{"SET a = nothing", nil, missingText},
		{"SET a = m.nothing", nil, missingText},
		{"SET a = #l[3]", nil, missingText},
		{"SET a = #s.x", nil, missingText},
		// Arithmetic.
		{"SET a = a + :one", []string{`a={"N":"2"}`}, ""},
		{"SET a = :one + :two", []string{`a={"N":"3"}`}, ""},
		{"SET a = a - b", []string{`a={"N":"-1"}`}, ""},
		{"SET a = b - :half", []string{`a={"N":"1.5"}`}, ""},
		{"SET a = (a) + (m.x)", []string{`a={"N":"6"}`}, ""},
		{"SET a = if_not_exists(z, :seven) + if_not_exists(a, :seven)", []string{`a={"N":"8"}`}, ""},
		{"SET a = a + #s", nil, operandText},
		{"SET a = #s - a", nil, operandText},
		{"SET a = a + ss", nil, operandText},
		{"SET a = a + z", nil, missingText},
		{"SET a = z + a", nil, missingText},
		{"SET a = #s + z", nil, missingText},
		{"SET a = big + :big", nil, overflowText},
		{"SET a = one38 + :half", nil, overflowText},
		// if_not_exists.
		{"SET a = if_not_exists(a, :seven)", nil, ""},
		{"SET z = if_not_exists(z, :seven)", []string{`z={"N":"7"}`}, ""},
		{"SET z = if_not_exists(#null, :seven)", []string{`z={"NULL":true}`}, ""},
		{"SET z = if_not_exists(m.z, if_not_exists(y, a))", []string{`z={"N":"1"}`}, ""},
		{"SET z = if_not_exists(y, x)", nil, missingText},
		{"SET z = if_not_exists(a, x)", []string{`z={"N":"1"}`}, ""},
		// list_append.
		{"SET #l = list_append(#l, :l)", []string{`l={"L":[{"S":"0"},{"S":"1"},{"S":"2"},{"S":"9"}]}`}, ""},
		{"SET #l = list_append(:l, #l)", []string{`l={"L":[{"S":"9"},{"S":"0"},{"S":"1"},{"S":"2"}]}`}, ""},
		{"SET z = list_append(if_not_exists(z, :el), :l)", []string{`z={"L":[{"S":"9"}]}`}, ""},
		{"SET z = list_append(:el, :el)", []string{`z={"L":[]}`}, ""},
		{"SET z = list_append(a, :l)", nil, operandText},
		{"SET z = list_append(:l, ss)", nil, operandText},
		{"SET z = list_append(y, :l)", nil, missingText},
		{"SET z = list_append(if_not_exists(y, :one), :l)", nil, operandText},
		{"SET z = list_append(:l, :l) + :one", nil, operandText},
		// Lists: positions are those before the update.
		{"SET #l[1] = :s", []string{`l={"L":[{"S":"0"},{"S":"new"},{"S":"2"}]}`}, ""},
		{"SET #l[3] = :s", []string{`l={"L":[{"S":"0"},{"S":"1"},{"S":"2"},{"S":"new"}]}`}, ""},
		{"SET #l[9] = :one, #l[7] = :two", []string{`l={"L":[{"S":"0"},{"S":"1"},{"S":"2"},{"N":"2"},{"N":"1"}]}`}, ""},
		{"SET #l[2147483647] = :one", []string{`l={"L":[{"S":"0"},{"S":"1"},{"S":"2"},{"N":"1"}]}`}, ""},
		{"REMOVE #l[1] SET #l[3] = :s", []string{`l={"L":[{"S":"0"},{"S":"2"},{"S":"new"}]}`}, ""},
		{"REMOVE #l[0], #l[1]", []string{`l={"L":[{"S":"2"}]}`}, ""},
		{"REMOVE #l[0], #l[1], #l[2]", []string{`l={"L":[]}`}, ""},
		{"REMOVE #l[0] SET a = #l[1]", []string{`l={"L":[{"S":"1"},{"S":"2"}]}`, `a={"S":"1"}`}, ""},
		{"REMOVE #l[17]", nil, ""},
		// REMOVE.
		{"REMOVE a, b", []string{"-a", "-b"}, ""},
		{"REMOVE z", nil, ""},
		{"REMOVE m.z", nil, ""},
		{"REMOVE m.nest.deep", []string{`m={"M":{"x":{"N":"5"},"nest":{"M":{}},"nums":{"NS":["7"]}}}`}, ""},
		{"REMOVE m.x, m.nest, m.#dot, m.z", []string{`m={"M":{"nums":{"NS":["7"]}}}`}, ""},
		// ADD.
		{"ADD a :one", []string{`a={"N":"2"}`}, ""},
		{"ADD z :one", []string{`z={"N":"1"}`}, ""},
		{"ADD m.x :half", []string{`m={"M":{"x":{"N":"5.5"},"nest":{"M":{"deep":{"S":"d"}}},"nums":{"NS":["7"]}}}`}, ""},
		{"ADD m.z :one, #l[8] :two", []string{`m={"M":{"x":{"N":"5"},"nest":{"M":{"deep":{"S":"d"}}},"nums":{"NS":["7"]},"z":{"N":"1"}}}`,
			`l={"L":[{"S":"0"},{"S":"1"},{"S":"2"},{"N":"2"}]}`}, ""},
		{"ADD ss :yz", []string{`ss={"SS":["x","y","z"]}`}, ""},
		{"ADD ss :xy", nil, ""},
		{"ADD ns :n1", nil, ""},
		{"ADD bs :bz", []string{`bs={"BS":["eA==","eg=="]}`}, ""},
		{"ADD z :yz", []string{`z={"SS":["y","z"]}`}, ""},
		{"ADD #s :one", nil, operandText},
		{"ADD a :xy", nil, operandText},
		{"ADD ss :one", nil, operandText},
		{"ADD ss :n1", nil, operandText},
		{"ADD #l :one", nil, operandText},
		{"ADD big :big", nil, overflowText},
		// DELETE.
		{"DELETE ss :x", []string{`ss={"SS":["y"]}`}, ""},
		{"DELETE ss :yz", []string{`ss={"SS":["x"]}`}, ""},
		{"DELETE ss :xy", []string{"-ss"}, ""},
		{"DELETE ns :n1", []string{`ns={"NS":["2"]}`}, ""},
		{"DELETE ns :n7", nil, ""},
		{"DELETE m.nums :n7", []string{`m={"M":{"x":{"N":"5"},"nest":{"M":{"deep":{"S":"d"}}}}}`}, ""},
		{"DELETE z :xy", nil, ""},
		{"DELETE m.z :xy, #l[9] :xy", nil, ""},
		{"DELETE ss :n1", nil, operandText},
		{"DELETE a :xy", nil, operandText},
		{"DELETE m :xy", nil, operandText},
		// Parents.
		{"SET z.x = :one", nil, badPathText},
		{"SET z[0] = :one", nil, badPathText},
		{"SET m[0] = :one", nil, badPathText},
		{"SET #l.x = :one", nil, badPathText},
		{"SET #s.x = :one", nil, badPathText},
		{"SET m.z.x = :one", nil, badPathText},
		{"SET #l[7].x = :one", nil, badPathText},
		{"REMOVE z.x", nil, badPathText},
		{"REMOVE m[1]", nil, badPathText},
		{"REMOVE #l.x", nil, badPathText},
		{"REMOVE ss[0]", nil, badPathText},
		{"ADD z.x :one", nil, badPathText},
		{"ADD m[0] :one", nil, badPathText},
		{"DELETE z.x :xy", nil, badPathText},
		{"DELETE #s.x :xy", nil, badPathText},
		// Order of the faults: what SET assigns, then the actions in turn.
		{"SET z.x = :one, b = z", nil, missingText},
		{"ADD ss :one SET b = z", nil, missingText},
		{"SET z.x = :one ADD ss :one", nil, badPathText},
		{"ADD ss :one SET z.x = :one", nil, operandText},
		{"REMOVE z.x ADD ss :one", nil, badPathText},
		{"SET b = a + #s, z.x = :one", nil, operandText},
	}
	for _, tc := range tests {
		t.Run(tc.text, func(t *testing.T) {
			u, err := (*Cache)(nil).Update(tc.text, applyEntries(t))
			if err != nil {
				t.Fatal(err)
			}
			old := item(t, applyItem)
			got, err := u.Apply(old, item(t, `{"pk":{"S":"k"}}`))
			checkError(t, err, tc.err)
			if !attr.EqualItems(old, item(t, applyItem)) {
				t.Errorf("the old item changed: %v", old)
			}
			if tc.err != "" {
				return
			}
			want := applied(t, tc.changes...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("item (-want +got):\n%s", diff)
			}
		})
	}
}

// TestApplyToNothing covers the rows of §4.9 about an item that is missing.
func TestApplyToNothing(t *testing.T) {
	tests := []struct {
		text string
		want string // "" for no item
		err  string
	}{
		{"SET a = :one", `{"pk":{"S":"k"},"a":{"N":"1"}}`, ""},
		{"ADD a :one", `{"pk":{"S":"k"},"a":{"N":"1"}}`, ""},
		{"ADD a :xy, b :one", `{"pk":{"S":"k"},"a":{"SS":["x","y"]},"b":{"N":"1"}}`, ""},
		{"SET a = pk", `{"pk":{"S":"k"},"a":{"S":"k"}}`, ""},
		{"SET a = if_not_exists(a, :one) + :one", `{"pk":{"S":"k"},"a":{"N":"2"}}`, ""},
		{"SET a = :one REMOVE b, c.d DELETE e :xy, f.g :xy", `{"pk":{"S":"k"},"a":{"N":"1"}}`, ""},
		{"REMOVE a", "", ""},
		{"REMOVE a.b, c[3]", "", ""},
		{"DELETE a :xy", "", ""},
		{"DELETE a.b :xy REMOVE c", "", ""},
		{"SET a = a + :one", "", missingText},
		{"SET a = b", "", missingText},
		{"SET a.b = pk", "", badPathText},
		{"SET a[1] = pk", "", badPathText},
		{"ADD a.b :one", "", badPathText},
	}
	for _, tc := range tests {
		t.Run(tc.text, func(t *testing.T) {
			u, err := (*Cache)(nil).Update(tc.text, applyEntries(t))
			if err != nil {
				t.Fatal(err)
			}
			got, err := u.Apply(nil, item(t, `{"pk":{"S":"k"}}`))
			checkError(t, err, tc.err)
			if diff := cmp.Diff(item(t, tc.want), got); diff != "" && tc.err == "" {
				t.Errorf("item (-want +got):\n%s", diff)
			}
		})
	}
}

func TestApplyTooDeep(t *testing.T) {
	deep := `{"S":"x"}`
	for range attr.MaxDepth - 1 {
		deep = `{"M":{"a":` + deep + `}}`
	}
	p := placeholders(t, ":deep="+deep)
	u, err := (*Cache)(nil).Update("SET m.a = :deep", p)
	if err != nil {
		t.Fatal(err)
	}
	_, err = u.Apply(item(t, `{"m":{"M":{}}}`), nil)
	var f *attr.Fault
	if !errors.As(err, &f) || f.Kind != attr.FaultDepth || err.Error() != f.Error() {
		t.Errorf("error %v, want a depth fault", err)
	}
}

func TestUpdateTargets(t *testing.T) {
	u, err := (*Cache)(nil).Update("SET a.b = :one, #dot = :s, c = :s, d = c + :one, e = list_append(:l, c), f = if_not_exists(f, :s), g = c "+
		"REMOVE h[1] ADD i :one, j.k :one DELETE n :xy",
		applyEntries(t))
	if err != nil {
		t.Fatal(err)
	}
	var targets []string
	for _, p := range u.Targets() {
		targets = append(targets, p.String())
	}
	if diff := cmp.Diff([]string{"[a, b]", "[x.y]", "[c]", "[d]", "[e]", "[f]", "[g]", "[h, [1]]", "[i]", "[j, k]", "[n]"}, targets); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
	var literals, known []string
	for name, v := range u.Literals() {
		literals = append(literals, fmt.Sprintf("%s=%v", name, v))
	}
	if diff := cmp.Diff([]string{`x.y={"S":"new"}`, `c={"S":"new"}`}, literals); diff != "" {
		t.Errorf("literals (-want +got):\n%s", diff)
	}
	for name, typ := range u.KnownTypes() {
		known = append(known, name+"="+typ.String())
	}
	if diff := cmp.Diff([]string{"x.y=S", "c=S", "d=N", "e=L", "i=N"}, known); diff != "" {
		t.Errorf("known types (-want +got):\n%s", diff)
	}
	for range u.Literals() {
		break
	}
	for range u.KnownTypes() {
		break
	}
	it := item(t, `{"a":{"M":{"b":{"N":"1"},"z":{"N":"2"}}},"h":{"L":[{"S":"p"},{"S":"q"}]},"n":{"SS":["x"]},"other":{"S":"o"}}`)
	want := item(t, `{"a":{"M":{"b":{"N":"1"}}},"h":{"L":[{"S":"q"}]},"n":{"SS":["x"]}}`)
	if got := u.Touched().Apply(it); !got.Equal(want) {
		t.Errorf("touched %v, want %v", got, want)
	}
}

// TestLegacyUpdate goes through behaviours/05 §5.3.
func TestLegacyUpdate(t *testing.T) {
	const mismatch = "Type mismatch for attribute to update"
	p := attr.NamePath
	v := func(text string) attr.Value { return value(t, text) }
	tests := []struct {
		name    string
		actions []Action
		changes []string
		err     string
	}{
		{"put", []Action{Set(p("a"), Literal(v(`{"S":"x"}`))), Set(p("a.b"), Literal(v(`{"S":"y"}`)))}, []string{`a={"S":"x"}`, `a.b={"S":"y"}`}, ""},
		{"add a number", []Action{LegacyAdd(p("a"), v(`{"N":"2"}`))}, []string{`a={"N":"3"}`}, ""},
		{"add to nothing", []Action{LegacyAdd(p("z"), v(`{"N":"2"}`))}, []string{`z={"N":"2"}`}, ""},
		{"add to a set", []Action{LegacyAdd(p("ss"), v(`{"SS":["z"]}`))}, []string{`ss={"SS":["x","y","z"]}`}, ""},
		{"add a list", []Action{LegacyAdd(p("l"), v(`{"L":[{"N":"1"}]}`))}, []string{`l={"L":[{"S":"0"},{"S":"1"},{"S":"2"},{"N":"1"}]}`}, ""},
		{"add a list to nothing", []Action{LegacyAdd(p("z"), v(`{"L":[{"N":"1"}]}`))}, []string{`z={"L":[{"N":"1"}]}`}, ""},
		{"add another type", []Action{LegacyAdd(p("a"), v(`{"SS":["z"]}`))}, nil, mismatch},
		{"add a list to a set", []Action{LegacyAdd(p("ss"), v(`{"L":[]}`))}, nil, mismatch},
		{"add too much", []Action{LegacyAdd(p("big"), v(`{"N":"9E125"}`))}, nil, overflowText},
		{"delete", []Action{Remove(p("a")), Remove(p("z"))}, []string{"-a"}, ""},
		{"delete members", []Action{LegacyDelete(p("ss"), v(`{"SS":["x","z"]}`))}, []string{`ss={"SS":["y"]}`}, ""},
		{"delete all members", []Action{LegacyDelete(p("ss"), v(`{"SS":["x","y"]}`))}, []string{"-ss"}, ""},
		{"delete members of nothing", []Action{LegacyDelete(p("z"), v(`{"SS":["x"]}`))}, nil, ""},
		{"delete members of another type", []Action{LegacyDelete(p("ns"), v(`{"SS":["x"]}`))}, nil, mismatch},
		// The others, as a statement of PartiQL uses them.
		{"sum", []Action{Set(p("a"), Sum(Reference(p("a")), Literal(v(`{"N":"4"}`))))}, []string{`a={"N":"5"}`}, ""},
		{"difference", []Action{Set(p("a"), Difference(Reference(p("a")), Literal(v(`{"N":"4"}`))))}, []string{`a={"N":"-3"}`}, ""},
		{"list", []Action{Set(p("z"), ListAppend(Reference(p("l")), Literal(v(`{"L":[]}`))))}, []string{`z={"L":[{"S":"0"},{"S":"1"},{"S":"2"}]}`}, ""},
		{"fallback", []Action{Set(p("z"), IfNotExists(p("y"), Reference(p("b"))))}, []string{`z={"N":"2"}`}, ""},
		{"add of an expression", []Action{Add(p("ss"), v(`{"SS":["z"]}`)), Delete(p("ns"), v(`{"NS":["1"]}`))}, []string{`ss={"SS":["x","y","z"]}`, `ns={"NS":["2"]}`}, ""},
		{"mismatch of an expression", []Action{Delete(p("a"), v(`{"SS":["z"]}`))}, nil, operandText},
		{"add of a string", []Action{Add(p("s"), v(`{"S":"z"}`))}, nil, operandText},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			u, err := NewUpdate(tc.actions...)
			if err != nil {
				t.Fatal(err)
			}
			got, err := u.Apply(item(t, applyItem), nil)
			checkError(t, err, tc.err)
			if want := applied(t, tc.changes...); tc.err == "" && !got.Equal(want) {
				t.Errorf("item %v, want %v", got, want)
			}
		})
	}
	_, err := NewUpdate(Remove(path(t, "a.b")), Remove(path(t, "a")))
	checkError(t, err, inUpdate+overlapText("[a, b]", "[a]"))

	// A missing item comes into being with PUT and ADD only.
	key := item(t, `{"pk":{"S":"k"}}`)
	u, _ := NewUpdate(Remove(p("a")), LegacyDelete(p("b"), v(`{"SS":["x"]}`)))
	if got, err := u.Apply(nil, key); got != nil || err != nil {
		t.Errorf("DELETE made %v, %v", got, err)
	}
	u, _ = NewUpdate(LegacyAdd(p("a"), v(`{"L":[]}`)))
	if got, err := u.Apply(nil, key); err != nil || !got.Equal(item(t, `{"pk":{"S":"k"},"a":{"L":[]}}`)) {
		t.Errorf("ADD made %v, %v", got, err)
	}
}
