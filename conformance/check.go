package conformance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// builtin are the names that every case may use, with values that stand in for them while a file is checked.
var builtin = map[string]string{
	"missing": "missing",              // name of a table that doesn't exist
	"account": "000000000000",         // account of the target, in files that set up a table
	"region":  "us-east-1",            // region of the target
	"run":     "r",                    // differs from run to run
	"case":    "c",                    // differs from case to case, the same in every run
	"token":   "00000000000000000000", // differs from case to case and from run to run, for client request tokens
	"crc32":   "0",                    // checksum of the answer, in header lines
}

// checker looks for faults that need more than one line to see.
type checker struct {
	file   string
	script *Script
	tables map[string]bool
	left   int // bytes that the file's texts may still grow to
}

func check(file string, s *Script) error {
	c := &checker{file: file, script: s, tables: map[string]bool{"missing": true}, left: maxFile}
	if err := c.names(); err != nil {
		return err
	}
	for _, t := range s.Tables {
		if err := c.table(t); err != nil {
			return err
		}
	}
	if err := c.caseNames(); err != nil {
		return err
	}
	all, err := instances(s)
	if err != nil {
		return err
	}
	for _, x := range all {
		if err := c.instance(x); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) errorf(no int, format string, args ...any) error {
	return &FormatError{c.file, no, fmt.Sprintf(format, args...)}
}

// names makes sure that texts and tables have names of their own.
func (c *checker) names() error {
	seen := map[string]bool{}
	take := func(name string, no int) error {
		if _, ok := builtin[name]; ok || seen[name] {
			return c.errorf(no, "the name %q is taken", name)
		}
		seen[name] = true
		return nil
	}
	for _, t := range c.script.Texts {
		if err := take(t.Name, t.Line); err != nil {
			return err
		}
	}
	for _, t := range c.script.Tables {
		if err := take(t.Name, t.Line); err != nil {
			return err
		}
		c.tables[t.Name] = true
	}
	return nil
}

func (c *checker) table(t Table) error {
	if len(t.Keys.Hash) == 0 && t.With == "" {
		return c.errorf(t.Line, "table %s has neither keys nor a with line", t.Name)
	}
	seen := map[string]bool{}
	for _, x := range slices.Concat(t.Local, t.Global) {
		if seen[x.Name] {
			return c.errorf(x.Line, "table %s has two indexes %s", t.Name, x.Name)
		}
		seen[x.Name] = true
		if t.With != "" && len(t.Keys.Hash) == 0 {
			return c.errorf(x.Line, "table %s is given by with alone, its indexes too", t.Name)
		}
	}
	s := standIns(&instance{script: c.script, c: &Case{}})
	s.shared = &c.left
	if t.With != "" {
		if err := c.json(s, t.Line, t.With); err != nil {
			return err
		}
	}
	for _, f := range t.Items {
		if err := c.json(s, f.Line, numbered(f.Item, 1)); err != nil {
			return err
		}
	}
	return nil
}

// standIns gives every name of a case a meaning without a target: names of tables stand for themselves.
func standIns(x *instance) *scope {
	texts := x.texts()
	for name, value := range builtin {
		texts[name] = value
	}
	if len(x.script.Tables) == 0 {
		delete(texts, "account") // it is read from the ARN of a table
	}
	for _, t := range x.script.Tables {
		texts[t.Name] = t.Name
	}
	for _, name := range x.c.New {
		texts[name] = name
	}
	return &scope{text: texts, captured: map[string]string{}, dry: true}
}

// json makes sure that a text is a JSON object once its names are filled in.
func (c *checker) json(s *scope, no int, text string) error {
	js, err := s.expandJSON(text)
	if err != nil {
		return c.errorf(no, "%v", err)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(js), &members); err != nil {
		return c.errorf(no, "%v in %s", err, describe(js, 200))
	}
	return nil
}

func (c *checker) caseNames() error {
	seen := map[string]bool{}
	for _, x := range c.script.Cases {
		if seen[x.Name] {
			return c.errorf(x.Line, "a second case %q", x.Name)
		}
		seen[x.Name] = true
		if len(x.Steps) == 0 {
			return c.errorf(x.Line, "case %q has no steps", x.Name)
		}
		for _, name := range x.New {
			if _, ok := builtin[name]; ok || c.tables[name] {
				return c.errorf(x.Line, "the name %q is taken", name)
			}
		}
		columns := map[string]bool{}
		for _, g := range x.Each {
			for _, name := range g.Columns {
				if _, ok := builtin[name]; ok || c.tables[name] || columns[name] {
					return c.errorf(g.Line, "the name %q is taken", name)
				}
				columns[name] = true
			}
		}
	}
	return nil
}

// instance walks a case with one combination of its grids, with stand-ins for what only an answer can tell.
func (c *checker) instance(x *instance) error {
	s := standIns(x)
	s.shared = &c.left
	for _, id := range x.rows {
		if !rowPattern().MatchString(id) {
			return c.errorf(x.c.Line, "row %q: want an id such as 3.1.4", id)
		}
	}
	for _, step := range x.c.Steps {
		if err := c.step(x, s, step); err != nil {
			return err
		}
		for _, k := range step.Keep {
			s.captured[k.Name] = `"0"`
		}
	}
	return nil
}

func (c *checker) step(x *instance, s *scope, step Step) error {
	if step.Table != "" && !c.tables[step.Table] && !slices.Contains(x.c.New, step.Table) {
		return c.errorf(step.Line, "table %q is neither set up in this file nor new in this case", step.Table)
	}
	if step.Kind == CallStep {
		op, err := s.expandText(step.Operation)
		if err != nil {
			return c.errorf(step.Line, "%v", err)
		}
		if !operationPattern().MatchString(op) {
			return c.errorf(step.Line, "%q is no operation", op)
		}
		if step.Segments > 0 && op != "Scan" || step.Pages && !slices.Contains(pagedOperations, op) {
			return c.errorf(step.Line, "%s has no pages to follow here", op)
		}
		if err := c.json(s, step.Line, step.Body); err != nil {
			return err
		}
	}
	for _, text := range append(headerValues(step.Headers), step.Method, step.Path, step.Payload) {
		if _, err := s.expandText(text); err != nil {
			return c.errorf(step.Line, "%v", err)
		}
	}
	if err := c.wordings(x, step); err != nil {
		return err
	}
	for _, w := range step.Want {
		if err := c.want(s, w); err != nil {
			return c.errorf(w.Line, "%v", err)
		}
	}
	return nil
}

// pagedOperations are those whose answers name the place where the next page begins.
var pagedOperations = []string{"Query", "Scan", "ListTables", "ExecuteStatement"}

// wordings makes sure that a step expects something under each wording under which its case runs.
func (c *checker) wordings(x *instance, step Step) error {
	if len(step.Want) == 0 {
		return nil
	}
	for _, w := range []Wording{Classic, Current} {
		if x.c.Wording.admits(w) && !slices.ContainsFunc(step.Want, func(o Want) bool { return o.Wording.admits(w) }) {
			return c.errorf(step.Line, "the step says nothing about the %s wording", w)
		}
	}
	return nil
}

func (c *checker) want(s *scope, w Want) error {
	if w.Body != "" {
		js, err := s.expandJSON(w.Body)
		if err != nil {
			return err
		}
		if _, err := parsePattern(js); err != nil {
			return err
		}
	}
	for _, text := range append(headerValues(w.Headers), w.Message) {
		if _, err := s.message(text); err != nil {
			return err
		}
	}
	name, err := s.expandText(w.Error)
	if strings.ContainsAny(name, " \t") {
		return fmt.Errorf("error type %q", name)
	}
	return err
}

func headerValues(headers []Header) []string {
	var out []string
	for _, h := range headers {
		out = append(out, h.Value)
	}
	return out
}
