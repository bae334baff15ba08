package conformance

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// instance is a case with one row of each of its grids filled in.
type instance struct {
	script *Script
	c      *Case
	name   string            // unique in its file
	values map[string]string // of the grids
	rows   []string          // rows of the reference
	picks  []int             // row of each grid
}

// maxInstances bounds the product of a case's grids.
const maxInstances = 5000

// instances lists the runs of all cases of a script, in order.
func instances(s *Script) ([]*instance, error) {
	var out []*instance
	seen := map[string]int{}
	for i := range s.Cases {
		c := &s.Cases[i]
		n := 1
		for _, g := range c.Each {
			n *= len(g.Rows)
			if n > maxInstances {
				return nil, &FormatError{s.Name + ".txt", c.Line, fmt.Sprintf("more than %d combinations of rows", maxInstances)}
			}
		}
		for k := range n {
			inst, err := newInstance(s, c, k)
			if err != nil {
				return nil, &FormatError{s.Name + ".txt", c.Line, err.Error()}
			}
			if seen[inst.name]++; seen[inst.name] > 1 {
				inst.name = fmt.Sprintf("%s #%d", inst.name, seen[inst.name])
			}
			out = append(out, inst)
		}
	}
	return out, nil
}

// newInstance picks the k-th combination of rows; the last grid changes fastest.
func newInstance(s *Script, c *Case, k int) (*instance, error) {
	inst := &instance{script: s, c: c, name: c.Name, values: map[string]string{}, picks: make([]int, len(c.Each))}
	for i := len(c.Each) - 1; i >= 0; i-- {
		inst.picks[i] = k % len(c.Each[i].Rows)
		k /= len(c.Each[i].Rows)
	}
	inst.rows = append(inst.rows, c.Rows...)
	var label []string
	for i, g := range c.Each {
		row := g.Rows[inst.picks[i]]
		for j, column := range g.Columns {
			if column == "row" {
				inst.rows = append(inst.rows, strings.Fields(row[j])...)
				continue
			}
			inst.values[column] = row[j]
		}
		label = append(label, rowLabel(g, row))
	}
	if len(c.Each) == 0 {
		return inst, nil
	}
	if strings.Contains(c.Name, "${") {
		name, err := standIns(inst).expandText(c.Name)
		inst.name = name
		return inst, err
	}
	inst.name += ": " + strings.Join(label, ", ")
	return inst, nil
}

// rowLabel names a row of a grid by its first cell that isn't a list of reference rows.
func rowLabel(g Grid, row []string) string {
	label := ""
	for j, column := range g.Columns {
		if column != "row" {
			label = row[j]
			break
		}
	}
	label = strings.Join(strings.Fields(label), " ")
	if utf8.RuneCountInString(label) > maxLabel {
		label = string([]rune(label)[:maxLabel]) + "…"
	}
	if label == "" {
		return "empty"
	}
	return label
}

// maxLabel is the length of a cell, in characters, that goes into a case's name.
const maxLabel = 48

// texts returns the names that all steps of the instance may use: the texts of the file and the values of the grids.
func (x *instance) texts() map[string]string {
	texts := make(map[string]string, len(x.script.Texts)+len(x.values)+8)
	for _, t := range x.script.Texts {
		texts[t.Name] = t.Value
	}
	for name, value := range x.values {
		texts[name] = value
	}
	return texts
}

// provenance says where the expectations of the case come from: its own from line, else the rows that it covers, else
// the file's from line.
func (x *instance) provenance() string {
	if x.c.From != "" {
		return x.c.From
	}
	var parts []string
	for _, id := range x.rows {
		if r, ok := rowByID(id); ok {
			parts = append(parts, r.Provenance())
		}
	}
	slices.Sort(parts)
	if parts = slices.Compact(parts); len(parts) > 0 {
		return strings.Join(parts, ", ")
	}
	return x.script.From
}

// unconfirmed reports whether no recording of the service backs the case: it says so, or all its rows do.
func (x *instance) unconfirmed() bool {
	if x.c.Unconfirmed || len(x.rows) == 0 {
		return x.c.Unconfirmed
	}
	return !slices.ContainsFunc(x.rows, func(id string) bool {
		r, ok := rowByID(id)
		return !ok || !r.Unconfirmed()
	})
}

// mentions reports whether a case uses a table of its file.
func (x *instance) mentions(table string) bool {
	written := "${" + table + "}"
	for _, step := range x.c.Steps {
		texts := append(headerValues(step.Headers), step.Body, step.Payload, step.Path)
		for _, w := range step.Want {
			texts = append(texts, w.Body, w.Message)
		}
		if step.Table == table || slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, written) }) {
			return true
		}
	}
	for _, value := range x.texts() {
		if strings.Contains(value, written) {
			return true
		}
	}
	return false
}
