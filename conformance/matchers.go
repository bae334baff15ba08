package conformance

import (
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// matcher is a loose match by name. Its make function gets the argument, if it takes one, and returns the test.
type matcher struct {
	argument bool
	make     func(arg any) (func(got any) bool, error)
}

// matchers are all loose matches but ~absent, ~oneof and ~unordered, which are syntax. README.md describes each.
var matchers = map[string]matcher{
	"any":      plain(func(any) bool { return true }),
	"string":   plain(func(got any) bool { _, ok := got.(string); return ok }),
	"number":   plain(func(got any) bool { _, ok := got.(float64); return ok }),
	"positive": plain(func(got any) bool { n, ok := got.(float64); return ok && n > 0 }),
	"bool":     plain(func(got any) bool { _, ok := got.(bool); return ok }),
	"list":     plain(func(got any) bool { _, ok := got.([]any); return ok }),
	"object":   plain(func(got any) bool { _, ok := got.(map[string]any); return ok }),
	"time":     plain(isTime),
	"uuid":     ofForm(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`),
	"id":       ofForm(`^[0-9A-Z]{52}$`),
	"arn":      ofForm(`^arn:[a-z-]+:dynamodb:[a-z0-9-]+:[0-9]{12}:.+$`),
	"digits":   ofForm(`^[0-9]+$`),
	"base64":   plain(isBase64),
	"contains": withText(strings.Contains),
	"prefix":   withText(strings.HasPrefix),
	"suffix":   withText(strings.HasSuffix),
	"fold":     withText(func(s, arg string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(arg)) }),
	"regexp":   {argument: true, make: makeRegexp},
	"length":   {argument: true, make: makeLength},
}

func plain(test func(got any) bool) matcher {
	return matcher{make: func(any) (func(any) bool, error) { return test, nil }}
}

func ofForm(pattern string) matcher {
	re := regexp.MustCompile(pattern)
	return plain(func(got any) bool { s, ok := got.(string); return ok && re.MatchString(s) })
}

// withText makes a match that tests a string against its argument.
func withText(test func(s, arg string) bool) matcher {
	return matcher{argument: true, make: func(arg any) (func(any) bool, error) {
		text, ok := arg.(string)
		if !ok {
			return nil, errors.New("the argument is a string")
		}
		return func(got any) bool { s, ok := got.(string); return ok && test(s, text) }, nil
	}}
}

// makeRegexp matches the whole string.
func makeRegexp(arg any) (func(any) bool, error) {
	text, ok := arg.(string)
	if !ok {
		return nil, errors.New("the argument is a string")
	}
	re, err := regexp.Compile(`(?s)^(?:` + text + `)$`)
	if err != nil {
		return nil, err
	}
	return func(got any) bool { s, ok := got.(string); return ok && re.MatchString(s) }, nil
}

// makeLength matches a list, an object or a string (in bytes) of the given length.
func makeLength(arg any) (func(any) bool, error) {
	n, ok := arg.(float64)
	if !ok || n < 0 {
		return nil, fmt.Errorf("the argument is a number")
	}
	return func(got any) bool {
		switch got := got.(type) {
		case []any:
			return float64(len(got)) == n
		case map[string]any:
			return float64(len(got)) == n
		case string:
			return float64(len(got)) == n
		default:
			return false
		}
	}, nil
}

// isTime accepts epoch seconds between 2001 and 2286, the years in which they have ten digits.
func isTime(got any) bool {
	n, ok := got.(float64)
	return ok && n >= 1e9 && n < 1e10
}

func isBase64(got any) bool {
	s, ok := got.(string)
	if !ok {
		return false
	}
	_, err := base64.StdEncoding.DecodeString(s)
	return err == nil
}
