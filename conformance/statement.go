package conformance

import (
	"strings"
)

// statementPart is a piece of a PartiQL statement.
type statementPart struct {
	kind statementKind
	text string // as written
}

type statementKind uint8

const (
	otherPart  statementKind = iota // space, operators, brackets
	wordPart                        // keyword or plain identifier
	quotedPart                      // "identifier"
	stringPart                      // 'literal'
	numberPart
	commentPart // -- to the end of the line, or /* to */
)

// statementParts cuts a PartiQL statement into pieces that, joined, are the statement again. It accepts any text.
func statementParts(s string) []statementPart {
	var out []statementPart
	for at := 0; at < len(s); {
		kind, n := statementPartAt(s[at:])
		out = append(out, statementPart{kind, s[at : at+n]})
		at += n
	}
	return out
}

func statementPartAt(s string) (kind statementKind, n int) {
	c := s[0]
	switch {
	case strings.HasPrefix(s, "--"):
		if n = strings.IndexByte(s, '\n'); n < 0 {
			n = len(s)
		}
		return commentPart, n
	case strings.HasPrefix(s, "/*"):
		if n = strings.Index(s, "*/"); n < 0 {
			return commentPart, len(s)
		}
		return commentPart, n + 2
	case c == '\'':
		return stringPart, quotedLength(s, c)
	case c == '"':
		return quotedPart, quotedLength(s, c)
	case c >= '0' && c <= '9' || c == '.' && len(s) > 1 && s[1] >= '0' && s[1] <= '9':
		return numberPart, numberLength(s)
	case isWordByte(c):
		for n = 1; n < len(s) && isWordByte(s[n]); n++ {
		}
		return wordPart, n
	default:
		return otherPart, 1
	}
}

// quotedLength finds the end of a quoted piece. A doubled quotation mark is part of it.
func quotedLength(s string, quote byte) int {
	for i := 1; i < len(s); i++ {
		if s[i] != quote {
			continue
		}
		if i+1 < len(s) && s[i+1] == quote {
			i++
			continue
		}
		return i + 1
	}
	return len(s)
}

func numberLength(s string) int {
	i := 0
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.') {
		i++
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			i, j = j+1, j+1
		}
	}
	return i
}

// closed reports whether a quoted piece has its second quotation mark.
func (p statementPart) closed() bool {
	return len(p.text) > 1 && quotedLength(p.text+" ", p.text[0]) == len(p.text)
}

// isKeyword reports whether a word can't be a table's name without quotation marks where one is expected.
func isKeyword(s string) bool {
	switch strings.ToUpper(s) {
	case "WHERE", "SELECT", "SET", "REMOVE", "VALUE", "VALUES", "RETURNING", "ORDER", "GROUP", "FROM", "INTO", "UPDATE":
		return true
	}
	return false
}

// unquoted returns what a quoted piece says.
func (p statementPart) unquoted() string {
	if len(p.text) < 2 {
		return p.text
	}
	q := p.text[:1]
	return strings.ReplaceAll(strings.TrimSuffix(p.text[1:], q), q+q, q)
}

func inQuotes(s, q string) string { return q + strings.ReplaceAll(s, q, q+q) + q }

// statement masks the literals of a PartiQL statement. Names of attributes in VALUE {...}, which are strings before a
// colon, and positions in lists stay.
func (r *masking) statement(s string) string {
	parts := statementParts(s)
	var b strings.Builder
	for i, p := range parts {
		switch {
		case p.kind == stringPart && nextMark(parts, i) != ":":
			b.WriteString(inQuotes(r.text(p.unquoted()), "'"))
		case p.kind == numberPart && !isPosition(parts, i):
			b.WriteString(r.number(p.text))
		case p.kind == commentPart:
			b.WriteString(p.text[:2]) // a comment may say anything
			if p.text[0] == '/' {
				b.WriteString("*/")
			}
		default:
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// nextMark returns the next piece that is no space.
func nextMark(parts []statementPart, i int) string {
	for _, p := range parts[i+1:] {
		if p.kind != commentPart && strings.TrimSpace(p.text) != "" {
			return p.text
		}
	}
	return ""
}

// isPosition reports whether a number stands alone between the brackets behind a name.
func isPosition(parts []statementPart, i int) bool {
	if i < 2 || nextMark(parts, i) != "]" || parts[i-1].text != "[" {
		return false
	}
	before := parts[i-2]
	return before.kind == wordPart || before.kind == quotedPart || before.text == "]"
}

// statementTables replaces the names of tables in a PartiQL statement, quoted or not.
func statementTables(s string, rename func(string) string) string {
	parts := statementParts(s)
	var b strings.Builder
	expected := false
	for _, p := range parts {
		switch {
		case expected && (p.kind == wordPart || p.kind == quotedPart):
			name := p.text
			if p.kind == quotedPart {
				name = p.unquoted()
			}
			expected = false
			if p.kind == wordPart && isKeyword(name) || p.kind == quotedPart && !p.closed() {
				break
			}
			if renamed := rename(name); renamed != name {
				b.WriteString(inQuotes(renamed, `"`))
				continue
			}
		case p.kind == wordPart:
			switch strings.ToUpper(p.text) {
			case "FROM", "INTO", "UPDATE":
				expected = true
			}
		case p.kind != commentPart && strings.TrimSpace(p.text) != "":
			expected = false
		}
		b.WriteString(p.text)
	}
	return b.String()
}
