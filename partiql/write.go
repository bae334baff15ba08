package partiql

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/expr"
)

// target is the item that a write, an EXISTS or a batched SELECT names by its
// primary key, with the rest of its WHERE.
type target struct {
	key  *attr.Item
	rest []*condition
}

// target takes the primary key out of a WHERE (behaviours/09 §9.7). ok is
// false when the WHERE does not bind it.
func (b *bound) target(s engine.Schema) (t target, ok bool, err *api.Error) {
	if b.where == nil {
		return t, false, nil
	}
	conds := []*condition{b.where}
	if b.where.kind == condAnd {
		conds = b.where.subs
	}
	n := s.Key.Len()
	fields := make([]attr.Field, n)
	found := 0
	for _, c := range conds {
		if i := b.keyPart(s.Key, c); i >= 0 && fields[i].Name == "" {
			_, value, _ := c.equality()
			fields[i] = attr.Field{Name: keyAttribute(s.Key, i).Name, Value: b.known(&value)}
			found++
			continue
		}
		t.rest = append(t.rest, c)
	}
	if found < n {
		return t, false, nil
	}
	for i := range fields {
		if k := keyAttribute(s.Key, i); fields[i].Value.Type() != k.Type {
			return t, true, errKeyType(k)
		}
	}
	t.key = attr.NewItem(fields...)
	return t, true, nil
}

// keyPart is the position of the key attribute that a condition is an
// equality of, or -1.
func (b *bound) keyPart(key engine.KeySchema, c *condition) int {
	name, _, ok := c.equality()
	if !ok {
		return -1
	}
	for i := range key.Len() {
		if keyAttribute(key, i).Name == name {
			return i
		}
	}
	return -1
}

// writeTarget is target for an UPDATE or DELETE.
func (b *bound) writeTarget(s engine.Schema) (target, *api.Error) {
	if b.index != "" {
		return target{}, errOnIndex
	}
	t, ok, err := b.target(s)
	if err == nil && !ok {
		err = errWholeKey
	}
	return t, err
}

// exists is the condition that the item exists and that further conditions
// hold. The item exists when it has its partition key.
func (b *bound) exists(s engine.Schema, rest []*condition) *expr.Predicate {
	found := expr.Exists(attr.NamePath(s.Key.Hash[0].Name))
	if len(rest) == 0 {
		return found
	}
	return expr.And(found, b.all(rest))
}

// insertItem is the item of an INSERT. Its size is checked before the table
// is looked for (behaviours/03 §3.5).
func (b *bound) insertItem() (*attr.Item, *api.Error) {
	fields, err := b.item.buildFields(b.values)
	if err != nil {
		return nil, err
	}
	for _, f := range fields {
		if _, err := checkDepth(f.Value); err != nil {
			return nil, err
		}
	}
	item := attr.NewItem(fields...)
	if item.Size() > api.MaxItemBytes {
		return nil, errItemSize
	}
	return item, nil
}

// absent is the condition of an INSERT.
func absent(s engine.Schema) *expr.Predicate {
	return expr.NotExists(attr.NamePath(s.Key.Hash[0].Name))
}

// update makes the changes of an UPDATE.
func (b *bound) update() (*expr.Update, *api.Error) {
	actions := make([]expr.Action, len(b.actions))
	for i := range b.actions {
		a := &b.actions[i]
		switch a.kind {
		case actionRemove:
			actions[i] = expr.Remove(a.path)
		case actionAdd:
			actions[i] = expr.Add(a.path, b.known(&a.value.value))
		case actionDelete:
			actions[i] = expr.Delete(a.path, b.known(&a.value.value))
		default:
			actions[i] = expr.Set(a.path, b.term(a.value))
		}
	}
	u, err := expr.NewUpdate(actions...)
	if fault, ok := err.(*expr.Error); ok {
		return nil, api.Validation(fault.Msg)
	}
	return u, nil
}

func (b *bound) term(t *term) expr.Term {
	switch t.kind {
	case termSum:
		return expr.Sum(b.term(t.left), b.term(t.right))
	case termDifference:
		return expr.Difference(b.term(t.left), b.term(t.right))
	case termAppend:
		return expr.ListAppend(b.term(t.left), b.term(t.right))
	}
	if t.value.kind == operandPath {
		return expr.Reference(t.value.path)
	}
	return expr.Literal(b.known(&t.value))
}
