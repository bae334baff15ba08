package lambdastream

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
)

// Limits and defaults of an event source mapping for a DynamoDB stream, from the parameters of
// CreateEventSourceMapping.
const (
	DefaultBatchSize = 100
	MaxBatchSize     = 10_000
	MaxWindow        = 300 * time.Second
	MaxRetries       = 10_000
	MinRecordAge     = 60 * time.Second
	MaxRecordAge     = 7 * 24 * time.Hour
	MaxParallel      = 10
	MaxFilters       = 10 // 5, unless the account's quota was raised
	MaxPayloadBytes  = 6 << 20
	maxPatternBytes  = 4096
	retention        = 24 * time.Hour // of the stream: no record gets older
	defaultBackoff   = 100 * time.Millisecond
	defaultMaxDelay  = time.Minute
)

// StartingPosition says where a consumer starts in a stream that is there already.
type StartingPosition string

// The starting positions. For a moment in time see WithStartingTimestamp.
const (
	TrimHorizon StartingPosition = "TRIM_HORIZON" // the oldest record of the last 24 hours
	Latest      StartingPosition = "LATEST"       // the first change after New has returned
)

// Option sets a property of a consumer. The names are those of the parameters of CreateEventSourceMapping, where
// there is one.
type Option func(*config)

type config struct {
	table           string
	account, region string // "": the database's own

	batchSize  int
	window     time.Duration
	from       engine.IteratorType
	at         time.Time
	filters    []string
	patterns   []*pattern
	retries    int // -1: until the record expires
	bisect     bool
	report     bool
	maxAge     time.Duration // 0: until the record expires
	onFailure  func(Failure)
	parallel   int
	timeout    time.Duration // 0: none
	backoff    time.Duration
	maxBackoff time.Duration
	logger     *slog.Logger
	function   string
}

// WithBatchSize sets the most records that the handler gets at once, 1 to 10,000; 100 by default. A batch is also
// full at 6 MB.
func WithBatchSize(n int) Option { return func(c *config) { c.batchSize = n } }

// WithBatchingWindow lets a batch that isn't full wait for more records, up to 300 seconds after its first one. By
// default it doesn't wait.
func WithBatchingWindow(d time.Duration) Option { return func(c *config) { c.window = d } }

// WithStartingPosition says where to start in the stream that the table has when the consumer is made, TrimHorizon by
// default. A stream that the table gets later is read from its beginning.
func WithStartingPosition(p StartingPosition) Option {
	return func(c *config) { c.from, c.at = engine.IteratorType(p), time.Time{} }
}

// WithStartingTimestamp starts at the first record that was written at t or later (AT_TIMESTAMP). t must not lie in
// the future.
func WithStartingTimestamp(t time.Time) Option {
	return func(c *config) { c.from, c.at = engine.AtTimestamp, t }
}

// WithFilters delivers only the records that match at least one of up to ten patterns in Lambda's filter syntax, for
// example
//
//	{"eventName": ["INSERT"], "dynamodb": {"NewImage": {"State": {"S": [{"prefix": "paid"}]}}}}
//
// The operators are exact values, prefix, suffix, equals-ignore-case, anything-but, numeric, exists and $or. As in
// Lambda, numeric finds only what is a number in JSON, and an attribute of type N is not: its number is a string.
func WithFilters(patterns ...string) Option {
	return func(c *config) { c.filters = append(c.filters, patterns...) }
}

// WithRetries sets how often a failed batch is tried again, 0 to 10,000, before its records are discarded. -1, the
// default, is until the records expire.
func WithRetries(n int) Option { return func(c *config) { c.retries = n } }

// WithBisect divides a batch in two when the handler fails on it (BisectBatchOnFunctionError). Dividing doesn't count
// as a retry.
func WithBisect() Option { return func(c *config) { c.bisect = true } }

// WithBatchItemFailures makes the consumer heed the handler's response (ReportBatchItemFailures): delivery goes on at
// the first record that the response names. Without it a response without an error is a success.
func WithBatchItemFailures() Option { return func(c *config) { c.report = true } }

// WithMaxRecordAge discards records that get older than d, 60 seconds to 7 days, before they are delivered. -1, the
// default, lets the stream's 24 hours end them.
func WithMaxRecordAge(d time.Duration) Option {
	return func(c *config) { c.maxAge = d }
}

// WithOnFailure calls fn for each batch of records that is discarded, as Lambda sends a message to a destination. The
// shard waits until fn returns.
func WithOnFailure(fn func(Failure)) Option { return func(c *config) { c.onFailure = fn } }

// WithParallelization delivers up to n batches of a shard at once, 1 to 10; 1 by default. The changes of one item
// stay in order. A batch that fails holds up the items that share its lane, a fixed one for each item, and all others
// of the shard only when more than 2 × n batches wait.
func WithParallelization(n int) Option { return func(c *config) { c.parallel = n } }

// WithTimeout makes a call that takes longer than d a failure, and cancels the handler's context. A handler that
// doesn't heed that goes on beside its own retry. By default there is no time-out, 15 minutes for a trigger.
func WithTimeout(d time.Duration) Option { return func(c *config) { c.timeout = d } }

// WithBackoff sets how long the first retry of a batch waits, and the most that one waits; each waits twice as long as
// the one before. 100 milliseconds and a minute by default.
func WithBackoff(first, most time.Duration) Option {
	return func(c *config) { c.backoff, c.maxBackoff = first, most }
}

// WithLogger sends what is skipped and what fails to a logger, by default to the database's.
func WithLogger(l *slog.Logger) Option { return func(c *config) { c.logger = l } }

// WithFunctionName sets the name of the function in the ARN that a Failure shows, "function" by default.
func WithFunctionName(name string) Option { return func(c *config) { c.function = name } }

// newConfig applies and checks the options. The error tells all faults.
func newConfig(table string, opts []Option) (config, error) {
	c := config{
		table: table, batchSize: DefaultBatchSize, from: engine.TrimHorizon, retries: -1, maxAge: -1, parallel: 1,
		backoff: defaultBackoff, maxBackoff: defaultMaxDelay, function: "function",
	}
	for _, opt := range opts {
		opt(&c)
	}
	var faults []error
	fault := func(broken bool, format string, args ...any) {
		if broken {
			faults = append(faults, fmt.Errorf("lambdastream: "+format, args...))
		}
	}
	c.splitARN()
	fault(c.table == "" || strings.ContainsAny(c.table, ":/"), "table %q: want a name or the ARN of a table", table)
	fault(c.batchSize < 1 || c.batchSize > MaxBatchSize, "batch size %d: want 1 to %d", c.batchSize, MaxBatchSize)
	fault(c.window < 0 || c.window > MaxWindow, "batching window %v: want 0 to %v", c.window, MaxWindow)
	fault(c.from != engine.TrimHorizon && c.from != engine.Latest && c.from != engine.AtTimestamp,
		"starting position %q: want %s or %s", c.from, TrimHorizon, Latest)
	fault(c.retries < -1 || c.retries > MaxRetries, "%d retries: want -1 to %d", c.retries, MaxRetries)
	fault(c.maxAge != -1 && (c.maxAge < MinRecordAge || c.maxAge > MaxRecordAge),
		"maximum record age %v: want -1 or %v to %v", c.maxAge, MinRecordAge, MaxRecordAge)
	fault(c.parallel < 1 || c.parallel > MaxParallel, "parallelization factor %d: want 1 to %d", c.parallel, MaxParallel)
	fault(c.timeout < 0, "negative time-out %v", c.timeout)
	fault(c.backoff <= 0 || c.maxBackoff < c.backoff, "backoff of %v to %v: want something above zero, in order", c.backoff, c.maxBackoff)
	fault(len(c.filters) > MaxFilters, "%d filters: want %d at most", len(c.filters), MaxFilters)
	for _, text := range c.filters {
		p, err := parsePattern(text)
		if err != nil {
			faults = append(faults, err)
		}
		c.patterns = append(c.patterns, p)
	}
	if c.maxAge == -1 || c.maxAge > retention {
		c.maxAge = retention
	}
	return c, errors.Join(faults...)
}

// splitARN takes account and region from the table's ARN, if it is one.
func (c *config) splitARN() {
	part := strings.Split(c.table, ":")
	if len(part) != 6 || part[0] != "arn" || part[2] != "dynamodb" {
		return
	}
	if name, ok := strings.CutPrefix(part[5], "table/"); ok {
		c.region, c.account, c.table = part[3], part[4], name
	}
}

// wants reports whether a record passes the filters.
func (c *config) wants(rec *api.Record, streamARN string) bool {
	return len(c.patterns) == 0 ||
		slices.ContainsFunc(c.patterns, func(p *pattern) bool { return p.matches(rec, streamARN) })
}

// delay is how long a retry waits, the first being number 1.
func (c *config) delay(retry int) time.Duration {
	d := c.backoff
	for range retry - 1 {
		if d > c.maxBackoff/2 {
			return c.maxBackoff
		}
		d *= 2
	}
	return d
}
