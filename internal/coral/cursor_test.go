package coral

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTypeErrors(t *testing.T) {
	const cast = "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class " +
		"(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')"
	const start = "Start of structure or map found where not expected"
	expectations := map[string]func(c *Cursor) error{
		"String":  func(c *Cursor) error { _, err := c.ReadString(); return err },
		"Boolean": func(c *Cursor) error { _, err := c.ReadBool(); return err },
		"Integer": func(c *Cursor) error { _, err := c.ReadInt("Integer"); return err },
		"Long":    func(c *Cursor) error { _, err := c.ReadInt("Long"); return err },
		"Double":  func(c *Cursor) error { _, err := c.ReadFloat(); return err },
		"Blob":    func(c *Cursor) error { _, err := c.ReadBlob(); return err },
		"List":    (*Cursor).ExpectList,
		"Map":     func(c *Cursor) error { return c.ExpectMap("java.lang.String") },
		"Member":  func(c *Cursor) error { return c.ExpectStructure(Package+"Tag", false) },
		"Element": func(c *Cursor) error { return c.ExpectStructure(Package+"Tag", true) },
		"Lists":   (*Cursor).ExpectNestedList,
		"Maps":    func(c *Cursor) error { return c.ExpectNestedMap(Package + "AttributeValue") },
	}
	tests := []struct{ expected, text, want string }{
		{"String", `true`, "TRUE_VALUE cannot be converted to String"},
		{"String", `false`, "FALSE_VALUE cannot be converted to String"},
		{"String", `23`, "NUMBER_VALUE cannot be converted to String"},
		{"String", `-0.5`, "DECIMAL_VALUE cannot be converted to String"},
		{"String", `1e3`, "DECIMAL_VALUE cannot be converted to String"},
		{"String", ` "x"`, ""},
		{"String", `[]`, "Unrecognized collection type class java.lang.String"},
		{"String", `{}`, start},
		{"Boolean", `true`, ""},
		{"Boolean", `23`, "NUMBER_VALUE cannot be converted to Boolean"},
		{"Boolean", `2.5`, "DECIMAL_VALUE cannot be converted to Boolean"},
		{"Boolean", `"YES"`, ""},
		{"Boolean", `"0"`, ""},
		{"Boolean", `"maybe"`, "Unexpected token received from parser"},
		{"Boolean", `[]`, "Unrecognized collection type class java.lang.Boolean"},
		{"Boolean", `{}`, start},
		{"Integer", `true`, "TRUE_VALUE cannot be converted to Integer"},
		{"Long", `false`, "FALSE_VALUE cannot be converted to Long"},
		{"Integer", `1`, ""},
		{"Integer", `1.9`, ""},
		{"Integer", `"1"`, "STRING_VALUE cannot be converted to Integer"},
		{"Double", `"1"`, "STRING_VALUE cannot be converted to Double"},
		{"Long", `[]`, "Unrecognized collection type class java.lang.Long"},
		{"Integer", `{}`, start},
		{"Blob", `true`, "only base-64-encoded strings are convertible to bytes"},
		{"Blob", `1`, "only base-64-encoded strings are convertible to bytes"},
		{"Blob", `1.5`, "only base-64-encoded strings are convertible to bytes"},
		{"Blob", `"abcdef"`, "Base64 encoded length is expected a multiple of 4 bytes but found: 6"},
		{"Blob", `"=="`, "Base64 encoded length is expected a multiple of 4 bytes but found: 2"},
		{"Blob", `"AAé"`, "Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
		{"Blob", `"AAAé"`, "Invalid last non-pad Base64 character dectected"},
		{"Blob", `"ab=="`, "Invalid last non-pad Base64 character dectected"},
		{"Blob", `"abc="`, ""},
		{"Blob", `"abd="`, "Invalid last non-pad Base64 character dectected"},
		{"Blob", `"ab=c"`, "Invalid last non-pad Base64 character dectected"},
		{"Blob", `"===="`, "Invalid last non-pad Base64 character dectected"},
		{"Blob", `"a-_="`, "Invalid last non-pad Base64 character dectected"},
		{"Blob", `""`, ""},
		{"Blob", `"AA\u003d\u003D"`, ""},
		{"Blob", `"\/\/\/\/"`, ""},
		{"Blob", `[]`, "Unrecognized collection type class java.nio.ByteBuffer"},
		{"Blob", `{}`, start},
		{"List", `true`, "Unexpected field type"},
		{"List", `1.5`, "Unexpected field type"},
		{"List", `"x"`, "Unexpected field type"},
		{"List", `[]`, ""},
		{"List", `{}`, start},
		{"Map", `true`, "Unexpected field type"},
		{"Map", `[]`, "Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>"},
		{"Map", `{}`, ""},
		{"Member", `"x"`, "Unexpected field type"},
		{"Member", `[]`, "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Tag"},
		{"Member", `{}`, ""},
		{"Element", `"x"`, "Unexpected value type in payload"},
		{"Element", `1`, "Unexpected value type in payload"},
		{"Element", `[]`, "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Tag"},
		{"Element", `{}`, ""},
		{"Lists", `1`, cast},
		{"Lists", `{}`, start},
		{"Lists", `[]`, ""},
		{"Maps", `"x"`, cast},
		{"Maps", `[]`, "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
		{"Maps", `{}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.expected+" "+tt.text, func(t *testing.T) {
			c := New(tt.text)
			c.Peek()
			start := c.Offset()
			err := expectations[tt.expected](&c)
			got := ""
			if err != nil {
				var typeErr *TypeError
				if !errors.As(err, &typeErr) {
					t.Fatalf("got %T %v, want a TypeError", err, err)
				}
				got = typeErr.Message
				if c.Offset() != start {
					t.Errorf("the cursor moved to %d", c.Offset())
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, text := range []string{
		``, ` `, `{`, `[`, `"`, `{]`, `[}`, `[1,]`, `[,1]`, `[1 2]`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{a:1}`,
		`{"a" 1}`, `{"a":1 "b":2}`, `nul`, `nulL`, `tru`, `falsy`, `01`, `-`, `+1`, `1.`, `.5`, `1e`, `1e+`, `0x1`, `NaN`,
		`"\x"`, `"\u12"`, `"\u12g4"`, `"\`, "\"a\nb\"", "\"\xff\"", "\"12345678\xc0\x80\"", "\"\xed\xa0\x80\"", `1 2`, `{} x`, "\x00",
		strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1), strings.Repeat(`{"a":`, 1e6),
	} {
		c := New(text)
		err := c.Skip()
		if err == nil {
			err = c.End()
		}
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%.30q: got %v, want a SyntaxError", text, err)
		}
	}
}

func TestDeepestNesting(t *testing.T) {
	c := New(strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth))
	if err := c.Skip(); err != nil {
		t.Error(err)
	}
	if err := c.End(); err != nil {
		t.Error(err)
	}
}

func TestIntegers(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "-0": 0, "12": 12, "-3": -3, "1.9": 1, "-1.1": -2, "1e3": 1000, "1E-3": 0, "-1e-9": -1,
		"9223372036854775807": math.MaxInt64, "9223372036854775808": math.MaxInt64, "-1e400": math.MinInt64,
		"-9223372036854775809": math.MinInt64, "1e400": math.MaxInt64,
	} {
		c := New(text)
		got, err := c.ReadInt("Long")
		if err != nil || got != want {
			t.Errorf("%s: got %d, %v, want %d", text, got, err, want)
		}
	}
}

func TestBooleanStrings(t *testing.T) {
	for text, want := range map[string]bool{
		`"true"`: true, `"1"`: true, `"Yes"`: true, `true`: true, `"FALSE"`: false, `"0"`: false, `"nO"`: false, `false`: false,
	} {
		c := New(text)
		got, err := c.ReadBool()
		if err != nil || got != want {
			t.Errorf("%s: got %t, %v", text, got, err)
		}
	}
}

// TestReset walks the road of a caller that meets a wrong type: back to the
// start of the value, over it, and on.
func TestReset(t *testing.T) {
	c := New(`{"a": {"deep": [1, {}]}, "b": "x"}`)
	if err := c.BeginObject(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.NextKey(); err != nil {
		t.Fatal(err)
	}
	start := c.Offset()
	if err := c.BeginObject(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.NextKey(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.ReadString(); err == nil {
		t.Fatal("an array was read as a string")
	}
	c.Reset(start)
	if err := c.Skip(); err != nil {
		t.Fatal(err)
	}
	key, ok, err := c.NextKey()
	if key != "b" || !ok || err != nil {
		t.Fatalf("got %q, %t, %v", key, ok, err)
	}
	if s, err := c.ReadString(); s != "x" || err != nil {
		t.Fatalf("got %q, %v", s, err)
	}
	if _, ok, err := c.NextKey(); ok || err != nil {
		t.Fatalf("got %t, %v", ok, err)
	}
	if err := c.End(); err != nil {
		t.Fatal(err)
	}
}

// TestPeekAfterBegin sees that looking ahead does not hide that nothing was
// read yet.
func TestPeekAfterBegin(t *testing.T) {
	c := New(`[ 1, 2 ]`)
	if err := c.BeginArray(); err != nil {
		t.Fatal(err)
	}
	if got := c.Peek(); got != Int {
		t.Fatalf("got kind %d", got)
	}
	n := 0
	for {
		ok, err := c.NextElem()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		n++
		if err := c.Skip(); err != nil {
			t.Fatal(err)
		}
	}
	if n != 2 {
		t.Errorf("got %d elements", n)
	}
}

func TestReadingDoesNotAllocate(t *testing.T) {
	const text = `{"TableName":"Orders","Limit":10,"Key":{"pk":{"S":"a longer string, äöü"},"n":[1,2.5,null,true,false]}}`
	if n := testing.AllocsPerRun(100, func() {
		c := New(text)
		if err := c.Skip(); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// read builds what encoding/json would build, with the cursor.
func read(c *Cursor) (any, error) {
	switch c.Peek() {
	case Object:
		m := map[string]any{}
		if err := c.BeginObject(); err != nil {
			return nil, err
		}
		for {
			key, ok, err := c.NextKey()
			if !ok {
				return m, err
			}
			if m[key], err = read(c); err != nil {
				return nil, err
			}
		}
	case Array:
		s := []any{}
		if err := c.BeginArray(); err != nil {
			return nil, err
		}
		for {
			ok, err := c.NextElem()
			if !ok {
				return s, err
			}
			v, err := read(c)
			if err != nil {
				return nil, err
			}
			s = append(s, v)
		}
	case String:
		return c.ReadString()
	case True, False:
		return c.ReadBool()
	case Int, Frac:
		return c.ReadFloat()
	case Null:
		_, err := c.ReadNull()
		return nil, err
	}
	return nil, fmt.Errorf("no value")
}

func FuzzCursor(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00\ud800\n\/",true,false,null,{}],"b":"ü"}`, `[]`, `"\udc00\ud800"`, ` 0 `, "\"\xff\"",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		skipping := New(text)
		skipErr := skipping.Skip()
		if skipErr == nil {
			skipErr = skipping.End()
		}
		if strings.Count(text, "[")+strings.Count(text, "{") > MaxDepth {
			return // read recurses, and has no limit of its own
		}
		reading := New(text)
		got, err := read(&reading)
		if err == nil {
			err = reading.End()
		}
		if (err == nil) != (skipErr == nil) {
			t.Fatalf("Skip says %v, reading says %v", skipErr, err)
		}
		if err != nil {
			return
		}
		var want any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			if strings.Contains(err.Error(), "cannot unmarshal number") {
				return // out of the range of float64
			}
			t.Fatalf("encoding/json refuses: %v", err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("encoding/json reads another value (-json +cursor):\n%s", diff)
		}
	})
}

func BenchmarkSkip(b *testing.B) {
	text := `{"TableName":"Orders","Item":{"pk":{"S":"USER#0000000042"},"note":{"S":"` + strings.Repeat("lorem ipsum ", 70) + `"}}}`
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		c := New(text)
		if err := c.Skip(); err != nil {
			b.Fatal(err)
		}
	}
}
