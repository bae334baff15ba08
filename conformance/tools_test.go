package conformance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
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

// talk sends a conversation through a proxy.
func talk(t *testing.T, url string, requests ...[2]string) {
	t.Helper()
	for _, request := range requests {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(request[1]))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+request[0])
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		r.Header.Set("X-Amz-Date", "20261130T120000Z")
		r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=VERYSECRET/20261130/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if len(body) == 0 || resp.Header.Get("X-Amzn-Requestid") == "" {
			t.Fatalf("%s through the proxy: %d %q", request[0], resp.StatusCode, body)
		}
	}
}

const createOrders = `{"TableName": "orders", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}`

// TestCaptureReplayMinimise: traffic that went through a proxy becomes a case, which replays on a fresh endpoint; where
// an endpoint differs, the case shrinks to what is needed.
func TestCaptureReplayMinimise(t *testing.T) {
	t.Parallel()
	db := dynalite.Start(t)
	endpoint := conformance.InProcess(db.Transport())
	var capture bytes.Buffer
	proxy := conformance.NewProxy(endpoint, nil, func(e conformance.Exchange) error {
		return conformance.WriteExchange(&capture, e)
	})
	server := httptest.NewServer(proxy)
	defer server.Close()

	direct := httptest.NewServer(db.Handler())
	defer direct.Close()
	talk(t, direct.URL, [2]string{"CreateTable", strings.Replace(createOrders, "orders", "was-there", 1)})
	talk(t, server.URL,
		[2]string{"CreateTable", createOrders},
		[2]string{"PutItem", `{"TableName": "was-there", "Item": {"pk": {"S": "a"}, "v": {"S": "secret thing"}}}`},
		[2]string{"PutItem", `{"TableName": "orders", "Item": {"pk": {"S": "a"}, "v": {"N": "1"}}}`},
		[2]string{"PutItem", `{"TableName": "orders", "Item": {"pk": {"S": "b"}, "v": {"N": "2"}}}`},
		[2]string{"BatchGetItem", `{"RequestItems": {"orders": {"Keys": [{"pk": {"S": "a"}}, {"pk": {"S": "b"}}]}, "was-there": {"Keys": [{"pk": {"S": "a"}}]}}}`},
		[2]string{"GetItem", `{"TableName": "orders", "Key": {"pk": {"S": "b"}}}`},
		[2]string{"GetItem", `{"TableName": "nowhere", "Key": {"pk": {"S": "b"}}}`},
		[2]string{"Scan", `{"TableName": "orders"}`},
		[2]string{"DescribeTable", `{"TableName": "orders"}`},
	)
	if err := proxy.Err(); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(capture.String(), "VERYSECRET") || strings.Contains(capture.String(), "Signature") {
		t.Errorf("a signature is captured:\n%s", capture.String())
	}
	exchanges, err := conformance.ReadCapture(&capture)
	if err != nil {
		t.Fatal(err)
	}
	script, err := conformance.FromCapture("captured/orders", "Captured orders", exchanges)
	if err != nil {
		t.Fatal(err)
	}
	fresh := conformance.InProcess(dynalite.Start(t).Transport())
	if report := run(t, fresh, conformance.WithScripts(script)); report.Failed() {
		t.Fatalf("%s\n%s", report.Results[0].Text(), conformance.Format(script))
	}

	broken := fresh
	broken.Transport = spoiled{fresh.Transport, "GetItem", `{"N":"2"}`, `{"N":"3"}`}
	r, err := conformance.NewRunner(broken)
	if err != nil {
		t.Fatal(err)
	}
	small, res, err := r.Minimise(t.Context(), script, 100)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(small.Cases[0].Steps); n > 4 || res.Outcome != conformance.Differs {
		t.Errorf("%d steps are left\n%s", n, conformance.Format(small))
	}
}

func TestMask(t *testing.T) {
	m := conformance.NewMask()
	mask := func(request, response string) (a, b any) {
		e := m.Exchange(conformance.Exchange{Request: json.RawMessage(request), Response: json.RawMessage(response)})
		if err := json.Unmarshal(e.Request, &a); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(e.Response, &b); err != nil {
			t.Fatal(err)
		}
		return a, b
	}
	request, response := mask(
		`{"TableName": "orders", "Item": {"pk": {"S": "alice@example.com"}, "n": {"N": "-12.5"}, "s": {"SS": ["alice@example.com", ""]}, "ok": {"BOOL": true}}}`,
		`{"message": "trouble with alice@example.com", "Item": {"pk": {"S": "alice@example.com"}}}`)
	text := fmt.Sprint(request, response)
	if strings.Contains(text, "alice") || strings.Contains(text, "12.5") {
		t.Errorf("not masked: %s", text)
	}
	for _, want := range []string{"orders", "pk", "true", "trouble with "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	item := request.(map[string]any)["Item"].(map[string]any)
	name := item["pk"].(map[string]any)["S"]
	if got := response.(map[string]any)["Item"].(map[string]any)["pk"].(map[string]any)["S"]; got != name {
		t.Errorf("one value became %v and %v", name, got)
	}
	if n := item["n"].(map[string]any)["N"].(string); !regexp.MustCompile(`^-\d\d\.\d$`).MatchString(n) {
		t.Errorf("number %q", n)
	}
}

func TestReadCaptureErrors(t *testing.T) {
	good := `{"Operation": "GetItem", "Request": {}, "Status": 200, "Response": {}}` + "\n"
	for text, want := range map[string]string{
		"":                            "no exchanges",
		"{}":                          "line 1: no exchange",
		good + "{":                    "line 2: ",
		good + `{"Operation": "x y"}`: "line 2: no exchange",
	} {
		_, err := conformance.ReadCapture(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
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
