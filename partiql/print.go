package partiql

import "strings"

// printer writes a tree as a statement that parses to the same tree.
type printer struct{ strings.Builder }

// printed returns the text of a tree.
func printed(n node) string {
	var p printer
	n.print(&p)
	return p.String()
}

func (p *printer) words(words ...string) {
	for _, w := range words {
		p.WriteString(w)
	}
}

func (p *printer) name(name string) {
	p.words(`"`, strings.ReplaceAll(name, `"`, `""`), `"`)
}

func (p *printer) list(open string, nodes []node, end string) {
	p.WriteString(open)
	for i, n := range nodes {
		if i > 0 {
			p.WriteString(", ")
		}
		n.print(p)
	}
	p.WriteString(end)
}

func (n *nameNode) print(p *printer) { p.name(n.name) }

func (n *literalNode) print(p *printer) {
	switch n.kind {
	case litString:
		p.words("'", strings.ReplaceAll(n.text, "'", "''"), "'")
	case litNumber:
		p.WriteString(n.text)
	case litTrue:
		p.WriteString("true")
	case litFalse:
		p.WriteString("false")
	case litNull:
		p.WriteString("null")
	case litMissing:
		p.WriteString("missing")
	}
}

func (n *paramNode) print(p *printer) { p.WriteString("?") }

func (n *pathNode) print(p *printer) {
	switch root := n.root.(type) {
	case *literalNode:
		root.print(p)
		p.words(" ") // or a dot behind a number becomes part of it
	case *unaryNode, *binaryNode, *betweenNode, *isNode:
		p.list("(", []node{root}, ")")
	default:
		root.print(p)
	}
	for i := range n.steps {
		switch s := &n.steps[i]; {
		case s.dot && s.star:
			p.words(".*")
		case s.star:
			p.words("[*]")
		case s.dot:
			p.words(".")
			p.name(s.name)
		default:
			p.list("[", []node{s.index}, "]")
		}
	}
}

func (n *callNode) print(p *printer) {
	if functionWord(n.name) {
		p.WriteString(n.name)
	} else {
		p.name(n.name)
	}
	if n.star {
		p.words("(*)")
		return
	}
	p.list("(", n.args, ")")
}

// Operators stand in parentheses. Only behind IN a parenthesis would begin a
// list, so there the outermost ones are left out, see bare.

func (n *unaryNode) print(p *printer)   { p.enclosed(n) }
func (n *binaryNode) print(p *printer)  { p.enclosed(n) }
func (n *betweenNode) print(p *printer) { p.enclosed(n) }
func (n *isNode) print(p *printer)      { p.enclosed(n) }

func (p *printer) enclosed(n node) {
	p.words("(")
	p.bare(n, n)
	p.words(")")
}

// bare prints an operator without parentheses around it, and, unless it is
// top, around what it begins with.
func (p *printer) bare(n, top node) {
	first := func(x node) {
		if n == top {
			x.print(p)
			return
		}
		p.bare(x, nil)
	}
	switch n := n.(type) {
	case *unaryNode:
		p.words(n.op, " ")
		n.x.print(p)
	case *binaryNode:
		first(n.left)
		p.words(notWord(n.not), " ", n.op, " ")
		if n.op == "in" {
			p.bare(n.right, nil)
		} else {
			n.right.print(p)
		}
		if n.escape != nil {
			p.words(" escape ")
			n.escape.print(p)
		}
	case *betweenNode:
		first(n.x)
		p.words(notWord(n.not), " between ")
		n.lo.print(p)
		p.words(" and ")
		n.hi.print(p)
	case *isNode:
		first(n.x)
		p.words(" is", notWord(n.not), " ", n.typ)
		if n.args != nil {
			p.list("(", n.args, ")")
		}
	default:
		n.print(p)
	}
}

func notWord(not bool) string {
	if not {
		return " not"
	}
	return ""
}

func (n *listNode) print(p *printer) { p.list("[", n.elems, "]") }
func (n *bagNode) print(p *printer)  { p.list("<<", n.elems, ">>") }

func (n *structNode) print(p *printer) {
	p.words("{")
	for i, f := range n.fields {
		if i > 0 {
			p.words(", ")
		}
		f.key.print(p)
		p.words(": ")
		f.value.print(p)
	}
	p.words("}")
}

func (n *selectNode) print(p *printer) {
	p.words("(SELECT ")
	if n.distinct {
		p.words("DISTINCT ")
	}
	switch {
	case n.value != nil:
		p.words("VALUE ")
		n.value.print(p)
	case n.star:
		p.words("*")
	}
	for i, c := range n.columns {
		if i > 0 {
			p.words(", ")
		}
		c.expr.print(p)
		p.alias(c.aliased)
	}
	p.words(" FROM ")
	n.from.print(p)
	p.where(n.where)
	for i, o := range n.order {
		if i == 0 {
			p.words(" ORDER BY ")
		} else {
			p.words(", ")
		}
		o.expr.print(p)
		if o.desc {
			p.words(" DESC")
		}
	}
	for _, c := range n.others {
		p.list(" "+c.name+" ", c.args, "")
	}
	p.words(")")
}

// alias writes some alias, since the tree doesn't hold which.
func (p *printer) alias(aliased bool) {
	if aliased {
		p.words(" AS t")
	}
}

func (p *printer) where(cond node) {
	if cond != nil {
		p.words(" WHERE ")
		cond.print(p)
	}
}

// print writes the source, joins as commas.
func (s *source) print(p *printer) {
	s.expr.print(p)
	p.alias(s.aliased)
	for _, n := range s.joined {
		p.words(", ")
		n.print(p)
	}
}

func (n *insertNode) print(p *printer) {
	p.words("INSERT INTO ")
	n.target.print(p)
	p.words(" ", n.form, " ")
	n.value.print(p)
}

func (n *updateNode) print(p *printer) {
	switch {
	case n.target.expr == nil:
		p.actions(n.actions)
		return
	case n.fromFirst:
		p.words("FROM ")
		n.target.print(p)
		p.where(n.where)
		p.actions(n.actions)
	default:
		p.words("UPDATE ")
		n.target.print(p)
		p.actions(n.actions)
		p.where(n.where)
	}
	p.returning(n.returning)
}

func (p *printer) actions(list []actionNode) {
	for _, a := range list {
		if a.value == nil {
			p.words(" REMOVE ")
			a.target.print(p)
			continue
		}
		p.words(" SET ")
		a.target.print(p)
		p.words(" = ")
		a.value.print(p)
	}
}

func (p *printer) returning(list []returningElem) {
	for i := range list {
		if i == 0 {
			p.words(" RETURNING ")
		} else {
			p.words(", ")
		}
		p.words(list[i].words(), " ")
		if list[i].column == nil {
			p.words("*")
		} else {
			list[i].column.print(p)
		}
	}
}

// words is the element as written, without its column.
func (e *returningElem) words() string {
	which, image := "ALL", "NEW"
	if e.modified {
		which = "MODIFIED"
	}
	if e.old {
		image = "OLD"
	}
	return which + " " + image
}

func (n *deleteNode) print(p *printer) {
	p.words("DELETE FROM ")
	n.target.print(p)
	p.where(n.where)
	p.returning(n.returning)
}
