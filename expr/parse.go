package expr

import "strconv"

// tree is what the parser makes of a text without syntax faults.
type tree struct {
	kind      Kind
	root      node
	operators int
	// doubled is the first pair of parentheses that directly holds another
	// pair; its end is 0 when there is none.
	doubled extent
}

// parse makes the tree of an expression or the first fault of these: empty,
// too long, syntax (behaviours/04 §4.2).
func parse(kind Kind, text string) (*tree, *Error) {
	if len(text) > MaxExpressionBytes {
		return nil, sizeFault(kind, len(text))
	}
	p := parser{kind: kind, lex: lexer{text: text}}
	p.cur = p.lex.next()
	p.peek = p.lex.next()
	if p.cur.kind == tokEOF {
		return nil, emptyFault(kind)
	}
	root := p.root()
	if p.cur.kind != tokEOF {
		p.fail()
	}
	if p.err != nil {
		return nil, p.err
	}
	return &tree{kind: kind, root: root, operators: p.operators, doubled: p.doubled}, nil
}

// parser is a recursive-descent parser. After the first fault it acts as if
// the text had ended, so that its methods need not return errors; the trees
// that they return then are of no use.
type parser struct {
	kind            Kind
	lex             lexer
	prev, cur, peek token
	err             *Error

	operators int
	doubled   extent
	groups    int   // open groups, that is parentheses that are not a function's
	lastOpen  token // of the group that was closed last
	lastClose token
}

func (p *parser) root() node {
	switch p.kind {
	case UpdateKind:
		return p.update()
	case ProjectionKind:
		return p.projection()
	default:
		return p.condition()
	}
}

func (p *parser) advance() {
	p.prev, p.cur = p.cur, p.peek
	if p.cur.kind != tokEOF {
		p.peek = p.lex.next()
	}
}

func (p *parser) text(t token) string { return p.lex.text[t.pos:t.end] }

// fail reports the current token as the one that cannot stand where it is.
// The near part reaches from the token before it through the one after it;
// at the end of the text it is the last token (behaviours/04 §4.2).
func (p *parser) fail() {
	if p.err == nil {
		p.err = p.syntaxFault()
	}
	p.cur.kind, p.peek.kind = tokEOF, tokEOF
}

func (p *parser) syntaxFault() *Error {
	at := extent{p.cur.pos, p.cur.end}
	if p.cur.kind == tokEOF {
		return syntaxFault(p.kind, at, "<EOF>", p.text(p.prev))
	}
	near := extent{p.cur.pos, p.cur.end}
	if p.prev.end > 0 {
		near.pos = p.prev.pos
	}
	if p.peek.kind != tokEOF {
		near.end = p.peek.end
	}
	return syntaxFault(p.kind, at, p.text(p.cur), p.lex.text[near.pos:near.end])
}

// keyword returns the keyword that the current token spells.
func (p *parser) keyword() keyword {
	if p.cur.kind != tokName {
		return noKeyword
	}
	return keywordOf(p.kind, p.text(p.cur))
}

// symbol reports whether the current token is the symbol s.
func (p *parser) symbol(s string) bool {
	return p.cur.kind == tokSymbol && p.text(p.cur) == s
}

// accept moves past the symbol s if it is the current token.
func (p *parser) accept(s string) bool {
	if !p.symbol(s) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(s string) {
	if !p.accept(s) {
		p.fail()
	}
}

// since is the extent from pos to the end of the previous token.
func (p *parser) since(pos int) extent { return extent{pos, p.prev.end} }

// openGroup moves past "(" and returns it.
func (p *parser) openGroup() token {
	open := p.cur
	p.advance()
	p.groups++
	return open
}

// closeGroup moves past the ")" of the group that open began, and notes when
// the group holds nothing but another group. first is the token after open.
func (p *parser) closeGroup(open, first token) {
	if p.lastOpen == first && p.lastClose == p.prev && p.lastClose.end > 0 && p.doubled.end == 0 {
		p.doubled = extent{open.pos, p.cur.end}
	}
	closing := p.cur
	p.expect(")")
	p.groups--
	p.lastOpen, p.lastClose = open, closing
}

// closedGroup reports whether the previous token closed a group.
func (p *parser) closedGroup() bool {
	return p.lastClose == p.prev && p.prev.end > 0
}

// path parses a document path.
func (p *parser) path() *pathNode {
	n := &pathNode{extent: extent{p.cur.pos, p.cur.end}}
	n.parts = append(n.parts, p.name())
	p.pathTail(n)
	return n
}

// pathTail adds the elements that follow.
func (p *parser) pathTail(n *pathNode) {
	for {
		switch {
		case p.accept("."):
			n.parts = append(n.parts, p.name())
		case p.accept("["):
			n.parts = append(n.parts, p.index())
			p.expect("]")
		default:
			n.extent = p.since(n.pos)
			return
		}
	}
}

// name parses a name or # placeholder of a path.
func (p *parser) name() part {
	e := part{extent: extent{p.cur.pos, p.cur.end}, text: p.text(p.cur)}
	switch {
	case p.cur.kind == tokNameRef:
		e.kind = partRef
	case p.cur.kind != tokName || p.keyword() != noKeyword:
		p.fail()
		return e
	}
	p.advance()
	return e
}

// index parses the digits of an index. One that is out of range is kept as
// -1 for check.go.
func (p *parser) index() part {
	e := part{extent: extent{p.cur.pos, p.cur.end}, kind: partIndex, text: p.text(p.cur)}
	if p.cur.kind != tokNumber {
		p.fail()
		return e
	}
	p.advance()
	var err error
	if e.index, err = strconv.Atoi(e.text); err != nil || e.index > MaxListIndex {
		e.index = -1
		return e
	}
	e.text = strconv.Itoa(e.index)
	return e
}

func (p *parser) value() *valueNode {
	n := &valueNode{extent{p.cur.pos, p.cur.end}, p.text(p.cur)}
	p.advance()
	return n
}

// call parses a function; the current token is its name, the next one "(".
func (p *parser) call(operand func(*parser) node) *callNode {
	n := &callNode{extent: extent{p.cur.pos, p.cur.end}, name: p.text(p.cur)}
	p.advance()
	n.operands = p.list(operand)
	n.extent = p.since(n.pos)
	return n
}

// list parses operands in parentheses, at least one.
func (p *parser) list(operand func(*parser) node) []node {
	p.expect("(")
	nodes := []node{operand(p)}
	for p.accept(",") {
		nodes = append(nodes, operand(p))
	}
	p.expect(")")
	return nodes
}

// isCall reports whether a function begins at the current token.
func (p *parser) isCall() bool {
	return p.cur.kind == tokName && p.peek.kind == tokSymbol && p.text(p.peek) == "("
}

// projection parses the list of paths of a ProjectionExpression.
func (p *parser) projection() node {
	n := &projectionNode{extent: extent{p.cur.pos, p.cur.end}}
	n.paths = append(n.paths, p.path())
	for p.accept(",") {
		n.paths = append(n.paths, p.path())
	}
	n.extent = p.since(n.pos)
	return n
}
