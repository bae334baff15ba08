package partiql

// parse reads a statement. The faults are those of the open PartiQL parser
// that the service uses, and are found where it finds them.
func parse(text string) (tree node, params int, err *SyntaxError) {
	tokens, err := lex(text)
	if err != nil {
		return nil, 0, err
	}
	p := &parser{tokens: tokens}
	tree, err = p.expression(0)
	switch {
	case err != nil:
		return nil, 0, err
	case p.head().kind == tkSemicolon && p.peek(1).kind != tkEOF:
		return nil, 0, syntaxError(p.peek(1).span, "Unexpected token after semicolon. (Only one query is allowed.)")
	case p.head().kind != tkEOF && p.head().kind != tkSemicolon:
		return nil, 0, syntaxError(p.head().span, "Unexpected token after expression")
	}
	if nested := nestedWrite(tree, true); nested != nil {
		return nil, 0, syntaxError(nested.at(), "Keyword "+keywordOf(nested)+" only expected at the top level in the query")
	}
	return tree, p.params, nil
}

// maxNesting bounds the depth of expressions, so that neither the parser nor
// a later stage can exhaust the stack. What the service allows was not
// recorded; it allows 250.
const maxNesting = 500

type parser struct {
	tokens []token
	pos    int
	params int
	depth  int
}

func (p *parser) head() *token { return &p.tokens[p.pos] }

// peek returns the token n places on; the last one is the end of the text.
func (p *parser) peek(n int) *token { return &p.tokens[min(p.pos+n, len(p.tokens)-1)] }

func (p *parser) advance() *token {
	t := &p.tokens[p.pos]
	if t.kind != tkEOF {
		p.pos++
	}
	return t
}

// accept passes over a reserved word or operator if it comes next.
func (p *parser) accept(word string) bool {
	if !p.head().is(word) {
		return false
	}
	p.pos++
	return true
}

// accept2 passes over two words that make one token.
func (p *parser) accept2(first, second string) bool {
	if !p.head().is(first) || !p.peek(1).is(second) {
		return false
	}
	p.pos += 2
	return true
}

func (p *parser) fault(detail string) *SyntaxError { return syntaxError(p.head().span, detail) }

func (p *parser) expect(kind tokenKind, name string) *SyntaxError {
	if p.head().kind != kind {
		return p.fault("expected token of type " + name)
	}
	p.advance()
	return nil
}

func (p *parser) expectWord(word string) *SyntaxError {
	if !p.accept(word) {
		return p.fault("Expected " + word)
	}
	return nil
}

// statementTerm parses a term that begins with a keyword which begins a
// statement. ok is false for other terms.
func (p *parser) statementTerm() (n node, ok bool, err *SyntaxError) {
	t := p.head()
	switch {
	case t.is("select"):
		n, err = p.selectStatement()
	case t.is("insert") && p.peek(1).is("into"):
		n, err = p.insertStatement()
	case t.is("update"):
		n, err = p.updateStatement()
	case t.is("delete"):
		n, err = p.deleteStatement()
	case t.is("from"):
		n, err = p.fromStatement()
	case t.is("set"), t.is("remove"):
		n, err = p.bareActions()
	default:
		return nil, false, nil
	}
	return n, true, err
}

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
			return false, p.fault("Expected identifier for " + upper(word) + "-alias")
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
		s.others = append(s.others, clause{upper(word), []node{arg}})
	}
	return nil
}

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

// nestedWrite finds a statement that writes inside of another one.
func nestedWrite(n node, top bool) node {
	var found node
	switch n.(type) {
	case *insertNode, *updateNode, *deleteNode:
		if !top {
			return n
		}
	}
	children(n, func(c node) {
		if found == nil {
			found = nestedWrite(c, false)
		}
	})
	return found
}

func keywordOf(n node) string {
	switch n := n.(type) {
	case *insertNode:
		return "insert_into"
	case *updateNode:
		if n.fromFirst {
			return "from"
		}
		return "update"
	}
	return "delete"
}

// upper is strings.ToUpper for reserved words.
func upper(word string) string {
	b := []byte(word)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}
