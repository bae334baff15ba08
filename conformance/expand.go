package conformance

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/dynalite-go/dynalite/clock"
)

// A scope gives names their meaning inside ${...}. Captured values are JSON, all others are text.
type scope struct {
	text     map[string]string
	captured map[string]string // JSON text
	dry      bool              // series are cut short: only the form of the result matters
	shared   *int              // bytes that all texts of a file may still grow to; nil for no such limit
}

// dryCount is how long a series gets in a dry scope.
const dryCount = 2

// maxExpanded bounds what one text may grow to: somewhat more than the largest request that the service reads.
const maxExpanded = 64 << 20

// maxDry is the same bound in a dry scope.
const maxDry = 1 << 20

// maxFile bounds what the cases of one file may grow to while it is checked.
const maxFile = 256 << 20

// maxDepth bounds texts that use texts.
const maxDepth = 20

// expander replaces ${...} in one text.
type expander struct {
	s     *scope
	depth int
	left  int // bytes that may still be written
}

func (s *scope) expander() *expander {
	if s.dry {
		return &expander{s: s, left: maxDry}
	}
	return &expander{s: s, left: maxExpanded}
}

// expandText replaces ${...} in plain text.
func (s *scope) expandText(text string) (string, error) {
	return s.expander().expand(text, false)
}

// expandJSON replaces ${...} in JSON: inside a string literal what is inserted is escaped, elsewhere it is inserted as
// it is.
func (s *scope) expandJSON(text string) (string, error) {
	return s.expander().expand(text, true)
}

func (e *expander) expand(text string, isJSON bool) (string, error) {
	if !strings.Contains(text, "${") {
		return text, e.spend(len(text))
	}
	if e.depth++; e.depth > maxDepth {
		return "", fmt.Errorf("texts use each other more than %d deep", maxDepth)
	}
	defer func() { e.depth-- }()
	var b strings.Builder
	inString := false
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], "$${"):
			b.WriteString("${")
			i += 3
		case strings.HasPrefix(text[i:], "${"):
			end := closing(text[i+2:])
			if end < 0 {
				return "", fmt.Errorf("${ without }")
			}
			value, err := e.value(text[i+2:i+2+end], isJSON, inString)
			if err != nil {
				return "", err
			}
			b.WriteString(value)
			i += 2 + end + 1
		case isJSON && inString && c == '\\' && i+1 < len(text):
			b.WriteString(text[i : i+2])
			i += 2
		default:
			if c == '"' {
				inString = !inString
			}
			b.WriteByte(c)
			i++
		}
	}
	return b.String(), e.spend(b.Len())
}

// spend counts what is written, and each name that is looked up: names of nothing can still multiply.
func (e *expander) spend(n int) error {
	if e.s.shared != nil {
		if *e.s.shared -= n; *e.s.shared < 0 {
			return fmt.Errorf("the file grows beyond %d bytes", maxFile)
		}
	}
	if e.left -= n; e.left < 0 {
		return errors.New("a text grows without end")
	}
	return nil
}

// closing finds the brace that closes an open one.
func closing(text string) int {
	depth := 1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// value evaluates what stands between the braces.
func (e *expander) value(inner string, isJSON, inString bool) (string, error) {
	if err := e.spend(1); err != nil {
		return "", err
	}
	if js, ok := e.s.captured[inner]; ok {
		return insertCaptured(js, isJSON, inString), nil
	}
	if text, ok := e.s.text[inner]; ok {
		out, err := e.expand(text, isJSON && !inString)
		if err == nil && isJSON && inString {
			out = escaped(out)
		}
		return out, err
	}
	function, arg, ok := strings.Cut(inner, " ")
	if !ok {
		return "", fmt.Errorf("${%s} is not known", inner)
	}
	out, err := e.call(function, arg, isJSON && !inString)
	if err == nil && isJSON && inString {
		out = escaped(out)
	}
	return out, err
}

// insertCaptured inserts a captured value: text where text is wanted, JSON elsewhere.
func insertCaptured(js string, isJSON, inString bool) string {
	if isJSON && !inString {
		return js
	}
	var s string
	if json.Unmarshal([]byte(js), &s) != nil {
		s = js
	}
	if isJSON {
		return escaped(s)
	}
	return s
}

// escaped returns the inside of the JSON string literal of s.
func escaped(s string) string {
	if !strings.ContainsAny(s, "\"\\") && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' }) {
		return s
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return s
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(b.String(), "\n"), `"`), `"`)
}

// call evaluates a function: repeat, list, nest, base64 or ago.
func (e *expander) call(function, arg string, isJSON bool) (string, error) {
	arg, err := e.expand(arg, isJSON || function == "nest")
	if err != nil {
		return "", err
	}
	count, rest, _ := strings.Cut(arg, " ")
	n, err := strconv.Atoi(count)
	if err != nil || n < 0 {
		return "", fmt.Errorf("${%s} wants a count", function)
	}
	if function == "ago" {
		return strconv.FormatInt(clock.Real().Now().Unix()-int64(n), 10), nil
	}
	if e.s.dry {
		n = min(n, dryCount)
	}
	switch function {
	case "repeat":
		if n > maxExpanded || e.spend(n*max(1, len(rest))) != nil {
			return "", fmt.Errorf("${repeat %d} is too long", n)
		}
		return strings.Repeat(rest, n), nil
	case "list":
		return e.series(n, rest)
	case "nest":
		return e.nest(n, rest)
	case "base64":
		if n > maxExpanded {
			return "", fmt.Errorf("${base64 %d} is too long", n)
		}
		return base64.StdEncoding.EncodeToString(make([]byte, n)), e.spend(n)
	default:
		return "", fmt.Errorf("function %q is not known", function)
	}
}

// series joins n copies of unit by comma and space, with {i} counting from 1.
func (e *expander) series(n int, unit string) (string, error) {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		if i > 1 {
			b.WriteString(", ")
		}
		b.WriteString(numbered(unit, i))
		if b.Len() > maxExpanded {
			return "", fmt.Errorf("${list %d} is too long", n)
		}
	}
	return b.String(), e.spend(b.Len())
}

// numbered replaces {i} by a number, and {i:04} by the number with leading zeros.
func numbered(unit string, i int) string {
	if !strings.Contains(unit, "{i") {
		return unit
	}
	unit = strings.ReplaceAll(unit, "{i}", strconv.Itoa(i))
	for {
		before, after, ok := strings.Cut(unit, "{i:0")
		if !ok {
			return unit
		}
		digits, after, ok := strings.Cut(after, "}")
		width, err := strconv.Atoi(digits)
		if !ok || err != nil || width > 40 {
			return unit
		}
		unit = before + fmt.Sprintf("%0*d", width, i) + after
	}
}

// nest wraps an attribute value n times: "L {...}" in lists, "M {...}" in maps with the one member a.
func (e *expander) nest(n int, arg string) (string, error) {
	kind, inner, _ := strings.Cut(arg, " ")
	before, after := `{"L": [`, `]}`
	if kind == "M" {
		before, after = `{"M": {"a": `, `}}`
	} else if kind != "L" {
		return "", fmt.Errorf("${nest} wants L or M")
	}
	if n > maxExpanded || e.spend(n*len(before+after)) != nil {
		return "", fmt.Errorf("${nest %d} is too long", n)
	}
	return strings.Repeat(before, n) + strings.TrimSpace(inner) + strings.Repeat(after, n), nil
}
