package attr

import "github.com/dynalite-go/dynalite/internal/coral"

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
