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
