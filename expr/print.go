package expr

import "strings"

// printer writes a tree as text that parses to the same tree: keywords in
// upper case, one space around operators, parentheses only where the tree
// needs them.
type printer struct {
	strings.Builder
}

// treeString returns the text of a tree.
func treeString(n node) string {
	var p printer
	n.print(&p)
	return p.String()
}

func (n *pathNode) print(p *printer) {
	for i, e := range n.parts {
		switch {
		case e.kind == partIndex:
			p.WriteString("[" + e.text + "]")
		case i > 0:
			p.WriteString("." + e.text)
		default:
			p.WriteString(e.text)
		}
	}
}

func (n *valueNode) print(p *printer) { p.WriteString(n.name) }

func (n *callNode) print(p *printer) {
	p.WriteString(n.name)
	p.list(n.operands)
}

func (n *compareNode) print(p *printer) { p.infix(n.left, n.op, n.right) }

func (n *arithNode) print(p *printer) { p.infix(n.left, n.op, n.right) }

func (n *betweenNode) print(p *printer) {
	p.infix(n.x, "BETWEEN", n.lo)
	p.WriteString(" AND ")
	n.hi.print(p)
}

func (n *inNode) print(p *printer) {
	n.x.print(p)
	p.WriteString(" IN ")
	p.list(n.list)
}

func (n *logicNode) print(p *printer) {
	for i, c := range n.conds {
		if i > 0 {
			p.WriteString(" " + n.op.String() + " ")
		}
		inner, isLogic := c.(*logicNode)
		p.cond(c, isLogic && (n.op == kwAnd || inner.op == kwOr))
	}
}

func (n *notNode) print(p *printer) {
	p.WriteString("NOT ")
	_, isLogic := n.cond.(*logicNode)
	p.cond(n.cond, isLogic)
}

func (n *updateNode) print(p *printer) {
	for i, s := range n.sections {
		if i > 0 {
			p.WriteString(" ")
		}
		p.WriteString(s.keyword.String())
		for j, a := range s.actions {
			if j > 0 {
				p.WriteString(",")
			}
			p.WriteString(" ")
			a.target.print(p)
			if a.value == nil {
				continue
			}
			if s.keyword == kwSet {
				p.WriteString(" =")
			}
			p.WriteString(" ")
			a.value.print(p)
		}
	}
}

func (n *projectionNode) print(p *printer) {
	for i, path := range n.paths {
		if i > 0 {
			p.WriteString(", ")
		}
		path.print(p)
	}
}

func (p *printer) infix(left node, op string, right node) {
	left.print(p)
	p.WriteString(" " + op + " ")
	right.print(p)
}

func (p *printer) list(nodes []node) {
	p.WriteString("(")
	for i, n := range nodes {
		if i > 0 {
			p.WriteString(", ")
		}
		n.print(p)
	}
	p.WriteString(")")
}

func (p *printer) cond(n node, parens bool) {
	if parens {
		p.WriteString("(")
	}
	n.print(p)
	if parens {
		p.WriteString(")")
	}
}
