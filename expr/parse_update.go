package expr

// update parses the grammar of behaviours/04 §4.8.
func (p *parser) update() node {
	n := &updateNode{extent: extent{p.cur.pos, p.cur.end}}
	for p.cur.kind != tokEOF {
		kw := p.keyword()
		if kw == noKeyword {
			p.fail()
			break
		}
		s := section{extent: extent{p.cur.pos, p.cur.end}, keyword: kw}
		p.advance()
		s.actions = append(s.actions, p.action(kw))
		for p.accept(",") {
			s.actions = append(s.actions, p.action(kw))
		}
		n.sections = append(n.sections, s)
	}
	n.extent = p.since(n.pos)
	return n
}

func (p *parser) action(kw keyword) action {
	a := action{target: p.path()}
	switch kw {
	case kwSet:
		p.expect("=")
		a.value = p.rightSide()
	case kwAdd, kwDelete:
		if p.cur.kind != tokValue {
			p.fail()
			break
		}
		a.value = p.value()
	}
	return a
}

// rightSide parses what SET assigns. Parentheses may hold all of it, or one
// operand; each one level deep.
func (p *parser) rightSide() node {
	if !p.symbol("(") {
		return p.sum(p.term())
	}
	open := p.openGroup()
	first := p.cur
	n := p.sum(p.term())
	_, isSum := n.(*arithNode)
	whole := isSum || p.closedGroup()
	p.closeGroup(open, first)
	if whole {
		return n
	}
	return p.sum(n)
}

// sum parses the second operand of + or -, if there is one.
func (p *parser) sum(left node) node {
	if !p.symbol("+") && !p.symbol("-") {
		return left
	}
	n := &arithNode{op: p.text(p.cur), left: left}
	p.operators++
	p.advance()
	n.right = p.term()
	n.extent = p.since(left.at().pos)
	return n
}

// term parses an operand, in parentheses or not.
func (p *parser) term() node {
	if !p.symbol("(") {
		return p.simpleTerm()
	}
	open := p.openGroup()
	first := p.cur
	n := p.simpleTerm()
	p.closeGroup(open, first)
	return n
}

func (p *parser) simpleTerm() node {
	switch {
	case p.cur.kind == tokValue:
		return p.value()
	case p.isCall() && p.keyword() == noKeyword:
		return p.call((*parser).term)
	default:
		return p.path()
	}
}
