package conformance_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/conformance"
)

// spoiled is a transport whose answers to one operation are changed.
type spoiled struct {
	next      http.RoundTripper
	operation string
	old, new  string
}

func (s spoiled) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := s.next.RoundTrip(r)
	if err != nil || !strings.HasSuffix(r.Header.Get("X-Amz-Target"), "."+s.operation) {
		return resp, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	body = bytes.ReplaceAll(body, []byte(s.old), []byte(s.new))
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return resp, nil
}

func parse(t *testing.T, text string) *conformance.Script {
	t.Helper()
	s, err := conformance.Parse("some/file.txt", text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func run(t *testing.T, target conformance.Target, options ...conformance.Option) *conformance.Report {
	t.Helper()
	r, err := conformance.NewRunner(target, options...)
	if err != nil {
		t.Fatal(err)
	}
	report, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestRecord: what was recorded passes, says so, and reads as a person would write it.
func TestRecord(t *testing.T) {
	t.Parallel()
	target := conformance.InProcess(dynalite.Start(t).Transport())
	before := `topic T
table t pk S

case describe
    DescribeTable t {}

case wrong
    unconfirmed
    PutItem t {"Item": {"pk": {"S": "${case}"}, "x": {"SS": []}}}
        ! ValidationException: not this

case right, loosely
    PutItem t {"Item": {"pk": {"S": "${case}"}}}
        => ~object

case kept
    new x
    CreateTable x {"BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}
        => {}
        keep arn = TableDescription.TableArn
    GetItem {"TableName": "${arn}", "Key": {"pk": {"S": "a"}}}
        => {"Item": {}}

case of a grid
    PutItem t {"Item": {"pk": {"S": "${v}"}}}
        => {"a": 1}
    each
        | v |
        | a |
`
	r, err := conformance.NewRunner(target, conformance.WithScripts(parse(t, before)))
	if err != nil {
		t.Fatal(err)
	}
	recordings, err := r.Record(t.Context(), "recorded 2026-11-30")
	if err != nil {
		t.Fatal(err)
	}
	var outcomes []string
	for _, res := range recordings[0].Results {
		outcomes = append(outcomes, res.Case+": "+res.Outcome.String())
	}
	want := []string{"describe: passed", "wrong: differs", "right, loosely: passed", "kept: differs", "of a grid: a: differs"}
	if diff := cmp.Diff(want, outcomes); diff != "" {
		t.Errorf("outcomes (-want +got)\n%s", diff)
	}
	after := conformance.Format(recordings[0].Script)
	for _, text := range []string{
		"    from recorded 2026-11-30\n    PutItem t {\"Item\": {\"pk\": {\"S\": \"${case}\"}, \"x\": {\"SS\": []}}}\n        classic ! ValidationException: not this\n        current ! ValidationException: 1 validation error detected: One or more parameter values were invalid: An string set  may not be empty\n",
		"=> ~object",
		`"TableArn": "arn:aws:dynamodb:${region}:${account}:table/${x}"`,
		`"TableId": ~uuid`,
		"=> {\"a\": 1}",
	} {
		if !strings.Contains(after, text) {
			t.Errorf("no %q in\n%s", text, after)
		}
	}
	again := run(t, target, conformance.WithScripts(parse(t, after)))
	if passed, differing, _, _ := again.Count(); passed != 4 || differing != 1 {
		t.Errorf("run again: %s\n%s", again.Summary(), after)
	}
}

// TestExplore: two databases agree on generated conversations, and one that lies is found out by a short one.
func TestExplore(t *testing.T) {
	one := conformance.InProcess(dynalite.Start(t).Transport())
	other := conformance.InProcess(dynalite.Start(t, dynalite.WithPartitions(8)).Transport())
	r, err := conformance.NewRunner(one, conformance.Against(other))
	if err != nil {
		t.Fatal(err)
	}
	script, res, err := r.Explore(t.Context(), 1, 150)
	if err != nil {
		t.Fatal(err)
	}
	if script != nil {
		t.Fatalf("%s\n%s", res.Text(), conformance.Format(script))
	}
	liar := one
	liar.Transport = spoiled{one.Transport, "Query", `"Count":1`, `"Count":2`}
	if r, err = conformance.NewRunner(liar, conformance.Against(other)); err != nil {
		t.Fatal(err)
	}
	if script, res, err = r.Explore(t.Context(), 1, 150); err != nil {
		t.Fatal(err)
	}
	if script == nil || len(script.Cases[0].Steps) > 3 {
		t.Errorf("found %v", res.Text())
	}
}
