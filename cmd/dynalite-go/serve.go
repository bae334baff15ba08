package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/dynalite-go/dynalite"
)

const (
	defaultHost = "127.0.0.1"
	defaultPort = 8000
)

// serveFlags are the flags of serve.
type serveFlags struct {
	addr, host  string
	port        int
	region      string
	account     string
	logLevel    string
	wording     string
	createDelay time.Duration
	ttlDelay    time.Duration
	strictAuth  map[string]string
	allowHosts  []string
	sharedDb    bool
	triggers    []string

	// Of DynamoDB Local.
	delayTransient bool
	dbPath         string
}

func newServe() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve DynamoDB over HTTP until interrupted",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return serve(ctx, &f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *serveFlags) register(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.StringVar(&f.addr, "addr", "", "address to listen on, host:port; wins over --host and --port")
	flags.StringVar(&f.host, "host", defaultHost, "host to listen on")
	flags.IntVar(&f.port, "port", defaultPort, "port to listen on; 0 picks a free one")
	flags.StringVar(&f.region, "region", dynalite.DefaultRegion, "region of requests that name none")
	flags.StringVar(&f.account, "account", dynalite.DefaultAccount, "account of access keys that are not account ids themselves")
	flags.StringVar(&f.logLevel, "log-level", "info", "debug (one line per request), info, warn or error; to standard error")
	flags.DurationVar(&f.createDelay, "create-delay", 0, "how long tables stay CREATING, UPDATING or DELETING")
	flags.DurationVar(&f.ttlDelay, "ttl-delay", 0, "how long items stay after they have expired")
	flags.StringToStringVar(&f.strictAuth, "strict-auth", nil, "verify signatures; access key ids with their secrets, AKID=secret")
	flags.StringVar(&f.wording, "wording", "current", "error texts: current (us-east-1, October 2026) or classic")
	flags.StringSliceVar(&f.allowHosts, "allow-host", nil, "host names that may reach a loopback address, besides localhost")
	flags.StringArrayVar(&f.triggers, "trigger", nil, "post a table's changes to a function as Lambda would, TABLE=URL or\nTABLE,SETTING=VALUE,…=URL (see docs/streams.md); may be repeated")
	flags.BoolVar(&f.sharedDb, "sharedDb", false, "one set of tables for all credentials and regions")

	// Accepted from scripts that start DynamoDB Local.
	flags.BoolVar(&f.delayTransient, "delayTransientStatuses", false, "")
	flags.StringVar(&f.dbPath, "dbPath", "", "")
	for _, name := range []string{"inMemory", "disableTelemetry", "optimizeDbBeforeStartup"} {
		flags.Bool(name, false, "")
	}
	flags.String("cors", "", "")
	flags.VisitAll(func(flag *pflag.Flag) { flag.Hidden = flag.Usage == "" })
}

// options turns the flags into options of the database.
func (f *serveFlags) options(logTo io.Writer) ([]dynalite.Option, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.logLevel)); err != nil {
		return nil, fmt.Errorf("--log-level: %q is not debug, info, warn or error", f.logLevel)
	}
	wording, ok := dynalite.ParseWording(f.wording)
	if !ok {
		return nil, fmt.Errorf("--wording: %q is not current or classic", f.wording)
	}
	if f.delayTransient && f.createDelay == 0 {
		f.createDelay = 5 * time.Second
	}
	opts := []dynalite.Option{
		dynalite.WithRegion(f.region),
		dynalite.WithAccount(f.account),
		dynalite.WithWording(wording),
		dynalite.WithCreateDelay(f.createDelay),
		dynalite.WithTTLDelay(f.ttlDelay),
		dynalite.WithAllowedHosts(f.allowHosts...),
		dynalite.WithLogger(slog.New(slog.NewTextHandler(logTo, &slog.HandlerOptions{Level: level}))),
	}
	if f.strictAuth != nil {
		opts = append(opts, dynalite.WithStrictAuth(f.strictAuth))
	}
	if f.sharedDb {
		opts = append(opts, dynalite.WithSharedTables())
	}
	return opts, nil
}

// address is where to listen.
func (f *serveFlags) address() string {
	if f.addr != "" {
		return f.addr
	}
	return net.JoinHostPort(f.host, strconv.Itoa(f.port))
}

// serve runs a database until the context ends.
func serve(ctx context.Context, f *serveFlags, out, logTo io.Writer) error {
	opts, err := f.options(logTo)
	if err != nil {
		return err
	}
	db, err := dynalite.New(opts...)
	if err != nil {
		return err
	}
	// The triggers come before the first write.
	stopTriggers, err := startTriggers(db, f.triggers)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	url, err := db.Listen(f.address())
	if err != nil {
		return errors.Join(err, stopTriggers(), db.Close())
	}
	fmt.Fprintf(out, "Listening on %s\nTry: AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local aws dynamodb list-tables --region %s --endpoint-url %s\n",
		url, f.region, url)
	if f.dbPath != "" {
		fmt.Fprintln(logTo, "-dbPath is ignored: tables live in memory, as long as this process")
	}
	<-ctx.Done()
	return errors.Join(db.Close(), stopTriggers())
}
