package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// stub is an endpoint that keeps track of its tables and answers everything else as told.
type stub struct {
	mu     sync.Mutex
	tables map[string]bool
	answer http.HandlerFunc
}

func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var request struct{ TableName string }
	_ = json.Unmarshal(body, &request)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch _, op, _ := strings.Cut(r.Header.Get("X-Amz-Target"), "."); op {
	case "CreateTable":
		s.tables[request.TableName] = true
		fmt.Fprintf(w, `{"TableDescription": {"TableArn": "arn:aws:dynamodb:us-east-1:111122223333:table/%s"}}`, request.TableName)
	case "DescribeTable":
		fmt.Fprint(w, `{"Table": {"TableStatus": "ACTIVE"}}`)
	case "DeleteTable":
		delete(s.tables, request.TableName)
		fmt.Fprint(w, `{}`)
	default:
		s.mu.Unlock()
		s.answer(w, r)
		s.mu.Lock()
	}
}

func (s *stub) left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.tables)
}

// serve starts a stub.
func serve(t *testing.T, answer http.HandlerFunc) (*stub, Target) {
	t.Helper()
	s := &stub{tables: map[string]bool{}, answer: answer}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	target := Endpoint(server.URL)
	target.Deadline = 300 * time.Millisecond
	target.Settle = time.Second
	return s, target
}

func script(t *testing.T, text string) *Script {
	t.Helper()
	s, err := Parse("some/file.txt", text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const getCase = "topic T\ntable t pk S\ncase get\n    GetItem t {\"Key\": {\"pk\": {\"S\": \"${account}\"}}}\n        => {\"Item\": {}}\n"

// TestBadEndpoints: whatever an endpoint does, a case ends with a result that says so, and nothing is left behind.
func TestBadEndpoints(t *testing.T) {
	for name, test := range map[string]struct {
		answer  http.HandlerFunc
		outcome Outcome
		detail  string
	}{
		"right": {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{"Item": {}}`) }, Passed, ""},
		"HTML": {func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusBadGateway)
			fmt.Fprint(w, "<html>Bad gateway</html>")
		}, Differs, "Bad gateway"},
		"nothing": {func(w http.ResponseWriter, r *http.Request) {}, Differs, `string("")`},
		"slow": {func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-time.After(3 * time.Second):
			}
		}, Broken, "no answer within the deadline"},
		"truncated": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, `{"Item"`)
		}, Broken, "body broke off"},
		"closed": {func(w http.ResponseWriter, r *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				conn.Close()
			}
		}, Broken, "EOF"},
		"not gzip": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			fmt.Fprint(w, "plain")
		}, Broken, "no gzip"},
		"null": {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "null") }, Differs, "null"},
		"list": {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "[1]") }, Differs, "float64(1)"},
		"error of another shape": {func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"__type": 5, "message": ["x"]}`)
		}, Differs, "float64(400)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, target := serve(t, test.answer)
			r, err := NewRunner(target, WithScripts(script(t, getCase)))
			if err != nil {
				t.Fatal(err)
			}
			report, err := r.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Results) != 1 {
				t.Fatalf("%d results", len(report.Results))
			}
			res := report.Results[0]
			if res.Outcome != test.outcome || !strings.Contains(res.Detail+res.Received, test.detail) {
				t.Errorf("%v, want %v with %q\n%s", res.Outcome, test.outcome, test.detail, res.Text())
			}
			if test.outcome != Passed && !strings.Contains(res.Text(), "some/file.txt:4") {
				t.Errorf("no position in\n%s", res.Text())
			}
			if n := s.left(); n != 0 {
				t.Errorf("%d tables are left", n)
			}
		})
	}
}

// TestDownEndpoint: nobody listens.
func TestDownEndpoint(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	target := Endpoint("http://" + l.Addr().String())
	target.Settle, target.Deadline = time.Second, time.Second
	r, err := NewRunner(target, WithScripts(script(t, getCase)))
	if err != nil {
		t.Fatal(err)
	}
	report, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if res := report.Results[0]; res.Outcome != Broken || !strings.Contains(res.Detail, "set-up") || !report.Failed() {
		t.Errorf("%v", res.Text())
	}
}

// TestInterrupt: an interrupted run deletes its tables, keeps what it has, and can go on from its journal.
func TestInterrupt(t *testing.T) {
	var calls atomic.Int64
	ctx, cancel := context.WithCancel(t.Context())
	answer := func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 3 {
			cancel()
			<-r.Context().Done()
			return
		}
		fmt.Fprint(w, `{"Item": {}}`)
	}
	s, target := serve(t, answer)
	target.Deadline = 5 * time.Second
	five := script(t, getCase+"    each\n        | a |\n        | 1 |\n        | 2 |\n        | 3 |\n        | 4 |\n        | 5 |\n")
	var journal bytes.Buffer
	record := Observe(func(e Event) {
		if e.Result != nil {
			if err := WriteJournal(&journal, *e.Result); err != nil {
				t.Error(err)
			}
		}
	})
	r, err := NewRunner(target, WithScripts(five), record)
	if err != nil {
		t.Fatal(err)
	}
	report, err := r.Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if !report.Interrupted || len(report.Results) != 2 || !report.Failed() {
		t.Errorf("%s", report.Summary())
	}
	if n := s.left(); n != 0 {
		t.Errorf("%d tables are left", n)
	}
	journal.WriteString(`{"File": "cut of`)
	done, err := ReadJournal(&journal)
	if err != nil {
		t.Fatal(err)
	}
	calls.Store(10)
	r, err = NewRunner(target, WithScripts(five), Resume(done))
	if err != nil {
		t.Fatal(err)
	}
	if report, err = r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(report.Results) != 5 || report.Failed() || calls.Load() != 13 {
		t.Errorf("%s, %d calls", report.Summary(), calls.Load())
	}
}

func TestSelection(t *testing.T) {
	s := script(t, `topic T
tags area
case a
    tags slow
    GetItem {}
case b
    PutItem {}
case c
    wording classic
    GetItem {}
`)
	names := func(wording Wording, options ...Option) string {
		r, err := NewRunner(Target{Wording: wording}, append(options, WithScripts(s))...)
		if err != nil {
			t.Fatal(err)
		}
		selected, err := r.selected(s)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, x := range selected {
			names = append(names, x.name)
		}
		return strings.Join(names, "")
	}
	for _, test := range []struct {
		got, want string
	}{
		{names(Current), "ab"},
		{names(Classic), "abc"},
		{names(AnyWording), "ab"},
		{names(Classic, WithTags("GetItem")), "ac"},
		{names(Classic, WithTags("area")), "abc"},
		{names(Classic, WithoutTags("slow")), "bc"},
		{names(Classic, WithTags("GetItem"), WithoutTags("slow")), "c"},
	} {
		if test.got != test.want {
			t.Errorf("selected %q, want %q", test.got, test.want)
		}
	}
}

func TestMaxCost(t *testing.T) {
	_, target := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{}`) })
	s := script(t, "topic T\ntable t pk S\ncase put\n    PutItem t {\"Item\": {\"pk\": {\"S\": \"${repeat 10000 a}\"}}}\n    each\n        | a |\n        | 1 |\n        | 2 |\n        | 3 |\n")
	r, err := NewRunner(target, WithScripts(s))
	if err != nil {
		t.Fatal(err)
	}
	all, cases, err := r.Estimate()
	if err != nil || cases != 3 || all <= 0 {
		t.Fatalf("estimate %v for %d cases, %v", all, cases, err)
	}
	r, err = NewRunner(target, WithScripts(s), MaxCost(all*2/3+1e-9))
	if err != nil {
		t.Fatal(err)
	}
	report, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if passed, _, _, skipped := report.Count(); passed != 2 || skipped != 1 {
		t.Errorf("%s", report.Summary())
	}
}

func TestReports(t *testing.T) {
	report := &Report{Target: "x", Took: 1500 * time.Millisecond, Results: []Result{
		{File: "a/b", Case: "good", Outcome: Passed},
		{File: "a/b", Case: "bad <&>", Outcome: Differs, Detail: "-a\n+b\x00]]>", Request: "GetItem {}", Line: 7},
		{File: "c/d", Case: "silent", Outcome: Broken, Detail: "EOF"},
		{File: "c/d", Case: "left out", Outcome: Skipped, Detail: "costs"},
	}}
	var text, js, junit, md bytes.Buffer
	for _, err := range []error{
		report.WriteText(&text), report.WriteJSON(&js), report.WriteJUnit(&junit), report.WriteMarkdown(&md),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"cases/a/b.txt:7: bad <&>: differs", "4 cases: 1 passed, 1 differ, 1 could not run, 1 skipped in 1.5s"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	var back Report
	if err := json.Unmarshal(js.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(report, &back); diff != "" {
		t.Errorf("JSON (-want +got)\n%s", diff)
	}
	var suites struct {
		Suites []struct {
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Skipped  int `xml:"skipped,attr"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(junit.Bytes(), &suites); err != nil {
		t.Fatalf("%v in\n%s", err, junit.String())
	}
	if len(suites.Suites) != 2 || suites.Suites[0].Failures != 1 || suites.Suites[1].Errors != 1 || suites.Suites[1].Skipped != 1 {
		t.Errorf("JUnit %+v", suites)
	}
	want := "| Area | Cases | As DynamoDB | Differ | Could not run | Skipped | Share |\n|---|---:|---:|---:|---:|---:|---:|\n" +
		"| a | 2 | 1 | 1 | 0 | 0 | 50.0 % |\n| c | 2 | 0 | 0 | 1 | 1 | 0.0 % |\n| **all** | 4 | 1 | 1 | 1 | 1 | 33.3 % |\n"
	if diff := cmp.Diff(want, md.String()); diff != "" {
		t.Errorf("Markdown (-want +got)\n%s", diff)
	}
}

func TestProgress(t *testing.T) {
	for _, terminal := range []bool{false, true} {
		var b bytes.Buffer
		p := NewProgress(&b, terminal, 60)
		p.Event(Event{File: "a/b", Total: 2})
		p.Event(Event{File: "a/b", Result: &Result{File: "a/b", Case: "x"}, Done: 1, Total: 2})
		p.Event(Event{File: "a/b", Result: &Result{File: "a/b", Case: "y", Outcome: Differs}, Done: 2, Total: 2})
		p.Event(Event{File: "a/b", Ended: true, Done: 2, Total: 2})
		p.Close()
		out := b.String()
		if !strings.Contains(out, "differs: a/b/y\n") {
			t.Errorf("terminal %v: %q", terminal, out)
		}
		if got := strings.Contains(out, "\x1b["); got != terminal {
			t.Errorf("terminal %v: %q", terminal, out)
		}
	}
}
