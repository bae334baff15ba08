package attr

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func mustValue(t testing.TB, text string) Value {
	t.Helper()
	v, err := ParseValue(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func TestConstructors(t *testing.T) {
	numbers, fault := NumberSet("1.0", "2", "1")
	if fault != nil {
		t.Fatal(fault)
	}
	tests := []struct {
		v    Value
		typ  Type
		text string
	}{
		{String(""), S, `{"S":""}`},
		{String("a\"\\\x01\té\xff"), S, `{"S":"a\"\\\u0001\té` + "\ufffd" + `"}`},
		{Int(-12), N, `{"N":"-12"}`},
		{Binary([]byte{0, 1}), B, `{"B":"AAE="}`},
		{Binary(nil), B, `{"B":""}`},
		{Bool(true), BOOL, `{"BOOL":true}`},
		{Bool(false), BOOL, `{"BOOL":false}`},
		{Null(), NULL, `{"NULL":true}`},
		{List(), L, `{"L":[]}`},
		{List(Int(1), Value{}, String("x")), L, `{"L":[{"N":"1"},{"S":"x"}]}`},
		{Map(), M, `{"M":{}}`},
		{Map(Named("a", Int(1)), Named("b", Null()), Named("a", Int(2)), Named("c", Value{})), M, `{"M":{"a":{"N":"2"},"b":{"NULL":true}}}`},
		{StringSet("b", "a", "b"), SS, `{"SS":["b","a"]}`},
		{numbers, NS, `{"NS":["1","2"]}`},
		{BinarySet([]byte{0}, []byte{0}, nil), BS, `{"BS":["AA==",""]}`},
		{StringSet(), 0, ""},
	}
	for _, tt := range tests {
		if tt.v.Text() != tt.text || tt.v.Type() != tt.typ {
			t.Errorf("got %s %s, want %s %s", tt.v.Type(), tt.v, tt.typ, tt.text)
		}
		if tt.text != "" && mustValue(t, tt.text) != tt.v {
			t.Errorf("%s reads as another value", tt.text)
		}
	}
	if _, fault := NumberSet("1", "x"); fault == nil {
		t.Error("a bad number went into a set")
	}
}

func TestTypes(t *testing.T) {
	for typ := S; typ <= NULL; typ++ {
		if got, ok := ParseType(typ.String()); got != typ || !ok {
			t.Errorf("%s reads as %s", typ, got)
		}
	}
	for _, name := range []string{"", "s", "X", "NU"} {
		if _, ok := ParseType(name); ok {
			t.Errorf("%q is a type", name)
		}
	}
	if Type(99).String() != "" {
		t.Error("type 99 has a name")
	}
}

func TestAccessors(t *testing.T) {
	text := mustValue(t, `{"S":"a\"é😀\u0000"}`)
	if got := text.Str(); got != "a\"é😀\x00" {
		t.Errorf("Str: got %q", got)
	}
	if text.Len() != 6 || text.Size() != 9 {
		t.Errorf("Len %d, Size %d", text.Len(), text.Size())
	}
	if b := mustValue(t, `{"B":"AAEC"}`); !bytes.Equal(b.Bytes(), []byte{0, 1, 2}) || b.Len() != 3 || b.Size() != 3 {
		t.Errorf("%s: got % x, %d", b, b.Bytes(), b.Len())
	}
	for in, want := range map[string]int{
		`{"SS":["a","b,","]"]}`: 3, `{"NS":["1"]}`: 1, `{"BS":["","AA=="]}`: 2, `{"L":[{"L":[{"S":"]"}]},{"N":"1"}]}`: 2,
		`{"M":{"a":{"M":{"b":{"S":"}"}}},"c":{"L":[]}}}`: 2, `{"M":{}}`: 0, `{"L":[]}`: 0, `{"N":"12"}`: 0, `{"BOOL":true}`: 0, `{"NULL":true}`: 0,
	} {
		if got := mustValue(t, in).Len(); got != want {
			t.Errorf("%s: Len %d, want %d", in, got, want)
		}
	}
	if !mustValue(t, `{"BOOL":true}`).Bool() || mustValue(t, `{"BOOL":false}`).Bool() || mustValue(t, `{"NULL":true}`).Bool() {
		t.Error("Bool is wrong")
	}
	m := mustValue(t, `{"M":{"a":{"N":"1"},"b\n":{"L":[{"S":"x"},{"S":"y"}]}}}`)
	var names []string
	for name := range m.Members() {
		names = append(names, name)
	}
	if diff := cmp.Diff([]string{"a", "b\n"}, names); diff != "" {
		t.Error(diff)
	}
	list, ok := m.Field("b\n")
	if !ok {
		t.Fatal("no field")
	}
	if e, ok := list.Index(1); !ok || e.Str() != "y" {
		t.Errorf("got %s", e)
	}
	for _, i := range []int{-1, 2, 1 << 40} {
		if _, ok := list.Index(i); ok {
			t.Errorf("element %d exists", i)
		}
	}
	if diff := cmp.Diff([]Value{Int(1), Int(-2)}, slices.Collect(mustValue(t, `{"NS":["1","-2"]}`).Elements())); diff != "" {
		t.Error(diff)
	}
}

// TestMissingValue sees that the zero Value and a nil item answer everything.
func TestMissingValue(t *testing.T) {
	var v Value
	if !v.IsZero() || v.Type() != 0 || v.Str() != "" || v.NumberText() != "" || v.Bytes() != nil || v.Bool() || v.Len() != 0 || v.Size() != 0 || v.Depth() != 0 {
		t.Error("a missing value has content")
	}
	for range v.Elements() {
		t.Error("a missing value has elements")
	}
	if _, ok := v.Field("a"); ok || Contains(v, v) || HasPrefix(v, v) || KeyBytes(v) != 0 || Key(v) != "" {
		t.Error("a missing value has content")
	}
	if _, ok := Compare(v, v); ok || Equal(v, Null()) || !Equal(v, v) {
		t.Error("a missing value compares")
	}
	var it *Item
	if _, ok := it.Lookup("a"); ok || it.Len() != 0 || it.Size() != 0 || it.Depth() != 0 || it.Text() != "{}" {
		t.Error("no item has content")
	}
	if name, v := it.At(0); name != "" || !v.IsZero() {
		t.Error("no item has an attribute")
	}
	if !EqualItems(it, nil) || EqualItems(it, NewItem()) || EqualItems(NewItem(), it) {
		t.Error("no item is an empty item")
	}
}

func TestEqual(t *testing.T) {
	big := make([]string, 100)
	for i := range big {
		big[i] = fmt.Sprint("m", i)
	}
	turned := slices.Clone(big)
	slices.Reverse(turned)
	tests := []struct {
		a, b Value
		want bool
	}{
		{String("a"), String("a"), true},
		{String("a"), String("b"), false},
		{String("1"), Int(1), false},
		{mustNumber(t, "1.0"), mustNumber(t, "1e0"), true},
		{mustNumber(t, "1.0000000000000000000000000000000000001"), Int(1), false},
		{Null(), Null(), true},
		{Null(), Value{}, false},
		{Bool(true), Bool(false), false},
		{StringSet("a", "b"), StringSet("b", "a"), true},
		{StringSet("a", "b"), StringSet("b", "c"), false},
		{StringSet("a"), StringSet("a", "b"), false},
		{StringSet(big...), StringSet(turned...), true},
		{StringSet(big...), StringSet(append(turned[1:], "x99")...), false},
		{mustValue(t, `{"NS":["1","2.0"]}`), mustValue(t, `{"NS":["2","1"]}`), true},
		{List(Int(1), Int(2)), List(Int(1), Int(2)), true},
		{List(Int(1), Int(2)), List(Int(2), Int(1)), false},
		{List(Int(1)), List(Int(1), Int(2)), false},
		{List(StringSet("a", "b")), List(StringSet("b", "a")), true},
		{Map(Named("a", Int(1)), Named("b", Int(2))), Map(Named("b", Int(2)), Named("a", Int(1))), true},
		{Map(Named("a", Int(1)), Named("b", Int(2))), Map(Named("b", Int(2)), Named("a", Int(3))), false},
		{Map(Named("a", Int(1)), Named("b", Int(2))), Map(Named("b", Int(2))), false},
		{Map(Named("a", Int(1))), Map(Named("a", Int(1)), Named("b", Int(2))), false},
		{Map(Named("a", StringSet("x", "y"))), Map(Named("a", StringSet("y", "x"))), true},
		{Map(), List(), false},
	}
	for _, tt := range tests {
		if Equal(tt.a, tt.b) != tt.want || Equal(tt.b, tt.a) != tt.want {
			t.Errorf("Equal(%s, %s) is not %t", tt.a, tt.b, tt.want)
		}
		x, y := NewItem(Named("v", tt.a), Named("w", Int(1))), NewItem(Named("w", Int(1)), Named("v", tt.b))
		if EqualItems(x, y) != tt.want || EqualItems(y, x) != tt.want {
			t.Errorf("EqualItems(%s, %s) is not %t", x, y, tt.want)
		}
		if tt.want && x.Sum() != y.Sum() {
			t.Errorf("%s and %s are equal, but not their sums", x, y)
		}
		if z := NewItem(Named("v", tt.b), Named("w", Int(1))); EqualItems(x, z) != tt.want || EqualItems(z, x) != tt.want {
			t.Errorf("EqualItems(%s, %s) is not %t", x, z, tt.want)
		}
	}
}

// TestSum adds up the bytes one by one.
func TestSum(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 1023, 1024, 1025, 5000, 400_000} {
		it := NewItem(Named("a", String(strings.Repeat("\u00ff", n/2)+strings.Repeat("z", n%2))), Named("b", Int(int64(n))))
		want := uint32(1)
		for _, c := range []byte(it.Text()) {
			want += uint32(c)
		}
		if got := it.Sum(); got != want {
			t.Errorf("%d bytes: the sum is %d, want %d", n, got, want)
		}
	}
}

func TestCompareAndParts(t *testing.T) {
	bin := func(s string) Value { return Binary([]byte(s)) }
	for _, tt := range []struct {
		a, b Value
		want int
	}{
		{String("a"), String("b"), -1}, {String("a"), String("aa"), -1}, {String(""), String(""), 0}, {String("Z"), String("a"), -1},
		{String("é"), String("z"), 1}, {String("\uffff"), String("😀"), -1}, {String("a\x01"), String("a "), -1}, {String("a\\"), String("a]"), -1},
		{String("a\nb"), String("a\nc"), -1}, {String("\""), String("\"x"), -1},
		{Int(10), Int(9), 1}, {Int(-10), Int(9), -1}, {Int(-10), Int(-9), -1}, {Int(0), Int(0), 0},
		{bin("\x00"), bin("\xff"), -1}, {bin("ab"), bin("abc"), -1}, {bin(""), bin("a"), -1}, {bin("a?"), bin("a>"), 1}, {bin("abcd"), bin("abcd"), 0},
	} {
		if c, ok := Compare(tt.a, tt.b); !ok || sign(c) != tt.want {
			t.Errorf("Compare(%s, %s) = %d, %t", tt.a, tt.b, c, ok)
		}
		if c, ok := Compare(tt.b, tt.a); !ok || sign(c) != -tt.want {
			t.Errorf("Compare(%s, %s) = %d, %t", tt.b, tt.a, c, ok)
		}
		if c := strings.Compare(Key(tt.a), Key(tt.b)); c != tt.want {
			t.Errorf("keys of %s and %s order as %d", tt.a, tt.b, c)
		}
	}
	for _, tt := range [][2]Value{{String("1"), Int(1)}, {Bool(true), Bool(true)}, {Null(), Null()}, {List(), List()}, {StringSet("a"), StringSet("a")}} {
		if _, ok := Compare(tt[0], tt[1]); ok {
			t.Errorf("%s and %s have an order", tt[0], tt[1])
		}
	}
	for _, tt := range []struct {
		a, b             Value
		prefix, contains bool
	}{
		{String("hello"), String("hel"), true, true},
		{String("hello"), String("ell"), false, true},
		{String("hello"), String(""), true, true},
		{String("a\nb"), String("n"), false, false},
		{String("a\nb"), String("\nb"), false, true},
		{String("a\\nb"), String("n"), false, true},
		{String("\u0001"), String("u"), false, false},
		{String("\\"), String("\\\\"), false, false},
		{String("a"), bin("a"), false, false},
		{bin("hello"), bin("he"), true, true},
		{bin("hello"), bin("hello!"), false, false},
		{bin("hello"), bin("hello"), true, true},
		{bin("hello"), bin("lo"), false, true},
		{bin("hello"), bin(""), true, true},
		{Int(12), Int(1), false, false},
		{StringSet("a", "b"), String("b"), false, true},
		{StringSet("a", "b"), String("c"), false, false},
		{StringSet("a", "b"), StringSet("a"), false, false},
		{StringSet("1"), Int(1), false, false},
		{mustValue(t, `{"NS":["1","2"]}`), mustNumber(t, "2.0"), false, true},
		{mustValue(t, `{"BS":["AA=="]}`), bin("\x00"), false, true},
		{List(Int(1), Map(Named("a", StringSet("x", "y")))), Map(Named("a", StringSet("y", "x"))), false, true},
		{List(Int(1)), String("1"), false, false},
		{Map(Named("a", Int(1))), String("a"), false, false},
	} {
		if got := HasPrefix(tt.a, tt.b); got != tt.prefix {
			t.Errorf("HasPrefix(%s, %s) = %t", tt.a, tt.b, got)
		}
		if got := Contains(tt.a, tt.b); got != tt.contains {
			t.Errorf("Contains(%s, %s) = %t", tt.a, tt.b, got)
		}
	}
}

func TestSets(t *testing.T) {
	big := make([]string, 40)
	for i := range big {
		big[i] = fmt.Sprint("m", i)
	}
	tests := []struct{ a, b, union, difference Value }{
		{StringSet("a", "b"), StringSet("b", "c"), StringSet("a", "b", "c"), StringSet("a")},
		{StringSet("a", "b"), StringSet("b", "a"), StringSet("a", "b"), Value{}},
		{StringSet("a", "\""), StringSet("x"), StringSet("a", "\"", "x"), StringSet("a", "\"")},
		{mustValue(t, `{"NS":["1","2"]}`), mustValue(t, `{"NS":["1.0","3"]}`), mustValue(t, `{"NS":["1","2","3"]}`), mustValue(t, `{"NS":["2"]}`)},
		{BinarySet([]byte("x")), BinarySet([]byte("x"), []byte("y")), BinarySet([]byte("x"), []byte("y")), Value{}},
		{StringSet(big[:30]...), StringSet(big[20:]...), StringSet(big...), StringSet(big[:20]...)},
		{StringSet("a"), mustValue(t, `{"NS":["1"]}`), Value{}, StringSet("a")},
	}
	for _, tt := range tests {
		if got := Union(tt.a, tt.b); got != tt.union {
			t.Errorf("Union(%s, %s) = %s", tt.a, tt.b, got)
		}
		got, empty := Difference(tt.a, tt.b)
		if got != tt.difference || empty != got.IsZero() {
			t.Errorf("Difference(%s, %s) = %s, %t", tt.a, tt.b, got, empty)
		}
	}
}

func TestItem(t *testing.T) {
	it := NewItem(Named("pk", String("x")), Named("", Value{}), Named("q\"", Int(1)), Named("pk", String("y")), Named(`back\slash`, Null()))
	if want := `{"pk":{"S":"y"},"q\"":{"N":"1"},"back\\slash":{"NULL":true}}`; it.Text() != want {
		t.Fatalf("got %s, want %s", it, want)
	}
	checkItem(t, it)
	for name, want := range map[string]string{
		"pk": `{"S":"y"}`, `q"`: `{"N":"1"}`, `q\"`: "", "p": "", "pkk": "", "": "", `back\slash`: `{"NULL":true}`, `back\\slash`: "",
	} {
		if v, ok := it.Lookup(name); v.Text() != want || ok != (want != "") {
			t.Errorf("Lookup(%q) = %s, %t", name, v, ok)
		}
	}
	if name, v := it.At(1); name != `q"` || v != Int(1) {
		t.Errorf("At(1) = %q, %s", name, v)
	}
	for _, i := range []int{-1, 3} {
		if name, v := it.At(i); name != "" || !v.IsZero() {
			t.Errorf("At(%d) = %q, %s", i, name, v)
		}
	}
	if got := NewItem(); got.Text() != "{}" || got.Len() != 0 {
		t.Errorf("got %s", got)
	}
	if diff := cmp.Diff(mustItem(t, `{"a":{"SS":["x","y"]},"b":{"N":"1"}}`), mustItem(t, `{"b":{"N":"1.0"},"a":{"SS":["y","x"]}}`)); diff != "" {
		t.Errorf("go-cmp sees a difference:\n%s", diff)
	}
}

func TestLookupDoesNotAllocate(t *testing.T) {
	it := mustItem(t, benchItem)
	if n := testing.AllocsPerRun(100, func() {
		it.Lookup("note")
		it.Lookup("missing")
		v, _ := it.Lookup("pk")
		Key(v)
		v.Str()
		v.Size()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
