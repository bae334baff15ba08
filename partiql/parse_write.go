package partiql

func (p *parser) insertStatement() (node, *SyntaxError) {
	n := &insertNode{span: p.advance().span}
	p.advance() // INTO
	var err *SyntaxError
	if n.target, err = p.simplePath(); err != nil {
		return nil, err
	}
	if p.accept("value") {
		n.form = "value"
	}
	if n.value, err = p.expression(0); err != nil {
		return nil, err
	}
	return n, nil
}

func (p *parser) updateStatement() (node, *SyntaxError) {
	n := &updateNode{span: p.advance().span}
	var err *SyntaxError
	if n.target, err = p.writeTarget(); err != nil {
		return nil, err
	}
	if n.actions, err = p.actions(); err != nil {
		return nil, err
	}
	if n.where, err = p.optionalWhere(0); err != nil {
		return nil, err
	}
	if n.returning, err = p.optionalReturning(); err != nil {
		return nil, err
	}
	return n, nil
}

func (p *parser) fromStatement() (node, *SyntaxError) {
	n := &updateNode{span: p.advance().span, fromFirst: true}
	var err *SyntaxError
	if n.target, err = p.source(); err != nil {
		return nil, err
	}
	if n.where, err = p.optionalWhere(0); err != nil {
		return nil, err
	}
	if n.actions, err = p.actions(); err != nil {
		return nil, err
	}
	if n.returning, err = p.optionalReturning(); err != nil {
		return nil, err
	}
	return n, nil
}

// bareActions parses SET and REMOVE without a table, which the parser takes
// and the service refuses.
func (p *parser) bareActions() (node, *SyntaxError) {
	n := &updateNode{span: p.head().span}
	var err *SyntaxError
	n.actions, err = p.actions()
	return n, err
}

func (p *parser) deleteStatement() (node, *SyntaxError) {
	n := &deleteNode{span: p.advance().span}
	if !p.accept("from") {
		return nil, p.fault("Expected FROM after DELETE")
	}
	var err *SyntaxError
	if n.target, err = p.writeTarget(); err != nil {
		return nil, err
	}
	if n.where, err = p.optionalWhere(0); err != nil {
		return nil, err
	}
	if n.returning, err = p.optionalReturning(); err != nil {
		return nil, err
	}
	return n, nil
}

func (p *parser) writeTarget() (source, *SyntaxError) {
	s := source{span: p.head().span}
	var err *SyntaxError
	if s.expr, err = p.simplePath(); err != nil {
		return s, err
	}
	s.aliased, err = p.alias()
	return s, err
}

// actions parses one or more SET and REMOVE clauses.
func (p *parser) actions() ([]actionNode, *SyntaxError) {
	var list []actionNode
	for {
		switch {
		case p.accept("set"):
			for {
				a, err := p.assignment()
				if err != nil {
					return nil, err
				}
				list = append(list, a)
				if p.head().kind != tkComma {
					break
				}
				p.advance()
			}
		case p.accept("remove"):
			for {
				target, err := p.simplePath()
				if err != nil {
					return nil, err
				}
				list = append(list, actionNode{target: target})
				if p.head().kind != tkComma {
					break
				}
				p.advance()
			}
		case len(list) == 0:
			return nil, p.fault("Expected data manipulation")
		default:
			return list, nil
		}
	}
}

func (p *parser) assignment() (actionNode, *SyntaxError) {
	target, err := p.simplePath()
	if err != nil {
		return actionNode{}, err
	}
	if !p.accept("=") {
		return actionNode{}, p.fault("Expected '='")
	}
	value, err := p.expression(0)
	return actionNode{target, value}, err
}

func (p *parser) optionalReturning() ([]returningElem, *SyntaxError) {
	if !p.accept("returning") {
		return nil, nil
	}
	var list []returningElem
	for {
		e := returningElem{span: p.head().span}
		switch {
		case p.accept2("modified", "old"):
			e.modified, e.old = true, true
		case p.accept2("modified", "new"):
			e.modified = true
		case p.accept2("all", "old"):
			e.old = true
		case p.accept2("all", "new"):
		default:
			return nil, p.fault("Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element.")
		}
		if p.head().kind == tkStar {
			p.advance()
		} else {
			var err *SyntaxError
			if e.column, err = p.expression(0); err != nil {
				return nil, err
			}
		}
		list = append(list, e)
		if p.head().kind != tkComma {
			return list, nil
		}
		p.advance()
	}
}
