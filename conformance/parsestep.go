package conformance

import (
	"strings"
)

var operationPattern = lazyRegexp(`^([A-Z][A-Za-z]*|\$\{[A-Za-z][A-Za-z0-9_-]*\})$`)

// step reads the first line of a step.
func (p *parser) step(c *Case, l line, word, rest string) error {
	s := Step{Remarks: p.takeRemarks(), Line: l.no}
	var err error
	switch {
	case word == "http":
		err = p.httpStep(&s, l, rest)
	case word == "wait":
		err = p.waitStep(&s, l, rest)
	case word == "pages":
		s.Pages = true
		err = p.call(&s, l, rest)
	case word == "segments":
		n, body, ok := leadingInt(rest)
		if !ok || n < 1 || n > 1000 {
			return p.errorf(l.no, "want: segments COUNT Scan TABLE {...}")
		}
		s.Segments, s.Pages = n, true
		err = p.call(&s, l, body)
	case word == "records":
		s.Records = true
		err = p.call(&s, l, "GetRecords "+rest)
	default:
		err = p.call(&s, l, l.text)
	}
	if err != nil {
		return err
	}
	c.Steps = append(c.Steps, s)
	return nil
}

// call reads "OPERATION [TABLE] {...}".
func (p *parser) call(s *Step, l line, text string) error {
	op, rest, _ := strings.Cut(text, " ")
	if !operationPattern().MatchString(op) {
		return p.errorf(l.no, "%q is neither a step nor a property of one", op)
	}
	s.Kind, s.Operation = CallStep, op
	rest = strings.TrimSpace(rest)
	if word, after, _ := strings.Cut(rest, " "); isName(word) {
		s.Table, rest = word, strings.TrimSpace(after)
	}
	if rest == "" {
		rest = "{}"
	}
	var err error
	s.Body, err = p.json(l, rest)
	return err
}

func (p *parser) httpStep(s *Step, l line, rest string) error {
	s.Kind = HTTPStep
	var ok bool
	s.Method, s.Path, ok = strings.Cut(rest, " ")
	s.Path = strings.TrimSpace(s.Path)
	if !ok || s.Method == "" || !strings.HasPrefix(s.Path, "/") {
		return p.errorf(l.no, "want: http METHOD /path")
	}
	p.at++
	return nil
}

// waitStep reads "wait TABLE STATE" or "wait TABLE INDEX STATE".
func (p *parser) waitStep(s *Step, l line, rest string) error {
	s.Kind = WaitStep
	f := strings.Fields(rest)
	switch len(f) {
	case 2:
		s.Table, s.State = f[0], f[1]
	case 3:
		s.Table, s.Index, s.State = f[0], f[1], f[2]
	default:
		return p.errorf(l.no, "want: wait TABLE [INDEX] STATE")
	}
	p.at++
	return nil
}

// stepProperty reads a line below a step: an expectation, something to keep, a part of an HTTP request.
func (p *parser) stepProperty(s *Step, l line, word, rest string) (done bool, err error) {
	switch word {
	case "classic", "current":
		w, _ := ParseWording(word)
		kind, after, _ := strings.Cut(rest, " ")
		if kind != "=>" && kind != "!" {
			return true, p.errorf(l.no, "%s is followed by => or !", word)
		}
		return true, p.want(s, l, w, kind, strings.TrimSpace(after))
	case "=>", "!":
		return true, p.want(s, l, AnyWording, word, rest)
	case "with":
		return true, p.with(s, l, rest)
	case "header":
		return true, p.header(s, l, rest)
	case "keep":
		name, path, ok := strings.Cut(rest, "=")
		name, path = strings.TrimSpace(name), strings.TrimSpace(path)
		if !ok || !isName(name) || path == "" {
			return true, p.errorf(l.no, "want: keep NAME = path.to.member")
		}
		s.Keep = append(s.Keep, Keep{name, path})
		p.at++
		return true, nil
	case ">", "body", "body-gzip", "body-deflate":
		if s.Kind != HTTPStep || len(s.Want) > 0 {
			return true, p.errorf(l.no, "%s belongs to an http step, before what is expected", word)
		}
		p.at++
		return true, p.httpPart(s, l, word, rest)
	default:
		return false, nil
	}
}

func (p *parser) httpPart(s *Step, l line, word, rest string) error {
	if word == ">" {
		name, value, ok := strings.Cut(rest, ":")
		if !ok || name == "" || strings.ContainsAny(name, " \t") {
			return p.errorf(l.no, "want: > Name: value")
		}
		s.Headers = append(s.Headers, Header{name, quoted(strings.TrimSpace(value))})
		return nil
	}
	if s.Payload != "" {
		return p.errorf(l.no, "a second body")
	}
	if s.Payload = quoted(rest); s.Payload == "" {
		return p.errorf(l.no, "body without text: leave the line away")
	}
	_, s.Encoding, _ = strings.Cut(word, "-")
	return nil
}

var statusPattern = lazyRegexp(`^[1-5][0-9][0-9]$`)

// want reads an expected answer after => or !.
func (p *parser) want(s *Step, l line, w Wording, kind, rest string) error {
	if s.Kind == WaitStep {
		return p.errorf(l.no, "nothing is expected of a wait step")
	}
	for _, other := range s.Want {
		if other.Wording == AnyWording || w == AnyWording || other.Wording == w {
			return p.errorf(l.no, "a second expectation for the same wording")
		}
	}
	want := Want{Wording: w, Line: l.no}
	if word, after, _ := strings.Cut(rest, " "); statusPattern().MatchString(word) {
		want.Status, rest, _ = leadingInt(word + " " + after)
	}
	if kind == "=>" {
		var err error
		if want.Body, err = p.json(l, rest); err != nil {
			return err
		}
		s.Want = append(s.Want, want)
		return nil
	}
	p.at++
	want.Error, want.Message, want.HasMessage = strings.Cut(rest, ":")
	want.Error = strings.TrimSpace(want.Error)
	want.Message = quoted(strings.TrimSpace(want.Message))
	if want.Error == "" || strings.ContainsAny(want.Error, " \t") {
		return p.errorf(l.no, "want: ! ErrorType: message")
	}
	s.Want = append(s.Want, want)
	return nil
}

// with reads the members that an error body has beside its type and message.
func (p *parser) with(s *Step, l line, rest string) error {
	if len(s.Want) == 0 || s.Want[len(s.Want)-1].Error == "" || s.Want[len(s.Want)-1].Body != "" {
		return p.errorf(l.no, "with follows an expected error")
	}
	body, err := p.json(l, rest)
	if err == nil && body == "" {
		err = p.errorf(l.no, "with without JSON")
	}
	s.Want[len(s.Want)-1].Body = body
	return err
}

func (p *parser) header(s *Step, l line, rest string) error {
	name, value, ok := strings.Cut(rest, ":")
	if len(s.Want) == 0 || !ok || name == "" || strings.ContainsAny(name, " \t") {
		return p.errorf(l.no, "header Name: value follows an expected answer")
	}
	w := &s.Want[len(s.Want)-1]
	w.Headers = append(w.Headers, Header{name, quoted(strings.TrimSpace(value))})
	p.at++
	return nil
}
