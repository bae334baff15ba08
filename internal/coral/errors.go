package coral

import "strconv"

// Package is the Java package of the service's model. Class names in error
// texts start with it.
const Package = "com.amazonaws.dynamodb.v20120810."

// SyntaxError says that the text is not JSON. The service answers a
// SerializationException without a message.
type SyntaxError struct {
	Offset int // of the first byte that does not fit
}

func (e *SyntaxError) Error() string {
	return "malformed JSON at offset " + strconv.Itoa(e.Offset)
}

// TypeError says that a value is of another JSON type than the model wants.
// The service answers a SerializationException with Message.
type TypeError struct {
	Message string
}

func (e *TypeError) Error() string { return e.Message }

const (
	structureFound = "Start of structure or map found where not expected"
	unexpectedType = "Unexpected field type"
	// A structure inside a list or map takes another road through the
	// service's parser than one that is a member.
	unexpectedValue = "Unexpected value type in payload"
	// Containers inside containers show the parser's own failure.
	nestedCast = "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class " +
		"(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')"
	notBase64  = "only base-64-encoded strings are convertible to bytes"
	badPadding = "Invalid last non-pad Base64 character dectected"
)

func collectionFound(class string) error {
	return &TypeError{"Unrecognized collection type " + class}
}

// scalarMismatch is the error for a value that cannot become a scalar of the
// Java class java.lang.<class>.
func (c *Cursor) scalarMismatch(class string) error {
	var found string
	switch c.Peek() {
	case True:
		found = "TRUE_VALUE"
	case False:
		found = "FALSE_VALUE"
	case Int:
		found = "NUMBER_VALUE"
	case Frac:
		found = "DECIMAL_VALUE"
	case String:
		found = "STRING_VALUE"
	case Null:
		// Members that are null count as absent, so this is only reached for
		// a null inside a list; no recording of it is known.
		found = "NULL_VALUE"
	case Array:
		return collectionFound("class java.lang." + class)
	case Object:
		return &TypeError{structureFound}
	default:
		return c.syntax()
	}
	return &TypeError{found + " cannot be converted to " + class}
}

// ExpectList returns a *TypeError unless the next value is an array.
func (c *Cursor) ExpectList() error { return c.expectList(unexpectedType) }

// ExpectNestedList is ExpectList for a list that is itself a value of a map,
// like the requests of one table in BatchWriteItem.
func (c *Cursor) ExpectNestedList() error { return c.expectList(nestedCast) }

func (c *Cursor) expectList(scalar string) error {
	switch c.Peek() {
	case Array:
		return nil
	case Object:
		return &TypeError{structureFound}
	case Invalid:
		return c.syntax()
	}
	return &TypeError{scalar}
}

// ExpectMap returns a *TypeError unless the next value is an object. javaType
// is the full Java name of the type of the map's values.
func (c *Cursor) ExpectMap(javaType string) error {
	return c.expectObject("java.util.Map<java.lang.String, ", javaType, ">", unexpectedType)
}

// ExpectNestedMap is ExpectMap for a map that is itself an element of a list,
// like a key in BatchGetItem.
func (c *Cursor) ExpectNestedMap(javaType string) error {
	return c.expectObject("java.util.Map<java.lang.String, ", javaType, ">", nestedCast)
}

// ExpectStructure returns a *TypeError unless the next value is an object.
// javaType is the structure's full Java class name; inContainer tells a
// structure in a list or map from one that is a member.
func (c *Cursor) ExpectStructure(javaType string, inContainer bool) error {
	if inContainer {
		return c.expectObject("class ", javaType, "", unexpectedValue)
	}
	return c.expectObject("class ", javaType, "", unexpectedType)
}

func (c *Cursor) expectObject(before, javaType, after, scalar string) error {
	switch c.Peek() {
	case Object:
		return nil
	case Array:
		return collectionFound(before + javaType + after)
	case Invalid:
		return c.syntax()
	}
	return &TypeError{scalar}
}
