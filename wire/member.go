package wire

import (
	"math"
	"strconv"
	"time"

	"github.com/dynalite-go/dynalite/api"
)

// text is a String member.
func text[T any](name string, at func(*T) *api.String, rules ...rule) member[T] {
	m := member[T]{
		name: name,
		decode: func(d *decoder, in *T) error {
			s, err := d.c.ReadString()
			*at(in) = api.String{Value: s, Set: err == nil}
			return err
		},
		dump: func(dst []byte, in *T) []byte { return dumpString(dst, *at(in)) },
	}
	if len(rules) > 0 {
		m.check = func(w *walker, in *T) { w.string(name, *at(in), rules) }
	}
	return m
}

func (w *walker) string(name string, s api.String, rules []rule) {
	for i := range rules {
		r := &rules[i]
		if s.Set && r.holdsString(s.Value) || !s.Set && r.kind != ruleRequired {
			continue
		}
		w.push(step{name: name})
		w.fail(r, func(dst []byte) []byte {
			if !s.Set {
				return append(dst, "null"...)
			}
			return append(append(append(dst, '\''), s.Value...), '\'')
		})
		w.pop()
	}
}

// number is an integer member. class is Integer or Long, for errors.
func number[T any](name, class string, at func(*T) *api.Int, rules ...rule) member[T] {
	m := member[T]{
		name: name,
		decode: func(d *decoder, in *T) error {
			n, err := d.c.ReadInt(class)
			*at(in) = api.Int{Value: n, Set: err == nil}
			return err
		},
		dump: func(dst []byte, in *T) []byte {
			if n := *at(in); n.Set {
				return strconv.AppendInt(dst, n.Value, 10)
			}
			return append(dst, "null"...)
		},
	}
	if len(rules) > 0 {
		m.check = func(w *walker, in *T) { w.int(name, *at(in), rules) }
	}
	return m
}

func (w *walker) int(name string, n api.Int, rules []rule) {
	for i := range rules {
		r := &rules[i]
		if n.Set && r.holdsCount(n.Value) || !n.Set && r.kind != ruleRequired {
			continue
		}
		w.push(step{name: name})
		w.fail(r, func(dst []byte) []byte {
			if !n.Set {
				return append(dst, "null"...)
			}
			return append(strconv.AppendInt(append(dst, '\''), n.Value, 10), '\'')
		})
		w.pop()
	}
}

func integer[T any](name string, at func(*T) *api.Int, rules ...rule) member[T] {
	return number(name, "Integer", at, rules...)
}

func long[T any](name string, at func(*T) *api.Int, rules ...rule) member[T] {
	return number(name, "Long", at, rules...)
}

// flag is a Boolean member. Its only possible rule is required.
func flag[T any](name string, at func(*T) *api.Bool, rules ...rule) member[T] {
	m := member[T]{
		name: name,
		decode: func(d *decoder, in *T) error {
			b, err := d.c.ReadBool()
			*at(in) = api.Bool{Value: b, Set: err == nil}
			return err
		},
		dump: func(dst []byte, in *T) []byte {
			if b := *at(in); b.Set {
				return strconv.AppendBool(dst, b.Value)
			}
			return append(dst, "null"...)
		},
	}
	if len(rules) > 0 {
		m.check = func(w *walker, in *T) { w.present(name, at(in).Set, rules) }
	}
	return m
}

// present reports a required member that is not there; the other rules do not apply.
func (w *walker) present(name string, set bool, rules []rule) {
	for i := range rules {
		if !set && rules[i].kind == ruleRequired {
			w.push(step{name: name})
			w.fail(&rules[i], func(dst []byte) []byte { return append(dst, "null"...) })
			w.pop()
		}
	}
}

// timestamp is a member of epoch seconds. More than milliseconds is dropped, as is a time beyond year 9999.
func timestamp[T any](name string, at func(*T) *api.Time, rules ...rule) member[T] {
	m := member[T]{
		name: name,
		decode: func(d *decoder, in *T) error {
			f, err := d.c.ReadFloat()
			if err != nil {
				return err
			}
			const limit = 253402300800 // the end of year 9999
			f = max(-limit, min(f, limit))
			*at(in) = api.Time{Value: time.UnixMilli(int64(math.Round(f * 1000))).UTC(), Set: true}
			return nil
		},
		dump: func(dst []byte, in *T) []byte {
			if t := *at(in); t.Set {
				return appendTime(dst, t.Value)
			}
			return append(dst, "null"...)
		},
	}
	if len(rules) > 0 {
		m.check = func(w *walker, in *T) { w.present(name, at(in).Set, rules) }
	}
	return m
}
