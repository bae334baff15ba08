package coral

import "strings"

// MaxDepth is the deepest nesting of arrays and objects that Skip passes over.
// Deeper text is a SyntaxError, as it is to the service's parser.
const MaxDepth = 1000

// Kind is the kind of the next JSON value.
type Kind uint8

// The kinds. Invalid stands for the end of the text and for a byte that starts
// no value. Int and Frac are numbers; one with a point or an exponent is Frac.
const (
	Invalid Kind = iota
	Null
	True
	False
	Int
	Frac
	String
	Array
	Object
)

// Cursor reads one JSON text. It is a small value; copying it copies the
// position. No method allocates, except to unescape a string, to decode a blob
// and to report an error.
type Cursor struct {
	text string
	pos  int
	open bool // the last thing consumed was an opening bracket
}

// New returns a cursor at the start of text.
func New(text string) Cursor { return Cursor{text: text} }

// Offset is the position of the cursor in bytes.
func (c *Cursor) Offset() int { return c.pos }

// Reset goes back to an offset at which a value starts.
func (c *Cursor) Reset(offset int) { c.pos, c.open = offset, false }

// Slice is the text between two offsets.
func (c *Cursor) Slice(from, to int) string { return c.text[from:to] }

func (c *Cursor) syntax() error { return &SyntaxError{Offset: c.pos} }

// space passes over white space and returns the byte after it, 0 at the end.
func (c *Cursor) space() byte {
	for c.pos < len(c.text) {
		b := c.text[c.pos]
		if b > ' ' || b != ' ' && b != '\n' && b != '\t' && b != '\r' {
			return b
		}
		c.pos++
	}
	return 0
}

// Peek tells the kind of the next value. It judges by the first byte, for
// numbers by the characters of the number; whether the value is well formed is
// seen when it is read.
func (c *Cursor) Peek() Kind {
	switch b := c.space(); b {
	case '"':
		return String
	case '{':
		return Object
	case '[':
		return Array
	case 't':
		return True
	case 'f':
		return False
	case 'n':
		return Null
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return c.numberKind()
	}
	return Invalid
}

func (c *Cursor) numberKind() Kind {
	for i := c.pos + 1; i < len(c.text); i++ {
		switch b := c.text[i]; {
		case b == '.' || b|0x20 == 'e':
			return Frac
		case b < '0' || b > '9':
			return Int
		}
	}
	return Int
}

// BeginObject enters an object. Anything else is a *SyntaxError; use
// ExpectMap or ExpectStructure before it for the right *TypeError.
func (c *Cursor) BeginObject() error { return c.begin('{') }

// BeginArray enters an array. Anything else is a *SyntaxError; use ExpectList
// before it for the right *TypeError.
func (c *Cursor) BeginArray() error { return c.begin('[') }

func (c *Cursor) begin(bracket byte) error {
	if c.space() != bracket {
		return c.syntax()
	}
	c.pos++
	c.open = true
	return nil
}

// NextKey reads the name of the next member and leaves the cursor at its
// value. At the end of the object it consumes the bracket and ok is false.
// The name is a substring of the text when it holds no escapes.
func (c *Cursor) NextKey() (key string, ok bool, err error) {
	raw, escaped, ok, err := c.NextRawKey()
	if escaped {
		raw = Unescape(raw)
	}
	return raw, ok, err
}

// NextRawKey is NextKey without unescaping: raw is what stands between the
// quotes, valid UTF-8 with valid escapes.
func (c *Cursor) NextRawKey() (raw string, escaped, ok bool, err error) {
	ok, err = c.next('}')
	if !ok {
		return "", false, false, err
	}
	if c.space() != '"' {
		return "", false, false, c.syntax()
	}
	raw, escaped, err = c.rawString()
	if err != nil {
		return "", false, false, err
	}
	if c.space() != ':' {
		return "", false, false, c.syntax()
	}
	c.pos++
	return raw, escaped, true, nil
}

// NextElem moves to the next element. At the end of the array it consumes the
// bracket and is false.
func (c *Cursor) NextElem() (bool, error) { return c.next(']') }

func (c *Cursor) next(bracket byte) (bool, error) {
	b := c.space()
	open := c.open
	c.open = false
	switch {
	case b == bracket:
		c.pos++
		return false, nil
	case open:
		return true, nil
	case b == ',':
		c.pos++
		return true, nil
	}
	return false, c.syntax()
}

// Skip passes over the next value and checks it fully.
func (c *Cursor) Skip() error {
	var objects [MaxDepth/64 + 1]uint64 // a bit per open container: is it an object?
	for depth := 0; ; {
		switch kind := c.Peek(); kind {
		case Object, Array:
			if depth == MaxDepth {
				return c.syntax()
			}
			if bit := uint64(1) << (depth % 64); kind == Object {
				objects[depth/64] |= bit
			} else {
				objects[depth/64] &^= bit
			}
			depth++
			c.pos++
			c.open = true
		default:
			if err := c.skipScalar(kind); err != nil {
				return err
			}
		}
		for more := false; !more; {
			if depth == 0 {
				return nil
			}
			var err error
			if top := depth - 1; objects[top/64]>>(top%64)&1 != 0 {
				_, _, more, err = c.NextRawKey()
			} else {
				more, err = c.NextElem()
			}
			if err != nil {
				return err
			}
			if !more {
				depth--
			}
		}
	}
}

func (c *Cursor) skipScalar(kind Kind) error {
	switch kind {
	case String:
		_, _, err := c.rawString()
		return err
	case Int, Frac:
		_, err := c.number()
		return err
	case Null:
		return c.literal("null")
	case True:
		return c.literal("true")
	case False:
		return c.literal("false")
	}
	return c.syntax()
}

func (c *Cursor) literal(word string) error {
	if !strings.HasPrefix(c.text[c.pos:], word) {
		return c.syntax()
	}
	c.pos += len(word)
	return nil
}

// End returns a *SyntaxError when anything but white space is left.
func (c *Cursor) End() error {
	c.space()
	if c.pos != len(c.text) {
		return c.syntax()
	}
	return nil
}
