package attr

import "github.com/dynalite-go/dynalite/internal/coral"

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
