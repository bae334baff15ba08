package expr

import (
	"errors"
	"iter"

	"github.com/dynalite-go/dynalite/attr"
)

// Update is a set of changes to one item, bound and ready to run. It is
// immutable. Its targets neither overlap nor conflict.
type Update struct {
	steps []step
	env   *env
}

// step is one action of an update, by its slots.
type step struct {
	action actionKind
	target int
	value  term // nil for actionRemove
}

type actionKind uint8

const (
	actionSet actionKind = iota
	actionRemove
	actionAdd    // ADD of an expression
	actionDelete // DELETE of an expression
	// The legacy actions differ in one error text, and in that ADD appends
	// lists (behaviours/05 §5.3).
	actionAddLegacy
	actionDeleteLegacy
)

func actionOf(kw keyword) actionKind {
	switch kw {
	case kwRemove:
		return actionRemove
	case kwAdd:
		return actionAdd
	case kwDelete:
		return actionDelete
	}
	return actionSet
}

// creates reports whether the action makes an item that is missing.
func (a actionKind) creates() bool {
	return a == actionSet || a == actionAdd || a == actionAddLegacy
}

// Faults of an update at run time (behaviours/04 §4.9, behaviours/05 §5.3).
var (
	errMissing  = updateFault("The provided expression refers to an attribute that does not exist in the item")
	errOperand  = updateFault("An operand in the update expression has an incorrect data type")
	errPath     = updateFault("The document path provided in the update expression is invalid for update")
	errMismatch = updateFault("Type mismatch for attribute to update")
)

func updateFault(msg string) *Error { return &Error{Kind: UpdateKind, Msg: msg, Bare: true} }

// valueError wraps a fault of arithmetic or of the item's depth.
func valueError(f *attr.Fault) *Error {
	return &Error{Kind: UpdateKind, Msg: f.Error(), current: f.Current(), Bare: true, Fault: f}
}

// Apply returns the item after the update; old stays as it is. All reads see
// old, whatever the order of the actions.
//
// A nil old means that there is no item. Then SET and ADD create one from
// key, whose attributes they can read; REMOVE and DELETE are ignored, and the
// result is nil when there is nothing else. When nothing changes the result
// may be old itself.
//
// The error is a bare [*Error] of behaviours/04 §4.9 or behaviours/05 §5.3.
func (u *Update) Apply(old, key *attr.Item) (*attr.Item, error) {
	base := old
	if base == nil {
		if !u.creates() {
			return nil, nil
		}
		base = key
	}
	var buf [4]attr.Edit
	edits, err := u.edits(base, old == nil, buf[:0])
	if err != nil {
		return nil, err
	}
	if len(edits) == 0 {
		return base, nil
	}
	it, editErr := base.Edit(edits)
	if editErr == nil {
		return it, nil
	}
	var f *attr.Fault
	if errors.As(editErr, &f) {
		return nil, valueError(f)
	}
	return nil, errPath
}

func (u *Update) creates() bool {
	for i := range u.steps {
		if u.steps[i].action.creates() {
			return true
		}
	}
	return false
}

// edits works out the changes in two passes: what SET assigns first, then all
// actions in their order, as their faults come (behaviours/04 §4.9).
func (u *Update) edits(it *attr.Item, created bool, edits []attr.Edit) ([]attr.Edit, *Error) {
	for i := range u.steps {
		s := &u.steps[i]
		if s.action != actionSet {
			continue
		}
		v, err := s.value.eval(u.env, it)
		if err != nil {
			return nil, err
		}
		edits = append(edits, attr.Edit{Path: u.env.paths[s.target], Value: v})
	}
	for i := range u.steps {
		s := &u.steps[i]
		if created && !s.action.creates() {
			continue
		}
		target := u.env.paths[s.target]
		if !hasParent(target, it) {
			return nil, errPath
		}
		var err *Error
		switch s.action {
		case actionSet:
		case actionRemove:
			edits = append(edits, attr.Edit{Path: target})
		default:
			edits, err = u.combine(s, target, it, edits)
		}
		if err != nil {
			return nil, err
		}
	}
	return edits, nil
}

// hasParent reports whether an item holds the map or list that the last
// element of a path goes into.
func hasParent(p attr.Path, it *attr.Item) bool {
	if len(p) == 1 {
		return true
	}
	parent, ok := p[:len(p)-1].Resolve(it)
	want := attr.M
	if p[len(p)-1].IsIndex() {
		want = attr.L
	}
	return ok && parent.Type() == want
}

// combine adds the edit of an ADD or DELETE, if there is anything to change.
func (u *Update) combine(s *step, target attr.Path, it *attr.Item, edits []attr.Edit) ([]attr.Edit, *Error) {
	value, err := s.value.eval(u.env, it)
	if err != nil {
		return nil, err
	}
	stored, ok := target.Resolve(it)
	switch {
	case !ok && s.action.creates():
		return append(edits, attr.Edit{Path: target, Value: value}), nil
	case !ok:
		return edits, nil
	case stored.Type() != value.Type():
		return nil, s.action.mismatch()
	}
	result, err := s.action.apply(stored, value)
	if err != nil {
		return nil, err
	}
	return append(edits, attr.Edit{Path: target, Value: result}), nil
}

func (a actionKind) mismatch() *Error {
	if a == actionAddLegacy || a == actionDeleteLegacy {
		return errMismatch
	}
	return errOperand
}

// apply combines values of one type. The zero value says that nothing is
// left.
func (a actionKind) apply(stored, value attr.Value) (attr.Value, *Error) {
	switch t := value.Type(); {
	case maskSets.has(t) && a.creates():
		return attr.Union(stored, value), nil
	case maskSets.has(t):
		rest, _ := attr.Difference(stored, value)
		return rest, nil
	case t == attr.N && a.creates():
		return faulty(attr.Add(stored, value))
	case t == attr.L && a == actionAddLegacy:
		return concat(stored, value), nil
	}
	return attr.Value{}, a.mismatch()
}

func faulty(v attr.Value, f *attr.Fault) (attr.Value, *Error) {
	if f != nil {
		return attr.Value{}, valueError(f)
	}
	return v, nil
}

func concat(a, b attr.Value) attr.Value {
	elements := make([]attr.Value, 0, a.Len()+b.Len())
	for e := range a.Elements() {
		elements = append(elements, e)
	}
	for e := range b.Elements() {
		elements = append(elements, e)
	}
	return attr.List(elements...)
}

// Targets returns the paths that the update changes, in the order of the
// text.
func (u *Update) Targets() []attr.Path {
	targets := make([]attr.Path, len(u.steps))
	for i := range u.steps {
		targets[i] = u.env.paths[u.steps[i].target]
	}
	return targets
}

// Paths returns all document paths of the update, targets and operands. The
// caller must not change them.
func (u *Update) Paths() []attr.Path { return u.env.paths }

// Touched returns the projection on the targets, for ReturnValues of
// UPDATED_OLD and UPDATED_NEW.
func (u *Update) Touched() *attr.Projection { return attr.NewProjection(u.Targets()) }

// Literals yields the top-level attributes that are set to a value of the
// request, with that value (behaviours/04 §4.8 row 12).
func (u *Update) Literals() iter.Seq2[string, attr.Value] {
	return func(yield func(string, attr.Value) bool) {
		for i := range u.steps {
			s := &u.steps[i]
			value, isLiteral := s.value.(literal)
			name, isTop := u.top(s)
			if isTop && isLiteral && s.action == actionSet && !yield(name, u.env.values[value]) {
				return
			}
		}
	}
}

// KnownTypes yields the top-level attributes for which the request alone says
// which type they will have, unless the update fails: those set to a value, a
// sum or a list, and those that ADD adds to (behaviours/03 §3.4).
func (u *Update) KnownTypes() iter.Seq2[string, attr.Type] {
	return func(yield func(string, attr.Type) bool) {
		for i := range u.steps {
			s := &u.steps[i]
			name, isTop := u.top(s)
			if !isTop || !s.action.creates() {
				continue
			}
			if t := s.value.static(u.env); t != 0 && !yield(name, t) {
				return
			}
		}
	}
}

// top returns the name of a step's target if that is a top-level attribute.
func (u *Update) top(s *step) (string, bool) {
	p := u.env.paths[s.target]
	return p[0].Name(), len(p) == 1
}
