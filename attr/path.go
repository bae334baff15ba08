package attr

import (
	"fmt"
	"strconv"
	"strings"
)

// Elem is one step of a path: the name of a map's member or the index of a
// list's element.
type Elem struct {
	name  string
	raw   string // the name as it stands in canonical text
	index int    // -1 for a name
}

// NameElem is the step to a member of a map, or to a top-level attribute.
// Bytes that are not UTF-8 become U+FFFD, as in String.
func NameElem(name string) Elem {
	name = validUTF8(name)
	return Elem{name: name, raw: escape(name), index: -1}
}

// IndexElem is the step to an element of a list. A negative index is taken for
// one that no list has.
func IndexElem(index int) Elem {
	if index < 0 {
		index = int(^uint(0) >> 1)
	}
	return Elem{index: index}
}

// IsIndex tells an index from a name. The zero Elem is the index 0.
func (e Elem) IsIndex() bool { return e.index >= 0 }

// Name is the name, empty for an index.
func (e Elem) Name() string { return e.name }

// Index is the index, -1 for a name.
func (e Elem) Index() int { return e.index }

// String is the step as error messages print it: a name as it is, an index in
// brackets.
func (e Elem) String() string {
	if e.IsIndex() {
		return "[" + strconv.Itoa(e.index) + "]"
	}
	return e.name
}

// Path is a document path. It starts with the name of a top-level attribute.
type Path []Elem

// NamePath is the path to a top-level attribute.
func NamePath(name string) Path { return Path{NameElem(name)} }

// ParsePath reads a path such as a.b[3], for tests and tools. Names stand for
// themselves; dots and opening brackets always separate.
func ParsePath(text string) (Path, error) {
	var p Path
	for i, part := range strings.Split(text, ".") {
		name, indexes, _ := strings.Cut(part, "[")
		if name == "" {
			return nil, fmt.Errorf("attr: empty name %d in path %q", i+1, text)
		}
		p = append(p, NameElem(name))
		if name == part {
			continue
		}
		digits, ok := strings.CutSuffix(indexes, "]")
		if !ok {
			return nil, fmt.Errorf("attr: open bracket in path %q", text)
		}
		for d := range strings.SplitSeq(digits, "][") {
			n, err := strconv.ParseUint(d, 10, 31)
			if err != nil {
				return nil, fmt.Errorf("attr: index %q in path %q is no number", d, text)
			}
			p = append(p, IndexElem(int(n)))
		}
	}
	return p, nil
}

// String is the path as error messages print it: [a, [0], b].
func (p Path) String() string {
	parts := make([]string, len(p))
	for i, e := range p {
		parts[i] = e.String()
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// Equal tells whether two paths are the same.
func (p Path) Equal(q Path) bool { return len(p) == len(q) && common(p, q) == len(p) }

// common is how many steps two paths have in common.
func common(p, q Path) int {
	for i := range min(len(p), len(q)) {
		if p[i] != q[i] {
			return i
		}
	}
	return min(len(p), len(q))
}

// Overlaps tells whether the paths are the same or one leads through the
// other (behaviours/04 §4.7).
func Overlaps(a, b Path) bool { return common(a, b) == min(len(a), len(b)) }

// Conflicts tells whether the paths take the same value for a map and for a
// list, like a.b and a[1] (behaviours/04 §4.7).
func Conflicts(a, b Path) bool {
	n := common(a, b)
	return n < min(len(a), len(b)) && a[n].IsIndex() != b[n].IsIndex()
}

// Resolve is the value that the path leads to in an item. It is false when any
// step does not exist or meets a value of another kind.
func (p Path) Resolve(it *Item) (Value, bool) {
	if len(p) == 0 || p[0].IsIndex() {
		return Value{}, false
	}
	v, ok := it.lookup(p[0].raw)
	for i := 1; ok && i < len(p); i++ {
		v, ok = p[i].step(v)
	}
	return v, ok
}

func (e *Elem) step(v Value) (Value, bool) {
	if e.IsIndex() {
		return v.Index(e.index)
	}
	return v.field(e.raw)
}
