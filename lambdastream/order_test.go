package lambdastream_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/clock"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/internal/lockrank"
	"github.com/dynalite-go/dynalite/lambdastream"
)

// order checks that each item's versions arrive as 1, 2, 3, …, each once when its batch succeeds.
type order struct {
	mu   sync.Mutex
	seen map[string]int // guarded by mu; version by item
	bad  []string       // guarded by mu
}

// deliver takes the first n records of a batch, those that the handler is done with.
func (o *order) deliver(e events.DynamoDBEvent, n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range n {
		c := &e.Records[i].Change
		pk := c.Keys["pk"].String()
		version, err := strconv.Atoi(c.NewImage["n"].Number())
		if err != nil || version != o.seen[pk]+1 || (version > 1) != (c.OldImage != nil) {
			o.bad = append(o.bad, fmt.Sprintf("%s: %d after %d (%v)", pk, version, o.seen[pk], err))
		}
		o.seen[pk] = version
	}
}

func (o *order) check(t *testing.T, items, versions int) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.bad) > 0 {
		t.Errorf("%d changes out of order, such as %s", len(o.bad), o.bad[0])
	}
	if len(o.seen) != items {
		t.Errorf("%d items were seen, want %d", len(o.seen), items)
	}
	for pk, n := range o.seen {
		if n != versions {
			t.Errorf("%s ends at version %d, want %d", pk, n, versions)
			return
		}
	}
}

// flaky fails now and then: with an error, with a panic, or in part.
func (o *order) flaky(_ context.Context, e events.DynamoDBEvent) (resp events.DynamoDBEventResponse, err error) {
	switch n := rand.IntN(len(e.Records)); rand.IntN(40) {
	case 0:
		return resp, errBroken
	case 1:
		panic(errBroken)
	case 2, 3:
		o.deliver(e, n)
		resp.BatchItemFailures = []events.DynamoDBBatchItemFailure{{ItemIdentifier: e.Records[n].Change.SequenceNumber}}
		return resp, nil
	}
	o.deliver(e, len(e.Records))
	return resp, nil
}

// A handler sees every change of a run of 100,000 writes exactly, in order for each item, across shard rolls and
// splits, also when it fails now and then.
func TestEveryChangeInOrder(t *testing.T) {
	items, versions := 500, 200
	if testing.Short() || lockrank.Checked { // a lock that is checked costs microseconds
		versions = 20
	}
	for _, tt := range []struct {
		name string
		opts []lambdastream.Option
	}{
		{"plain", nil},
		{"bisect", []lambdastream.Option{lambdastream.WithBisect(), lambdastream.WithBatchSize(1000)}},
		{"parallel", []lambdastream.Option{lambdastream.WithParallelization(10), lambdastream.WithBatchSize(20)}},
		{"window", []lambdastream.Option{lambdastream.WithBatchingWindow(2 * time.Millisecond), lambdastream.WithParallelization(2)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			db := newDB(t, dynalite.WithClock(clock.Real()), dynalite.WithPartitions(2), dynalite.WithLogger(new(logs).logger()))
			o := &order{seen: map[string]int{}}
			opts := append(tt.opts, lambdastream.WithBatchItemFailures(), lambdastream.WithBackoff(time.Microsecond, time.Millisecond))
			c := lambdastream.Start(t, db, table, o.flaky, opts...)
			var writers sync.WaitGroup
			const workers = 4
			for w := range workers {
				writers.Go(func() { writeVersions(t, db, w, workers, items, versions) })
			}
			reshard(t, db, &writers)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			if err := c.Drain(ctx); err != nil {
				t.Errorf("%v, %+v", err, c.Stats())
			}
			o.check(t, items, versions)
			if got := c.Stats(); got.Records != int64(items*versions) || got.Discarded+got.Gaps > 0 || got.Failures == 0 {
				t.Errorf("%+v", got)
			}
		})
	}
}

// writeVersions writes the versions of every workers-th item.
func writeVersions(t *testing.T, db *dynalite.DB, first, workers, items, versions int) {
	for n := range versions {
		for i := first; i < items; i += workers {
			if err := db.InRegion("", "", func(r *engine.Region) error { return putIn(r, fmt.Sprint("item", i), n+1) }); err != nil {
				t.Error(err)
				return
			}
		}
	}
}

// reshard rolls shards and splits partitions while the writers work.
func reshard(t *testing.T, db *dynalite.DB, writers *sync.WaitGroup) {
	t.Helper()
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	for i := 1; ; i++ {
		select {
		case <-done:
			return
		case <-time.After(time.Duration(i) * time.Millisecond):
		}
		if err := db.RollShards(table); err != nil {
			t.Error(err)
		}
		n, err := db.Partitions(table)
		if err == nil && n < 16 && i%5 == 0 {
			err = db.SplitPartition(table, rand.IntN(n))
		}
		if err != nil {
			t.Error(err)
		}
	}
}
