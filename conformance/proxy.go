package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/dynalite-go/dynalite/clock"
)

// Proxy stands between an application and an endpoint, passes on what each says to the other, and captures it. It is an
// http.Handler.
//
// What is captured are operations and bodies. Headers are not, so keys, tokens and signatures never are.
type Proxy struct {
	target  Target
	clock   clock.Clock
	mask    *Mask
	mu      sync.Mutex // guards what follows
	capture func(Exchange) error
	seen    map[string]bool // tables whose description is captured
	failed  error           // of capture
}

// NewProxy passes requests on to a target and calls capture for each exchange, one at a time. A target that signs gets
// requests signed anew, with its own keys; others get the application's signature as it is. mask may be nil.
func NewProxy(target Target, mask *Mask, capture func(Exchange) error) *Proxy {
	return &Proxy{target: target.withDefaults(), clock: clock.Real(), mask: mask, capture: capture, seen: map[string]bool{}}
}

// Err returns the first error of writing the capture. Traffic goes on without it.
func (p *Proxy) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failed
}

// maxProxied is somewhat more than the service reads of a request.
const maxProxied = 17 << 20

// hopHeaders concern one connection only.
var hopHeaders = []string{"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade", "Content-Length"}

// ServeHTTP passes one request on.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxProxied))
	if err != nil {
		http.Error(w, "proxy: "+err.Error(), http.StatusBadRequest)
		return
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	p.describe(r, operation, body)
	started := p.clock.Now().UTC()
	resp, err := p.forward(r, r.Header, body)
	if err != nil {
		http.Error(w, "proxy: "+err.Error(), http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		http.Error(w, "proxy: "+err.Error(), http.StatusBadGateway)
		return
	}
	header := w.Header()
	maps.Copy(header, resp.Header)
	for _, name := range hopHeaders {
		header.Del(name)
	}
	w.WriteHeader(resp.StatusCode)
	_, _ = w.Write(raw) // the application is gone, perhaps; the exchange took place
	p.keep(Exchange{Time: started, Operation: operation, Status: resp.StatusCode},
		r.Header.Get("Content-Encoding"), body, resp.Header.Get("Content-Encoding"), raw)
}

// forward sends a request to the target.
func (p *Proxy) forward(r *http.Request, header http.Header, body []byte) (*http.Response, error) {
	base := p.target.URL
	if p.target.StreamsURL != "" && strings.HasPrefix(header.Get("X-Amz-Target"), "DynamoDBStreams_") {
		base = p.target.StreamsURL
	}
	out, err := http.NewRequestWithContext(r.Context(), r.Method, strings.TrimSuffix(base, "/")+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	out.Header = header.Clone()
	for _, name := range hopHeaders {
		out.Header.Del(name)
	}
	if p.target.Sign == nil {
		out.Host = r.Host // it is signed
		return p.target.Transport.RoundTrip(out)
	}
	for name := range out.Header {
		if strings.HasPrefix(name, "X-Amz-") && name != "X-Amz-Target" || name == "Authorization" {
			out.Header.Del(name)
		}
	}
	if err := p.target.Sign(r.Context(), out, body); err != nil {
		return nil, fmt.Errorf("signing: %w", err)
	}
	return p.target.Transport.RoundTrip(out)
}

// describe captures the description of tables that a request is the first to name, so that a replay can make them.
func (p *Proxy) describe(r *http.Request, operation string, body []byte) {
	var request any
	if json.Unmarshal(body, &request) != nil || operation == "" {
		return
	}
	for _, name := range tableNames(request) {
		p.mu.Lock()
		known := p.seen[name]
		p.seen[name] = true
		p.mu.Unlock()
		if known || operation == "CreateTable" || operation == "DescribeTable" && strings.HasPrefix(name, "arn:") {
			continue
		}
		header := r.Header.Clone()
		header.Set("X-Amz-Target", targetHeader("DescribeTable"))
		header.Set("Content-Type", "application/x-amz-json-1.0")
		header.Del("Content-Encoding")
		header.Del("Accept-Encoding")
		js, err := json.Marshal(map[string]string{"TableName": name})
		if err != nil {
			continue
		}
		resp, err := p.forward(r.WithContext(context.WithoutCancel(r.Context())), header, js)
		if err != nil {
			continue
		}
		raw, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
		resp.Body.Close()
		if err == nil && resp.StatusCode == http.StatusOK {
			p.keep(Exchange{Time: p.clock.Now().UTC(), Operation: "DescribeTable", Status: resp.StatusCode, Setup: true},
				"", js, resp.Header.Get("Content-Encoding"), raw)
		}
	}
}

// keep captures an exchange whose request was JSON.
func (p *Proxy) keep(e Exchange, requestEncoding string, request []byte, responseEncoding string, response []byte) {
	plain, err := unpack(requestEncoding, request)
	if err != nil || !json.Valid(plain) || !operationPattern.MatchString(e.Operation) {
		return
	}
	answer, err := unpack(responseEncoding, response)
	if err != nil || !json.Valid(answer) {
		answer = []byte("null")
	}
	e.Request, e.Response = compact(plain), compact(answer)
	if p.mask != nil {
		e = p.mask.Exchange(e)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.capture(e); err != nil && p.failed == nil {
		p.failed = errors.Join(errors.New("the capture is not complete"), err)
	}
}

func compact(js []byte) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, js) != nil {
		return slices.Clone(js)
	}
	return b.Bytes()
}
