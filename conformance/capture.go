package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// Exchange is one request and its answer, as a capture file holds them: JSON, one exchange a line. There are no
// headers in it but the operation, so no keys and no signatures.
type Exchange struct {
	Time      time.Time
	Operation string          // such as "PutItem"
	Request   json.RawMessage // body of the request
	Status    int
	Response  json.RawMessage // body of the answer; null when it was no JSON
	// Setup marks a DescribeTable of the proxy itself, which tells a table that was there before.
	Setup bool `json:",omitempty"`
}

// WriteExchange appends an exchange to a capture.
func WriteExchange(w io.Writer, e Exchange) error {
	js, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = w.Write(append(js, '\n'))
	return err
}

// maxCaptureLine bounds an exchange: request and answer of 16 MB each, somewhat more in JSON.
const maxCaptureLine = 64 << 20

// ReadCapture reads a capture. A fault is told with its line.
func ReadCapture(r io.Reader) ([]Exchange, error) {
	var out []Exchange
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 1<<16), maxCaptureLine)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var e Exchange
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("capture, line %d: %w", n, err)
		}
		if !operationPattern.MatchString(e.Operation) || len(e.Request) == 0 || e.Status == 0 {
			return nil, fmt.Errorf("capture, line %d: no exchange", n)
		}
		out = append(out, e)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	if len(out) == 0 {
		return nil, errors.New("capture: no exchanges")
	}
	return out, nil
}

// answer is the exchange's answer as a run would have received it.
func (e Exchange) answer() *Answer {
	a := &Answer{Status: e.Status, Raw: e.Response, JSON: ""}
	var v any
	if json.Unmarshal(e.Response, &v) == nil && v != nil {
		a.JSON = v
	}
	return a
}

// names lists the tables that a request names, as they are written.
func tableNames(request any) []string {
	var out []string
	switch v := request.(type) {
	case map[string]any:
		for k, e := range v {
			if name, ok := e.(string); ok && k == "TableName" {
				out = append(out, name)
				continue
			}
			if tables, ok := e.(map[string]any); ok && k == "RequestItems" {
				for name := range tables {
					out = append(out, name)
				}
				continue
			}
			if k == "TransactItems" || k == "Put" || k == "Get" || k == "Update" || k == "Delete" || k == "ConditionCheck" {
				out = append(out, tableNames(e)...)
			}
		}
	case []any:
		for _, e := range v {
			out = append(out, tableNames(e)...)
		}
	}
	return out
}
