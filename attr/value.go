package attr

import (
	"iter"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth is how many levels an attribute may nest. The attribute itself is
// level 1 (behaviours/03 §3.1).
const MaxDepth = 32

// MaxNameBytes is the length of the longest attribute name in bytes.
const MaxNameBytes = 65535

// Value is one attribute value: a part of an immutable text. Copying it is
// cheap, but keeps the whole text alive. The zero Value stands for a missing
// value.
type Value struct {
	text string
}

// IsZero tells a missing value.
func (v Value) IsZero() bool { return v.text == "" }

// Type is the value's type, 0 for a missing value.
func (v Value) Type() Type {
	if v.text == "" {
		return 0
	}
	return typeAt(v.text, 0)
}

// Text is the value as canonical DynamoDB JSON, empty for a missing value.
func (v Value) Text() string { return v.text }

// String is Text, for messages of tests and tools.
func (v Value) String() string { return v.text }

// AppendJSON appends Text.
func (v Value) AppendJSON(dst []byte) []byte { return append(dst, v.text...) }

// Equal is the function Equal as a method, so that go-cmp finds it.
func (v Value) Equal(w Value) bool { return Equal(v, w) }

// raw is the inside of the string of an S, N or B, empty for other types.
func (v Value) raw() string {
	if !v.Type().IsScalar() {
		return ""
	}
	return v.text[scalarStart : len(v.text)-len(`"}`)]
}

// Str is the string of an S, empty for other types. It allocates only when the
// text holds escapes.
func (v Value) Str() string {
	if v.Type() != S {
		return ""
	}
	return unescape(v.raw())
}

// NumberText is the number of an N in normal form, empty for other types.
func (v Value) NumberText() string {
	if v.Type() != N {
		return ""
	}
	return v.raw()
}

// Bytes is the decoded content of a B, nil for other types.
func (v Value) Bytes() []byte {
	if v.Type() != B {
		return nil
	}
	return decodeBase64(v.raw())
}

// Bool is true for the BOOL that is true, and for nothing else.
func (v Value) Bool() bool { return v.Type() == BOOL && v.text[boolStart] == 't' }

// Len is what the function size() counts: UTF-16 units of an S, bytes of a B,
// members of a set, list or map. It is 0 for other types.
func (v Value) Len() int {
	var w walker
	switch v.Type() {
	case S:
		return utf16Len(v.raw())
	case B:
		return base64Len(v.raw())
	case SS, NS, BS:
		w = v.members()
	case L, M:
		w = v.contents()
	default:
		return 0
	}
	n := 0
	for w.skip() {
		n++
	}
	return n
}

func utf16Len(raw string) int {
	n := 0
	for len(raw) > 0 {
		used, units := 1, 1
		switch {
		case raw[0] == '\\':
			_, used = nextByte(raw)
		case raw[0] >= utf8.RuneSelf:
			var r rune
			r, used = utf8.DecodeRuneInString(raw)
			units = utf16.RuneLen(r)
		}
		n += units
		raw = raw[used:]
	}
	return n
}

// Depth is how many levels the value nests: 1 for a scalar, a set or an empty
// container, one more for each container around it. It is 0 for a missing
// value.
func (v Value) Depth() int {
	switch v.Type() {
	case 0:
		return 0
	case L, M:
		// A container opens two brackets for itself, and so does each level
		// but the innermost, where a scalar opens one and a set two.
		return (brackets(v.text) + 1) / 2
	}
	return 1
}

// Elements are the elements of a list, or the members of a set as values of
// type S, N or B. There are none for other types.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		t := v.Type()
		switch {
		case t == L:
			for w := v.contents(); ; {
				e, ok := w.elem()
				if !ok || !yield(e) {
					return
				}
			}
		case t.IsSet():
			for w := v.members(); ; {
				raw, ok := w.member()
				if !ok || !yield(scalar(t.member(), raw)) {
					return
				}
			}
		}
	}
}

// Members are the names and values of a map. There are none for other types.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.Type() != M {
			return
		}
		for w := v.contents(); ; {
			name, m, ok := w.field()
			if !ok || !yield(unescape(name), m) {
				return
			}
		}
	}
}

// Index is element i of a list. It is false for other types and for positions
// that don't exist.
func (v Value) Index(i int) (Value, bool) {
	if i < 0 || v.Type() != L {
		return Value{}, false
	}
	w := v.contents()
	for ; i > 0; i-- {
		if !w.skip() {
			return Value{}, false
		}
	}
	return w.elem()
}

// Field is the member of a map with a name. It is false for other types and
// for names that don't exist.
func (v Value) Field(name string) (Value, bool) { return v.field(escape(name)) }

func (v Value) field(raw string) (Value, bool) {
	if v.Type() != M {
		return Value{}, false
	}
	for w := v.contents(); ; {
		name, m, ok := w.field()
		if !ok || name == raw {
			return m, ok
		}
	}
}
