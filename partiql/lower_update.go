package partiql

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
)

func (l *lowerer) updateStatement(n *updateNode) (*statement, *api.Error) {
	if n.target.expr == nil {
		return nil, unsupported(n)
	}
	st := &statement{kind: stmtUpdate}
	if err := l.source(&n.target, st); err != nil {
		return nil, err
	}
	for _, a := range n.actions {
		act, err := l.action(a)
		if err != nil {
			return nil, err
		}
		st.actions = append(st.actions, act)
	}
	if err := l.where(n.where, st); err != nil {
		return nil, err
	}
	if err := l.returning(n.returning, st); err != nil {
		return nil, err
	}
	return st, nil
}

func (l *lowerer) action(n actionNode) (action, *api.Error) {
	path, bad := documentPath(n.target)
	if path == nil {
		return action{}, l.unexpected(bad)
	}
	if n.value == nil {
		return action{kind: actionRemove, path: path}, nil
	}
	if call, ok := n.value.(*callNode); ok && (call.name == "set_add" || call.name == "set_delete") {
		return l.setAction(path, call)
	}
	value, err := l.term(n.value)
	return action{kind: actionSet, path: path, value: value}, err
}

// setAction turns SET path = set_add(path, set) into the ADD, and set_delete
// into the DELETE, of an update (behaviours/09 §9.5).
func (l *lowerer) setAction(path attr.Path, call *callNode) (action, *api.Error) {
	act, name := action{kind: actionAdd, path: path}, "SET_ADD"
	if call.name == "set_delete" {
		act.kind, name = actionDelete, "SET_DELETE"
	}
	if len(call.args) != 2 {
		return act, api.Validation(name + " must have exactly two arguments at " + position(l.text, call.at()))
	}
	if first, _ := documentPath(call.args[0]); first == nil || !first.Equal(path) {
		return act, api.Validation("The first argument to " + name + " must equal the assignment value at " +
			position(l.text, call.at()))
	}
	// The position is that of the first argument.
	act.setErr = api.Validation("The second argument to " + name + " must be a value with type SET at " +
		position(l.text, call.args[0].at()))
	if path, _ := documentPath(call.args[1]); path != nil {
		return act, act.setErr
	}
	value, err := l.operand(call.args[1])
	if err != nil {
		return act, err
	}
	if value.size || value.kind == operandValue && !value.value.Type().IsSet() {
		return act, act.setErr
	}
	act.value = &term{value: value}
	return act, nil
}

// term lowers what SET assigns.
func (l *lowerer) term(n node) (*term, *api.Error) {
	switch n := n.(type) {
	case *binaryNode:
		switch n.op {
		case "+":
			return l.pair(termSum, n.left, n.right)
		case "-":
			return l.pair(termDifference, n.left, n.right)
		}
		return nil, unsupported(n)
	case *callNode:
		if n.name != "list_append" {
			return nil, l.unknownFunction(n)
		}
		if len(n.args) != 2 {
			return nil, operandCount(n.name, len(n.args))
		}
		return l.pair(termAppend, n.args[0], n.args[1])
	}
	value, err := l.operand(n)
	return &term{value: value}, err
}

func (l *lowerer) pair(kind termKind, left, right node) (*term, *api.Error) {
	t := &term{kind: kind}
	var err *api.Error
	if t.left, err = l.term(left); err != nil {
		return nil, err
	}
	t.right, err = l.term(right)
	return t, err
}
