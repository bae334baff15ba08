// Package coral is a strict JSON cursor over a string, with the
// serialization error texts of the service's framework.
package coral

// Package is the Java package of the service's model; class names in error
// texts start with it.
const Package = "com.amazonaws.dynamodb.v20120810."

// MaxDepth is the deepest nesting of arrays and objects; more is a SyntaxError.
const MaxDepth = 1000

// Kind is the kind of the next JSON value.
type Kind uint8

// Kinds of JSON values. Invalid stands for the end of the text and for bytes
// that start no value.
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

// SyntaxError is malformed JSON: a SerializationException without a message.
type SyntaxError struct{ Offset int }

func (e *SyntaxError) Error() string { return "malformed JSON" }

// TypeError is a JSON value of the wrong type: a SerializationException with Message.
type TypeError struct{ Message string }

func (e *TypeError) Error() string { return e.Message }

// Cursor reads one JSON text, pull style.
type Cursor struct {
	text string
	pos  int
	open bool
}

// New returns a cursor at the start of text.
func New(text string) Cursor { return Cursor{text: text} }

// Offset is the position of the next byte.
func (c *Cursor) Offset() int { return c.pos }

// Reset goes back to the start of a value, at an offset got from Offset.
func (c *Cursor) Reset(offset int) { c.pos, c.open = offset, false }

// Peek tells the kind of the next value. It skips white space and consumes nothing else.
func (c *Cursor) Peek() Kind { return Invalid }

// BeginObject consumes "{".
func (c *Cursor) BeginObject() error { return &SyntaxError{} }

// NextKey returns the next member's name, with the cursor at its value; ok is false at the end, with "}" consumed.
func (c *Cursor) NextKey() (key string, ok bool, err error) { return "", false, &SyntaxError{} }

// BeginArray consumes "[".
func (c *Cursor) BeginArray() error { return &SyntaxError{} }

// NextElem moves to the next element; false at the end, with "]" consumed.
func (c *Cursor) NextElem() (bool, error) { return false, &SyntaxError{} }

// ReadNull consumes a null if the next value is one, and tells so.
func (c *Cursor) ReadNull() (bool, error) { return false, &SyntaxError{} }

// ReadString reads a string. It is a substring of the text when it holds no escapes.
func (c *Cursor) ReadString() (string, error) { return "", &SyntaxError{} }

// ReadBool reads a Boolean, also from the strings true, 1, yes, false, 0, no in any case.
func (c *Cursor) ReadBool() (bool, error) { return false, &SyntaxError{} }

// ReadInt reads an integer; fractions are floored, values beyond int64 saturate.
// class is Short, Integer or Long, for the error text.
func (c *Cursor) ReadInt(class string) (int64, error) { return 0, &SyntaxError{} }

// ReadFloat reads a Double.
func (c *Cursor) ReadFloat() (float64, error) { return 0, &SyntaxError{} }

// ReadBlob reads standard base64 with padding.
func (c *Cursor) ReadBlob() ([]byte, error) { return nil, &SyntaxError{} }

// ExpectList returns a *TypeError unless the next value is an array.
func (c *Cursor) ExpectList() error { return nil }

// ExpectMap returns a *TypeError unless the next value is an object.
// javaType is the full Java name of the map's values.
func (c *Cursor) ExpectMap(javaType string) error { return nil }

// ExpectStructure returns a *TypeError unless the next value is an object. javaType is its full Java class name;
// inContainer tells a structure inside a list or map from one that is a member.
func (c *Cursor) ExpectStructure(javaType string, inContainer bool) error { return nil }

// ExpectNestedList is ExpectList for a list inside a map (BatchWriteItem's tables), where scalars get the Java cast text.
func (c *Cursor) ExpectNestedList() error { return nil }

// ExpectNestedMap is ExpectMap for a map inside a list (BatchGetItem's Keys), where scalars get the Java cast text.
func (c *Cursor) ExpectNestedMap(javaType string) error { return nil }

// Skip consumes the next value and validates it fully.
func (c *Cursor) Skip() error { return &SyntaxError{} }

// End returns a *SyntaxError when anything but white space is left.
func (c *Cursor) End() error { return nil }
