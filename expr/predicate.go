package expr

import "github.com/dynalite-go/dynalite/attr"

// Predicate is a condition or filter, bound and ready to run. It is immutable.
type Predicate struct {
	root cond
	env  *env
}

// Eval reports whether the condition holds for the item; a nil item has no
// attributes. It is pure and, unless an operand is the result of size outside
// a comparison or holds escapes, allocates nothing.
func (p *Predicate) Eval(it *attr.Item) bool { return p.root.eval(p.env, it) }

// Paths returns the document paths that the condition refers to, in the order
// of the text, repeated ones included. The caller must not change them.
func (p *Predicate) Paths() []attr.Path { return p.env.paths }

// bind makes a predicate of a compiled condition.
func (c *condProgram) bind(p *Placeholders) (*Predicate, *Error) {
	if c.static != nil {
		return c.static, nil
	}
	var buf [8]string
	e, names := c.slots.bind(p, buf[:0])
	if err := e.verify(c.kind, names, c.rules); err != nil {
		return nil, err
	}
	return &Predicate{c.root, e}, nil
}
