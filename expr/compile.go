package expr

import "github.com/dynalite-go/dynalite/attr"

// condProgram is the compiled form of a condition or filter.
type condProgram struct {
	kind  Kind
	root  cond
	slots slots
	rules []rule
	// static is the predicate of a text without placeholders.
	static *Predicate
}

// compileCondition compiles a checked tree, or returns the fault that no
// placeholder can mend. The rules follow behaviours/04 §4.4 rows 5 to 13:
// condition by condition in the order of the text, and within one in the
// order of the rows.
func compileCondition(t *tree) (*condProgram, *Error) {
	c := condCompiler{prog: &condProgram{kind: t.kind}}
	c.compile(t)
	if !c.prog.slots.isStatic() {
		return c.prog, nil
	}
	var err *Error
	c.prog.static, err = c.prog.bind(nil)
	return c.prog, err
}

type condCompiler struct {
	prog *condProgram
	// Rules of the condition at hand, by row.
	defined, counted, distinct, typed []rule
	// numbers of paths and values, for who compiles the tree further
	numbers map[node]int
}

func (c *condCompiler) compile(t *tree) {
	c.prog.root = c.cond(t.root)
	if t.operators > MaxOperators {
		c.prog.rules = append(c.prog.rules, rule{kind: ruleFault, err: operatorsFault(t.kind, t.operators)})
	}
}

func (c *condCompiler) cond(n node) cond {
	switch n := n.(type) {
	case *logicNode:
		conds := make([]cond, len(n.conds))
		for i, arg := range n.conds {
			conds[i] = c.cond(arg)
		}
		if n.op == kwAnd {
			return allOf(conds)
		}
		return anyOf(conds)
	case *notNode:
		return negation{c.cond(n.cond)}
	}
	leaf := c.leaf(n)
	c.flush()
	return leaf
}

// flush moves the rules of a finished condition to the program.
func (c *condCompiler) flush() {
	for _, list := range []*[]rule{&c.defined, &c.counted, &c.distinct, &c.typed} {
		c.prog.rules = append(c.prog.rules, *list...)
		*list = (*list)[:0]
	}
}

func (c *condCompiler) leaf(n node) cond {
	switch n := n.(type) {
	case *compareNode:
		return c.comparison(n)
	case *betweenNode:
		return c.between(n)
	case *inNode:
		return c.member(n)
	case *callNode:
		return c.call(n)
	}
	return nil
}

func (c *condCompiler) comparison(n *compareNode) cond {
	op := operatorOf(n.op)
	left, right := c.operand(n.left), c.operand(n.right)
	c.distinctPaths(n.extent, n.op, left, right)
	if op != EQ && op != NE {
		c.checkType(n.left, left, n.op, maskOrdered)
		c.checkType(n.right, right, n.op, maskOrdered)
	}
	return comparison{op, left, right}
}

func (c *condCompiler) between(n *betweenNode) cond {
	b := between{c.operand(n.x), c.operand(n.lo), c.operand(n.hi)}
	c.checkType(n.x, b.x, "BETWEEN", maskOrdered)
	c.checkType(n.lo, b.lo, "BETWEEN", maskOrdered)
	c.checkType(n.hi, b.hi, "BETWEEN", maskOrdered)
	if b.lo.kind == opValue && b.hi.kind == opValue {
		c.typed = append(c.typed, rule{kind: ruleBounds, at: n.extent, a: b.lo.slot, b: b.hi.slot})
	}
	return b
}

func (c *condCompiler) member(n *inNode) cond {
	m := member{x: c.operand(n.x)}
	for _, e := range n.list {
		m.list = append(m.list, c.operand(e))
	}
	if count := 1 + len(n.list); count > MaxInOperands {
		c.counted = append(c.counted, rule{kind: ruleFault, err: inOperandsFault(c.prog.kind, n.extent, count)})
	}
	return m
}

// call compiles a function that is a condition.
func (c *condCompiler) call(n *callNode) cond {
	fn := functionOf(n.name)
	args := c.arguments(n, fn)
	if args == nil {
		return nil
	}
	a := args[0]
	switch fn {
	case fnExists, fnNotExists:
		if a.kind != opPath {
			c.broken(pathRequiredFault(c.prog.kind, n.extent, n.name))
		}
		return existence{a.slot, fn == fnExists}
	case fnType:
		c.distinctPaths(n.extent, n.name, a, args[1])
		c.checkTypeOperand(n, args[1])
		return typeTest{a, args[1].slot}
	case fnBeginsWith:
		c.distinctPaths(n.extent, n.name, a, args[1])
		c.checkType(n.operands[0], a, n.name, maskPrefix)
		c.checkType(n.operands[1], args[1], n.name, maskPrefix)
		return prefix{a, args[1]}
	default: // contains
		c.distinctPaths(n.extent, n.name, a, args[1])
		return containment{a, args[1]}
	}
}

// arguments compiles the operands of a function. It returns nil, and leaves
// a rule that is always broken, when their number is wrong.
func (c *condCompiler) arguments(n *callNode, fn function) []operand {
	args := make([]operand, len(n.operands))
	for i, arg := range n.operands {
		args[i] = c.operand(arg)
	}
	if len(args) != fn.operands() {
		err := operandCountFault(c.prog.kind, n.extent, n.name, len(args))
		c.counted = append(c.counted, rule{kind: ruleFault, err: err})
		return nil
	}
	return args
}

// checkTypeOperand checks the second operand of attribute_type: a literal
// string that names a type.
func (c *condCompiler) checkTypeOperand(n *callNode, o operand) {
	if o.kind == opPath {
		c.broken(operandTypeFault(c.prog.kind, n.extent, n.name, "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"))
		return
	}
	c.checkType(n.operands[1], o, n.name, maskString)
	if o.kind == opValue {
		c.typed = append(c.typed, rule{kind: ruleTypeName, at: n.operands[1].at(), a: o.slot})
	}
}

// operand compiles an operand; the only function that can be one is size.
func (c *condCompiler) operand(n node) operand {
	switch n := n.(type) {
	case *pathNode:
		return operand{opPath, c.path(n)}
	case *valueNode:
		return operand{opValue, c.value(n)}
	}
	call := n.(*callNode)
	args := c.arguments(call, fnSize)
	if args == nil {
		return operand{kind: opSizePath}
	}
	c.checkType(call.operands[0], args[0], call.name, maskSized)
	if args[0].kind == opValue {
		return operand{opSizeValue, args[0].slot}
	}
	return operand{opSizePath, args[0].slot}
}

// path numbers a path and adds rules for the placeholders that are new.
func (c *condCompiler) path(n *pathNode) int {
	s := &c.prog.slots
	known := len(s.names)
	number := s.path(n)
	for i := known; i < len(s.names); i++ {
		c.defined = append(c.defined, rule{kind: ruleName, at: s.names[i].at, a: i, op: s.names[i].placeholder})
	}
	c.note(n, number)
	return number
}

func (c *condCompiler) value(n *valueNode) int {
	s := &c.prog.slots
	known := len(s.values)
	number := s.value(n)
	if len(s.values) > known {
		c.defined = append(c.defined, rule{kind: ruleValue, at: n.extent, a: number, op: n.name})
	}
	c.note(n, number)
	return number
}

func (c *condCompiler) note(n node, number int) {
	if c.numbers != nil {
		c.numbers[n] = number
	}
}

func (c *condCompiler) broken(err *Error) {
	c.typed = append(c.typed, rule{kind: ruleFault, err: err})
}

func (c *condCompiler) distinctPaths(at extent, op string, a, b operand) {
	if a.kind == opPath && b.kind == opPath {
		c.distinct = append(c.distinct, rule{kind: ruleDistinct, at: at, a: a.slot, b: b.slot, op: op})
	}
}

// checkType adds the rule that an operand, unless it is a path, has a type
// that op takes. The result of size is a number.
func (c *condCompiler) checkType(n node, o operand, op string, mask typeMask) {
	switch o.kind {
	case opPath:
	case opValue:
		c.typed = append(c.typed, rule{kind: ruleType, at: n.at(), a: o.slot, op: op, mask: mask})
	default:
		if !mask.has(attr.N) {
			c.broken(operandTypeFault(c.prog.kind, n.at(), op, attr.N.String()))
		}
	}
}
