package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// node is a JSON value with what Go's maps lose: the order of members, repeated names, and numbers as they are written.
type node struct {
	kind  nodeKind
	text  string   // of a string what it says; of a number, true, false or null its letters
	names []string // of an object's members
	list  []*node  // elements of a list, values of an object's members
}

type nodeKind uint8

const (
	scalarNode nodeKind = iota // number, true, false or null
	stringNode
	listNode
	objectNode
)

// parseNode reads one JSON value.
func parseNode(js []byte) (*node, error) {
	d := json.NewDecoder(bytes.NewReader(js))
	d.UseNumber()
	n, err := readNode(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the JSON value")
	}
	return n, nil
}

func readNode(d *json.Decoder) (*node, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		return readNested(d, t)
	case string:
		return text(t), nil
	case json.Number:
		return &node{text: t.String()}, nil
	case bool:
		if t {
			return &node{text: "true"}, nil
		}
		return &node{text: "false"}, nil
	default:
		return &node{text: "null"}, nil
	}
}

func readNested(d *json.Decoder, open json.Delim) (*node, error) {
	n := &node{kind: listNode}
	if open == '{' {
		n.kind = objectNode
	}
	for d.More() {
		if open == '{' {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			s, _ := name.(string) // the decoder accepts nothing else here
			n.names = append(n.names, s)
		}
		v, err := readNode(d)
		if err != nil {
			return nil, err
		}
		n.list = append(n.list, v)
	}
	_, err := d.Token() // the bracket that closes
	return n, err
}

// text makes a JSON string.
func text(s string) *node { return &node{kind: stringNode, text: s} }

// newObject makes a JSON object without members.
func newObject() *node { return &node{kind: objectNode} }

// member returns a member's value, nil when there is none or n is no object.
func (n *node) member(path ...string) *node {
	for _, name := range path {
		if n == nil || n.kind != objectNode {
			return nil
		}
		i := slices.Index(n.names, name)
		if i < 0 {
			return nil
		}
		n = n.list[i]
	}
	return n
}

// str returns what a string says. ok is false for other values, and for nil.
func (n *node) str() (s string, ok bool) {
	if n == nil || n.kind != stringNode {
		return "", false
	}
	return n.text, true
}

// set gives a member a value, at the end if it is new.
func (n *node) set(name string, v *node) *node {
	if i := slices.Index(n.names, name); i >= 0 {
		n.list[i] = v
		return n
	}
	n.names = append(n.names, name)
	n.list = append(n.list, v)
	return n
}

// without returns a copy of an object or list that lacks its i-th part.
func (n *node) without(i int) *node {
	c := &node{kind: n.kind, list: slices.Delete(slices.Clone(n.list), i, i+1)}
	if n.kind == objectNode {
		c.names = slices.Delete(slices.Clone(n.names), i, i+1)
	}
	return c
}

// clone copies a value and all its parts.
func (n *node) clone() *node {
	if n == nil {
		return nil
	}
	c := *n
	c.names = slices.Clone(n.names)
	c.list = slices.Clone(n.list)
	for i := range c.list {
		c.list[i] = c.list[i].clone()
	}
	return &c
}

// compact prints JSON without white space.
func (n *node) compact() []byte { return n.print(nil, "") }

// spaced prints JSON on one line for people.
func (n *node) spaced() string { return string(n.print(nil, " ")) }

func (n *node) print(b []byte, space string) []byte {
	switch n.kind {
	case stringNode:
		return appendString(b, n.text)
	case scalarNode:
		return append(b, n.text...)
	}
	brackets := "[]"
	if n.kind == objectNode {
		brackets = "{}"
	}
	b = append(b, brackets[0])
	for i, v := range n.list {
		if i > 0 {
			b = append(append(b, ','), space...)
		}
		if n.kind == objectNode {
			b = append(append(appendString(b, n.names[i]), ':'), space...)
		}
		b = v.print(b, space)
	}
	return append(b, brackets[1])
}

func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	return append(append(b, escaped(s)...), '"')
}

// plain returns the value as encoding/json reads it into an any.
func (n *node) plain() any {
	var v any
	if json.Unmarshal(n.compact(), &v) != nil {
		return nil
	}
	return v
}
