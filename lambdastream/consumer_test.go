package lambdastream_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/clock"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/lambdastream"
)

func TestDeliversWhatIsThereAndWhatComes(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	put(t, db, "a", 1)
	var r recorder
	c := lambdastream.Start(t, db, table, r.handle)
	r.wants(t, c, "a/1")
	put(t, db, "a", 2)
	wait(t, c)
	put(t, db, "a", 2) // changes nothing
	put(t, db, "b", 1)
	r.wants(t, c, "a/2", "b/1")
	if got, want := c.Stats(), (lambdastream.Stats{Batches: 3, Records: 3}); got != want {
		t.Errorf("Stats() = %+v, want %+v", got, want)
	}
}

func TestBatchSize(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	for n := range 5 {
		put(t, db, "a", n)
	}
	var r recorder
	c := lambdastream.Start(t, db, table, r.handle, lambdastream.WithBatchSize(2))
	r.wants(t, c, "a/0 a/1", "a/2 a/3", "a/4")
}

func TestBatchIsFullAtSixMegabytes(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	big := attr.Named("big", attr.String(strings.Repeat("x", 390<<10)))
	for n := range 20 {
		put(t, db, fmt.Sprint(n), 1, big)
	}
	var r recorder
	c := lambdastream.Start(t, db, table, r.handle)
	wait(t, c)
	var sizes []int
	for _, b := range r.take() {
		sizes = append(sizes, len(strings.Fields(b)))
	}
	if want := []int{15, 5}; !slices.Equal(sizes, want) {
		t.Errorf("batches of %v records, want %v", sizes, want)
	}
}

func TestBatchingWindow(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	var r recorder
	c := lambdastream.Start(t, db, table, r.handle, lambdastream.WithBatchSize(3), lambdastream.WithBatchingWindow(10*time.Second))
	put(t, db, "a", 1)
	r.wants(t, c)
	db.Advance(6 * time.Second)
	put(t, db, "a", 2)
	r.wants(t, c)
	db.Advance(4 * time.Second) // counted from the first record
	r.wants(t, c, "a/1 a/2")
	for n := range 4 {
		put(t, db, "b", n)
	}
	r.wants(t, c, "b/0 b/1 b/2") // a full batch doesn't wait
	if err := db.RollShards(table); err != nil {
		t.Fatal(err)
	}
	r.wants(t, c, "b/3") // nor does the last one of a shard
}

func TestStartingPosition(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		opt  lambdastream.Option
		want []string
	}{
		{"default", nil, []string{"a/1", "a/2", "a/3", "a/4"}},
		{"TRIM_HORIZON", lambdastream.WithStartingPosition(lambdastream.TrimHorizon), []string{"a/1", "a/2", "a/3", "a/4"}},
		{"LATEST", lambdastream.WithStartingPosition(lambdastream.Latest), []string{"a/4"}},
		{"AT_TIMESTAMP", lambdastream.WithStartingTimestamp(testTime.Add(time.Minute)), []string{"a/2", "a/3", "a/4"}},
		{"AT_TIMESTAMP before", lambdastream.WithStartingTimestamp(testTime.Add(-48 * time.Hour)), []string{"a/1", "a/2", "a/3", "a/4"}},
		{"AT_TIMESTAMP now", lambdastream.WithStartingTimestamp(testTime.Add(2 * time.Minute)), []string{"a/3", "a/4"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			db := newDB(t)
			for n := range 3 {
				put(t, db, "a", n+1)
				if err := db.RollShards(table); err != nil {
					t.Fatal(err)
				}
				if n < 2 {
					db.Advance(time.Minute)
				}
			}
			opts := []lambdastream.Option{lambdastream.WithBatchSize(1)}
			if tt.opt != nil {
				opts = append(opts, tt.opt)
			}
			var r recorder
			c := lambdastream.Start(t, db, table, r.handle, opts...)
			put(t, db, "a", 4)
			r.wants(t, c, tt.want...)
		})
	}
}

func TestOptionsAreChecked(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	nop := lambdastream.ErrorHandler(func(context.Context, events.DynamoDBEvent) error { return nil })
	for _, tt := range []struct {
		opt  lambdastream.Option
		want string
	}{
		{lambdastream.WithBatchSize(0), "batch size 0: want 1 to 10000"},
		{lambdastream.WithBatchSize(10_001), "batch size 10001: want 1 to 10000"},
		{lambdastream.WithBatchingWindow(301 * time.Second), "batching window 5m1s: want 0 to 5m0s"},
		{lambdastream.WithStartingPosition("AT_SEQUENCE_NUMBER"), `starting position "AT_SEQUENCE_NUMBER": want TRIM_HORIZON or LATEST`},
		{lambdastream.WithStartingTimestamp(testTime.Add(time.Second)), "lies in the future"},
		{lambdastream.WithRetries(-2), "-2 retries: want -1 to 10000"},
		{lambdastream.WithMaxRecordAge(time.Second), "maximum record age 1s: want -1 or 1m0s to 168h0m0s"},
		{lambdastream.WithParallelization(11), "parallelization factor 11: want 1 to 10"},
		{lambdastream.WithTimeout(-1), "negative time-out"},
		{lambdastream.WithBackoff(2, 1), "backoff of 2ns to 1ns"},
		{lambdastream.WithFilters(slices.Repeat([]string{`{"a":["b"]}`}, 11)...), "11 filters: want 10 at most"},
		{lambdastream.WithFilters(`single-string`), "Invalid filter pattern definition."},
	} {
		c, err := lambdastream.New(db, table, nop, tt.opt)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got error %v, want %q", err, tt.want)
		}
		if c != nil {
			t.Error("there is a consumer beside the error")
		}
	}
	for _, name := range []string{"", "a:b", "arn:aws:dynamodb:us-east-1:123456789012:table/T/stream/x"} {
		if _, err := lambdastream.New(db, name, nop); err == nil || !strings.Contains(err.Error(), "want a name or the ARN of a table") {
			t.Errorf("table %q: got error %v", name, err)
		}
	}
	if _, err := lambdastream.New(db, table, nil); err == nil {
		t.Error("no error without a handler")
	}
	closed, err := dynalite.New()
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := lambdastream.New(closed, table, nop); !errors.Is(err, dynalite.ErrClosed) {
		t.Errorf("closed database: %v", err)
	}
}

func TestTableByARN(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	put(t, db, "a", 1)
	var r recorder
	c := lambdastream.Start(t, db, "arn:aws:dynamodb:us-east-1:123456789012:table/"+table, r.handle)
	r.wants(t, c, "a/1")
	elsewhere := lambdastream.Start(t, db, "arn:aws:dynamodb:eu-west-1:123456789012:table/"+table, r.handle)
	r.wants(t, elsewhere)
}

// setStream switches the table's stream on or off.
func setStream(t *testing.T, db *dynalite.DB, on bool) {
	t.Helper()
	inRegion(t, db, func(r *engine.Region) error {
		x := &engine.StreamUpdate{Enabled: on}
		if on {
			x.View = api.ViewBoth
		}
		_, err := r.UpdateTable(context.Background(), &engine.UpdateTable{Table: table, Stream: x})
		return err
	})
}

func deleteTable(t *testing.T, db *dynalite.DB) {
	t.Helper()
	inRegion(t, db, func(r *engine.Region) error {
		_, err := r.DeleteTable(context.Background(), &engine.DeleteTable{Table: table})
		return err
	})
}

func TestFollowsTheTable(t *testing.T) {
	t.Parallel()
	db := dynalite.Start(t, dynalite.WithClock(clock.NewManual(testTime)), dynalite.WithPartitions(1))
	var r recorder
	c := lambdastream.Start(t, db, table, r.handle, lambdastream.WithStartingPosition(lambdastream.Latest))
	r.wants(t, c)
	createTable(t, db)
	put(t, db, "a", 1) // LATEST is about the stream that was there, and there was none
	r.wants(t, c, "a/1")
	put(t, db, "a", 2)
	setStream(t, db, false)
	put(t, db, "a", 3)
	setStream(t, db, true)
	put(t, db, "a", 4)
	setStream(t, db, false)
	setStream(t, db, true)
	put(t, db, "a", 5)
	wait(t, c)
	deleteTable(t, db)
	createTable(t, db)
	put(t, db, "a", 6)
	wait(t, c)
	if got, want := strings.Join(r.take(), " "), "a/2 a/4 a/5 a/6"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestStartsAnewWhenTheContentIsReplaced(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	put(t, db, "a", 1)
	saved := db.Snapshot()
	var r recorder
	c := lambdastream.Start(t, db, table, r.handle)
	put(t, db, "a", 2)
	wait(t, c)
	r.take()
	if err := db.Reset(); err != nil {
		t.Fatal(err)
	}
	r.wants(t, c)
	createTable(t, db)
	put(t, db, "b", 1)
	r.wants(t, c, "b/1")
	if err := db.Restore(saved); err != nil {
		t.Fatal(err)
	}
	r.wants(t, c, "a/1")
	put(t, db, "a", 3)
	r.wants(t, c, "a/3")
}

func TestClosing(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	var r recorder
	c := lambdastream.Start(t, db, table, r.handle)
	wait(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Wait(ctx); err != nil {
		t.Errorf("Wait of an idle consumer: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
	if err := c.Wait(t.Context()); !errors.Is(err, lambdastream.ErrClosed) {
		t.Errorf("Wait of a closed consumer: %v", err)
	}
	put(t, db, "a", 1)
	if got := r.take(); got != nil {
		t.Errorf("a closed consumer delivered %q", got)
	}

	// A consumer ends with its database, even when nobody closes it.
	c = lambdastream.Start(t, db, table, r.handle, lambdastream.WithStartingPosition(lambdastream.Latest))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(t.Context()); !errors.Is(err, lambdastream.ErrClosed) {
		t.Errorf("Wait after the database was closed: %v", err)
	}
}

func TestTwoConsumersAreIndependent(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	good, bad := recorder{}, recorder{answer: failing(errBroken)}
	a := lambdastream.Start(t, db, table, good.handle)
	b := lambdastream.Start(t, db, table, bad.handle)
	put(t, db, "a", 1)
	good.wants(t, a, "a/1")
	bad.wants(t, b, "a/1")
	put(t, db, "a", 2)
	good.wants(t, a, "a/2")
	bad.wants(t, b)
}

func TestShardsDoNotBlockEachOther(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	if err := db.SplitPartition(table, 0); err != nil {
		t.Fatal(err)
	}
	r := recorder{answer: func(batch string, _ int) (events.DynamoDBEventResponse, error) {
		if strings.Contains(batch, "bad") {
			return events.DynamoDBEventResponse{}, errBroken
		}
		return events.DynamoDBEventResponse{}, nil
	}}
	c := lambdastream.Start(t, db, table, r.handle)
	put(t, db, "bad", 1)
	wait(t, c)
	r.take()
	for n := range 50 {
		put(t, db, fmt.Sprint("k", n), 1)
	}
	wait(t, c)
	got := len(strings.Fields(strings.Join(r.take(), " ")))
	if got < 10 || got > 40 { // the other half of the keys
		t.Errorf("%d of 50 records were delivered beside a blocked shard", got)
	}
}

func TestParallelization(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDB(t, dynalite.WithClock(clock.Real()))
		r := recorder{answer: func(batch string, _ int) (events.DynamoDBEventResponse, error) {
			if strings.Contains(batch, "bad") {
				return events.DynamoDBEventResponse{}, errBroken
			}
			time.Sleep(time.Second)
			return events.DynamoDBEventResponse{}, nil
		}}
		c := lambdastream.Start(t, db, table, r.handle, lambdastream.WithParallelization(10), lambdastream.WithBatchSize(2),
			lambdastream.WithBackoff(time.Hour, time.Hour))
		put(t, db, "bad", 1)
		synctest.Wait()
		for n := range 40 {
			put(t, db, fmt.Sprint("k", n), 1)
		}
		// Each lane takes a second for two records. One is blocked, and so are those behind it.
		time.Sleep(10 * time.Second)
		wait(t, c)
		done := c.Stats().Records
		if done < 30 || done > 39 {
			t.Errorf("%d of 40 records are done beside a blocked lane", done)
		}
		if got := r.take(); got[0] != "bad/1" || slices.Contains(got[1:], "bad/1") {
			t.Errorf("the blocked lane went on: %q", got)
		}
	})
}

func TestTimeToLive(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	inRegion(t, db, func(r *engine.Region) error {
		_, err := r.UpdateTimeToLive(context.Background(), &engine.UpdateTimeToLive{Table: table, Enabled: true, Attribute: "ends"})
		return err
	})
	var last events.DynamoDBEventRecord
	var r recorder
	c := lambdastream.Start(t, db, table, func(ctx context.Context, e events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
		last = e.Records[len(e.Records)-1]
		return r.handle(ctx, e)
	})
	put(t, db, "a", 1, attr.Named("ends", attr.Int(testTime.Add(time.Hour).Unix())))
	r.wants(t, c, "a/1")
	db.Advance(59 * time.Minute)
	r.wants(t, c)
	db.Advance(2 * time.Minute)
	r.wants(t, c, "a/1")
	id := last.UserIdentity
	if last.EventName != "REMOVE" || id == nil || id.Type != "Service" || id.PrincipalID != "dynamodb.amazonaws.com" {
		t.Errorf("expiry arrives as %+v of %+v", last, id)
	}
}

func TestTimeToLiveWakesAConsumer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDB(t, dynalite.WithClock(clock.Real()))
		inRegion(t, db, func(r *engine.Region) error {
			_, err := r.UpdateTimeToLive(context.Background(), &engine.UpdateTimeToLive{Table: table, Enabled: true, Attribute: "ends"})
			return err
		})
		time.Sleep(time.Hour)
		removed := make(chan struct{})
		lambdastream.Start(t, db, table, lambdastream.ErrorHandler(func(_ context.Context, e events.DynamoDBEvent) error {
			if e.Records[0].EventName == "REMOVE" {
				close(removed)
			}
			return nil
		}))
		put(t, db, "a", 1, attr.Named("ends", attr.Int(time.Now().Add(time.Hour).Unix())))
		<-removed
	})
}

func TestLostChangesAreTold(t *testing.T) {
	t.Parallel()
	var l logs
	db := newDB(t)
	r := recorder{answer: failing(errBroken)}
	var failures []lambdastream.Failure
	c := lambdastream.Start(t, db, table, r.handle, lambdastream.WithBatchSize(1), lambdastream.WithLogger(l.logger()),
		lambdastream.WithOnFailure(func(f lambdastream.Failure) { failures = append(failures, f) }))
	put(t, db, "a", 1)
	wait(t, c)
	put(t, db, "a", 2)
	db.Advance(24*time.Hour + 2*time.Second)
	wait(t, c)
	if len(failures) != 1 || failures[0].Condition != lambdastream.RecordAgeExceeded {
		t.Errorf("failures: %+v", failures)
	}
	if !strings.Contains(l.String(), "changes are lost") || c.Stats().Gaps != 1 {
		t.Errorf("a/2 was lost silently: %+v\n%s", c.Stats(), l.String())
	}
	r.take()
	put(t, db, "a", 3)
	r.wants(t, c, "a/3")
}

func TestWorksInABubble(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDB(t, dynalite.WithClock(clock.Real()))
		r := recorder{answer: func(batch string, n int) (events.DynamoDBEventResponse, error) {
			if n < 4 {
				return events.DynamoDBEventResponse{}, errBroken
			}
			return events.DynamoDBEventResponse{}, nil
		}}
		c := lambdastream.Start(t, db, table, r.handle, lambdastream.WithBackoff(time.Second, time.Minute),
			lambdastream.WithBatchingWindow(time.Minute), lambdastream.WithBatchSize(2))
		began := time.Now()
		put(t, db, "a", 1)
		r.wants(t, c)
		if err := c.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, want := time.Since(began), time.Minute+7*time.Second; got != want {
			t.Errorf("took %v, want %v", got, want)
		}
		if got := r.take(); len(got) != 4 {
			t.Errorf("%d calls, want 4", len(got))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		put(t, db, "a", 2)
		if err := c.Drain(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Drain: %v", err)
		}
	})
}

func TestIdleConsumerDoesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDB(t, dynalite.WithClock(clock.Real()))
		var r recorder
		c := lambdastream.Start(t, db, table, r.handle)
		wait(t, c)
		// Were there a timer, the bubble's clock would run on to it.
		began := time.Now()
		before := runtime.NumGoroutine()
		time.Sleep(365 * 24 * time.Hour)
		if got := time.Since(began); got != 365*24*time.Hour {
			t.Errorf("slept for %v", got)
		}
		if after := runtime.NumGoroutine(); after > before {
			t.Errorf("%d goroutines became %d", before, after)
		}
	})
}
