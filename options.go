package dynalite

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"time"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/clock"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/server"
)

// Defaults of WithRegion and WithAccount. The account isn't all zeros because some tools refuse that.
const (
	DefaultRegion  = "us-east-1"
	DefaultAccount = "123456789012"
)

// Option changes how a database behaves. Options are checked together when the database is made.
type Option func(*config)

// config is what the options say.
type config struct {
	region      string
	account     string
	wording     Wording
	logger      *slog.Logger
	clock       clock.Clock
	createDelay time.Duration
	ttlDelay    time.Duration
	secrets     map[string]string
	partitions  int
	hosts       []string
	shared      bool
}

// Wording is a generation of error texts. During 2026 the service began to reword its validation errors, operation by
// operation and region by region.
type Wording = api.Wording

const (
	// CurrentWording is that of us-east-1 in October 2026, and the default.
	CurrentWording = api.WordingCurrent
	// ClassicWording is that of the service before the change.
	ClassicWording = api.WordingClassic
)

// ParseWording returns the wording of a name, "current" or "classic"; ok is false for an unknown one.
func ParseWording(name string) (w Wording, ok bool) { return api.ParseWording(name) }

// maxPartitions keeps a mistyped option from using all memory.
const maxPartitions = 10_000

// WithRegion sets the region of requests whose signature names none, DefaultRegion by default.
func WithRegion(region string) Option { return func(c *config) { c.region = region } }

// WithAccount sets the account, twelve digits, of requests whose access key id isn't one itself. DefaultAccount by
// default.
func WithAccount(account string) Option { return func(c *config) { c.account = account } }

// WithWording picks a generation of error texts, CurrentWording by default.
func WithWording(w Wording) Option { return func(c *config) { c.wording = w } }

// WithLogger sends one debug record per request, and an error record for each failure of the emulator itself, to a
// logger. By default nothing is logged, or, in a database from Start, what is a warning or worse goes to the test's
// log.
func WithLogger(l *slog.Logger) Option { return func(c *config) { c.logger = l } }

// WithClock makes a clock the database's only source of time, clock.Real by default. See DB.Advance for a manual one.
func WithClock(c clock.Clock) Option { return func(cfg *config) { cfg.clock = c } }

// WithCreateDelay keeps tables and indexes in a transitional status (CREATING, UPDATING, DELETING) for as long, by
// the database's clock. By default they never wait.
func WithCreateDelay(d time.Duration) Option { return func(c *config) { c.createDelay = d } }

// WithTTLDelay keeps items for as long after they have expired, by the database's clock. By default they are gone at
// once; AWS promises no more than a few days.
func WithTTLDelay(d time.Duration) Option { return func(c *config) { c.ttlDelay = d } }

// WithStrictAuth verifies the signature of each request, which must be made with one of the given access key ids and
// its secret. By default any well-formed signature is accepted.
func WithStrictAuth(secrets map[string]string) Option {
	return func(c *config) { c.secrets = maps.Clone(secrets) }
}

// WithPartitions gives each new table and global secondary index n partitions. By default the number follows from
// the capacity, as it does in the service. Answers don't depend on it, except for the order of a parallel Scan.
func WithPartitions(n int) Option { return func(c *config) { c.partitions = n } }

// WithAllowedHosts names hosts, without port, by which requests may reach a listener on a loopback address. Such a
// listener otherwise answers only to localhost and loopback addresses, so that no web page can reach it by a name of
// its own (DNS rebinding).
func WithAllowedHosts(hosts ...string) Option {
	return func(c *config) { c.hosts = append(c.hosts, hosts...) }
}

// WithSharedTables gives all callers one set of tables, whatever their credentials and regions, which are those of
// WithAccount and WithRegion.
func WithSharedTables() Option { return func(c *config) { c.shared = true } }

// newConfig applies and checks the options.
func newConfig(opts []Option) (config, error) {
	c := config{region: DefaultRegion, account: DefaultAccount, clock: clock.Real()}
	for _, opt := range opts {
		opt(&c)
	}
	var faults []error
	fault := func(broken bool, format string, args ...any) {
		if broken {
			faults = append(faults, fmt.Errorf("dynalite: "+format, args...))
		}
	}
	fault(!server.ValidRegion(c.region), "region %q: want lower-case letters, digits and hyphens", c.region)
	fault(!server.ValidAccount(c.account), "account %q: want twelve digits", c.account)
	fault(c.wording != CurrentWording && c.wording != ClassicWording, "unknown wording %d", c.wording)
	fault(c.clock == nil, "no clock")
	fault(c.createDelay < 0, "negative create delay %v", c.createDelay)
	fault(c.ttlDelay < 0, "negative TTL delay %v", c.ttlDelay)
	fault(c.secrets != nil && len(c.secrets) == 0, "strict authentication without any access key")
	fault(c.partitions < 0 || c.partitions > maxPartitions, "%d partitions: want 0 to %d", c.partitions, maxPartitions)
	return c, errors.Join(faults...)
}

// engine returns the engine's part of the options.
func (c *config) engine() engine.Options {
	return engine.Options{Clock: c.clock, CreateDelay: c.createDelay, TTLDelay: c.ttlDelay, Partitions: c.partitions}
}

// lookup is the server's view of the secrets, nil when any signature will do.
func (c *config) lookup() server.Secrets {
	if c.secrets == nil {
		return nil
	}
	return func(accessKey string) (string, bool) {
		secret, ok := c.secrets[accessKey]
		return secret, ok
	}
}
