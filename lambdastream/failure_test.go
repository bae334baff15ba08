package lambdastream_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/clock"
	"github.com/dynalite-go/dynalite/lambdastream"
)

var errBroken = errors.New("broken")

// failing answers each batch with an error.
func failing(err error) func(string, int) (events.DynamoDBEventResponse, error) {
	return func(string, int) (events.DynamoDBEventResponse, error) { return events.DynamoDBEventResponse{}, err }
}

// failingOn answers batches that hold a record with an error.
func failingOn(names ...string) func(string, int) (events.DynamoDBEventResponse, error) {
	return func(batch string, _ int) (events.DynamoDBEventResponse, error) {
		for _, n := range names {
			for _, got := range strings.Fields(batch) {
				if got == n {
					return events.DynamoDBEventResponse{}, errBroken
				}
			}
		}
		return events.DynamoDBEventResponse{}, nil
	}
}

// failures collects what is discarded.
type failures struct{ list []lambdastream.Failure }

func (f *failures) add(x lambdastream.Failure) { f.list = append(f.list, x) }

// summary is one line for each failure: condition, calls, records.
func (f *failures) summary() []string {
	var out []string
	for _, x := range f.list {
		var names []string
		for i := range x.Event.Records {
			names = append(names, name(&x.Event.Records[i]))
		}
		out = append(out, string(x.Condition)+" after "+strings.Repeat("|", x.InvokeCount)+" "+x.FunctionError+": "+strings.Join(names, " "))
	}
	return out
}

func putMany(t *testing.T, db *dynalite.DB, pk string, n int) {
	t.Helper()
	for i := range n {
		put(t, db, pk, i+1)
	}
}

func TestRetriesByTheClock(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	putMany(t, db, "a", 2)
	r := recorder{answer: failing(errBroken)}
	c := lambdastream.Start(t, db, table, r.handle, lambdastream.WithBackoff(time.Second, 3*time.Second), lambdastream.WithBatchSize(2))
	r.wants(t, c, "a/1 a/2")
	put(t, db, "a", 3) // waits behind, and does not join the batch
	for _, seconds := range []time.Duration{1, 2, 3, 3} {
		db.Advance(seconds*time.Second - 1)
		r.wants(t, c)
		db.Advance(1)
		r.wants(t, c, "a/1 a/2")
	}
	r.mu.Lock()
	r.answer = nil
	r.mu.Unlock()
	db.Advance(3 * time.Second)
	r.wants(t, c, "a/1 a/2", "a/3")
}

func TestRetriesAreLimited(t *testing.T) {
	t.Parallel()
	for _, retries := range []int{0, 2} {
		db := newDB(t)
		putMany(t, db, "a", 3)
		var f failures
		var l logs
		r := recorder{answer: failingOn("a/1")}
		c := lambdastream.Start(t, db, table, r.handle, lambdastream.WithBatchSize(2), lambdastream.WithRetries(retries),
			lambdastream.WithBackoff(1, 1), lambdastream.WithOnFailure(f.add), lambdastream.WithLogger(l.logger()))
		var want []string
		for range retries + 1 {
			wait(t, c)
			db.Advance(time.Second)
			want = append(want, "a/1 a/2")
		}
		r.wants(t, c, append(want, "a/3")...)
		if diff := cmp.Diff([]string{"RetryAttemptsExhausted after " + strings.Repeat("|", retries+1) + " Unhandled: a/1 a/2"}, f.summary()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		if !errors.Is(f.list[0].Err, errBroken) {
			t.Errorf("cause %v", f.list[0].Err)
		}
		if !strings.Contains(l.String(), `msg="changes skipped" table=Orders why=RetryAttemptsExhausted`) {
			t.Errorf("the log doesn't tell what was skipped:\n%s", l.String())
		}
	}
}

// The document is that of the service's documentation for this case, with its members in the same order.
func TestFailureDocument(t *testing.T) {
	t.Parallel()
	f := lambdastream.Failure{
		RequestID:     "316aa6d0-8154-xmpl-9af7-85d5f4a6bc81",
		FunctionARN:   "arn:aws:lambda:us-east-2:123456789012:function:myfunction",
		Condition:     lambdastream.RetryAttemptsExhausted,
		InvokeCount:   1,
		FunctionError: "Unhandled",
		Timestamp:     time.Date(2019, 11, 14, 0, 13, 49, 717_000_000, time.UTC),
		StreamARN:     "arn:aws:dynamodb:us-east-2:123456789012:table/mytable/stream/2019-11-14T00:04:06.388",
		ShardID:       "shardId-00000001573689847184-864758bb", StartSequenceNumber: "800000000003126276362", EndSequenceNumber: "800000000003126276362",
		FirstArrival: time.Date(2019, 11, 14, 0, 13, 19, 0, time.UTC), LastArrival: time.Date(2019, 11, 14, 0, 13, 19, 0, time.UTC),
		BatchSize: 1,
	}
	const info = `,"version":"1.0","timestamp":"2019-11-14T00:13:49.717Z",` +
		`"DDBStreamBatchInfo":{"shardId":"shardId-00000001573689847184-864758bb","startSequenceNumber":"800000000003126276362",` +
		`"endSequenceNumber":"800000000003126276362","approximateArrivalOfFirstRecord":"2019-11-14T00:13:19Z",` +
		`"approximateArrivalOfLastRecord":"2019-11-14T00:13:19Z","batchSize":1,` +
		`"streamArn":"arn:aws:dynamodb:us-east-2:123456789012:table/mytable/stream/2019-11-14T00:04:06.388"}}`
	const request = `{"requestContext":{"requestId":"316aa6d0-8154-xmpl-9af7-85d5f4a6bc81",` +
		`"functionArn":"arn:aws:lambda:us-east-2:123456789012:function:myfunction","condition":`
	for _, tt := range []struct {
		name   string
		change func()
		want   string
	}{
		{"error", func() {}, `"RetryAttemptsExhausted","approximateInvokeCount":1},` +
			`"responseContext":{"statusCode":200,"executedVersion":"$LATEST","functionError":"Unhandled"}`},
		{"item failures", func() { f.FunctionError = "" }, `"RetryAttemptsExhausted","approximateInvokeCount":1},` +
			`"responseContext":{"statusCode":200,"executedVersion":"$LATEST","functionError":null}`},
		{"age", func() { f.Condition = lambdastream.RecordAgeExceeded }, `"RecordAgeExceeded","approximateInvokeCount":1}`},
	} {
		tt.change()
		if diff := cmp.Diff(request+tt.want+info, string(f.JSON())); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
		if !json.Valid(f.JSON()) {
			t.Errorf("%s is not JSON", tt.name)
		}
	}
}

func TestFailureTellsTheBatch(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	put(t, db, "a", 1)
	db.Advance(time.Minute)
	put(t, db, "a", 2)
	var f failures
	r := recorder{answer: failing(errBroken)}
	c := lambdastream.Start(t, db, table, r.handle, lambdastream.WithRetries(0), lambdastream.WithOnFailure(f.add),
		lambdastream.WithFunctionName("mail"))
	wait(t, c)
	if len(f.list) != 1 {
		t.Fatalf("%d failures", len(f.list))
	}
	got := f.list[0]
	records := got.Event.Records
	want := lambdastream.Failure{
		RequestID: got.RequestID, FunctionARN: "arn:aws:lambda:us-east-1:123456789012:function:mail",
		Condition: lambdastream.RetryAttemptsExhausted, InvokeCount: 1, FunctionError: "Unhandled", Timestamp: testTime.Add(time.Minute),
		StreamARN: records[0].EventSourceArn, ShardID: got.ShardID,
		StartSequenceNumber: records[0].Change.SequenceNumber, EndSequenceNumber: records[1].Change.SequenceNumber,
		FirstArrival: testTime, LastArrival: testTime.Add(time.Minute), BatchSize: 2, Event: got.Event, Err: errBroken,
	}
	if diff := cmp.Diff(want.JSON(), got.JSON()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(got.RequestID) != 36 || !strings.HasPrefix(got.ShardID, "shardId-") {
		t.Errorf("request %q, shard %q", got.RequestID, got.ShardID)
	}
}

func TestBisect(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	putMany(t, db, "a", 6)
	var f failures
	r := recorder{answer: failingOn("a/4")}
	c := lambdastream.Start(t, db, table, r.handle, lambdastream.WithBisect(), lambdastream.WithRetries(1),
		lambdastream.WithBackoff(time.Second, time.Second), lambdastream.WithOnFailure(f.add))
	// Dividing doesn't count as a retry, so the single record still has its one.
	r.wants(t, c, "a/1 a/2 a/3 a/4 a/5 a/6", "a/1 a/2 a/3", "a/4 a/5 a/6", "a/4 a/5", "a/4")
	db.Advance(time.Second)
	r.wants(t, c, "a/4", "a/5", "a/6")
	if diff := cmp.Diff([]string{"RetryAttemptsExhausted after ||||| Unhandled: a/4"}, f.summary()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// reporting names the records of a batch that are among names, in reverse.
func reporting(names ...string) lambdastream.Handler {
	return func(_ context.Context, e events.DynamoDBEvent) (resp events.DynamoDBEventResponse, _ error) {
		for i := len(e.Records) - 1; i >= 0; i-- {
			for _, n := range names {
				if rec := &e.Records[i]; name(rec) == n {
					resp.BatchItemFailures = append(resp.BatchItemFailures, events.DynamoDBBatchItemFailure{ItemIdentifier: rec.Change.SequenceNumber})
				}
			}
		}
		return resp, nil
	}
}

// both lets a recorder see what another handler gets.
func both(r *recorder, h lambdastream.Handler) lambdastream.Handler {
	return func(ctx context.Context, e events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
		if _, err := r.handle(ctx, e); err != nil {
			return events.DynamoDBEventResponse{}, err
		}
		return h(ctx, e)
	}
}

// Recorded on the service in November 2025: six records in batches of three, of which the last one fails, with three
// retries. It is seen five times, and the document tells of four calls and a functionError of null.
func TestBatchItemFailuresAsRecorded(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	putMany(t, db, "a", 6)
	var f failures
	var r recorder
	c := lambdastream.Start(t, db, table, both(&r, reporting("a/6")), lambdastream.WithBatchItemFailures(),
		lambdastream.WithBatchSize(3), lambdastream.WithRetries(3), lambdastream.WithOnFailure(f.add))
	for range 5 {
		wait(t, c)
		db.Advance(time.Minute)
	}
	r.wants(t, c, "a/1 a/2 a/3", "a/4 a/5 a/6", "a/6", "a/6", "a/6", "a/6")
	if diff := cmp.Diff([]string{"RetryAttemptsExhausted after |||| : a/6"}, f.summary()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestBatchItemFailures(t *testing.T) {
	t.Parallel()
	odd := func(ids ...string) lambdastream.Handler {
		return func(context.Context, events.DynamoDBEvent) (resp events.DynamoDBEventResponse, _ error) {
			for _, id := range ids {
				resp.BatchItemFailures = append(resp.BatchItemFailures, events.DynamoDBBatchItemFailure{ItemIdentifier: id})
			}
			return resp, nil
		}
	}
	report, bisect := lambdastream.WithBatchItemFailures(), lambdastream.WithBisect()
	for _, tt := range []struct {
		name    string
		handler lambdastream.Handler
		opts    []lambdastream.Option
		calls   []string // in the end
		failed  []string
	}{
		{"not asked for", reporting("a/2"), nil, []string{"a/1 a/2 a/3"}, nil},
		{"none", odd(), []lambdastream.Option{report}, []string{"a/1 a/2 a/3"}, nil},
		{"the lowest counts", reporting("a/2", "a/3"), []lambdastream.Option{report},
			[]string{"a/1 a/2 a/3", "a/2 a/3", "a/2 a/3"}, []string{"RetryAttemptsExhausted after || : a/2 a/3"}},
		{"the first", reporting("a/1"), []lambdastream.Option{report},
			[]string{"a/1 a/2 a/3", "a/1 a/2 a/3"}, []string{"RetryAttemptsExhausted after || : a/1 a/2 a/3"}},
		{"divided where it failed, not in two", reporting("a/2"), []lambdastream.Option{report, bisect},
			[]string{"a/1 a/2 a/3", "a/2 a/3", "a/2", "a/2", "a/3"}, []string{"RetryAttemptsExhausted after ||| : a/2"}},
		{"unknown", odd("800000000003126276362"), []lambdastream.Option{report},
			[]string{"a/1 a/2 a/3", "a/1 a/2 a/3"}, []string{"RetryAttemptsExhausted after || : a/1 a/2 a/3"}},
		{"empty", odd(""), []lambdastream.Option{report},
			[]string{"a/1 a/2 a/3", "a/1 a/2 a/3"}, []string{"RetryAttemptsExhausted after || : a/1 a/2 a/3"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			db := newDB(t)
			putMany(t, db, "a", 3)
			var f failures
			var r recorder
			opts := append(tt.opts, lambdastream.WithRetries(1), lambdastream.WithOnFailure(f.add))
			c := lambdastream.Start(t, db, table, both(&r, tt.handler), opts...)
			for range 5 {
				wait(t, c)
				db.Advance(time.Second)
			}
			r.wants(t, c, tt.calls...)
			if diff := cmp.Diff(tt.failed, f.summary()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestMaxRecordAge(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	putMany(t, db, "a", 2)
	db.Advance(50 * time.Second)
	put(t, db, "a", 3)
	db.Advance(11 * time.Second)
	var f failures
	r := recorder{answer: failing(errBroken)}
	c := lambdastream.Start(t, db, table, r.handle, lambdastream.WithMaxRecordAge(time.Minute), lambdastream.WithOnFailure(f.add),
		lambdastream.WithBackoff(10*time.Second, 10*time.Second))
	// What is too old at the start of a batch goes, the rest is delivered.
	r.wants(t, c, "a/3")
	for range 4 {
		db.Advance(10 * time.Second)
		wait(t, c)
	}
	r.wants(t, c, "a/3", "a/3", "a/3", "a/3")
	db.Advance(10 * time.Second)
	r.wants(t, c)
	want := []string{"RecordAgeExceeded after | : a/1 a/2", "RecordAgeExceeded after |||||| Unhandled: a/3"}
	if diff := cmp.Diff(want, f.summary()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestEndlessRetriesEndWithTheRecord(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	put(t, db, "a", 1)
	var f failures
	r := recorder{answer: failing(errBroken)}
	c := lambdastream.Start(t, db, table, r.handle, lambdastream.WithOnFailure(f.add))
	for range 24 {
		wait(t, c)
		db.Advance(time.Hour)
	}
	wait(t, c)
	if calls := len(r.take()); calls != 25 || f.list != nil {
		t.Errorf("%d calls, failures %v", calls, f.summary())
	}
	db.Advance(time.Hour)
	r.wants(t, c)
	if len(f.list) != 1 || f.list[0].Condition != lambdastream.RecordAgeExceeded || f.list[0].InvokeCount != 26 {
		t.Errorf("failures %v", f.summary())
	}
}

func TestPanicsAreFailures(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		panic func()
		check func(error) bool
	}{
		{"panic", func() { panic("oops") }, func(err error) bool {
			p, ok := errors.AsType[*lambdastream.PanicError](err)
			return ok && p.Value == "oops" && strings.Contains(string(p.Stack), "failure_test.go")
		}},
		{"panic with an error", func() { panic(errBroken) }, func(err error) bool { return errors.Is(err, errBroken) }},
		{"wrong accessor", func() { events.NewStringAttribute("x").Number() }, func(err error) bool { return err != nil }},
		{"end of the goroutine", runtime.Goexit, func(err error) bool { return err != nil }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			db := newDB(t)
			putMany(t, db, "a", 2)
			var f failures
			var l logs
			var r recorder
			h := both(&r, func(_ context.Context, e events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
				if name(&e.Records[0]) == "a/1" {
					tt.panic()
				}
				return events.DynamoDBEventResponse{}, nil
			})
			c := lambdastream.Start(t, db, table, h, lambdastream.WithRetries(0), lambdastream.WithBatchSize(1),
				lambdastream.WithOnFailure(func(x lambdastream.Failure) { f.add(x); panic("here too") }),
				lambdastream.WithLogger(l.logger()))
			r.wants(t, c, "a/1", "a/2")
			if len(f.list) != 1 || !tt.check(f.list[0].Err) {
				t.Errorf("failures %+v", f.list)
			}
			if !strings.Contains(l.String(), "the function for failures failed") {
				t.Errorf("nothing is logged of the panic in OnFailure:\n%s", l.String())
			}
		})
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	put(t, db, "a", 1)
	began, cause := make(chan struct{}), make(chan error)
	calls := 0
	c := lambdastream.Start(t, db, table, func(ctx context.Context, _ events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
		calls++
		if calls == 1 {
			close(began)
			<-ctx.Done()
			cause <- context.Cause(ctx)
		}
		return events.DynamoDBEventResponse{}, nil
	}, lambdastream.WithTimeout(3*time.Second))
	<-began
	db.Advance(3 * time.Second)
	if err := <-cause; !errors.Is(err, lambdastream.ErrTimeout) {
		t.Errorf("the context ended with %v", err)
	}
	wait(t, c)
	db.Advance(time.Second)
	wait(t, c)
	if calls != 2 || c.Stats().Failures != 1 {
		t.Errorf("%d calls, %+v", calls, c.Stats())
	}
}

// A handler that hangs whatever happens blocks nobody but itself.
func TestHangingHandler(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDB(t, dynalite.WithClock(clock.Real()))
		release := make(chan struct{})
		defer close(release)
		var r recorder
		h := both(&r, func(_ context.Context, e events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
			if name(&e.Records[0]) == "a/1" {
				<-release
			}
			return events.DynamoDBEventResponse{}, nil
		})
		c, err := lambdastream.New(db, table, h, lambdastream.WithTimeout(time.Minute), lambdastream.WithRetries(1), lambdastream.WithBatchSize(1))
		if err != nil {
			t.Fatal(err)
		}
		putMany(t, db, "a", 2)
		if err := c.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		r.wants(t, c, "a/1", "a/1", "a/2")
		// Those that hang don't keep the shard from ending.
		if err := db.RollShards(table); err != nil {
			t.Fatal(err)
		}
		put(t, db, "a", 3)
		r.wants(t, c, "a/3")
		if err := c.Close(); !errors.Is(err, lambdastream.ErrRunning) {
			t.Errorf("Close: %v", err)
		}
	})
}

func TestCloseCancelsCalls(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	began := make(chan struct{})
	c, err := lambdastream.New(db, table, func(ctx context.Context, _ events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
		close(began)
		<-ctx.Done()
		return events.DynamoDBEventResponse{}, ctx.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	put(t, db, "a", 1)
	<-began
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Wait while the handler runs: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}
