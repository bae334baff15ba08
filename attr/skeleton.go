// Package attr holds attribute values and items.
package attr

import (
	"errors"
	"iter"

	"github.com/dynalite-go/dynalite/internal/coral"
)

// Type is the type of an attribute value. The zero Type is that of a missing value.
type Type uint8

// The ten types.
const (
	S Type = iota + 1
	N
	B
	SS
	NS
	BS
	M
	L
	BOOL
	NULL
)

// String returns the type's name on the wire, "S" and so on; "" for the zero Type.
func (t Type) String() string { return "" }

// Value is one attribute value. The zero Value stands for a missing value.
type Value struct{ text string }

func (v Value) IsZero() bool                      { return v.text == "" }
func (v Value) Type() Type                        { return 0 }
func (v Value) Text() string                      { return v.text }
func (v Value) String() string                    { return v.text }
func (v Value) Size() int                         { return 0 }
func (v Value) Depth() int                        { return 0 }
func (v Value) Str() string                       { return "" }
func (v Value) NumberText() string                { return "" }
func (v Value) Bytes() []byte                     { return nil }
func (v Value) Bool() bool                        { return false }
func (v Value) Len() int                          { return 0 }
func (v Value) Elements() iter.Seq[Value]         { return func(func(Value) bool) {} }
func (v Value) Members() iter.Seq2[string, Value] { return func(func(string, Value) bool) {} }
func (v Value) Index(i int) (Value, bool)         { return Value{}, false }
func (v Value) Field(name string) (Value, bool)   { return Value{}, false }
func (v Value) Equal(w Value) bool                { return Equal(v, w) }
func (v Value) AppendJSON(dst []byte) []byte      { return append(dst, v.text...) }

func Equal(a, b Value) bool               { return a.text == b.text }
func Compare(a, b Value) (c int, ok bool) { return 0, false }
func Contains(a, b Value) bool            { return false }
func HasPrefix(a, b Value) bool           { return false }

func String(s string) Value                   { return Value{} }
func NumberValue(text string) (Value, *Fault) { return Value{}, nil }
func Int(n int64) Value                       { return Value{} }
func Binary(b []byte) Value                   { return Value{} }
func Bool(b bool) Value                       { return Value{} }
func Null() Value                             { return Value{} }
func List(elements ...Value) Value            { return Value{} }
func Map(fields ...Field) Value               { return Value{} }

// StringSet drops duplicates; no members give the zero Value.
func StringSet(members ...string) Value           { return Value{} }
func NumberSet(members ...string) (Value, *Fault) { return Value{}, nil }
func BinarySet(members ...[]byte) Value           { return Value{} }

func ParseValue(jsonText string) (Value, error) { return Value{}, nil }

// Union of two sets of one type: members of a, then those of b that a lacks.
func Union(a, b Value) Value { return Value{} }

// Difference is the members of a that are not in b; empty tells that none is left (and the Value is zero).
func Difference(a, b Value) (v Value, empty bool) { return Value{}, false }

// Add and Subtract are exact; the fault is overflow or underflow.
func Add(a, b Value) (Value, *Fault)      { return Value{}, nil }
func Subtract(a, b Value) (Value, *Fault) { return Value{}, nil }

type span struct{ name, val uint32 }

// Item is an immutable item. A nil *Item means "no item".
type Item struct {
	text  string
	attrs []span
	size  int
}

// Field is one named value.
type Field struct {
	Name  string
	Value Value
}

func NewItem(fields ...Field) *Item               { return &Item{} }
func ParseItem(jsonText string) (*Item, error)    { return nil, nil }
func (it *Item) Lookup(name string) (Value, bool) { return Value{}, false }
func (it *Item) Len() int                         { return 0 }
func (it *Item) At(i int) (name string, v Value)  { return "", Value{} }
func (it *Item) All() iter.Seq2[string, Value]    { return func(func(string, Value) bool) {} }
func (it *Item) Size() int                        { return 0 }
func (it *Item) Depth() int                       { return 0 }
func (it *Item) Text() string                     { return "{}" }
func (it *Item) String() string                   { return it.Text() }
func (it *Item) AppendJSON(dst []byte) []byte     { return dst }
func (it *Item) Equal(other *Item) bool           { return EqualItems(it, other) }
func EqualItems(a, b *Item) bool                  { return false }

// ErrPath: the parent of an edit's target is missing or of the wrong kind.
var ErrPath = errors.New("path is invalid for update")

// ErrOverlap: two edits of one call have overlapping paths.
var ErrOverlap = errors.New("paths of edits overlap")

// Edit sets Path to Value, or removes Path when Value is zero.
type Edit struct {
	Path  Path
	Value Value
}

// Edit returns the item with the edits applied. Errors: ErrPath, ErrOverlap, or a *Fault of kind FaultDepth when the result nests too deep.
func (it *Item) Edit(edits []Edit) (*Item, error) { return nil, nil }

// MaxDepth is the number of levels an attribute may nest; the attribute itself is level 1.
const MaxDepth = 32

// MaxNameBytes is the longest attribute name.
const MaxNameBytes = 65535

// FaultKind tells faults apart.
type FaultKind uint8

// Kinds of faults.
const (
	FaultEmptyValue FaultKind = iota + 1 // {}
	FaultManyTypes                       // two types in one value
	FaultNull                            // {"NULL": false}
	FaultEmptySet
	FaultDuplicates
	FaultName   // attribute name empty or too long
	FaultDepth  // more than MaxDepth levels
	FaultNumber // not a number
	FaultOverflow
	FaultUnderflow
	FaultDigits
)

// Fault is a value that is well-formed JSON of the right types but no legal attribute value (behaviours/03 §3.1, §3.2).
type Fault struct {
	Kind    FaultKind
	classic string
	current string
}

// Error is the classic text.
func (f *Fault) Error() string { return f.classic }

// Current is the current text.
func (f *Fault) Current() string { return f.current }

// Bare tells that the fault never takes the "1 validation error detected: " envelope ({} and several types).
func (f *Fault) Bare() bool { return f.Kind == FaultEmptyValue || f.Kind == FaultManyTypes }

// DepthFault is the fault of a value or item that nests too deep.
func DepthFault() *Fault { return &Fault{Kind: FaultDepth} }

// Decoder reads values and items; it may be reused, not shared.
type Decoder struct {
	buf []byte
}

// Item reads a JSON object of attribute values. error is *coral.SyntaxError or *coral.TypeError.
func (d *Decoder) Item(c *coral.Cursor) (*Item, *Fault, error) { return nil, nil, nil }

// Value reads one attribute value (as an element of a map or list; callers with a structure member call
// c.ExpectStructure first).
func (d *Decoder) Value(c *coral.Cursor) (Value, *Fault, error) { return Value{}, nil, nil }

// Elem is one step of a path: a name or an index.
type Elem struct {
	name, escaped string
	index         int
	isIndex       bool
}

func NameElem(name string) Elem { return Elem{name: name} }
func IndexElem(index int) Elem  { return Elem{index: index, isIndex: true} }
func (e Elem) IsIndex() bool    { return e.isIndex }
func (e Elem) Name() string     { return e.name }
func (e Elem) Index() int       { return e.index }

// Path is a document path.
type Path []Elem

// ParsePath reads "a.b[3]" with literal names (tests, tools).
func ParsePath(s string) (Path, error) { return nil, nil }

// NamePath is the path of one top-level attribute.
func NamePath(name string) Path { return Path{NameElem(name)} }

// String is the path as error messages print it: [a, [0], b].
func (p Path) String() string                 { return "" }
func (p Path) Equal(q Path) bool              { return false }
func (p Path) Resolve(it *Item) (Value, bool) { return Value{}, false }
func Overlaps(a, b Path) bool                 { return false }
func Conflicts(a, b Path) bool                { return false }

// Projection is a compiled set of paths. A nil *Projection is the whole item.
type Projection struct{}

func NewProjection(paths []Path) *Projection             { return nil }
func TopLevel(names ...string) *Projection               { return nil }
func (p *Projection) Append(dst []byte, it *Item) []byte { return dst }
func (p *Projection) Apply(it *Item) *Item               { return nil }
func (p *Projection) Size(it *Item) int                  { return 0 }

func AppendKey(dst []byte, v Value) []byte             { return dst }
func Key(v Value) string                               { return "" }
func AppendTuple(dst []byte, part string) []byte       { return dst }
func AppendTuplePrefix(dst []byte, part string) []byte { return dst }
func KeyBytes(v Value) int                             { return 0 }
