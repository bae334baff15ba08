package lambdastream_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/clock"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/lambdastream"
)

var nop = lambdastream.ErrorHandler(func(context.Context, events.DynamoDBEvent) error { return nil })

// benchDB is a database in real time, with the table.
func benchDB(b *testing.B) *dynalite.DB {
	b.Helper()
	return newDB(b, dynalite.WithClock(clock.Real()), dynalite.WithPartitions(4))
}

// change writes the i-th change of a benchmark, an item of some 200 bytes.
func change(r *engine.Region, keys []string, text attr.Value, i int) error {
	return putIn(r, keys[i%len(keys)], i, attr.Named("text", text), attr.Named("ok", attr.Bool(true)))
}

func benchKeys() []string {
	keys := make([]string, 1000)
	for i := range keys {
		keys[i] = fmt.Sprint("item", i)
	}
	return keys
}

// BenchmarkConsume is the time of one change from the write to the end of the handler, writes included. It is at
// least what the writes alone cost, see BenchmarkWrite.
func BenchmarkConsume(b *testing.B) {
	for _, tt := range []struct {
		name string
		opts []lambdastream.Option
	}{
		{"batch=100", nil},
		{"batch=1000", []lambdastream.Option{lambdastream.WithBatchSize(1000)}},
		{"batch=1", []lambdastream.Option{lambdastream.WithBatchSize(1)}},
		{"parallel=10", []lambdastream.Option{lambdastream.WithParallelization(10)}},
		{"filter", []lambdastream.Option{lambdastream.WithFilters(`{"dynamodb":{"NewImage":{"ok":{"BOOL":[false]}}}}`)}},
	} {
		b.Run(tt.name, func(b *testing.B) {
			db, keys, text := benchDB(b), benchKeys(), attr.String(fmt.Sprintf("%150d", 1))
			c := lambdastream.Start(b, db, table, nop, tt.opts...)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if err := db.InRegion("", "", func(r *engine.Region) error { return change(r, keys, text, i) }); err != nil {
					b.Fatal(err)
				}
				i++
				if i%10_000 == 0 { // don't run ahead for ever
					wait(b, c)
				}
			}
			wait(b, c)
			if got := c.Stats(); got.Records+got.Filtered != int64(i) {
				b.Fatalf("%d changes, %+v", i, got)
			}
			b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "changes/s")
		})
	}
}

// BenchmarkBacklog is the time of one change that was written before.
func BenchmarkBacklog(b *testing.B) {
	const changes = 100_000
	db, keys, text := benchDB(b), benchKeys(), attr.String(fmt.Sprintf("%150d", 1))
	for i := range changes {
		if err := db.InRegion("", "", func(r *engine.Region) error { return change(r, keys, text, i) }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	var spent time.Duration
	n := 0
	for b.Loop() {
		began := time.Now()
		c := lambdastream.Start(b, db, table, nop)
		wait(b, c)
		spent += time.Since(began)
		n += changes
		if got := c.Stats().Records; got != changes {
			b.Fatalf("%d records", got)
		}
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/spent.Seconds(), "changes/s")
}

// BenchmarkWrite is the cost of a write whose change nobody reads, and of one that wakes an idle consumer or a busy
// one. It shows what a consumer costs who writes.
func BenchmarkWrite(b *testing.B) {
	busy := lambdastream.ErrorHandler(func(ctx context.Context, _ events.DynamoDBEvent) error { <-ctx.Done(); return nil })
	for _, tt := range []struct {
		name    string
		handler lambdastream.Handler
	}{{"alone", nil}, {"consumer", nop}, {"hanging consumer", busy}} {
		b.Run(tt.name, func(b *testing.B) {
			db, keys, text := benchDB(b), benchKeys(), attr.String(fmt.Sprintf("%150d", 1))
			if tt.handler != nil {
				lambdastream.Start(b, db, table, tt.handler)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := db.InRegion("", "", func(r *engine.Region) error { return change(r, keys, text, i) }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
