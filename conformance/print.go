package conformance

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Format prints a script in its canonical form. Parse reads it back as the same script; JSON keeps the line breaks it
// was written with.
func Format(s *Script) string {
	p := &printer{}
	p.remarks(0, s.Remarks)
	p.line(0, "topic", s.Topic)
	if s.From != "" {
		p.line(0, "from", s.From)
	}
	if len(s.Tags) > 0 {
		p.line(0, "tags", strings.Join(s.Tags, ", "))
	}
	for i, t := range s.Texts {
		if i == 0 || len(t.Remarks) > 0 {
			p.blank()
		}
		p.remarks(0, t.Remarks)
		p.line(0, "let", t.Name, "=", quote(t.Value, ""))
	}
	for _, t := range s.Tables {
		p.blank()
		p.table(t)
	}
	for _, c := range s.Cases {
		p.blank()
		p.caseOf(c)
	}
	if len(s.Tail) > 0 {
		p.blank()
		p.remarks(0, s.Tail)
	}
	return p.b.String()
}

// printer writes lines at a depth of indentation.
type printer struct{ b strings.Builder }

func (p *printer) blank() { p.b.WriteByte('\n') }

// line writes words with a space between them. Later lines of a word that holds JSON are indented with the first.
func (p *printer) line(depth int, words ...string) {
	indent := strings.Repeat("    ", depth)
	text := strings.ReplaceAll(strings.Join(words, " "), "\n", "\n"+indent)
	p.b.WriteString(indent)
	p.b.WriteString(strings.TrimRight(text, " "))
	p.b.WriteByte('\n')
}

func (p *printer) remarks(depth int, lines []string) {
	for _, l := range lines {
		p.line(depth, l)
	}
}

func (p *printer) table(t Table) {
	p.remarks(0, t.Remarks)
	if len(t.Keys.Hash) > 0 {
		p.line(0, "table", t.Name, printKeys(t.Keys))
	} else {
		p.line(0, "table", t.Name)
	}
	for _, x := range t.Local {
		p.line(1, "lsi", x.Name, printAttributes(x.Keys.Range), printProjection(x))
	}
	for _, x := range t.Global {
		p.line(1, "gsi", x.Name, printKeys(x.Keys), printProjection(x))
	}
	if t.With != "" {
		p.line(1, "with", t.With)
	}
	for _, f := range t.Items {
		if f.Count > 0 {
			p.line(1, "items", fmt.Sprint(f.Count), f.Item)
		} else {
			p.line(1, "item", f.Item)
		}
	}
}

func printKeys(k Keys) string {
	if len(k.Hash) == 1 && len(k.Range) <= 1 {
		return printAttributes(append(k.Hash[:1:1], k.Range...))
	}
	s := printAttributes(k.Hash)
	if len(k.Range) > 0 || len(k.Hash) > 1 {
		s += " / " + printAttributes(k.Range)
	}
	return strings.TrimSpace(s)
}

func printAttributes(attrs []KeyAttribute) string {
	var parts []string
	for _, a := range attrs {
		parts = append(parts, a.Name+" "+a.Type)
	}
	return strings.Join(parts, ", ")
}

func printProjection(x Index) string {
	if x.Projection == "INCLUDE" {
		return "INCLUDE " + strings.Join(x.NonKey, ", ")
	}
	return x.Projection
}

func (p *printer) caseOf(c Case) {
	p.remarks(0, c.Remarks)
	p.line(0, "case", c.Name)
	if len(c.Rows) > 0 {
		p.line(1, append([]string{"row"}, c.Rows...)...)
	}
	if c.From != "" {
		p.line(1, "from", c.From)
	}
	if c.Unconfirmed {
		p.line(1, "unconfirmed")
	}
	if len(c.Tags) > 0 {
		p.line(1, "tags", strings.Join(c.Tags, ", "))
	}
	if c.Wording != AnyWording {
		p.line(1, "wording", c.Wording.String())
	}
	if len(c.New) > 0 {
		p.line(1, "new", strings.Join(c.New, ", "))
	}
	for _, s := range c.Steps {
		p.remarks(1, s.Remarks)
		p.step(s)
	}
	for _, g := range c.Each {
		p.line(1, "each")
		p.grid(g)
	}
}

func (p *printer) step(s Step) {
	switch s.Kind {
	case WaitStep:
		words := []string{"wait", s.Table}
		if s.Index != "" {
			words = append(words, s.Index)
		}
		p.line(1, append(words, s.State)...)
	case HTTPStep:
		p.line(1, "http", s.Method, s.Path)
		for _, h := range s.Headers {
			p.line(2, ">", headerLine(h))
		}
		if s.Payload != "" {
			word := "body"
			if s.Encoding != "" {
				word += "-" + s.Encoding
			}
			p.line(2, word, quote(s.Payload, ""))
		}
	case CallStep:
		var words []string
		if s.Segments > 0 {
			words = append(words, "segments", fmt.Sprint(s.Segments))
		} else if s.Pages {
			words = append(words, "pages")
		}
		if s.Records {
			words = append(words, "records")
		} else {
			words = append(words, s.Operation)
		}
		if s.Table != "" {
			words = append(words, s.Table)
		}
		p.line(1, append(words, s.Body)...)
	}
	for _, w := range s.Want {
		p.want(w)
	}
	for _, k := range s.Keep {
		p.line(2, "keep", k.Name, "=", k.Path)
	}
}

// headerLine prints an empty value as nothing: it takes a header away.
func headerLine(h Header) string {
	if h.Value == "" {
		return h.Name + ":"
	}
	return h.Name + ": " + quote(h.Value, "")
}

func (p *printer) want(w Want) {
	var words []string
	if w.Wording != AnyWording {
		words = append(words, w.Wording.String())
	}
	if w.Error == "" {
		words = append(words, "=>")
	} else {
		words = append(words, "!")
	}
	if w.Status != 0 {
		words = append(words, fmt.Sprint(w.Status))
	}
	switch {
	case w.Error == "" && w.Body != "":
		words = append(words, w.Body)
	case w.Error != "" && w.HasMessage:
		words = append(words, w.Error+":", quote(w.Message, ""))
	case w.Error != "":
		words = append(words, w.Error)
	}
	p.line(2, words...)
	if w.Error != "" && w.Body != "" {
		p.line(2, "with", w.Body)
	}
	for _, h := range w.Headers {
		p.line(2, "header", headerLine(h))
	}
}

// grid prints columns at equal width, as long as that stays readable.
func (p *printer) grid(g Grid) {
	rows := append([][]string{g.Columns}, g.Rows...)
	width := make([]int, len(g.Columns))
	cells := make([][]string, len(rows))
	for i, row := range rows {
		for j, cell := range row {
			cell = quote(cell, "|")
			cells[i] = append(cells[i], cell)
			if n := utf8.RuneCountInString(cell); n <= maxColumn {
				width[j] = max(width[j], n)
			}
		}
	}
	for _, row := range cells {
		var b strings.Builder
		b.WriteByte('|')
		for j, cell := range row {
			b.WriteByte(' ')
			b.WriteString(cell)
			b.WriteString(strings.Repeat(" ", max(0, width[j]-utf8.RuneCountInString(cell))))
			b.WriteString(" |")
		}
		p.line(2, b.String())
	}
}

// maxColumn is the widest cell, in characters, that widens its column.
const maxColumn = 60
