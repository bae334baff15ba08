package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// parsePattern reads expected JSON: JSON with "~name argument" for loose matches and "..." for further members or
// elements.
func parsePattern(text string) (pattern, error) {
	r := &patternReader{text: text}
	p, err := r.value(0)
	if err != nil {
		return nil, fmt.Errorf("expected JSON, at %q: %w", describe(r.text[r.at:], 40), err)
	}
	if r.space(); r.at < len(r.text) {
		return nil, fmt.Errorf("expected JSON: %q follows its end", describe(r.text[r.at:], 40))
	}
	return p, nil
}

// patternReader is a recursive-descent parser.
type patternReader struct {
	text string
	at   int
}

// maxNesting bounds the depth of expected JSON.
const maxNesting = 500

func (r *patternReader) space() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}

// eat moves past a piece of punctuation, if it is next.
func (r *patternReader) eat(s string) bool {
	r.space()
	if strings.HasPrefix(r.text[r.at:], s) {
		r.at += len(s)
		return true
	}
	return false
}

func (r *patternReader) value(depth int) (pattern, error) {
	if depth > maxNesting {
		return nil, errors.New("nested too deeply")
	}
	switch {
	case r.eat("{"):
		return r.object(depth)
	case r.eat("["):
		return r.list(depth)
	case r.eat("~"):
		return r.loose(depth)
	default:
		v, err := r.scalar()
		return literal{v}, err
	}
}

func (r *patternReader) object(depth int) (pattern, error) {
	var o object
	for first := true; ; first = false {
		if r.eat("}") {
			return o, nil
		}
		if !first && !r.eat(",") {
			return nil, errors.New("want , or }")
		}
		if r.eat("...") {
			o.open = true
			if !r.eat("}") {
				return nil, errors.New("... comes last")
			}
			return o, nil
		}
		r.space()
		name, err := r.scalar()
		if err != nil {
			return nil, err
		}
		s, ok := name.(string)
		if !ok {
			return nil, errors.New("a member's name is a string")
		}
		for _, m := range o.members {
			if m.name == s {
				return nil, fmt.Errorf("member %q twice", s)
			}
		}
		if !r.eat(":") {
			return nil, errors.New("want a colon after the name")
		}
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		o.members = append(o.members, member{s, v})
	}
}

func (r *patternReader) list(depth int) (pattern, error) {
	var l list
	for first := true; ; first = false {
		if r.eat("]") {
			return l, nil
		}
		if !first && !r.eat(",") {
			return nil, errors.New("want , or ]")
		}
		if r.eat("...") {
			l.open = true
			if !r.eat("]") {
				return nil, errors.New("... comes last")
			}
			return l, nil
		}
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		l.elements = append(l.elements, v)
	}
}

// scalar reads a string, number, true, false or null.
func (r *patternReader) scalar() (any, error) {
	r.space()
	rest := r.text[r.at:]
	end := 0
	if strings.HasPrefix(rest, `"`) {
		for end = 1; end < len(rest) && rest[end] != '"'; end++ {
			if rest[end] == '\\' {
				end++
			}
		}
		end++
	} else {
		for end < len(rest) && (rest[end] >= 'a' && rest[end] <= 'z' || rest[end] >= '0' && rest[end] <= '9' ||
			strings.IndexByte("+-.E", rest[end]) >= 0) {
			end++
		}
	}
	if end == 0 || end > len(rest) {
		return nil, errors.New("want a JSON value")
	}
	var v any
	if err := json.Unmarshal([]byte(rest[:end]), &v); err != nil {
		return nil, err
	}
	r.at += end
	return v, nil
}

// loose reads a loose match after its tilde.
func (r *patternReader) loose(depth int) (pattern, error) {
	start := r.at
	for r.at < len(r.text) && (r.text[r.at] >= 'a' && r.text[r.at] <= 'z' || r.text[r.at] >= '0' && r.text[r.at] <= '9') {
		r.at++
	}
	name := r.text[start:r.at]
	switch name {
	case "absent":
		return noMember{}, nil
	case "oneof", "unordered":
		if !r.eat("[") {
			return nil, fmt.Errorf("~%s wants a list", name)
		}
		p, err := r.list(depth + 1)
		if err != nil {
			return nil, err
		}
		l := p.(list)
		if name == "unordered" {
			l.unordered = true
			return l, nil
		}
		if len(l.elements) == 0 || l.open {
			return nil, errors.New("~oneof wants alternatives")
		}
		return oneOf(l.elements), nil
	}
	m, ok := matchers[name]
	if !ok {
		return nil, fmt.Errorf("~%s is no loose match", name)
	}
	var arg any
	if m.argument {
		var err error
		if arg, err = r.scalar(); err != nil {
			return nil, fmt.Errorf("~%s wants an argument: %w", name, err)
		}
	}
	accept, err := m.make(arg)
	if err != nil {
		return nil, fmt.Errorf("~%s: %w", name, err)
	}
	return loose{name, accept, r.text[start:r.at]}, nil
}

// message reads an expected message or header value, names filled in: text as it is, or a loose match after a tilde. A
// text that is one name may stand for a loose match.
func (s *scope) message(text string) (pattern, error) {
	for range maxDepth {
		inner, found := strings.CutPrefix(text, "${")
		value, ok := s.text[strings.TrimSuffix(inner, "}")]
		if !found || !ok {
			break
		}
		text = value
	}
	if !strings.HasPrefix(text, "~") {
		text, err := s.expandText(text)
		return literal{text}, err
	}
	js, err := s.expandJSON(text)
	if err != nil {
		return nil, err
	}
	return parsePattern(js)
}
