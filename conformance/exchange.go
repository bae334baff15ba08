package conformance

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Answer is what came back for one request.
type Answer struct {
	Status int
	Header http.Header
	Raw    []byte // as sent, packed or not
	JSON   any    // the body as encoding/json reads it; a string when it is no JSON
}

// maxAnswer bounds what is read of a reply. The service's own limit is 16 MB.
const maxAnswer = 64 << 20

// maxCompared is the longest part of a non-JSON body that is kept.
const maxCompared = 2000

// streamOperations go to the streams service.
var streamOperations = []string{"ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"}

// targetHeader returns the X-Amz-Target of an operation.
func targetHeader(operation string) string {
	if slices.Contains(streamOperations, operation) {
		return "DynamoDBStreams_20120810." + operation
	}
	return "DynamoDB_20120810." + operation
}

// placeholderAuthorization has the form of a signature. Emulators accept it.
const placeholderAuthorization = "AWS4-HMAC-SHA256 Credential=conformance/20260101/us-east-1/dynamodb/aws4_request, " +
	"SignedHeaders=host;x-amz-date;x-amz-target, " +
	"Signature=0000000000000000000000000000000000000000000000000000000000000000"

// call sends one operation.
func (t Target) call(ctx context.Context, operation, body string) (*Answer, error) {
	return t.send(ctx, http.MethodPost, "/", []Header{
		{"Content-Type", "application/x-amz-json-1.0"},
		{"X-Amz-Target", targetHeader(operation)},
	}, []byte(body))
}

// send sends a request with the given headers, authenticated unless they name Authorization themselves.
func (t Target) send(ctx context.Context, method, path string, headers []Header, body []byte) (*Answer, error) {
	base := t.URL
	if t.StreamsURL != "" && slices.ContainsFunc(headers, func(h Header) bool {
		return strings.EqualFold(h.Name, "X-Amz-Target") && strings.HasPrefix(h.Value, "DynamoDBStreams_")
	}) {
		base = t.StreamsURL
	}
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(base, "/")+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	sign := true
	for _, h := range headers {
		if strings.EqualFold(h.Name, "Authorization") {
			sign = false
		}
		if strings.EqualFold(h.Name, "Host") {
			r.Host = h.Value
		} else if h.Value != "" {
			r.Header.Add(h.Name, h.Value)
		}
	}
	if r.Header.Get("User-Agent") == "" {
		r.Header.Set("User-Agent", "dynalite-go-conformance")
	}
	if sign {
		if err := t.sign(ctx, r, body); err != nil {
			return nil, fmt.Errorf("signing: %w", err)
		}
	}
	resp, err := t.Transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	return readAnswer(resp)
}

func (t Target) sign(ctx context.Context, r *http.Request, body []byte) error {
	if t.Sign != nil {
		return t.Sign(ctx, r, body)
	}
	r.Header.Set("Authorization", placeholderAuthorization)
	if r.Header.Get("X-Amz-Date") == "" {
		r.Header.Set("X-Amz-Date", "20260101T000000Z")
	}
	return nil
}

// readAnswer reads and closes a response.
func readAnswer(resp *http.Response) (*Answer, error) {
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	a := &Answer{Status: resp.StatusCode, Header: resp.Header, Raw: raw}
	if err != nil {
		return nil, fmt.Errorf("HTTP %d, then the body broke off after %d bytes: %w; %q",
			resp.StatusCode, len(raw), err, describe(string(raw), 200))
	}
	if len(raw) > maxAnswer {
		return nil, fmt.Errorf("HTTP %d with a body of more than %d bytes", resp.StatusCode, maxAnswer)
	}
	plain, err := unpack(resp.Header.Get("Content-Encoding"), raw)
	if err != nil {
		return nil, fmt.Errorf("HTTP %d with a body that is no %s: %w",
			resp.StatusCode, resp.Header.Get("Content-Encoding"), err)
	}
	if json.Unmarshal(plain, &a.JSON) != nil {
		a.JSON = describe(string(plain), maxCompared)
	}
	return a, nil
}

func unpack(encoding string, raw []byte) ([]byte, error) {
	var r io.Reader
	var err error
	switch encoding {
	case "gzip":
		r, err = gzip.NewReader(bytes.NewReader(raw))
	case "deflate":
		r, err = zlib.NewReader(bytes.NewReader(raw))
	default:
		return raw, nil
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, maxAnswer))
}

// pack is the inverse of unpack.
func pack(encoding, text string) ([]byte, error) {
	var b bytes.Buffer
	var w io.WriteCloser
	switch encoding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "deflate":
		w = zlib.NewWriter(&b)
	default:
		return []byte(text), nil
	}
	_, err := io.WriteString(w, text)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}

// crc returns the checksum that X-Amz-Crc32 should hold.
func (a *Answer) crc() string { return strconv.FormatUint(uint64(crc32.ChecksumIEEE(a.Raw)), 10) }

// errorType returns the type of an error answer with its prefix, and its message. ok is false for other answers.
func (a *Answer) errorType() (name, message string, ok bool) {
	body, _ := a.JSON.(map[string]any)
	if name, ok = body["__type"].(string); !ok {
		return "", "", false
	}
	if message, ok = body["message"].(string); !ok {
		message, _ = body["Message"].(string)
	}
	return name, message, true
}

// code returns the error type without its prefix, "" for a success.
func (a *Answer) code() string {
	name, _, _ := a.errorType()
	return name[strings.LastIndexByte(name, '#')+1:]
}

// member returns the value at a path such as "Items.0.pk.S". ok is false when there is none.
func (a *Answer) member(path string) (v any, ok bool) { return lookup(a.JSON, path) }

func lookup(v any, path string) (any, bool) {
	for name := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[name]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// pause waits, or returns earlier with the context's error.
func (r *Runner) pause(ctx context.Context, d time.Duration) error {
	timer := r.clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C():
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
