package partiql

import "strings"

func (p *parser) selectStatement() (node, *SyntaxError) {
	s := &selectNode{span: p.advance().span}
	if p.accept("distinct") {
		s.distinct = true
	} else {
		p.accept("all")
	}
	if err := p.selectList(s); err != nil {
		return nil, err
	}
	if !p.accept("from") {
		return nil, p.fault("Expected FROM after SELECT list")
	}
	var err *SyntaxError
	if s.from, err = p.source(); err != nil {
		return nil, err
	}
	if s.where, err = p.optionalWhere(precedenceSet + 1); err != nil {
		return nil, err
	}
	if err := p.orderBy(s); err != nil {
		return nil, err
	}
	return s, p.otherClauses(s)
}

func (p *parser) selectList(s *selectNode) *SyntaxError {
	if p.accept("value") {
		var err *SyntaxError
		s.value, err = p.expression(0)
		return err
	}
	star := span{}
	for {
		if p.head().kind == tkStar {
			s.star = true
			star = p.advance().span
			s.columns = append(s.columns, column{})
		} else {
			expr, err := p.expression(0)
			if err != nil {
				return err
			}
			aliased, err := p.alias()
			if err != nil {
				return err
			}
			s.columns = append(s.columns, column{expr, aliased})
		}
		if p.head().kind != tkComma {
			break
		}
		p.advance()
	}
	if s.star && len(s.columns) > 1 {
		return syntaxError(star, "Other expressions may not be present in the select list when '*' is used without dot notation.")
	}
	if s.star {
		s.columns = nil
	}
	return nil
}

// alias passes over [AS] name, AT name and BY name, and reports whether there
// was one. That is all that matters, since the service knows no aliases.
func (p *parser) alias() (found bool, err *SyntaxError) {
	if p.head().is("as") || p.head().isIdentifier() {
		if p.accept("as") && !p.head().isIdentifier() {
			return false, p.fault("Expected identifier for AS-alias")
		}
		p.advance()
		found = true
	}
	for _, word := range [...]string{"at", "by"} {
		if !p.accept(word) {
			continue
		}
		if !p.head().isIdentifier() {
			return false, p.fault("Expected identifier for " + strings.ToUpper(word) + "-alias")
		}
		p.advance()
		found = true
	}
	return found, nil
}

// source parses what follows FROM.
func (p *parser) source() (source, *SyntaxError) {
	s := source{span: p.head().span}
	var err *SyntaxError
	if s.expr, err = p.expression(precedenceSet + 1); err != nil {
		return s, err
	}
	if s.aliased, err = p.alias(); err != nil {
		return s, err
	}
	for p.head().kind == tkComma || p.joinWord() {
		if p.head().kind == tkComma {
			p.advance()
		}
		if err := p.join(&s); err != nil {
			return s, err
		}
		if p.accept("on") {
			if err := p.join(&s); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}

// join parses a further table, or the condition it is joined by.
func (p *parser) join(s *source) *SyntaxError {
	expr, err := p.expression(precedenceSet + 1)
	if err != nil {
		return err
	}
	s.joined = append(s.joined, expr)
	_, err = p.alias()
	return err
}

// joinWord passes over the words of a join.
func (p *parser) joinWord() bool {
	n := 0
	for t := p.peek(n); t.is("inner") || t.is("left") || t.is("right") || t.is("full") || t.is("outer") || t.is("cross"); t = p.peek(n) {
		n++
	}
	if !p.peek(n).is("join") {
		return false
	}
	p.pos += n + 1
	return true
}

func (p *parser) optionalWhere(precedence int) (node, *SyntaxError) {
	if !p.accept("where") {
		return nil, nil
	}
	return p.expression(precedence)
}

func (p *parser) orderBy(s *selectNode) *SyntaxError {
	if !p.accept("order") {
		return nil
	}
	if err := p.expectWord("by"); err != nil {
		return err
	}
	for {
		expr, err := p.expression(0)
		if err != nil {
			return err
		}
		term := orderTerm{expr: expr, desc: p.head().is("desc")}
		if !p.accept("asc") {
			p.accept("desc")
		}
		s.order = append(s.order, term)
		if p.head().kind != tkComma {
			return nil
		}
		p.advance()
	}
}

// otherClauses parses the clauses that the service refuses.
func (p *parser) otherClauses(s *selectNode) *SyntaxError {
	if p.accept("group") {
		p.accept("partial")
		if err := p.expectWord("by"); err != nil {
			return err
		}
		keys, err := p.commaList()
		if err != nil {
			return err
		}
		s.others = append(s.others, clause{"GROUP BY", keys})
	}
	for _, word := range [...]string{"having", "limit"} {
		if !p.accept(word) {
			continue
		}
		arg, err := p.expression(precedenceSet + 1)
		if err != nil {
			return err
		}
		s.others = append(s.others, clause{strings.ToUpper(word), []node{arg}})
	}
	return nil
}
