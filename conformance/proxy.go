package conformance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"

	"github.com/dynalite-go/dynalite/clock"
)

// ProxyConfig says between what a Proxy stands.
type ProxyConfig struct {
	// Target is the URL of the endpoint, Streams that of its streams service if it is another one. For AWS the second
	// follows from the first.
	Target, Streams string
	// Keys sign requests anew. Without, a request goes on with the application's signature and Host header.
	Keys aws.CredentialsProvider
	// Region is where requests are signed for, if neither the application's signature nor the target tells.
	Region string
	// Mask masks what is written, not what is forwarded.
	Mask *Mask
	// Quiet keeps the proxy from asking about tables: by default it sends a DescribeTable of its own for each table
	// that the application is the first to name, so that a replay can make the table.
	Quiet bool
	// AnyHost lets requests through that no program on this machine would send. With Keys, the proxy lends its
	// credentials to whoever can reach it, so by default it refuses what a web page could send.
	AnyHost bool
	// Transport carries requests. nil stands for HTTP without compression or redirects of its own.
	Transport http.RoundTripper
	// Logger tells of trouble. nil is silence.
	Logger *slog.Logger
	// Clock gives the time. nil is the real one.
	Clock clock.Clock
	// MaxBody is how many bytes of a body are kept, 64 MB by default. All are forwarded.
	MaxBody int64
}

// Proxy is an http.Handler that forwards everything to an endpoint and writes the traffic. Trouble with writing never
// disturbs the application.
type Proxy struct {
	config  ProxyConfig
	target  *url.URL
	streams *url.URL
	out     *TrafficWriter
	reverse *httputil.ReverseProxy
	signer  *v4.Signer
	start   time.Time

	cut     context.Context // ends when exchanges are to be cut off
	cutNow  context.CancelCauseFunc
	running sync.WaitGroup

	mu     sync.Mutex // guards what follows
	closed bool
	tables map[string]bool // tables that the traffic tells about, or that were asked about
	stats  ProxyStats
}

// ProxyStats counts what a proxy did.
type ProxyStats struct {
	Exchanges int      // written
	Lost      int      // not written, because writing failed
	Partial   int      // written without a whole answer
	Notes     []string // what else could not be captured or masked, the first ones
	Others    int      // notes that are not in Notes
	Err       error    // the first error of writing
}

const maxNotes = 50

// NewProxy makes a proxy that writes to out. It writes the head at once.
func NewProxy(c ProxyConfig, out *TrafficWriter) (*Proxy, error) {
	p := &Proxy{config: c, out: out, signer: v4.NewSigner(), tables: map[string]bool{}}
	var err error
	if p.target, err = parseEndpoint(c.Target); err != nil {
		return nil, err
	}
	if c.Streams == "" {
		c.Streams = streamsOf(c.Target)
	}
	if p.streams, err = parseEndpoint(c.Streams); err != nil {
		return nil, err
	}
	if p.config.Clock == nil {
		p.config.Clock = clock.Real()
	}
	if p.config.Logger == nil {
		p.config.Logger = slog.New(slog.DiscardHandler)
	}
	if p.config.Transport == nil {
		t := plainTransport()
		t.ResponseHeaderTimeout = 0 // how long to wait is the application's business
		p.config.Transport = t
	}
	if p.config.MaxBody <= 0 {
		p.config.MaxBody = maxAnswer
	}
	p.start = p.config.Clock.Now()
	p.cut, p.cutNow = context.WithCancelCause(context.Background())
	p.reverse = &httputil.ReverseProxy{
		Rewrite: p.rewrite, Transport: roundTripper(p.carry), FlushInterval: -1, ErrorHandler: p.fail,
		ErrorLog: slog.NewLogLogger(p.config.Logger.Handler(), slog.LevelDebug),
	}
	return p, out.Begin()
}

// Check reports what is wrong with the configuration.
func (c ProxyConfig) Check() error {
	_, err := parseEndpoint(c.Target)
	if c.Streams != "" {
		_, streams := parseEndpoint(c.Streams)
		err = errors.Join(err, streams)
	}
	return err
}

// Head describes a capture of a target that begins at a time.
func (c ProxyConfig) Head(now time.Time) TrafficInfo {
	region := c.Region
	if r := regionOfHost(c.Target); r != "" {
		region = r
	}
	target := c.Target
	if u, err := url.Parse(target); err == nil {
		target = u.Scheme + "://" + u.Host // no user, no password
	}
	return TrafficInfo{Captured: now.UTC().Truncate(time.Second), Target: target, Region: region, Masked: c.Mask != nil}
}

func parseEndpoint(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q is no URL of an endpoint, such as http://127.0.0.1:8000", text)
	}
	return u, nil
}

var awsHost = lazyRegexp(`(?i)^(https?://)(streams\.)?(dynamodb|[0-9]{12}\.ddb)\.([a-z]{2}(?:-[a-z]+)+-[0-9]+)\.(amazonaws\.com(?:\.cn)?)(:[0-9]+)?/?$`)

// streamsOf returns the URL of the streams service that goes with an endpoint of AWS. Others serve both.
func streamsOf(target string) string {
	if m := awsHost().FindStringSubmatch(target); m != nil {
		return m[1] + "streams.dynamodb." + m[4] + "." + m[5]
	}
	return target
}

// regionOfHost returns the region of an endpoint of AWS, "" for others.
func regionOfHost(target string) string {
	if m := awsHost().FindStringSubmatch(target); m != nil {
		return m[4]
	}
	return ""
}

// OfAWS reports whether a URL is one of the service's own. It accepts no signature that was made for another host.
func OfAWS(target string) bool {
	u, err := url.Parse(target)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	return strings.HasSuffix(host, ".amazonaws.com") || strings.HasSuffix(host, ".amazonaws.com.cn") || strings.HasSuffix(host, ".api.aws")
}

// DefaultKeys returns the credentials of the AWS SDK's default chain, and its region, which may be empty.
func DefaultKeys(ctx context.Context) (keys aws.CredentialsProvider, region string, err error) {
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("AWS configuration: %w", err)
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		return nil, "", fmt.Errorf("AWS credentials: %w", err)
	}
	return cfg.Credentials, cfg.Region, nil
}

// roundTripper is a function that carries requests.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// ServeHTTP forwards one request and writes what was said, whatever comes of it.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if why := p.refusal(r); why != "" {
		http.Error(w, "dynalite-go proxy: "+why, http.StatusForbidden)
		p.note(fmt.Sprintf("%s %s refused: %s", r.Method, r.Host, why))
		return
	}
	if !p.enter() {
		http.Error(w, "dynalite-go proxy: it is ending", http.StatusServiceUnavailable)
		return
	}
	defer p.running.Done()
	f := p.newFlight(r)
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	stop := context.AfterFunc(p.cut, func() { cancel(context.Cause(p.cut)) })
	defer stop()
	defer p.land(f) // also when the reverse proxy gives up by a panic
	p.reverse.ServeHTTP(w, r.WithContext(context.WithValue(ctx, flightKey{}, f)))
}

// enter counts an exchange in, unless the proxy is closed.
func (p *Proxy) enter() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.running.Add(1)
	return true
}

// Close waits for the exchanges under way until the context ends, cuts off the rest, and returns what came of it all.
// Exchanges that were cut off are written as far as they got.
func (p *Proxy) Close(ctx context.Context) ProxyStats {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		p.running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		p.cutNow(errors.New("cut off at the proxy's end"))
		<-ended
	}
	if t, ok := p.config.Transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
	return p.Stats()
}

// Stats returns what the proxy did so far.
func (p *Proxy) Stats() ProxyStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Notes = append([]string(nil), s.Notes...)
	return s
}

func (p *Proxy) note(text string) {
	p.config.Logger.Warn("not captured", "what", text)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stats.Others++; len(p.stats.Notes) < maxNotes {
		p.stats.Notes = append(p.stats.Notes, text)
		p.stats.Others--
	}
}

// refusal says why a request isn't one of a program on this machine, "" if it may be.
func (p *Proxy) refusal(r *http.Request) string {
	if r.Method == http.MethodConnect {
		return "give applications this URL as their endpoint; it is no proxy for other hosts"
	}
	if p.config.Keys == nil || p.config.AnyHost {
		return ""
	}
	switch {
	case r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != "":
		return "web pages may not use this proxy's credentials"
	case r.Method != http.MethodGet && !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-"):
		return "only signed requests get another signature, whatever their keys"
	}
	return ""
}

// rewrite turns an incoming request into the one that is sent.
func (p *Proxy) rewrite(r *httputil.ProxyRequest) {
	base := p.target
	if strings.HasPrefix(r.In.Header.Get("X-Amz-Target"), "DynamoDBStreams_") {
		base = p.streams
	}
	r.Out.URL.Scheme, r.Out.URL.Host = base.Scheme, base.Host
	r.Out.URL.RawQuery = r.In.URL.RawQuery
	if p.config.Keys == nil {
		r.Out.Host = r.In.Host // the signature covers it
		return
	}
	r.Out.Host = base.Host
	for _, name := range []string{"Authorization", "X-Amz-Date", "X-Amz-Security-Token", "X-Amz-Content-Sha256", "Date"} {
		r.Out.Header.Del(name)
	}
	_, r.Out.URL.RawQuery, _ = strings.Cut(withoutSignature(r.In.URL), "?")
}

// maxSigned is somewhat more than the service reads of a request.
const maxSigned = 20 << 20

// carry signs and sends a request, and listens to both bodies.
func (p *Proxy) carry(r *http.Request) (*http.Response, error) {
	f, ok := r.Context().Value(flightKey{}).(*flight)
	if !ok {
		return nil, errors.New("a request without a flight")
	}
	if p.config.Keys != nil {
		if err := p.sign(r, f.region); err != nil {
			return nil, err
		}
		f.secrets = append(f.secrets, secretsOf(r)...)
	}
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = f.request.listen(r.Body)
	}
	resp, err := p.config.Transport.RoundTrip(r)
	if err != nil {
		if cause := context.Cause(r.Context()); cause != nil && !errors.Is(cause, context.Canceled) {
			err = cause
		}
		return nil, err
	}
	f.status, f.header = resp.StatusCode, resp.Header.Clone()
	f.response.whole = resp.ContentLength
	if resp.Body == nil || resp.Body == http.NoBody || resp.ContentLength == 0 {
		f.response.ended = true
		f.response.done()
	} else if resp.StatusCode != http.StatusSwitchingProtocols {
		resp.Body = f.response.listen(resp.Body)
	}
	return resp, nil
}

// sign reads a request's body and signs the request.
func (p *Proxy) sign(r *http.Request, region string) error {
	if err := buffer(r, maxSigned); err != nil {
		return err
	}
	keys, err := p.config.Keys.Retrieve(r.Context())
	if err != nil {
		return fmt.Errorf("credentials: %w", err)
	}
	if region == "" {
		return errors.New("no region to sign for: neither the request nor the target tells, and none is given")
	}
	body, err := r.GetBody()
	if err != nil {
		return err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, body); err != nil {
		return err
	}
	return p.signer.SignHTTP(r.Context(), keys, r, hex.EncodeToString(sum.Sum(nil)), "dynamodb", region, p.config.Clock.Now())
}

// fail answers the application when there is no answer of the target.
func (p *Proxy) fail(w http.ResponseWriter, r *http.Request, err error) {
	f, ok := r.Context().Value(flightKey{}).(*flight)
	if ok {
		f.failure = err
		p.land(f)
	}
	status := http.StatusBadGateway
	if errors.Is(err, errTooLong) {
		status = http.StatusRequestEntityTooLarge
	}
	http.Error(w, "dynalite-go proxy: "+err.Error(), status)
}
