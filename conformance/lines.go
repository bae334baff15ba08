package conformance

import (
	"fmt"
	"strings"
)

// FormatError is a fault of a case file.
type FormatError struct {
	File string // as given to Parse
	Line int    // from 1
	Msg  string
}

func (e *FormatError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }

// line is one line of a case file that isn't blank.
type line struct {
	no     int
	indent int
	text   string // without surrounding white space
}

// maxLine bounds a line of a case file, so that a binary taken for one is refused quickly.
const maxLine = 1 << 20

// splitLines drops blank lines and measures indentation. A tab counts as four spaces.
func splitLines(file, text string) ([]line, error) {
	var out []line
	no := 0
	for raw := range strings.Lines(text) {
		no++
		if len(raw) > maxLine {
			return nil, &FormatError{file, no, "line is too long"}
		}
		if strings.ContainsRune(raw, 0) {
			return nil, &FormatError{file, no, "NUL byte: not a text file"}
		}
		trimmed := strings.TrimSpace(raw)
		if trimmed == "" {
			continue
		}
		indent := 0
		for _, c := range raw {
			if c == ' ' {
				indent++
			} else if c == '\t' {
				indent += 4
			} else {
				break
			}
		}
		out = append(out, line{no: no, indent: indent, text: trimmed})
	}
	return out, nil
}

// openBrackets returns how many brackets a piece of JSON leaves open, strings apart. A negative result means that more
// were closed than opened.
func openBrackets(text string) (depth int, inString bool) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return depth, inString
}

// quoted reads a text that may stand in backquotes to protect spaces, bars, or its emptiness.
func quoted(s string) string {
	if len(s) >= 2 && s[0] == '`' && s[len(s)-1] == '`' {
		return s[1 : len(s)-1]
	}
	return s
}

// quote is the inverse of quoted. special names characters that need protection besides outer space.
func quote(s, special string) string {
	if s == "" || s != strings.TrimSpace(s) || strings.ContainsAny(s, special) || s[0] == '`' {
		return "`" + s + "`"
	}
	return s
}

// splitCells splits a grid row at bars that are not inside backquotes. The row begins and ends with a bar.
func splitCells(row string) ([]string, error) {
	if len(row) < 2 || row[len(row)-1] != '|' {
		return nil, fmt.Errorf("a row begins and ends with a bar")
	}
	row = row[1:]
	var cells []string
	start, quotedPart := 0, false
	for i := 0; i < len(row); i++ {
		switch row[i] {
		case '`':
			// A backquote counts only as the first or last character of its cell.
			if !quotedPart && strings.TrimSpace(row[start:i]) == "" {
				quotedPart = true
			} else if quotedPart && strings.HasPrefix(strings.TrimLeft(row[i+1:], " \t"), "|") {
				quotedPart = false
			}
		case '|':
			if quotedPart {
				continue
			}
			cells = append(cells, quoted(strings.TrimSpace(row[start:i])))
			start = i + 1
		}
	}
	if quotedPart {
		return nil, fmt.Errorf("a backquote is not closed")
	}
	return cells, nil
}
