package attr

import (
	"bytes"
	"slices"
	"strings"
)

// FaultKind tells faults apart.
type FaultKind uint8

// The kinds of faults, behaviours/03 §3.1 and §3.2.
const (
	FaultEmptyValue FaultKind = iota + 1 // a value without a type: {}
	FaultManyTypes                       // a value with several types
	FaultNull                            // {"NULL": false}
	FaultEmptySet                        // a set without members
	FaultNullMember                      // a null inside a set
	FaultDuplicates                      // equal members in a set
	FaultName                            // attribute name empty or too long
	FaultDepth                           // nested deeper than MaxDepth
	FaultNotANumber                      // text that is no number
	FaultOverflow                        // number too large, or a sum with more than 38 digits
	FaultUnderflow                       // number too small
	FaultDigits                          // more than 38 significant digits
)

// Fault is the reason why a value is refused although its JSON and its JSON
// types are right. It carries the text of both wordings.
type Fault struct {
	Kind    FaultKind
	classic string
	current string // empty when it is the same
	// parameter is the text for a parameter of a PartiQL statement, empty
	// when it is the classic one.
	parameter string
}

// Error is the classic text.
func (f *Fault) Error() string { return f.classic }

// Current is the current text.
func (f *Fault) Current() string {
	if f.current != "" {
		return f.current
	}
	return f.classic
}

// Parameter is the text for a parameter of a PartiQL statement. There a number
// is read as a decimal whose exponent and scale have 32 bits (behaviours/09
// §9.5).
func (f *Fault) Parameter() string {
	if f.parameter != "" {
		return f.parameter
	}
	return f.classic
}

// Bare tells that the fault never takes the envelope "1 validation error
// detected: ", whatever the operation (behaviours/03 §3.1, last paragraph of
// the wording table).
func (f *Fault) Bare() bool { return f.Kind == FaultEmptyValue || f.Kind == FaultManyTypes }

const invalidParameter = "One or more parameter values were invalid: "

func emptyValueFault() *Fault {
	return &Fault{Kind: FaultEmptyValue,
		classic: "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"}
}

func manyTypesFault() *Fault {
	return &Fault{Kind: FaultManyTypes,
		classic: "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"}
}

func nullFault() *Fault {
	return &Fault{Kind: FaultNull, classic: invalidParameter + "Null attribute value types must have the value of true"}
}

func emptySetFault(t Type) *Fault {
	text := "Binary sets should not be empty"
	switch t {
	case SS:
		text = "An string set  may not be empty"
	case NS:
		text = "An number set  may not be empty"
	}
	return &Fault{Kind: FaultEmptySet, classic: invalidParameter + text}
}

func nullMemberFault(t Type) *Fault {
	switch t {
	case SS:
		return &Fault{Kind: FaultNullMember, classic: invalidParameter + "An string set may not have a null string as a member"}
	case BS:
		return &Fault{Kind: FaultNullMember, classic: invalidParameter + "Binary sets may not contain null or empty values"}
	}
	return emptyValueFault() // of a null in a number set only the type of error is known
}

func emptyNameFault() *Fault {
	return &Fault{Kind: FaultName, classic: "Empty attribute name"}
}

func longNameFault() *Fault {
	return &Fault{Kind: FaultName, classic: "Attribute name is too large, must be less than 65536 bytes"}
}

// NameFault is the fault of an attribute name, nil when the name is legal.
func NameFault(name string) *Fault {
	switch {
	case name == "":
		return emptyNameFault()
	case len(name) > MaxNameBytes:
		return longNameFault()
	}
	return nil
}

// DepthFault is the fault of a value that is nested deeper than MaxDepth.
func DepthFault() *Fault {
	return &Fault{Kind: FaultDepth, classic: "Nesting Levels have exceeded supported limits: " +
		"Attributes in the item have nested levels beyond supported limit"}
}

const (
	notANumber    = "The parameter cannot be converted to a numeric value"
	overflowText  = "Number overflow. Attempting to store a number with magnitude larger than supported range"
	underflowText = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
)

func notANumberFault(text string) *Fault {
	if text == "" {
		return &Fault{Kind: FaultNotANumber, classic: notANumber, current: notANumber + ": "}
	}
	return &Fault{Kind: FaultNotANumber, classic: notANumber + ": " + text}
}

func overflowFault() *Fault  { return &Fault{Kind: FaultOverflow, classic: overflowText} }
func underflowFault() *Fault { return &Fault{Kind: FaultUnderflow, classic: underflowText} }

func digitsFault() *Fault {
	return &Fault{Kind: FaultDigits, classic: "Attempting to store more than 38 significant digits in a Number"}
}

// duplicatesFault is the fault of a set with equal members. set has the form
// of a canonical value, but for the duplicates.
func duplicatesFault(set Value) *Fault {
	t := set.Type()
	if t == NS {
		return &Fault{Kind: FaultDuplicates,
			classic: "Input collection contains duplicates",
			current: invalidParameter + "Input collection contains duplicates."}
	}
	var members []string
	for w := set.members(); ; {
		raw, ok := w.member()
		if !ok {
			break
		}
		members = append(members, unescape(raw))
	}
	end := " contains duplicates."
	gap := ", "
	if t == BS {
		end = "of type BS contains duplicates."
		gap = ","
	}
	return &Fault{Kind: FaultDuplicates,
		classic: invalidParameter + "Input collection [" + strings.Join(members, ", ") + "]" + end,
		current: invalidParameter + `Input collection ["` + strings.Join(sortedToRepeat(members, t), `"`+gap+`"`) + `"]` + end,
	}
}

// sortedToRepeat is the order in which the current wording prints a set with
// duplicates: members up to the first repeat sorted by bytes, then the repeat,
// then the rest as sent.
func sortedToRepeat(members []string, t Type) []string {
	seen := make(map[string]bool, len(members))
	repeat := slices.IndexFunc(members, func(m string) bool {
		again := seen[m]
		seen[m] = true
		return again
	})
	sorted := slices.Clone(members)
	slices.SortFunc(sorted[:max(repeat, 0)], func(a, b string) int {
		if t == BS {
			return bytes.Compare(decodeBase64(a), decodeBase64(b))
		}
		return strings.Compare(a, b)
	})
	return sorted
}
