package server

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"hash/crc32"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/request"
)

// echoInput, echoCommand and echoOutput belong to a test operation that answers with its own request.
type (
	echoInput   struct{ text string }
	echoCommand struct{ text string }
	echoOutput  struct{ text string }
)

// newTestHandler returns a handler with test operations in place of the real ones.
func newTestHandler(config Config) *Handler {
	if config.Region == "" {
		config.Region = "us-east-1"
	}
	if config.Account == "" {
		config.Account = "123456789012"
	}
	if config.Source == nil {
		config.Source = Fixed(engine.New(engine.Options{}))
	}
	h := New(config)
	h.operations = targets(map[string][]*operation{targetData: {
		echo("Echo", nil),
		echo("PutItem", func(request.Scope) error {
			return &api.Error{Code: api.CodeValidation, Message: "old", Current: "new", Envelope: true}
		}),
		echo("Panic", func(request.Scope) error { panic("boom") }),
		echo("Broken", func(request.Scope) error { return errors.New("pipe") }),
		echo("Who", func(s request.Scope) error { return api.Validation(s.Account + " " + s.Region) }),
		echo("Missing", func(request.Scope) error { return api.ResourceNotFound("") }),
	}})
	return h
}

func echo(name string, compile func(request.Scope) error) *operation {
	return op(name,
		func(text string, in *echoInput) error { in.text = text; return nil },
		func(*echoInput) []api.Violation { return nil },
		func(_ *request.Compiler, in *echoInput, scope request.Scope) (*echoCommand, error) {
			if compile != nil {
				return nil, compile(scope)
			}
			return &echoCommand{in.text}, nil
		},
		func(_ *engine.Region, _ context.Context, cmd *echoCommand) (*echoOutput, error) {
			return &echoOutput{cmd.text}, nil
		},
		func(dst []byte, out *echoOutput) []byte { return append(dst, out.text...) },
	)
}

const signature = "AWS4-HMAC-SHA256 Credential=AKID/20260101/eu-west-1/dynamodb/aws4_request, " +
	"SignedHeaders=host;x-amz-date, Signature=0123"

// newRequest builds a request. Headers are "Name: value".
func newRequest(method, target, body string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	return r
}

// signed builds a well-formed call of an operation.
func signed(op, body string, headers ...string) *http.Request {
	return newRequest("POST", "/", body, append([]string{
		"Content-Type: application/x-amz-json-1.0",
		"X-Amz-Target: DynamoDB_20120810." + op,
		"X-Amz-Date: 20260101T000000Z",
		"Authorization: " + signature,
	}, headers...)...)
}

func serve(h http.Handler, r *http.Request) *http.Response {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func readAllOf(t *testing.T, resp *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var requestIDForm = regexp.MustCompile(`^[0-9A-Z]{52}$`)

// checkCommon checks what every reply but the 413 has.
func checkCommon(t *testing.T, resp *http.Response, body string) {
	t.Helper()
	if id := resp.Header.Get("X-Amzn-Requestid"); !requestIDForm.MatchString(id) {
		t.Errorf("request id %q", id)
	}
	if got, want := resp.Header.Get("X-Amz-Crc32"), strconv.Itoa(int(crc32.ChecksumIEEE([]byte(body)))); got != want {
		t.Errorf("crc32 %s, want %s", got, want)
	}
	if got, want := resp.Header.Get("Content-Length"), strconv.Itoa(len(body)); got != want {
		t.Errorf("content length %s, want %s", got, want)
	}
	if got := resp.Header.Get("Server"); got != "Server" {
		t.Errorf("server %q", got)
	}
}

const (
	serialization = `{"__type":"com.amazon.coral.service#SerializationException"}`
	unknownOp     = `{"__type":"com.amazon.coral.service#UnknownOperationException"}`
	notFoundXML   = "<UnknownOperationException/>\n"
)

func auth(code, text string) string {
	return `{"__type":"com.amazon.coral.service#` + code + `","message":"` + text + `"}`
}

// TestFront checks the steps before an operation's own, in the order of behaviours/01 §1.1. The CRC values of the
// first group were recorded from the service.
func TestFront(t *testing.T) {
	const (
		jsonType = "Content-Type: application/json"
		amzType  = "Content-Type: application/x-amz-json-1.0"
		list     = "X-Amz-Target: DynamoDB_20120810.Echo"
		missing  = "Request is missing Authentication Token"
	)
	tests := []struct {
		name        string
		request     *http.Request
		status      int
		body        string
		contentType string
		crc         string // recorded value, "" when there is none
	}{
		{"options without origin", newRequest("OPTIONS", "/", ""), 404, notFoundXML, "", "3552371480"},
		{"put", newRequest("PUT", "/", ""), 404, notFoundXML, "", "3552371480"},
		{"delete", newRequest("DELETE", "/", ""), 404, notFoundXML, "", ""},
		{"other path", newRequest("POST", "/x", "{}", amzType, list, "Authorization: "+signature), 404, notFoundXML, "", ""},
		{"get other path", newRequest("GET", "/x", ""), 404, notFoundXML, "", ""},
		{"get", newRequest("GET", "/", ""), 200, "healthy: dynamodb.us-east-1.amazonaws.com ", "", "3128867991"},
		{"body without type", newRequest("POST", "/", "hi"), 404, notFoundXML, "", ""},
		{"body of odd type", newRequest("POST", "/", "hi", "Content-Type: whatever"), 404, notFoundXML, "", ""},
		{"body of newer type", newRequest("POST", "/", "hi", "Content-Type: application/x-amz-json-1.1"), 404, notFoundXML, "", ""},
		{"type with a tail", newRequest("POST", "/", "hi", "Content-Type: application/jsonasdf"), 404, notFoundXML, "", ""},

		{"no json", newRequest("POST", "/", "hi", jsonType), 400, serialization, "application/json", "3948637019"},
		{"no json, amz type", newRequest("POST", "/", "hi", amzType), 400, serialization, "application/x-amz-json-1.0", "3948637019"},
		{"no json, parameter", newRequest("POST", "/", "hi", "Content-Type:   application/json  ;   asfd"), 400, serialization, "application/json", ""},
		{"trailing garbage", newRequest("POST", "/", "{} x", amzType), 400, serialization, "application/x-amz-json-1.0", ""},
		{"bad json beats bad target", newRequest("POST", "/", "{", amzType, "X-Amz-Target: x"), 400, serialization, "application/x-amz-json-1.0", ""},
		{"bad json beats missing auth", newRequest("POST", "/", "{", amzType, list), 400, serialization, "application/x-amz-json-1.0", ""},

		{"no target", newRequest("POST", "/", ""), 400, unknownOp, "application/json", "1368724161"},
		{"no target, body", newRequest("POST", "/", "{}", amzType), 400, unknownOp, "application/x-amz-json-1.0", ""},
		{"odd target", newRequest("POST", "/", "", "X-Amz-Target: whatever"), 400, unknownOp, "application/json", ""},
		{"odd operation", newRequest("POST", "/", "", "X-Amz-Target: DynamoDB_20120810.Ech"), 400, unknownOp, "application/json", ""},
		{"old prefix", newRequest("POST", "/", "", "X-Amz-Target: DynamoDB_20111205.Echo"), 400, unknownOp, "application/json", ""},

		{"no auth", newRequest("POST", "/", "", list), 400, auth("MissingAuthenticationTokenException", missing), "application/json", "2088342776"},
		{"auth of other kind", newRequest("POST", "/", "", list, "Authorization: AWS4"), 400, auth("MissingAuthenticationTokenException", missing), "application/json", "2088342776"},
		{"odd query", newRequest("POST", "/?X-Amz-Algorith", "", list, "Authorization: X"), 400, auth("MissingAuthenticationTokenException", missing), "application/json", ""},
		{"query without algorithm", newRequest("POST", "/?X-Amz-Credential=a&X-Amz-Signature=b&X-Amz-SignedHeaders=c&X-Amz-Date=d", "", list), 400, auth("MissingAuthenticationTokenException", missing), "application/json", ""},
		{"header and query", newRequest("POST", "/?X-Amz-Algorithm", "", list, "Authorization: X"), 400, auth("InvalidSignatureException", "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."), "application/json", "2139606068"},
		{"empty header", newRequest("POST", "/", "", list, "Authorization: AWS4-"), 400, auth("IncompleteSignatureException",
			"Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. "+
				"Authorization header requires 'SignedHeaders' parameter. Authorization header requires existence of either a "+
				"'X-Amz-Date' or a 'Date' header. Authorization=AWS4-"), "application/json", "1828866742"},
		{"header by spaces", newRequest("POST", "/", "", list, "Date: a", "Authorization: AWS4- Signature=b Credential=a"), 400, auth("IncompleteSignatureException",
			"Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- Signature=b Credential=a"), "application/json", "15336762"},
		{"header by commas", newRequest("POST", "/", "", list, "Date: a", "Authorization: AWS4- Signature=b,Credential=a"), 400, auth("IncompleteSignatureException",
			"Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- Signature=b,Credential=a"), "application/json", "1159703774"},
		{"header by both", newRequest("POST", "/", "", list, "Date: a", "Authorization: AWS4- Signature=b, Credential=a"), 400, auth("IncompleteSignatureException",
			"Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- Signature=b, Credential=a"), "application/json", "164353342"},
		{"empty query", newRequest("POST", "/?X-Amz-Algorithm", "", list), 400, auth("IncompleteSignatureException",
			"AWS query-string parameters must include 'X-Amz-Algorithm'. AWS query-string parameters must include 'X-Amz-Credential'. "+
				"AWS query-string parameters must include 'X-Amz-Signature'. AWS query-string parameters must include 'X-Amz-SignedHeaders'. "+
				"AWS query-string parameters must include 'X-Amz-Date'. Re-examine the query-string parameters."), "application/json", "2900502663"},
		{"query without signed headers", newRequest("POST", "/?X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c&X-Amz-Date=d", "", list), 400, auth("IncompleteSignatureException",
			"AWS query-string parameters must include 'X-Amz-SignedHeaders'. Re-examine the query-string parameters."), "application/json", "3712057481"},
		{"algorithm", newRequest("POST", "/", "", list, "Date: a", "Authorization: AWS4-X Credential=a/b/c/d/e, SignedHeaders=h, Signature=s"), 400, auth("IncompleteSignatureException",
			"Unsupported AWS 'algorithm': 'AWS4-X' (only AWS4-HMAC-SHA256 for now). "), "application/json", ""},
		{"credential", newRequest("POST", "/", "", list, "Date: a", "Authorization: AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=h, Signature=s"), 400, auth("IncompleteSignatureException",
			"Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got 'a/b'"), "application/json", ""},

		{"empty body", signed("Echo", ""), 400, serialization, "application/x-amz-json-1.0", ""},
		{"success", signed("Echo", `{"a":1}`), 200, `{"a":1}`, "application/x-amz-json-1.0", ""},
		{"success, json", newRequest("POST", "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=a/b/c/d/e&X-Amz-Signature=c&X-Amz-SignedHeaders=h&X-Amz-Date=d",
			"{}", list, "Content-Type: application/json; charset=utf-8"), 200, "{}", "application/json", ""},
		{"service error", signed("Missing", "{}"), 400, `{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found"}`, "application/x-amz-json-1.0", ""},
		{"internal error", signed("Broken", "{}"), 500, `{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"pipe"}`, "application/x-amz-json-1.0", ""},
		{"unknown content encoding", signed("Echo", "{}", "Content-Encoding: br"), 500, `{"__type":"com.amazon.coral.service#InternalFailure","message":""}`, "application/x-amz-json-1.0", ""},
		{"corrupt gzip", signed("Echo", "{}", "Content-Encoding: gzip"), 500, `{"__type":"com.amazon.coral.service#InternalFailure","message":""}`, "application/x-amz-json-1.0", ""},
	}
	h := newTestHandler(Config{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			resp := serve(h, tt.request)
			body := readAllOf(t, resp)
			if resp.StatusCode != tt.status || body != tt.body {
				t.Errorf("%d %s\nwant %d %s", resp.StatusCode, body, tt.status, tt.body)
			}
			if got := resp.Header.Get("Content-Type"); got != tt.contentType {
				t.Errorf("content type %q, want %q", got, tt.contentType)
			}
			if got := resp.Header.Get("X-Amz-Crc32"); tt.crc != "" && got != tt.crc {
				t.Errorf("crc32 %s, want the recorded %s", got, tt.crc)
			}
			checkCommon(t, resp, body)
		})
	}
}

func TestCORS(t *testing.T) {
	h := newTestHandler(Config{})
	preflight := serve(h, newRequest("OPTIONS", "/", "", "Origin: x",
		"Access-Control-Request-Headers: a, b", "Access-Control-Request-Method: d"))
	plain := serve(h, newRequest("OPTIONS", "/", "", "Origin: x"))
	call := serve(h, signed("Echo", "{}", "Origin: x"))
	want := []map[string]string{
		{"Access-Control-Allow-Origin": "*", "Access-Control-Max-Age": "172800", "Access-Control-Allow-Headers": "a, b",
			"Access-Control-Allow-Methods": "d", "Content-Length": "0"},
		{"Access-Control-Allow-Origin": "*", "Access-Control-Max-Age": "172800", "Access-Control-Allow-Headers": "",
			"Access-Control-Allow-Methods": "", "Content-Length": "0"},
		{"Access-Control-Allow-Origin": "*", "Access-Control-Max-Age": "", "Access-Control-Allow-Headers": "",
			"Access-Control-Allow-Methods": "", "Content-Length": "2"},
	}
	for i, resp := range []*http.Response{preflight, plain, call} {
		got := map[string]string{}
		for name := range want[i] {
			got[name] = resp.Header.Get(name)
		}
		if diff := cmp.Diff(want[i], got); diff != "" {
			t.Errorf("reply %d (-want +got)\n%s", i, diff)
		}
		if resp.StatusCode != 200 {
			t.Errorf("reply %d has status %d", i, resp.StatusCode)
		}
	}
}

// unsized hides the length of a body, as chunked encoding does.
type unsized struct{ io.Reader }

func TestBodySize(t *testing.T) {
	body := func(n int) string { return `"` + strings.Repeat("a", n-2) + `"` }
	compressed := func(n int) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		io.WriteString(w, body(n))
		w.Close()
		return b.String()
	}
	chunked := func(n int) *http.Request {
		r := signed("Echo", "")
		r.Body, r.ContentLength = io.NopCloser(unsized{strings.NewReader(body(n))}), -1
		return r
	}
	h := newTestHandler(Config{})
	tests := []struct {
		name    string
		request *http.Request
		status  int
	}{
		{"at the limit", signed("Echo", body(api.MaxBodyBytes)), 200},
		{"over the limit", signed("Echo", body(api.MaxBodyBytes+1)), 413},
		{"over, before anything else", newRequest("PUT", "/", body(api.MaxBodyBytes+1)), 413},
		{"chunked, at the limit", chunked(api.MaxBodyBytes), 200},
		{"chunked, over the limit", chunked(api.MaxBodyBytes + 1), 413},
		{"gzip, at the limit", signed("Echo", compressed(api.MaxBodyBytes), "Content-Encoding: gzip"), 200},
		{"gzip, over the limit", signed("Echo", compressed(api.MaxBodyBytes+1), "Content-Encoding: gzip"), 413},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			resp := serve(h, tt.request)
			got := readAllOf(t, resp)
			if resp.StatusCode != tt.status {
				t.Errorf("status %d, want %d", resp.StatusCode, tt.status)
			}
			if tt.status == 413 && (got != "" || resp.Header.Get("X-Amzn-Requestid") != "") {
				t.Errorf("413 with a body of %d bytes and request id %q", len(got), resp.Header.Get("X-Amzn-Requestid"))
			}
			if tt.status == 200 && len(got) != api.MaxBodyBytes {
				t.Errorf("echo of %d bytes", len(got))
			}
		})
	}
}

func TestHeaderSize(t *testing.T) {
	h := newTestHandler(Config{})
	long := strings.Repeat("a", 16<<10)
	for name, r := range map[string]*http.Request{
		"line":    newRequest("POST", "/?"+long, ""),
		"headers": signed("Echo", "{}", "X-Long: "+long),
		"many":    signed("Echo", "{}", "X-Long: "+long[:9000], "X-Long: "+long[:9000]),
	} {
		resp := serve(h, r)
		if body := readAllOf(t, resp); resp.StatusCode != 400 || body != "" {
			t.Errorf("%s: %d %s", name, resp.StatusCode, body)
		}
	}
	if resp := serve(h, signed("Echo", "{}", "X-Long: "+long[:15<<10])); resp.StatusCode != 200 {
		t.Errorf("headers under the limit: %d", resp.StatusCode)
	}
}

func TestCompressedRequest(t *testing.T) {
	var gz, twice, deflated bytes.Buffer
	w := gzip.NewWriter(&gz)
	io.WriteString(w, `{"a":1}`)
	w.Close()
	for _, part := range []string{`{"a"`, `:1}`} {
		w := gzip.NewWriter(&twice)
		io.WriteString(w, part)
		w.Close()
	}
	zw := zlib.NewWriter(&deflated)
	io.WriteString(zw, `{"a":1}`)
	zw.Close()
	h := newTestHandler(Config{})
	for name, r := range map[string]*http.Request{
		"gzip":        signed("Echo", gz.String(), "Content-Encoding: gzip"),
		"two members": signed("Echo", twice.String(), "Content-Encoding: gzip"),
		"deflate":     signed("Echo", deflated.String(), "Content-Encoding: deflate"),
		"identity":    signed("Echo", `{"a":1}`, "Content-Encoding: identity"),
	} {
		if body := readAllOf(t, serve(h, r)); body != `{"a":1}` {
			t.Errorf("%s: %s", name, body)
		}
	}
}

func TestCompressedReply(t *testing.T) {
	long := `"` + strings.Repeat("abc", 5000) + `"`
	tests := []struct {
		name, body string
		accept     []string
		encoding   string
	}{
		{"not asked for", long, nil, ""},
		{"identity", long, []string{"identity"}, ""},
		{"gzip", long, []string{"gzip"}, "gzip"},
		{"deflate first", long, []string{"br, deflate;q=0.5, gzip"}, "deflate"},
		{"gzip refused", long, []string{"gzip;q=0"}, ""},
		{"only the first header counts", long, []string{"identity", "gzip"}, ""},
		{"4,096 bytes", `"` + strings.Repeat("a", 4094) + `"`, []string{"gzip"}, ""},
		{"4,097 bytes", `"` + strings.Repeat("a", 4095) + `"`, []string{"gzip"}, "gzip"},
	}
	h := newTestHandler(Config{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := signed("Echo", tt.body)
			r.Header["Accept-Encoding"] = tt.accept
			resp := serve(h, r)
			sent := readAllOf(t, resp)
			checkCommon(t, resp, sent) // length and checksum are those of the bytes sent
			if got := resp.Header.Get("Content-Encoding"); got != tt.encoding {
				t.Fatalf("encoding %q, want %q", got, tt.encoding)
			}
			var plain io.Reader = strings.NewReader(sent)
			var err error
			switch tt.encoding {
			case "gzip":
				plain, err = gzip.NewReader(plain)
			case "deflate":
				plain, err = zlib.NewReader(plain)
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(plain)
			if err != nil || string(got) != tt.body {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
}

func TestCaller(t *testing.T) {
	h := newTestHandler(Config{Region: "eu-central-1", Account: "000000000001"})
	sign := func(credential string) string {
		return "AWS4-HMAC-SHA256 Credential=" + credential + ", SignedHeaders=host, Signature=0"
	}
	for credential, want := range map[string]string{
		"AKID/20260101/us-west-2/dynamodb/aws4_request":         "000000000001 us-west-2",
		"111122223333/20260101/us-west-2/dynamodb/aws4_request": "111122223333 us-west-2",
		"11112222333/20260101/us-west-2/dynamodb/aws4_request":  "000000000001 us-west-2",
		"11112222333x/20260101/us-west-2/x/y":                   "000000000001 us-west-2",
		"AKID/20260101//dynamodb/aws4_request":                  "000000000001 eu-central-1",
		"AKID/20260101/US_EAST/dynamodb/aws4_request":           "000000000001 eu-central-1",
		"AKID/1/" + strings.Repeat("a", 33) + "/d/t":            "000000000001 eu-central-1",
	} {
		r := signed("Who", "{}")
		r.Header.Set("Authorization", sign(credential))
		body := readAllOf(t, serve(h, r))
		if !strings.Contains(body, `"`+want+`"`) {
			t.Errorf("%s: %s, want %s", credential, body, want)
		}
	}
}

func TestShared(t *testing.T) {
	h := newTestHandler(Config{Shared: true})
	r := signed("Who", "{}")
	r.Header.Set("Authorization", strings.Replace(signature, "AKID", "111122223333", 1))
	if body := readAllOf(t, serve(h, r)); !strings.Contains(body, `"123456789012 us-east-1"`) {
		t.Error(body)
	}
}

func TestWording(t *testing.T) {
	for wording, want := range map[api.Wording]string{
		api.WordingCurrent: "1 validation error detected: new",
		api.WordingClassic: "old",
	} {
		h := newTestHandler(Config{Wording: wording})
		got := readAllOf(t, serve(h, signed("PutItem", "{}")))
		if want := `{"__type":"com.amazon.coral.validate#ValidationException","message":"` + want + `"}`; got != want {
			t.Errorf("%v: %s, want %s", wording, got, want)
		}
	}
}

func TestPanic(t *testing.T) {
	var log bytes.Buffer
	h := newTestHandler(Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	resp := serve(h, signed("Panic", "{}"))
	body := readAllOf(t, resp)
	id := resp.Header.Get("X-Amzn-Requestid")
	if resp.StatusCode != 500 || !strings.Contains(body, "#InternalServerError") || !strings.Contains(body, id) {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	checkCommon(t, resp, body)
	for _, want := range []string{"boom", id, "operation=Panic", "front_test.go"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q: %s", want, log.String())
		}
	}
}

func TestRequestLog(t *testing.T) {
	var log bytes.Buffer
	h := newTestHandler(Config{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	id := serve(h, signed("Missing", "{}")).Header.Get("X-Amzn-Requestid")
	for _, want := range []string{"level=DEBUG", "id=" + id, "operation=Missing", "key=AKID", "region=eu-west-1",
		"status=400", "error=ResourceNotFoundException", "received=2", "sent=", "took="} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q: %s", want, log.String())
		}
	}
	serve(h, signed("Echo", strings.Repeat("a", api.MaxBodyBytes+1)))
	if n := strings.Count(log.String(), "\n"); n != 2 || !strings.Contains(log.String(), "status=413") {
		t.Errorf("%d lines for two requests: %s", n, log.String())
	}
}

func TestGuardHost(t *testing.T) {
	h := GuardHost(newTestHandler(Config{}), "Dynamo.test")
	for host, want := range map[string]int{
		"localhost:8000":       200,
		"localhost":            200,
		"LOCALHOST:1":          200,
		"db.localhost":         200,
		"localhost.:8000":      200,
		"127.0.0.1:8000":       200,
		"127.9.9.9":            200,
		"[::1]:8000":           200,
		"[::1]":                200,
		"":                     200,
		"dynamo.test:8000":     200,
		"evil.example:8000":    403,
		"localhost.evil.com":   403,
		"192.168.1.5":          403,
		"127.0.0.1.nip.io":     403,
		"notlocalhost":         403,
		"xlocalhost:8000":      403,
		"[fe80::1]:80":         403,
		"dynamo.test.evil.com": 403,
	} {
		r := signed("Echo", "{}")
		r.Host = host
		if got := serve(h, r).StatusCode; got != want {
			t.Errorf("host %q: %d, want %d", host, got, want)
		}
	}
}

func TestReplyIsOneWrite(t *testing.T) {
	w := &countingWriter{header: http.Header{}}
	newTestHandler(Config{}).ServeHTTP(w, signed("Echo", `{"a":1}`))
	if w.writes != 1 || w.status != 200 {
		t.Errorf("%d writes, status %d", w.writes, w.status)
	}
}

type countingWriter struct {
	header http.Header
	writes int
	status int
}

func (w *countingWriter) Header() http.Header         { return w.header }
func (w *countingWriter) WriteHeader(status int)      { w.status = status }
func (w *countingWriter) Write(b []byte) (int, error) { w.writes++; return len(b), nil }

func TestTargetsRefusesDuplicates(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	targets(map[string][]*operation{targetData: {echo("A", nil), echo("A", nil)}})
}

func TestContextReachesTheOperation(t *testing.T) {
	type key struct{}
	h := newTestHandler(Config{})
	var got any
	h.operations = targets(map[string][]*operation{targetData: {op("Look",
		func(string, *echoInput) error { return nil },
		func(*echoInput) []api.Violation { return nil },
		func(*request.Compiler, *echoInput, request.Scope) (*echoCommand, error) { return nil, nil },
		func(_ *engine.Region, ctx context.Context, _ *echoCommand) (*echoOutput, error) {
			got = ctx.Value(key{})
			return &echoOutput{}, nil
		},
		func(dst []byte, _ *echoOutput) []byte { return dst },
	)}})
	r := signed("Look", "{}")
	serve(h, r.WithContext(context.WithValue(r.Context(), key{}, 7)))
	if got != 7 {
		t.Errorf("context value %v", got)
	}
}

// closed is the Source of a database that was closed.
type closed struct{}

func (closed) Acquire() *engine.Engine { return nil }
func (closed) Release()                {}

func TestClosed(t *testing.T) {
	resp := serve(newTestHandler(Config{Source: closed{}}), signed("Echo", "{}"))
	body := readAllOf(t, resp)
	if resp.StatusCode != 503 || !strings.Contains(body, "ServiceUnavailable") {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
}

func TestViolations(t *testing.T) {
	h := newTestHandler(Config{})
	h.operations = targets(map[string][]*operation{targetData: {op("Strict",
		func(string, *echoInput) error { return nil },
		func(*echoInput) []api.Violation { return []api.Violation{{Text: "one"}, {Text: "two"}} },
		func(*request.Compiler, *echoInput, request.Scope) (*echoCommand, error) {
			t.Error("compiled in spite of violations")
			return nil, nil
		},
		func(*engine.Region, context.Context, *echoCommand) (*echoOutput, error) { return nil, nil },
		func(dst []byte, _ *echoOutput) []byte { return dst },
	)}})
	got := readAllOf(t, serve(h, signed("Strict", "{}")))
	want := `{"__type":"com.amazon.coral.validate#ValidationException","message":"2 validation errors detected: one; two"}`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
