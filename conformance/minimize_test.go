package conformance_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/conformance"
)

// forgetful loses what UpdateItem wrote to a table, in what GetItem tells, once a BatchWriteItem wrote to it.
type forgetful struct {
	next  http.RoundTripper
	mu    sync.Mutex
	batch map[string]bool // prefixes of tables, guarded by mu
}

func (f *forgetful) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	prefix := between(string(body), "conformance-", "orders")
	operation := r.Header.Get("X-Amz-Target")
	f.mu.Lock()
	defer f.mu.Unlock()
	if strings.HasSuffix(operation, ".BatchWriteItem") {
		f.batch[prefix] = true
	}
	resp, err := f.next.RoundTrip(r)
	if err != nil || !strings.HasSuffix(operation, ".GetItem") || !f.batch[prefix] {
		return resp, err
	}
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	answer = bytes.ReplaceAll(answer, []byte(`,"w":{"S":"hello"}`), nil)
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(answer)), int64(len(answer))
	return resp, nil
}

// long is a conversation in which a read comes late.
func long(t *testing.T, _, url string) {
	ask(t, url, "CreateTable", createOrders)
	ask(t, url, "CreateTable", strings.Replace(createOrders, "orders", "others", 1))
	for i := range 10 {
		ask(t, url, "PutItem", fmt.Sprintf(`{"TableName": "others", "Item": {"pk": {"S": "%d"}}}`, i))
		ask(t, url, "PutItem", fmt.Sprintf(`{"TableName": "orders", "Item": {"pk": {"S": "%d"}, "v": {"N": "%d"}}}`, i, i))
		ask(t, url, "GetItem", fmt.Sprintf(`{"TableName": "orders", "Key": {"pk": {"S": "%d"}}}`, i))
	}
	ask(t, url, "UpdateItem", `{"TableName": "orders", "Key": {"pk": {"S": "3"}}, "UpdateExpression": "SET w = :w", "ExpressionAttributeValues": {":w": {"S": "hello"}}, "ReturnValues": "ALL_NEW"}`)
	ask(t, url, "BatchWriteItem", `{"RequestItems": {"orders": [{"PutRequest": {"Item": {"pk": {"S": "b"}}}}, {"PutRequest": {"Item": {"pk": {"S": "c"}, "x": {"L": [{"S": "y"}]}}}}]}}`)
	ask(t, url, "Scan", `{"TableName": "orders"}`)
	ask(t, url, "GetItem", `{"TableName": "orders", "Key": {"pk": {"S": "3"}}, "ConsistentRead": true, "ReturnConsumedCapacity": "TOTAL"}`)
	ask(t, url, "DeleteItem", `{"TableName": "orders", "Key": {"pk": {"S": "3"}}}`)
}

func summary(t *conformance.Traffic) string {
	var out []string
	for _, e := range t.Exchanges {
		out = append(out, e.Operation)
	}
	return strings.Join(out, " ")
}

// TestMinimize finds the four requests that it takes, and of them only what it takes.
func TestMinimize(t *testing.T) {
	t.Parallel()
	traffic := captureOf(t, conformance.ProxyConfig{}, long)
	db := dynalite.Start(t)
	target := conformance.InProcess(&forgetful{next: db.Transport(), batch: map[string]bool{}})
	var texts []string
	for range 2 {
		small, err := conformance.Minimize(t.Context(), target, traffic)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := small.Traffic.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		if got := summary(small.Traffic); got != "CreateTable UpdateItem BatchWriteItem GetItem" || !small.Complete || small.From != 36 {
			t.Errorf("%s of %d, complete %v, %d trials\n%s", got, small.From, small.Complete, small.Trials, b.String())
		}
		if small.Result.Outcome != conformance.Differs || !strings.Contains(small.Result.Detail, "hello") || !strings.HasPrefix(small.Judge, "dynalite-go, ") {
			t.Errorf("%s: %s", small.Judge, small.Result.Detail)
		}
		text := b.String()
		for _, gone := range []string{"ConsistentRead", "ReturnConsumedCapacity", "ReturnValues", `"x"`} {
			if strings.Contains(text, gone) {
				t.Errorf("%s is left in\n%s", gone, text)
			}
		}
		texts = append(texts, withoutIDs(text))
		// It stands on its own.
		r, told := replayText(t, target, small.Traffic)
		if _, differing, _, _ := r.Count(); differing != 1 {
			t.Errorf("%s", told)
		}
		if r, told := replayText(t, conformance.InProcess(dynalite.Start(t).Transport()), small.Traffic); r.Failed() {
			t.Errorf("%s", told)
		}
	}
	if texts[0] != texts[1] {
		t.Errorf("two searches:\n%s\n%s", texts[0], texts[1])
	}
	if tables, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://x/", strings.NewReader("{}")); err == nil {
		tables.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
		tables.Header.Set("Content-Type", "application/x-amz-json-1.0")
		tables.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=a/20261130/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00")
		tables.Header.Set("X-Amz-Date", "20261130T120000Z")
		resp, err := db.Transport().RoundTrip(tables)
		if err != nil {
			t.Fatal(err)
		}
		if body, _ := io.ReadAll(resp.Body); !strings.Contains(string(body), `"TableNames":[]`) {
			t.Errorf("left behind: %s", body)
		}
	}
}

// withoutIDs leaves out what differs from run to run in answers of the judge.
func withoutIDs(text string) string {
	for _, name := range []string{`"TableId":"`, `"CreationDateTime":`} {
		for {
			before, rest, ok := strings.Cut(text, name)
			if !ok {
				break
			}
			_, rest, _ = strings.Cut(rest, ",")
			text = before + rest
		}
	}
	return text
}

// TestMinimizeWithoutJudge: where nobody knows what is right, what the request depends on stays.
func TestMinimizeWithoutJudge(t *testing.T) {
	t.Parallel()
	traffic := captureOf(t, conformance.ProxyConfig{}, long)
	for i := range traffic.Exchanges {
		if e := &traffic.Exchanges[i]; e.Operation == "GetItem" && strings.Contains(string(e.Response), "hello") {
			e.Response = bytes.Replace(e.Response, []byte("hello"), []byte("nobody says this"), 1)
		}
	}
	small, err := conformance.Minimize(t.Context(), conformance.InProcess(dynalite.Start(t).Transport()), traffic)
	if err != nil {
		t.Fatal(err)
	}
	if got := summary(small.Traffic); got != "CreateTable PutItem UpdateItem GetItem" || !strings.Contains(small.Judge, "captured") {
		t.Errorf("%s by %s", got, small.Judge)
	}
}

// TestMinimizeAgainst: another endpoint judges; a budget ends the search with what it has.
func TestMinimizeAgainst(t *testing.T) {
	t.Parallel()
	traffic := captureOf(t, conformance.ProxyConfig{}, long, dynalite.WithWording(dynalite.ClassicWording))
	target := conformance.InProcess(&forgetful{next: dynalite.Start(t).Transport(), batch: map[string]bool{}})
	right := conformance.Endpoint(served(t))
	small, err := conformance.Minimize(t.Context(), target, traffic, conformance.ComparedWith(right))
	if err != nil {
		t.Fatal(err)
	}
	if got := summary(small.Traffic); got != "CreateTable UpdateItem BatchWriteItem GetItem" || small.Judge != right.Name {
		t.Errorf("%s by %s", got, small.Judge)
	}
	small, err = conformance.Minimize(t.Context(), target, traffic, conformance.MinimizeTrials(5))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(small.Traffic.Exchanges); small.Complete || small.Trials > 5 || n >= 36 || n < 4 {
		t.Errorf("%d requests after %d trials", n, small.Trials)
	}
}

func TestMinimizeNothing(t *testing.T) {
	t.Parallel()
	traffic := captureOf(t, conformance.ProxyConfig{}, shopping)
	target := conformance.InProcess(dynalite.Start(t, dynalite.WithPartitions(1)).Transport())
	if _, err := conformance.Minimize(t.Context(), target, traffic); !errors.Is(err, conformance.ErrNoDifference) {
		t.Errorf("error %v", err)
	}
	if _, err := conformance.Minimize(t.Context(), target, traffic, conformance.InPlace()); err == nil {
		t.Error("minimised in place")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := conformance.Minimize(ctx, target, traffic); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	down := conformance.Endpoint("http://127.0.0.1:1")
	if _, err := conformance.Minimize(t.Context(), down, traffic); err == nil || !strings.Contains(err.Error(), "no answer to compare") {
		t.Errorf("error %v", err)
	}
}
