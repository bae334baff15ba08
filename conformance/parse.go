package conformance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Parse reads a case file. file is its name for errors, which are *FormatError; Script.Name is file without ".txt".
// The result is checked: variables are known, names are unique, JSON is well formed, loose matches exist.
func Parse(file, text string) (*Script, error) {
	lines, err := splitLines(file, text)
	if err != nil {
		return nil, err
	}
	p := &parser{file: file, lines: lines, script: &Script{Name: strings.TrimSuffix(file, ".txt")}}
	if err := p.parse(); err != nil {
		return nil, err
	}
	if err := check(file, p.script); err != nil {
		return nil, err
	}
	return p.script, nil
}

// parser walks the lines of a file once. Each line begins with a word that says what it is; indentation is for people.
type parser struct {
	file    string
	lines   []line
	at      int // index of the line being read
	script  *Script
	remarks []string // comment lines not yet given to what they stand above
}

func (p *parser) errorf(no int, format string, args ...any) error {
	return &FormatError{p.file, no, fmt.Sprintf(format, args...)}
}

func (p *parser) takeRemarks() []string {
	r := p.remarks
	p.remarks = nil
	return r
}

func (p *parser) parse() error {
	for p.at < len(p.lines) {
		l := p.lines[p.at]
		if strings.HasPrefix(l.text, "#") {
			p.remarks = append(p.remarks, l.text)
			p.at++
			continue
		}
		if err := p.line(l); err != nil {
			return err
		}
		if len(p.remarks) > 0 {
			return p.errorf(l.no, "a comment stands above a topic, let, table, case or step, not here")
		}
	}
	p.script.Tail = p.takeRemarks()
	if p.script.Topic == "" {
		return p.errorf(1, "no topic: a file begins with a line such as \"topic Sets\"")
	}
	return nil
}

// line reads one line and those that belong to it, and moves p.at past them.
func (p *parser) line(l line) error {
	word, rest, _ := strings.Cut(l.text, " ")
	rest = strings.TrimSpace(rest)
	switch {
	case word == "case":
		return p.caseLine(l, rest)
	case len(p.script.Cases) > 0:
		return p.inCase(l, word, rest)
	default:
		return p.head(l, word, rest)
	}
}

// head reads a line above the first case.
func (p *parser) head(l line, word, rest string) error {
	s := p.script
	p.at++
	if s.Topic == "" && word != "topic" {
		return p.errorf(l.no, "no topic: a file begins with a line such as \"topic Sets\"")
	}
	switch word {
	case "topic":
		if s.Topic != "" {
			return p.errorf(l.no, "a file has one topic")
		}
		if rest == "" {
			return p.errorf(l.no, "topic without text")
		}
		s.Topic, s.Remarks = rest, p.takeRemarks()
		return nil
	case "from":
		if s.From != "" || rest == "" {
			return p.errorf(l.no, "one from line with a text, please")
		}
		s.From = rest
		return nil
	case "tags":
		if s.Tags != nil {
			return p.errorf(l.no, "a second tags line")
		}
		s.Tags = commaList(rest)
		return p.checkTags(l, s.Tags)
	case "let":
		name, value, ok := strings.Cut(rest, "=")
		if name = strings.TrimSpace(name); !ok || !isName(name) {
			return p.errorf(l.no, "want: let NAME = text")
		}
		s.Texts = append(s.Texts, Text{name, quoted(strings.TrimSpace(value)), p.takeRemarks(), l.no})
		return nil
	case "table":
		return p.table(l, rest)
	case "lsi", "gsi", "with", "item", "items":
		return p.inTable(l, word, rest)
	default:
		return p.errorf(l.no, "%q is not known above the first case", word)
	}
}

func (p *parser) checkTags(l line, tags []string) error {
	if len(tags) == 0 {
		return p.errorf(l.no, "tags without a tag")
	}
	for _, tag := range tags {
		if !isName(tag) {
			return p.errorf(l.no, "tag %q: letters, digits, - and _ only", tag)
		}
	}
	return nil
}

func (p *parser) caseLine(l line, name string) error {
	if p.script.Topic == "" {
		return p.errorf(l.no, "no topic: a file begins with a line such as \"topic Sets\"")
	}
	if name == "" {
		return p.errorf(l.no, "case without a name")
	}
	p.script.Cases = append(p.script.Cases, Case{Name: name, Remarks: p.takeRemarks(), Line: l.no})
	p.at++
	return nil
}

// inCase reads a line below a case line: a property of the case, a step, or a property of its last step.
func (p *parser) inCase(l line, word, rest string) error {
	c := &p.script.Cases[len(p.script.Cases)-1]
	if done, err := p.caseProperty(c, l, word, rest); done || err != nil {
		return err
	}
	if word == "each" && rest == "" {
		return p.grid(c, l)
	}
	if len(c.Each) > 0 {
		return p.errorf(l.no, "%q after each: grids come last", word)
	}
	if len(c.Steps) > 0 {
		if done, err := p.stepProperty(&c.Steps[len(c.Steps)-1], l, word, rest); done || err != nil {
			return err
		}
	}
	return p.step(c, l, word, rest)
}

// caseProperty reads the lines between a case line and its first step.
func (p *parser) caseProperty(c *Case, l line, word, rest string) (done bool, err error) {
	switch word {
	case "row", "from", "unconfirmed", "tags", "wording", "new":
	default:
		return false, nil
	}
	if len(c.Steps) > 0 || len(c.Each) > 0 {
		return true, p.errorf(l.no, "%s after the first step", word)
	}
	p.at++
	switch word {
	case "row":
		ids := strings.Fields(rest)
		if len(ids) == 0 {
			return true, p.errorf(l.no, "row without an id")
		}
		c.Rows = append(c.Rows, ids...)
	case "from":
		if c.From != "" || rest == "" {
			return true, p.errorf(l.no, "one from line with a text, please")
		}
		c.From = rest
	case "unconfirmed":
		if rest != "" {
			return true, p.errorf(l.no, "unconfirmed stands alone")
		}
		c.Unconfirmed = true
	case "tags":
		if c.Tags != nil {
			return true, p.errorf(l.no, "a second tags line")
		}
		c.Tags = commaList(rest)
		return true, p.checkTags(l, c.Tags)
	case "wording":
		w, ok := ParseWording(rest)
		if !ok || w == AnyWording {
			return true, p.errorf(l.no, "wording is classic or current")
		}
		c.Wording = w
	case "new":
		names := commaList(rest)
		if len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return !isName(n) }) {
			return true, p.errorf(l.no, "want: new NAME, NAME")
		}
		c.New = append(c.New, names...)
	}
	return true, nil
}

// grid reads an each block: a row of names, then rows of values.
func (p *parser) grid(c *Case, l line) error {
	g := Grid{Line: l.no}
	p.at++
	for ; p.at < len(p.lines); p.at++ {
		row := p.lines[p.at]
		if !strings.HasPrefix(row.text, "|") {
			break
		}
		cells, err := splitCells(row.text)
		if err != nil {
			return p.errorf(row.no, "%v", err)
		}
		if g.Columns == nil {
			if i := slices.IndexFunc(cells, func(n string) bool { return !isName(n) }); i >= 0 {
				return p.errorf(row.no, "%q is no name for a column", cells[i])
			}
			g.Columns = cells
			continue
		}
		if len(cells) != len(g.Columns) {
			return p.errorf(row.no, "%d cells for %d columns", len(cells), len(g.Columns))
		}
		g.Rows = append(g.Rows, cells)
	}
	if len(g.Rows) == 0 {
		return p.errorf(l.no, "each without rows")
	}
	c.Each = append(c.Each, g)
	return nil
}

// json reads JSON that begins with first on line l and ends where its brackets are closed. Later lines keep their
// indentation relative to l.
func (p *parser) json(l line, first string) (string, error) {
	text := first
	for {
		depth, inString := openBrackets(text)
		if inString {
			return "", p.errorf(l.no, "a JSON string is not closed on its line")
		}
		if depth < 0 {
			return "", p.errorf(l.no, "a bracket is closed that was not opened")
		}
		p.at++
		if depth == 0 {
			return text, nil
		}
		if p.at >= len(p.lines) {
			return "", p.errorf(l.no, "JSON ends with the file: %d brackets are open", depth)
		}
		next := p.lines[p.at]
		text += "\n" + strings.Repeat(" ", max(0, next.indent-l.indent)) + next.text
	}
}

var namePattern = lazyRegexp(`^[A-Za-z][A-Za-z0-9_-]*$`)

// isName reports whether s can name a table, text, column, captured value or tag.
func isName(s string) bool { return namePattern().MatchString(s) }

// commaList splits at commas and drops what is empty.
func commaList(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// leadingInt cuts a number off the front of s.
func leadingInt(s string) (n int, rest string, ok bool) {
	word, rest, _ := strings.Cut(s, " ")
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 {
		return 0, s, false
	}
	return n, strings.TrimSpace(rest), true
}
