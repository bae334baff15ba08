package expr

import "github.com/dynalite-go/dynalite/attr"

// term is what an update assigns to a path.
type term interface {
	// eval returns the term's value for the item before the update.
	eval(e *env, it *attr.Item) (attr.Value, *Error)
	// static returns the type of every value that the term can have, or 0
	// when that depends on the item.
	static(e *env) attr.Type
}

// reference is the value of a path, by its slot.
type reference int

func (t reference) eval(e *env, it *attr.Item) (attr.Value, *Error) {
	v, ok := e.paths[t].Resolve(it)
	if !ok {
		return attr.Value{}, errMissing
	}
	return v, nil
}

func (t reference) static(*env) attr.Type { return 0 }

// literal is a value of the request, by its slot.
type literal int

func (t literal) eval(e *env, _ *attr.Item) (attr.Value, *Error) { return e.values[t], nil }

func (t literal) static(e *env) attr.Type { return e.values[t].Type() }

// sum is left + right, or left - right.
type sum struct {
	minus       bool
	left, right term
}

func (t sum) eval(e *env, it *attr.Item) (attr.Value, *Error) {
	left, right, err := both(t.left, t.right, attr.N, e, it)
	if err != nil {
		return attr.Value{}, err
	}
	if t.minus {
		return faulty(attr.Subtract(left, right))
	}
	return faulty(attr.Add(left, right))
}

func (t sum) static(*env) attr.Type { return attr.N }

// concatenation is list_append.
type concatenation struct{ left, right term }

func (t concatenation) eval(e *env, it *attr.Item) (attr.Value, *Error) {
	left, right, err := both(t.left, t.right, attr.L, e, it)
	if err != nil {
		return attr.Value{}, err
	}
	return concat(left, right), nil
}

func (t concatenation) static(*env) attr.Type { return attr.L }

// both evaluates two operands of the type want. A missing attribute on either
// side comes before a wrong type on the other.
func both(a, b term, want attr.Type, e *env, it *attr.Item) (x, y attr.Value, err *Error) {
	if x, err = a.eval(e, it); err != nil {
		return x, y, err
	}
	if y, err = b.eval(e, it); err != nil {
		return x, y, err
	}
	if x.Type() != want || y.Type() != want {
		return x, y, errOperand
	}
	return x, y, nil
}

// fallback is if_not_exists.
type fallback struct {
	path  reference
	value term
}

func (t fallback) eval(e *env, it *attr.Item) (attr.Value, *Error) {
	if v, ok := e.paths[t.path].Resolve(it); ok {
		return v, nil
	}
	return t.value.eval(e, it)
}

func (t fallback) static(*env) attr.Type { return 0 }
