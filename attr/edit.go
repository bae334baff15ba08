package attr

import (
	"cmp"
	"errors"
	"slices"
)

// ErrPath says that the parent of an edit's target is missing or of another
// kind: The document path provided in the update expression is invalid for
// update.
var ErrPath = errors.New("attr: the document path is invalid for update")

// ErrOverlap says that two edits of one call have overlapping targets. Callers
// are expected to refuse such requests before.
var ErrOverlap = errors.New("attr: the paths of two edits overlap")

// Edit sets what Path leads to, or removes it when Value is missing.
type Edit struct {
	Path  Path
	Value Value
}

// Edit returns an item with the edits applied, behaviours/04 §4.9. All paths
// refer to the item as it is. Setting a list's position past its end appends,
// several in ascending order; gaps of removed elements close after that.
// Removing what does not exist does nothing as long as its parent exists. New
// attributes and members follow the old ones in the order of the edits.
//
// On a nil item top-level sets make a new item, and removals do nothing; the
// result is nil when nothing was set. The errors are ErrPath, ErrOverlap, and
// a *Fault for a name that is illegal or a result that nests too deep.
func (it *Item) Edit(edits []Edit) (*Item, error) {
	if len(edits) > manyEdits {
		if at := topLevel(edits); at != nil {
			return it.replace(edits, at)
		}
	}
	bytes, steps, attrs := len(it.Text()), len(edits), it.Len()
	for i := range edits {
		edit := &edits[i]
		if err := edit.check(); err != nil {
			return nil, err
		}
		bytes += len(edit.Value.text)
		steps += len(edit.Path)
		if !edit.Value.IsZero() && it.find(edit.Path[0].raw) < 0 {
			attrs++
		}
		for _, step := range edit.Path {
			bytes += len(step.raw) + len(`,"":`)
		}
	}
	e := editor{edits: make([]pending, len(edits)), groups: make([]int, 0, steps)}
	for i, edit := range edits {
		e.edits[i].Edit = edit
		e.groups = append(e.groups, i)
	}
	e.out.init(bytes, attrs)
	e.out.size = it.Size()
	if err := e.item(it, e.groups); err != nil {
		return nil, err
	}
	if it == nil && len(e.out.attrs) == 0 {
		return nil, nil
	}
	return e.out.item(), nil
}

// manyEdits is how many edits are looked up by name rather than one by one.
// The text of an update expression has room for some hundreds of them, legacy
// updates for any number.
const manyEdits = 64

// topLevel finds edits by the name of their attribute. It is nil unless each
// edit is about another attribute as a whole.
func topLevel(edits []Edit) map[string]int {
	at := make(map[string]int, len(edits))
	for i := range edits {
		p := edits[i].Path
		if len(p) != 1 || p[0].IsIndex() {
			return nil
		}
		at[p[0].raw] = i
	}
	if len(at) < len(edits) {
		return nil
	}
	return at
}

// replace is Edit for whole attributes, which at finds by name.
func (it *Item) replace(edits []Edit, at map[string]int) (*Item, error) {
	bytes := len(it.Text())
	for i := range edits {
		if err := edits[i].check(); err != nil {
			return nil, err
		}
		bytes += len(edits[i].Value.text) + len(edits[i].Path[0].raw) + len(`,"":`)
	}
	var b builder
	b.init(bytes, it.Len()+len(edits))
	b.size = it.Size()
	done := make([]bool, len(edits))
	for i := range it.Len() {
		name, v := it.name(i), it.value(i)
		n, edited := at[name]
		if !edited {
			b.add(name, v)
			continue
		}
		done[n] = true
		b.size -= v.Size()
		if v = edits[n].Value; v.IsZero() {
			b.size -= byteLen(name)
			continue
		}
		b.add(name, v)
		b.size += v.Size()
	}
	for i := range edits {
		if e := &edits[i]; !done[i] && !e.Value.IsZero() {
			b.add(e.Path[0].raw, e.Value)
			b.size += len(e.Path[0].name) + e.Value.Size()
		}
	}
	if it == nil && len(b.attrs) == 0 {
		return nil, nil
	}
	return b.item(), nil
}

func (edit *Edit) check() error {
	if len(edit.Path) == 0 || edit.Path[0].IsIndex() {
		return ErrPath
	}
	if edit.Value.IsZero() {
		return nil
	}
	for _, step := range edit.Path {
		if step.IsIndex() {
			continue
		}
		if fault := NameFault(step.name); fault != nil {
			return fault
		}
	}
	if len(edit.Path)-1+edit.Value.Depth() > MaxDepth {
		return DepthFault()
	}
	return nil
}

// editor writes the new text. A group is a list of edits, by number, whose
// paths have the first steps in common; depth is how many.
type editor struct {
	edits  []pending
	groups []int // room for every group: each edit is in one for each of its steps
	out    builder
}

type pending struct {
	Edit
	done bool // the next step on its path exists, or it was dealt with
}

// item writes all attributes.
func (e *editor) item(it *Item, group []int) error {
	for i := range it.Len() {
		name, v := it.name(i), it.value(i)
		sub := e.named(group, 0, name)
		if len(sub) == 0 {
			e.out.add(name, v)
			continue
		}
		remove, err := e.removes(sub, 1)
		if err != nil {
			return err
		}
		if remove {
			e.out.size -= byteLen(name) + v.Size()
			continue
		}
		e.out.begin(name)
		if err := e.value(v, sub, 1); err != nil {
			return err
		}
	}
	return e.missing(group, 0, it == nil, func(edit *Edit) {
		e.out.add(edit.Path[0].raw, edit.Value)
		e.out.size += len(edit.Path[0].name) + edit.Value.Size()
	})
}

// named are the edits of a group whose next step has the name, nil for none.
func (e *editor) named(group []int, depth int, name string) []int {
	start := len(e.groups)
	for _, i := range group {
		if step := &e.edits[i].Path[depth]; step.raw == name && !step.IsIndex() {
			e.choose(i)
		}
	}
	return e.groups[start:]
}

// indexed are the edits of a group whose next step has the index.
func (e *editor) indexed(group []int, depth int, index int) []int {
	start := len(e.groups)
	for _, i := range group {
		if e.edits[i].Path[depth].index == index {
			e.choose(i)
		}
	}
	return e.groups[start:]
}

func (e *editor) choose(i int) {
	e.edits[i].done = true
	e.groups = append(e.groups, i)
}

// removes tells whether the group is the removal of its common path.
func (e *editor) removes(group []int, depth int) (bool, error) {
	for _, i := range group {
		if edit := &e.edits[i]; len(edit.Path) == depth {
			if len(group) > 1 {
				return false, ErrOverlap
			}
			return edit.Value.IsZero(), nil
		}
	}
	return false, nil
}

// value writes what becomes of a value that the group leads to or through.
func (e *editor) value(old Value, group []int, depth int) error {
	first := &e.edits[group[0]]
	if len(first.Path) == depth {
		e.out.text.WriteString(first.Value.text)
		e.out.size += first.Value.Size() - old.Size()
		return nil
	}
	for _, i := range group {
		e.edits[i].done = false
	}
	switch old.Type() {
	case M:
		return e.mapping(old, group, depth)
	case L:
		return e.list(old, group, depth)
	}
	return ErrPath
}

func (e *editor) mapping(old Value, group []int, depth int) error {
	for _, i := range group {
		if e.edits[i].Path[depth].IsIndex() {
			return ErrPath
		}
	}
	out := &e.out.text
	out.WriteString(`{"M":{`)
	empty := true
	begin := func(name string) {
		if !empty {
			out.WriteByte(',')
		}
		empty = false
		out.WriteByte('"')
		out.WriteString(name)
		out.WriteString(`":`)
	}
	for w := old.contents(); ; {
		name, v, ok := w.field()
		if !ok {
			break
		}
		sub := e.named(group, depth, name)
		remove, err := e.removes(sub, depth+1)
		if err != nil {
			return err
		}
		if remove {
			e.out.size -= memberSize + byteLen(name) + v.Size()
			continue
		}
		begin(name)
		if len(sub) == 0 {
			out.WriteString(v.text)
		} else if err := e.value(v, sub, depth+1); err != nil {
			return err
		}
	}
	err := e.missing(group, depth, false, func(edit *Edit) {
		step := edit.Path[depth]
		begin(step.raw)
		out.WriteString(edit.Value.text)
		e.out.size += memberSize + len(step.name) + edit.Value.Size()
	})
	out.WriteString(`}}`)
	return err
}

func (e *editor) list(old Value, group []int, depth int) error {
	for _, i := range group {
		if !e.edits[i].Path[depth].IsIndex() {
			return ErrPath
		}
	}
	// Ascending order is the order of appending.
	slices.SortStableFunc(group, func(a, b int) int {
		return cmp.Compare(e.edits[a].Path[depth].index, e.edits[b].Path[depth].index)
	})
	out := &e.out.text
	out.WriteString(`{"L":[`)
	empty := true
	begin := func() {
		if !empty {
			out.WriteByte(',')
		}
		empty = false
	}
	index := 0
	for w := old.contents(); ; index++ {
		v, ok := w.elem()
		if !ok {
			break
		}
		sub := e.indexed(group, depth, index)
		remove, err := e.removes(sub, depth+1)
		if err != nil {
			return err
		}
		if remove {
			e.out.size -= memberSize + v.Size()
			continue
		}
		begin()
		if len(sub) == 0 {
			out.WriteString(v.text)
		} else if err := e.value(v, sub, depth+1); err != nil {
			return err
		}
	}
	err := e.missing(group, depth, false, func(edit *Edit) {
		begin()
		out.WriteString(edit.Value.text)
		e.out.size += memberSize + edit.Value.Size()
	})
	out.WriteString(`]}`)
	return err
}

// missing deals with the edits of a group whose next step does not exist: sets
// of that step are added, removals do nothing, and longer paths have no
// parent. Where there is no item at all, removals of longer paths do nothing
// either.
func (e *editor) missing(group []int, depth int, noItem bool, add func(*Edit)) error {
	for n, i := range group {
		edit := &e.edits[i]
		if edit.done {
			continue
		}
		for _, j := range group[:n] {
			if other := &e.edits[j]; !other.done && Overlaps(edit.Path, other.Path) {
				return ErrOverlap
			}
		}
		switch {
		case edit.Value.IsZero() && (noItem || len(edit.Path) == depth+1):
		case len(edit.Path) > depth+1:
			return ErrPath
		default:
			add(&edit.Edit)
		}
	}
	for _, i := range group {
		e.edits[i].done = true
	}
	return nil
}
