package attr

import "strings"

// The functions here walk over canonical text. They trust it: only the decoder
// and the constructors make it.

// stringEnd is the index of the quote that closes the string whose inside
// starts at start.
func stringEnd(s string, start int) int {
	for i := start; ; i++ {
		n := strings.IndexByte(s[i:], '"')
		if n < 0 {
			return len(s)
		}
		i += n
		slashes := i
		for slashes > start && s[slashes-1] == '\\' {
			slashes--
		}
		if (i-slashes)%2 == 0 {
			return i
		}
	}
}

// Where the contents of a value start, by the length of its type's name:
// {"S":" and {"L":[ take six bytes.
const (
	scalarStart = len(`{"S":"`)
	setStart    = len(`{"SS":[`)
	boolStart   = len(`{"BOOL":`)
)

// typeAt is the type of the value that starts at i.
func typeAt(s string, i int) Type {
	short := s[i+3] == '"'
	switch s[i+2] {
	case 'S':
		if short {
			return S
		}
		return SS
	case 'N':
		if short {
			return N
		}
		if s[i+3] == 'S' {
			return NS
		}
		return NULL
	case 'B':
		if short {
			return B
		}
		if s[i+3] == 'S' {
			return BS
		}
		return BOOL
	case 'M':
		return M
	}
	return L
}

// valueEnd is the index after the value that starts at i.
func valueEnd(s string, i int) int {
	switch typeAt(s, i) {
	case S, N, B:
		return stringEnd(s, i+scalarStart) + len(`"}`)
	case NULL:
		return i + len(`{"NULL":true}`)
	}
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '"':
			i = stringEnd(s, i+1)
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// brackets is the deepest nesting of brackets in s.
func brackets(s string) int {
	depth, deepest := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			i = stringEnd(s, i+1)
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}

// walker steps through the members of a container. Its position is at a
// member, at the comma before one, or at the closing bracket.
type walker struct {
	s   string
	pos int
}

// members walks through a set.
func (v Value) members() walker { return walker{v.text, setStart} }

// contents walks through a list or a map.
func (v Value) contents() walker { return walker{v.text, scalarStart} }

// more moves to the next member.
func (w *walker) more() bool {
	switch w.s[w.pos] {
	case ',':
		w.pos++
	case ']', '}':
		return false
	}
	return true
}

// member is the inside of the next member of a set.
func (w *walker) member() (raw string, ok bool) {
	if !w.more() {
		return "", false
	}
	start := w.pos + 1
	end := stringEnd(w.s, start)
	w.pos = end + 1
	return w.s[start:end], true
}

// elem is the next element of a list.
func (w *walker) elem() (v Value, ok bool) {
	if !w.more() {
		return Value{}, false
	}
	start := w.pos
	w.pos = valueEnd(w.s, start)
	return Value{w.s[start:w.pos]}, true
}

// field is the next member of a map, with the inside of its name.
func (w *walker) field() (name string, v Value, ok bool) {
	name, ok = w.member()
	if !ok {
		return "", Value{}, false
	}
	start := w.pos + 1 // a colon
	w.pos = valueEnd(w.s, start)
	return name, Value{w.s[start:w.pos]}, true
}

// skip passes over the next member of a set, list or map. It is false at the
// end.
func (w *walker) skip() bool {
	if !w.more() {
		return false
	}
	if w.s[w.pos] == '"' {
		if w.pos = stringEnd(w.s, w.pos+1) + 1; w.s[w.pos] != ':' {
			return true
		}
		w.pos++
	}
	w.pos = valueEnd(w.s, w.pos)
	return true
}
