package expr

import "github.com/dynalite-go/dynalite/attr"

// Operand is an operand of a condition that is built rather than parsed.
type Operand struct {
	path  attr.Path
	value attr.Value
	size  bool
}

// PathOperand is what a path leads to.
func PathOperand(p attr.Path) Operand { return Operand{path: p} }

// ValueOperand is a value.
func ValueOperand(v attr.Value) Operand { return Operand{value: v} }

// SizeOperand is the size of a path or value operand.
func SizeOperand(o Operand) Operand {
	o.size = true
	return o
}

// add puts the operand into the env and returns its slot.
func (o Operand) add(e *env) operand {
	if o.path != nil {
		e.paths = append(e.paths, o.path)
		if o.size {
			return operand{opSizePath, len(e.paths) - 1}
		}
		return operand{opPath, len(e.paths) - 1}
	}
	e.values = append(e.values, o.value)
	if o.size {
		return operand{opSizeValue, len(e.values) - 1}
	}
	return operand{opValue, len(e.values) - 1}
}

// Compare builds the condition that the operator holds for what a path leads
// to and the values, as the legacy conditions have it (behaviours/05 §5.5).
// Between takes two values, In any number, Null and NotNull none, the others
// one; missing ones are missing values, further ones are ignored.
func Compare(p attr.Path, op Operator, values ...attr.Value) *Predicate {
	operands := make([]Operand, len(values))
	for i, v := range values {
		operands[i] = ValueOperand(v)
	}
	return CompareOperands(PathOperand(p), op, operands...)
}

// Exists builds the condition that a path leads to something.
func Exists(p attr.Path) *Predicate { return Compare(p, NotNull) }

// NotExists builds the condition that a path leads nowhere.
func NotExists(p attr.Path) *Predicate { return Compare(p, Null) }

// CompareOperands is Compare for operands of any kind.
func CompareOperands(x Operand, op Operator, operands ...Operand) *Predicate {
	p := &Predicate{env: &env{}}
	left := x.add(p.env)
	args := make([]operand, max(len(operands), 2))
	for i := range args {
		var o Operand
		if i < len(operands) {
			o = operands[i]
		}
		args[i] = o.add(p.env)
	}
	switch op {
	case Between:
		p.root = between{left, args[0], args[1]}
	case In:
		p.root = member{left, args[:len(operands)]}
	case BeginsWith:
		p.root = prefix{left, args[0]}
	case Contains:
		p.root = containment{left, args[0]}
	case NotContains:
		p.root = exclusion{containment{left, args[0]}}
	case Null, NotNull:
		p.root = presence{left, op == NotNull}
	default:
		p.root = comparison{op, left, args[0]}
	}
	return p
}

// HasType builds the condition that x exists and is of type t.
func HasType(x Operand, t attr.Type) *Predicate {
	p := &Predicate{env: &env{}}
	left := x.add(p.env)
	tag := ValueOperand(attr.String(t.String())).add(p.env)
	p.root = typeTest{left, tag.slot}
	return p
}

// And builds the condition that all conditions hold; without any it is true.
func And(conds ...*Predicate) *Predicate { return join(conds, func(c []cond) cond { return allOf(c) }) }

// Or builds the condition that one of the conditions holds; without any it is
// false.
func Or(conds ...*Predicate) *Predicate { return join(conds, func(c []cond) cond { return anyOf(c) }) }

// Not builds the condition that another one does not hold.
func Not(c *Predicate) *Predicate {
	return join([]*Predicate{c}, func(c []cond) cond { return negation{c[0]} })
}

func join(conds []*Predicate, combine func([]cond) cond) *Predicate {
	p := &Predicate{env: &env{}}
	list := make([]cond, len(conds))
	for i, c := range conds {
		list[i] = scoped{c.root, c.env}
		p.env.paths = append(p.env.paths, c.env.paths...)
	}
	p.root = combine(list)
	return p
}

// Term is a value that a built update assigns.
type Term struct {
	build func(*env) term
}

// Reference is what a path leads to before the update; that it leads nowhere
// is a fault.
func Reference(p attr.Path) Term {
	return Term{func(e *env) term { return e.reference(p) }}
}

// Literal is a value.
func Literal(v attr.Value) Term {
	return Term{func(e *env) term {
		e.values = append(e.values, v)
		return literal(len(e.values) - 1)
	}}
}

// Sum is a + b; both must be numbers.
func Sum(a, b Term) Term {
	return Term{func(e *env) term { return sum{false, a.build(e), b.build(e)} }}
}

// Difference is a - b; both must be numbers.
func Difference(a, b Term) Term {
	return Term{func(e *env) term { return sum{true, a.build(e), b.build(e)} }}
}

// ListAppend is the elements of a and then those of b; both must be lists.
func ListAppend(a, b Term) Term {
	return Term{func(e *env) term { return concatenation{a.build(e), b.build(e)} }}
}

// IfNotExists is what a path leads to, or t when it leads nowhere.
func IfNotExists(p attr.Path, t Term) Term {
	return Term{func(e *env) term { return fallback{e.reference(p), t.build(e)} }}
}

func (e *env) reference(p attr.Path) reference {
	e.paths = append(e.paths, p)
	return reference(len(e.paths) - 1)
}

// Action is one change of a built update.
type Action struct {
	kind   actionKind
	target attr.Path
	value  Term
}

// Set assigns a value. It is also the legacy PUT.
func Set(p attr.Path, t Term) Action { return Action{actionSet, p, t} }

// Remove removes what a path leads to. It is also the legacy DELETE without
// a value.
func Remove(p attr.Path) Action { return Action{kind: actionRemove, target: p} }

// Add adds a number to a number or members to a set, as ADD of an
// UpdateExpression does.
func Add(p attr.Path, v attr.Value) Action { return Action{actionAdd, p, Literal(v)} }

// Delete removes members of a set, as DELETE of an UpdateExpression does.
func Delete(p attr.Path, v attr.Value) Action { return Action{actionDelete, p, Literal(v)} }

// LegacyAdd is Add as AttributeUpdates has it: it also appends lists, and its
// fault is worded differently (behaviours/05 §5.3).
func LegacyAdd(p attr.Path, v attr.Value) Action { return Action{actionAddLegacy, p, Literal(v)} }

// LegacyDelete is Delete with the fault of AttributeUpdates.
func LegacyDelete(p attr.Path, v attr.Value) Action { return Action{actionDeleteLegacy, p, Literal(v)} }

// NewUpdate builds an update. The error is the [*Error] of targets that
// overlap or conflict.
func NewUpdate(actions ...Action) (*Update, error) {
	u := &Update{steps: make([]step, len(actions)), env: &env{}}
	targets := make([]int, len(actions))
	for i, a := range actions {
		s := step{action: a.kind, target: int(u.env.reference(a.target))}
		if a.value.build != nil {
			s.value = a.value.build(u.env)
		}
		u.steps[i], targets[i] = s, s.target
	}
	if err := clash(UpdateKind, extent{}, u.env.paths, targets); err != nil {
		return nil, err
	}
	return u, nil
}
