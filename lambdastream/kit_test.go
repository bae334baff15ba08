package lambdastream_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"go.uber.org/goleak"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/clock"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/lambdastream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var testTime = time.Date(2026, 10, 8, 23, 7, 31, 0, time.UTC)

// table is the table that tests write to, keyed by pk (S) and sk (N).
const table = "Orders"

// newDB returns a database with a manual clock and the table in it.
func newDB(t testing.TB, opts ...dynalite.Option) *dynalite.DB {
	t.Helper()
	opts = append([]dynalite.Option{dynalite.WithClock(clock.NewManual(testTime)), dynalite.WithPartitions(1)}, opts...)
	db := dynalite.Start(t, opts...)
	createTable(t, db)
	return db
}

func inRegion(t testing.TB, db *dynalite.DB, fn func(*engine.Region) error) {
	t.Helper()
	if err := db.InRegion("", "", fn); err != nil {
		t.Fatal(err)
	}
}

func createTable(t testing.TB, db *dynalite.DB) {
	t.Helper()
	inRegion(t, db, func(r *engine.Region) error {
		key := engine.KeySchema{
			Hash:  []engine.KeyAttribute{{Name: "pk", Type: attr.S}},
			Range: []engine.KeyAttribute{{Name: "sk", Type: attr.N}},
		}
		_, err := r.CreateTable(context.Background(), &engine.CreateTable{
			Table: table, Key: key, Definitions: append(key.Hash, key.Range...), OnDemand: true, StreamView: api.ViewBoth,
		})
		return err
	})
}

// put writes an item with the version n. Fields are added to it.
func put(t testing.TB, db *dynalite.DB, pk string, n int, fields ...attr.Field) {
	t.Helper()
	inRegion(t, db, func(r *engine.Region) error { return putIn(r, pk, n, fields...) })
}

func putIn(r *engine.Region, pk string, n int, fields ...attr.Field) error {
	fields = append([]attr.Field{attr.Named("pk", attr.String(pk)), attr.Named("sk", attr.Int(0)), attr.Named("n", attr.Int(int64(n)))}, fields...)
	_, err := r.Put(context.Background(), &engine.Put{Table: table, Item: attr.NewItem(fields...)})
	return err
}

// name is "pk/n" of a record that put made.
func name(rec *events.DynamoDBEventRecord) string {
	image := rec.Change.NewImage
	if image == nil {
		image = rec.Change.OldImage
	}
	return image["pk"].String() + "/" + image["n"].Number()
}

// recorder is a handler that keeps what it gets, and answers as a test wants.
type recorder struct {
	mu      sync.Mutex
	batches []string // guarded by mu; names of the records, separated by spaces
	answer  func(batch string, n int) (events.DynamoDBEventResponse, error)
}

func (r *recorder) handle(_ context.Context, e events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	names := make([]string, len(e.Records))
	for i := range e.Records {
		names[i] = name(&e.Records[i])
	}
	batch := strings.Join(names, " ")
	r.mu.Lock()
	r.batches = append(r.batches, batch)
	n := len(r.batches)
	r.mu.Unlock()
	if r.answer == nil {
		return events.DynamoDBEventResponse{}, nil
	}
	return r.answer(batch, n)
}

// take returns the batches since the last take.
func (r *recorder) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := r.batches
	r.batches = nil
	return b
}

// wait waits until the consumer is idle.
func wait(t testing.TB, c *lambdastream.Consumer) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := c.Wait(ctx); err != nil {
		t.Fatalf("Wait: %v", err)
	}
}

// wants compares the batches since the last check.
func (r *recorder) wants(t testing.TB, c *lambdastream.Consumer, want ...string) {
	t.Helper()
	wait(t, c)
	if got := r.take(); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("got batches %q, want %q", got, want)
	}
}

// logs is a logger that keeps its lines.
type logs struct {
	mu   sync.Mutex
	text strings.Builder // guarded by mu
}

func (l *logs) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *logs) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }
