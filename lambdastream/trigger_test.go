package lambdastream_test

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/dynalite-go/dynalite/lambdastream"
)

// endpoint is a URL that keeps the events it gets, and answers as a test wants.
type endpoint struct {
	*httptest.Server
	mu     sync.Mutex
	events []events.DynamoDBEvent // guarded by mu
	answer http.HandlerFunc       // guarded by mu
}

func newEndpoint(t *testing.T, answer http.HandlerFunc) *endpoint {
	t.Helper()
	e := &endpoint{answer: answer}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var event events.DynamoDBEvent
		if err == nil {
			err = json.Unmarshal(body, &event)
		}
		if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s with error %v: %s", r.Method, r.Header, err, body)
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		e.events = append(e.events, event)
		e.answer(w, r)
	}))
	t.Cleanup(e.Close)
	return e
}

// calls are the records of each call, by name.
func (e *endpoint) calls() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []string
	for _, event := range e.events {
		var names []string
		for i := range event.Records {
			names = append(names, name(&event.Records[i]))
		}
		out = append(out, strings.Join(names, " "))
	}
	return out
}

func answer(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

func TestTriggerResponses(t *testing.T) {
	t.Parallel()
	report := lambdastream.WithBatchItemFailures()
	once, twice := []string{"a/1 a/2"}, []string{"a/1 a/2", "a/1 a/2"}
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		opts   []lambdastream.Option
		calls  []string
		failed string // of the last failure
	}{
		{"success", answer(`"done"`), nil, once, ""},
		{"no content", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, nil, once, ""},
		{"no JSON", answer("ok {"), []lambdastream.Option{report}, once, ""},
		{"status 500", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "sorry", 500) }, nil, twice, "500 Internal Server Error: sorry"},
		{"status 404", http.NotFound, nil, twice, "404 Not Found"},
		{"function error", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Amz-Function-Error", "Unhandled")
			_, _ = io.WriteString(w, `{"errorMessage":"oops"}`)
		}, nil, twice, `200 OK: {"errorMessage":"oops"}`},
		{"function error of the emulator", answer(`{"errorType":"KeyError","errorMessage":"'x'","stackTrace":[]}`), nil, twice, "KeyError"},
		{"time-out of the emulator", answer("Task timed out after 3.00 seconds"), nil, twice, "Task timed out"},
		{"connection lost", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, nil, twice, "EOF"},

		// Recorded on the service in November 2025.
		{"empty list", answer(`[]`), []lambdastream.Option{report}, once, ""},
		{"null", answer(`null`), []lambdastream.Option{report}, once, ""},
		{"empty object", answer(`{}`), []lambdastream.Option{report}, once, ""},
		{"no failures", answer(`{"batchItemFailures":[]}`), []lambdastream.Option{report}, once, ""},
		{"null failures", answer(`{"batchItemFailures":null}`), []lambdastream.Option{report}, once, ""},
		{"identifier of a wrong type", answer(`{"batchItemFailures":[{"itemIdentifier":123}]}`), []lambdastream.Option{report}, twice, "not in the batch"},
		{"empty identifier", answer(`{"batchItemFailures":[{"itemIdentifier":""}]}`), []lambdastream.Option{report}, twice, "not in the batch"},
		{"null identifier", answer(`{"batchItemFailures":[{"itemIdentifier":null}]}`), []lambdastream.Option{report}, twice, "not in the batch"},
		{"no identifier", answer(`{"batchItemFailures":[{"foo":null}]}`), []lambdastream.Option{report}, twice, "not in the batch"},
		{"unknown identifier", answer(`{"batchItemFailures":[{"itemIdentifier":"1"}]}`), []lambdastream.Option{report}, twice, "not in the batch"},
		{"not asked for", answer(`{"batchItemFailures":[{"itemIdentifier":""}]}`), nil, once, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			db := newDB(t)
			putMany(t, db, "a", 2)
			e := newEndpoint(t, tt.answer)
			var failed error
			opts := append(tt.opts, lambdastream.WithRetries(1), lambdastream.WithOnFailure(func(f lambdastream.Failure) { failed = f.Err }))
			c, err := lambdastream.NewTrigger(db, table, e.URL, opts...)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			wait(t, c)
			db.Advance(time.Second)
			wait(t, c)
			if got := e.calls(); !slices.Equal(got, tt.calls) {
				t.Errorf("got calls %q, want %q", got, tt.calls)
			}
			if tt.failed == "" && failed != nil || tt.failed != "" && (failed == nil || !strings.Contains(failed.Error(), tt.failed)) {
				t.Errorf("got failure %v, want %q", failed, tt.failed)
			}
		})
	}
}

func TestTriggerReportsItems(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	putMany(t, db, "a", 3)
	e := newEndpoint(t, nil)
	e.answer = func(w http.ResponseWriter, _ *http.Request) {
		records := e.events[len(e.events)-1].Records
		if len(e.events) == 1 {
			_, _ = io.WriteString(w, `{"other":[{}],"batchItemFailures":[{"x":1,"itemIdentifier":"`+records[1].Change.SequenceNumber+`"}]}`)
		}
	}
	c, err := lambdastream.NewTrigger(db, table, e.URL, lambdastream.WithBatchItemFailures())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	wait(t, c)
	db.Advance(time.Second)
	wait(t, c)
	if got, want := e.calls(), []string{"a/1 a/2 a/3", "a/2 a/3"}; !slices.Equal(got, want) {
		t.Errorf("got calls %q, want %q", got, want)
	}
}

// A URL that is down is tried again until it is there, and holds up nobody.
func TestTriggerOfURLThatIsDown(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	db := newDB(t)
	c, err := lambdastream.NewTrigger(db, table, "http://"+addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	putMany(t, db, "a", 2)
	wait(t, c)
	db.Advance(time.Minute)
	wait(t, c)
	if got := c.Stats(); got.Failures < 2 || got.Records > 0 {
		t.Errorf("%+v", got)
	}
	l, err = net.Listen("tcp", addr)
	if err != nil {
		t.Skip("the port was taken meanwhile")
	}
	s := &http.Server{Handler: answer("null")}
	defer s.Close()
	go s.Serve(l)
	db.Advance(time.Minute)
	wait(t, c)
	if got := c.Stats(); got.Records != 2 {
		t.Errorf("%+v", got)
	}
}

func TestTriggerThatHangs(t *testing.T) {
	t.Parallel()
	began := make(chan struct{}, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		began <- struct{}{}
		<-r.Context().Done()
	}))
	defer s.Close()
	db := newDB(t)
	put(t, db, "a", 1)
	c, err := lambdastream.NewTrigger(db, table, s.URL, lambdastream.WithTimeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		<-began
		db.Advance(time.Minute)
		wait(t, c)
		db.Advance(time.Second)
	}
	if got := c.Stats().Failures; got < 2 {
		t.Errorf("%d failures", got)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func TestTriggerChecksItsURL(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	for _, u := range []string{"", "127.0.0.1:9000", "ftp://x", "http://", "http://a b"} {
		if _, err := lambdastream.NewTrigger(db, table, u); err == nil || !strings.Contains(err.Error(), "is not an http or https URL") {
			t.Errorf("%q: %v", u, err)
		}
	}
	if _, err := lambdastream.NewTrigger(db, table, "http://x", lambdastream.WithFilters("{}")); err == nil {
		t.Error("no error for a wrong filter")
	} else if _, ok := errors.AsType[*lambdastream.FilterError](err); !ok {
		t.Errorf("%T", err)
	}
}

func FuzzTriggerResponse(f *testing.F) {
	f.Add(`{"batchItemFailures":[{"itemIdentifier":"1"}]}`)
	f.Add(`{"errorType":"x","errorMessage":"y"}`)
	f.Add("Task timed out after 3.00 seconds")
	f.Fuzz(func(t *testing.T, body string) { lambdastream.ReadResponse(body) })
}
