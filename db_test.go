package dynalite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/dynalite-go/dynalite/clock"
)

// call sends one operation through a client and returns status and body.
func call(t testing.TB, client *http.Client, url, op, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	sign(r, op)
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func sign(r *http.Request, op string) {
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+op)
	r.Header.Set("X-Amz-Date", "20260101T000000Z")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=AKID/20260101/us-east-1/dynamodb/aws4_request, "+
		"SignedHeaders=host, Signature=0")
}

// mustCall calls in-process and expects success.
func mustCall(t testing.TB, db *DB, op, body string) string {
	t.Helper()
	status, text := call(t, db.Client(), "http://dynamodb.local", op, body)
	if status != 200 {
		t.Fatalf("%s: %d %s", op, status, text)
	}
	return text
}

const createT = `{"TableName":"T-1","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],` +
	`"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`

func put(pk string) string {
	return fmt.Sprintf(`{"TableName":"T-1","Item":{"pk":{"S":%q}}}`, pk)
}

func has(t testing.TB, db *DB, pk string) bool {
	t.Helper()
	return mustCall(t, db, "GetItem", fmt.Sprintf(`{"TableName":"T-1","Key":{"pk":{"S":%q}}}`, pk)) != "{}"
}

func TestOptionsAreCheckedTogether(t *testing.T) {
	_, err := New(WithRegion("EU"), WithAccount("1"), WithWording(9), WithClock(nil), WithCreateDelay(-1), WithPartitions(-1))
	if err == nil {
		t.Fatal("no error")
	}
	want := []string{
		`dynalite: region "EU": want lower-case letters, digits and hyphens`,
		`dynalite: account "1": want twelve digits`,
		`dynalite: unknown wording 9`,
		`dynalite: no clock`,
		`dynalite: negative create delay -1ns`,
		`dynalite: -1 partitions: want 0 to 10000`,
	}
	if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// fakeTB records what Start does to a test.
type fakeTB struct {
	failed   string
	logged   []string
	cleanups []func()
}

func (f *fakeTB) Helper()                           {}
func (f *fakeTB) Cleanup(fn func())                 { f.cleanups = append(f.cleanups, fn) }
func (f *fakeTB) Fatalf(format string, args ...any) { f.failed = fmt.Sprintf(format, args...) }
func (f *fakeTB) Logf(format string, args ...any) {
	f.logged = append(f.logged, fmt.Sprintf(format, args...))
}

func TestStart(t *testing.T) {
	tb := &fakeTB{}
	db := Start(tb)
	mustCall(t, db, "ListTables", "{}")
	for _, fn := range tb.cleanups {
		fn()
	}
	if status, _ := call(t, db.Client(), "http://x", "ListTables", "{}"); status != 503 {
		t.Errorf("status %d after the end of the test, want 503", status)
	}
	if tb.failed != "" || len(tb.logged) > 0 {
		t.Errorf("failed %q, logged %q", tb.failed, tb.logged)
	}

	tb = &fakeTB{}
	Start(tb, WithRegion(""))
	if !strings.Contains(tb.failed, "region") {
		t.Errorf("a wrong option fails the test with %q", tb.failed)
	}
}

func TestTestLogger(t *testing.T) {
	tb := &fakeTB{}
	l := testLogger(tb)
	l.Info("quiet")
	l.Error("loud", "n", 1)
	if len(tb.logged) != 1 || !strings.Contains(tb.logged[0], "level=ERROR msg=loud n=1") {
		t.Errorf("logged %q", tb.logged)
	}
}

func TestCloseTwice(t *testing.T) {
	db, err := New()
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if _, err := db.Listen("127.0.0.1:0"); !errors.Is(err, ErrClosed) {
		t.Errorf("Listen: %v", err)
	}
	if err := db.Reset(); !errors.Is(err, ErrClosed) {
		t.Errorf("Reset: %v", err)
	}
}

func TestTransport(t *testing.T) {
	defer goleak.VerifyNone(t)
	db := Start(t)
	mustCall(t, db, "CreateTable", createT)
	mustCall(t, db, "PutItem", put("a"))
	if !has(t, db, "a") || has(t, db, "b") {
		t.Error("GetItem doesn't see what PutItem wrote")
	}

	r, _ := http.NewRequest("POST", "https://dynamodb.eu-west-1.amazonaws.com/", strings.NewReader("{}"))
	sign(r, "ListTables")
	resp, err := db.Transport().RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	got := map[string]any{
		"status": resp.Status, "code": resp.StatusCode, "length": resp.ContentLength, "proto": resp.Proto,
		"type": resp.Header.Get("Content-Type"), "body": string(body), "id": len(resp.Header.Get("X-Amzn-RequestId")),
		"request": resp.Request == r,
	}
	want := map[string]any{
		"status": "200 OK", "code": 200, "length": int64(len(body)), "proto": "HTTP/1.1",
		"type": "application/x-amz-json-1.0", "body": `{"TableNames":["T-1"]}`, "id": 52, "request": true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestTransportLength sends a body whose length the client doesn't tell.
func TestTransportLength(t *testing.T) {
	db := Start(t)
	r, _ := http.NewRequest("POST", "http://x", io.NopCloser(strings.NewReader("{}")))
	sign(r, "ListTables")
	resp, err := db.Client().Do(r)
	if err != nil || resp.StatusCode != 200 {
		t.Errorf("%v %v", resp, err)
	}
	if r.ContentLength != 0 {
		t.Error("the request was changed")
	}
	if resp, err := db.Client().Get("http://x/"); err != nil || resp.StatusCode != 200 {
		t.Errorf("health page without a body: %v %v", resp, err)
	}
}

// TestTransportLimits: what a connection refuses, the transport refuses too.
func TestTransportLimits(t *testing.T) {
	db := Start(t)
	long := strings.Repeat("a", 17<<10)
	for name, r := range map[string]*http.Request{
		"line":    httptest.NewRequest("GET", "http://x/?"+long, nil),
		"headers": httptest.NewRequest("GET", "http://x/", nil),
	} {
		r.RequestURI = ""
		if name == "headers" {
			r.Header.Set("X-Long", long)
		}
		if resp, err := db.Client().Do(r); err != nil || resp.StatusCode != 400 {
			t.Errorf("%s: %v %v", name, resp, err)
		}
	}
}

func TestTransportContext(t *testing.T) {
	db := Start(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	body := &closeRecorder{Reader: strings.NewReader("{}")}
	r, _ := http.NewRequestWithContext(ctx, "POST", "http://x", body)
	sign(r, "ListTables")
	if _, err := db.Transport().RoundTrip(r); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context canceled", err)
	}
	if !body.closed {
		t.Error("the body wasn't closed")
	}
}

type closeRecorder struct {
	io.Reader
	closed bool
}

func (c *closeRecorder) Close() error { c.closed = true; return nil }

func TestListen(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	db, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if got := db.URL(); got != "" {
		t.Errorf("URL %q before Listen", got)
	}
	url, err := db.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	second, err := db.Listen("localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	if url == second || db.URL() != url {
		t.Errorf("first %s, second %s, URL %s", url, second, db.URL())
	}
	client := &http.Client{Transport: &http.Transport{}}
	mustCall(t, db, "CreateTable", createT)
	for _, u := range []string{url, second} {
		if status, body := call(t, client, u, "ListTables", "{}"); status != 200 || !strings.Contains(body, "T-1") {
			t.Errorf("%s: %d %s", u, status, body)
		}
	}
	if _, err := db.Listen(strings.TrimPrefix(url, "http://")); err == nil {
		t.Error("listening twice on one address")
	}
	client.CloseIdleConnections()
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if _, err := client.Get(url); err == nil {
		t.Error("the listener answers after Close")
	}
}

func TestListenGuardsHosts(t *testing.T) {
	db := Start(t, WithAllowedHosts("db.test"))
	guarded, err := db.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	open, err := db.Listen("0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(open, "http://127.0.0.1:") {
		t.Errorf("URL %s of a listener on all addresses", open)
	}
	for _, tt := range []struct {
		url, host string
		status    int
	}{
		{guarded, "evil.example", 403},
		{guarded, "db.test:80", 200},
		{guarded, "localhost", 200},
		{open, "evil.example", 200},
	} {
		r, _ := http.NewRequest("GET", tt.url, nil)
		r.Host = tt.host
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != tt.status {
			t.Errorf("%s as %s: %d, want %d", tt.url, tt.host, resp.StatusCode, tt.status)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// TestBadHTTP sends what no HTTP client would.
func TestBadHTTP(t *testing.T) {
	var log bytes.Buffer
	db := Start(t, WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	url, err := db.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("a", 17<<10)
	for name, text := range map[string]string{
		"garbage":      "\x00\x01\x02\r\n\r\n",
		"no host":      "POST / HTTP/1.1\r\n\r\n",
		"long line":    "POST /" + long + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"long header":  "POST / HTTP/1.1\r\nHost: localhost\r\nX: " + long + "\r\n\r\n",
		"bad length":   "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
		"bad chunk":    "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
		"short body":   "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{}",
		"huge length":  "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n",
		"odd version":  "POST / HTTP/9.9\r\n\r\n",
		"no body type": "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi",
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		conn.SetDeadline(time.Now().Add(10 * time.Second))
		io.WriteString(conn, text)
		conn.(*net.TCPConn).CloseWrite()
		answer, err := io.ReadAll(conn)
		conn.Close()
		if err != nil || !bytes.HasPrefix(answer, []byte("HTTP/1.1 4")) && !bytes.HasPrefix(answer, []byte("HTTP/1.1 505")) {
			t.Errorf("%s: %q %v", name, answer, err)
		}
	}
	if log.Len() > 0 {
		t.Errorf("logged %s", log.String())
	}
	mustCall(t, db, "ListTables", "{}")
}

func TestSnapshotRestoreReset(t *testing.T) {
	db := Start(t)
	mustCall(t, db, "CreateTable", createT)
	mustCall(t, db, "PutItem", put("a"))
	snap := db.Snapshot()
	mustCall(t, db, "PutItem", put("b"))

	for range 2 { // a snapshot stays what it is
		if err := db.Restore(snap); err != nil {
			t.Fatal(err)
		}
		if !has(t, db, "a") || has(t, db, "b") {
			t.Fatal("Restore didn't bring the snapshot back")
		}
		mustCall(t, db, "PutItem", put("b"))
	}

	other := Start(t)
	if err := other.Restore(snap); err != nil {
		t.Fatal(err)
	}
	if !has(t, other, "a") || has(t, other, "b") {
		t.Error("the snapshot in another database differs")
	}

	if err := db.Reset(); err != nil {
		t.Fatal(err)
	}
	if got := mustCall(t, db, "ListTables", "{}"); got != `{"TableNames":[]}` {
		t.Errorf("tables after Reset: %s", got)
	}
	if !has(t, other, "a") {
		t.Error("Reset reached another database")
	}
}

func TestFork(t *testing.T) {
	db := Start(t)
	mustCall(t, db, "CreateTable", createT)
	mustCall(t, db, "PutItem", put("a"))
	var fork *DB
	t.Run("fork", func(t *testing.T) {
		fork = db.Fork(t)
		mustCall(t, fork, "PutItem", put("fork"))
		mustCall(t, db, "PutItem", put("base"))
		if !has(t, fork, "a") || has(t, fork, "base") || has(t, db, "fork") {
			t.Error("the fork and its origin aren't independent")
		}
	})
	if status, _ := call(t, fork.Client(), "http://x", "ListTables", "{}"); status != 503 {
		t.Errorf("the fork is open after its test: %d", status)
	}
	free := db.Fork(nil)
	if !has(t, free, "base") {
		t.Error("a fork without a test is empty")
	}
	if err := free.Close(); err != nil {
		t.Error(err)
	}
}

// TestSwitching replaces the content while requests run. Under the race detector it also shows that nothing is shared
// without a lock.
func TestSwitching(t *testing.T) {
	db := Start(t)
	mustCall(t, db, "CreateTable", createT)
	snap := db.Snapshot()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 50 {
				mustCall(t, db, "PutItem", put(fmt.Sprint(i, "-", j)))
			}
		})
	}
	for range 20 {
		if err := db.Restore(snap); err != nil {
			t.Error(err)
		}
		snap = db.Snapshot()
		f := db.Fork(nil)
		mustCall(t, f, "PutItem", put("f"))
		f.Close()
	}
	wg.Wait()
}

func TestAdvance(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	db := Start(t, WithClock(clock.NewManual(start)), WithCreateDelay(time.Minute))
	mustCall(t, db, "CreateTable", createT)
	status := func() string {
		text := mustCall(t, db, "DescribeTable", `{"TableName":"T-1"}`)
		_, text, _ = strings.Cut(text, `"TableStatus":"`)
		text, _, _ = strings.Cut(text, `"`)
		return text
	}
	if got := status(); got != "CREATING" {
		t.Errorf("status %s at once", got)
	}
	db.Advance(time.Minute)
	if got := status(); got != "ACTIVE" {
		t.Errorf("status %s after a minute", got)
	}

	defer func() {
		if recover() == nil {
			t.Error("Advance of the real clock didn't panic")
		}
	}()
	Start(t).Advance(time.Second)
}

// TestSynctest works in a bubble, where fake time passes only when every goroutine waits.
func TestSynctest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := Start(t, WithCreateDelay(48*time.Hour))
		mustCall(t, db, "CreateTable", createT)
		if text := mustCall(t, db, "DescribeTable", `{"TableName":"T-1"}`); !strings.Contains(text, "CREATING") {
			t.Error(text)
		}
		time.Sleep(49 * time.Hour)
		if text := mustCall(t, db, "DescribeTable", `{"TableName":"T-1"}`); !strings.Contains(text, "ACTIVE") {
			t.Error(text)
		}
	})
}

func TestSharedTables(t *testing.T) {
	for _, shared := range []bool{false, true} {
		opts := []Option{}
		if shared {
			opts = append(opts, WithSharedTables())
		}
		db := Start(t, opts...)
		mustCall(t, db, "CreateTable", createT)
		r, _ := http.NewRequest("POST", "http://x", strings.NewReader("{}"))
		sign(r, "ListTables")
		r.Header.Set("Authorization", strings.Replace(r.Header.Get("Authorization"), "us-east-1", "eu-west-1", 1))
		resp, err := db.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		if got := strings.Contains(string(body), "T-1"); got != shared {
			t.Errorf("shared %v: another region sees %s", shared, body)
		}
	}
}

func BenchmarkLifeCycle(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		db, err := New()
		if err != nil {
			b.Fatal(err)
		}
		mustCall(b, db, "CreateTable", createT)
		db.Close()
	}
}
