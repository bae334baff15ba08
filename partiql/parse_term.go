package partiql

import "strings"

// term parses an expression without operators and steps.
func (p *parser) term() (node, *SyntaxError) {
	t := p.head()
	switch t.kind {
	case tkOperator:
		return p.operatorTerm()
	case tkKeyword:
		return p.keywordTerm()
	case tkLeftParen:
		return p.group()
	case tkLeftBracket:
		list, err := p.list(tkRightBracket, "RIGHT_BRACKET")
		return &listNode{t.span, list}, err
	case tkLeftBag:
		list, err := p.list(tkRightBag, "RIGHT_DOUBLE_ANGLE_BRACKET")
		return &bagNode{t.span, list}, err
	case tkLeftCurly:
		return p.structLiteral()
	case tkName, tkQuoted:
		p.advance()
		if p.head().kind == tkLeftParen {
			return p.call(t)
		}
		return &nameNode{t.span, t.text}, nil
	case tkParam:
		p.advance()
		p.params++
		return &paramNode{t.span, p.params - 1}, nil
	case tkString:
		p.advance()
		return &literalNode{t.span, litString, t.text}, nil
	case tkNumber:
		p.advance()
		return &literalNode{t.span, litNumber, t.text}, nil
	}
	return nil, p.fault("Unexpected term")
}

func (p *parser) operatorTerm() (node, *SyntaxError) {
	t := p.head()
	if t.text != "@" {
		return nil, p.fault("Unexpected operator")
	}
	p.advance()
	name := p.head()
	if !name.isIdentifier() {
		return nil, syntaxError(t.span, "Identifier must follow @-operator")
	}
	p.advance()
	return &unaryNode{t.span, "@", &nameNode{name.span, name.text}}, nil
}

func (p *parser) keywordTerm() (node, *SyntaxError) {
	t := p.head()
	if n, ok, err := p.statementTerm(); ok {
		return n, err
	}
	switch t.text {
	case "true":
		p.advance()
		return &literalNode{t.span, litTrue, ""}, nil
	case "false":
		p.advance()
		return &literalNode{t.span, litFalse, ""}, nil
	case "null":
		p.advance()
		return &literalNode{t.span, litNull, ""}, nil
	case "missing":
		p.advance()
		return &literalNode{t.span, litMissing, ""}, nil
	}
	if functionWord(t.text) && p.peek(1).kind == tkLeftParen {
		p.advance()
		return p.call(t)
	}
	return nil, p.fault("Unexpected keyword")
}

// call parses the arguments of a function; the parenthesis comes next.
func (p *parser) call(name *token) (node, *SyntaxError) {
	n := &callNode{span: name.span, name: strings.ToLower(name.text)}
	p.advance()
	if aggregate(n.name) && !p.accept("distinct") {
		p.accept("all")
	}
	switch p.head().kind {
	case tkStar:
		if n.name != "count" {
			return nil, p.fault(n.name + "(*) is not allowed")
		}
		p.advance()
		n.star = true
	case tkRightParen:
		if aggregate(n.name) {
			return nil, p.fault("Aggregate functions are always unary")
		}
	default:
		var err *SyntaxError
		if n.args, err = p.commaList(); err != nil {
			return nil, err
		}
	}
	return n, p.expect(tkRightParen, "RIGHT_PAREN")
}

// group parses (x), and (a, b), which is a list.
func (p *parser) group() (node, *SyntaxError) {
	at := p.head().span
	list, err := p.parenList()
	if err != nil {
		return nil, err
	}
	if len(list.elems) == 1 {
		return list.elems[0], nil
	}
	list.span = at
	return list, nil
}

// parenList parses (a, b) as a list, also when it has one element.
func (p *parser) parenList() (*listNode, *SyntaxError) {
	n := &listNode{span: p.advance().span}
	var err *SyntaxError
	if n.elems, err = p.commaList(); err != nil {
		return nil, err
	}
	return n, p.expect(tkRightParen, "RIGHT_PAREN")
}

// list parses the elements of a list or bag literal, which may have none.
func (p *parser) list(end tokenKind, name string) ([]node, *SyntaxError) {
	p.advance()
	if p.head().kind == end {
		p.advance()
		return nil, nil
	}
	elems, err := p.commaList()
	if err != nil {
		return nil, err
	}
	return elems, p.expect(end, name)
}

func (p *parser) commaList() ([]node, *SyntaxError) {
	var elems []node
	for {
		e, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		elems = append(elems, e)
		if p.head().kind != tkComma {
			return elems, nil
		}
		p.advance()
	}
}

func (p *parser) structLiteral() (node, *SyntaxError) {
	n := &structNode{span: p.advance().span}
	if p.head().kind == tkRightCurly {
		p.advance()
		return n, nil
	}
	for {
		key, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		if err := p.expect(tkColon, "COLON"); err != nil {
			return nil, err
		}
		value, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		n.fields = append(n.fields, structField{key, value})
		if p.head().kind != tkComma {
			return n, p.expect(tkRightCurly, "RIGHT_CURLY")
		}
		p.advance()
	}
}

// typeName parses the type after IS, and its arguments, which mean nothing.
func (p *parser) typeName() (name string, args []node, err *SyntaxError) {
	t := p.head()
	switch {
	case p.accept2("character", "varying"):
		name = "character varying"
	case p.accept2("double", "precision"):
		name = "double precision"
	case t.kind == tkKeyword:
		if name = typeAlias(t.text); name != "" {
			p.advance()
		}
	}
	if name == "" {
		return "", nil, p.fault("Expected type name")
	}
	if p.head().kind != tkLeftParen {
		return name, nil, nil
	}
	list, err := p.parenList()
	if err != nil {
		return "", nil, err
	}
	return name, list.elems, nil
}

// typeAlias resolves the name of a type; it is empty for other words.
func typeAlias(word string) string {
	switch word {
	case "missing", "null", "boolean", "smallint", "integer4", "integer8", "integer", "float", "real", "decimal",
		"numeric", "timestamp", "date", "time", "character", "string", "symbol", "clob", "blob", "struct", "tuple",
		"list", "sexp", "bag", "any":
		return word
	case "varchar":
		return "character varying"
	case "char":
		return "character"
	case "dec":
		return "decimal"
	case "int":
		return "integer"
	case "int2", "integer2":
		return "smallint"
	case "int4":
		return "integer4"
	case "int8", "bigint":
		return "integer8"
	case "bool":
		return "boolean"
	}
	return ""
}
