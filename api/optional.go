package api

import (
	"time"

	"github.com/dynalite-go/dynalite/attr"
)

// String is an optional string member.
type String struct {
	Value string
	Set   bool
}

// Int is an optional integer member of any width (Integer, Long).
type Int struct {
	Value int64
	Set   bool
}

// Bool is an optional boolean member.
type Bool struct {
	Value bool
	Set   bool
}

// Float is an optional number with a fraction.
type Float struct {
	Value float64
	Set   bool
}

// Time is an optional timestamp. On the wire it is a JSON number of epoch seconds, in milliseconds at best.
type Time struct {
	Value time.Time
	Set   bool
}

// Some returns a String that is set.
func Some(s string) String { return String{Value: s, Set: true} }

// SomeInt returns an Int that is set.
func SomeInt(n int64) Int { return Int{Value: n, Set: true} }

// SomeBool returns a Bool that is set.
func SomeBool(b bool) Bool { return Bool{Value: b, Set: true} }

// SomeFloat returns a Float that is set.
func SomeFloat(f float64) Float { return Float{Value: f, Set: true} }

// SomeTime returns a Time that is set.
func SomeTime(t time.Time) Time { return Time{Value: t, Set: true} }

// Or returns the value, or def when the member is absent.
func (s String) Or(def string) string {
	if s.Set {
		return s.Value
	}
	return def
}

// Item is an item or a key of a request. Value faults (behaviours/03 §3.1) are not errors of decoding, since
// other checks come before them: Fault holds the first one, and Item may then be nil.
type Item struct {
	Item  *attr.Item
	Fault *attr.Fault
	Set   bool
}

// SomeItem returns an Item that is set.
func SomeItem(it *attr.Item) Item { return Item{Item: it, Set: true} }

// Value is one attribute value of a request, with its fault if it has one.
type Value struct {
	Value attr.Value
	Fault *attr.Fault
	Set   bool
}

// NamedValue is one entry of ExpressionAttributeValues. Name is the placeholder with its colon.
type NamedValue struct {
	Name  string
	Value attr.Value
	Fault *attr.Fault
}

// Name is one entry of ExpressionAttributeNames. Placeholder keeps its number sign.
type Name struct {
	Placeholder string
	Target      string
}

// View is an item in an output, seen through a projection. A nil Projection shows the whole item.
type View struct {
	Item       *attr.Item
	Projection *attr.Projection
}

// Spare keeps the storage of a pooled input's slices between two requests.
type Spare struct {
	Names  []Name
	Values []NamedValue
}

// keep takes over the storage of the slices that a request filled. It clears them, so that the request body
// which the strings alias can be collected.
func (s *Spare) keep(names []Name, values []NamedValue) Spare {
	if names == nil {
		names = s.Names
	}
	if values == nil {
		values = s.Values
	}
	clear(names)
	clear(values)
	return Spare{Names: names[:0], Values: values[:0]}
}
