package partiql

// node is a part of the tree that the parser makes. The tree holds what was
// written, not what it means: most of what PartiQL can say the service
// refuses, and lower*.go does so. The set of nodes is closed.
type node interface {
	at() span
	print(*printer)
}

// nameNode is an identifier.
type nameNode struct {
	span
	name string
}

// literalNode is a scalar literal.
type literalNode struct {
	span
	kind literalKind
	text string // of a string or a number, the sign included
}

type literalKind uint8

const (
	litString literalKind = iota
	litNumber
	litTrue
	litFalse
	litNull
	litMissing
)

// paramNode is a ?; they are numbered from left to right.
type paramNode struct {
	span
	number int // from 0
}

// pathNode is a term with steps below it.
type pathNode struct {
	span  // of the term
	root  node
	steps []step
}

// step is a dot with a name, or brackets with an expression, or either with
// a star.
type step struct {
	span
	name  string
	index node // of brackets; nil for a dot and for a star
	star  bool
	dot   bool
}

// callNode is a function with its arguments. Its span is the function's name.
type callNode struct {
	span
	name string // in lower case
	star bool   // f(*)
	args []node
}

// unaryNode is NOT x, -x, +x or @x.
type unaryNode struct {
	span // of the operator
	op   string
	x    node
}

// binaryNode is an infix operator with its operands; IN and LIKE are such.
type binaryNode struct {
	span   // of the operator
	op     string
	not    bool // NOT IN, NOT LIKE
	left   node
	right  node
	escape node // LIKE … ESCAPE, or nil
}

// betweenNode is x [NOT] BETWEEN lo AND hi.
type betweenNode struct {
	span
	not       bool
	x, lo, hi node
}

// isNode is x IS [NOT] type. The type is in lower case, its words joined by a
// space, aliases resolved.
type isNode struct {
	span
	not  bool
	x    node
	typ  string
	args []node // of the type
}

// listNode is [a, b] or (a, b), bagNode is <<a, b>>.
type listNode struct {
	span
	elems []node
}

type bagNode struct {
	span
	elems []node
}

// structNode is {key: value}.
type structNode struct {
	span
	fields []structField
}

type structField struct{ key, value node }

// selectNode is a SELECT. The service knows few of its clauses.
type selectNode struct {
	span
	distinct bool
	value    node // of SELECT VALUE
	star     bool
	columns  []column
	from     source
	where    node
	order    []orderTerm
	others   []clause // GROUP BY, HAVING, LIMIT
}

// column is an expression of a projection.
type column struct {
	expr    node
	aliased bool
}

// source is the table of a statement.
type source struct {
	span
	expr    node
	aliased bool
	joined  []node // further tables, and the conditions they are joined by
}

type orderTerm struct {
	expr node
	desc bool
}

// clause is one that the service refuses.
type clause struct {
	name string
	args []node
}

// insertNode is INSERT INTO target VALUE value.
type insertNode struct {
	span
	target node
	form   string // "value", or empty for a bare expression
	value  node
}

// updateNode is UPDATE … SET …, or FROM … SET ….
type updateNode struct {
	span
	fromFirst bool
	target    source
	actions   []actionNode
	where     node
	returning []returningElem
}

// actionNode is one assignment of a SET, or one target of a REMOVE.
type actionNode struct {
	target node
	value  node // nil: REMOVE
}

// returningElem is one element of RETURNING.
type returningElem struct {
	span
	modified bool // else ALL
	old      bool // else NEW
	column   node // nil: *
}

// deleteNode is DELETE FROM.
type deleteNode struct {
	span
	target    source
	where     node
	returning []returningElem
}
