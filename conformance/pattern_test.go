package conformance

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPatterns(t *testing.T) {
	for _, test := range []struct {
		want, got string
		ok        bool
	}{
		{`1`, `1.0`, true},
		{`1`, `2`, false},
		{`"a"`, `"a"`, true},
		{`"a"`, `"b"`, false},
		{`null`, `null`, true},
		{`null`, `{}`, false},
		{`true`, `true`, true},
		{`true`, `"true"`, false},
		{`{}`, `{}`, true},
		{`{}`, `{"a": 1}`, false},
		{`{...}`, `{"a": 1}`, true},
		{`{"a": 1, ...}`, `{"a": 1, "b": 2}`, true},
		{`{"a": 1, ...}`, `{"b": 2}`, false},
		{`{"a": 1}`, `[1]`, false},
		{`{"a": ~absent}`, `{}`, true},
		{`{"a": ~absent}`, `{"a": null}`, false},
		{`{"a": ~absent, ...}`, `{"b": 1}`, true},
		{`{"a": ~any}`, `{"a": {"b": [1]}}`, true},
		{`{"a": ~any}`, `{}`, false},
		{`[1, 2]`, `[1, 2]`, true},
		{`[1, 2]`, `[2, 1]`, false},
		{`[1, 2]`, `[1]`, false},
		{`[1]`, `[1, 2]`, false},
		{`[1, ...]`, `[1, 2]`, true},
		{`[...]`, `[]`, true},
		{`[1]`, `{"0": 1}`, false},
		{`~unordered [1, 2, 2]`, `[2, 1, 2]`, true},
		{`~unordered [1, 2, 2]`, `[2, 1, 1]`, false},
		{`~unordered [1, 2]`, `[2]`, false},
		{`~unordered [1]`, `[2, 1]`, false},
		{`~unordered [1, ...]`, `[2, 1]`, true},
		{`~unordered [{"a": ~number}, {"a": "x"}]`, `[{"a": "x"}, {"a": 7}]`, true},
		{`{"SS": ["a", "b"]}`, `{"SS": ["b", "a"]}`, true},
		{`{"NS": ["1", "2"]}`, `{"NS": ["2", "1"]}`, true},
		{`{"BS": ["AQ=="]}`, `{"BS": ["Ag=="]}`, false},
		{`{"L": ["a", "b"]}`, `{"L": ["b", "a"]}`, false},
		{`~oneof [1, "a"]`, `"a"`, true},
		{`~oneof [1, "a"]`, `2`, false},
		{`{"a": ~oneof [1, ~absent]}`, `{}`, true},
		{`{"a": ~oneof [1, ~absent]}`, `{"a": 1}`, true},
		{`{"a": ~oneof [1, ~absent]}`, `{"a": 2}`, false},
		{`~string`, `""`, true},
		{`~string`, `1`, false},
		{`~number`, `1.5`, true},
		{`~positive`, `0`, false},
		{`~bool`, `false`, true},
		{`~list`, `[]`, true},
		{`~object`, `[]`, false},
		{`~time`, `1796051661.112`, true},
		{`~time`, `1796051661112`, false},
		{`~uuid`, `"2b0e5c3e-7f0a-4a3e-9d1c-3a5b8f6c7d8e"`, true},
		{`~uuid`, `"2B0E5C3E"`, false},
		{`~arn`, `"arn:aws:dynamodb:us-east-1:123456789012:table/t"`, true},
		{`~digits`, `"0123"`, true},
		{`~base64`, `"AQ=="`, true},
		{`~base64`, `"A"`, false},
		{`~contains "b"`, `"abc"`, true},
		{`~contains "x"`, `"abc"`, false},
		{`~prefix "ab"`, `"abc"`, true},
		{`~suffix "bc"`, `"abc"`, true},
		{`~fold "BC"`, `"abc"`, true},
		{`~regexp "a.c"`, `"abc"`, true},
		{`~regexp "b"`, `"abc"`, false},
		{`~length 2`, `[1, 2]`, true},
		{`~length 2`, `{"a": 1}`, false},
	} {
		p, err := parsePattern(test.want)
		if err != nil {
			t.Errorf("%s: %v", test.want, err)
			continue
		}
		var got any
		if err := json.Unmarshal([]byte(test.got), &got); err != nil {
			t.Fatal(err)
		}
		if ok := equal(p.resolve(got, true), got); ok != test.ok {
			t.Errorf("%s against %s: %v, want %v; resolved to %v", test.want, test.got, ok, test.ok, p.resolve(got, true))
		}
	}
}

// TestDiff: what is loose and acceptable doesn't show in a diff, what is missing or odd does.
func TestDiff(t *testing.T) {
	p, err := parsePattern(`{"id": ~uuid, "list": ~unordered ["a", "b"], "gone": ~string}`)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]any{"id": "2b0e5c3e-7f0a-4a3e-9d1c-3a5b8f6c7d8e", "list": []any{"c", "a"}}
	want := map[string]any{
		"id":   "2b0e5c3e-7f0a-4a3e-9d1c-3a5b8f6c7d8e",
		"list": []any{"b", "a"},
		"gone": "~string",
	}
	if diff := cmp.Diff(want, p.resolve(got, true)); diff != "" {
		t.Errorf("resolved (-want +got)\n%s", diff)
	}
}

func TestPatternErrors(t *testing.T) {
	for _, text := range []string{
		"", "{", "[1,]", "{1: 2}", `{"a" 1}`, `{"a": 1, "a": 2}`, "~", "~nope", "~oneof []", "~oneof [...]", "~unordered 1",
		"~contains", "~contains 1", `~regexp "("`, `~length "a"`, "[..., 1]", "{...,}", "1 2", "nul", `"a`,
	} {
		if _, err := parsePattern(text); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}

func FuzzPattern(f *testing.F) {
	f.Add(`{"a": ~oneof [1, ~absent], "b": [~any, ...], ...}`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parsePattern(text)
		if err != nil {
			return
		}
		for _, got := range []any{nil, true, 1.5, "x", []any{"x", 1.0}, map[string]any{"a": "x", "SS": []any{"x"}}} {
			equal(p.resolve(got, true), got)
		}
		p.resolve(nil, false)
	})
}

func TestExpand(t *testing.T) {
	s := &scope{
		text:     map[string]string{"t": "table", "q": `say "hi"`, "u": "${t}-${t}", "json": `{"S": "a"}`, "n": "3"},
		captured: map[string]string{"id": `"some \"id\""`, "key": `{"pk": {"S": "x"}}`},
	}
	for _, test := range []struct{ text, plain, json string }{
		{"${t}", "table", "table"},
		{`{"a": "${q}"}`, `{"a": "say "hi""}`, `{"a": "say \"hi\""}`},
		{`{"a": ${json}}`, `{"a": {"S": "a"}}`, `{"a": {"S": "a"}}`},
		{"${u}", "table-table", "table-table"},
		{"${repeat 3 ab}", "ababab", "ababab"},
		{"${repeat 2 a }|", "a a |", "a a |"},
		{"${repeat ${n} x}", "xxx", "xxx"},
		{"${list 3 k{i}}", "k1, k2, k3", "k1, k2, k3"},
		{"${list 2 k{i:03}}", "k001, k002", "k001, k002"},
		{`[${list 2 {"S": "${t}{i}"}}]`, `[{"S": "table1"}, {"S": "table2"}]`, `[{"S": "table1"}, {"S": "table2"}]`},
		{`${nest 2 L {"N": "1"}}`, `{"L": [{"L": [{"N": "1"}]}]}`, `{"L": [{"L": [{"N": "1"}]}]}`},
		{`${nest 1 M {"N": "1"}}`, `{"M": {"a": {"N": "1"}}}`, `{"M": {"a": {"N": "1"}}}`},
		{"${base64 3}", "AAAA", "AAAA"},
		{"$${t}", "${t}", "${t}"},
		{`"${id}" ${id}`, `"some "id"" some "id"`, `"some \"id\"" "some \"id\""`},
		{`{"K": ${key}}`, `{"K": {"pk": {"S": "x"}}}`, `{"K": {"pk": {"S": "x"}}}`},
		{`keys: {#a}`, `keys: {#a}`, `keys: {#a}`},
	} {
		if got, err := s.expandText(test.text); err != nil || got != test.plain {
			t.Errorf("%s as text: %q, %v, want %q", test.text, got, err, test.plain)
		}
		if got, err := s.expandJSON(test.text); err != nil || got != test.json {
			t.Errorf("%s as JSON: %q, %v, want %q", test.text, got, err, test.json)
		}
	}
	for _, text := range []string{"${nope}", "${", "${repeat x y}", "${repeat 99999999999 y}", "${nope 1 x}", "${nest 1 X y}", "${repeat 99999999 0123456789}"} {
		if got, err := s.expandText(text); err == nil {
			t.Errorf("%s: %q", text, describe(got, 50))
		}
	}
}
