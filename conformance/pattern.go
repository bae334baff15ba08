package conformance

import (
	"math"
	"slices"
	"strings"
)

// A pattern is expected JSON. It is compared in two moves: resolve replaces what is loose by what was received,
// wherever that is acceptable, and then plain equality, or a plain diff, decides.
//
// JSON values are those of encoding/json: nil, bool, float64, string, []any, map[string]any.
type pattern interface {
	// resolve returns the JSON value that got should have been. It is got itself where got is acceptable. present
	// tells a missing member from null; absent{} as a result means that no member is right.
	resolve(got any, present bool) any
}

// absent stands for a member that isn't there.
type absent struct{}

type literal struct{ value any }

func (l literal) resolve(any, bool) any { return l.value }

type member struct {
	name  string
	value pattern
}

type object struct {
	members []member
	open    bool // "...": further members are fine
}

func (o object) resolve(got any, _ bool) any {
	have, _ := got.(map[string]any)
	want := make(map[string]any, len(o.members))
	for _, m := range o.members {
		value, present := have[m.name]
		p := m.value
		if list, ok := p.(list); ok && len(o.members) == 1 && !o.open && isSet(m.name) {
			list.unordered = true
			p = list
		}
		if v := p.resolve(value, present); v != (absent{}) {
			want[m.name] = v
		}
	}
	if o.open {
		for name, value := range have {
			if !slices.ContainsFunc(o.members, func(m member) bool { return m.name == name }) {
				want[name] = value
			}
		}
	}
	return want
}

// isSet reports whether a member name is the tag of a set, whose order says nothing.
func isSet(name string) bool { return name == "SS" || name == "NS" || name == "BS" }

type list struct {
	elements  []pattern
	open      bool // "...": further elements may follow
	unordered bool
}

func (l list) resolve(got any, _ bool) any {
	have, _ := got.([]any)
	if l.unordered {
		return l.resolveUnordered(have)
	}
	want := make([]any, 0, len(l.elements))
	for i, p := range l.elements {
		var v any
		if i < len(have) {
			v = p.resolve(have[i], true)
		} else {
			v = p.resolve(nil, false)
		}
		if v != (absent{}) {
			want = append(want, v)
		}
	}
	if l.open && len(have) > len(l.elements) {
		want = append(want, have[len(l.elements):]...)
	}
	return want
}

// resolveUnordered gives each element received the first pattern that it satisfies; what is left on both sides is
// lined up in order, so that a diff shows it side by side.
func (l list) resolveUnordered(have []any) any {
	used := make([]bool, len(l.elements))
	satisfied := make([]bool, len(have))
	for k, h := range have {
		if i := l.find(h, used); i >= 0 {
			used[i], satisfied[k] = true, true
		}
	}
	var left []pattern
	for i, p := range l.elements {
		if !used[i] {
			left = append(left, p)
		}
	}
	want := make([]any, 0, len(l.elements))
	for k, h := range have {
		switch {
		case satisfied[k]:
			want = append(want, h)
		case len(left) > 0:
			want = append(want, left[0].resolve(h, true))
			left = left[1:]
		case l.open:
			want = append(want, h)
		}
	}
	for _, p := range left {
		want = append(want, p.resolve(nil, false))
	}
	return want
}

func (l list) find(h any, used []bool) int {
	for i, p := range l.elements {
		if !used[i] && equal(p.resolve(h, true), h) {
			return i
		}
	}
	return -1
}

// equal compares JSON values. Numbers are equal within rounding of their text.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, v := range a {
			w, ok := b[name]
			if !ok || !equal(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	case float64:
		b, ok := b.(float64)
		return ok && (a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)))
	default:
		switch b.(type) {
		case map[string]any, []any:
			return false
		}
		return a == b
	}
}

// loose is a named loose match, written ~name or ~name argument.
type loose struct {
	name   string
	accept func(got any) bool
	text   string // as written, to be shown where it doesn't match
}

func (l loose) resolve(got any, present bool) any {
	if present && l.accept(got) {
		return got
	}
	return "~" + l.text
}

// noMember is ~absent: the member must not be there.
type noMember struct{}

func (noMember) resolve(any, bool) any { return absent{} }

// oneOf is ~oneof [a, b]: any of the alternatives is right.
type oneOf []pattern

func (o oneOf) resolve(got any, present bool) any {
	for _, p := range o {
		v := p.resolve(got, present)
		if v == (absent{}) && !present || present && v != (absent{}) && equal(v, got) {
			return v
		}
	}
	return o[0].resolve(got, present)
}

// describe clips a text for messages.
func describe(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
