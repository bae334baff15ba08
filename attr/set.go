package attr

// Union is the set with the members of a, then those of b that a lacks. Both
// are sets of one type, else it is a missing value.
func Union(a, b Value) Value {
	t := a.Type()
	if t != b.Type() || !t.IsSet() {
		return Value{}
	}
	has := a.lookup()
	var dst []byte
	for w := b.members(); ; {
		raw, ok := w.member()
		if !ok {
			break
		}
		if has(raw) {
			continue
		}
		if dst == nil {
			dst = make([]byte, 0, len(a.text)+len(b.text))
			dst = append(dst, a.text[:len(a.text)-len(`]}`)]...)
		}
		dst = appendMember(dst, raw)
	}
	if dst == nil {
		return a
	}
	return Value{string(append(dst, `]}`...))}
}

// Difference is the set of the members of a that b lacks. empty tells that
// there are none; the value is then missing. Both are sets of one type, else
// the difference is a.
func Difference(a, b Value) (v Value, empty bool) {
	t := a.Type()
	if t != b.Type() || !t.IsSet() {
		return a, false
	}
	has := b.lookup()
	dst := append(make([]byte, 0, len(a.text)), a.text[:setStart]...)
	for w := a.members(); ; {
		raw, ok := w.member()
		if !ok {
			break
		}
		if !has(raw) {
			dst = appendMember(dst, raw)
		}
	}
	switch len(dst) + len(`]}`) {
	case setStart + len(`]}`):
		return Value{}, true
	case len(a.text):
		return a, false
	}
	return Value{string(append(dst, `]}`...))}, false
}

// appendMember appends a member to the open text of a set.
func appendMember(dst []byte, raw string) []byte {
	if dst[len(dst)-1] != '[' {
		dst = append(dst, ',')
	}
	dst = append(dst, '"')
	dst = append(dst, raw...)
	return append(dst, '"')
}
