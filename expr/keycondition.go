package expr

import "github.com/dynalite-go/dynalite/attr"

// KeyCondition is what a KeyConditionExpression, or the legacy KeyConditions,
// asks of the key attributes. Which attributes are keys, and of what types,
// is not looked at yet (behaviours/04 §4.6 rows 10 to 15).
type KeyCondition struct {
	Clauses []KeyClause // in the order of the text, one per attribute
}

// KeyOp is the operator of a key clause. Expressions make only EQ, LT, LE,
// GT, GE, Between and BeginsWith.
type KeyOp = Operator

// KeyClause is the condition on one attribute. The attribute is always the
// left operand.
type KeyClause struct {
	Name   string
	Op     KeyOp
	Values [2]attr.Value // the second one is BETWEEN's upper bound
	N      int           // number of Values in use
}

// keyProgram is the compiled form of a KeyConditionExpression.
type keyProgram struct {
	condProgram
	clauses []keyClause
	// shape is the fault that ends the clauses, or nil. What a clause before
	// it does wrong comes first.
	shape *Error
}

// keyClause is a KeyClause by its slots.
type keyClause struct {
	at     extent
	path   int
	op     Operator
	values [2]int
	n      int
}

// compileKeyCondition compiles a checked tree: first as any condition, then
// into clauses.
func compileKeyCondition(t *tree) *keyProgram {
	c := condCompiler{prog: &condProgram{kind: t.kind}, numbers: map[node]int{}}
	c.compile(t)
	prog := &keyProgram{condProgram: *c.prog}
	prog.narrow(t.root, c.numbers)
	return prog
}

// narrow turns conditions into clauses until one has the wrong shape
// (behaviours/04 §4.6 rows 3 to 8). It walks the tree as the service does: an
// outer operator before what it holds, operands from left to right.
func (p *keyProgram) narrow(n node, numbers map[node]int) {
	if chain, ok := n.(*logicNode); ok && chain.op == kwAnd {
		for _, c := range chain.conds {
			if p.narrow(c, numbers); p.shape != nil {
				return
			}
		}
		return
	}
	clause, operands, err := keyOperator(n)
	if err == nil {
		err = clause.fill(operands, n.at(), numbers)
	}
	if err != nil {
		err.Kind, err.Late = KeyConditionKind, true
		p.shape = err
		return
	}
	p.clauses = append(p.clauses, clause)
}

// keyOperator returns the operator and the operands of a condition, or the
// fault of one that no key condition may hold.
func keyOperator(n node) (keyClause, []node, *Error) {
	at := n.at()
	c := keyClause{at: at, path: -1}
	switch n := n.(type) {
	case *logicNode:
		return c, nil, keyOperatorFault(at, n.op.String())
	case *notNode:
		return c, nil, keyOperatorFault(at, kwNot.String())
	case *inNode:
		return c, nil, keyOperatorFault(at, kwIn.String())
	case *compareNode:
		c.op = operatorOf(n.op)
		if c.op == NE {
			return c, nil, keyOperatorFault(at, n.op)
		}
		return c, []node{n.left, n.right}, nil
	case *betweenNode:
		c.op = Between
		return c, []node{n.x, n.lo, n.hi}, firstOperandFault(n.x, kwBetween.String())
	}
	call := n.(*callNode)
	if functionOf(call.name) != fnBeginsWith {
		return c, nil, keyOperatorFault(at, call.name)
	}
	c.op = BeginsWith
	return c, call.operands, firstOperandFault(call.operands[0], call.name)
}

// fill sets the path and the values of a clause from its operands.
func (c *keyClause) fill(operands []node, at extent, numbers map[node]int) *Error {
	for i, n := range operands {
		switch n := n.(type) {
		case *pathNode:
			if c.path >= 0 {
				return bareFault(n.extent, "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition")
			}
			if len(n.parts) > 1 {
				return fault(KeyConditionKind, n.extent, "KeyConditionExpressions cannot have conditions on nested attributes")
			}
			c.path = numbers[n]
			if i > 0 {
				c.op = c.op.flipped()
			}
		case *valueNode:
			c.values[min(c.n, 1)] = numbers[n]
			c.n++
		default:
			return bareFault(n.at(), "KeyConditionExpressions cannot contain nested operations")
		}
	}
	if c.path < 0 {
		return bareFault(at, "Invalid condition in KeyConditionExpression: No key attribute specified")
	}
	return nil
}

func bareFault(at extent, msg string) *Error {
	e := fault(KeyConditionKind, at, msg)
	e.Bare = true
	return e
}

func keyOperatorFault(at extent, op string) *Error {
	return bareFault(at, "Invalid operator used in KeyConditionExpression: "+op)
}

func firstOperandFault(first node, op string) *Error {
	if _, isPath := first.(*pathNode); isPath {
		return nil
	}
	return bareFault(first.at(), "Invalid condition in KeyConditionExpression: "+op+
		" operator must have the key attribute as its first operand")
}

// bind makes a key condition of the program.
func (p *keyProgram) bind(ph *Placeholders) (*KeyCondition, *Error) {
	var buf [8]string
	e, names := p.slots.bind(ph, buf[:0])
	if err := e.verify(p.kind, names, p.rules); err != nil {
		return nil, err
	}
	k := &KeyCondition{Clauses: make([]KeyClause, len(p.clauses))}
	for i := range p.clauses {
		c := &p.clauses[i]
		clause := KeyClause{Name: e.paths[c.path][0].Name(), Op: c.op, N: c.n}
		for j := range c.n {
			clause.Values[j] = e.values[c.values[j]]
		}
		if k.holds(i, clause.Name) {
			err := fault(KeyConditionKind, c.at, "KeyConditionExpressions must only contain one condition per key")
			err.Late = true
			return nil, err
		}
		k.Clauses[i] = clause
	}
	if p.shape != nil {
		return nil, p.shape
	}
	return k, nil
}

// holds reports whether one of the first n clauses is on the attribute.
func (k *KeyCondition) holds(n int, name string) bool {
	for i := range n {
		if k.Clauses[i].Name == name {
			return true
		}
	}
	return false
}
