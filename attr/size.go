package attr

// Size is the size of the value in bytes as the service counts it, limits §3
// and behaviours/03 §3.5: the bytes of strings and binaries, digits of
// numbers, one byte for BOOL and NULL, and for L and M three more plus one for
// each member. It is 0 for a missing value.
func (v Value) Size() int {
	switch v.Type() {
	case 0:
		return 0
	case S:
		return byteLen(v.raw())
	case B:
		return base64Len(v.raw())
	case N:
		return numberSize(v.raw())
	}
	size, _ := measure(v.text, 0)
	return size
}

const (
	containerSize = 3 // what a list or a map takes when empty
	memberSize    = 1 // what each of their members adds to its own size
)

// measure is the size of the value that starts at i, and its end.
func measure(s string, i int) (size, end int) {
	t := typeAt(s, i)
	switch t {
	case BOOL, NULL:
		return 1, valueEnd(s, i)
	case S, N, B:
		start := i + scalarStart
		end = stringEnd(s, start)
		return memberBytes(t, s[start:end]), end + len(`"}`)
	case SS, NS, BS:
		w := walker{s, i + setStart}
		for {
			raw, ok := w.member()
			if !ok {
				return size, w.pos + len(`]}`)
			}
			size += memberBytes(t.member(), raw)
		}
	}
	w := walker{s, i + scalarStart}
	size = containerSize
	for w.more() {
		size += memberSize
		if t == M {
			name, _ := w.member()
			size += byteLen(name)
			w.pos++
		}
		var n int
		n, w.pos = measure(s, w.pos)
		size += n
	}
	return size, w.pos + len(`]}`)
}

// memberBytes is the size of a scalar, also as a member of a set.
func memberBytes(t Type, raw string) int {
	switch t {
	case N:
		return numberSize(raw)
	case B:
		return base64Len(raw)
	}
	return byteLen(raw)
}

// numberSize is the size of a number in normal form.
func numberSize(text string) int {
	var d decimal
	if d.parse(text) != nil {
		return 0
	}
	return d.size()
}
