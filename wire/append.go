package wire

import (
	"strconv"
	"time"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
)

// object prints a JSON object member by member. Methods whose name begins with opt leave an empty member out.
type object struct {
	dst   []byte
	comma bool
}

// begin opens an object.
func begin(dst []byte) object { return object{dst: append(dst, '{')} }

// end closes the object and returns the text.
func (o *object) end() []byte { return append(o.dst, '}') }

// key prints a member's name, which needs no escapes.
func (o *object) key(name string) {
	if o.comma {
		o.dst = append(o.dst, ',')
	}
	o.comma = true
	o.dst = append(append(append(o.dst, '"'), name...), '"', ':')
}

// entry prints a name that may need escapes.
func (o *object) entry(name string) {
	if o.comma {
		o.dst = append(o.dst, ',')
	}
	o.comma = true
	o.dst = append(appendString(o.dst, name), ':')
}

func (o *object) text(name, s string) {
	o.key(name)
	o.dst = appendString(o.dst, s)
}

func (o *object) optText(name, s string) {
	if s != "" {
		o.text(name, s)
	}
}

func (o *object) optString(name string, s api.String) {
	if s.Set {
		o.text(name, s.Value)
	}
}

func (o *object) long(name string, n int64) {
	o.key(name)
	o.dst = strconv.AppendInt(o.dst, n, 10)
}

func (o *object) optInt(name string, n api.Int) {
	if n.Set {
		o.long(name, n.Value)
	}
}

func (o *object) flag(name string, b bool) {
	o.key(name)
	o.dst = strconv.AppendBool(o.dst, b)
}

func (o *object) optBool(name string, b api.Bool) {
	if b.Set {
		o.flag(name, b.Value)
	}
}

func (o *object) double(name string, f float64) {
	o.key(name)
	o.dst = appendDouble(o.dst, f)
}

func (o *object) optFloat(name string, f api.Float) {
	if f.Set {
		o.double(name, f.Value)
	}
}

func (o *object) optTime(name string, t time.Time) {
	if !t.IsZero() {
		o.key(name)
		o.dst = appendTime(o.dst, t)
	}
}

func (o *object) optItem(name string, it *attr.Item) {
	if it != nil {
		o.key(name)
		o.dst = it.AppendJSON(o.dst)
	}
}

// view prints an item through its projection, even when nothing is seen of it.
func (o *object) view(name string, v api.View) {
	o.key(name)
	o.dst = appendView(o.dst, v)
}

// optView is view for members that are left out when they would be an empty object.
func (o *object) optView(name string, v api.View) {
	if v.Item == nil {
		return
	}
	before := *o
	o.key(name)
	start := len(o.dst)
	o.dst = appendView(o.dst, v)
	if len(o.dst)-start == len("{}") {
		before.dst = o.dst[:len(before.dst)]
		*o = before
	}
}

func appendView(dst []byte, v api.View) []byte {
	if v.Item == nil {
		return append(dst, "{}"...)
	}
	return v.Projection.Append(dst, v.Item)
}

func appendViews(dst []byte, views []api.View) []byte {
	dst = append(dst, '[')
	for i := range views {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendView(dst, views[i])
	}
	return append(dst, ']')
}

// appendList prints a list of structures, nil or not.
func appendList[E any](dst []byte, list []E, element func([]byte, *E) []byte) []byte {
	dst = append(dst, '[')
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = element(dst, &list[i])
	}
	return append(dst, ']')
}

// optList prints a member that is a list of structures, unless it is empty.
func optList[E any](o *object, name string, list []E, element func([]byte, *E) []byte) {
	if len(list) > 0 {
		o.key(name)
		o.dst = appendList(o.dst, list, element)
	}
}

// optStruct prints a member that is a structure, unless it is nil.
func optStruct[E any](o *object, name string, e *E, structure func([]byte, *E) []byte) {
	if e != nil {
		o.key(name)
		o.dst = structure(o.dst, e)
	}
}

func appendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, s)
	}
	return append(dst, ']')
}
