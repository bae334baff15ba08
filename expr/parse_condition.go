package expr

// condition parses the grammar of behaviours/04 §4.4.
func (p *parser) condition() node {
	n, _ := p.or()
	return n
}

// or, and, not and primary parse conditions, tightest last. Since "(" may
// begin a condition as well as an operand, each may also return a lone
// operand, and then says so with bare. That happens only inside a group and
// in front of its ")": whoever parses the group makes sense of it.

func (p *parser) or() (n node, bare bool) {
	return p.chain(kwOr, (*parser).and)
}

func (p *parser) and() (n node, bare bool) {
	return p.chain(kwAnd, (*parser).not)
}

func (p *parser) chain(op keyword, next func(*parser) (node, bool)) (node, bool) {
	first, bare := next(p)
	if p.keyword() != op {
		return first, bare
	}
	n := &logicNode{op: op, conds: []node{first}}
	for p.keyword() == op {
		p.operators++
		p.advance()
		n.conds = append(n.conds, p.whole(next(p)))
	}
	n.extent = p.since(first.at().pos)
	return n, false
}

func (p *parser) not() (n node, bare bool) {
	if p.keyword() != kwNot {
		return p.primary()
	}
	pos := p.cur.pos
	p.operators++
	p.advance()
	cond := p.whole(p.not())
	return &notNode{p.since(pos), cond}, false
}

// whole accepts only a whole condition: after a lone operand the text cannot
// go on as it does.
func (p *parser) whole(n node, bare bool) node {
	if bare {
		p.fail()
	}
	return n
}

func (p *parser) primary() (n node, bare bool) {
	if p.symbol("(") {
		n, bare = p.group()
	} else {
		n = p.simpleOperand()
		_, isCall := n.(*callNode)
		bare = !isCall
	}
	if _, isCall := n.(*callNode); bare || isCall {
		if cond := p.comparison(n); cond != nil {
			return cond, false
		}
	}
	if bare && (p.groups == 0 || !p.symbol(")")) {
		p.fail()
	}
	return n, bare
}

// group parses a condition or an operand in parentheses.
func (p *parser) group() (n node, bare bool) {
	open := p.openGroup()
	first := p.cur
	n, bare = p.or()
	p.closeGroup(open, first)
	if path, isPath := n.(*pathNode); isPath {
		p.pathTail(path)
	}
	return n, bare
}

// comparison parses what makes a condition of the operand x, or returns nil.
func (p *parser) comparison(x node) node {
	pos := x.at().pos
	switch {
	case p.isComparator():
		n := &compareNode{op: p.text(p.cur), left: x}
		p.operators++
		p.advance()
		n.right = p.operand()
		n.extent = p.since(pos)
		return n
	case p.keyword() == kwBetween:
		n := &betweenNode{x: x}
		p.operators++
		p.advance()
		n.lo = p.operand()
		if p.keyword() != kwAnd {
			p.fail()
		}
		p.advance()
		n.hi = p.operand()
		n.extent = p.since(pos)
		return n
	case p.keyword() == kwIn:
		n := &inNode{x: x}
		p.operators++
		p.advance()
		n.list = p.list((*parser).operand)
		n.extent = p.since(pos)
		return n
	}
	return nil
}

func (p *parser) isComparator() bool {
	if p.cur.kind != tokSymbol {
		return false
	}
	switch p.text(p.cur) {
	case "=", "<>", "<", "<=", ">", ">=":
		return true
	}
	return false
}

// operand parses an operand where no condition can stand.
func (p *parser) operand() node {
	if !p.symbol("(") {
		return p.simpleOperand()
	}
	open := p.openGroup()
	first := p.cur
	n := p.operand()
	p.closeGroup(open, first)
	if path, isPath := n.(*pathNode); isPath {
		p.pathTail(path)
	}
	return n
}

// simpleOperand parses a path, a value or a function.
func (p *parser) simpleOperand() node {
	switch {
	case p.cur.kind == tokValue:
		return p.value()
	case p.isCall() && p.keyword() == noKeyword:
		return p.call((*parser).operand)
	default:
		return p.path()
	}
}
