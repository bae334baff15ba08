package conformance

import (
	"slices"
	"strings"
)

// table reads "table NAME KEYS". KEYS may be missing when a with line gives the whole of CreateTable.
func (p *parser) table(l line, rest string) error {
	name, keys, _ := strings.Cut(rest, " ")
	if !isName(name) {
		return p.errorf(l.no, "want: table NAME ATTRIBUTE TYPE, ATTRIBUTE TYPE")
	}
	t := Table{Name: name, Remarks: p.takeRemarks(), Line: l.no}
	if keys = strings.TrimSpace(keys); keys != "" {
		var err error
		if t.Keys, err = p.keys(l, keys); err != nil {
			return err
		}
		if len(t.Keys.Hash) != 1 || len(t.Keys.Range) > 1 {
			return p.errorf(l.no, "a table has one HASH attribute and at most one RANGE attribute")
		}
	}
	p.script.Tables = append(p.script.Tables, t)
	return nil
}

// keys reads a key schema: "a S, b N" is one HASH and one RANGE attribute; with more than one of a kind a slash parts
// them, "a S, b S / c N, d N".
func (p *parser) keys(l line, text string) (Keys, error) {
	hash, rng, parted := strings.Cut(text, "/")
	h, err := p.attributes(l, hash)
	if err != nil {
		return Keys{}, err
	}
	if parted {
		r, err := p.attributes(l, rng)
		return Keys{Hash: h, Range: r}, err
	}
	if len(h) > 2 {
		return Keys{}, p.errorf(l.no, "more than two key attributes: part HASH from RANGE by a slash")
	}
	if len(h) == 0 {
		return Keys{}, p.errorf(l.no, "no key attributes")
	}
	return Keys{Hash: h[:1:1], Range: slices.Clone(h[1:])}, nil
}

func (p *parser) attributes(l line, text string) ([]KeyAttribute, error) {
	var out []KeyAttribute
	for _, part := range commaList(text) {
		name, typ, _ := strings.Cut(part, " ")
		typ = strings.TrimSpace(typ)
		if typ != "S" && typ != "N" && typ != "B" || !isName(name) {
			return nil, p.errorf(l.no, "key attribute %q: want a name and S, N or B", part)
		}
		out = append(out, KeyAttribute{name, typ})
	}
	return out, nil
}

// inTable reads the lines that follow a table line.
func (p *parser) inTable(l line, word, rest string) error {
	if len(p.script.Tables) == 0 {
		return p.errorf(l.no, "%s without a table", word)
	}
	t := &p.script.Tables[len(p.script.Tables)-1]
	p.at-- // json moves past the line itself
	var err error
	switch word {
	case "lsi", "gsi":
		p.at++
		return p.index(t, l, word, rest)
	case "with":
		if t.With != "" {
			return p.errorf(l.no, "a second with line")
		}
		t.With, err = p.json(l, rest)
	case "item":
		f := Fixture{Line: l.no}
		f.Item, err = p.json(l, rest)
		t.Items = append(t.Items, f)
	case "items":
		n, body, ok := leadingInt(rest)
		if !ok || n < 1 || n > 10000 {
			return p.errorf(l.no, "want: items COUNT {...}")
		}
		f := Fixture{Count: n, Line: l.no}
		f.Item, err = p.json(l, body)
		t.Items = append(t.Items, f)
	}
	return err
}

// index reads "gsi NAME KEYS PROJECTION", where PROJECTION is ALL, KEYS_ONLY or "INCLUDE a, b", and ALL when missing.
func (p *parser) index(t *Table, l line, word, rest string) error {
	name, rest, _ := strings.Cut(rest, " ")
	if !isName(name) || len(name) < 3 {
		return p.errorf(l.no, "want: %s NAME ATTRIBUTE TYPE, ATTRIBUTE TYPE  ALL|KEYS_ONLY|INCLUDE a, b; "+
			"a name has three characters or more", word)
	}
	x := Index{Name: name, Projection: "ALL", Line: l.no}
	keys := rest
	for _, projection := range []string{"ALL", "KEYS_ONLY", "INCLUDE"} {
		if k, names, ok := cutWord(rest, projection); ok {
			keys, x.Projection, x.NonKey = k, projection, commaList(names)
			break
		}
	}
	if (x.Projection == "INCLUDE") != (len(x.NonKey) > 0) {
		return p.errorf(l.no, "INCLUDE, and only INCLUDE, names attributes")
	}
	for _, n := range x.NonKey {
		if strings.ContainsAny(n, " /") {
			return p.errorf(l.no, "attribute %q: commas part names", n)
		}
	}
	if word == "gsi" {
		k, err := p.keys(l, keys)
		if err != nil {
			return err
		}
		x.Keys = k
		t.Global = append(t.Global, x)
		return nil
	}
	attrs, err := p.attributes(l, keys)
	if err != nil {
		return err
	}
	if len(attrs) != 1 {
		return p.errorf(l.no, "an lsi gives one attribute, its range key")
	}
	x.Keys.Range = attrs
	t.Local = append(t.Local, x)
	return nil
}

// cutWord cuts s around a word that stands between spaces.
func cutWord(s, word string) (before, after string, ok bool) {
	fields := strings.Fields(s)
	i := slices.Index(fields, word)
	if i < 0 {
		return s, "", false
	}
	return strings.Join(fields[:i], " "), strings.Join(fields[i+1:], " "), true
}
