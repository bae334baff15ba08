package partiql

// Precedences of the infix operators, from loose to tight.
const (
	precedenceSet      = 5
	precedenceOr       = 10
	precedenceAnd      = 20
	precedenceNot      = 30
	precedenceEquality = 40
	precedenceCompare  = 50
	precedenceAdd      = 60
	precedenceMultiply = 70
)

// infix returns the precedence of the operator that comes next, 0 for none,
// its name without a NOT, whether it has one, and how many tokens it takes.
func (p *parser) infix() (precedence int, op string, not bool, tokens int) {
	t := p.head()
	if t.kind == tkStar {
		return precedenceMultiply, "*", false, 1
	}
	if t.kind != tkOperator {
		return 0, "", false, 0
	}
	tokens = 1
	op = t.text
	if op == "not" {
		next := p.peek(1)
		if !next.is("in") && !next.is("between") && !next.is("like") {
			return 0, "", false, 0
		}
		op, not, tokens = next.text, true, 2
	}
	if op == "is" && p.peek(1).is("not") {
		not, tokens = true, 2
	}
	switch op {
	case "or":
		precedence = precedenceOr
	case "and":
		precedence = precedenceAnd
	case "=", "<>", "is", "in":
		precedence = precedenceEquality
	case "<", "<=", ">", ">=", "between", "like":
		precedence = precedenceCompare
	case "+", "-", "||":
		precedence = precedenceAdd
	case "/", "%":
		precedence = precedenceMultiply
	case "union", "except", "intersect":
		precedence = precedenceSet
	}
	return precedence, op, not, tokens
}

// expression parses an expression whose operators bind tighter than least.
func (p *parser) expression(least int) (node, *SyntaxError) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxNesting {
		return nil, p.fault("")
	}
	left, err := p.unary()
	if err != nil {
		return nil, err
	}
	for {
		precedence, op, not, tokens := p.infix()
		if precedence <= least {
			return left, nil
		}
		if left, err = p.infixRight(left, precedence, op, not, tokens); err != nil {
			return nil, err
		}
	}
}

// infixRight parses an infix operator and what is right of it.
func (p *parser) infixRight(left node, precedence int, op string, not bool, tokens int) (node, *SyntaxError) {
	at := span{p.head().pos, p.peek(tokens - 1).end}
	if op == "is" {
		p.pos += tokens
		typ, args, err := p.typeName()
		return &isNode{at, not, left, typ, args}, err
	}
	parens := op == "in" && p.peek(tokens).kind == tkLeftParen && !p.peek(tokens+1).is("select") && !p.peek(tokens+1).is("values")
	if !parens && p.peek(tokens).kind == tkEOF {
		return nil, syntaxError(at, "Missing right-hand side expression of infix operator")
	}
	p.pos += tokens
	if op == "union" || op == "except" || op == "intersect" {
		if !p.accept("all") {
			p.accept("distinct")
		}
	}
	if parens {
		list, err := p.parenList()
		return &binaryNode{at, op, not, left, list, nil}, err
	}
	right, err := p.expression(precedence)
	if err != nil {
		return nil, err
	}
	if op == "between" {
		return p.upperBound(&betweenNode{at, not, left, right, nil})
	}
	n := &binaryNode{at, op, not, left, right, nil}
	if op == "like" && p.accept("escape") {
		n.escape, err = p.expression(precedence)
	}
	return n, err
}

func (p *parser) upperBound(n *betweenNode) (node, *SyntaxError) {
	if err := p.expectWord("and"); err != nil {
		return nil, err
	}
	if p.head().kind == tkEOF || p.head().kind == tkSemicolon && p.peek(1).kind == tkEOF {
		return nil, p.fault("Expected expression after AND")
	}
	var err *SyntaxError
	n.hi, err = p.expression(precedenceCompare)
	return n, err
}

// unary parses a term with the operators before it.
func (p *parser) unary() (node, *SyntaxError) {
	op := p.head()
	if !op.is("not") && !op.is("-") && !op.is("+") {
		return p.path()
	}
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxNesting {
		return nil, p.fault("")
	}
	p.advance()
	if op.text == "not" {
		x, err := p.expression(precedenceNot)
		return &unaryNode{op.span, op.text, x}, err
	}
	x, err := p.unary()
	if err != nil {
		return nil, err
	}
	if number, ok := x.(*literalNode); ok && number.kind == litNumber {
		return signed(op, number), nil
	}
	return &unaryNode{op.span, op.text, x}, nil
}

// signed folds a sign into a number.
func signed(sign *token, n *literalNode) node {
	text := n.text
	if sign.text == "-" {
		if text[0] == '-' {
			text = text[1:]
		} else {
			text = "-" + text
		}
	}
	return &literalNode{span{sign.pos, n.end}, litNumber, text}
}

// path parses a term with the steps behind it.
func (p *parser) path() (node, *SyntaxError) {
	root, err := p.term()
	if err != nil {
		return nil, err
	}
	return p.steps(root, false)
}

// simplePath parses the target of a write.
func (p *parser) simplePath() (node, *SyntaxError) {
	t := p.head()
	if !t.isIdentifier() {
		return nil, p.fault("Expected identifier for simple path")
	}
	p.advance()
	return p.steps(&nameNode{t.span, t.text}, true)
}

func (p *parser) steps(root node, simple bool) (node, *SyntaxError) {
	path := &pathNode{span: root.at(), root: root}
	for {
		t := p.head()
		switch t.kind {
		case tkDot:
			p.advance()
			name := p.head()
			switch {
			case name.isIdentifier():
				path.steps = append(path.steps, step{span: name.span, name: name.text, dot: true})
			case name.kind == tkStar && simple:
				return nil, p.fault("Invalid path dot component for simple path")
			case name.kind == tkStar:
				path.steps = append(path.steps, step{span: name.span, star: true, dot: true})
			default:
				return nil, p.fault("Invalid path dot component")
			}
			p.advance()
		case tkLeftBracket:
			s, err := p.bracketStep(simple)
			if err != nil {
				return nil, err
			}
			path.steps = append(path.steps, s)
		default:
			if len(path.steps) == 0 {
				return root, nil
			}
			return path, nil
		}
	}
}

func (p *parser) bracketStep(simple bool) (step, *SyntaxError) {
	s := step{span: p.advance().span}
	if p.head().kind == tkStar && p.peek(1).kind == tkRightBracket {
		p.advance()
		s.star = true
	} else {
		at := p.head().span
		var err *SyntaxError
		if s.index, err = p.expression(0); err != nil {
			return s, err
		}
		if _, isLiteral := s.index.(*literalNode); simple && !isLiteral {
			return s, syntaxError(at, "Invalid path component for simple path")
		}
	}
	return s, p.expect(tkRightBracket, "RIGHT_BRACKET")
}
