package expr

import "github.com/dynalite-go/dynalite/attr"

// updateProgram is the compiled form of an UpdateExpression.
type updateProgram struct {
	slots   slots
	rules   []rule
	actions []step
	// static is the update of a text without placeholders.
	static *Update
}

// compileUpdate compiles a checked tree, or returns the fault that no
// placeholder can mend. The rules follow behaviours/04 §4.8 rows 6 to 10, each
// row over the whole text before the next.
func compileUpdate(t *tree) (*updateProgram, *Error) {
	c := updateCompiler{prog: &updateProgram{}}
	var targets []int
	for _, s := range t.root.(*updateNode).sections {
		for _, a := range s.actions {
			st := step{action: actionOf(s.keyword), target: c.prog.slots.path(a.target)}
			targets = append(targets, st.target)
			if a.value != nil {
				st.value = c.term(a.value)
			}
			if s.keyword == kwAdd || s.keyword == kwDelete {
				c.checkAction(s.keyword, a.value.(*valueNode), st.value)
			}
			c.prog.actions = append(c.prog.actions, st)
		}
	}
	c.finish(t, targets)
	if !c.prog.slots.isStatic() {
		return c.prog, nil
	}
	var err *Error
	c.prog.static, err = c.prog.bind(nil)
	return c.prog, err
}

type updateCompiler struct {
	prog                   *updateProgram
	actions, calls, ariths []rule
}

func (c *updateCompiler) finish(t *tree, targets []int) {
	p := c.prog
	p.rules = append(p.slots.nameRules(), p.slots.valueRules()...)
	p.rules = append(p.rules, c.targetRules(t.root.at(), targets)...)
	p.rules = append(p.rules, c.actions...)
	p.rules = append(p.rules, c.calls...)
	p.rules = append(p.rules, c.ariths...)
	if t.operators > MaxOperators {
		p.rules = append(p.rules, rule{kind: ruleFault, err: operatorsFault(UpdateKind, t.operators)})
	}
}

// targetRules are the rules that the targets neither overlap nor conflict.
// Targets without placeholders are judged here, once for all requests.
func (c *updateCompiler) targetRules(at extent, targets []int) []rule {
	if len(targets) < 2 {
		return nil
	}
	s := &c.prog.slots
	paths := make([]attr.Path, len(s.paths))
	for _, n := range targets {
		if s.paths[n].refs != nil {
			return []rule{{kind: ruleTargets, at: at, targets: targets}}
		}
		paths[n] = s.paths[n].path
	}
	if err := clash(UpdateKind, at, paths, targets); err != nil {
		return []rule{{kind: ruleFault, err: err}}
	}
	return nil
}

func (c *updateCompiler) checkAction(kw keyword, n *valueNode, value term) {
	mask := maskSets
	if kw == kwAdd {
		mask = maskAdded
	}
	c.actions = append(c.actions, rule{kind: ruleAction, at: n.extent, a: int(value.(literal)), op: kw.String(), mask: mask})
}

// term compiles what SET assigns.
func (c *updateCompiler) term(n node) term {
	switch n := n.(type) {
	case *pathNode:
		return reference(c.prog.slots.path(n))
	case *valueNode:
		return literal(c.prog.slots.value(n))
	case *arithNode:
		s := sum{minus: n.op == "-", left: c.term(n.left), right: c.term(n.right)}
		c.ariths = c.checkLiteral(c.ariths, n.left, s.left, n.op, maskNumber)
		c.ariths = c.checkLiteral(c.ariths, n.right, s.right, n.op, maskNumber)
		return s
	}
	return c.call(n.(*callNode))
}

func (c *updateCompiler) call(n *callNode) term {
	fn := functionOf(n.name)
	args := make([]term, len(n.operands))
	for i, arg := range n.operands {
		args[i] = c.term(arg)
	}
	if len(args) != fn.operands() {
		c.broken(operandCountFault(UpdateKind, n.extent, n.name, len(args)))
		return nil
	}
	if fn == fnListAppend {
		c.calls = c.checkLiteral(c.calls, n.operands[0], args[0], n.name, maskList)
		c.calls = c.checkLiteral(c.calls, n.operands[1], args[1], n.name, maskList)
		return concatenation{args[0], args[1]}
	}
	path, isPath := args[0].(reference)
	if !isPath {
		c.broken(pathRequiredFault(UpdateKind, n.extent, n.name))
	}
	return fallback{path, args[1]}
}

func (c *updateCompiler) broken(err *Error) {
	c.calls = append(c.calls, rule{kind: ruleFault, err: err})
}

// checkLiteral adds to rules that the operand, if it is a literal, has a type
// that op takes. What functions and paths yield is seen at run time.
func (c *updateCompiler) checkLiteral(rules []rule, n node, t term, op string, mask typeMask) []rule {
	value, isLiteral := t.(literal)
	if !isLiteral {
		return rules
	}
	return append(rules, rule{kind: ruleType, at: n.at(), a: int(value), op: op, mask: mask})
}

// bind makes an update of the program.
func (p *updateProgram) bind(ph *Placeholders) (*Update, *Error) {
	if p.static != nil {
		return p.static, nil
	}
	var buf [8]string
	e, names := p.slots.bind(ph, buf[:0])
	if err := e.verify(UpdateKind, names, p.rules); err != nil {
		return nil, err
	}
	return &Update{steps: p.actions, env: e}, nil
}
