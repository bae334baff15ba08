package expr

// node is a part of the tree that the parser makes. The tree holds what was
// written, not what it means: any function may stand anywhere, with any
// number of operands. check.go and compile.go judge it.
//
// The set of nodes is closed.
type node interface {
	at() extent
	print(*printer)
}

// pathNode is a document path.
type pathNode struct {
	extent
	parts []part
}

// part is one element of a path.
type part struct {
	extent
	kind  partKind
	text  string // name, or placeholder with its sigil, or the digits of an index
	index int
}

type partKind uint8

const (
	partName partKind = iota
	partRef           // # placeholder
	partIndex
)

// valueNode is a : placeholder.
type valueNode struct {
	extent
	name string // with its sigil
}

// callNode is a function with its operands.
type callNode struct {
	extent
	name     string
	operands []node
}

// compareNode is a comparator with its two operands.
type compareNode struct {
	extent
	op          string
	left, right node
}

// betweenNode is x BETWEEN lo AND hi.
type betweenNode struct {
	extent
	x, lo, hi node
}

// inNode is x IN (list).
type inNode struct {
	extent
	x    node
	list []node
}

// logicNode is a chain of two or more conditions joined by AND, or by OR. A
// chain written in parentheses inside a chain of the same operator stays a
// node of its own.
type logicNode struct {
	extent
	op    keyword // kwAnd or kwOr
	conds []node
}

// notNode is a negated condition.
type notNode struct {
	extent
	cond node
}

// arithNode is left + right or left - right, in an update.
type arithNode struct {
	extent
	op          string
	left, right node
}

// updateNode is a whole update expression.
type updateNode struct {
	extent
	sections []section
}

// section is one SET, REMOVE, ADD or DELETE with its actions.
type section struct {
	extent  // of the keyword
	keyword keyword
	actions []action
}

// action changes one path.
type action struct {
	target *pathNode
	value  node // nil for REMOVE; a valueNode for ADD and DELETE
}

// projectionNode is a list of paths.
type projectionNode struct {
	extent
	paths []*pathNode
}

func (x extent) at() extent { return x }
