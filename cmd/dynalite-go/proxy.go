package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/dynalite-go/dynalite/conformance"
)

// proxyFlags are the flags of proxy.
type proxyFlags struct {
	target, streams   string
	out               string
	listen            string
	region            string
	mask              bool
	maskNumbers       string
	maskSecret        string
	sign              bool
	appendTo, anyHost bool
	describe          bool
	logLevel          string
}

func newProxy() *cobra.Command {
	var f proxyFlags
	cmd := &cobra.Command{
		Use:   "proxy --target URL --out FILE",
		Short: "Stand between an application and an endpoint, and write their traffic",
		Long: "Forwards everything to an endpoint of DynamoDB or an emulator, and writes requests and answers to a file, one\n" +
			"JSON object a line. Keys, tokens and signatures are never written. The file replays against another endpoint and\n" +
			"becomes a conformance case: see dynalite-go conformance replay --help and add --help.\n\n" +
			"A signature covers the Host header, so AWS refuses what was signed for this proxy: with --sign, requests are\n" +
			"signed anew with the credentials of the AWS SDK's default chain, and for the application any keys will do.",
		Example: "  dynalite-go proxy --target http://127.0.0.1:8000 --out traffic.jsonl\n" +
			"  dynalite-go proxy --target https://dynamodb.eu-west-1.amazonaws.com --sign --mask --out traffic.jsonl\n" +
			"  AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8001 my-application",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			context.AfterFunc(ctx, stop) // a second signal ends the process at once
			return f.serve(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.target, "target", "", "`URL` of the endpoint")
	fl.StringVar(&f.streams, "streams-target", "", "`URL` of its streams service, where that is another one (default for AWS: the region's)")
	fl.StringVar(&f.out, "out", "", "`file` that the traffic is written to; it must not exist")
	fl.BoolVar(&f.appendTo, "append", false, "write behind what an existing file holds")
	fl.StringVar(&f.listen, "listen", "127.0.0.1:8001", "`address` to listen on; port 0 picks a free one")
	fl.BoolVar(&f.mask, "mask", false, "mask the values of attributes; order, prefixes and equality are kept, sizes are not")
	fl.StringVar(&f.maskNumbers, "mask-numbers", "hide", "with --mask: hide numbers, or keep them, so that counters replay")
	fl.StringVar(&f.maskSecret, "mask-secret", "", "with --mask: a `text` that makes the masks of several captures the same (default: a new one)")
	fl.BoolVar(&f.sign, "sign", false, "sign requests anew, with the AWS SDK's default credentials")
	fl.StringVar(&f.region, "region", "", "region to sign for, if neither the target nor the application tells (default: the SDK's)")
	fl.BoolVar(&f.describe, "describe", true, "ask the endpoint about each table that was there before, so that a replay can make it")
	fl.BoolVar(&f.anyHost, "any-client", false, "with --sign: serve unsigned requests and web pages too")
	fl.StringVar(&f.logLevel, "log-level", "warn", "debug (one line per exchange), info, warn or error; to standard error")
	return cmd
}

// config checks the flags and turns them into a configuration.
func (f *proxyFlags) config(ctx context.Context, logTo io.Writer) (conformance.ProxyConfig, error) {
	c := conformance.ProxyConfig{Target: f.target, Streams: f.streams, Region: f.region, Quiet: !f.describe, AnyHost: f.anyHost}
	if f.target == "" || f.out == "" {
		return c, errors.New("--target and --out are needed")
	}
	numbers, ok := conformance.ParseMaskNumbers(f.maskNumbers)
	if !ok {
		return c, fmt.Errorf("--mask-numbers: %q is not hide or keep", f.maskNumbers)
	}
	if !f.mask && (f.maskSecret != "" || numbers != conformance.NumbersHidden) {
		return c, errors.New("--mask-numbers and --mask-secret go with --mask")
	}
	if f.mask {
		c.Mask = conformance.NewMask(f.maskSecret, numbers)
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.logLevel)); err != nil {
		return c, fmt.Errorf("--log-level: %q is not debug, info, warn or error", f.logLevel)
	}
	c.Logger = slog.New(slog.NewTextHandler(logTo, &slog.HandlerOptions{Level: level}))
	if f.sign {
		keys, region, err := conformance.DefaultKeys(ctx)
		if err != nil {
			return c, fmt.Errorf("--sign: %w", err)
		}
		c.Keys = keys
		if c.Region == "" {
			c.Region = region
		}
	} else if conformance.OfAWS(f.target) {
		fmt.Fprintln(logTo, "AWS refuses signatures that were made for another host: without --sign most requests will fail")
	}
	return c, c.Check()
}

// create opens the file of the traffic. What is in it already is never overwritten.
func (f *proxyFlags) create() (*os.File, error) {
	mode := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	if !f.appendTo {
		mode |= os.O_EXCL
	}
	file, err := os.OpenFile(f.out, mode, 0o600) // values of others may be in it
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("--out: %s exists; --append writes behind what it holds", f.out)
	}
	return file, err
}

// Time that exchanges under way have when the proxy is stopped.
const proxyPatience = 5 * time.Second

// serve forwards until the context ends.
func (f *proxyFlags) serve(ctx context.Context, out, logTo io.Writer) (err error) {
	c, err := f.config(ctx, logTo)
	if err != nil {
		return err
	}
	socket, err := net.Listen("tcp", f.listen)
	if err != nil {
		return err
	}
	defer socket.Close()
	file, err := f.create()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if info, _ := file.Stat(); info != nil && info.Size() > 0 {
		if _, err := file.WriteString("\n"); err != nil { // the last line may have no end
			return err
		}
	}
	proxy, err := conformance.NewProxy(c, conformance.NewTrafficWriter(file, c.Head(time.Now())))
	if err != nil {
		return err
	}
	f.announce(socket.Addr(), out, logTo)
	server := &http.Server{
		Handler: proxy, ReadHeaderTimeout: time.Minute, IdleTimeout: 3 * time.Minute,
		ErrorLog: slog.NewLogLogger(c.Logger.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(socket) }()
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	stats := stopProxy(server, proxy)
	return errors.Join(err, f.tell(stats, logTo))
}

// stopProxy lets exchanges under way end, and cuts them off after a while.
func stopProxy(server *http.Server, proxy *conformance.Proxy) conformance.ProxyStats {
	ctx, cancel := context.WithTimeout(context.Background(), proxyPatience)
	defer cancel()
	shutdown := make(chan error, 1)
	go func() { shutdown <- server.Shutdown(ctx) }()
	stats := proxy.Close(ctx)
	<-shutdown
	server.Close()
	return stats
}

func (f *proxyFlags) announce(addr net.Addr, out, logTo io.Writer) {
	url := "http://" + addr.String()
	if tcp, ok := addr.(*net.TCPAddr); ok {
		if tcp.IP.IsUnspecified() {
			url = fmt.Sprintf("http://127.0.0.1:%d", tcp.Port)
		}
		if f.sign && !tcp.IP.IsLoopback() {
			fmt.Fprintln(logTo, "Whoever reaches this address acts with your AWS credentials")
		}
	}
	fmt.Fprintf(out, "Forwarding %s to %s, writing to %s\nTry: AWS_ENDPOINT_URL_DYNAMODB=%s AWS_ENDPOINT_URL_DYNAMODB_STREAMS=%s your-application\n",
		url, f.target, f.out, url, url)
}

// tell says what was captured and what was not.
func (f *proxyFlags) tell(s conformance.ProxyStats, logTo io.Writer) error {
	fmt.Fprintf(logTo, "%d exchanges in %s", s.Exchanges, f.out)
	if s.Partial > 0 {
		fmt.Fprintf(logTo, ", %d of them not whole: see their member fault", s.Partial)
	}
	fmt.Fprintln(logTo)
	for _, note := range s.Notes {
		fmt.Fprintln(logTo, "not captured:", note)
	}
	if s.Others > 0 {
		fmt.Fprintf(logTo, "not captured: %d more\n", s.Others)
	}
	if s.Lost > 0 {
		return fmt.Errorf("%d exchanges could not be written: %w", s.Lost, s.Err)
	}
	return nil
}
