package attr

import (
	"encoding/base64"
	"slices"
	"strconv"

	"github.com/dynalite-go/dynalite/internal/coral"
)

// Field is a name with a value.
type Field struct {
	Name  string
	Value Value
}

// Named makes a Field.
func Named(name string, v Value) Field { return Field{Name: name, Value: v} }

// scalar makes an S, N or B of the inside of its canonical text.
func scalar(t Type, raw string) Value { return Value{`{"` + t.String() + `":"` + raw + `"}`} }

// String makes an S. Bytes that are not UTF-8 become U+FFFD.
func String(s string) Value { return scalar(S, escape(validUTF8(s))) }

// NumberValue makes an N of a number in any form that the service takes.
func NumberValue(text string) (Value, *Fault) {
	dst, _, fault := appendNumber([]byte(`{"N":"`), text)
	if fault != nil {
		return Value{}, fault
	}
	return Value{string(append(dst, `"}`...))}, nil
}

// Int makes an N.
func Int(n int64) Value { return scalar(N, strconv.FormatInt(n, 10)) }

// Binary makes a B.
func Binary(b []byte) Value { return scalar(B, base64.StdEncoding.EncodeToString(b)) }

// Bool makes a BOOL.
func Bool(b bool) Value {
	if b {
		return Value{`{"BOOL":true}`}
	}
	return Value{`{"BOOL":false}`}
}

// Null makes a NULL.
func Null() Value { return Value{`{"NULL":true}`} }

// List makes an L. Missing values are left out.
func List(elements ...Value) Value {
	dst := []byte(`{"L":[`)
	for _, e := range elements {
		if e.IsZero() {
			continue
		}
		if len(dst) > scalarStart {
			dst = append(dst, ',')
		}
		dst = append(dst, e.text...)
	}
	return Value{string(append(dst, `]}`...))}
}

// Map makes an M. Missing values are left out; of several fields with one name
// the last counts.
func Map(fields ...Field) Value {
	return Value{`{"M":` + NewItem(fields...).Text() + `}`}
}

// StringSet makes an SS. Of equal members the first counts; without members it
// is a missing value, for there is no empty set.
func StringSet(members ...string) Value {
	raws := make([]string, len(members))
	for i, m := range members {
		raws[i] = escape(validUTF8(m))
	}
	return set(SS, raws)
}

// BinarySet makes a BS, under the rules of StringSet.
func BinarySet(members ...[]byte) Value {
	raws := make([]string, len(members))
	for i, m := range members {
		raws[i] = base64.StdEncoding.EncodeToString(m)
	}
	return set(BS, raws)
}

// NumberSet makes an NS, under the rules of StringSet. The fault is that of
// the first bad number.
func NumberSet(members ...string) (Value, *Fault) {
	raws := make([]string, len(members))
	for i, m := range members {
		dst, _, fault := appendNumber(nil, m)
		if fault != nil {
			return Value{}, fault
		}
		raws[i] = string(dst)
	}
	return set(NS, raws), nil
}

func set(t Type, raws []string) Value {
	if len(raws) == 0 {
		return Value{}
	}
	dst := []byte(`{"` + t.String() + `":[`)
	seen := make(map[string]bool, len(raws))
	for _, raw := range raws {
		if !seen[raw] {
			dst = appendMember(dst, raw)
			seen[raw] = true
		}
	}
	return Value{string(append(dst, `]}`...))}
}

// NewItem makes an item. Missing values are left out; of several fields with
// one name the last counts, in the place of the first. Names should be legal,
// see NameFault.
func NewItem(fields ...Field) *Item {
	size := len(`{}`)
	values := make([]Value, 0, len(fields))
	names := make([]string, 0, len(fields))
	var at map[string]int
	if len(fields) > fewFields {
		at = make(map[string]int, len(fields))
	}
	for _, f := range fields {
		if f.Value.IsZero() {
			continue
		}
		name := escape(validUTF8(f.Name))
		if i := known(names, at, name); i >= 0 {
			values[i] = f.Value
			continue
		}
		if at != nil {
			at[name] = len(names)
		}
		names = append(names, name)
		values = append(values, f.Value)
		size += len(name) + len(f.Value.text) + len(`"":,`)
	}
	var b builder
	b.init(size, len(names))
	for i, name := range names {
		b.add(name, values[i])
		b.size += byteLen(name) + values[i].Size()
	}
	return b.item()
}

// fewFields is how many names are looked through faster than hashed.
const fewFields = 8

// known is the position of a name among names, or -1. at is their index, nil
// when they are few.
func known(names []string, at map[string]int, name string) int {
	if at == nil {
		return slices.Index(names, name)
	}
	if i, ok := at[name]; ok {
		return i
	}
	return -1
}

// ParseValue reads a value from DynamoDB JSON, for tests and tools. The error
// is a *coral.SyntaxError, a *coral.TypeError or a *Fault.
func ParseValue(jsonText string) (Value, error) {
	c := coral.New(jsonText)
	var d Decoder
	v, fault, err := d.Value(&c)
	if err := parseError(&c, fault, err); err != nil {
		return Value{}, err
	}
	return v, nil
}

// ParseItem reads an item from DynamoDB JSON, for tests, tools and snapshots.
// Its errors are those of ParseValue.
func ParseItem(jsonText string) (*Item, error) {
	c := coral.New(jsonText)
	var d Decoder
	it, fault, err := d.Item(&c)
	if err := parseError(&c, fault, err); err != nil {
		return nil, err
	}
	return it, nil
}

func parseError(c *coral.Cursor, fault *Fault, err error) error {
	if err == nil {
		err = c.End()
	}
	if err == nil && fault != nil {
		err = fault
	}
	return err
}
