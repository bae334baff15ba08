package expr

import (
	"encoding/base64"

	"github.com/dynalite-go/dynalite/attr"
)

// typeMask is a set of types.
type typeMask uint16

func (m typeMask) has(t attr.Type) bool { return m&(1<<t) != 0 }

// Sets of types that operators and functions take (behaviours/04 §4.4, §4.8).
const (
	maskOrdered typeMask = 1<<attr.S | 1<<attr.N | 1<<attr.B
	maskPrefix  typeMask = 1<<attr.S | 1<<attr.B
	maskString  typeMask = 1 << attr.S
	maskNumber  typeMask = 1 << attr.N
	maskList    typeMask = 1 << attr.L
	maskSets    typeMask = 1<<attr.SS | 1<<attr.NS | 1<<attr.BS
	maskSized   typeMask = maskPrefix | maskSets | 1<<attr.L | 1<<attr.M
	maskAdded   typeMask = maskNumber | maskSets
)

// typeOf returns the type that a tag such as "SS" names, or 0.
func typeOf(tag string) attr.Type {
	for t := attr.S; t <= attr.NULL; t++ {
		if t.String() == tag {
			return t
		}
	}
	return 0
}

// longTypeName is how the texts of ADD and DELETE print a type. Sets are
// legal for both and never printed.
func longTypeName(t attr.Type) string {
	switch t {
	case attr.S:
		return "STRING"
	case attr.N:
		return "NUMBER"
	case attr.B:
		return "BINARY"
	case attr.BOOL:
		return "BOOLEAN"
	case attr.L:
		return "LIST"
	case attr.M:
		return "MAP"
	}
	return t.String()
}

// boundsFault compares the literal bounds of a BETWEEN.
func boundsFault(k Kind, at extent, lo, hi attr.Value) *Error {
	if lo.Type() != hi.Type() {
		return boundTypesFault(k, at, lo, hi)
	}
	if c, ok := attr.Compare(lo, hi); ok && c > 0 {
		return boundOrderFault(k, at, lo, hi)
	}
	return nil
}

// bound prints a bound as error texts do: {N:1}.
func bound(v attr.Value) string {
	text := ""
	switch v.Type() {
	case attr.S:
		text = v.Str()
	case attr.N:
		text = v.NumberText()
	case attr.B:
		text = base64.StdEncoding.EncodeToString(v.Bytes())
	}
	return "{" + v.Type().String() + ":" + text + "}"
}
