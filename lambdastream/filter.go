package lambdastream

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/dynalite-go/dynalite/internal/coral"
)

// FilterError is the error of a filter pattern that Lambda would refuse.
type FilterError struct {
	Pattern string
	Reason  string
}

// Error begins with the service's text.
func (e *FilterError) Error() string {
	return fmt.Sprintf("lambdastream: Invalid filter pattern definition. %s: %s", e.Reason, e.Pattern)
}

// pattern is a filter pattern: a tree of the shape of the record.
type pattern struct{ root *node }

// node is what an object must be like: all of its fields and one of each group of alternatives must match.
type node struct {
	fields []field
	anyOf  [][]*node
}

// field is what a member of an object must be like. Either below is set, or rules, one of which must match.
type field struct {
	name  string
	below *node
	rules []rule
}

// rule is one condition on a value that is neither an object nor a list.
type rule struct {
	op   operator
	text string // of an exact value or of a prefix, suffix, …
	kind partKind
	not  []rule // anything-but: none of these
	// low and high bound a number, and are allowed themselves unless open.
	low, high         float64
	lowOpen, highOpen bool
	wanted            bool // exists
}

type operator uint8

const (
	opExact operator = iota
	opPrefix
	opSuffix
	opIgnoreCase
	opAnythingBut
	opNumeric
	opExists
)

// parsePattern reads a filter pattern. Its rules are those of EventBridge, of which Lambda has these: exact values,
// prefix, suffix, equals-ignore-case, anything-but, numeric, exists, $or.
func parsePattern(text string) (*pattern, error) {
	if len(text) > maxPatternBytes {
		return nil, &FilterError{text, fmt.Sprintf("It has more than %d bytes", maxPatternBytes)}
	}
	p := parser{coral.New(text)}
	root, err := p.object()
	if err == nil {
		err = p.End()
	}
	if err == nil {
		return &pattern{root}, nil
	}
	reason := err.Error()
	if _, ok := errors.AsType[patternFault](err); !ok {
		reason = "It is not valid JSON"
	}
	return nil, &FilterError{text, reason}
}

// patternFault is a fault of a pattern that is valid JSON.
type patternFault string

func (f patternFault) Error() string { return string(f) }

func faultf(format string, args ...any) error { return patternFault(fmt.Sprintf(format, args...)) }

type parser struct{ coral.Cursor }

// object reads a level of a pattern.
func (p *parser) object() (*node, error) {
	if p.Peek() != coral.Object {
		return nil, p.refuse("It must be an object")
	}
	if err := p.BeginObject(); err != nil {
		return nil, err
	}
	n, seen := new(node), map[string]bool{}
	for {
		name, ok, err := p.NextKey()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		if seen[name] {
			return nil, faultf("%q stands there twice", name)
		}
		seen[name] = true
		if err := p.member(n, name); err != nil {
			return nil, err
		}
	}
	if len(seen) == 0 {
		return nil, patternFault("An object must not be empty")
	}
	return n, nil
}

// refuse is the error for a value of the wrong kind, unless it isn't JSON at all.
func (p *parser) refuse(reason string) error {
	if err := p.Skip(); err != nil {
		return err
	}
	return patternFault(reason)
}

func (p *parser) member(n *node, name string) error {
	switch {
	case name == "$or" && p.Peek() == coral.Array:
		group, err := p.alternatives()
		n.anyOf = append(n.anyOf, group)
		return err
	case p.Peek() == coral.Object:
		below, err := p.object()
		n.fields = append(n.fields, field{name: name, below: below})
		return err
	case p.Peek() == coral.Array:
		rules, err := p.rules(name)
		n.fields = append(n.fields, field{name: name, rules: rules})
		return err
	}
	return p.refuse(strconv.Quote(name) + " must be an object or an array")
}

// list reads an array, element by element.
func (p *parser) list(element func() error) (n int, err error) {
	if err := p.BeginArray(); err != nil {
		return 0, err
	}
	for ; ; n++ {
		ok, err := p.NextElem()
		if err != nil || !ok {
			return n, err
		}
		if err := element(); err != nil {
			return n, err
		}
	}
}

// alternatives reads the value of $or.
func (p *parser) alternatives() (group []*node, err error) {
	n, err := p.list(func() error {
		alternative, err := p.object()
		group = append(group, alternative)
		return err
	})
	if err == nil && n < 2 {
		err = patternFault("$or needs two objects or more")
	}
	return group, err
}

// rules reads the array of a leaf.
func (p *parser) rules(name string) (rules []rule, err error) {
	n, err := p.list(func() error {
		r, err := p.rule()
		rules = append(rules, r)
		return err
	})
	if err == nil && n == 0 {
		err = faultf("The array of %q must not be empty", name)
	}
	return rules, err
}

func (p *parser) rule() (rule, error) {
	if p.Peek() == coral.Object {
		return p.operator()
	}
	return p.exact()
}

// exact reads a value that is to be met as it is.
func (p *parser) exact() (rule, error) {
	kinds := map[coral.Kind]partKind{
		coral.String: partText, coral.Int: partNumber, coral.Frac: partNumber, coral.True: partBool, coral.False: partBool,
		coral.Null: partNull,
	}
	kind, ok := kinds[p.Peek()]
	if !ok {
		return rule{}, p.refuse("A value must be a string, a number, true, false or null")
	}
	if kind == partText {
		s, err := p.ReadString()
		return rule{kind: kind, text: s}, err
	}
	from := p.Offset()
	if err := p.Skip(); err != nil {
		return rule{}, err
	}
	return rule{kind: kind, text: p.Slice(from, p.Offset())}, nil
}

// operator reads an object such as {"prefix": "a"}.
func (p *parser) operator() (r rule, err error) {
	if err := p.BeginObject(); err != nil {
		return r, err
	}
	name, ok, err := p.NextKey()
	if err != nil {
		return r, err
	}
	if !ok {
		return r, patternFault("An operator is missing")
	}
	switch name {
	case "prefix", "suffix", "equals-ignore-case":
		r, err = p.textOperator(name)
	case "anything-but":
		r, err = p.anythingBut()
	case "numeric":
		r, err = p.numeric()
	case "exists":
		r, err = p.exists()
	default:
		return r, faultf("Unrecognized operator %q", name)
	}
	if err != nil {
		return r, err
	}
	_, more, err := p.NextKey()
	if err == nil && more {
		err = patternFault("An operator must stand alone")
	}
	return r, err
}

var textOperators = map[string]operator{"prefix": opPrefix, "suffix": opSuffix, "equals-ignore-case": opIgnoreCase}

func (p *parser) textOperator(name string) (rule, error) {
	if p.Peek() != coral.String {
		return rule{}, p.refuse(strconv.Quote(name) + " needs a string")
	}
	s, err := p.ReadString()
	return rule{op: textOperators[name], kind: partText, text: s}, err
}

func (p *parser) exists() (rule, error) {
	kind := p.Peek()
	if kind != coral.True && kind != coral.False {
		return rule{}, p.refuse(`"exists" needs true or false`)
	}
	return rule{op: opExists, wanted: kind == coral.True}, p.Skip()
}

// anythingBut reads a value, a list of values of one kind, or an operator on text.
func (p *parser) anythingBut() (rule, error) {
	r := rule{op: opAnythingBut}
	add := func() error {
		v, err := p.exact()
		if err == nil && v.kind != partText && v.kind != partNumber || err == nil && len(r.not) > 0 && v.kind != r.not[0].kind {
			err = patternFault(`"anything-but" needs strings or numbers, not both`)
		}
		r.not = append(r.not, v)
		return err
	}
	switch p.Peek() {
	case coral.Array:
		n, err := p.list(add)
		if err == nil && n == 0 {
			err = patternFault(`The array of "anything-but" must not be empty`)
		}
		return r, err
	case coral.Object:
		v, err := p.operator()
		if err == nil && v.op != opPrefix && v.op != opSuffix && v.op != opIgnoreCase {
			err = patternFault(`"anything-but" goes with "prefix", "suffix" and "equals-ignore-case" only`)
		}
		r.not = []rule{v}
		return r, err
	}
	return r, add()
}

// numeric reads ["=", 1], [">", 1], [">=", 1, "<", 2] and the like.
func (p *parser) numeric() (rule, error) {
	if p.Peek() != coral.Array {
		return rule{}, p.refuse(`"numeric" needs an array`)
	}
	var signs []string
	var numbers []float64
	n, err := p.list(func() error {
		kind := p.Peek()
		switch {
		case len(signs) == len(numbers) && kind == coral.String:
			s, err := p.ReadString()
			signs = append(signs, s)
			return err
		case len(signs) > len(numbers) && (kind == coral.Int || kind == coral.Frac):
			x, err := p.ReadFloat()
			numbers = append(numbers, x)
			return err
		}
		return p.refuse(`"numeric" needs comparisons and numbers in turn`)
	})
	if err != nil {
		return rule{}, err
	}
	if n == 0 || len(signs) > len(numbers) {
		return rule{}, patternFault(`"numeric" needs comparisons and numbers in turn`)
	}
	return numericRule(strings.Join(signs, " "), numbers)
}

func numericRule(signs string, x []float64) (rule, error) {
	r := rule{op: opNumeric, low: -maxNumber, high: maxNumber}
	switch signs {
	case "=":
		r.low, r.high = x[0], x[0]
	case ">", ">=":
		r.low, r.lowOpen = x[0], signs == ">"
	case "<", "<=":
		r.high, r.highOpen = x[0], signs == "<"
	case "> <", ">= <", "> <=", ">= <=":
		r.low, r.lowOpen = x[0], signs[1] == ' '
		r.high, r.highOpen = x[1], signs[len(signs)-1] == '<'
		if r.low >= r.high {
			return r, patternFault(`The bottom of "numeric" must be less than the top`)
		}
	default:
		return r, faultf(`Unrecognized comparison %q of "numeric"`, signs)
	}
	return r, nil
}
