package expr

import (
	"strconv"

	"github.com/dynalite-go/dynalite/attr"
)

// Error is a fault of an expression or of an update at run time. Errors may
// be shared between requests and must not be changed.
type Error struct {
	Kind Kind
	// Msg is the service's text without the "Invalid <K>: " prefix.
	Msg string
	// Pos and End are the byte range in the expression's text that the fault
	// is about; both are 0 when there is none.
	Pos, End int
	// Bare tells that the text takes no prefix.
	Bare bool
	// Late tells that the service reports the fault only after it has parsed
	// all expressions of the request and looked for unused placeholders: the
	// shape of a key condition (behaviours/01 §1.6, behaviours/04 §4.6 rows
	// 3 to 9).
	Late bool
	// Fault is the value fault behind an update's failure, or nil: the result
	// of arithmetic is out of range, or the item nests too deep.
	Fault *attr.Fault

	current string
}

// Error returns the text in the classic wording.
func (e *Error) Error() string { return e.prefixed(e.Msg) }

// Current returns the text in the current wording, which is mostly the same.
func (e *Error) Current() string {
	if e.current == "" {
		return e.prefixed(e.Msg)
	}
	return e.prefixed(e.current)
}

func (e *Error) prefixed(msg string) string {
	if e.Bare {
		return msg
	}
	return "Invalid " + e.Kind.String() + ": " + msg
}

// Unwrap returns the value fault, if there is one.
func (e *Error) Unwrap() error {
	if e.Fault == nil {
		return nil
	}
	return e.Fault
}

// extent is a byte range of an expression's text.
type extent struct{ pos, end int }

func fault(k Kind, at extent, msg string) *Error {
	return &Error{Kind: k, Msg: msg, Pos: at.pos, End: at.end}
}

func emptyFault(k Kind) *Error {
	return fault(k, extent{}, "The expression can not be empty;")
}

// sizeFault says that the text has n bytes. The classic layer leaves the
// number out of an UpdateExpression's text (behaviours/04 §4.2).
func sizeFault(k Kind, n int) *Error {
	const phrase = "Expression size has exceeded the maximum allowed size;"
	full := phrase + " expression size: " + strconv.Itoa(n)
	e := fault(k, extent{0, n}, full)
	if k == UpdateKind {
		e.Msg, e.current = phrase, full
	}
	return e
}

func syntaxFault(k Kind, at extent, token, near string) *Error {
	return fault(k, at, `Syntax error; token: "`+token+`", near: "`+near+`"`)
}

func parensFault(k Kind, at extent) *Error {
	return fault(k, at, "The expression has redundant parentheses;")
}

func unknownFunctionFault(k Kind, at extent, name string) *Error {
	return fault(k, at, "Invalid function name; function: "+name)
}

func misplacedFault(k Kind, at extent, name string) *Error {
	return fault(k, at, "The function is not allowed to be used this way in an expression; function: "+name)
}

func reservedFault(k Kind, at extent, word string) *Error {
	return fault(k, at, "Attribute name is a reserved keyword; reserved keyword: "+word)
}

func indexFault(k Kind, at extent, digits string) *Error {
	return fault(k, at, "List index is not within the allowable range; index: ["+digits+"]")
}

func pathDepthFault(k Kind, at extent, depth int) *Error {
	return fault(k, at, "The document path has too many nesting levels; nesting levels: "+strconv.Itoa(depth))
}

func operatorsFault(k Kind, n int) *Error {
	return fault(k, extent{}, "The expression contains too many operators; operator count: "+strconv.Itoa(n))
}

func inOperandsFault(k Kind, at extent, n int) *Error {
	return fault(k, at, "The IN operator is provided with too many operands; number of operands: "+strconv.Itoa(n))
}

func nameFault(k Kind, at extent, placeholder string) *Error {
	return fault(k, at, "An expression attribute name used in the document path is not defined; attribute name: "+placeholder)
}

func valueFault(k Kind, at extent, placeholder string) *Error {
	return fault(k, at, "An expression attribute value used in expression is not defined; attribute value: "+placeholder)
}

func operandCountFault(k Kind, at extent, op string, n int) *Error {
	return fault(k, at, "Incorrect number of operands for operator or function; operator or function: "+op+
		", number of operands: "+strconv.Itoa(n))
}

func distinctFault(k Kind, at extent, op string, p attr.Path) *Error {
	return fault(k, at, "The first operand must be distinct from the remaining operands for this operator or function; operator: "+
		op+", first operand: "+p.String())
}

func pathRequiredFault(k Kind, at extent, op string) *Error {
	return fault(k, at, "Operator or function requires a document path; operator or function: "+op)
}

func operandTypeFault(k Kind, at extent, op, typ string) *Error {
	return fault(k, at, "Incorrect operand type for operator or function; operator or function: "+op+", operand type: "+typ)
}

// actionTypeFault is operandTypeFault for ADD and DELETE, which the service
// words a little differently.
func actionTypeFault(k Kind, at extent, op, typ string) *Error {
	return fault(k, at, "Incorrect operand type for operator or function; operator: "+op+", operand type: "+typ)
}

func typeNameFault(k Kind, at extent, name string) *Error {
	return fault(k, at, "Invalid attribute type name found; type: "+name+", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}")
}

func boundTypesFault(k Kind, at extent, lo, hi attr.Value) *Error {
	return fault(k, at, "The BETWEEN operator requires same data type for lower and upper bounds; "+bounds(lo, hi))
}

func boundOrderFault(k Kind, at extent, lo, hi attr.Value) *Error {
	return fault(k, at, "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "+bounds(lo, hi))
}

func bounds(lo, hi attr.Value) string {
	return "lower bound operand: AttributeValue: " + bound(lo) + ", upper bound operand: AttributeValue: " + bound(hi)
}

func sectionFault(k Kind, at extent, section string) *Error {
	return fault(k, at, `The "`+section+`" section can only be used once in an update expression;`)
}

func overlapFault(k Kind, at extent, one, two attr.Path) *Error {
	return fault(k, at, "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: "+
		one.String()+", path two: "+two.String())
}

func conflictFault(k Kind, at extent, one, two attr.Path) *Error {
	return fault(k, at, "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: "+
		one.String()+", path two: "+two.String())
}
