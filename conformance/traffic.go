package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Traffic is a captured conversation between an application and an endpoint.
//
// Its file holds one JSON object a line: first a TrafficInfo, then the exchanges in the order in which they ended. Blank
// lines and lines that begin with # are for people. Keys, signatures and session tokens are never part of it.
type Traffic struct {
	Name      string // of the file
	Info      TrafficInfo
	Exchanges []Exchange
	// Faults are lines that broke off and were left out, each a *FormatError.
	Faults []error
}

// TrafficInfo is the head of captured traffic.
type TrafficInfo struct {
	Version  int       `json:"traffic"`          // trafficVersion
	Captured time.Time `json:"captured"`         // when it began
	Target   string    `json:"target,omitempty"` // URL of the endpoint
	Region   string    `json:"region,omitempty"`
	Masked   bool      `json:"masked,omitempty"`
	Note     string    `json:"note,omitempty"` // what was done with it since
}

const trafficVersion = 1

// Exchange is a request and its answer.
type Exchange struct {
	// At is when the request came, counted from the beginning of the capture; Took is how long the answer took.
	At, Took time.Duration
	// Operation is a name such as "PutItem". It is empty for a request that names none.
	Operation string
	// Method and Path are those of the request. Path has no members of a signature.
	Method, Path string
	// RequestHeader and Header hold what matters of the headers, and nothing that proves who somebody is.
	RequestHeader, Header map[string]string
	// Request and Response are the bodies, not packed.
	Request, Response []byte
	// Status is that of the answer, 0 if there was none.
	Status int
	// Fault says why the exchange isn't whole: the connection failed, broke off, or a body is too long to keep.
	Fault string
	// RequestLost says that Request isn't what was sent, or not all of it.
	RequestLost bool
	// Assumed marks a request that wasn't captured. It makes what the capture shows to have been there before.
	Assumed bool
	// Line is where it stands in the file, 0 elsewhere.
	Line int
}

// exchangeLine is an Exchange as a line of a file.
type exchangeLine struct {
	At             float64           `json:"at"`
	Operation      string            `json:"op,omitempty"`
	HTTP           string            `json:"http,omitempty"` // method and path, unless they are POST and /
	RequestHeaders map[string]string `json:"requestHeaders,omitempty"`
	Request        json.RawMessage   `json:"request,omitempty"`
	RequestText    string            `json:"requestText,omitempty"`
	RequestBase64  []byte            `json:"requestBase64,omitempty"`
	Status         int               `json:"status,omitempty"`
	Response       json.RawMessage   `json:"response,omitempty"`
	ResponseText   string            `json:"responseText,omitempty"`
	ResponseBase64 []byte            `json:"responseBase64,omitempty"`
	Headers        map[string]string `json:"headers,omitempty"`
	Took           float64           `json:"took,omitempty"`
	Fault          string            `json:"fault,omitempty"`
	RequestLost    bool              `json:"requestLost,omitempty"`
	Assumed        bool              `json:"assumed,omitempty"`
}

// plainRequest is how an operation is sent.
const plainRequest = "POST /"

// MarshalJSON writes the exchange as a line of a file, without the line's end.
func (e Exchange) MarshalJSON() ([]byte, error) {
	l := exchangeLine{
		At: seconds6(e.At), Operation: e.Operation, RequestHeaders: e.RequestHeader,
		Status: e.Status, Headers: e.Header, Took: seconds6(e.Took), Fault: e.Fault, RequestLost: e.RequestLost, Assumed: e.Assumed,
	}
	if line := e.Method + " " + e.Path; e.Operation == "" || line != plainRequest {
		l.HTTP = line
	}
	l.Request, l.RequestText, l.RequestBase64 = bodyForms(e.Request)
	l.Response, l.ResponseText, l.ResponseBase64 = bodyForms(e.Response)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(l)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// UnmarshalJSON reads what MarshalJSON writes.
func (e *Exchange) UnmarshalJSON(js []byte) error {
	d := json.NewDecoder(bytes.NewReader(js))
	d.DisallowUnknownFields()
	var l exchangeLine
	if err := d.Decode(&l); err != nil {
		return err
	}
	*e = Exchange{
		At: fromSeconds(l.At), Took: fromSeconds(l.Took), Operation: l.Operation, Method: "POST", Path: "/",
		RequestHeader: l.RequestHeaders, Header: l.Headers, Status: l.Status, Fault: l.Fault, RequestLost: l.RequestLost, Assumed: l.Assumed,
	}
	if l.HTTP != "" {
		var ok bool
		if e.Method, e.Path, ok = strings.Cut(l.HTTP, " "); !ok || !strings.HasPrefix(e.Path, "/") {
			return fmt.Errorf("http %q: want a method and a path", l.HTTP)
		}
	} else if l.Operation == "" {
		return errors.New("neither op nor http")
	}
	var err error
	if e.Request, err = oneBody(l.Request, l.RequestText, l.RequestBase64); err != nil {
		return fmt.Errorf("request: %w", err)
	}
	if e.Response, err = oneBody(l.Response, l.ResponseText, l.ResponseBase64); err != nil {
		return fmt.Errorf("response: %w", err)
	}
	return nil
}

func seconds6(d time.Duration) float64 { return math.Round(d.Seconds()*1e6) / 1e6 }

func fromSeconds(s float64) time.Duration { return time.Duration(math.Round(s*1e6)) * time.Microsecond }

// isJSONBody reports whether a body is an object or a list in JSON, without space around it.
func isJSONBody(body []byte) bool { return isNested(body) && utf8.Valid(body) && json.Valid(body) }

func isNested(body []byte) bool { return len(body) > 0 && (body[0] == '{' || body[0] == '[') }

// bodyForms writes a body as JSON if it is an object or list, else as text, else in base64.
func bodyForms(body []byte) (js json.RawMessage, s string, b64 []byte) {
	if trimmed := bytes.TrimSpace(body); isJSONBody(trimmed) {
		return json.RawMessage(trimmed), "", nil
	}
	if utf8.Valid(body) {
		return nil, string(body), nil
	}
	return nil, "", body
}

func oneBody(js json.RawMessage, s string, b64 []byte) ([]byte, error) {
	switch {
	case len(js) > 0 && s == "" && len(b64) == 0:
		if !isNested(js) {
			return nil, errors.New("want an object or a list; other bodies are written as text or in base64")
		}
		return js, nil
	case len(js) == 0 && (s == "" || len(b64) == 0):
		return append([]byte(s), b64...), nil
	default:
		return nil, errors.New("a body is given twice")
	}
}

// TrafficWriter writes captured traffic. Each exchange is one Write, so that nothing is lost when the process ends. It
// is safe for concurrent use.
type TrafficWriter struct {
	mu    sync.Mutex
	w     io.Writer // guarded by mu
	begun bool      // guarded by mu; the head was written
	torn  bool      // guarded by mu; the last line may have no end
	info  TrafficInfo
	lines int // guarded by mu; exchanges written
}

// NewTrafficWriter returns a writer of traffic. The head is written with the first exchange, or by Begin.
func NewTrafficWriter(w io.Writer, info TrafficInfo) *TrafficWriter {
	info.Version = trafficVersion
	return &TrafficWriter{w: w, info: info}
}

// Begin writes the head, so that one sees at once whether writing works.
func (t *TrafficWriter) Begin() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.begin()
}

func (t *TrafficWriter) begin() error {
	if t.begun {
		return nil
	}
	js, err := json.Marshal(t.info)
	if err == nil {
		err = t.line(js)
	}
	t.begun = err == nil
	return err
}

// Write writes an exchange.
func (t *TrafficWriter) Write(e *Exchange) error {
	js, err := e.MarshalJSON()
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.begin(); err != nil {
		return err
	}
	if err := t.line(js); err != nil {
		return err
	}
	t.lines++
	return nil
}

// line writes one line. After a failure the next one begins anew.
func (t *TrafficWriter) line(js []byte) error {
	b := make([]byte, 0, len(js)+2)
	if t.torn {
		b = append(b, '\n')
	}
	_, err := t.w.Write(append(append(b, js...), '\n'))
	t.torn = err != nil
	return err
}

// Len returns how many exchanges were written.
func (t *TrafficWriter) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lines
}

// WriteTo writes the traffic as a file.
func (t *Traffic) WriteTo(w io.Writer) (n int64, err error) {
	var b bytes.Buffer
	out := NewTrafficWriter(&b, t.Info)
	if err := out.Begin(); err != nil {
		return 0, err
	}
	for i := range t.Exchanges {
		if err := out.Write(&t.Exchanges[i]); err != nil {
			return 0, err
		}
	}
	return b.WriteTo(w)
}

// maxTrafficLine bounds a line of a traffic file: two bodies of the service's size, escaped.
const maxTrafficLine = 256 << 20

// ReadTraffic reads a traffic file. name is its name for errors, which are *FormatError. A line that broke off, as the
// last one does when a disk is full, is left out and named in Faults. A file may hold several captures, one after the
// other.
func ReadTraffic(name string, r io.Reader) (*Traffic, error) {
	t := &Traffic{Name: name}
	br := bufio.NewReaderSize(r, 1<<16)
	var base time.Duration // of the capture that is being read
	for no := 1; ; no++ {
		line, err := readLine(br)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, &FormatError{name, no, err.Error()}
		}
		ended := err != nil
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			fault, err := t.addLine(line, no, &base)
			if err != nil {
				return nil, &FormatError{name, no, err.Error()}
			}
			if fault != nil {
				t.Faults = append(t.Faults, &FormatError{name, no, fault.Error()})
			}
		}
		if ended {
			return t, nil
		}
	}
}

func readLine(br *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := br.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxTrafficLine {
			return nil, errors.New("line is too long")
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// addLine reads the head of a capture or an exchange. fault tells of a line that broke off.
func (t *Traffic) addLine(line []byte, no int, base *time.Duration) (fault, err error) {
	if line[0] != '{' {
		return nil, fmt.Errorf("want a JSON object, found %q", describe(string(line), 40))
	}
	if !json.Valid(line) {
		var v json.RawMessage
		err := json.Unmarshal(line, &v)
		if err != nil && strings.Contains(err.Error(), "unexpected end of JSON input") {
			return fmt.Errorf("the line breaks off after %d bytes", len(line)), nil
		}
		return nil, err
	}
	if bytes.HasPrefix(line, []byte(`{"traffic"`)) {
		return nil, t.addHead(line, base)
	}
	var e Exchange
	if err := e.UnmarshalJSON(line); err != nil {
		return nil, err
	}
	e.Line = no
	e.At += *base
	t.Exchanges = append(t.Exchanges, e)
	return nil, nil
}

func (t *Traffic) addHead(line []byte, base *time.Duration) error {
	var info TrafficInfo
	if err := json.Unmarshal(line, &info); err != nil {
		return err
	}
	if info.Version != trafficVersion {
		return fmt.Errorf("traffic of version %d; this program reads version %d", info.Version, trafficVersion)
	}
	if t.Info.Version == 0 {
		t.Info = info
		return nil
	}
	*base = info.Captured.Sub(t.Info.Captured)
	t.Info.Masked = t.Info.Masked || info.Masked
	return nil
}
