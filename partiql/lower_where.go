package partiql

import (
	"strconv"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
)

// where lowers the condition of a statement, if it has one.
func (l *lowerer) where(n node, st *statement) *api.Error {
	if n == nil {
		return nil
	}
	var err *api.Error
	if st.where, err = l.condition(n); err != nil {
		return err
	}
	st.equalities = equalitiesOf(st.where)
	return nil
}

// equalitiesOf returns a condition as equalities of top-level attributes with
// values, or nil if it is anything else.
func equalitiesOf(c *condition) []equality {
	leaves := []*condition{c}
	if c.kind == condAnd {
		leaves = c.subs
	}
	list := make([]equality, 0, len(leaves))
	for _, leaf := range leaves {
		name, value, ok := leaf.equality()
		if !ok {
			return nil
		}
		list = append(list, equality{name, value})
	}
	return list
}

// equality takes apart attribute = value.
func (c *condition) equality() (name string, value operand, ok bool) {
	if c.kind != condCompare || c.op != expr.EQ || c.fault != nil {
		return "", operand{}, false
	}
	left, right := c.args[0], c.args[1]
	if left.kind != operandPath {
		left, right = right, left
	}
	name, ok = left.attribute()
	return name, right, ok && right.kind != operandPath && !right.size
}

// attribute is the name of a top-level attribute.
func (o *operand) attribute() (string, bool) {
	if o.kind != operandPath || o.size || len(o.path) != 1 {
		return "", false
	}
	return o.path[0].Name(), true
}

func (l *lowerer) condition(n node) (*condition, *api.Error) {
	switch n := n.(type) {
	case *binaryNode:
		return l.binary(n)
	case *unaryNode:
		if n.op == "not" {
			sub, err := l.condition(n.x)
			return negated(sub), err
		}
	case *betweenNode:
		c := &condition{kind: condBetween, word: "BETWEEN"}
		err := l.operands(c, n.x, n.lo, n.hi)
		return negatedIf(n.not, c), err
	case *isNode:
		c := &condition{kind: condIs}
		c.types, c.missing = typesOf(n.typ)
		err := l.operands(c, n.x)
		return negatedIf(n.not, c), err
	case *callNode:
		return l.function(n)
	}
	return nil, unsupported(n)
}

func negated(c *condition) *condition {
	return &condition{kind: condNot, subs: []*condition{c}}
}

func negatedIf(not bool, c *condition) *condition {
	if not {
		return negated(c)
	}
	return c
}

func (l *lowerer) binary(n *binaryNode) (*condition, *api.Error) {
	switch n.op {
	case "and":
		return l.chain(condAnd, n)
	case "or":
		return l.chain(condOr, n)
	case "in":
		return l.in(n)
	case "=", "<>", "<", "<=", ">", ">=":
		return l.comparison(n)
	}
	return nil, unsupported(n)
}

// chain joins conditions with AND or OR, without levels of its own kind below.
func (l *lowerer) chain(kind condKind, n *binaryNode) (*condition, *api.Error) {
	c := &condition{kind: kind}
	for _, side := range [...]node{n.left, n.right} {
		sub, err := l.condition(side)
		if err != nil {
			return nil, err
		}
		if sub.kind == kind {
			c.subs = append(c.subs, sub.subs...)
		} else {
			c.subs = append(c.subs, sub)
		}
	}
	return c, nil
}

func (l *lowerer) comparison(n *binaryNode) (*condition, *api.Error) {
	if c, ok, err := l.truth(n); ok {
		return c, err
	}
	c := &condition{kind: condCompare, op: comparator(n.op), word: n.op}
	return c, l.operands(c, n.left, n.right)
}

// truth lowers the comparison of a condition with true or false.
func (l *lowerer) truth(n *binaryNode) (c *condition, ok bool, err *api.Error) {
	if n.op != "=" && n.op != "<>" {
		return nil, false, nil
	}
	cond, value := n.left, n.right
	if _, isLiteral := cond.(*literalNode); isLiteral {
		cond, value = value, cond
	}
	lit, isLiteral := value.(*literalNode)
	if !isLiteral || lit.kind != litTrue && lit.kind != litFalse || !isCondition(cond) {
		return nil, false, nil
	}
	c, err = l.condition(cond)
	if err != nil {
		return nil, true, err
	}
	return negatedIf((lit.kind == litTrue) != (n.op == "="), c), true, nil
}

// isCondition reports whether an expression is true or false, rather than a
// value.
func isCondition(n node) bool {
	switch n := n.(type) {
	case *callNode:
		return n.name != "size"
	case *betweenNode, *isNode:
		return true
	case *unaryNode:
		return n.op == "not"
	case *binaryNode:
		return binaryPredicate(n.op)
	}
	return false
}

func binaryPredicate(op string) bool {
	switch op {
	case "and", "or", "in", "=", "<>", "<", "<=", ">", ">=":
		return true
	}
	return false
}

func comparator(op string) expr.Operator {
	switch op {
	case "=":
		return expr.EQ
	case "<>":
		return expr.NE
	case "<":
		return expr.LT
	case "<=":
		return expr.LE
	case ">":
		return expr.GT
	}
	return expr.GE
}

func (l *lowerer) in(n *binaryNode) (*condition, *api.Error) {
	list, ok := n.right.(*listNode)
	if !ok || len(list.elems) == 0 {
		return nil, errInList
	}
	c := &condition{kind: condIn, word: "IN"}
	if err := l.operands(c, n.left); err != nil {
		return nil, err
	}
	if err := l.operands(c, list.elems...); err != nil {
		return nil, err
	}
	if len(list.elems) > expr.MaxInOperands {
		c.fault = api.Validation("The IN operator is provided with too many operands; number of operands: " +
			strconv.Itoa(len(c.args)))
	}
	return negatedIf(n.not, c), nil
}

// operands adds expressions to what a condition compares.
func (l *lowerer) operands(c *condition, nodes ...node) *api.Error {
	for _, n := range nodes {
		o, err := l.operand(n)
		if err != nil {
			return err
		}
		c.args = append(c.args, o)
	}
	return nil
}

func (l *lowerer) operand(n node) (operand, *api.Error) {
	switch n := n.(type) {
	case *nameNode, *pathNode:
		path, bad := documentPath(n)
		if path == nil {
			return operand{}, l.unexpected(bad)
		}
		return operand{path: path}, nil
	case *paramNode:
		return operand{kind: operandParam, param: n.number}, nil
	case *literalNode, *listNode, *bagNode, *structNode:
		lit, err := l.lowerLiteral(n, "")
		if err != nil {
			return operand{}, err
		}
		if lit.kind == shapeValue {
			return operand{kind: operandValue, value: lit.value}, nil
		}
		return operand{kind: operandBuilt, build: &lit}, nil
	case *callNode:
		return l.size(n)
	}
	return operand{}, unsupported(n)
}

// size lowers size(x), the only function that is an operand.
func (l *lowerer) size(n *callNode) (operand, *api.Error) {
	if n.name != "size" {
		return operand{}, l.unknownFunction(n)
	}
	if len(n.args) != 1 {
		return operand{}, operandCount(n.name, len(n.args))
	}
	o, err := l.operand(n.args[0])
	if err == nil && o.size {
		err = operandType(n.name, attr.N)
	}
	o.size = true
	return o, err
}

func (l *lowerer) unknownFunction(n *callNode) *api.Error {
	return api.Validation("Unrecognized function: " + n.name + " at " + position(l.text, n.at()))
}

func operandCount(name string, n int) *api.Error {
	return api.Validation("Incorrect number of operands for operator or function; operator or function: " + name +
		", number of operands: " + strconv.Itoa(n))
}

func operandType(name string, t attr.Type) *api.Error {
	return api.Validation("Incorrect operand type for operator or function; operator or function: " + name +
		", operand type: " + t.String())
}

func pathRequired(name string) *api.Error {
	return api.Validation("Operator or function requires a document path; operator or function: " + name)
}

// function lowers a function that is a condition. Faults of its operands come
// after those of the parameters.
func (l *lowerer) function(n *callNode) (*condition, *api.Error) {
	c, count := &condition{word: n.name}, 2
	switch n.name {
	case "attribute_exists":
		c.kind, count = condExists, 1
	case "attribute_not_exists":
		c.kind, count = condNotExists, 1
	case "attribute_type":
		c.kind = condHasType
	case "begins_with":
		c.kind = condBeginsWith
	case "contains":
		c.kind = condContains
	case "size":
		return nil, unsupported(n)
	default:
		return nil, l.unknownFunction(n)
	}
	if err := l.operands(c, n.args...); err != nil {
		return nil, err
	}
	switch {
	case len(c.args) != count:
		c.fault = operandCount(n.name, len(c.args))
	case count == 1 && (c.args[0].kind != operandPath || c.args[0].size):
		c.fault = pathRequired(n.name)
	case c.kind == condHasType && c.args[1].kind == operandPath:
		c.fault = api.Validation("Incorrect operand type for operator or function; operator or function: " + n.name +
			", operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}")
	}
	return c, nil
}

// typesOf returns the attribute types that a type of PartiQL stands for.
// STRING, BOOL, NULL and MISSING have been seen; the others follow the names
// (behaviours/09 §9.6).
func typesOf(name string) (types []attr.Type, missing bool) {
	switch name {
	case "missing":
		return nil, true
	case "null":
		return []attr.Type{attr.NULL}, false
	case "boolean":
		return []attr.Type{attr.BOOL}, false
	case "smallint", "integer", "integer4", "integer8", "float", "real", "double precision", "decimal", "numeric":
		return []attr.Type{attr.N}, false
	case "string", "character", "character varying", "symbol":
		return []attr.Type{attr.S}, false
	case "blob", "clob":
		return []attr.Type{attr.B}, false
	case "struct", "tuple":
		return []attr.Type{attr.M}, false
	case "list":
		return []attr.Type{attr.L}, false
	case "bag":
		return []attr.Type{attr.SS, attr.NS, attr.BS}, false
	case "any":
		return []attr.Type{attr.S, attr.N, attr.B, attr.SS, attr.NS, attr.BS, attr.M, attr.L, attr.BOOL, attr.NULL}, false
	}
	return nil, false
}
