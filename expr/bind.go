package expr

import "github.com/dynalite-go/dynalite/attr"

// slot is one distinct placeholder of a text.
type slot struct {
	placeholder string
	at          extent // where it stands first
}

// slots numbers the placeholders and paths of one expression, so that its
// program refers to them by index.
type slots struct {
	names  []slot
	values []slot
	paths  []pathSlot
	refs   int // number of elements in the paths that hold a # placeholder
}

// pathSlot is one path as written. Without # placeholders it is a finished
// attr.Path, shared by all requests.
type pathSlot struct {
	path attr.Path
	refs []int // per element the number of its name slot, or -1; nil when there is no # placeholder
}

func (s *slots) name(e part) int {
	return slotOf(&s.names, e.text, e.extent)
}

func (s *slots) value(n *valueNode) int {
	return slotOf(&s.values, n.name, n.extent)
}

func slotOf(list *[]slot, placeholder string, at extent) int {
	for i := range *list {
		if (*list)[i].placeholder == placeholder {
			return i
		}
	}
	*list = append(*list, slot{placeholder, at})
	return len(*list) - 1
}

// path adds a path and returns its number.
func (s *slots) path(n *pathNode) int {
	ps := pathSlot{path: make(attr.Path, len(n.parts))}
	for i, e := range n.parts {
		switch e.kind {
		case partIndex:
			ps.path[i] = attr.IndexElem(e.index)
		case partName:
			ps.path[i] = attr.NameElem(e.text)
		case partRef:
			if ps.refs == nil {
				ps.refs = make([]int, len(n.parts))
				for j := range ps.refs {
					ps.refs[j] = -1
				}
				s.refs += len(n.parts)
			}
			ps.refs[i] = s.name(e)
		}
	}
	s.paths = append(s.paths, ps)
	return len(s.paths) - 1
}

// nameRules are the rules that all # placeholders are defined.
func (s *slots) nameRules() []rule {
	var rules []rule
	for i, n := range s.names {
		rules = append(rules, rule{kind: ruleName, at: n.at, a: i, op: n.placeholder})
	}
	return rules
}

// valueRules are the rules that all : placeholders are defined.
func (s *slots) valueRules() []rule {
	var rules []rule
	for i, v := range s.values {
		rules = append(rules, rule{kind: ruleValue, at: v.at, a: i, op: v.placeholder})
	}
	return rules
}

// isStatic reports whether nothing is left to bind.
func (s *slots) isStatic() bool { return len(s.names) == 0 && len(s.values) == 0 }

// env holds what the numbers in a program stand for.
type env struct {
	paths  []attr.Path
	values []attr.Value
}

// smallEnv is the env of most requests in one allocation.
type smallEnv struct {
	env
	paths  [smallPaths]attr.Path
	values [smallValues]attr.Value
	elems  [smallElems]attr.Elem
}

const (
	smallPaths  = 4
	smallValues = 4
	smallElems  = 3
)

// bind looks up the placeholders, which marks them as used. Undefined ones
// are left empty, in the env and in the names that it returns: the program's
// rules report them in their order. The names are appended to buf.
func (s *slots) bind(p *Placeholders, buf []string) (e *env, names []string) {
	names = buf
	for i := range s.names {
		target, _ := p.name(s.names[i].placeholder)
		names = append(names, target)
	}
	e, elems := s.newEnv()
	for i := range s.values {
		e.values[i], _ = p.value(s.values[i].placeholder)
	}
	for i := range s.paths {
		e.paths[i], elems = s.paths[i].bind(names, elems)
	}
	return e, names
}

// newEnv makes an env of the right size, and room for the elements of the
// paths that hold # placeholders.
func (s *slots) newEnv() (*env, attr.Path) {
	if len(s.paths) > smallPaths || len(s.values) > smallValues || s.refs > smallElems {
		e := &env{make([]attr.Path, len(s.paths)), make([]attr.Value, len(s.values))}
		return e, make(attr.Path, 0, s.refs)
	}
	e := &smallEnv{}
	e.env = env{e.paths[:len(s.paths)], e.values[:len(s.values)]}
	return &e.env, e.elems[:0]
}

// bind returns the path with its placeholders replaced. New elements are
// appended to elems, which has room for them.
func (s *pathSlot) bind(names []string, elems attr.Path) (path, rest attr.Path) {
	if s.refs == nil {
		return s.path, elems
	}
	first := len(elems)
	for i, ref := range s.refs {
		if ref < 0 {
			elems = append(elems, s.path[i])
		} else {
			elems = append(elems, attr.NameElem(names[ref]))
		}
	}
	return elems[first:len(elems):len(elems)], elems
}

// rule is one check of a program that needs to know what the placeholders
// stand for, or that comes after such a check.
type rule struct {
	kind ruleKind
	at   extent
	a, b int    // slots, by kind
	op   string // operator, function or placeholder as written
	mask typeMask
	err  *Error

	targets []int // path slots
}

type ruleKind uint8

const (
	ruleName     ruleKind = iota // a: name slot is defined
	ruleValue                    // a: value slot is defined
	ruleFault                    // err: always broken
	ruleDistinct                 // a, b: paths differ
	ruleType                     // a: value slot has a type of mask
	ruleAction                   // the same, as ADD and DELETE word it
	ruleTypeName                 // a: value slot names a type
	ruleBounds                   // a, b: value slots are bounds of one BETWEEN
	ruleTargets                  // targets: these paths neither overlap nor conflict
)

// verify runs rules in order and returns the first fault. Placeholders that
// are undefined come with rules of their own before all others on them.
func (e *env) verify(kind Kind, names []string, rules []rule) *Error {
	for i := range rules {
		r := &rules[i]
		if r.kind == ruleName {
			if names[r.a] == "" {
				return nameFault(kind, r.at, r.op)
			}
			continue
		}
		if err := e.broken(kind, r); err != nil {
			return err
		}
	}
	return nil
}

func (e *env) broken(kind Kind, r *rule) *Error {
	switch r.kind {
	case ruleValue:
		if e.values[r.a].IsZero() {
			return valueFault(kind, r.at, r.op)
		}
	case ruleFault:
		return r.err
	case ruleDistinct:
		if e.paths[r.a].Equal(e.paths[r.b]) {
			return distinctFault(kind, r.at, r.op, e.paths[r.a])
		}
	case ruleType:
		if t := e.values[r.a].Type(); !r.mask.has(t) {
			return operandTypeFault(kind, r.at, r.op, t.String())
		}
	case ruleAction:
		if t := e.values[r.a].Type(); !r.mask.has(t) {
			return actionTypeFault(kind, r.at, r.op, longTypeName(t))
		}
	case ruleTypeName:
		if name := e.values[r.a].Str(); typeOf(name) == 0 {
			return typeNameFault(kind, r.at, name)
		}
	case ruleBounds:
		return boundsFault(kind, r.at, e.values[r.a], e.values[r.b])
	case ruleTargets:
		return clash(kind, r.at, e.paths, r.targets)
	}
	return nil
}
