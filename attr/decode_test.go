package attr

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dynalite-go/dynalite/internal/coral"
	"github.com/google/go-cmp/cmp"
)

func TestDecodeCanonical(t *testing.T) {
	tests := []struct {
		text, want string
		size       int
	}{
		{`{}`, `{}`, 0},
		{` { "a" : { "S" : "x" } } `, `{"a":{"S":"x"}}`, 2},
		{`{"a":{"S":""}}`, `{"a":{"S":""}}`, 1},
		{`{"a":{"S":"\u0041\/\u000a\u001F\"\\\ud83d\ude00"}}`, `{"a":{"S":"A/\n\u001f\"\\😀"}}`, 1 + 1 + 1 + 1 + 1 + 1 + 1 + 4},
		{`{"a":{"S":"\ud800x"}}`, "{\"a\":{\"S\":\"\ufffdx\"}}", 5},
		{`{"\u0061\"":{"N":"+01.50"}}`, `{"a\"":{"N":"1.5"}}`, 2 + 3},
		{`{"a":{"N":"-0"}}`, `{"a":{"N":"0"}}`, 2},
		{`{"a":{"B":"AAE\u003d"}}`, `{"a":{"B":"AAE="}}`, 3},
		{`{"a":{"B":""}}`, `{"a":{"B":""}}`, 1},
		{`{"a":{"BOOL":true},"b":{"BOOL":false},"c":{"NULL":true}}`, `{"a":{"BOOL":true},"b":{"BOOL":false},"c":{"NULL":true}}`, 6},
		{`{"a":{"BOOL":"yes"},"c":{"NULL":"1"}}`, `{"a":{"BOOL":true},"c":{"NULL":true}}`, 4},
		{`{"a":{"SS":["b", "a", ""]}}`, `{"a":{"SS":["b","a",""]}}`, 3},
		{`{"a":{"NS":["1e2", "-1"]}}`, `{"a":{"NS":["100","-1"]}}`, 1 + 2 + 3},
		{`{"a":{"BS":["AA==", ""]}}`, `{"a":{"BS":["AA==",""]}}`, 2},
		{`{"a":{"L":[]},"b":{"M":{}}}`, `{"a":{"L":[]},"b":{"M":{}}}`, 8},
		{`{"a":{"L":[{"S":"xy"},{"N":"1"}]}}`, `{"a":{"L":[{"S":"xy"},{"N":"1"}]}}`, 1 + 3 + 2 + 2 + 2},
		{`{"a":{"M":{"éa":{"S":"xy"},"b":{"L":[{"NULL":true}]}}}}`, `{"a":{"M":{"éa":{"S":"xy"},"b":{"L":[{"NULL":true}]}}}}`,
			1 + 3 + (3 + 1 + 2) + (1 + 1 + (3 + 1 + 1))},
		{`{"a":{"S":"x","unknown":[1,{"y":null}],"N":null}}`, `{"a":{"S":"x"}}`, 2},
	}
	for _, tt := range tests {
		it, err := ParseItem(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if it.Text() != tt.want || it.Size() != tt.size {
			t.Errorf("%s:\ngot  %s, size %d\nwant %s, size %d", tt.text, it.Text(), it.Size(), tt.want, tt.size)
		}
		checkItem(t, it)
	}
}

// checkItem checks that an item is what its text says.
func checkItem(t testing.TB, it *Item) {
	t.Helper()
	if it == nil {
		return
	}
	again, err := ParseItem(it.Text())
	if err != nil {
		t.Fatalf("%s: %v", it, err)
	}
	if again.text != it.text || again.size != it.size || !slices.Equal(again.attrs, it.attrs) {
		t.Fatalf("the text reads as another item:\ngot  %s %d %v\nwant %s %d %v", it.text, it.size, it.attrs, again.text, again.size, again.attrs)
	}
	size, depth := 0, 0
	for name, v := range it.All() {
		size += len(name) + v.Size()
		depth = max(depth, v.Depth())
		if found, ok := it.Lookup(name); !ok || found != v {
			t.Fatalf("%s: Lookup(%q) = %v, %t", it, name, found, ok)
		}
	}
	if size != it.size {
		t.Fatalf("%s: sizes of the attributes sum up to %d, not %d", it, size, it.size)
	}
	if depth != it.Depth() {
		t.Fatalf("%s: depth %d, not %d", it, it.Depth(), depth)
	}
	indexed := index(it.text)
	if indexed.size != it.size || !slices.Equal(indexed.attrs, it.attrs) {
		t.Fatalf("index: got %d %v, want %d %v", indexed.size, indexed.attrs, it.size, it.attrs)
	}
}

const (
	ompv      = "One or more parameter values were invalid: "
	emptyText = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
	manyText  = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
	depthText = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
)

func TestDecodeFaults(t *testing.T) {
	tests := []struct {
		value, classic, current string
		kind                    FaultKind
	}{
		{`{}`, emptyText, "", FaultEmptyValue},
		{`{"X":"y"}`, emptyText, "", FaultEmptyValue},
		{`{"s":"y"}`, emptyText, "", FaultEmptyValue},
		{`{"S":null}`, emptyText, "", FaultEmptyValue},
		{`null`, emptyText, "", FaultEmptyValue},
		{`{"L":[{"S":"a"},{}]}`, emptyText, "", FaultEmptyValue},
		{`{"L":[null]}`, emptyText, "", FaultEmptyValue},
		{`{"M":{"a":{}}}`, emptyText, "", FaultEmptyValue},
		{`{"S":"a","N":"1"}`, manyText, "", FaultManyTypes},
		{`{"S":"a","NS":[]}`, ompv + "An number set  may not be empty", "", FaultEmptySet},
		{`{"NULL":false}`, ompv + "Null attribute value types must have the value of true", "", FaultNull},
		{`{"NULL":"no"}`, ompv + "Null attribute value types must have the value of true", "", FaultNull},
		{`{"SS":[]}`, ompv + "An string set  may not be empty", "", FaultEmptySet},
		{`{"NS":[]}`, ompv + "An number set  may not be empty", "", FaultEmptySet},
		{`{"BS":[]}`, ompv + "Binary sets should not be empty", "", FaultEmptySet},
		{`{"SS":["a",null]}`, ompv + "An string set may not have a null string as a member", "", FaultNullMember},
		{`{"SS":["a","a"]}`, ompv + "Input collection [a, a] contains duplicates.", ompv + `Input collection ["a", "a"] contains duplicates.`, FaultDuplicates},
		{`{"SS":["c","b","a","b","d","a"]}`, ompv + "Input collection [c, b, a, b, d, a] contains duplicates.",
			ompv + `Input collection ["a", "b", "c", "b", "d", "a"] contains duplicates.`, FaultDuplicates},
		{`{"SS":["","\u0061","a",""]}`, ompv + "Input collection [, a, a, ] contains duplicates.",
			ompv + `Input collection ["", "a", "a", ""] contains duplicates.`, FaultDuplicates},
		{`{"BS":["AA==","AA=="]}`, ompv + "Input collection [AA==, AA==]of type BS contains duplicates.",
			ompv + `Input collection ["AA==","AA=="]of type BS contains duplicates.`, FaultDuplicates},
		{`{"BS":["////","AAAA","AAAA"]}`, ompv + "Input collection [////, AAAA, AAAA]of type BS contains duplicates.",
			ompv + `Input collection ["AAAA","////","AAAA"]of type BS contains duplicates.`, FaultDuplicates},
		{`{"NS":["1","1.0"]}`, "Input collection contains duplicates", ompv + "Input collection contains duplicates.", FaultDuplicates},
		{`{"NS":["1","x"]}`, "The parameter cannot be converted to a numeric value: x", "", FaultNotANumber},
		{`{"NS":["1",""]}`, "The parameter cannot be converted to a numeric value", "The parameter cannot be converted to a numeric value: ", FaultNotANumber},
		{`{"N":"\u0031x"}`, "The parameter cannot be converted to a numeric value: 1x", "", FaultNotANumber},
		{`{"M":{"":{"S":"x"}}}`, "Empty attribute name", "", FaultName},
		{`{"M":{"` + strings.Repeat("x", 65536) + `":{"S":"x"}}}`, "Attribute name is too large, must be less than 65536 bytes", "", FaultName},
		{nested(32, `{"S":"x"}`), depthText, "", FaultDepth},
		{nested(32, `{}`), depthText, "", FaultDepth}, // both are at fault, the level comes first
		{nested(400, `{"S":"x"}`), depthText, "", FaultDepth},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%.60s", tt.value), func(t *testing.T) {
			var d Decoder
			c := coral.New(`{"first":{"S":"fine"},"bad":` + tt.value + `,"next":{"N":"bad too"}}`)
			it, fault, err := d.Item(&c)
			if it != nil || fault == nil || err != nil {
				t.Fatalf("got %v, %v, %v, want a fault", it, fault, err)
			}
			if err := c.End(); err != nil {
				t.Errorf("reading stopped early: %v", err)
			}
			if tt.current == "" {
				tt.current = tt.classic
			}
			got := []any{fault.Error(), fault.Current(), fault.Kind, fault.Bare()}
			want := []any{tt.classic, tt.current, tt.kind, tt.kind == FaultEmptyValue || tt.kind == FaultManyTypes}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("fault (-want +got):\n%s", diff)
			}
		})
	}
}

// nested wraps a value in n lists and maps.
func nested(n int, value string) string {
	for i := range n {
		if i%2 == 0 {
			value = `{"L":[` + value + `]}`
		} else {
			value = `{"M":{"m":` + value + `}}`
		}
	}
	return value
}

func TestDeepestValue(t *testing.T) {
	for _, inner := range []string{`{"S":"x"}`, `{"SS":["x"]}`, `{"L":[]}`, `{"M":{}}`} {
		v, err := ParseValue(nested(31, inner))
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Depth(); got != MaxDepth {
			t.Errorf("%s: depth %d", inner, got)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	const structure = "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"
	tests := []struct{ text, want string }{
		{`[]`, "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
		{`"x"`, "Unexpected field type"},
		{`{"a":"x"}`, "Unexpected value type in payload"},
		{`{"a":1}`, "Unexpected value type in payload"},
		{`{"a":[]}`, structure},
		{`{"a":{"S":1}}`, "NUMBER_VALUE cannot be converted to String"},
		{`{"a":{"N":123}}`, "NUMBER_VALUE cannot be converted to String"},
		{`{"a":{"N":1.5}}`, "DECIMAL_VALUE cannot be converted to String"},
		{`{"a":{"S":{}}}`, "Start of structure or map found where not expected"},
		{`{"a":{"B":true}}`, "only base-64-encoded strings are convertible to bytes"},
		{`{"a":{"B":"abc"}}`, "Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
		{`{"a":{"BOOL":"perhaps"}}`, "Unexpected token received from parser"},
		{`{"a":{"NULL":0}}`, "NUMBER_VALUE cannot be converted to Boolean"},
		{`{"a":{"SS":"x"}}`, "Unexpected field type"},
		{`{"a":{"SS":{}}}`, "Start of structure or map found where not expected"},
		{`{"a":{"SS":[1]}}`, "NUMBER_VALUE cannot be converted to String"},
		{`{"a":{"NS":[1]}}`, "NUMBER_VALUE cannot be converted to String"},
		{`{"a":{"BS":["abd="]}}`, "Invalid last non-pad Base64 character dectected"},
		{`{"a":{"BS":[["x"]]}}`, "Unrecognized collection type class java.nio.ByteBuffer"},
		{`{"a":{"L":{}}}`, "Start of structure or map found where not expected"},
		{`{"a":{"L":["x"]}}`, "Unexpected value type in payload"},
		{`{"a":{"M":[]}}`, "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
		{`{"a":{"M":{"b":[]}}}`, structure},
		{`{"fault":{"NS":[]},"a":{"S":1}}`, "NUMBER_VALUE cannot be converted to String"}, // errors come before faults
	}
	for _, tt := range tests {
		_, err := ParseItem(tt.text)
		var typeErr *coral.TypeError
		if !errors.As(err, &typeErr) || typeErr.Message != tt.want {
			t.Errorf("%s: got %v, want %s", tt.text, err, tt.want)
		}
	}
}

func TestDecodeSyntaxErrors(t *testing.T) {
	var many, twice strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, `"n%d":{"S":"x"},`, i)
	}
	twice.WriteString(`{` + many.String() + `"n50":{"S":"y"}}`)
	for _, text := range []string{
		``, `{"a":{"S":"x"}`, `{"a":{"S":"x"},}`, `{"a":{"S":"x"}} 1`, `{"a":{"S":"x","S":"y"}}`, `{"a":{"S":"x"},"a":{"S":"x"}}`,
		`{"a":{"S":"x"},"\u0061":{"S":"x"}}`, `{"a":{"M":{"b":{"S":"x"},"b":{"S":"x"}}}}`, twice.String(), `{"a":{"S":"x","u":[1,]}}`,
		`{"a":nul}`, `{"a":` + strings.Repeat(`{"L":[`, 100000), `{"a":` + nested(600, `{"S":"x"}`) + `}`,
	} {
		_, err := ParseItem(text)
		var syntax *coral.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%.60s: got %v, want a syntax error", text, err)
		}
	}
	if _, err := ParseItem(`{` + strings.TrimSuffix(many.String(), ",") + `}`); err != nil {
		t.Errorf("a hundred names: %v", err)
	}
}

func TestBigSet(t *testing.T) {
	members := make([]string, 5000)
	for i := range members {
		members[i] = fmt.Sprintf("%q", fmt.Sprint("member ", i))
	}
	text := `{"SS":[` + strings.Join(members, ",") + `]}`
	v, err := ParseValue(text)
	if err != nil || v.Len() != len(members) || v.Text() != text {
		t.Errorf("got %d members, %v", v.Len(), err)
	}
	members[4999] = members[3]
	_, err = ParseValue(`{"SS":[` + strings.Join(members, ",") + `]}`)
	var fault *Fault
	if !errors.As(err, &fault) || fault.Kind != FaultDuplicates {
		t.Errorf("a repeat was not found: %.80v", err)
	}
}

// TestDecoderReuse sees that nothing of one item shows in the next.
func TestDecoderReuse(t *testing.T) {
	var d Decoder
	read := func(text string) *Item {
		c := coral.New(text)
		it, _, err := d.Item(&c)
		if err != nil {
			t.Fatal(err)
		}
		return it
	}
	a := read(`{"a":{"S":"first"},"b":{"N":"1"}}`)
	read(`{"x":{},"y":{"S":"other and longer"}}`)
	b := read(`{"c":{"S":"second"}}`)
	checkItem(t, a)
	checkItem(t, b)
	if a.Text() != `{"a":{"S":"first"},"b":{"N":"1"}}` || b.Text() != `{"c":{"S":"second"}}` {
		t.Errorf("got %s and %s", a, b)
	}
}

func TestDecodeAllocations(t *testing.T) {
	var d Decoder
	text := benchItem
	if n := testing.AllocsPerRun(100, func() {
		c := coral.New(text)
		if _, _, err := d.Item(&c); err != nil {
			t.Fatal(err)
		}
	}); n != 3 {
		t.Errorf("%v allocations, want the item's three", n)
	}
}

// plain is a value as encoding/json sees it, without what the canonical form
// changes.
func plain(v Value) any {
	switch t := v.Type(); t {
	case S:
		return map[string]any{"S": v.Str()}
	case M:
		m := map[string]any{}
		for name, f := range v.Members() {
			m[name] = plain(f)
		}
		return map[string]any{"M": m}
	case L:
		l := []any{}
		for e := range v.Elements() {
			l = append(l, plain(e))
		}
		return map[string]any{"L": l}
	case SS, NS, BS:
		s := []any{}
		for e := range v.Elements() {
			s = append(s, plain(e).(map[string]any)[t.member().String()])
		}
		return map[string]any{t.String(): s}
	case N:
		return map[string]any{"N": v.NumberText()}
	case B:
		return map[string]any{"B": v.raw()}
	case BOOL:
		return map[string]any{"BOOL": v.Bool()}
	}
	return map[string]any{"NULL": true}
}

var fuzzItems = []string{
	`{"a":{"S":"x\n\u00e9"},"b":{"N":"1.50e3"},"c":{"SS":["x","y"]},"d":{"L":[{"M":{"e":{"B":"AAE="}}},{"NULL":true}]}}`,
	`{"a":{"NS":["1","2"]},"b":{"BS":["AA==",""]},"c":{"BOOL":false},"q\"":{"M":{}}}`,
	`{"a":{"L":[{"S":"0"},{"S":"1"},{"S":"2"},{"L":[{"N":"3"}]}]},"m":{"M":{"x":{"N":"1"},"y":{"M":{"z":{"S":""}}}}}}`,
	`{}`, `{"a":{}}`, `{"a":{"S":1}}`,
}

func FuzzDecoder(f *testing.F) {
	for _, text := range fuzzItems {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		it, err := ParseItem(text)
		if err != nil {
			return
		}
		checkItem(t, it)
		var want any
		if err := json.Unmarshal([]byte(it.Text()), &want); err != nil {
			t.Fatalf("%s is not JSON: %v", it, err)
		}
		got := map[string]any{}
		for name, v := range it.All() {
			got[name] = plain(v)
			if !Equal(v, v) || v.Size() < 0 || v.Len() < 0 {
				t.Fatalf("%s: odd value", v)
			}
		}
		if diff := cmp.Diff(want, any(got)); diff != "" {
			t.Fatalf("encoding/json reads another item:\n%s", diff)
		}
	})
}
