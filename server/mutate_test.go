package server

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// node is a JSON value that can be changed: an object, whose members keep their order and may repeat, an array, a
// string, or another literal.
type node struct {
	kind    byte   // '{', '[', '"' or 0
	text    string // of a string, unescaped, or of a literal, as written
	names   []string
	members []*node // of an object, by names, or of an array
}

func literal(text string) *node { return &node{text: text} }
func str(text string) *node     { return &node{kind: '"', text: text} }

// parseNode reads JSON that a test has written.
func parseNode(t testing.TB, text string) *node {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	n, err := readNode(d)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return n
}

func readNode(d *json.Decoder) (*node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch v := token.(type) {
	case json.Delim:
		n := &node{kind: byte(v)}
		for d.More() {
			if n.kind == '{' {
				name, err := d.Token()
				if err != nil {
					return nil, err
				}
				n.names = append(n.names, name.(string))
			}
			member, err := readNode(d)
			if err != nil {
				return nil, err
			}
			n.members = append(n.members, member)
		}
		_, err := d.Token()
		return n, err
	case string:
		return str(v), nil
	case json.Number:
		return literal(v.String()), nil
	case bool:
		return literal(strconv.FormatBool(v)), nil
	}
	return literal("null"), nil
}

func (n *node) append(dst []byte) []byte {
	switch n.kind {
	case '"':
		return appendQuoted(dst, n.text)
	case '{', '[':
		dst = append(dst, n.kind)
		for i, m := range n.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			if n.kind == '{' {
				dst = append(appendQuoted(dst, n.names[i]), ':')
			}
			dst = m.append(dst)
		}
		return append(dst, n.kind+2) // the closing brackets
	}
	return append(dst, n.text...)
}

func appendQuoted(dst []byte, text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err)
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

func (n *node) clone() *node {
	c := *n
	c.names = slices.Clone(n.names)
	c.members = nil
	for _, m := range n.members {
		c.members = append(c.members, m.clone())
	}
	return &c
}

// all lists the node and everything in it.
func (n *node) all() []*node { return n.appendAll(nil) }

func (n *node) appendAll(list []*node) []*node {
	list = append(list, n)
	for _, m := range n.members {
		list = m.appendAll(list)
	}
	return list
}

// isValue reports whether the node has the form of an attribute value.
func (n *node) isValue() bool {
	return n.kind == '{' && len(n.names) == 1 && slices.Contains(valueTypes, n.names[0])
}

var valueTypes = []string{"S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"}

// choices are decisions taken from bytes, all zero when those are used up. So a fuzzer steers the mutations.
type choices struct{ data []byte }

// below returns a number under n.
func (c *choices) below(n int) int {
	v := 0
	for size := n; size > 1 && len(c.data) > 0; size = (size + 255) / 256 {
		v = v<<8 | int(c.data[0])
		c.data = c.data[1:]
	}
	return v % n
}

func pick[T any](c *choices, from []T) T { return from[c.below(len(from))] }

// mutator changes requests, also by parts of others.
type mutator struct {
	names  []string           // of members, anywhere
	values []*node            // of members and elements, anywhere, and odd ones
	fit    map[string][]*node // values by the name of their member
	typed  []*node            // attribute values
	words  []string           // strings, and the words of expressions
}

// oddLiterals and oddStrings are what a careless or hostile client might send.
var (
	oddLiterals = []string{
		"null", "true", "false", "0", "1", "-1", "1.5", "101", "2147483648", "-9223372036854775809", "1e400", "1E-400", "00", "0x1", "NaN",
		"[]", "{}", "[[]]", "[null]", "[{}]", `{"":{}}`, `{"S":"x"}`, `{"S":""}`, `{"N":"1"}`, `{"N":""}`, `{"N":"x"}`, `{"N":1}`, `{"N":"1e126"}`,
		`{"N":"-0"}`, `{"N":"123456789012345678901234567890123456789"}`, `{"B":"AA=="}`, `{"B":"A"}`, `{"B":"=="}`, `{"B":""}`, `{"BOOL":"yes"}`, `{"NULL":false}`,
		`{"NULL":true}`, `{"SS":[]}`, `{"SS":["a","a"]}`, `{"SS":["b","a"]}`, `{"NS":["1","1.0"]}`, `{"BS":["AA==","AA=="]}`, `{"BS":[1]}`, `{"L":[]}`, `{"L":{}}`,
		`{"L":[{}]}`, `{"M":{}}`, `{"M":[]}`, `{"M":{"":{"S":""}}}`, `{"M":{"a":{"S":"1"},"a":{"S":"2"}}}`, `{"S":"a","N":"1"}`, `{"S":"a","S":"b"}`, `{"X":1}`, `{"S":null}`,
	}
	oddStrings = []string{
		"", " ", "x", "\x00", "\u00e9", "\u2028", "\U0001F680", "#", ":", "#a", ":v", "#pk", ":pk", "a.b", "a[0]", "a[-1]", "a[99999999999]", "a..b", "[0]", "a b", "((a = :v))",
		"NULL", "HASH", "ALL_OLD", "all_old", "NONE", "INDEXES", "COUNT", "BETWEEN", "IN", "EQ", "Main", "Other", "Numbers", "Nowhere", "Ma in", "ab", "global", "local", "many",
		"arn:aws:dynamodb:eu-west-1:123456789012:table/Other", "arn:aws:dynamodb:us-east-1:123456789012:table/Main", "arn:", "arn:aws:dynamodb:eu-west-1:123456789012:table/",
		"0", "-0", "1", "01", "+1", "1e2", "1e-131", "9.9999999999999999999999999999999999999E+125", "1E+126", "1e99999999999", "Infinity", " 1", "AA==", "AAE=", "A===",
		"AND", "OR NOT", "= :v", "size(", ")", "(", ",", "SET", "REMOVE", "ADD", "DELETE", "attribute_exists(pk)", "if_not_exists(n, :one)", "list_append(lst, :l)", "contains(g, :s)", "+ :one",
		"SELECT", "FROM", "WHERE", "VALUE", "?", "'", "\"", "MISSING", "<<'a'>>",
	}
	sizes  = []int{0, 1, 3, 32, 36, 37, 100, 255, 256, 300, 1024, 1025, 2048, 2049, 4096, 4097, 65535, 65536, 409600}
	counts = []int{0, 1, 2, 11, 21, 26, 51, 101, 302}
)

func newMutator(t testing.TB) *mutator {
	m := &mutator{words: slices.Clone(oddStrings), fit: map[string][]*node{}}
	for _, r := range slices.Concat(world, validRequests) {
		for _, n := range parseNode(t, r.body).all() {
			for i, name := range n.names {
				m.names = append(m.names, name)
				m.fit[name] = append(m.fit[name], n.members[i])
			}
			m.values = append(m.values, n.members...)
			if n.isValue() {
				m.typed = append(m.typed, n)
			}
			if n.kind == '"' {
				m.words = append(m.words, strings.Fields(n.text)...)
			}
		}
	}
	for _, text := range oddLiterals {
		n := literal(text)
		if json.Valid([]byte(text)) {
			n = parseNode(t, text)
		}
		m.values = append(m.values, n)
		if n.isValue() {
			m.typed = append(m.typed, n)
		}
	}
	slices.Sort(m.names)
	m.names = slices.Compact(m.names)
	slices.Sort(m.words)
	m.words = slices.Compact(m.words)
	return m
}

// memberFor picks a name and a value that goes with it, or sometimes any.
func (m *mutator) memberFor(c *choices, names []string) (string, *node) {
	name := pick(c, names)
	if fit := m.fit[name]; len(fit) > 0 && c.below(8) != 0 {
		return name, pick(c, fit).clone()
	}
	return name, pick(c, m.values).clone()
}

// mutate changes a request a few times and prints it.
func (m *mutator) mutate(c *choices, root *node) string {
	root = root.clone()
	for again := true; again; again = c.below(5) >= 3 {
		m.change(c, root)
	}
	nodes := root.all()
	if c.below(20) == 1 {
		m.deepen(c, pick(c, nodes))
	}
	body := root.append(nil)
	if c.below(20) == 1 {
		body = garble(c, body)
	}
	return string(body)
}

// change makes one change somewhere.
func (m *mutator) change(c *choices, root *node) {
	nodes := root.all()
	n := pick(c, nodes)
	how := c.below(20)
	if how >= 14 { // an expression, if there is one
		expressions := slices.DeleteFunc(nodes, func(n *node) bool { return n.kind != '"' || !strings.Contains(n.text, " ") })
		if len(expressions) > 0 {
			n = pick(c, expressions)
		}
	}
	switch {
	case how == 1:
		*n = *pick(c, m.values).clone()
	case how == 2:
		*n = *pick(c, nodes).clone()
	case how == 3: // put it into something
		n.members, n.names, n.kind = []*node{n.clone()}, []string{pick(c, m.names)}, pick(c, []byte("[{"))
		if n.kind == '[' {
			n.names = nil
		}
	case n.isValue() && how < 12:
		*n = *pick(c, m.typed).clone()
	case n.kind == '"':
		m.changeString(c, n)
	case n.kind == '{':
		m.changeObject(c, n)
	case n.kind == '[':
		m.changeArray(c, n)
	default:
		n.text = pick(c, oddLiterals)
	}
}

// deepen puts a value into many lists or maps.
func (m *mutator) deepen(c *choices, n *node) {
	wrap := pick(c, []string{"L", "M"})
	inner := n.clone()
	for range pick(c, []int{1, 15, 31, 32, 33, 500, 2000}) {
		around := &node{kind: '[', members: []*node{inner}}
		if wrap == "M" {
			around = &node{kind: '{', names: []string{"a"}, members: []*node{inner}}
		}
		inner = &node{kind: '{', names: []string{wrap}, members: []*node{around}}
	}
	*n = *inner
}

func (m *mutator) changeString(c *choices, n *node) {
	at := c.below(len(n.text) + 1)
	to := min(len(n.text), at+c.below(12))
	switch c.below(6) {
	case 0:
		n.text = pick(c, m.words)
	case 1:
		n.text = strings.Repeat(n.text+"x", pick(c, sizes)/(len(n.text)+1)+1)
	case 2:
		n.text = n.text[:at] + pick(c, m.words) + n.text[to:]
	case 3:
		n.text = n.text[:at] + n.text[to:]
	case 4: // swap two words
		words := strings.Fields(n.text)
		if len(words) > 1 {
			i, j := c.below(len(words)), c.below(len(words))
			words[i], words[j] = words[j], words[i]
		}
		n.text = strings.Join(words, " ")
	case 5:
		n.text = n.text[:at] + strings.Repeat(pick(c, []string{"(", "NOT ", "a = :v AND ", "a.", "[0]", " + :one"}), pick(c, counts)) + n.text[at:]
	}
}

func (m *mutator) changeObject(c *choices, n *node) {
	if len(n.members) == 0 {
		name, value := m.memberFor(c, m.names)
		n.names, n.members = append(n.names, name), append(n.members, value)
		return
	}
	i := c.below(len(n.members))
	switch c.below(10) {
	case 0, 1, 2: // another value
		_, n.members[i] = m.memberFor(c, n.names[i:i+1])
	case 3, 4: // one more
		name, value := m.memberFor(c, m.names)
		n.names, n.members = append(n.names, name), append(n.members, value)
	case 5, 6:
		n.names = slices.Delete(n.names, i, i+1)
		n.members = slices.Delete(n.members, i, i+1)
	case 7: // twice
		n.names = append(n.names, n.names[i])
		n.members = append(n.members, pick(c, n.members).clone())
	case 8: // another name
		n.names[i] = pick(c, []string{
			pick(c, m.names), pick(c, oddStrings), strings.ToLower(n.names[i]), n.names[i] + "x", " " + n.names[i],
			strings.Repeat(n.names[i]+"y", pick(c, sizes)/(len(n.names[i])+1)+1),
		})
	case 9: // very many
		value := n.members[i]
		for k := range pick(c, counts) {
			n.names = append(n.names, n.names[i]+strconv.Itoa(k))
			n.members = append(n.members, value.clone())
		}
	}
}

func (m *mutator) changeArray(c *choices, n *node) {
	if len(n.members) == 0 || c.below(4) == 0 {
		n.members = append(n.members, pick(c, m.values).clone())
		return
	}
	i := c.below(len(n.members))
	switch c.below(4) {
	case 0:
		n.members = slices.Delete(n.members, i, i+1)
	case 1: // all the same
		for range pick(c, counts) {
			n.members = append(n.members, n.members[i].clone())
		}
	case 2: // as many, all different where a string or number is in them
		for k := range pick(c, counts) {
			other := n.members[i].clone()
			for _, leaf := range other.all() {
				if leaf.kind == '"' {
					leaf.text += strconv.Itoa(k)
				}
			}
			n.members = append(n.members, other)
		}
	case 3:
		slices.Reverse(n.members)
	}
}

// garble changes bytes, whatever they mean.
func garble(c *choices, body []byte) []byte {
	for range 1 + c.below(3) {
		at := c.below(len(body) + 1)
		to := min(len(body), at+c.below(8))
		switch c.below(4) {
		case 0:
			body = slices.Delete(body, at, to)
		case 1:
			body = slices.Insert(body, at, byte(c.below(256)))
		case 2:
			body = slices.Insert(body, at, slices.Clone(body[at:to])...)
		case 3:
			body = body[:at]
		}
	}
	return body
}
