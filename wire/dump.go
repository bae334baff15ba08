package wire

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
)

// Values that break a constraint are echoed as Java's toString prints them (behaviours/01 §1.5). The service prints a
// value in an item as Type@hash as often as in full; clients cannot depend on either.

// dumpBudget bounds the echo of one collection. What is beyond is left out, element by element.
const dumpBudget = 16 << 10

func dumpString(dst []byte, s api.String) []byte {
	if !s.Set {
		return append(dst, "null"...)
	}
	return append(dst, s.Value...)
}

// dumpEach prints n parts with commas between them, until the budget is spent.
func dumpEach(dst []byte, n int, part func(dst []byte, i int) []byte) []byte {
	start := len(dst)
	for i := range n {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = part(dst, i)
		if len(dst)-start > dumpBudget {
			break
		}
	}
	return dst
}

func dumpStrings(dst []byte, l []string) []byte {
	if l == nil {
		return append(dst, "null"...)
	}
	return append(dumpEach(append(dst, '['), len(l), func(dst []byte, i int) []byte { return append(dst, l[i]...) }), ']')
}

func dumpList[E any](dst []byte, s *shape[E], l []E) []byte {
	if l == nil {
		return append(dst, "null"...)
	}
	return append(dumpEach(append(dst, '['), len(l), func(dst []byte, i int) []byte { return s.dump(dst, &l[i]) }), ']')
}

func dumpEntries[N, E any](dst []byte, s *shape[E], l []N, part func(*N) (*string, *E)) []byte {
	if l == nil {
		return append(dst, "null"...)
	}
	dst = dumpEach(append(dst, '{'), len(l), func(dst []byte, i int) []byte {
		key, e := part(&l[i])
		return s.dump(append(append(dst, *key...), '='), e)
	})
	return append(dst, '}')
}

func dumpItems(dst []byte, l []api.Item) []byte {
	if l == nil {
		return append(dst, "null"...)
	}
	return append(dumpEach(append(dst, '['), len(l), func(dst []byte, i int) []byte { return dumpItem(dst, l[i]) }), ']')
}

func dumpItem(dst []byte, it api.Item) []byte {
	if !it.Set || it.Item == nil {
		return append(dst, "null"...)
	}
	dst = dumpEach(append(dst, '{'), it.Item.Len(), func(dst []byte, i int) []byte {
		name, v := it.Item.At(i)
		return dumpAttr(append(append(dst, name...), '='), v)
	})
	return append(dst, '}')
}

func dumpValues(dst []byte, l []api.Value) []byte {
	if l == nil {
		return append(dst, "null"...)
	}
	return append(dumpEach(append(dst, '['), len(l), func(dst []byte, i int) []byte { return dumpValue(dst, l[i]) }), ']')
}

func dumpValue(dst []byte, v api.Value) []byte {
	if !v.Set {
		return append(dst, "null"...)
	}
	return dumpAttr(dst, v.Value)
}

// valueMembers are the members of the AttributeValue class, in its order.
var valueMembers = [...]struct {
	name string
	typ  attr.Type
}{
	{"s", attr.S}, {"n", attr.N}, {"b", attr.B}, {"sS", attr.SS}, {"nS", attr.NS}, {"bS", attr.BS},
	{"m", attr.M}, {"l", attr.L}, {"nULL", attr.NULL}, {"bOOL", attr.BOOL},
}

// dumpAttr prints AttributeValue(s=x, n=null, …).
func dumpAttr(dst []byte, v attr.Value) []byte {
	dst = append(dst, "AttributeValue("...)
	for i, m := range valueMembers {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(append(dst, m.name...), '=')
		if v.Type() == m.typ {
			dst = dumpContent(dst, v)
		} else {
			dst = append(dst, "null"...)
		}
	}
	return append(dst, ')')
}

func dumpContent(dst []byte, v attr.Value) []byte {
	switch v.Type() {
	case attr.S:
		return append(dst, v.Str()...)
	case attr.N:
		return append(dst, v.NumberText()...)
	case attr.B:
		return append(dst, "java.nio.HeapByteBuffer"...)
	case attr.BOOL:
		return append(dst, boolText(v.Bool())...)
	case attr.NULL:
		return append(dst, "true"...)
	case attr.M:
		dst = append(dst, '{')
		first := true
		for name, e := range v.Members() {
			if !first {
				dst = append(dst, ", "...)
			}
			first = false
			dst = dumpAttr(append(append(dst, name...), '='), e)
		}
		return append(dst, '}')
	}
	dst = append(dst, '[')
	first := true
	for e := range v.Elements() {
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		if v.Type() == attr.L {
			dst = dumpAttr(dst, e)
		} else {
			dst = dumpContent(dst, e)
		}
	}
	return append(dst, ']')
}

func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
}
