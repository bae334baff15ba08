package expr

import (
	"errors"
	"strings"
	"testing"

	"github.com/dynalite-go/dynalite/attr"
)

// placeholders makes the maps of a request from entries such as "#n=name" and
// `:v={"N":"1"}`.
func placeholders(t testing.TB, entries ...string) *Placeholders {
	t.Helper()
	var names []Name
	var values []NamedValue
	for _, entry := range entries {
		key, target, _ := strings.Cut(entry, "=")
		if key[0] == '#' {
			names = append(names, Name{key, target})
		} else {
			values = append(values, NamedValue{key, value(t, target)})
		}
	}
	return NewPlaceholders(names, values)
}

// literals are one value of each type, for tests of operand types.
func literals(t testing.TB, more ...string) *Placeholders {
	t.Helper()
	return placeholders(t, append([]string{
		`:S={"S":"a"}`, `:N={"N":"1"}`, `:B={"B":"YQ=="}`, `:SS={"SS":["a"]}`, `:NS={"NS":["1"]}`, `:BS={"BS":["YQ=="]}`,
		`:M={"M":{}}`, `:L={"L":[]}`, `:BOOL={"BOOL":true}`, `:NULL={"NULL":true}`,
	}, more...)...)
}

func value(t testing.TB, text string) attr.Value {
	t.Helper()
	v, err := attr.ParseValue(text)
	if err != nil {
		t.Fatalf("value %s: %v", text, err)
	}
	return v
}

// item parses an item; "" is no item.
func item(t testing.TB, text string) *attr.Item {
	t.Helper()
	if text == "" {
		return nil
	}
	it, err := attr.ParseItem(text)
	if err != nil {
		t.Fatalf("item %s: %v", text, err)
	}
	return it
}

func path(t testing.TB, text string) attr.Path {
	t.Helper()
	p, err := attr.ParsePath(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func paths(t testing.TB, texts ...string) []attr.Path {
	t.Helper()
	var list []attr.Path
	for _, text := range texts {
		list = append(list, path(t, text))
	}
	return list
}

// bindText runs an expression of any kind through all stages.
func bindText(c *Cache, kind Kind, text string, p *Placeholders) error {
	var err error
	switch kind {
	case KeyConditionKind:
		_, err = c.KeyCondition(text, p)
	case UpdateKind:
		_, err = c.Update(text, p)
	case ProjectionKind:
		_, err = c.Projection(text, p)
	default:
		_, err = c.Condition(kind, text, p)
	}
	return err
}

// faultCase is an expression and the text of its fault, "" for none.
type faultCase struct {
	text string
	want string
}

func testFaults(t *testing.T, kind Kind, p func(testing.TB) *Placeholders, cases []faultCase) {
	t.Helper()
	for _, tc := range cases {
		t.Run(tc.text, func(t *testing.T) {
			checkError(t, bindText(nil, kind, tc.text, p(t)), tc.want)
		})
	}
}

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case err == nil && want != "":
		t.Errorf("no error, want %q", want)
	case err != nil && err.Error() != want:
		t.Errorf("error\n%q, want\n%q", err.Error(), want)
	}
	if e := (*Error)(nil); err != nil && !errors.As(err, &e) {
		t.Errorf("error of type %T, want *Error", err)
	}
}
