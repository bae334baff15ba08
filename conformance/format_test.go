package conformance

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// ignoreLines leaves positions out of a comparison.
var ignoreLines = cmp.FilterPath(func(p cmp.Path) bool {
	return p.Last().String() == ".Line"
}, cmp.Ignore())

const sample = `# About the file.
topic Sample
from a page
tags one, two

let ENV = ` + "`1 validation error detected: `" + `

# Above a text.
let PLAIN = some text

# Above a table.
table t pk S, sk N
    lsi loc l S KEYS_ONLY
    gsi byA a S, b N INCLUDE v, w
    gsi multi a S, b S / c N, d B ALL
    with {"TableClass": "STANDARD"}
    item {"pk": {"S": "x"}, "sk": {"N": "1"}}
    items 3 {"pk": {"S": "x{i}"}, "sk": {"N": "{i}"}}

table whole
    with {
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]
    }

# Above a case.
case everything: ${name}
    row 3.1.1 L4.2
    from the author's account
    unconfirmed
    tags slow
    new x, y
    # Above a step.
    CreateTable x {"BillingMode": "PAY_PER_REQUEST"}
        => {"TableDescription": {"TableId": ~uuid, ...}}
        keep id = TableDescription.TableId
    wait x ACTIVE
    wait x byA gone
    PutItem t {
        "Item": {"pk": {"S": "${name}"}, "sk": {"N": "1"}}
    }
    ${op} t {"Key": {"pk": {"S": "${name}"}, "sk": {"N": "1"}}}
        => 200 {"Item": ~object}
        header X-Amz-Crc32: ${crc32}
    pages Query t {"Limit": 1}
        => {"Items": [${list 3 {"a": {"N": "{i:03}"}}}], ...}
    segments 4 Scan t {}
    pages ExecuteStatement {"Statement": "SELECT * FROM \"${t}\" WHERE v > ${ago 10}"}
    records t {"Keys": {"pk": {"S": "x"}}}
    records {"StreamArn": "a"}
    http POST /path?q
        > Authorization:
        > X-Amz-Target: DynamoDB_20120810.${op}
        body-gzip {"a": 1}
        => 404
    GetItem t {"Key": {}}
        classic ! ValidationException: ${ENV}old
        current ! 500 com.x#ValidationException: ` + "` spaced `" + `
        with {"Item": ~absent}
    each
        | op      | name  |
        | GetItem | ` + "`a|b`" + ` |
        | GetItem | ` + "``" + `    |
    each
        | other |
        | x     |

# At the end.
`

func TestFormatRoundTrip(t *testing.T) {
	script, err := Parse("sample.txt", sample)
	if err != nil {
		t.Fatal(err)
	}
	printed := Format(script)
	if diff := cmp.Diff(sample, printed); diff != "" {
		t.Errorf("the sample is not canonical (-written +printed)\n%s", diff)
	}
	again, err := Parse("sample.txt", printed)
	if err != nil {
		t.Fatalf("%v in\n%s", err, printed)
	}
	if diff := cmp.Diff(script, again, ignoreLines, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("another script came back (-first +second)\n%s", diff)
	}
}

func TestParseErrors(t *testing.T) {
	head := "topic T\ntable t pk S\n"
	for name, test := range map[string]struct {
		text string
		want string // "line: text"
	}{
		"empty":                 {"", "1: no topic"},
		"no topic":              {"case x\n", "1: no topic"},
		"unknown word":          {"topic T\nnonsense\n", `2: "nonsense" is not known above the first case`},
		"second topic":          {"topic T\ntopic U\n", "2: a file has one topic"},
		"bad table":             {"topic T\ntable t\n", "2: table t has neither keys nor a with line"},
		"bad type":              {"topic T\ntable t pk Z\n", `2: key attribute "pk Z"`},
		"short index":           {head + "    gsi ab a S\n", "3: want: gsi NAME"},
		"INCLUDE of nothing":    {head + "    gsi byA a S INCLUDE\n", "3: INCLUDE, and only INCLUDE"},
		"bad item":              {head + "    item {\"pk\"}\n", "3: invalid character"},
		"no steps":              {head + "case x\n", `3: case "x" has no steps`},
		"two cases of one name": {head + "case x\n    GetItem t {}\ncase x\n    GetItem t {}\n", `5: a second case "x"`},
		"unknown table":         {head + "case x\n    GetItem u {}\n", `4: table "u" is neither set up`},
		"unknown name":          {head + "case x\n    GetItem t {\"Key\": \"${k}\"}\n", "4: ${k} is not known"},
		"kept later":            {head + "case x\n    GetItem t {\"Key\": ${k}}\n        keep k = Item\n", "4: ${k} is not known"},
		"not a step":            {head + "case x\n    getItem t {}\n", `4: "getItem" is neither a step nor a property of one`},
		"bad JSON":              {head + "case x\n    GetItem t {\"Key\": }\n", "4: invalid character"},
		"open bracket":          {head + "case x\n    GetItem t {\"Key\": {}\n", "4: JSON ends with the file: 1 brackets are open"},
		"open string":           {head + "case x\n    GetItem t {\"Key}\n", "4: a JSON string is not closed"},
		"closed twice":          {head + "case x\n    GetItem t {}}\n", "4: a bracket is closed that was not opened"},
		"bad loose match":       {head + "case x\n    GetItem t {}\n        => {\"a\": ~nope}\n", "5: expected JSON"},
		"bad regexp":            {head + "case x\n    GetItem t {}\n        ! X: ~regexp \"(\"\n", "5: expected JSON"},
		"one wording only":      {head + "case x\n    GetItem t {}\n        classic ! X\n", "4: the step says nothing about the current wording"},
		"two expectations":      {head + "case x\n    GetItem t {}\n        => {}\n        ! X\n", "6: a second expectation"},
		"with nothing":          {head + "case x\n    GetItem t {}\n        with {}\n", "5: with follows an expected error"},
		"row too late":          {head + "case x\n    GetItem t {}\n    row 1.1.1\n", "5: row after the first step"},
		"bad row":               {head + "case x\n    row seven\n    GetItem t {}\n", `3: row "seven"`},
		"columns":               {head + "case x\n    GetItem t {}\n    each\n        | a | b |\n        | 1 |\n", "7: 1 cells for 2 columns"},
		"open backquote":        {head + "case x\n    GetItem t {}\n    each\n        | a |\n        | `x |\n", "7: a backquote is not closed"},
		"no rows":               {head + "case x\n    GetItem t {}\n    each\n        | a |\n", "5: each without rows"},
		"column named t":        {head + "case x\n    GetItem t {}\n    each\n        | t |\n        | 1 |\n", `5: the name "t" is taken`},
		"step after each":       {head + "case x\n    GetItem t {}\n    each\n        | a |\n        | 1 |\n    GetItem t {}\n", "8: \"GetItem\" after each"},
		"pages of GetItem":      {head + "case x\n    pages GetItem t {}\n", "4: GetItem has no pages"},
		"segments of Query":     {head + "case x\n    segments 2 Query t {}\n", "4: Query has no pages"},
		"body of a call":        {head + "case x\n    GetItem t {}\n        body x\n", "5: body belongs to an http step"},
		"comment out of place":  {head + "case x\n    # here\n    row 1.1.1\n    GetItem t {}\n", "5: a comment stands above"},
		"account, no table":     {"topic T\ncase x\n    ListTables {\"a\": \"${account}\"}\n", "3: ${account} is not known"},
		"endless names":         {"topic T\nlet a = ${a}\ncase x\n    ListTables {\"a\": \"${a}\"}\n", "4: texts use each other more than"},
		"binary":                {"topic T\x00", "1: NUL byte"},
		"too many combinations": {head + "case x\n    GetItem t {}\n" + strings.Repeat("    each\n        | a |\n"+strings.Repeat("        | 1 |\n", 80), 2), "3: more than 5000 combinations of rows"},
	} {
		t.Run(name, func(t *testing.T) {
			text := test.text
			if name == "too many combinations" {
				text = strings.Replace(text, "| a |", "| b |", 1)
			}
			_, err := Parse("f.txt", text)
			var fe *FormatError
			if !errors.As(err, &fe) {
				t.Fatalf("error %v, want a FormatError", err)
			}
			if got := err.Error(); !strings.HasPrefix(got, "f.txt:"+test.want) {
				t.Errorf("error %q, want %q first", got, "f.txt:"+test.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("topic T\ncase x\n    ListTables {}\n        => {\"a\": ~oneof [1, ~absent], ...}\n")
	f.Add("topic T\nlet a = `x`\ncase ${a}\n    http GET /${repeat 3 a}\n        > A: b\n        body x\n        ! X: ~prefix \"y\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		script, err := Parse("f.txt", text)
		if err != nil {
			return
		}
		printed := Format(script)
		again, err := Parse("f.txt", printed)
		if err != nil {
			t.Fatalf("%v in\n%s", err, printed)
		}
		if diff := cmp.Diff(script, again, ignoreLines, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("another script came back (-first +second)\n%s", diff)
		}
		if twice := Format(again); twice != printed {
			t.Fatalf("printed twice, it is another text\n%s", cmp.Diff(printed, twice))
		}
	})
}

func TestReferenceRows(t *testing.T) {
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	r, ok := rowByID("3.1.8")
	if !ok || r.File != "behaviours/03" {
		t.Fatalf("row 3.1.8 is %+v, %v", r, ok)
	}
	if got, want := r.Provenance(), "behaviours/03 §3.1 [C601,PS]"; got != want {
		t.Errorf("provenance %q, want %q", got, want)
	}
	if len(rows) < 700 {
		t.Errorf("%d rows", len(rows))
	}
	for _, bad := range []string{"3.1.1 DL before a file\n", "file x\nhello\n", "file x\n1.1.1 DL a\n1.1.1 DL b\n", "file x\n1.1.1 DL\n"} {
		if _, err := parseRows("rows.txt", bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
