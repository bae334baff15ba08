package attr

import (
	"cmp"
	"slices"
)

// Projection is a set of paths, made ready for cutting items down to them. A
// nil *Projection stands for the whole item. It never changes.
type Projection struct {
	root node
	flat bool // all paths are top-level names
}

// node is what a projection wants of one value: all of it, or parts.
type node struct {
	all    bool
	fields []fieldNode
	byName map[string]int // place in fields; nil while there are few
	elems  []elemNode     // by ascending index
}

type fieldNode struct {
	raw string
	node
}

type elemNode struct {
	index int
	node
}

// NewProjection makes a projection of paths. A path through another one adds
// nothing to it.
func NewProjection(paths []Path) *Projection {
	p := &Projection{flat: true}
	for _, path := range paths {
		if len(path) == 0 || path[0].IsIndex() {
			continue
		}
		p.flat = p.flat && len(path) == 1
		n := &p.root
		for _, step := range path {
			n = n.child(step)
		}
		n.all = true
	}
	return p
}

// TopLevel makes a projection of top-level attributes.
func TopLevel(names ...string) *Projection {
	p := &Projection{flat: true}
	for _, name := range names {
		p.root.child(NameElem(name)).all = true
	}
	return p
}

// child is the node one step on. The pointer is good until the next call.
func (n *node) child(step Elem) *node {
	if !step.IsIndex() {
		if f := n.field(step.raw); f != nil {
			return f
		}
		n.fields = append(n.fields, fieldNode{raw: step.raw})
		last := len(n.fields) - 1
		n.note(last)
		return &n.fields[last].node
	}
	i, ok := slices.BinarySearchFunc(n.elems, step.index, func(e elemNode, index int) int {
		return cmp.Compare(e.index, index)
	})
	if !ok {
		n.elems = slices.Insert(n.elems, i, elemNode{index: step.index})
	}
	return &n.elems[i].node
}

// fewPaths is how many fields of a projection are found by looking at each. Expressions are
// short, but AttributesToGet can name any number.
const fewPaths = 16

// note keeps byName up to date with the field that was just added.
func (n *node) note(last int) {
	switch {
	case n.byName != nil:
		n.byName[n.fields[last].raw] = last
	case len(n.fields) > fewPaths:
		n.byName = make(map[string]int, 2*len(n.fields))
		for i := range n.fields {
			n.byName[n.fields[i].raw] = i
		}
	}
}

func (n *node) field(raw string) *node {
	if n.byName != nil {
		if i, ok := n.byName[raw]; ok {
			return &n.fields[i].node
		}
		return nil
	}
	for i := range n.fields {
		if n.fields[i].raw == raw {
			return &n.fields[i].node
		}
	}
	return nil
}

// Append appends the projected item as JSON, behaviours/04 §4.7: what the
// paths lead to, inside its maps and lists, in the order of the item. Elements
// of a list close up. Where nothing matches it is "{}".
func (p *Projection) Append(dst []byte, it *Item) []byte {
	if p == nil {
		return it.AppendJSON(dst)
	}
	dst = append(dst, '{')
	start := len(dst)
	for i := range it.Len() {
		name := it.name(i)
		n := p.root.field(name)
		if n == nil {
			continue
		}
		mark := len(dst)
		if mark > start {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = append(dst, name...)
		dst = append(dst, '"', ':')
		var ok bool
		if dst, ok = n.append(dst, it.value(i)); !ok {
			dst = dst[:mark]
		}
	}
	return append(dst, '}')
}

// append appends the wanted part of a value. When there is none, ok is false
// and the caller takes back what was written.
func (n *node) append(dst []byte, v Value) (_ []byte, ok bool) {
	if n.all {
		return append(dst, v.text...), true
	}
	switch {
	case len(n.fields) > 0 && v.Type() == M:
		return n.appendMap(dst, v)
	case len(n.elems) > 0 && v.Type() == L:
		return n.appendList(dst, v)
	}
	return dst, false
}

func (n *node) appendMap(dst []byte, v Value) (_ []byte, ok bool) {
	dst = append(dst, `{"M":{`...)
	start := len(dst)
	for w := v.contents(); ; {
		name, m, more := w.field()
		if !more {
			break
		}
		f := n.field(name)
		if f == nil {
			continue
		}
		mark := len(dst)
		if mark > start {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = append(dst, name...)
		dst = append(dst, '"', ':')
		if dst, ok = f.append(dst, m); !ok {
			dst = dst[:mark]
		}
	}
	return append(dst, `}}`...), len(dst) > start
}

func (n *node) appendList(dst []byte, v Value) (_ []byte, ok bool) {
	dst = append(dst, `{"L":[`...)
	start := len(dst)
	w := v.contents()
	at := 0
	for i := range n.elems {
		e := &n.elems[i]
		for ; at < e.index && w.skip(); at++ {
		}
		m, more := w.elem()
		if !more {
			break
		}
		at++
		mark := len(dst)
		if mark > start {
			dst = append(dst, ',')
		}
		if dst, ok = e.append(dst, m); !ok {
			dst = dst[:mark]
		}
	}
	return append(dst, `]}`...), len(dst) > start
}

// Apply is the projected item. It is nil when nothing matched, and the item
// itself when all of it is wanted.
func (p *Projection) Apply(it *Item) *Item {
	if p == nil || it == nil {
		return it
	}
	if !p.flat {
		text := p.Append(make([]byte, 0, len(it.text)), it)
		if len(text) == len(`{}`) {
			return nil
		}
		return index(string(text))
	}
	bytes, attrs := len(`{}`), 0
	for i := range it.attrs {
		if name := it.name(i); p.root.field(name) != nil {
			attrs++
			bytes += len(name) + len(it.value(i).text) + len(`"":,`)
		}
	}
	switch attrs {
	case 0:
		return nil
	case len(it.attrs):
		return it
	}
	var b builder
	b.init(bytes-1, attrs)
	for i := range it.attrs {
		if name := it.name(i); p.root.field(name) != nil {
			v := it.value(i)
			b.add(name, v)
			b.size += byteLen(name) + v.Size()
		}
	}
	return b.item()
}

// Size is the size of the projected item in bytes, as Item.Size counts.
func (p *Projection) Size(it *Item) int {
	if p == nil {
		return it.Size()
	}
	size, matched := 0, 0
	for i := range it.Len() {
		name := it.name(i)
		n := p.root.field(name)
		if n == nil {
			continue
		}
		if part, ok := n.size(it.value(i)); ok {
			matched++
			size += byteLen(name) + part
		}
	}
	return size
}

func (n *node) size(v Value) (size int, ok bool) {
	if n.all {
		return v.Size(), true
	}
	switch {
	case len(n.fields) > 0 && v.Type() == M:
		for w := v.contents(); ; {
			name, m, more := w.field()
			if !more {
				break
			}
			f := n.field(name)
			if f == nil {
				continue
			}
			if part, found := f.size(m); found {
				ok = true
				size += memberSize + byteLen(name) + part
			}
		}
	case len(n.elems) > 0 && v.Type() == L:
		w := v.contents()
		at := 0
		for i := range n.elems {
			e := &n.elems[i]
			for ; at < e.index && w.skip(); at++ {
			}
			m, more := w.elem()
			if !more {
				break
			}
			at++
			if part, found := e.size(m); found {
				ok = true
				size += memberSize + part
			}
		}
	}
	return size + containerSize, ok
}
