package attr

import (
	"bytes"
	"slices"

	"github.com/dynalite-go/dynalite/internal/coral"
)

const attributeValue = coral.Package + "AttributeValue"

// keepBytes is the largest scratch space that a Decoder keeps between calls.
const keepBytes = 1 << 20

// Decoder reads items and values from DynamoDB JSON. It keeps its scratch
// space, so that reading an item makes no more than the item's own three
// allocations. The zero Decoder is ready. It may be reused, but not shared.
//
// Malformed JSON and wrong JSON types end the reading at once with an error,
// *coral.SyntaxError or *coral.TypeError. A Fault does not: the first one in
// the order of the document is kept and returned beside a nil item or missing
// value, and the rest is still checked for errors, which come first on the
// wire.
type Decoder struct {
	buf   []byte // canonical text
	attrs []span // of the item's attributes in buf
	names []span // stack: where the names of the open maps, or the members of a set, stand in buf
	fault *Fault
	size  int
}

// Item reads a map of attribute values. An attribute that is null counts as an
// empty value.
func (d *Decoder) Item(c *coral.Cursor) (*Item, *Fault, error) {
	d.reset()
	if err := c.ExpectMap(attributeValue); err != nil {
		return nil, nil, err
	}
	if err := d.fields(c, 1); err != nil {
		return nil, nil, err
	}
	if d.fault != nil {
		return nil, d.fault, nil
	}
	it := &Item{text: string(d.buf), size: d.size}
	if len(d.attrs) > 0 {
		it.attrs = append(make([]span, 0, len(d.attrs)), d.attrs...)
	}
	return it, nil, nil
}

// Value reads one attribute value that stands in a list or a map. Where it is
// a member of a structure the caller first checks with ExpectStructure, since
// the text of the error differs.
func (d *Decoder) Value(c *coral.Cursor) (Value, *Fault, error) {
	d.reset()
	if err := d.value(c, 1); err != nil {
		return Value{}, nil, err
	}
	if d.fault != nil {
		return Value{}, d.fault, nil
	}
	return Value{string(d.buf)}, nil, nil
}

func (d *Decoder) reset() {
	if cap(d.buf) > keepBytes {
		d.buf = nil
	}
	d.buf, d.attrs, d.names = d.buf[:0], d.attrs[:0], d.names[:0]
	d.fault, d.size = nil, 0
}

// fail keeps the first fault.
func (d *Decoder) fail(fault *Fault) {
	if d.fault == nil {
		d.fault = fault
	}
}

func syntaxError(c *coral.Cursor) error { return &coral.SyntaxError{Offset: c.Offset()} }

// fields reads an object of attribute values, which are at the given level. At
// level 1 it is the item itself.
func (d *Decoder) fields(c *coral.Cursor, level int) error {
	if err := c.BeginObject(); err != nil {
		return err
	}
	d.buf = append(d.buf, '{')
	distinct := d.distinct()
	for first := true; ; first = false {
		raw, escaped, ok, err := c.NextRawKey()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if !first {
			d.buf = append(d.buf, ',')
		}
		name, bytes := d.string(raw, escaped)
		if bytes == 0 {
			d.fail(emptyNameFault())
		} else if bytes > MaxNameBytes {
			d.fail(longNameFault())
		}
		if !distinct.add(name) {
			return syntaxError(c)
		}
		d.buf = append(d.buf, ':')
		d.size += bytes
		if level == 1 {
			d.attrs = append(d.attrs, span{name.name, uint32(len(d.buf))})
		} else {
			d.size += memberSize
		}
		if err := d.element(c, level); err != nil {
			return err
		}
	}
	if !distinct.end() {
		return syntaxError(c)
	}
	d.buf = append(d.buf, '}')
	return nil
}

// elements reads an array of attribute values.
func (d *Decoder) elements(c *coral.Cursor, level int) error {
	if err := c.BeginArray(); err != nil {
		return err
	}
	d.buf = append(d.buf, '[')
	for first := true; ; first = false {
		ok, err := c.NextElem()
		if err != nil {
			return err
		}
		if !ok {
			d.buf = append(d.buf, ']')
			return nil
		}
		if !first {
			d.buf = append(d.buf, ',')
		}
		d.size += memberSize
		if err := d.element(c, level); err != nil {
			return err
		}
	}
}

// element reads a value inside a list or a map, where a null has no type.
func (d *Decoder) element(c *coral.Cursor, level int) error {
	null, err := c.ReadNull()
	if null {
		d.fail(emptyValueFault())
	}
	if null || err != nil {
		return err
	}
	return d.value(c, level)
}

// value reads {"S": …} and the like. Members that are null or unknown don't
// count.
func (d *Decoder) value(c *coral.Cursor, level int) error {
	if err := c.ExpectStructure(attributeValue, true); err != nil {
		return err
	}
	if level > MaxDepth {
		d.fail(DepthFault())
		if level > coral.MaxDepth/2 { // a level takes two brackets
			return syntaxError(c)
		}
	}
	if err := c.BeginObject(); err != nil {
		return err
	}
	start := len(d.buf)
	var seen uint16 // a bit per type
	types := 0
	for {
		raw, escaped, ok, err := c.NextRawKey()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if escaped {
			raw = coral.Unescape(raw)
		}
		if null, err := c.ReadNull(); err != nil {
			return err
		} else if null {
			continue
		}
		t, ok := ParseType(raw)
		if !ok {
			if err := c.Skip(); err != nil {
				return err
			}
			continue
		}
		if seen&(1<<t) != 0 {
			return syntaxError(c)
		}
		seen |= 1 << t
		if types++; types > 1 {
			d.buf = d.buf[:start] // the value is at fault, one text is enough
		}
		if err := d.typed(c, t, level); err != nil {
			return err
		}
	}
	switch types {
	case 0:
		d.fail(emptyValueFault())
	case 1:
	default:
		d.fail(manyTypesFault())
	}
	return nil
}

// typed reads what follows {"T": and writes the whole value.
func (d *Decoder) typed(c *coral.Cursor, t Type, level int) error {
	d.buf = append(d.buf, valueStart[t]...)
	switch t {
	case S:
		raw, escaped, err := c.ReadRawString()
		if err != nil {
			return err
		}
		_, bytes := d.string(raw, escaped)
		d.size += bytes
	case N:
		text, err := c.ReadString()
		if err != nil {
			return err
		}
		d.number(text)
	case B:
		text, err := c.ReadBase64()
		if err != nil {
			return err
		}
		d.binary(text)
	case BOOL, NULL:
		if err := d.boolean(c, t); err != nil {
			return err
		}
	case SS, NS, BS:
		if err := d.set(c, t); err != nil {
			return err
		}
	case L:
		if err := c.ExpectList(); err != nil {
			return err
		}
		d.size += containerSize
		if err := d.elements(c, level+1); err != nil {
			return err
		}
	case M:
		if err := c.ExpectMap(attributeValue); err != nil {
			return err
		}
		d.size += containerSize
		if err := d.fields(c, level+1); err != nil {
			return err
		}
	}
	d.buf = append(d.buf, '}')
	return nil
}

var valueStart = [...]string{
	S: `{"S":`, N: `{"N":`, B: `{"B":`, SS: `{"SS":`, NS: `{"NS":`, BS: `{"BS":`,
	M: `{"M":`, L: `{"L":`, BOOL: `{"BOOL":`, NULL: `{"NULL":`,
}

// string writes a string in quotes, given its inside. It returns where the
// inside now stands and how many bytes the string has.
func (d *Decoder) string(raw string, escaped bool) (inside span, bytes int) {
	d.buf = append(d.buf, '"')
	start := len(d.buf)
	if !escaped {
		d.buf = append(d.buf, raw...)
		bytes = len(raw)
	} else {
		d.buf = appendCanonical(d.buf, raw)
		bytes = rawBytes(d.buf[start:])
	}
	end := len(d.buf)
	d.buf = append(d.buf, '"')
	return span{uint32(start), uint32(end)}, bytes
}

// rawBytes is byteLen for text that is no string yet.
func rawBytes(raw []byte) int {
	n := 0
	for i := 0; i < len(raw); n++ {
		switch {
		case raw[i] != '\\':
			i++
		case raw[i+1] == 'u':
			i += 6
		default:
			i += 2
		}
	}
	return n
}

func (d *Decoder) number(text string) span {
	d.buf = append(d.buf, '"')
	start := len(d.buf)
	buf, size, fault := appendNumber(d.buf, text)
	if fault != nil {
		d.fail(fault)
	}
	d.size += size
	d.buf = append(buf, '"')
	return span{uint32(start), uint32(len(buf))}
}

func (d *Decoder) binary(text string) span {
	inside, _ := d.string(text, false)
	d.size += base64Len(text)
	return inside
}

func (d *Decoder) boolean(c *coral.Cursor, t Type) error {
	b, err := c.ReadBool()
	if err != nil {
		return err
	}
	if t == NULL && !b {
		d.fail(nullFault())
	}
	if b {
		d.buf = append(d.buf, "true"...)
	} else {
		d.buf = append(d.buf, "false"...)
	}
	d.size++
	return nil
}

// set reads the members of a set. Its faults come in the order numbers, empty,
// duplicates, nulls.
func (d *Decoder) set(c *coral.Cursor, t Type) error {
	if err := c.ExpectList(); err != nil {
		return err
	}
	if err := c.BeginArray(); err != nil {
		return err
	}
	start := len(d.buf) - len(valueStart[t])
	d.buf = append(d.buf, '[')
	distinct := d.distinct()
	members, nulls, repeats := 0, 0, false
	for ; ; members++ {
		ok, err := c.NextElem()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if null, err := c.ReadNull(); err != nil {
			return err
		} else if null {
			nulls++
			continue
		}
		if members > nulls {
			d.buf = append(d.buf, ',')
		}
		inside, err := d.member(c, t)
		if err != nil {
			return err
		}
		repeats = !distinct.add(inside) || repeats
	}
	repeats = !distinct.end() || repeats
	d.buf = append(d.buf, ']')
	switch {
	case members == 0:
		d.fail(emptySetFault(t))
	case repeats && d.fault == nil:
		d.fail(duplicatesFault(Value{string(d.buf[start:]) + "}"}))
	case nulls > 0:
		d.fail(nullMemberFault(t))
	}
	return nil
}

func (d *Decoder) member(c *coral.Cursor, t Type) (inside span, err error) {
	if t == BS {
		text, err := c.ReadBase64()
		if err != nil {
			return span{}, err
		}
		return d.binary(text), nil
	}
	raw, escaped, err := c.ReadRawString()
	if err != nil {
		return span{}, err
	}
	if t == NS {
		if escaped {
			raw = coral.Unescape(raw)
		}
		return d.number(raw), nil
	}
	inside, bytes := d.string(raw, escaped)
	d.size += bytes
	return inside, nil
}

// distinct watches that no two names of a map, or members of a set, are equal.
// It uses the decoder's stack of names; end takes its part off again.
type distinct struct {
	d    *Decoder
	base int
	mask uint64 // a bit for each hash seen
}

// fewNames is how many names are compared one with all. More are sorted.
const fewNames = 32

func (d *Decoder) distinct() distinct { return distinct{d: d, base: len(d.names)} }

// add is false when the text was there before. With many texts only end finds
// out.
func (u *distinct) add(text span) bool {
	d := u.d
	s := d.buf[text.name:text.val]
	seen := d.names[u.base:]
	d.names = append(d.names, text)
	if len(seen) >= fewNames {
		return true
	}
	hash := uint64(len(s)) * 31
	if len(s) > 0 {
		hash += uint64(s[0]) + uint64(s[len(s)-1])*7
	}
	bit := uint64(1) << (hash % 64)
	if u.mask&bit == 0 {
		u.mask |= bit
		return true
	}
	for _, other := range seen {
		if other.val-other.name == uint32(len(s)) && bytes.Equal(d.buf[other.name:other.val], s) {
			return false
		}
	}
	return true
}

func (u *distinct) end() bool {
	d := u.d
	seen := d.names[u.base:]
	d.names = d.names[:u.base]
	if len(seen) <= fewNames {
		return true
	}
	compare := func(a, b span) int {
		return bytes.Compare(d.buf[a.name:a.val], d.buf[b.name:b.val])
	}
	slices.SortFunc(seen, compare)
	for i := 1; i < len(seen); i++ {
		if compare(seen[i-1], seen[i]) == 0 {
			return false
		}
	}
	return true
}

// index makes an item of text that is canonical.
func index(text string) *Item {
	it := &Item{text: text}
	n := 0
	for w := (walker{text, 1}); w.skip(); n++ {
	}
	if n == 0 {
		return it
	}
	it.attrs = make([]span, 0, n)
	for w := (walker{text, 1}); w.more(); {
		at := uint32(w.pos + 1)
		name, _ := w.member()
		w.pos++
		it.attrs = append(it.attrs, span{at, uint32(w.pos)})
		var size int
		size, w.pos = measure(text, w.pos)
		it.size += byteLen(name) + size
	}
	return it
}
