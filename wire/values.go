package wire

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/internal/coral"
)

const (
	javaValue  = coral.Package + "AttributeValue"
	javaString = "java.lang.String"
)

// item is a member that is a map of attribute values: an item or a key.
func item[T any](name string, at func(*T) *api.Item, rules ...rule) member[T] {
	m := member[T]{
		name: name,
		decode: func(d *decoder, in *T) error {
			if err := d.c.ExpectMap(javaValue); err != nil {
				return err
			}
			it, fault, err := d.attr.Item(&d.c)
			*at(in) = api.Item{Item: it, Fault: fault, Set: err == nil}
			return err
		},
		dump: func(dst []byte, in *T) []byte { return dumpItem(dst, *at(in)) },
	}
	if len(rules) > 0 {
		m.check = func(w *walker, in *T) { w.present(name, at(in).Set, rules) }
	}
	return m
}

// items is a member that is a list of keys.
func items[T any](name string, at func(*T) *[]api.Item, rules ...rule) member[T] {
	return member[T]{
		name: name,
		decode: func(d *decoder, in *T) error {
			if err := d.c.ExpectList(); err != nil {
				return err
			}
			out, err := readItems(d)
			*at(in) = out
			return err
		},
		check: func(w *walker, in *T) {
			l := *at(in)
			w.collection(name, l != nil, len(l), rules, func(dst []byte) []byte { return dumpItems(dst, l) })
		},
		dump: func(dst []byte, in *T) []byte { return dumpItems(dst, *at(in)) },
	}
}

func readItems(d *decoder) ([]api.Item, error) {
	if err := d.c.BeginArray(); err != nil {
		return nil, err
	}
	out := []api.Item{}
	for {
		ok, err := d.nextElem()
		if err != nil || !ok {
			return out, err
		}
		if err := d.c.ExpectNestedMap(javaValue); err != nil {
			return out, err
		}
		it, fault, err := d.attr.Item(&d.c)
		if err != nil {
			return out, err
		}
		out = append(out, api.Item{Item: it, Fault: fault, Set: true})
	}
}

// value is a member that is one attribute value.
func value[T any](name string, at func(*T) *api.Value) member[T] {
	return member[T]{
		name: name,
		decode: func(d *decoder, in *T) error {
			if err := d.c.ExpectStructure(javaValue, false); err != nil {
				return err
			}
			v, fault, err := d.attr.Value(&d.c)
			*at(in) = api.Value{Value: v, Fault: fault, Set: err == nil}
			return err
		},
		dump: func(dst []byte, in *T) []byte { return dumpValue(dst, *at(in)) },
	}
}

// values is a member that is a list of attribute values.
func values[T any](name string, at func(*T) *[]api.Value, rules ...rule) member[T] {
	m := member[T]{
		name: name,
		decode: func(d *decoder, in *T) error {
			if err := d.c.ExpectList(); err != nil {
				return err
			}
			out, err := readValues(d)
			*at(in) = out
			return err
		},
		dump: func(dst []byte, in *T) []byte { return dumpValues(dst, *at(in)) },
	}
	if len(rules) > 0 {
		m.check = func(w *walker, in *T) {
			l := *at(in)
			w.collection(name, l != nil, len(l), rules, func(dst []byte) []byte { return dumpValues(dst, l) })
		}
	}
	return m
}

func readValues(d *decoder) ([]api.Value, error) {
	if err := d.c.BeginArray(); err != nil {
		return nil, err
	}
	out := []api.Value{}
	for {
		ok, err := d.nextElem()
		if err != nil || !ok {
			return out, err
		}
		v, fault, err := d.attr.Value(&d.c)
		if err != nil {
			return out, err
		}
		out = append(out, api.Value{Value: v, Fault: fault, Set: true})
	}
}

// names is the member ExpressionAttributeNames. spare, which may be nil, finds the storage of a pooled input.
func names[T any](at func(*T) *[]api.Name, spare func(*T) *[]api.Name) member[T] {
	return member[T]{
		name: "ExpressionAttributeNames",
		decode: func(d *decoder, in *T) error {
			if err := d.c.ExpectMap(javaString); err != nil {
				return err
			}
			out, err := readNames(d, take(in, spare))
			*at(in) = out
			return err
		},
		dump: func(dst []byte, in *T) []byte {
			l := *at(in)
			if l == nil {
				return append(dst, "null"...)
			}
			return append(dumpEach(append(dst, '{'), len(l), func(dst []byte, i int) []byte {
				return append(append(append(dst, l[i].Placeholder...), '='), l[i].Target...)
			}), '}')
		},
	}
}

// take returns the spare storage, or a slice that is not nil.
func take[T, E any](in *T, spare func(*T) *[]E) []E {
	if spare != nil {
		if s := *spare(in); s != nil {
			return s[:0]
		}
	}
	return []E{}
}

func readNames(d *decoder, out []api.Name) ([]api.Name, error) {
	if err := d.c.BeginObject(); err != nil {
		return out, err
	}
	var seen keySet
	for {
		key, ok, err := d.nextKey()
		if err != nil || !ok {
			return out, err
		}
		if !seen.add(key, len(out), func(i int) string { return out[i].Placeholder }) {
			return out, d.twice()
		}
		s, err := d.c.ReadString()
		if err != nil {
			return out, err
		}
		out = append(out, api.Name{Placeholder: key, Target: s})
	}
}

// named is the member ExpressionAttributeValues, with spare as for names.
func named[T any](at func(*T) *[]api.NamedValue, spare func(*T) *[]api.NamedValue) member[T] {
	return member[T]{
		name: "ExpressionAttributeValues",
		decode: func(d *decoder, in *T) error {
			if err := d.c.ExpectMap(javaValue); err != nil {
				return err
			}
			out, err := readNamed(d, take(in, spare))
			*at(in) = out
			return err
		},
		dump: func(dst []byte, in *T) []byte {
			l := *at(in)
			if l == nil {
				return append(dst, "null"...)
			}
			return append(dumpEach(append(dst, '{'), len(l), func(dst []byte, i int) []byte {
				return dumpAttr(append(append(dst, l[i].Name...), '='), l[i].Value)
			}), '}')
		},
	}
}

func readNamed(d *decoder, out []api.NamedValue) ([]api.NamedValue, error) {
	if err := d.c.BeginObject(); err != nil {
		return out, err
	}
	var seen keySet
	for {
		key, ok, err := d.nextKey()
		if err != nil || !ok {
			return out, err
		}
		if !seen.add(key, len(out), func(i int) string { return out[i].Name }) {
			return out, d.twice()
		}
		v, fault, err := d.attr.Value(&d.c)
		if err != nil {
			return out, err
		}
		out = append(out, api.NamedValue{Name: key, Value: v, Fault: fault})
	}
}
