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
	refs   int // elements of paths that hold a # placeholder in any element
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

// binding is an env in the making.
type binding struct {
	env
	names []string // per name slot; "" is undefined
}

// bind looks up the placeholders, which marks them as used. Undefined ones
// are left empty: the program's checks report them in their order.
func (s *slots) bind(p *Placeholders, names []string) binding {
	b := binding{names: names}
	for i := range s.names {
		target, _ := p.name(s.names[i].placeholder)
		b.names = append(b.names, target)
	}
	if len(s.values) > 0 {
		b.values = make([]attr.Value, len(s.values))
		for i := range s.values {
			b.values[i], _ = p.value(s.values[i].placeholder)
		}
	}
	b.paths = s.bindPaths(b.names)
	return b
}

func (s *slots) bindPaths(names []string) []attr.Path {
	if len(s.paths) == 0 {
		return nil
	}
	paths := make([]attr.Path, len(s.paths))
	elems := make(attr.Path, 0, s.refs)
	for i := range s.paths {
		ps := &s.paths[i]
		if ps.refs == nil {
			paths[i] = ps.path
			continue
		}
		first := len(elems)
		for j, ref := range ps.refs {
			if ref < 0 {
				elems = append(elems, ps.path[j])
			} else {
				elems = append(elems, attr.NameElem(names[ref]))
			}
		}
		paths[i] = elems[first:len(elems):len(elems)]
	}
	return paths
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

// verify runs the rules in order and returns the first fault.
func (b *binding) verify(kind Kind, rules []rule) *Error {
	for i := range rules {
		if err := b.broken(kind, &rules[i]); err != nil {
			return err
		}
	}
	return nil
}

func (b *binding) broken(kind Kind, r *rule) *Error {
	switch r.kind {
	case ruleName:
		if b.names[r.a] == "" {
			return nameFault(kind, r.at, r.op)
		}
	case ruleValue:
		if b.values[r.a].IsZero() {
			return valueFault(kind, r.at, r.op)
		}
	case ruleFault:
		return r.err
	case ruleDistinct:
		if b.paths[r.a].Equal(b.paths[r.b]) {
			return distinctFault(kind, r.at, r.op, b.paths[r.a])
		}
	case ruleType:
		if t := b.values[r.a].Type(); !r.mask.has(t) {
			return operandTypeFault(kind, r.at, r.op, t.String())
		}
	case ruleAction:
		if t := b.values[r.a].Type(); !r.mask.has(t) {
			return actionTypeFault(kind, r.at, r.op, longTypeName(t))
		}
	case ruleTypeName:
		if name := b.values[r.a].Str(); typeOf(name) == 0 {
			return typeNameFault(kind, r.at, name)
		}
	case ruleBounds:
		return boundsFault(kind, r.at, b.values[r.a], b.values[r.b])
	case ruleTargets:
		return clash(kind, r.at, b.paths, r.targets)
	}
	return nil
}
