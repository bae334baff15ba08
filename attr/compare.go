package attr

import (
	"bytes"
	"strings"
)

// smallSet is how many members are compared one with all. Above it a map is
// made, so that the cost stays linear.
const smallSet = 16

// Equal compares two values deeply: lists in order, maps by names, sets
// without order, numbers by value (behaviours/04 §4.5). Missing values equal
// each other only.
func Equal(a, b Value) bool {
	if a.text == b.text {
		return true
	}
	t := a.Type()
	if t != b.Type() {
		return false
	}
	switch t {
	case SS, NS, BS:
		return equalSets(a, b)
	case L:
		return equalLists(a, b)
	case M:
		return equalMaps(a.contents(), b.contents())
	}
	return false // scalars are equal only if their texts are
}

func equalSets(a, b Value) bool {
	if len(a.text) != len(b.text) {
		return false
	}
	has := b.lookup()
	n := 0
	for w := a.members(); ; n++ {
		raw, ok := w.member()
		if !ok {
			return n == b.Len()
		}
		if !has(raw) {
			return false
		}
	}
}

// lookup is a test for membership in a set.
func (v Value) lookup() func(raw string) bool {
	if v.Len() <= smallSet {
		return v.hasMember
	}
	members := make(map[string]struct{})
	for w := v.members(); ; {
		raw, ok := w.member()
		if !ok {
			break
		}
		members[raw] = struct{}{}
	}
	return func(raw string) bool {
		_, ok := members[raw]
		return ok
	}
}

func (v Value) hasMember(raw string) bool {
	for w := v.members(); ; {
		m, ok := w.member()
		if !ok || m == raw {
			return ok
		}
	}
}

func equalLists(a, b Value) bool {
	x, y := a.contents(), b.contents()
	for {
		e, ok := x.elem()
		f, more := y.elem()
		if !ok || !more {
			return ok == more
		}
		if !Equal(e, f) {
			return false
		}
	}
}

// equalMaps compares two maps. As long as both list their names in the same
// order no search is needed.
func equalMaps(x, y walker) bool {
	for {
		restX, restY := x, y
		name, v, ok := x.field()
		other, w, more := y.field()
		if !ok || !more {
			return ok == more
		}
		if name != other {
			return equalUnordered(restX, restY)
		}
		if !Equal(v, w) {
			return false
		}
	}
}

func equalUnordered(x, y walker) bool {
	values := make(map[string]Value)
	for {
		name, v, ok := y.field()
		if !ok {
			break
		}
		values[name] = v
	}
	for {
		name, v, ok := x.field()
		if !ok {
			return len(values) == 0
		}
		other, ok := values[name]
		if !ok || !Equal(v, other) {
			return false
		}
		delete(values, name)
	}
}

// Compare orders two values of type S, N or B: strings and binaries by
// unsigned bytes, numbers by value. ok is false when the types differ or have
// no order.
func Compare(a, b Value) (c int, ok bool) {
	t := a.Type()
	if t != b.Type() {
		return 0, false
	}
	switch t {
	case S:
		return compareRaw(a.raw(), b.raw()), true
	case N:
		return compareNumbers(a.raw(), b.raw()), true
	case B:
		return compareBase64(a.raw(), b.raw()), true
	}
	return 0, false
}

// HasPrefix tells whether a begins with b. Both are S or both are B, else it
// is false.
func HasPrefix(a, b Value) bool {
	t := a.Type()
	if t != b.Type() {
		return false
	}
	switch t {
	case S:
		return strings.HasPrefix(a.raw(), b.raw())
	case B:
		return hasPrefixBase64(a.raw(), b.raw())
	}
	return false
}

// Contains is the function contains(a, b): a part of a string or binary, a
// member of a set of the matching type, or an element of a list.
func Contains(a, b Value) bool {
	switch t := a.Type(); t {
	case S:
		return b.Type() == S && containsString(a.raw(), b.raw())
	case B:
		return b.Type() == B && bytes.Contains(a.Bytes(), b.Bytes())
	case SS, NS, BS:
		return b.Type() == t.member() && a.hasMember(b.raw())
	case L:
		for w := a.contents(); ; {
			e, ok := w.elem()
			if !ok || Equal(e, b) {
				return ok
			}
		}
	}
	return false
}

func containsString(a, b string) bool {
	// A match inside an escape is none.
	if hasEscapes(a) {
		a, b = unescape(a), unescape(b)
	}
	return strings.Contains(a, b)
}
