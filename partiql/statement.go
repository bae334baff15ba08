package partiql

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
)

// statement is what a text means, as far as the text alone says. It is
// immutable.
type statement struct {
	text         string
	kind         statementKind
	table, index string // as written; index is empty for the table
	params       int    // number of ?

	// Of a SELECT, also inside EXISTS.
	columns    []selected       // nil: *
	flat       bool             // all columns are top-level attributes
	projection *expr.Projection // of columns; nil: *
	columnsErr *api.Error       // a column that is no path; told after the table's index was looked at
	order      []ordering

	where      *condition // nil: none
	equalities []equality // all of where, when it is nothing but top-level attributes equal to values
	simple     bool       // a SELECT by equalities that may be the primary key

	item *literal // of an INSERT

	actions   []action // of an UPDATE
	returning api.ReturnValues
	// returningErr is the fault of a RETURNING that a DELETE can't have.
	returningErr *api.Error
}

type statementKind uint8

const (
	stmtSelect statementKind = iota
	stmtInsert
	stmtUpdate
	stmtDelete
	stmtExists
)

// reads reports whether the statement is a read for the rule that a request
// holds only reads or only writes. EXISTS counts with the writes.
func (k statementKind) reads() bool { return k == stmtSelect }

// selected is one column of a SELECT: an attribute or a part of one, returned
// under the last part of its path.
type selected struct {
	name string
	path attr.Path
}

type ordering struct {
	name string
	desc bool
}

// equality is attribute = value.
type equality struct {
	name  string
	value operand
}

// operand is what a condition compares: a path, a value of the text, a
// parameter, or a literal with parameters inside, or the size of one of them.
type operand struct {
	kind  operandKind
	size  bool
	path  attr.Path
	value attr.Value // of operandValue
	param int        // of operandParam
	build *literal   // of operandBuilt
}

type operandKind uint8

const (
	operandPath operandKind = iota
	operandValue
	operandParam
	operandBuilt
)

// condition is a WHERE or a part of one.
type condition struct {
	kind condKind
	subs []*condition // of and, or, not

	op      expr.Operator // of compare
	word    string        // operator or function as texts name it
	args    []operand
	types   []attr.Type // of isType
	missing bool        // of isType: IS MISSING
	fault   *api.Error  // a fault of the operands that no parameter can mend
}

type condKind uint8

const (
	condAnd condKind = iota
	condOr
	condNot
	condCompare
	condBetween
	condIn
	condIs
	condExists
	condNotExists
	condHasType // attribute_type
	condBeginsWith
	condContains
)

// action is one change of an UPDATE.
type action struct {
	kind  actionKind
	path  attr.Path
	value *term
	// setErr is the refusal of a second argument of set_add or set_delete
	// that is no set.
	setErr *api.Error
}

type actionKind uint8

const (
	actionSet actionKind = iota
	actionRemove
	actionAdd
	actionDelete
)

// term is what SET assigns.
type term struct {
	kind        termKind
	value       operand
	left, right *term
}

type termKind uint8

const (
	termValue termKind = iota // a value or what a path leads to
	termSum
	termDifference
	termAppend
)
