package partiql

// children calls fn for each node directly below n, in the order of the text.
func children(n node, fn func(node)) {
	each := func(nodes ...node) {
		for _, c := range nodes {
			if c != nil {
				fn(c)
			}
		}
	}
	switch n := n.(type) {
	case *pathNode:
		each(n.root)
		for i := range n.steps {
			each(n.steps[i].index)
		}
	case *callNode:
		each(n.args...)
	case *unaryNode:
		each(n.x)
	case *binaryNode:
		each(n.left, n.right, n.escape)
	case *betweenNode:
		each(n.x, n.lo, n.hi)
	case *isNode:
		each(n.x)
		each(n.args...)
	case *listNode:
		each(n.elems...)
	case *bagNode:
		each(n.elems...)
	case *structNode:
		for _, f := range n.fields {
			each(f.key, f.value)
		}
	case *selectNode:
		each(n.value)
		for _, c := range n.columns {
			each(c.expr)
		}
		n.from.children(each)
		each(n.where)
		for _, o := range n.order {
			each(o.expr)
		}
		for _, c := range n.others {
			each(c.args...)
		}
	case *insertNode:
		each(n.target, n.value)
	case *updateNode:
		n.target.children(each)
		for _, a := range n.actions {
			each(a.target, a.value)
		}
		each(n.where)
		eachReturning(n.returning, each)
	case *deleteNode:
		n.target.children(each)
		each(n.where)
		eachReturning(n.returning, each)
	}
}

func (s *source) children(each func(...node)) {
	each(s.expr)
	each(s.joined...)
}

func eachReturning(list []returningElem, each func(...node)) {
	for _, e := range list {
		each(e.column)
	}
}
