package lambdastream

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/internal/coral"
)

// triggerTimeout is how long a function may run in Lambda at most.
const triggerTimeout = 15 * time.Minute

// maxResponseBytes is the most that a function may answer in Lambda.
const maxResponseBytes = 6 << 20

// NewTrigger starts a consumer that posts events as JSON to a URL, for example that of a Lambda runtime interface
// emulator, http://127.0.0.1:9000/2015-03-31/functions/function/invocations.
//
// A call has failed when the URL can't be reached, when the status is not 2xx, when the response has a header
// X-Amz-Function-Error, and when its body is what the runtime interface emulator sends, without status or header, for
// a function that failed or timed out. Otherwise the body counts with WithBatchItemFailures only. The rest, errors
// included, is as for New.
func NewTrigger(db *dynalite.DB, table, target string, opts ...Option) (*Consumer, error) {
	c, err := newConfig(table, opts)
	if err != nil {
		return nil, err
	}
	if u, err := url.Parse(target); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("lambdastream: %q is not an http or https URL", target)
	}
	if c.timeout == 0 {
		c.timeout = triggerTimeout
	}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true}
	t := &trigger{url: target, client: &http.Client{Transport: transport}}
	return start(db, c, t.deliver, transport.CloseIdleConnections)
}

// trigger posts events to a URL.
type trigger struct {
	url    string
	client *http.Client
}

// ResponseError is the failure of a trigger's call that got a response which is no success.
type ResponseError struct {
	URL    string
	Status string
	Body   string // its beginning
}

// Error shows the beginning of the response.
func (e *ResponseError) Error() string {
	return fmt.Sprintf("lambdastream: %s answered %s: %s", e.URL, e.Status, e.Body)
}

func (t *trigger) deliver(ctx context.Context, records []api.Record, streamARN string) ([]string, error) {
	body := appendEvent(nil, records, streamARN)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := t.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxResponseBytes))
	if err != nil {
		return nil, err
	}
	text := string(answer)
	if resp.StatusCode/100 != 2 || resp.Header.Get("X-Amz-Function-Error") != "" || isFunctionError(text) {
		return nil, &ResponseError{t.url, resp.Status, text[:min(len(text), 500)]}
	}
	return itemFailures(text), nil
}

// isFunctionError reports whether a body is that of a function that failed. The runtime interface emulator sends it
// like any other.
func isFunctionError(body string) bool {
	if strings.HasPrefix(body, "Task timed out after ") {
		return true
	}
	found := 0
	_ = readObject(body, func(name string, c *coral.Cursor) error {
		if (name == "errorMessage" || name == "errorType") && c.Peek() == coral.String {
			found++
		}
		return c.Skip()
	})
	return found == 2
}

// itemFailures returns the identifiers of the failures that a response reports. Of an entry without an identifier
// that is a string it is "", which no record has. A response that reports nothing, whatever it is, is a success.
func itemFailures(body string) (failed []string) {
	err := readObject(body, func(name string, c *coral.Cursor) error {
		if name != "batchItemFailures" || c.Peek() != coral.Array {
			return c.Skip()
		}
		if err := c.BeginArray(); err != nil {
			return err
		}
		for {
			ok, err := c.NextElem()
			if err != nil || !ok {
				return err
			}
			id, err := itemIdentifier(c)
			if err != nil {
				return err
			}
			failed = append(failed, id)
		}
	})
	if err != nil {
		return nil
	}
	return failed
}

func itemIdentifier(c *coral.Cursor) (id string, err error) {
	if c.Peek() != coral.Object {
		return "", c.Skip()
	}
	err = readMembers(c, func(name string, c *coral.Cursor) (err error) {
		if name == "itemIdentifier" && c.Peek() == coral.String {
			id, err = c.ReadString()
			return err
		}
		return c.Skip()
	})
	return id, err
}

// readObject calls member for each member of a body that is a JSON object, with the cursor at its value.
func readObject(body string, member func(name string, c *coral.Cursor) error) error {
	c := coral.New(body)
	if c.Peek() != coral.Object {
		return nil
	}
	if err := readMembers(&c, member); err != nil {
		return err
	}
	return c.End()
}

func readMembers(c *coral.Cursor, member func(name string, c *coral.Cursor) error) error {
	if err := c.BeginObject(); err != nil {
		return err
	}
	for {
		name, ok, err := c.NextKey()
		if err != nil || !ok {
			return err
		}
		if err := member(name, c); err != nil {
			return err
		}
	}
}
