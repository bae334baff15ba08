package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// flight is an exchange under way through a proxy.
type flight struct {
	start    time.Time
	in       *http.Request
	region   string // to sign for
	secrets  []string
	request  heard
	response heard
	status   int
	header   http.Header
	failure  error // why there was no answer
	landed   bool
}

type flightKey struct{}

var scopeRegion = lazyRegexp(`Credential=[^/,\s]+/[0-9]+/([a-z0-9-]+)/`)

func (p *Proxy) newFlight(r *http.Request) *flight {
	f := &flight{start: p.config.Clock.Now(), in: r, secrets: secretsOf(r), region: regionOfHost(p.target.String())}
	if m := scopeRegion().FindStringSubmatch(r.Header.Get("Authorization")); m != nil && f.region == "" {
		f.region = m[1]
	}
	if f.region == "" {
		f.region = p.config.Region
	}
	f.request.limit, f.response.limit = p.config.MaxBody, p.config.MaxBody
	f.request.whole, f.request.ended = r.ContentLength, r.Body == nil || r.Body == http.NoBody || r.ContentLength == 0
	f.response.done = func() {
		if f.request.isWhole() {
			p.land(f)
		}
	}
	return f
}

// heard is what passed of a body. It is written by the goroutine that reads the body, which may go on for a moment
// after the answer came.
type heard struct {
	mu    sync.Mutex
	limit int64
	whole int64  // bytes that are all of it; -1 if that isn't known
	done  func() // called when all was read, before the reader gets the last of it
	kept  bytes.Buffer
	total int64
	ended bool
	err   error // why it ended early
}

// listen keeps what is read from a body.
func (h *heard) listen(body io.ReadCloser) io.ReadCloser { return &listener{body, h} }

type listener struct {
	io.ReadCloser
	heard *heard
}

// Read doesn't touch a body again that is known to be at its end: the server closes a request's body when the answer
// begins, and a reader that finds it closed would take that for a failure.
func (l *listener) Read(b []byte) (int, error) {
	if l.heard.isWhole() {
		return 0, io.EOF
	}
	n, err := l.ReadCloser.Read(b)
	if l.heard.take(b[:n], err) && l.heard.done != nil {
		l.heard.done()
	}
	return n, err
}

// take keeps a piece of the body and reports whether it is the last.
func (h *heard) take(piece []byte, err error) (last bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.total += int64(len(piece))
	if h.total <= h.limit {
		h.kept.Write(piece)
	} else {
		h.kept = bytes.Buffer{}
	}
	before := h.ended
	switch {
	case errors.Is(err, io.EOF) || h.total == h.whole:
		h.ended = true
	case err != nil && !h.ended:
		h.err = err
	}
	return h.ended && !before
}

// isWhole reports whether all of the body passed.
func (h *heard) isWhole() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.ended
}

// body returns the body, unpacked if it can be, and says what is wrong with it.
func (h *heard) body(encoding, what string) (body []byte, fault string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.total > h.limit:
		return nil, fmt.Sprintf("%s of %d bytes is too long to keep", what, h.total)
	case h.err != nil:
		fault = fmt.Sprintf("%s broke off after %d bytes: %v", what, h.total, h.err)
	case !h.ended:
		fault = fmt.Sprintf("%s was left after %d bytes", what, h.total)
	}
	body = bytes.Clone(h.kept.Bytes())
	if plain, err := unpack(encoding, body); err == nil {
		return plain, fault
	} else if fault == "" {
		fault = fmt.Sprintf("%s is no %s: %v", what, encoding, err)
	}
	return body, fault
}

// errTooLong is why a request is not signed.
var errTooLong = errors.New("the request is longer than the service accepts")

// buffer reads a request's body into memory.
func buffer(r *http.Request, limit int64) error {
	var body []byte
	if r.Body != nil {
		var err error
		body, err = io.ReadAll(io.LimitReader(r.Body, limit+1))
		if err != nil {
			return fmt.Errorf("the request broke off: %w", err)
		}
		if int64(len(body)) > limit {
			return errTooLong
		}
		r.Body.Close()
	}
	r.ContentLength, r.TransferEncoding = int64(len(body)), nil
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.Body, _ = r.GetBody()
	return nil
}

// land writes an exchange that ended, once. That comes before the application gets the last of the answer, so that the
// file holds exchanges in an order in which they can have happened.
func (p *Proxy) land(f *flight) {
	if f.landed {
		return
	}
	f.landed = true
	e := f.exchange()
	end := p.config.Clock.Now().Sub(p.start).Round(time.Microsecond)
	e.At = f.start.Sub(p.start).Round(time.Microsecond)
	e.Took = end - e.At
	p.write(e)
	if !p.config.Quiet {
		p.lookAt(f, e)
	}
}

// exchange is the flight as it is written, not masked.
func (f *flight) exchange() *Exchange {
	e := &Exchange{
		Method: f.in.Method, Path: withoutSignature(f.in.URL), Status: f.status,
		RequestHeader: headersOfInterest(f.in.Header, requestHeaders), Header: headersOfInterest(f.header, answerHeaders),
	}
	target := f.in.Header.Get("X-Amz-Target")
	if _, name, ok := strings.Cut(target, "."); ok && target == targetHeader(name) && e.Method+" "+e.Path == plainRequest {
		e.Operation = name
	} else if target != "" {
		e.remark("X-Amz-Target", target)
	}
	if e.Method == http.MethodPost && f.in.Header.Get("Content-Type") == "" {
		e.remark("Content-Type", "") // none isn't the usual one
	}
	faults := make([]string, 0, 2)
	body, fault := f.request.body(f.in.Header.Get("Content-Encoding"), "the request")
	e.Request = withhold(body, f.secrets)
	if e.RequestLost = fault != ""; e.RequestLost {
		faults = append(faults, fault)
	}
	if f.status != 0 {
		encoding := f.header.Get("Content-Encoding")
		body, fault := f.response.body(encoding, "the answer")
		e.Response = withhold(body, f.secrets)
		if fault != "" {
			faults = append(faults, fault)
		}
		if encoding != "" && encoding != "identity" {
			delete(e.Header, "X-Amz-Crc32") // of the packed body
		}
	} else if f.failure != nil {
		faults = append(faults, "no answer: "+f.failure.Error())
	} else {
		faults = append(faults, "no answer")
	}
	e.Fault = string(withhold([]byte(strings.Join(faults, "; ")), f.secrets))
	return e
}

// remark keeps a header of the request.
func (e *Exchange) remark(name, value string) {
	if e.RequestHeader == nil {
		e.RequestHeader = map[string]string{}
	}
	e.RequestHeader[name] = value
}

// write masks and writes an exchange, and counts it.
func (p *Proxy) write(e *Exchange) {
	what := e.Operation
	if what == "" {
		what = e.Method + " " + e.Path
	}
	if p.config.Mask != nil {
		for _, text := range p.config.Mask.Exchange(e) {
			p.note(what + ": " + text)
		}
	}
	err := p.out.Write(e)
	p.mu.Lock()
	if err != nil {
		p.stats.Lost++
		if p.stats.Err == nil {
			p.stats.Err = err
		}
	} else if p.stats.Exchanges++; e.Fault != "" {
		p.stats.Partial++
	}
	p.mu.Unlock()
	switch {
	case err != nil:
		p.config.Logger.Error("an exchange is lost", "operation", what, "error", err)
	case e.Fault != "":
		p.config.Logger.Warn("an exchange is not whole", "operation", what, "fault", e.Fault)
	default:
		p.config.Logger.Debug("captured", "operation", what, "status", e.Status, "took", e.Took)
	}
}

// maxTables bounds how many tables a proxy asks about.
const maxTables = 1000

// lookAt asks about tables that the application named for the first time, in the background.
func (p *Proxy) lookAt(f *flight, e *Exchange) {
	if e.Operation == "" || e.Status == 0 || e.Status >= 500 {
		return
	}
	t := newTurn(e) // it may be masked by now; names are not
	if t.code() == "ResourceNotFoundException" {
		return
	}
	p.mu.Lock()
	var ask []string
	for _, name := range t.tables {
		if p.tables[name] || len(p.tables) >= maxTables {
			continue
		}
		p.tables[name] = true
		told := e.Status == http.StatusOK && (e.Operation == "CreateTable" || e.Operation == "DescribeTable")
		if !told && !p.closed {
			ask = append(ask, name)
		}
	}
	p.running.Add(len(ask)) // this flight is still counted, so that nobody has finished waiting
	p.mu.Unlock()
	for _, name := range ask {
		go func() {
			defer p.running.Done()
			p.ask(f.region, name)
		}()
	}
}

// askTimeout bounds a question of the proxy's own.
const askTimeout = 10 * time.Second

// ask captures the description of a table. Where the target won't tell, there is none.
func (p *Proxy) ask(region, table string) {
	ctx, cancel := context.WithTimeout(p.cut, askTimeout)
	defer cancel()
	t := Target{URL: p.target.String(), Transport: p.config.Transport, Region: region}
	if p.config.Keys != nil {
		t = t.Signed(p.config.Keys)
	}
	request, err := json.Marshal(map[string]string{"TableName": table})
	if err != nil {
		return
	}
	start := p.config.Clock.Now()
	a, err := t.call(ctx, "DescribeTable", string(request))
	if err != nil || a.Status != http.StatusOK {
		return
	}
	body, err := unpack(a.Header.Get("Content-Encoding"), a.Raw)
	if err != nil || !isJSONBody(body) {
		return
	}
	p.write(&Exchange{
		At: start.Sub(p.start), Took: p.config.Clock.Now().Sub(start), Operation: "DescribeTable", Method: "POST", Path: "/",
		Request: request, Status: a.Status, Response: body, Assumed: true,
	})
}
