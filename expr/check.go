package expr

// check finds the faults of a tree that come before any placeholder is
// looked at (behaviours/04 §4.4 rows 1 to 4, §4.7, §4.8 rows 2 to 5).
func check(t *tree) *Error {
	c := checker{kind: t.kind}
	switch root := t.root.(type) {
	case *updateNode:
		return c.update(root)
	case *projectionNode:
		c.paths = root.paths
		return c.wordsAndPaths()
	}
	if t.doubled.end > 0 {
		return parensFault(t.kind, t.doubled)
	}
	c.cond(t.root)
	return firstFault(c.unknown(), c.misplaced, c.reserved(), c.pathLimits())
}

func firstFault(faults ...*Error) *Error {
	for _, f := range faults {
		if f != nil {
			return f
		}
	}
	return nil
}

// checker gathers the paths and functions of a tree in the order of the text.
type checker struct {
	kind      Kind
	paths     []*pathNode
	calls     []*callNode
	misplaced *Error // the first, with inner functions before outer ones
}

func (c *checker) cond(n node) {
	switch n := n.(type) {
	case *logicNode:
		for _, arg := range n.conds {
			c.cond(arg)
		}
	case *notNode:
		c.cond(n.cond)
	case *compareNode:
		c.operands(n.left, n.right)
	case *betweenNode:
		c.operands(n.x, n.lo, n.hi)
	case *inNode:
		c.operands(n.x)
		c.operands(n.list...)
	case *callNode:
		c.call(n, functionOf(n.name).isCondition())
	}
}

// operands visits operands of a condition, of which only size is a function.
func (c *checker) operands(nodes ...node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *pathNode:
			c.paths = append(c.paths, n)
		case *callNode:
			c.call(n, functionOf(n.name) == fnSize)
		}
	}
}

// call visits a function of a condition. inPlace tells that it may stand
// where it does.
func (c *checker) call(n *callNode, inPlace bool) {
	c.calls = append(c.calls, n)
	c.operands(n.operands...)
	if !inPlace {
		c.misplace(n)
	}
}

func (c *checker) misplace(n *callNode) {
	if c.misplaced == nil {
		c.misplaced = misplacedFault(c.kind, n.extent, n.name)
	}
}

func (c *checker) update(n *updateNode) *Error {
	var repeated *Error
	seen := [kwDelete + 1]bool{}
	for _, s := range n.sections {
		if seen[s.keyword] && repeated == nil {
			repeated = sectionFault(c.kind, s.extent, s.keyword.String())
		}
		seen[s.keyword] = true
		for _, a := range s.actions {
			c.paths = append(c.paths, a.target)
			c.term(a.value, fnUnknown)
		}
	}
	return firstFault(c.reserved(), c.unknown(), c.misplaced, repeated, c.pathLimits())
}

// term visits what SET assigns; outer is the function whose operand it is.
func (c *checker) term(n node, outer function) {
	switch n := n.(type) {
	case *pathNode:
		c.paths = append(c.paths, n)
	case *arithNode:
		c.term(n.left, fnUnknown)
		c.term(n.right, fnUnknown)
	case *callNode:
		fn := functionOf(n.name)
		c.calls = append(c.calls, n)
		for _, arg := range n.operands {
			c.term(arg, fn)
		}
		if !fn.isUpdate() || fn == fnListAppend && outer == fnListAppend {
			c.misplace(n)
		}
	}
}

func (c *checker) unknown() *Error {
	for _, n := range c.calls {
		if functionOf(n.name) == fnUnknown {
			return unknownFunctionFault(c.kind, n.extent, n.name)
		}
	}
	return nil
}

func (c *checker) wordsAndPaths() *Error {
	return firstFault(c.reserved(), c.pathLimits())
}

func (c *checker) reserved() *Error {
	for _, path := range c.paths {
		for _, e := range path.parts {
			if e.kind == partName && ReservedWord(e.text) {
				return reservedFault(c.kind, e.extent, e.text)
			}
		}
	}
	return nil
}

// pathLimits looks for indexes out of range and paths that are too long.
func (c *checker) pathLimits() *Error {
	for _, path := range c.paths {
		for _, e := range path.parts {
			if e.index < 0 {
				return indexFault(c.kind, e.extent, e.text)
			}
		}
		if len(path.parts) > MaxPathDepth {
			return pathDepthFault(c.kind, path.extent, len(path.parts))
		}
	}
	return nil
}
