package partiql

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
)

// bound is a statement with its parameters, checked as far as that goes
// without the table.
type bound struct {
	*statement
	values []api.Value
}

// bind checks the parameters and then the types of operands (behaviours/09
// §9.3). A fault of a parameter comes back as such, since a transaction words
// it differently.
func (st *statement) bind(values []api.Value) (b bound, parameter bool, err *api.Error) {
	b = bound{st, values}
	if len(values) != st.params {
		return b, false, errParameters
	}
	for i := range values {
		if f := values[i].Fault; f != nil {
			return b, true, api.Validation(f.Parameter())
		}
	}
	if st.equalities == nil && st.where != nil {
		if err := b.check(st.where); err != nil {
			return b, false, err
		}
	}
	for i := range st.actions {
		if err := b.checkAction(&st.actions[i]); err != nil {
			return b, false, err
		}
	}
	return b, false, nil
}

// value returns what an operand that is no path stands for.
func (b *bound) value(o *operand) (attr.Value, *api.Error) {
	switch o.kind {
	case operandParam:
		return b.values[o.param].Value, nil
	case operandBuilt:
		return o.build.build(b.values)
	}
	return o.value, nil
}

// known is value for an operand that was checked.
func (b *bound) known(o *operand) attr.Value {
	v, _ := b.value(o)
	return v
}

// check checks the operands of a condition, in the order of the text.
func (b *bound) check(c *condition) *api.Error {
	for _, sub := range c.subs {
		if err := b.check(sub); err != nil {
			return err
		}
	}
	if c.fault != nil {
		return c.fault
	}
	for i := range c.args {
		o := &c.args[i]
		if o.kind == operandPath {
			continue
		}
		v, err := b.value(o)
		if err != nil {
			return err
		}
		if err := c.checkOperand(i, v, o.size); err != nil {
			return err
		}
	}
	return nil
}

// checkOperand refuses a value that an operator or function does not take
// (behaviours/04 §4.4 row 9, behaviours/09 §9.5).
func (c *condition) checkOperand(i int, v attr.Value, size bool) *api.Error {
	t := v.Type()
	if size {
		switch t {
		case attr.N, attr.BOOL, attr.NULL:
			return operandType("size", t)
		}
		t = attr.N
	}
	switch {
	case c.kind == condCompare && c.op != expr.EQ && c.op != expr.NE, c.kind == condBetween:
		if !t.IsScalar() {
			return operandType(c.word, t)
		}
	case c.kind == condBeginsWith:
		if t != attr.S && t != attr.B {
			return operandType(c.word, t)
		}
	case c.kind == condHasType && i == 1:
		if t != attr.S {
			return operandType(c.word, t)
		}
		if typeNamed(v.Str()) == 0 {
			return api.Validation("Invalid attribute type name found; type: " + v.Str() +
				", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}")
		}
	}
	return nil
}

func typeNamed(name string) attr.Type {
	for t := attr.S; t <= attr.NULL; t++ {
		if t.String() == name {
			return t
		}
	}
	return 0
}

func (b *bound) checkAction(a *action) *api.Error {
	if a.value == nil {
		return nil
	}
	if a.kind == actionAdd || a.kind == actionDelete {
		v, err := b.value(&a.value.value)
		if err == nil && !v.Type().IsSet() {
			err = a.setErr
		}
		return err
	}
	return b.checkTerm(a.value)
}

// checkTerm refuses values of the wrong type in sums and list_append.
func (b *bound) checkTerm(t *term) *api.Error {
	if t.kind == termValue {
		if t.value.kind == operandPath {
			return nil
		}
		_, err := b.value(&t.value)
		return err
	}
	word, want := "+", attr.N
	switch t.kind {
	case termDifference:
		word = "-"
	case termAppend:
		word, want = "list_append", attr.L
	}
	for _, side := range [...]*term{t.left, t.right} {
		if err := b.checkTerm(side); err != nil {
			return err
		}
		if side.kind != termValue || side.value.kind == operandPath {
			continue
		}
		if got := b.known(&side.value).Type(); got != want {
			return operandType(word, got)
		}
	}
	return nil
}

// predicate makes a condition of expr's of a checked one.
func (b *bound) predicate(c *condition) *expr.Predicate {
	switch c.kind {
	case condAnd:
		return expr.And(b.predicates(c.subs)...)
	case condOr:
		return expr.Or(b.predicates(c.subs)...)
	case condNot:
		return expr.Not(b.predicate(c.subs[0]))
	}
	x := b.operand(&c.args[0])
	switch c.kind {
	case condCompare:
		compared := expr.CompareOperands(x, c.op, b.operand(&c.args[1]))
		if c.op == expr.NE {
			return c.decidable(compared)
		}
		return compared
	case condBetween:
		return expr.CompareOperands(x, expr.Between, b.operand(&c.args[1]), b.operand(&c.args[2]))
	case condIn:
		list := make([]expr.Operand, len(c.args)-1)
		for i := range list {
			list[i] = b.operand(&c.args[i+1])
		}
		return expr.CompareOperands(x, expr.In, list...)
	case condExists:
		return expr.CompareOperands(x, expr.NotNull)
	case condNotExists:
		return expr.CompareOperands(x, expr.Null)
	case condHasType:
		return expr.HasType(x, typeNamed(b.known(&c.args[1]).Str()))
	case condBeginsWith:
		return expr.CompareOperands(x, expr.BeginsWith, b.operand(&c.args[1]))
	case condContains:
		return expr.CompareOperands(x, expr.Contains, b.operand(&c.args[1]))
	}
	if c.missing {
		return expr.CompareOperands(x, expr.Null)
	}
	types := make([]*expr.Predicate, len(c.types))
	for i, t := range c.types {
		types[i] = expr.HasType(x, t)
	}
	return expr.Or(types...)
}

// decidable makes an inequality false where an attribute is missing. That is
// what another emulator says of statements, unlike of condition expressions
// (behaviours/09 §9.6, unconfirmed).
func (c *condition) decidable(unequal *expr.Predicate) *expr.Predicate {
	all := []*expr.Predicate{unequal}
	for i := range c.args {
		if o := &c.args[i]; o.kind == operandPath {
			all = append(all, expr.Exists(o.path))
		}
	}
	if len(all) == 1 {
		return unequal
	}
	return expr.And(all...)
}

func (b *bound) predicates(conds []*condition) []*expr.Predicate {
	list := make([]*expr.Predicate, len(conds))
	for i, c := range conds {
		list[i] = b.predicate(c)
	}
	return list
}

// all is the predicate that all conditions hold, nil without any.
func (b *bound) all(conds []*condition) *expr.Predicate {
	switch len(conds) {
	case 0:
		return nil
	case 1:
		return b.predicate(conds[0])
	}
	return expr.And(b.predicates(conds)...)
}

func (b *bound) operand(o *operand) expr.Operand {
	x := expr.PathOperand(o.path)
	if o.kind != operandPath {
		x = expr.ValueOperand(b.known(o))
	}
	if o.size {
		x = expr.SizeOperand(x)
	}
	return x
}
